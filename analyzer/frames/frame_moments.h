/* What happened in one frame on all tracks: which scope had the time, ends of flows, instants, the
 * last values of gauges; and what counters counted in it, beside all other frames. Bounded: what is
 * more than a frame of a game holds is left out, and told. Private to the analyzer. */
#ifndef TRACE_FRAME_MOMENTS_H
#define TRACE_FRAME_MOMENTS_H

#include "frame_list.h"
#include "input.h"

#define TRACE_MOST_STRETCHES (UINT32_C(1) << 20)
#define TRACE_MOST_MOMENTS   (UINT32_C(1) << 16)

/* A stretch of time that was a scope's own. */
struct trace_stretch {
    int64_t begin_ns;
    int64_t end_ns;
    uint32_t track;
    uint32_t site;
};

struct trace_flow_end {
    int64_t time_ns;
    uint64_t flow;
    uint32_t track;
    uint32_t site; /* index, or TRACE_NONE */
};

struct trace_gauge_value {
    int64_t time_ns;
    double value;
    uint32_t track;
    uint32_t site;
};

struct trace_counter_value {
    int64_t value;  /* in the frame */
    int64_t median; /* of the usual frames of the window */
    uint32_t site;
};

struct trace_frame_moments {
    int64_t begin_ns, end_ns;           /* of the frame */
    struct trace_stretch *stretches;    /* by track, then by time */
    struct trace_flow_end *ins;         /* by track, then by time */
    struct trace_flow_end *outs;        /* by flow, then by time */
    struct trace_instant *instants;     /* by time */
    struct trace_gauge_value *gauges;   /* by site: set last in the frame */
    struct trace_counter_value *counts; /* by site: of all counters of the capture */
    uint32_t stretch_count, in_count, out_count, instant_count, gauge_count, count_count;
    bool is_cut; /* there were more of something than is kept */
};

/* Passes over the input, all tracks of it: one, and more when there are many counters and frames.
 * `column` is of the list. Errors: those of trace_input_run. */
LUDUS_CHECKED enum ludus_status
trace_frame_moments_create(struct trace_frame_moments *moments, struct trace_input *input,
                           const struct trace_model *model, const struct trace_pass_plan *plan,
                           const struct trace_frame_list *list, uint32_t column,
                           struct ludus_error *error);
void trace_frame_moments_destroy(struct trace_frame_moments *moments);

/* The first stretch of a track that ends behind a time, or the place where it would be: those of a
 * track do not overlap. */
uint32_t trace_first_stretch(const struct trace_frame_moments *moments, uint32_t track,
                             int64_t time_ns);

#endif
