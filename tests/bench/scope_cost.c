/* The gates "scope cost" and "idle cost": what a scope costs while recording, with each clock,
 * beside the least that any recorder could need; and what it costs while nothing is recorded,
 * beyond an empty call. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <ludus/profile.h>

#include "bench_floor.h"
#include "bench_tools.h"

#define MAX_ROUNDS   101
#define QUICK_ROUNDS 15u
#define CALLS        20000u
#define IDLE_CALLS   (CALLS * 10)
#define MOST_IDLE_NS 2.0

static struct bench_floor_event ring[BENCH_FLOOR_EVENTS];

__attribute__((noinline)) static void floor_counter(uint32_t i)
{
    bench_floor_scope(&ring[i * 2 % BENCH_FLOOR_EVENTS], LUDUS_CLOCK_COUNTER);
}

__attribute__((noinline)) static void floor_monotonic(uint32_t i)
{
    bench_floor_scope(&ring[i * 2 % BENCH_FLOOR_EVENTS], LUDUS_CLOCK_MONOTONIC);
}

__attribute__((noinline)) static void recorded_scope(void)
{
    LUDUS_PROFILE_SCOPE(Cost/Scope);
    __asm__ volatile("" : : : "memory");
}

__attribute__((noinline)) static void empty_scope(void)
{
    __asm__ volatile("" : : : "memory");
}

static double ns_of_floor(enum ludus_recorder_clock clock)
{
    const uint64_t begin_ns = bench_now_ns();
    if (clock == LUDUS_CLOCK_COUNTER)
        for (uint32_t i = 0; i < CALLS; i++)
            floor_counter(i);
    else
        for (uint32_t i = 0; i < CALLS; i++)
            floor_monotonic(i);
    return (double)(bench_now_ns() - begin_ns) / CALLS;
}

static double ns_of_scope(uint32_t calls)
{
    const uint64_t begin_ns = bench_now_ns();
    for (uint32_t i = 0; i < calls; i++)
        recorded_scope();
    return (double)(bench_now_ns() - begin_ns) / calls;
}

static double ns_of_empty(uint32_t calls)
{
    const uint64_t begin_ns = bench_now_ns();
    for (uint32_t i = 0; i < calls; i++)
        empty_scope();
    return (double)(bench_now_ns() - begin_ns) / calls;
}

static void measure_idle(uint32_t rounds)
{
    static double differences[MAX_ROUNDS];
    for (uint32_t i = 0; i < rounds; i++) {
        const double empty_ns = ns_of_empty(IDLE_CALLS);
        differences[i] = ns_of_scope(IDLE_CALLS) - empty_ns;
    }
    const double idle_ns = bench_median(differences, rounds);
    bench_gate(idle_ns <= MOST_IDLE_NS, "idle cost", "%.2f ns a scope (at most %.0f)", idle_ns,
               MOST_IDLE_NS);
}

static void measure_clock(const struct bench_options *options, enum ludus_recorder_clock clock,
                          uint32_t rounds, double most_ratio)
{
    static double floors[MAX_ROUNDS], scopes[MAX_ROUNDS], ratios[MAX_ROUNDS];
    char name[64];
    struct ludus_recorder_config config = bench_config(clock);
    config.memory_bytes = 64u << 20;
    bench_recording_start(options, config);
    (void)ns_of_scope(CALLS);
    for (uint32_t i = 0; i < rounds; i++) {
        floors[i] = ns_of_floor(clock);
        scopes[i] = ns_of_scope(CALLS);
        ratios[i] = scopes[i] / floors[i];
        /* Lets the collector read without its work being taken for the scope's. */
        bench_sleep_ms(2);
    }
    const struct ludus_recorder_result result = bench_recording_stop();
    const double ratio = bench_median(ratios, rounds);
    printf("  %s: floor %.2f ns, scope %.2f ns; %" PRIu64 " scopes dropped\n",
           bench_clock_name(clock), bench_median(floors, rounds), bench_median(scopes, rounds),
           result.dropped.scopes);
    (void)snprintf(name, sizeof name, "scope cost, %s", bench_clock_name(clock));
    bench_gate(ratio <= most_ratio, name, "%.3f x the floor (at most %.2f)", ratio, most_ratio);
}

int main(int argc, char **argv)
{
    const struct bench_options options = bench_options_read("scope_cost", argc, argv);
    const uint32_t rounds = options.is_quick ? QUICK_ROUNDS : MAX_ROUNDS;
    printf("scope: one thread, %u scopes a round, medians of %u interleaved rounds; the floor is "
           "two reads of the same clock and two stores of 16 bytes\n",
           CALLS, (unsigned)rounds);
    measure_idle(rounds);
    measure_clock(&options, LUDUS_CLOCK_COUNTER, rounds, 1.10);
    measure_clock(&options, LUDUS_CLOCK_MONOTONIC, rounds, 1.05);
    return EXIT_SUCCESS;
}
