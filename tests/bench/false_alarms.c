/* How often `diff` finds a regression where there is none: comparisons of simulated runs of one
 * game with itself, 5 runs a side, at the defaults, on machines of which each is a nuisance in its
 * own way. Ends with 1 when more than TRACE_LEVEL of them are found; the gate is the upper bound of
 * the rate.
 *
 *     false_alarms [COMPARISONS [SEED]] */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench_tools.h"
#include "binomial_bounds.h"
#include "simulated_comparison.h"

#define USAGE       "false_alarms [COMPARISONS [SEED]]"
#define COMPARISONS 10000u
#define RUNS        5u
#define FRAMES      1000u

static const struct simulated_machine machines[] = {
    {.name = "quiet",
     .frame_part = 0.01,
     .scope_frame_part = 0.05,
     .run_part = 0.003,
     .scope_part = 0.005},
    {.name = "drift",
     .frame_part = 0.05,
     .scope_frame_part = 0.10,
     .run_part = 0.005,
     .scope_part = 0.005,
     .drift_part = 0.10,
     .walk_part = 0.01,
     .hitch_rate = 0.0005},
    {.name = "outliers",
     .frame_part = 0.05,
     .scope_frame_part = 0.10,
     .run_part = 0.01,
     .scope_part = 0.01,
     .outlier_rate = 0.1,
     .hitch_rate = 0.0005},
    {.name = "two clocks",
     .frame_part = 0.05,
     .scope_frame_part = 0.10,
     .run_part = 0.003,
     .scope_part = 0.005,
     .clock_part = 0.08,
     .hitch_rate = 0.0005},
    {.name = "heavy tails",
     .frame_part = 0.05,
     .scope_frame_part = 0.10,
     .run_part = 0.02,
     .scope_part = 0.02,
     .interrupts = 0.08,
     .has_heavy_runs = true},
    {.name = "hitches",
     .frame_part = 0.05,
     .scope_frame_part = 0.10,
     .run_part = 0.01,
     .scope_part = 0.01,
     .interrupts = 0.02,
     .hitch_rate = 0.003},
    {.name = "all of it",
     .frame_part = 0.05,
     .scope_frame_part = 0.10,
     .run_part = 0.01,
     .scope_part = 0.02,
     .drift_part = 0.05,
     .walk_part = 0.01,
     .outlier_rate = 0.1,
     .clock_part = 0.08,
     .interrupts = 0.08,
     .hitch_rate = 0.003,
     .has_heavy_runs = true},
};
enum { MACHINES = sizeof machines / sizeof machines[0] };

struct tally {
    uint32_t comparisons;
    uint32_t regressions; /* comparisons with any */
    uint32_t by_median, by_hitches, by_scopes;
    uint64_t family;
};

static bool is_worse(const struct trace_judged *item)
{
    return item->finding == TRACE_FOUND_WORSE;
}

static void compare_with_itself(struct simulated_random *random,
                                const struct simulated_machine *machine, struct tally *tally)
{
    struct simulated_game game;
    struct simulated_setup setup = {
        .game = &game, .machine = machine, .runs = RUNS, .frames = FRAMES};
    struct simulated_comparison result;

    simulated_game_create(random, &game);
    simulated_compare(random, &setup, &result);
    const struct trace_judgement *judgement = &result.comparison.judgement;
    bool is_median = is_worse(&judgement->items[TRACE_FRAME_MEASURE_P50]);
    bool is_hitches = is_worse(&judgement->items[TRACE_FRAME_MEASURE_HITCHES]);
    uint32_t found = trace_comparison_count(&result.comparison, TRACE_FOUND_WORSE);
    tally->comparisons++;
    tally->regressions += found != 0;
    tally->by_median += is_median;
    tally->by_hitches += is_hitches;
    tally->by_scopes += found > (uint32_t)is_median + is_hitches;
    tally->family += judgement->family;
    simulated_comparison_destroy(&result);
}

static void add(struct tally *sum, const struct tally *tally)
{
    sum->comparisons += tally->comparisons;
    sum->regressions += tally->regressions;
    sum->by_median += tally->by_median;
    sum->by_hitches += tally->by_hitches;
    sum->by_scopes += tally->by_scopes;
    sum->family += tally->family;
}

static void print_tally(const char *name, const struct tally *tally)
{
    if (tally->comparisons == 0)
        return;
    printf("  %-12s %11" PRIu32 " %11" PRIu32 " %7.2f %% %10.2f %% %7" PRIu32 " %8" PRIu32
           " %7" PRIu32 " %8.1f\n",
           name, tally->comparisons, tally->regressions,
           100.0 * tally->regressions / tally->comparisons,
           100.0 * binomial_upper(tally->regressions, tally->comparisons), tally->by_median,
           tally->by_hitches, tally->by_scopes, (double)tally->family / tally->comparisons);
}

/* With few comparisons a rate may be low and its bound high. */
static void print_gate(const struct tally *sum)
{
    static const char name[] = "false alarms, simulated";
    static const char text[] = "%" PRIu32 " of %" PRIu32 " comparisons: at most %.2f %% with 95 %% "
                               "confidence (at most %.0f %%)";
    double bound = binomial_upper(sum->regressions, sum->comparisons);

    if (bound > TRACE_LEVEL && sum->regressions <= TRACE_LEVEL * sum->comparisons)
        bench_unsure(name, text, sum->regressions, sum->comparisons, 100.0 * bound,
                     100.0 * TRACE_LEVEL);
    else
        bench_gate(bound <= TRACE_LEVEL, name, text, sum->regressions, sum->comparisons,
                   100.0 * bound, 100.0 * TRACE_LEVEL);
}

int main(int argc, char **argv)
{
    uint32_t comparisons = bench_count_read(USAGE, argc, argv, 1, COMPARISONS);
    uint32_t seed = bench_count_read(USAGE, argc, argv, 2, 1);
    struct tally tallies[MACHINES] = {0};
    struct tally sum = {0};

    for (uint32_t i = 0; i < comparisons; i++) {
        struct simulated_random random = {((uint64_t)seed << 32) + i};
        random.state = simulated_draw(&random);
        compare_with_itself(&random, &machines[i % MACHINES], &tallies[i % MACHINES]);
    }
    printf("false alarms: %u runs a side of %u frames, %d scopes, seed %" PRIu32 "\n", RUNS, FRAMES,
           (int)SIMULATED_SCOPES, seed);
    printf("  %-12s %11s %11s %9s %12s %7s %8s %7s %8s\n", "machine", "comparisons", "regressions",
           "rate", "at most", "p50", "hitches", "scopes", "family");
    for (uint32_t i = 0; i < MACHINES; i++) {
        print_tally(machines[i].name, &tallies[i]);
        add(&sum, &tallies[i]);
    }
    print_tally("in all", &sum);
    print_gate(&sum);
    return sum.regressions > TRACE_LEVEL * sum.comparisons ? EXIT_FAILURE : EXIT_SUCCESS;
}
