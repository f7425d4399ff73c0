/* The gate "threads": 1, 2, 4 and 8 producers flat out. Tells events a second and loss, checks that
 * every event was either recorded or dropped, and compares the CPU time of a producer's scope with
 * that of a lone producer.
 *
 * More producers than cores take turns on caches, which costs by itself. So the floor (two reads of
 * the clock, two stores of 16 bytes into the thread's own ring) runs on as many threads in the same
 * rounds, and the gate is how much more a scope slows down than the floor does. Those rounds fit
 * into the recorder's memory, so that what they compare is recording, not dropping. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include <ludus/profile.h>

#include "bench_floor.h"
#include "bench_tools.h"

#define SIZES        4
#define MOST         8
#define ROUNDS       31
#define BURST_SCOPES 40000u
#define OTHERS_EVERY 64u /* scopes for each instant, gauge and pair of flow ends */
#define MOST_RATIO   1.10

static const uint32_t sizes[SIZES] = {1, 2, 4, MOST};

static struct bench_floor_event rings[MOST][BENCH_FLOOR_EVENTS];

__attribute__((noinline)) static void floor_scope(struct bench_floor_event *event)
{
    bench_floor_scope(event, LUDUS_CLOCK_COUNTER);
}

__attribute__((noinline)) static void recorded_scope(void)
{
    LUDUS_PROFILE_SCOPE(Scaling/Scope);
    __asm__ volatile("" : : : "memory");
}

static void floor_burst(void *context, uint32_t thread)
{
    (void)context;
    for (uint32_t i = 0; i < BURST_SCOPES; i++)
        floor_scope(&rings[thread][i * 2 % BENCH_FLOOR_EVENTS]);
}

static void recorded_burst(void *context, uint32_t thread)
{
    (void)context;
    (void)thread;
    for (uint32_t i = 0; i < BURST_SCOPES; i++)
        recorded_scope();
}

static double cpu_ns_of_scope(uint32_t threads, void (*burst)(void *, uint32_t))
{
    struct bench_cost costs[MOST];
    double sum_ns = 0;
    (void)bench_threads_run(threads, burst, NULL, costs);
    for (uint32_t i = 0; i < threads; i++)
        sum_ns += (double)costs[i].cpu_ns;
    return sum_ns / threads / BURST_SCOPES;
}

static void compare_bursts(const struct bench_options *options)
{
    static double floors[SIZES][ROUNDS], scopes[SIZES][ROUNDS], ratios[SIZES][ROUNDS];
    const uint32_t rounds = options->is_quick ? 7 : ROUNDS;
    struct ludus_recorder_config config = bench_config(LUDUS_CLOCK_COUNTER);
    double worst = 0;
    config.memory_bytes = 64u << 20;
    bench_recording_start(options, config);
    for (uint32_t round = 0; round < rounds; round++) {
        for (uint32_t i = 0; i < SIZES; i++) {
            floors[i][round] = cpu_ns_of_scope(sizes[i], floor_burst);
            scopes[i][round] = cpu_ns_of_scope(sizes[i], recorded_burst);
            ratios[i][round] =
                scopes[i][round] / scopes[0][round] / (floors[i][round] / floors[0][round]);
            bench_sleep_ms(60); /* the collector catches up */
        }
    }
    const struct ludus_recorder_result result = bench_recording_stop();
    printf("threads: CPU time of a scope in bursts of %u scopes a producer, medians of %u "
           "interleaved rounds, %s; %" PRIu64 " of %" PRIu64 " scopes dropped\n",
           BURST_SCOPES, (unsigned)rounds, bench_clock_name(LUDUS_CLOCK_COUNTER),
           result.dropped.scopes, result.dropped.scopes + result.recorded.scopes);
    for (uint32_t i = 0; i < SIZES; i++) {
        const double ratio = bench_median(ratios[i], rounds);
        worst = ratio > worst ? ratio : worst;
        printf("  %" PRIu32 " producers: scope %.1f ns, floor %.1f ns, slowdown against the "
               "floor's %.3f\n",
               sizes[i], bench_median(scopes[i], rounds), bench_median(floors[i], rounds), ratio);
    }
    bench_gate(worst <= MOST_RATIO, "threads, contention",
               "%.3f x the floor's slowdown at 1 to 8 producers (at most %.2f)", worst, MOST_RATIO);
}

