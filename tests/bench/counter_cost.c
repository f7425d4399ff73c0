/* The figure "counters": what one increment costs at 1 to 8 threads, of LUDUS_PROFILE_COUNT while
 * recording, beside the two designs that it was chosen from, each reduced to what it needs: a total
 * for each thread (a load, an addition and a store that no other thread makes, and a look at the
 * number of the frame), and one atomic total that all threads share. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include <ludus/profile.h>

#include "bench_tools.h"

#define SIZES      4
#define MOST       8
#define ROUNDS     31
#define INCREMENTS 400000u

static const uint32_t sizes[SIZES] = {1, 2, 4, MOST};

static struct {
    _Alignas(64) atomic_llong total;
    _Alignas(64) atomic_uint frame;
    struct {
        _Alignas(64) atomic_llong total;
        atomic_uint frame;
    } cells[MOST];
    atomic_uint told;
} counts;

__attribute__((noinline)) static void add_shared(long long amount)
{
    atomic_fetch_add_explicit(&counts.total, amount, memory_order_relaxed);
}

__attribute__((noinline)) static void add_own(uint32_t thread, long long amount)
{
    const unsigned frame = atomic_load_explicit(&counts.frame, memory_order_acquire);
    if (frame != atomic_load_explicit(&counts.cells[thread].frame, memory_order_relaxed)) {
        atomic_fetch_add_explicit(&counts.told, 1, memory_order_relaxed);
        atomic_store_explicit(&counts.cells[thread].frame, frame, memory_order_relaxed);
    }
    const long long total = atomic_load_explicit(&counts.cells[thread].total, memory_order_relaxed);
    atomic_store_explicit(&counts.cells[thread].total, total + amount, memory_order_release);
}

__attribute__((noinline)) static void add_recorded(int64_t amount)
{
    LUDUS_PROFILE_COUNT(Cost/Increments, amount);
}

static void shared_work(void *context, uint32_t thread)
{
    (void)context;
    (void)thread;
    for (uint32_t i = 0; i < INCREMENTS; i++)
        add_shared(i & 3);
}

static void own_work(void *context, uint32_t thread)
{
    (void)context;
    for (uint32_t i = 0; i < INCREMENTS; i++)
        add_own(thread, i & 3);
}

static void recorded_work(void *context, uint32_t thread)
{
    (void)context;
    (void)thread;
    for (uint32_t i = 0; i < INCREMENTS; i++)
        add_recorded(i & 3);
}

static double cpu_ns_of_increment(uint32_t threads, void (*work)(void *, uint32_t))
{
    struct bench_cost costs[MOST];
    double sum_ns = 0;
    (void)bench_threads_run(threads, work, NULL, costs);
    for (uint32_t i = 0; i < threads; i++)
        sum_ns += (double)costs[i].cpu_ns;
    return sum_ns / threads / INCREMENTS;
}

int main(int argc, char **argv)
{
    const struct bench_options options = bench_options_read("counter_cost", argc, argv);
    static double recorded[SIZES][ROUNDS], own[SIZES][ROUNDS], shared[SIZES][ROUNDS];
    static double ratios[SIZES][ROUNDS];
    const uint32_t rounds = options.is_quick ? 7 : ROUNDS;
    bench_recording_start(&options, bench_config(LUDUS_CLOCK_COUNTER));
    for (uint32_t round = 0; round < rounds; round++) {
        LUDUS_PROFILE_FRAME();
        atomic_fetch_add(&counts.frame, 1);
        for (uint32_t i = 0; i < SIZES; i++) {
            recorded[i][round] = cpu_ns_of_increment(sizes[i], recorded_work);
            own[i][round] = cpu_ns_of_increment(sizes[i], own_work);
            shared[i][round] = cpu_ns_of_increment(sizes[i], shared_work);
            ratios[i][round] = recorded[i][round] / shared[i][round];
        }
    }
    (void)bench_recording_stop();
    printf("counters: CPU time of an increment, %u a thread, medians of %u interleaved rounds; "
           "recording, %s\n",
           INCREMENTS, (unsigned)rounds, bench_clock_name(LUDUS_CLOCK_COUNTER));
    for (uint32_t i = 0; i < SIZES; i++)
        printf("  %u threads: LUDUS_PROFILE_COUNT %.2f ns, a total for each thread %.2f ns, one "
               "shared atomic %.2f ns; ratio to the last %.3f\n",
               (unsigned)sizes[i], bench_median(recorded[i], rounds), bench_median(own[i], rounds),
               bench_median(shared[i], rounds), bench_median(ratios[i], rounds));
    bench_figure("counters", "%.2f, %.2f, %.2f, %.2f x one shared atomic at 1, 2, 4, 8 threads",
                 bench_median(ratios[0], rounds), bench_median(ratios[1], rounds),
                 bench_median(ratios[2], rounds), bench_median(ratios[3], rounds));
    return EXIT_SUCCESS;
}
