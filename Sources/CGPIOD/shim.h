// One face for libgpiod 1.6 (Debian 12) and 2.x (Debian 13): their APIs share names but not meanings, and one binary links only
// one. Functions answer 0 or a negative errno.
#pragma once
#include <dirent.h>
#include <errno.h>
#include <gpiod.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Only the v1 header defines this macro.
#ifdef GPIOD_LINE_BULK_MAX_LINES
#define REVEILLE_GPIOD_MAJOR 1
#else
#define REVEILLE_GPIOD_MAJOR 2
#endif

// libgpiod's own failures leave errno; 0 would read as success.
static inline int reveille_gpio_failure(void) { return errno ? -errno : -EIO; }

static inline bool reveille_gpio_has_label(struct gpiod_chip *chip, const char *label) {
#if REVEILLE_GPIOD_MAJOR == 1
  return strcmp(gpiod_chip_label(chip), label) == 0;
#else
  struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
  if (!info) return false;
  bool same = strcmp(gpiod_chip_info_get_label(info), label) == 0;
  gpiod_chip_info_free(info);
  return same;
#endif
}

static inline int reveille_gpio_is_chip_name(const struct dirent *entry) { return strncmp(entry->d_name, "gpiochip", 8) == 0; }

// Opens a chip by path (/dev/gpiochip0), name (gpiochip0) or label (pinctrl-bcm2711; the first in the order of names that has it).
// Where no chip fits but one could not be opened, the answer is that one's error: it may be the one that was meant.
static inline int reveille_gpio_chip_open(const char *designation, struct gpiod_chip **result) {
  char path[512];
  *result = NULL;
  if (strchr(designation, '/') || strncmp(designation, "gpiochip", 8) == 0) {
    snprintf(path, sizeof path, "%s%s", strchr(designation, '/') ? "" : "/dev/", designation);
    errno = 0;
    *result = gpiod_chip_open(path);
    return *result ? 0 : reveille_gpio_failure();
  }
  struct dirent **entries;
  int count = scandir("/dev", &entries, reveille_gpio_is_chip_name, alphasort);
  if (count < 0) return reveille_gpio_failure();
  int status = -ENOENT;
  for (int index = 0; index < count; index++) {
    if (!*result) {
      snprintf(path, sizeof path, "/dev/%s", entries[index]->d_name);
      errno = 0;
      struct gpiod_chip *chip = gpiod_chip_open(path);
      if (!chip) {
        status = reveille_gpio_failure();
      } else if (reveille_gpio_has_label(chip, designation)) {
        *result = chip;
      } else {
        gpiod_chip_close(chip);
      }
    }
    free(entries[index]);
  }
  free(entries);
  return *result ? 0 : status;
}

static inline void reveille_gpio_chip_close(struct gpiod_chip *chip) { gpiod_chip_close(chip); }

// A requested output line.
struct reveille_gpio_output {
#if REVEILLE_GPIOD_MAJOR == 1
  struct gpiod_line *line;
#else
  struct gpiod_line_request *request;
  unsigned int offset;
#endif
};

// Requests a line as an output that starts inactive. The chip must stay open while the line is held (v1 releases it with the chip).
static inline int reveille_gpio_output_request(
    struct gpiod_chip *chip, unsigned int offset, bool active_low, const char *consumer, struct reveille_gpio_output *output) {
  errno = 0;
#if REVEILLE_GPIOD_MAJOR == 1
  output->line = gpiod_chip_get_line(chip, offset);
  if (!output->line) return reveille_gpio_failure();
  int flags = active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0;
  return gpiod_line_request_output_flags(output->line, consumer, flags, 0) == 0 ? 0 : reveille_gpio_failure();
#else
  output->offset = offset;
  output->request = NULL;
  struct gpiod_line_settings *settings = gpiod_line_settings_new();
  struct gpiod_line_config *lines = gpiod_line_config_new();
  struct gpiod_request_config *request = gpiod_request_config_new();
  if (settings && lines && request && gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT) == 0 &&
      gpiod_line_settings_set_output_value(settings, GPIOD_LINE_VALUE_INACTIVE) == 0) {
    gpiod_line_settings_set_active_low(settings, active_low);
    gpiod_request_config_set_consumer(request, consumer);
    if (gpiod_line_config_add_line_settings(lines, &offset, 1, settings) == 0)
      output->request = gpiod_chip_request_lines(chip, request, lines);
  }
  int status = output->request ? 0 : reveille_gpio_failure();
  if (request) gpiod_request_config_free(request);
  if (lines) gpiod_line_config_free(lines);
  if (settings) gpiod_line_settings_free(settings);
  return status;
