/* A comparison from options to verdict: reads configuration and runs, sees whether they can be
 * compared, and compares. Private to the analyzer. */
#ifndef TRACE_DIFF_H
#define TRACE_DIFF_H

#include "comparability.h"
#include "comparison.h"
#include "run_pool.h"

struct trace_diff {
    struct trace_diff_config *config;
    struct trace_selection selection; /* that the pool's options point to, while runs are read */
    bool is_filtered;                 /* scopes that were not chosen are left out */
    struct trace_run_pool pool;
    struct trace_scope_keys context_keys;    /* where the pool's are not by path, and contexts are
                                                wanted beside */
    const struct trace_scope_keys *contexts; /* these, or the pool's; NULL: nobody wants them */
    const struct trace_run **runs;           /* of the pool, those of the base first */
    struct trace_comparability found;
    struct trace_comparison comparison; /* when it can be compared */
    bool is_compared;                   /* there is no reason against it */
    unsigned failed_on;                 /* what of fail_on was found: enum trace_fail_on */
    enum trace_diff_verdict verdict;
};

/* Fails because the sides cannot be compared, and says why. */
LUDUS_CHECKED enum ludus_status trace_diff_refuse(const struct trace_diff *diff,
                                                  struct ludus_error *error);

#endif
