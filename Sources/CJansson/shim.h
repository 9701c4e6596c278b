#pragma once
#include <jansson.h>

// The library's iteration and type tests are macros, which Swift does not import.
static inline json_type reveille_json_type(const json_t *value) { return json_typeof(value); }
static inline int reveille_json_is_true(const json_t *value) { return json_is_true(value); }
static inline void reveille_json_release(json_t *value) { json_decref(value); }
