/* Whether runs can be held against each other at all, and what a reader must know of them. Private
 * to the analyzer. */
#ifndef TRACE_COMPARABILITY_H
#define TRACE_COMPARABILITY_H

#include "diff_config.h"
#include "input_warnings.h"
#include "run_digest.h"

/* Lines without the names of sides in front; those of runs begin with their label. */
struct trace_comparability {
    struct trace_warnings reasons;  /* not to compare; none: it can be done */
    struct trace_warnings warnings; /* what may have made the sides differ, or alike */
};

/* Looks at the runs, those of the base first: machines, builds, clocks, losses, frames, order in
 * time. False when there is no memory; destroy it all the same. */
bool trace_comparability_check(const struct trace_run *const *runs, uint32_t base_runs,
                               uint32_t candidate_runs, const struct trace_diff_config *config,
                               struct trace_comparability *found);
void trace_comparability_destroy(struct trace_comparability *found);

#endif
