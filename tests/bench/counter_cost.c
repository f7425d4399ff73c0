/* The figure "counters": what one increment costs at 1 to 8 threads, of LUDUS_PROFILE_COUNT while
 * recording, beside the two designs that it was chosen from, each reduced to what it needs: a total
 * for each thread (a load, an addition and a store that no other thread makes, and a look at the
 * number of the frame), and one atomic total that all threads share. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <ludus/profile.h>

#include "bench_tools.h"

#define SIZES      4
#define MOST       8
#define ROUNDS     101
#define MIN_SHARE  0.85 /* of the cores, for a round in which threads run side by side */
#define MIN_ROUNDS 5
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

/* What a design cost in one round. */
struct sample {
    double cpu_ns;   /* of an increment */
    double parallel; /* threads that ran at one time, in the mean */
};

enum { RECORDED, OWN, SHARED, DESIGNS };

static const char *const names[DESIGNS] = {"LUDUS_PROFILE_COUNT", "a total for each thread",
                                           "one shared atomic"};

static struct sample measure(uint32_t threads, void (*work)(void *, uint32_t))
{
    struct bench_cost costs[MOST];
    double sum_ns = 0;
    const double wall_ns = (double)bench_threads_run(threads, work, NULL, costs);
    for (uint32_t i = 0; i < threads; i++)
        sum_ns += (double)costs[i].cpu_ns;
    return (struct sample){sum_ns / threads / INCREMENTS, sum_ns / wall_ns};
}

/* Threads that take turns, as they do on a busy machine, do not contend: such a round tells what
 * one thread costs. The same holds for every design. */
static bool is_side_by_side(const struct sample *sample, uint32_t threads, long cores)
{
    const double possible = threads < (uint32_t)cores ? threads : (double)cores;
    return sample->parallel >= MIN_SHARE * possible;
}

/* The median over the rounds; with `cores`, over those in which the threads ran side by side, of
 * which `*count` tells how many there are. */
static double median_of(const struct sample *samples, uint32_t rounds, uint32_t threads, long cores,
                        uint32_t *count)
{
    double values[ROUNDS];
    *count = 0;
    for (uint32_t i = 0; i < rounds; i++)
        if (cores == 0 || is_side_by_side(&samples[i], threads, cores))
            values[(*count)++] = samples[i].cpu_ns;
    return *count == 0 ? 0 : bench_median(values, *count);
}

static void print_size(struct sample samples[DESIGNS][ROUNDS], uint32_t rounds, uint32_t threads,
                       long cores, char *figure, size_t size)
{
    double medians[DESIGNS];
    bool is_known = true;
    printf("  %u threads:\n", (unsigned)threads);
    for (int design = 0; design < DESIGNS; design++) {
        uint32_t all, count;
        const double any = median_of(samples[design], rounds, threads, 0, &all);
        medians[design] = median_of(samples[design], rounds, threads, cores, &count);
        is_known = is_known && count >= MIN_ROUNDS;
        printf("    %-24s %6.2f ns in all rounds; ", names[design], any);
        if (count > 0)
            printf("%.2f ns side by side (%u of %u rounds)\n", medians[design], (unsigned)count,
                   (unsigned)all);
        else
            printf("never side by side\n");
    }
    if (is_known)
        snprintf(figure, size, "%.2f", medians[RECORDED] / medians[SHARED]);
    else
        snprintf(figure, size, "?");
}

int main(int argc, char **argv)
{
    const struct bench_options options = bench_options_read("counter_cost", argc, argv);
    void (*const works[DESIGNS])(void *, uint32_t) = {recorded_work, own_work, shared_work};
    static struct sample samples[SIZES][DESIGNS][ROUNDS];
    char figures[SIZES][16];
    const uint32_t rounds = options.is_quick ? 7 : ROUNDS;
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    bench_recording_start(&options, bench_config(LUDUS_CLOCK_COUNTER));
    for (uint32_t round = 0; round < rounds; round++) {
        LUDUS_PROFILE_FRAME();
        atomic_fetch_add(&counts.frame, 1);
        for (uint32_t i = 0; i < SIZES; i++)
            for (int design = 0; design < DESIGNS; design++)
                samples[i][design][round] = measure(sizes[i], works[design]);
    }
    (void)bench_recording_stop();
    printf("counters: CPU time of an increment, %u a thread, medians of %u interleaved rounds on "
           "%ld cores; recording, %s\n",
           INCREMENTS, (unsigned)rounds, cores, bench_clock_name(LUDUS_CLOCK_COUNTER));
    for (uint32_t i = 0; i < SIZES; i++)
        print_size(samples[i], rounds, sizes[i], cores, figures[i], sizeof figures[i]);
    bench_figure("counters",
                 "%s, %s, %s, %s x one shared atomic at 1, 2, 4, 8 threads side by side (?: fewer "
                 "than %d rounds were)",
                 figures[0], figures[1], figures[2], figures[3], MIN_ROUNDS);
    return EXIT_SUCCESS;
}
