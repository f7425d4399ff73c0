/* The arena's command line. */
#ifndef ARENA_OPTIONS_H
#define ARENA_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "arena_plants.h"

struct arena_options {
    uint32_t frames;
    uint64_t seed;
    const char *capture;    /* NULL: not asked for */
    const char *times;      /* likewise */
    uint32_t resolution_ns; /* of the capture; 0: the clock's own */
    uint32_t pace_ms;       /* 0: frames follow each other at once */
    struct arena_plants plants;
    bool dense;
    bool help;
};

/* Reads the command line. False when it is wrong; one line on stderr then says how. */
bool arena_options_parse(struct arena_options *options, int argc, char **argv);

/* Prints the manual to stdout. */
void arena_options_help(void);

#endif
