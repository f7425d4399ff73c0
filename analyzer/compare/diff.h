/* A comparison from options to verdict: reads configuration and runs, sees whether they can be
 * compared, and compares. Private to the analyzer. */
#ifndef TRACE_DIFF_H
#define TRACE_DIFF_H

#include "comparability.h"
#include "comparison.h"
#include "run_pool.h"

struct trace_diff {
    struct trace_diff_config *config;
    struct trace_selection selection; /* that the pool's options point to */
    struct trace_run_pool pool;
    const struct trace_run **runs; /* of the pool, those of the base first */
    struct trace_comparability found;
    struct trace_comparison comparison; /* when it can be compared */
    bool is_compared;                   /* there is no reason against it */
    unsigned failed_on;                 /* what of fail_on was found: enum trace_fail_on */
    enum trace_diff_verdict verdict;
};

/* Errors: those of trace_report_diff. Release it all the same. */
LUDUS_CHECKED enum ludus_status trace_diff_create(const struct trace_diff_options *options,
                                                  bool is_by_path, const struct trace_watch *watch,
                                                  struct trace_diff *diff,
                                                  struct ludus_error *error);
void trace_diff_destroy(struct trace_diff *diff);

/* Tells the listener, if there is one, what must be known. */
void trace_diff_tell(const struct trace_diff *diff, struct trace_listener *listener);

#endif
