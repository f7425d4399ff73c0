/* A track's walk through the tree of calls, which makes its events. Private to the generator. */
#ifndef SYNTHETIC_WALK_H
#define SYNTHETIC_WALK_H

#include "synthetic_file.h"
#include "synthetic_random.h"
#include "synthetic_tree.h"

#define SYNTHETIC_RUN 4096u

struct synthetic_level {
    uint32_t node;
    uint32_t child;   /* the one called last; the next one when there are no repeats */
    uint32_t repeats; /* of it, still to come */
};

struct synthetic_track {
    struct lcap_track_stream stream;
    struct synthetic_level *levels; /* scopes open now: the main scope, when it has begun, first */
    struct synthetic_random random;
    uint64_t tick;      /* of its last event */
    uint32_t depth;     /* of levels */
    uint32_t unvisited; /* the next node of its share of the tree that no call has been to, */
    uint32_t share_end; /* and the end of that share */
};

/* The events block that is being made, and what of it is not given to the encoder yet. */
struct synthetic_walk {
    struct synthetic_file *file;
    const struct synthetic_tree *tree;
    struct synthetic_track *track; /* whose segment it is; NULL: none yet */
    uint64_t frame;                /* the present one */
    uint64_t slices;               /* begun so far, by all tracks, */
    uint64_t busy_ns;              /* and the time in their events */
    uint32_t run_count;
    bool is_in_block;
    struct lcap_event run[SYNTHETIC_RUN];
};

/* Scopes stay open over this, as they are. */
void synthetic_walk_finish_block(struct synthetic_walk *walk);
void synthetic_walk_select(struct synthetic_walk *walk, struct synthetic_track *track);

/* Begins and ends exactly `count` scopes inside the main one, which counts when it has to begin. */
void synthetic_walk_calls(struct synthetic_walk *walk, uint64_t count);

/* One scope more, which waits until the tick. */
void synthetic_walk_wait(struct synthetic_walk *walk, uint64_t until_tick);

/* Ends the main scope. */
void synthetic_walk_leave(struct synthetic_walk *walk);

/* A flow's end, a count or a gauge, at the present tick. */
void synthetic_walk_value(struct synthetic_walk *walk, enum lcap_event_kind kind,
                          enum synthetic_value_site site, uint64_t value);

#endif
