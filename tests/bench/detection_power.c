/* How often `diff` finds a regression that is there, and names it rightly: comparisons of simulated
 * runs, 5 a side, at the defaults, where the candidate has a fault. The scope that has it takes a
 * twentieth of the frame, and its time varies by so many per cent from run to run (standard
 * deviation, with what frames and numbers of calls make of it). There are no
 * other hitches than those of a machine where hitches are the fault, one in 2,000 frames. Ends with
 * 1 when a fault is found in less than 95 % of the comparisons where runs vary by 1 %.
 *
 *     detection_power [COMPARISONS [SEED]] */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench_tools.h"
#include "simulated_comparison.h"

#define USAGE       "detection_power [COMPARISONS [SEED]]"
#define COMPARISONS 500u
#define RUNS        5u
#define PART        0.05 /* of the frame */
#define GOAL        0.95
#define HELD_TO     1.0 /* per cent from run to run */

struct fault {
    const char *name;
    enum simulated_calls kind;
    double calls;
    struct simulated_plant plant;
    uint32_t frames;
    enum trace_change_kind change;
};

static const struct fault faults[] = {
    {"cost +5 %, 8 calls in each frame",
     SIMULATED_CALLS_FIXED,
     8,
     {0, 1.05, 0, 0},
     1000,
     TRACE_CHANGE_COST},
    {"cost +5 %, 40 calls in the mean",
     SIMULATED_CALLS_RANDOM,
     40,
     {0, 1.05, 0, 0},
     1000,
     TRACE_CHANGE_COST},
    {"one call more than 1 in each frame",
     SIMULATED_CALLS_FIXED,
     1,
     {0, 1, 1, 0},
     1000,
     TRACE_CHANGE_WORKLOAD},
    {"one call more than 4 in each frame",
     SIMULATED_CALLS_FIXED,
     4,
     {0, 1, 1, 0},
     1000,
     TRACE_CHANGE_WORKLOAD},
    {"one call more than 20 in each frame",
     SIMULATED_CALLS_FIXED,
     20,
     {0, 1, 1, 0},
     1000,
     TRACE_CHANGE_WORKLOAD},
    {"one call more than 20 in the mean",
     SIMULATED_CALLS_RANDOM,
     20,
     {0, 1, 1, 0},
     1000,
     TRACE_CHANGE_WORKLOAD},
    {"a hitch every 300 frames of 3,000",
     SIMULATED_CALLS_FIXED,
     8,
     {0, 1, 0, 300},
     3000,
     TRACE_CHANGE_NONE},
};
enum { FAULTS = sizeof faults / sizeof faults[0] };

static const double varying_percent[] = {HELD_TO, 2.0};
enum { VARYING = sizeof varying_percent / sizeof varying_percent[0] };

struct tally {
    uint32_t found;  /* the scope, or hitches */
    uint32_t named;  /* and rightly */
    uint32_t others; /* comparisons in which a scope without a fault was found */
};

static bool is_worse(const struct trace_judged *item)
{
    return item->finding == TRACE_FOUND_WORSE;
}

/* Hitches are found in frame times; the scope that they are in may be found as well. */
static void look_at(const struct simulated_comparison *result, const struct fault *fault,
                    struct tally *tally)
{
    const struct trace_comparison *comparison = &result->comparison;
    const struct trace_compared *scope = simulated_scope_find(result, fault->plant.scope);
    bool is_hitch = fault->plant.hitch_every != 0;
    bool is_found = scope != NULL && is_worse(trace_comparison_judged(comparison, scope));
    bool has_other = false;

    for (uint32_t i = 0; i < comparison->count; i++)
        has_other |= comparison->items[i].key != fault->plant.scope &&
                     is_worse(trace_comparison_judged(comparison, &comparison->items[i]));
    if (is_hitch) {
        bool is_hitches = is_worse(&comparison->judgement.items[TRACE_FRAME_MEASURE_HITCHES]);
        tally->found += is_hitches;
        tally->named += is_hitches;
    } else if (is_found) {
        tally->found++;
        tally->named += scope->change.kind == fault->change;
    }
    tally->others += has_other;
}

static struct tally try_fault(uint64_t seed, const struct fault *fault, double percent,
                              uint32_t comparisons)
{
    struct simulated_machine machine = {.frame_part = 0.01,
                                        .scope_frame_part = 0.05,
                                        .hitch_rate = fault->plant.hitch_every != 0 ? 0.0005 : 0.0};
    double frames_part = simulated_frames_part(&machine, fault->frames);
    double calls_part =
        fault->kind == SIMULATED_CALLS_RANDOM ? 1.0 / sqrt(fault->calls * fault->frames) : 0.0;
    double run_part =
        sqrt(percent * percent / 1e4 - frames_part * frames_part - calls_part * calls_part);
    struct simulated_game game;
    struct simulated_setup setup = {.game = &game,
                                    .machine = &machine,
                                    .plant = &fault->plant,
                                    .runs = RUNS,
                                    .frames = fault->frames};
    struct tally tally = {0};

    machine.run_part = 0.8 * run_part;
    machine.scope_part = 0.6 * run_part;
    for (uint32_t i = 0; i < comparisons; i++) {
        struct simulated_random random = {(seed << 32) + i};
        struct simulated_comparison result;
        random.state = simulated_draw(&random);
        simulated_game_create(&random, &game);
        simulated_game_set(&game, fault->plant.scope, fault->kind, fault->calls, PART);
        simulated_compare(&random, &setup, &result);
        look_at(&result, fault, &tally);
        simulated_comparison_destroy(&result);
    }
    return tally;
}

int main(int argc, char **argv)
{
    uint32_t comparisons = bench_count_read(USAGE, argc, argv, 1, COMPARISONS);
    uint32_t seed = bench_count_read(USAGE, argc, argv, 2, 1);
    double least = 1.0;

    printf("detection: %u runs a side, %" PRIu32 " comparisons each, seed %" PRIu32 "\n", RUNS,
           comparisons, seed);
    printf("  %-36s %9s %9s %9s %9s\n", "fault", "runs vary", "found", "named", "others");
    for (uint32_t i = 0; i < FAULTS; i++) {
        for (uint32_t j = 0; j < VARYING; j++) {
            struct tally tally = try_fault(seed, &faults[i], varying_percent[j], comparisons);
            printf("  %-36s %7.1f %% %7.1f %% %7.1f %% %7.1f %%\n", faults[i].name,
                   varying_percent[j], 100.0 * tally.found / comparisons,
                   100.0 * tally.named / comparisons, 100.0 * tally.others / comparisons);
            if (varying_percent[j] == HELD_TO && (double)tally.named / comparisons < least)
                least = (double)tally.named / comparisons;
        }
    }
    bench_gate(least >= GOAL, "detection, simulated",
               "each fault found and named in %.1f %% or more where runs vary by %.0f %% "
               "(at least %.0f %%)",
               100.0 * least, HELD_TO, 100.0 * GOAL);
    return least >= GOAL ? EXIT_SUCCESS : EXIT_FAILURE;
}
