/* The build without a recorder, for comparison: there is nothing to start or stop. */
#include "arena_capture.h"

#include <stdio.h>

enum arena_exit arena_capture_start(const char *path, uint32_t resolution_ns)
{
    (void)resolution_ns;
    if (!path)
        return ARENA_EXIT_OK;
    fprintf(stderr, "arena: --capture %s: this build has no recorder; run the program arena\n",
            path);
    return ARENA_EXIT_USAGE;
}

enum arena_exit arena_capture_stop(void)
{
    return ARENA_EXIT_OK;
}
