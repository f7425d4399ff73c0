/* The arena's one place that knows of recordings. There is a second implementation for the build
 * without a recorder. */
#ifndef ARENA_CAPTURE_H
#define ARENA_CAPTURE_H

/* What main returns. */
enum arena_exit {
    ARENA_EXIT_OK = 0,
    ARENA_EXIT_FAILED = 1,
    ARENA_EXIT_USAGE = 2,
    ARENA_EXIT_OUTPUT = 4
};

/* Starts recording into `path`, or, when that is NULL, as LUDUS_CAPTURE says. On failure one line
 * on stderr says why. */
enum arena_exit arena_capture_start(const char *path);

/* Ends the recording, if one runs, and prints what became of it. On failure one line on stderr
 * says why. */
enum arena_exit arena_capture_stop(void);

#endif
