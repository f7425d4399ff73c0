/* The ways in which the runs of two sides could have been labelled. */
#include "relabelings.h"

#include <stdlib.h>

/* Binomial coefficient, or `most` + 1 when it is greater. */
static uint64_t choose(uint32_t n, uint32_t k, uint64_t most)
{
    uint64_t ways = 1;

    for (uint32_t i = 1; i <= k; i++) {
        /* Whole at each step: it is the coefficient of n - k + i over i. */
        ways = ways * (n - k + i) / i;
        if (ways > most)
            return most + 1;
    }
    return ways;
}

/* SplitMix64 (Steele, Lea and Flood, 2014): the same numbers everywhere. */
static uint64_t draw(uint64_t *state)
{
    uint64_t mixed = *state += 0x9E3779B97F4A7C15u;

    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    return mixed ^ (mixed >> 31);
}

/* A number below `bound`, each as likely as the others but for less than bound / 2^32. */
static uint32_t draw_below(uint64_t *state, uint32_t bound)
{
    return (uint32_t)(((draw(state) >> 32) * bound) >> 32);
}

/* `chosen` of `runs` runs: each run is taken with the part of those still to take among those that
 * are left. */
static uint64_t draw_set(uint64_t *state, uint32_t runs, uint32_t chosen)
{
    uint64_t set = 0;

    for (uint32_t run = 0; run < runs; run++) {
        if (draw_below(state, runs - run) >= chosen)
            continue;
        set |= UINT64_C(1) << run;
        chosen--;
    }
    return set;
}

/* The next greater set of as many runs (Gosper's rule). */
static uint64_t next_set(uint64_t set)
{
    uint64_t lowest = set & -set;
    uint64_t carried = set + lowest;

    return (((set ^ carried) >> 2) / lowest) | carried;
}

bool trace_relabelings_create(struct trace_relabelings *relabelings, uint32_t base_runs,
                              uint32_t candidate_runs)
{
    const uint32_t runs = base_runs + candidate_runs;
    const uint64_t ways = choose(runs, candidate_runs, TRACE_ALL_RELABELINGS);
    const uint64_t smallest = (UINT64_C(1) << candidate_runs) - 1;
    const uint64_t truth = smallest << base_runs;
    uint64_t state = runs;

    relabelings->are_all = ways <= TRACE_ALL_RELABELINGS;
    relabelings->count = relabelings->are_all ? (uint32_t)ways : TRACE_DRAWN_RELABELINGS;
    relabelings->sets = malloc(relabelings->count * sizeof *relabelings->sets);
    if (relabelings->sets == NULL)
        return false;
    relabelings->sets[0] = truth;
    /* The truth is the greatest of all sets: the others are those below it. */
    uint64_t set = smallest;
    for (uint32_t i = 1; i < relabelings->count; i++) {
        relabelings->sets[i] = relabelings->are_all ? set : draw_set(&state, runs, candidate_runs);
        if (relabelings->are_all)
            set = next_set(set);
    }
    return true;
}

void trace_relabelings_destroy(struct trace_relabelings *relabelings)
{
    free(relabelings->sets);
    *relabelings = (struct trace_relabelings){0};
}
