/* The keys of a comparison's configuration: where each may stand, what it may be, and where its
 * value goes. Private to diff_config*.c and their tests. */
#ifndef TRACE_DIFF_CONFIG_KEYS_H
#define TRACE_DIFF_CONFIG_KEYS_H

#include "diff_config.h"

/* The objects of the file, as bits. */
enum trace_config_object {
    TRACE_CONFIG_ROOT = 1u << 0,
    TRACE_CONFIG_FRAME = 1u << 1,
    TRACE_CONFIG_SCOPE = 1u << 2, /* what stands behind a name in "scopes"; so the next three */
    TRACE_CONFIG_CATEGORY = 1u << 3,
    TRACE_CONFIG_PASS = 1u << 4,
    TRACE_CONFIG_COUNTER = 1u << 5
};

enum trace_config_kind {
    TRACE_CONFIG_REAL,   /* a double */
    TRACE_CONFIG_COUNT,  /* a uint64_t */
    TRACE_CONFIG_FLAG,   /* a bool */
    TRACE_CONFIG_NOTE,   /* text that editors read, and nobody else */
    TRACE_CONFIG_TEXT,   /* a const char * */
    TRACE_CONFIG_WINDOW, /* the same, and the text of a window */
    TRACE_CONFIG_WORDS,  /* an unsigned: bits of enum trace_fail_on */
    TRACE_CONFIG_FRAMES, /* the object TRACE_CONFIG_FRAME */
    TRACE_CONFIG_LIST    /* a struct trace_limit_list: an object by name */
};

enum trace_config_unit {
    TRACE_CONFIG_AS_IT_IS,
    TRACE_CONFIG_PERCENT, /* stored as a part: 0.03 for 3 */
    TRACE_CONFIG_MS       /* stored in nanoseconds */
};

struct trace_config_key {
    const char *name;
    enum trace_config_kind kind;
    unsigned objects;        /* it may stand in */
    size_t offset;           /* in struct trace_limits or trace_diff_config; of a list, its kind */
    double minimum, maximum; /* as it is written */
    enum trace_config_unit unit;
};

/* Of struct trace_limits: everywhere but in "frame". */
#define TRACE_LIMIT_KEYS 9u
extern const struct trace_config_key trace_limit_keys[TRACE_LIMIT_KEYS];

/* Which of these exclude each other: the change that counts is absolute, or a part of the frame. */
#define TRACE_ABSOLUTE_KEYS ((1u << 1) | (1u << 2))

/* Of struct trace_diff_config: in the file's root and in "frame". */
#define TRACE_CONFIG_KEYS 21u
extern const struct trace_config_key trace_config_keys[TRACE_CONFIG_KEYS];

/* What is stored of a number that is written. */
double trace_config_stored(const struct trace_config_key *key, double value);

/* What stands behind a name in a list. */
enum trace_config_object trace_config_object_of(enum trace_limit_kind kind);

#endif
