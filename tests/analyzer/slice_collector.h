/* Keeps what a pass over a capture or a database shows to its visitor. */
#ifndef SLICE_COLLECTOR_H
#define SLICE_COLLECTOR_H

#include "input.h"

struct open_scope {
    int64_t begin_ns;
    uint32_t track;
    uint32_t site;
};

struct slice_collector {
    struct trace_slice *slices;
    struct trace_instant *instants;
    size_t slice_count, slice_capacity;
    size_t instant_count, instant_capacity;
    struct trace_value *values;
    size_t value_count, value_capacity;
    /* The scopes that the pass has begun and not ended, of all tracks. */
    struct open_scope *open;
    size_t open_count, open_capacity;
    size_t ended_count;
};

/* Runs the capture, and sorts the slices by track and then by id. The test fails when it does not
 * run, or shows other begins and ends than slices. `collector` may hold anything before. */
void slice_collector_run(struct slice_collector *collector, struct trace_capture *capture);

/* The same for an input and a plan, which may be NULL: of everything. */
void slice_collector_run_input(struct slice_collector *collector, struct trace_input *input,
                               const struct trace_pass_plan *plan);
void slice_collector_clear(struct slice_collector *collector);

/* The slice with an id, or NULL for 0. */
const struct trace_slice *slice_collector_find(const struct slice_collector *collector,
                                               uint64_t slice_id);

/* The names of a path from the track's root on, "/" between them. */
void path_text(const struct trace_model *model, uint32_t path, char *text, size_t size);

#endif
