/* The gate "clock": for CLOCK_MONOTONIC and, on x86-64, the time-stamp counter: what a read costs,
 * the step, how far the clock strays from a rate measured before, and whether a thread on one core
 * ever reads less than what a thread on another core has read before. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "bench_tools.h"

#define READS         200000u
#define STEP_READS    100000u
#define BRACKETS      64u
#define CLOCKS        2
#define MOST_PPM      50.0
#define FULL_SECONDS  60u
#define QUICK_SECONDS 5u

struct clock_source {
    const char *name;
    uint64_t (*read)(void);
    uint64_t (*read_in_order)(void); /* not before what the thread has done earlier */
};

#if defined(__x86_64__)
static uint64_t counter_read(void)
{
    return __rdtsc();
}

static uint64_t counter_read_in_order(void)
{
    _mm_lfence();
    const uint64_t tick = __rdtsc();
    _mm_lfence();
    return tick;
}
#endif

static const struct clock_source sources[] = {
    {"CLOCK_MONOTONIC", bench_now_ns, bench_now_ns},
#if defined(__x86_64__)
    {"time-stamp counter", counter_read, counter_read_in_order},
#endif
};

enum { SOURCES = sizeof sources / sizeof sources[0] };

/* --- cost and step --------------------------------------------------------------------------- */

static double cost_of_read(const struct clock_source *source)
{
    double rounds[31];
    for (uint32_t round = 0; round < 31; round++) {
        const uint64_t begin_ns = bench_now_ns();
        for (uint32_t i = 0; i < READS; i++)
            (void)source->read();
        rounds[round] = (double)(bench_now_ns() - begin_ns) / READS;
    }
    return bench_median(rounds, 31);
}

/* The largest number that divides every difference between two reads. */
static uint64_t step_of(const struct clock_source *source)
{
    uint64_t step = 0;
    uint64_t last = source->read();
    for (uint32_t i = 0; i < STEP_READS; i++) {
        const uint64_t now = source->read();
        uint64_t difference = now > last ? now - last : 0;
        while (difference != 0) {
            const uint64_t rest = step % difference;
            step = difference;
            difference = rest;
        }
        last = now;
    }
    return step;
}

/* --- residual -------------------------------------------------------------------------------- */

struct calibration {
    uint64_t tick;
    uint64_t ns;
    uint64_t uncertainty_ns;
};

/* The tightest of some reads that lie between two of CLOCK_MONOTONIC. */
static struct calibration calibrate(const struct clock_source *source)
{
    struct calibration best = {.uncertainty_ns = UINT64_MAX};
    for (uint32_t i = 0; i < BRACKETS; i++) {
        const uint64_t before_ns = bench_now_ns();
        const uint64_t tick = source->read_in_order();
        const uint64_t after_ns = bench_now_ns();
        const uint64_t half_ns = (after_ns - before_ns + 1) / 2;
        if (half_ns < best.uncertainty_ns)
            best = (struct calibration){tick, before_ns + half_ns, half_ns};
    }
    return best;
}

static double rate_between(const struct calibration *from, const struct calibration *to)
{
    return (double)(to->ns - from->ns) / (double)(to->tick - from->tick);
}

/* How far `now` lies from what `rate` predicts from `from`, in millionths of the time between. */
static double residual_ppm(const struct calibration *from, const struct calibration *now,
                           double rate)
{
    const double elapsed_ns = (double)(now->ns - from->ns);
    return fabs((double)(now->tick - from->tick) * rate - elapsed_ns) / elapsed_ns * 1e6;
}

struct residual {
    double largest_ppm; /* of a second, against the rate of the second before */
    double whole_ppm;   /* of the whole time, against the rate of its first second */
    uint64_t uncertainty_ns;
};

static void measure_residuals(uint32_t seconds, struct residual residuals[CLOCKS])
{
    struct calibration first[CLOCKS], last[CLOCKS];
    double first_rate[CLOCKS] = {0}, last_rate[CLOCKS] = {0};
    for (uint32_t i = 0; i < SOURCES; i++)
        first[i] = last[i] = calibrate(&sources[i]);
    for (uint32_t second = 0; second <= seconds; second++) {
        bench_sleep_ms(1000);
        for (uint32_t i = 0; i < SOURCES; i++) {
            const struct calibration now = calibrate(&sources[i]);
            const double rate = rate_between(&last[i], &now);
            if (second == 0) {
                first_rate[i] = rate;
            } else {
                residuals[i].largest_ppm =
                    fmax(residuals[i].largest_ppm, residual_ppm(&last[i], &now, last_rate[i]));
                residuals[i].whole_ppm = residual_ppm(&first[i], &now, first_rate[i]);
            }
            if (now.uncertainty_ns > residuals[i].uncertainty_ns)
                residuals[i].uncertainty_ns = now.uncertainty_ns;
            last[i] = now;
            last_rate[i] = rate;
        }
    }
}

