/* Pieces of a comparison that its files share. Private to the analyzer. */
#ifndef TRACE_COMPARISON_PARTS_H
#define TRACE_COMPARISON_PARTS_H

#include "comparison.h"

/* Of one run: ns, or hitches per 1,000 frames. */
double trace_run_frame_measure(const struct trace_comparison *comparison,
                               const struct trace_run *run, enum trace_frame_measure measure);

/* Holds the candidate against the budgets. False when there is no memory. */
bool trace_comparison_find_budgets(struct trace_comparison *comparison,
                                   const struct trace_diff_config *config);

#endif
