/* The ways in which the runs of two sides could have been labelled: all of them where they are few,
 * otherwise a fixed selection. Private to the analyzer. */
#ifndef TRACE_RELABELINGS_H
#define TRACE_RELABELINGS_H

#include <stdbool.h>
#include <stdint.h>

#define TRACE_MAX_RUNS 64u /* of both sides together: a labelling is a bit for each */

/* Up to so many are all looked at; of more, so many are drawn, the same ones each time. */
#define TRACE_ALL_RELABELINGS   20000u
#define TRACE_DRAWN_RELABELINGS 10000u

/* Sets of runs: bit r is set when run r has the label of the candidate. The first one is the true
 * labelling, in which the runs of the base come first. */
struct trace_relabelings {
    uint64_t *sets;
    uint32_t count;
    bool are_all;
};

/* `base_runs` and `candidate_runs` are at least 1, and together at most TRACE_MAX_RUNS. False when
 * there is no memory; destroy it all the same. */
bool trace_relabelings_create(struct trace_relabelings *relabelings, uint32_t base_runs,
                              uint32_t candidate_runs);
void trace_relabelings_destroy(struct trace_relabelings *relabelings);

#endif
