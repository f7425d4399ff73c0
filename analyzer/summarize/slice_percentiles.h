/* How long the slices of a site were: exact percentiles (duration_ranks.h). Private to the
 * analyzer. */
#ifndef TRACE_SLICE_PERCENTILES_H
#define TRACE_SLICE_PERCENTILES_H

#include "duration_ranks.h"
#include "selection.h"

#define TRACE_SLICE_BUDGET_BYTES ((size_t)32 << 20)

/* Of the complete slices of a site that begin in a window, with their frames in the plan's domain;
 * those from before a part of a recording are left out. Fills ranks[site * windows + window] for
 * the sites whose indexes are given. What needs more than `budget_bytes` at once is done in rounds.
 * `*passes`, which may be NULL, receives how many passes it took. Errors: MEMORY, those of
 * trace_input_run. */
LUDUS_CHECKED enum ludus_status
trace_slice_percentiles(struct trace_input *input, const struct trace_chosen *chosen,
                        const uint32_t *sites, uint32_t site_count, size_t budget_bytes,
                        struct trace_duration_ranks *ranks, uint32_t *passes,
                        struct ludus_error *error);

#endif
