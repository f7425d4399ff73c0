/* Splits the slices of a pass over frames: the own (exclusive) time of a slice goes to the frame in
 * which it begins, or, clipped, to each frame as far as it lies in it. Private to the analyzer. */
#ifndef TRACE_SLICE_PARTS_H
#define TRACE_SLICE_PARTS_H

#include "pass_plan.h"
#include "visitor.h"

/* Time of children of an open slice, by frame. */
struct trace_child_part {
    uint32_t frame;
    int64_t ns;
};

struct trace_part_level {
    struct trace_child_part *parts; /* frames rise */
    uint32_t count;
    uint32_t most; /* so far: the memory is kept */
};

struct trace_part_stack {
    struct trace_part_level *levels;
    uint32_t depth;
    uint32_t most;
};

/* What takes the parts. `frame` is an index into the domain's frames; `own_ns` is 0 when it is not
 * known, and `calls` 1 in the frame in which the slice begins. */
struct trace_slice_parts {
    const struct trace_domain *domain;
    struct trace_part_stack *stacks; /* by track */
    uint32_t stack_count;
    void *context;
    void (*add)(void *context, const struct trace_slice *slice, uint32_t site, uint32_t frame,
                int64_t own_ns, int64_t calls);
};

void trace_slice_parts_destroy(struct trace_slice_parts *parts);

/* The visitor's begin and end, where times are clipped. False when there is no memory. */
bool trace_slice_parts_begin(struct trace_slice_parts *parts, uint32_t track);
bool trace_slice_parts_end(struct trace_slice_parts *parts, const struct trace_model *model,
                           const struct trace_slice *slice);

#endif