/* --- between cores --------------------------------------------------------------------------- */

/* A token that goes round the cores; who has it reads the clock and compares. */
struct ring {
    const struct clock_source *source;
    uint64_t until_ns;
    uint32_t count;
    int cores[BENCH_MAX_THREADS];
    _Alignas(64) atomic_uint holder;
    atomic_bool is_over;
    uint64_t last_tick; /* this and the rest belong to who has the token */
    uint64_t hand_overs;
    uint64_t backward_steps;
    uint64_t largest_step;
};

static void take_turns(void *context, uint32_t thread)
{
    struct ring *ring = context;
    cpu_set_t own;
    CPU_ZERO(&own);
    CPU_SET((size_t)ring->cores[thread], &own);
    if (sched_setaffinity(0, sizeof own, &own) != 0)
        bench_fail("a thread cannot be bound to core %d", ring->cores[thread]);
    for (uint32_t spins = 0; !atomic_load_explicit(&ring->is_over, memory_order_acquire);) {
        if (atomic_load_explicit(&ring->holder, memory_order_acquire) != thread) {
            if (++spins % 4096 == 0)
                sched_yield(); /* whoever has the token may need this core */
            continue;
        }
        const uint64_t tick = ring->source->read_in_order();
        if (tick < ring->last_tick) {
            ring->backward_steps++;
            if (ring->last_tick - tick > ring->largest_step)
                ring->largest_step = ring->last_tick - tick;
        }
        ring->last_tick = tick;
        ring->hand_overs++;
        if (ring->hand_overs % 64 == 0 && bench_now_ns() > ring->until_ns)
            atomic_store_explicit(&ring->is_over, true, memory_order_release);
        atomic_store_explicit(&ring->holder, (thread + 1) % ring->count, memory_order_release);
    }
}

static void go_round(struct ring *ring, const struct clock_source *source, uint32_t milliseconds)
{
    struct bench_cost costs[BENCH_MAX_THREADS];
    cpu_set_t allowed;
    *ring = (struct ring){.source = source};
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        bench_fail("the cores of this process cannot be told");
    for (int core = 0; core < CPU_SETSIZE && ring->count < BENCH_MAX_THREADS; core++)
        if (CPU_ISSET((size_t)core, &allowed))
            ring->cores[ring->count++] = core;
    ring->until_ns = bench_now_ns() + milliseconds * UINT64_C(1000000);
    (void)bench_threads_run(ring->count, take_turns, ring, costs);
}

int main(int argc, char **argv)
{
    const struct bench_options options = bench_options_read("clock_quality", argc, argv);
    const uint32_t seconds = options.seconds != 0 ? options.seconds
                             : options.is_quick   ? QUICK_SECONDS
                                                  : FULL_SECONDS;
    struct residual residuals[CLOCKS] = {0};
    static struct ring ring;
    printf("clock: residuals against CLOCK_MONOTONIC over %u s\n", (unsigned)seconds);
    measure_residuals(seconds, residuals);
    for (uint32_t i = 0; i < SOURCES; i++) {
        go_round(&ring, &sources[i], options.is_quick ? 500 : 3000);
        printf("  %s: a read %.1f ns, step %" PRIu64 "; residual %.3f ppm at the end, %.3f ppm in "
               "the worst second, calibrated to %" PRIu64 " ns; %" PRIu64
               " reads handed round %u cores, %" PRIu64 " backward (by %" PRIu64 " at most)\n",
               sources[i].name, cost_of_read(&sources[i]), step_of(&sources[i]),
               residuals[i].whole_ppm, residuals[i].largest_ppm, residuals[i].uncertainty_ns,
               ring.hand_overs, (unsigned)ring.count, ring.backward_steps, ring.largest_step);
        bench_gate(ring.backward_steps == 0 && residuals[i].whole_ppm < MOST_PPM &&
                       residuals[i].largest_ppm < MOST_PPM,
                   i == 0 ? "clock, CLOCK_MONOTONIC" : "clock, time-stamp counter",
                   "%" PRIu64 " backward steps (none), residual %.3f ppm (under %.0f)",
                   ring.backward_steps, fmax(residuals[i].whole_ppm, residuals[i].largest_ppm),
                   MOST_PPM);
    }
    return EXIT_SUCCESS;
}
