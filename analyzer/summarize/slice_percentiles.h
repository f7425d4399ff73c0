/* How long the slices of a site were: exact percentiles, in memory that does not grow with their
 * number. The first pass over the events counts durations in bins, the next ones look into the bins
 * that hold the ranks; two passes do, but where thousands of slices share such a bin. Private to
 * the analyzer. */
#ifndef TRACE_SLICE_PERCENTILES_H
#define TRACE_SLICE_PERCENTILES_H

#include "selection.h"

enum trace_slice_rank {
    TRACE_SLICE_MIN,
    TRACE_SLICE_P50,
    TRACE_SLICE_P90,
    TRACE_SLICE_P95,
    TRACE_SLICE_P99,
    TRACE_SLICE_P999,
    TRACE_SLICE_MAX
};
#define TRACE_SLICE_RANKS 7

/* A slice that was measured; of several with its duration the one that began first. */
struct trace_slice_sample {
    int64_t duration_ns;
    int64_t begin_ns;
    uint32_t track;
    uint32_t frame; /* index in the plan's domain, or TRACE_NONE */
};

/* Of the complete slices of a site that begin in a window; those from before a part of a recording
 * are left out. */
struct trace_slice_ranks {
    uint64_t count;
    struct trace_slice_sample ranks[TRACE_SLICE_RANKS]; /* zeros when there are none */
};

#define TRACE_SLICE_BUDGET_BYTES ((size_t)32 << 20)

/* Fills ranks[site * windows + window] for the sites whose indexes are given. What needs more than
 * `budget_bytes` at once is done in rounds. `*passes`, which may be NULL, receives how many passes
 * it took. Errors: MEMORY, those of trace_input_run. */
LUDUS_CHECKED enum ludus_status
trace_slice_percentiles(struct trace_input *input, const struct trace_chosen *chosen,
                        const uint32_t *sites, uint32_t site_count, size_t budget_bytes,
                        struct trace_slice_ranks *ranks, uint32_t *passes,
                        struct ludus_error *error);

#endif
