/* The callers' contexts of both sides as one tree. Private to the analyzer. */
#ifndef TRACE_DIFF_CONTEXTS_H
#define TRACE_DIFF_CONTEXTS_H

#include "diff.h"

/* Means of the side's runs, per frame. Times are whole picoseconds. */
struct trace_context {
    uint32_t key;           /* of the diff's contexts */
    uint32_t parent;        /* place of the context above, or TRACE_NONE */
    uint32_t depth;         /* 0: a root */
    bool is_on_frame_track; /* or on all other tracks, together */
    bool is_called;         /* not only what is below it */
    double exclusive_ns[TRACE_SIDES];
    double inclusive_ns[TRACE_SIDES]; /* its exclusive time, and that of all below it */
    double calls[TRACE_SIDES];
};

/* In the order of the tree: a parent, then all that is below it. Those of the track that marks the
 * frames come first; siblings stand by falling time of the side on which they take longer. */
struct trace_contexts {
    struct trace_context *items;
    uint32_t count;
};

/* Of a comparison that was opened with contexts, whether or not the sides can be compared. False
 * when there is no memory; destroy it all the same. */
bool trace_contexts_create(struct trace_contexts *contexts, const struct trace_diff *diff);
void trace_contexts_destroy(struct trace_contexts *contexts);

/* The inclusive time of the side on which it is larger. */
double trace_context_size(const struct trace_context *context);

struct trace_sized_context {
    double size_ns;
    uint32_t place;
};

/* The largest first; of several as large the one whose place comes first. */
void trace_sized_contexts_sort(struct trace_sized_context *contexts, uint32_t count);

#endif
