#pragma once
#include <alsa/asoundlib.h>

// Swift can neither write nor pass a variadic callback.
static inline void reveille_alsa_discard(const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

// alsa-lib prints every error to stderr on its own; ours are returned and reported.
static inline void reveille_alsa_be_quiet(void) { snd_lib_error_set_handler(reveille_alsa_discard); }
