/* Which differences between two sides of runs count: those that are evident, large enough and come
 * of enough calls. Arithmetic over one number for each run and quantity; where the numbers are from
 * does not matter here. Private to the analyzer. docs/diff.md has the reasons.
 *
 * With TRACE_LEAST_RUNS runs on each side, evidence is a permutation test over the family of all
 * quantities that are judged and may change by as much as counts. With fewer there is none for
 * times; but calls per frame that are a whole number, the same in each run, are evidence by
 * themselves. */
#ifndef TRACE_JUDGEMENT_H
#define TRACE_JUDGEMENT_H

#include "change.h"
#include "permutation_test.h"

/* Of each side. Among the 70 labellings of 4 and 4 runs one is 1.4 %, of 3 and 3 it is 5 %. */
#define TRACE_LEAST_RUNS 4u

enum trace_finding {
    TRACE_FOUND_SAME,             /* it is smaller than a limit */
    TRACE_FOUND_FEW,              /* it is large, and comes of too few calls to count */
    TRACE_FOUND_NOISE,            /* runs of one side differ as much */
    TRACE_FOUND_WORSE,            /* a regression */
    TRACE_FOUND_BETTER,           /* an improvement */
    TRACE_FOUND_SUSPECTED_WORSE,  /* there are too few runs to say */
    TRACE_FOUND_SUSPECTED_BETTER, /* likewise */
    TRACE_FOUND_SHOWN             /* is not judged */
};

/* One number that each run has; more of it is worse. */
struct trace_judged {
    const double *values;  /* by run, those of the base first; finite */
    double least_change;   /* in the values' unit: less does not count */
    double least_relative; /* the same as a part of the base's mean */
    double exact_change;   /* what exact counts make of the change; NaN: they are not exact */
    uint64_t count;        /* how often what is measured happened, in all runs together */
    uint64_t least_count;  /* of it */
    bool is_shown_only;    /* not judged */

    /* found: */
    double base, candidate; /* means */
    bool is_tested;
    struct trace_family_finding test; /* when it is tested */
    enum trace_finding finding;
    bool is_by_counts; /* exact counts are the evidence */
};

struct trace_judgement {
    struct trace_judged *items;
    uint32_t count;
    uint32_t base_runs, candidate_runs; /* at least 1 each, together at most TRACE_MAX_RUNS */
    double level;                       /* of any false regression in the family, such as 0.02 */

    /* found: */
    bool is_tested;       /* there are enough runs */
    uint32_t family;      /* how many were tested */
    uint32_t relabelings; /* how many were looked at */
    bool are_all_relabelings;
};

/* False when there is no memory. */
bool trace_judge(struct trace_judgement *judgement);

#endif
