/* What a pass over an input is to derive: which windows, of which frames, of which tracks. Private
 * to the analyzer. */
#ifndef TRACE_PASS_PLAN_H
#define TRACE_PASS_PLAN_H

#include "trace.h"
#include "window.h"

/* Which tracks have rows of their own in a pass's sums. All others are together in one. */
enum trace_apart {
    TRACE_APART_LOSSES, /* those that lost something of their own: fewer frames count for them */
    TRACE_APART_MARKER, /* and the one that marks the plan's domain (trace_domain_find_marker) */
    TRACE_APART_ALL     /* each */
};

struct trace_pass_plan {
    struct trace_windows windows; /* that statistics are of; at least one */
    uint32_t domain;              /* index of the domain whose frames are meant, or TRACE_NONE */
    bool *tracks;                 /* by index, whether its events count; NULL: all do */
    uint32_t track_count;         /* of `tracks`; a track behind them does not count */
    enum trace_attribution attribution;
    enum trace_apart apart;
    bool has_path_rows;  /* the model's sums of paths are wanted, too */
    bool has_value_rows; /* and its rows of counters, gauges and GPU work: value_stats, gpu_stats */
    bool is_without_sums; /* a visitor alone is served: the model gets no sums of sites and paths */
    bool is_default;      /* the whole capture, by begin, of all tracks */
};

/* The plan of everything: the window "capture", the default domain, rows of paths. False when there
 * is no memory. */
bool trace_pass_plan_set_default(struct trace_pass_plan *plan, const struct trace_model *model);
void trace_pass_plan_clear(struct trace_pass_plan *plan);

static inline bool trace_pass_plan_counts(const struct trace_pass_plan *plan, uint32_t track)
{
    return plan->tracks == NULL || (track < plan->track_count && plan->tracks[track]);
}

#endif