#endif
}

static inline int reveille_gpio_output_set(struct reveille_gpio_output *output, bool active) {
  errno = 0;
#if REVEILLE_GPIOD_MAJOR == 1
  return gpiod_line_set_value(output->line, active ? 1 : 0) == 0 ? 0 : reveille_gpio_failure();
#else
  enum gpiod_line_value value = active ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
  return gpiod_line_request_set_value(output->request, output->offset, value) == 0 ? 0 : reveille_gpio_failure();
#endif
}

static inline void reveille_gpio_output_release(struct reveille_gpio_output *output) {
#if REVEILLE_GPIOD_MAJOR == 1
  gpiod_line_release(output->line);
#else
  gpiod_line_request_release(output->request);
#endif
}

enum reveille_gpio_bias { REVEILLE_GPIO_BIAS_AS_IS, REVEILLE_GPIO_BIAS_DISABLED, REVEILLE_GPIO_BIAS_PULL_UP, REVEILLE_GPIO_BIAS_PULL_DOWN };

// A requested input line that tells its edges.
struct reveille_gpio_input {
#if REVEILLE_GPIOD_MAJOR == 1
  struct gpiod_line *line;
#else
  struct gpiod_line_request *request;
  struct gpiod_edge_event_buffer *events;
  unsigned int offset;
#endif
};

// An edge: to the active level or away from it, with the kernel's time in nanoseconds: CLOCK_MONOTONIC, but CLOCK_REALTIME with
// libgpiod 1 on kernels before 5.7.
struct reveille_gpio_edge {
  bool active;
  uint64_t timestamp;
};

enum { REVEILLE_GPIO_EDGES = 16 };

// Requests a line as an input with events at both edges. The chip must stay open while the line is held.
static inline int reveille_gpio_input_request(
    struct gpiod_chip *chip, unsigned int offset, bool active_low, enum reveille_gpio_bias bias, const char *consumer,
    struct reveille_gpio_input *input) {
  errno = 0;
#if REVEILLE_GPIOD_MAJOR == 1
  input->line = gpiod_chip_get_line(chip, offset);
  if (!input->line) return reveille_gpio_failure();
  static const int biases[] = {
      [REVEILLE_GPIO_BIAS_AS_IS] = 0,
      [REVEILLE_GPIO_BIAS_DISABLED] = GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE,
      [REVEILLE_GPIO_BIAS_PULL_UP] = GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP,
      [REVEILLE_GPIO_BIAS_PULL_DOWN] = GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN,
  };
  int flags = biases[bias] | (active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0);
  return gpiod_line_request_both_edges_events_flags(input->line, consumer, flags) == 0 ? 0 : reveille_gpio_failure();
#else
  static const enum gpiod_line_bias biases[] = {
      [REVEILLE_GPIO_BIAS_AS_IS] = GPIOD_LINE_BIAS_AS_IS,
      [REVEILLE_GPIO_BIAS_DISABLED] = GPIOD_LINE_BIAS_DISABLED,
      [REVEILLE_GPIO_BIAS_PULL_UP] = GPIOD_LINE_BIAS_PULL_UP,
      [REVEILLE_GPIO_BIAS_PULL_DOWN] = GPIOD_LINE_BIAS_PULL_DOWN,
  };
  input->offset = offset;
  input->request = NULL;
  input->events = gpiod_edge_event_buffer_new(REVEILLE_GPIO_EDGES);
  struct gpiod_line_settings *settings = gpiod_line_settings_new();
  struct gpiod_line_config *lines = gpiod_line_config_new();
  struct gpiod_request_config *request = gpiod_request_config_new();
  if (input->events && settings && lines && request && gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT) == 0 &&
      gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH) == 0 &&
      gpiod_line_settings_set_bias(settings, biases[bias]) == 0) {
    gpiod_line_settings_set_active_low(settings, active_low);
    gpiod_request_config_set_consumer(request, consumer);
    if (gpiod_line_config_add_line_settings(lines, &offset, 1, settings) == 0)
      input->request = gpiod_chip_request_lines(chip, request, lines);
  }
  int status = input->request ? 0 : reveille_gpio_failure();
  if (request) gpiod_request_config_free(request);
  if (lines) gpiod_line_config_free(lines);
  if (settings) gpiod_line_settings_free(settings);
  if (status != 0 && input->events) gpiod_edge_event_buffer_free(input->events);
  return status;
