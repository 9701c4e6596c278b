// One face for libgpiod 1.6 (Debian 12) and 2.x (Debian 13): their APIs share names but not meanings, and one binary links only
// one. Functions answer 0 or a negative errno.
#pragma once
#include <dirent.h>
#include <errno.h>
#include <gpiod.h>
#include <stdbool.h>
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
