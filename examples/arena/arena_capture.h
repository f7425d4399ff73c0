/* The arena's one place that knows of recordings. There is a second implementation for the build
 * without a recorder. */
#ifndef ARENA_CAPTURE_H
#define ARENA_CAPTURE_H

#include <stdint.h>

/* What main returns. */
enum arena_exit {
    ARENA_EXIT_OK = 0,
    ARENA_EXIT_FAILED = 1,
    ARENA_EXIT_USAGE = 2,
    ARENA_EXIT_OUTPUT = 4
};

/* Starts recording into `path`, or, when that is NULL, as LUDUS_CAPTURE says; times are
 * stored to `resolution_ns` (0: the clock's own). On failure one line
 * on stderr says why. */
enum arena_exit arena_capture_start(const char *path, uint32_t resolution_ns);

/* Ends the recording, if one runs, and prints what became of it. On failure one line on stderr
 * says why. */
enum arena_exit arena_capture_stop(void);

#endif
