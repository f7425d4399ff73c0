/* Comparisons of simulated runs, judged as `diff` does at its defaults. */
#ifndef SIMULATED_COMPARISON_H
#define SIMULATED_COMPARISON_H

#include "comparison.h"
#include "simulated_game.h"

enum { SIMULATED_MAX_RUNS = 40 };

/* Of one comparison. The sides' runs were recorded in turn: base, candidate, base, ... */
struct simulated_setup {
    const struct simulated_game *game;
    const struct simulated_machine *machine;
    const struct simulated_plant *plant; /* of the candidate; NULL: it is the same as the base */
    uint32_t runs;                       /* a side; at most half of SIMULATED_MAX_RUNS */
    uint32_t frames;                     /* a run */
};

struct simulated_comparison {
    struct trace_scope_keys keys;
    struct trace_diff_config config;
    struct trace_run runs[SIMULATED_MAX_RUNS];
    struct trace_comparison comparison;
};

/* Plays the runs and compares them. Ends the program when there is no memory. */
void simulated_compare(struct simulated_random *random, const struct simulated_setup *setup,
                       struct simulated_comparison *result);
void simulated_comparison_destroy(struct simulated_comparison *result);

/* The scope of that index; NULL when no run has it. */
const struct trace_compared *simulated_scope_find(const struct simulated_comparison *result,
                                                  uint32_t scope);

#endif