#endif
}

// The descriptor that is readable while edges wait.
static inline int reveille_gpio_input_descriptor(struct reveille_gpio_input *input) {
#if REVEILLE_GPIOD_MAJOR == 1
  return gpiod_line_event_get_fd(input->line);
#else
  return gpiod_line_request_get_fd(input->request);
#endif
}

// Takes at most REVEILLE_GPIO_EDGES edges that wait, oldest first, and answers how many; does not block.
static inline int reveille_gpio_input_read(struct reveille_gpio_input *input, struct reveille_gpio_edge *edges) {
  errno = 0;
  struct pollfd ready = {.fd = reveille_gpio_input_descriptor(input), .events = POLLIN};
  int count = poll(&ready, 1, 0);
  if (count < 0) return reveille_gpio_failure();
  if (count == 0) return 0;
  // Newer kernels hang up when the chip is gone.
  if (!(ready.revents & POLLIN)) return -ENODEV;
#if REVEILLE_GPIOD_MAJOR == 1
  struct gpiod_line_event events[REVEILLE_GPIO_EDGES];
  count = gpiod_line_event_read_multiple(input->line, events, REVEILLE_GPIO_EDGES);
  for (int index = 0; index < count; index++) {
    edges[index].active = events[index].event_type == GPIOD_LINE_EVENT_RISING_EDGE;
    edges[index].timestamp = (uint64_t)events[index].ts.tv_sec * 1000000000 + (uint64_t)events[index].ts.tv_nsec;
  }
#else
  count = gpiod_line_request_read_edge_events(input->request, input->events, REVEILLE_GPIO_EDGES);
  for (int index = 0; index < count; index++) {
    struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(input->events, (unsigned long)index);
    edges[index].active = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE;
    edges[index].timestamp = gpiod_edge_event_get_timestamp_ns(event);
  }
#endif
  return count < 0 ? reveille_gpio_failure() : count;
}

// Whether the line is active now: 1 or 0, or a negative errno.
static inline int reveille_gpio_input_get(struct reveille_gpio_input *input) {
  errno = 0;
#if REVEILLE_GPIOD_MAJOR == 1
  int value = gpiod_line_get_value(input->line);
#else
  int value = gpiod_line_request_get_value(input->request, input->offset);
#endif
  return value < 0 ? reveille_gpio_failure() : value;
}

static inline void reveille_gpio_input_release(struct reveille_gpio_input *input) {
#if REVEILLE_GPIOD_MAJOR == 1
  gpiod_line_release(input->line);
#else
  gpiod_line_request_release(input->request);
  gpiod_edge_event_buffer_free(input->events);
#endif
}
