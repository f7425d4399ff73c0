/* Random but reproducible streams of events, for round trips. */
#ifndef RANDOM_STREAM_H
#define RANDOM_STREAM_H

#include "lcap_records.h"

/* A small generator (splitmix64): the same numbers on every machine. */
struct random {
    uint64_t state;
};
uint64_t random_next(struct random *random);
/* From 0 to limit - 1. */
uint32_t random_below(struct random *random, uint32_t limit);

/* One event of a track, as it was emitted. */
struct stream_event {
    uint64_t tick;
    uint64_t value;
    uint32_t kind;
    uint32_t site;
};

struct stream_shape {
    uint32_t events;
    uint32_t sites;
    uint32_t max_depth;
    uint32_t step;       /* of the clock */
    uint64_t first_tick; /* on the grid */
    uint32_t kinds;      /* mask of the kinds to use; Begin and End always are */
    uint32_t max_shift;  /* time differences are up to 2^max_shift steps */
};

/* Fills `events` with shape->events events, well nested up to what is open at the end. */
void stream_generate(struct random *random, const struct stream_shape *shape,
                     struct stream_event *events);

#endif