/* --- flat out -------------------------------------------------------------------------------- */

struct storm {
    uint64_t until_ns;
    struct {
        _Alignas(64) struct ludus_event_counts emitted;
    } threads[MOST];
};

static void emit_until(void *context, uint32_t thread)
{
    struct storm *storm = context;
    struct ludus_event_counts emitted = {0};
    while (bench_now_ns() < storm->until_ns) {
        for (uint32_t i = 0; i < OTHERS_EVERY; i++)
            recorded_scope();
        LUDUS_PROFILE_MARK(Scaling/Mark);
        LUDUS_PROFILE_GAUGE(Scaling/Gauge, thread);
        const uint64_t flow = LUDUS_PROFILE_FLOW_OUT(Scaling/Flow);
        LUDUS_PROFILE_FLOW_IN(flow);
        emitted.scopes += OTHERS_EVERY;
        emitted.instants++;
        emitted.gauges++;
        emitted.flows += flow != 0 ? 2 : 1; /* nothing arrives of an end that was lost */
    }
    storm->threads[thread].emitted = emitted;
}

static bool is_exact(const char *what, uint64_t emitted, uint64_t recorded, uint64_t dropped)
{
    if (emitted == recorded + dropped)
        return true;
    printf("  %s: %" PRIu64 " emitted, %" PRIu64 " recorded, %" PRIu64 " dropped\n", what, emitted,
           recorded, dropped);
    return false;
}

/* One recording of so many producers. Returns whether its numbers are exact. */
static bool run_storm(const struct bench_options *options, uint32_t threads)
{
    static struct storm storm;
    struct bench_cost costs[MOST];
    struct ludus_event_counts emitted = {0};
    double cpu_ns = 0;
    bench_recording_start(options, bench_config(LUDUS_CLOCK_COUNTER));
    storm.until_ns = bench_now_ns() + (options->is_quick ? 300000000u : 2000000000u);
    const uint64_t elapsed_ns = bench_threads_run(threads, emit_until, &storm, costs);
    const struct ludus_recorder_result result = bench_recording_stop();
    for (uint32_t i = 0; i < threads; i++) {
        emitted.scopes += storm.threads[i].emitted.scopes;
        emitted.instants += storm.threads[i].emitted.instants;
        emitted.gauges += storm.threads[i].emitted.gauges;
        emitted.flows += storm.threads[i].emitted.flows;
        cpu_ns += (double)costs[i].cpu_ns;
    }
    const double events =
        2.0 * (double)emitted.scopes + (double)(emitted.instants + emitted.gauges + emitted.flows);
    printf("  %" PRIu32 " producers: %.1f million events/s, %.1f %% of the scopes dropped, "
           "%.1f ns of CPU an event\n",
           threads, events / (double)elapsed_ns * 1e3,
           100.0 * (double)result.dropped.scopes / (double)emitted.scopes, cpu_ns / events);
    bool is_all_exact =
        is_exact("scopes", emitted.scopes, result.recorded.scopes, result.dropped.scopes);
    is_all_exact &=
        is_exact("instants", emitted.instants, result.recorded.instants, result.dropped.instants);
    is_all_exact &=
        is_exact("gauges", emitted.gauges, result.recorded.gauges, result.dropped.gauges);
    is_all_exact &=
        is_exact("flow ends", emitted.flows, result.recorded.flows, result.dropped.flows);
    return is_all_exact;
}

int main(int argc, char **argv)
{
    const struct bench_options options = bench_options_read("thread_scaling", argc, argv);
    bool is_all_exact = true;
    compare_bursts(&options);
    printf("threads: flat out, 16 MiB of memory, %s s each\n", options.is_quick ? "0.3" : "2");
    for (uint32_t i = 0; i < SIZES; i++)
        is_all_exact &= run_storm(&options, sizes[i]);
    bench_gate(is_all_exact, "threads, loss",
               "%s: emitted == recorded + dropped at 1, 2, 4 and 8 producers (must be exact)",
               is_all_exact ? "exact" : "not exact");
    return EXIT_SUCCESS;
}
