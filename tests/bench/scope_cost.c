/* Prints what a scope costs beside the least that any recorder of this kind could need: two reads
 * of the clock and two stores of 16 bytes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <ludus/profile.h>
#include <ludus/recorder.h>

#define MAX_ROUNDS 101

struct event {
    uint64_t tick;
    uint32_t site;
    uint32_t kind;
};

/* Small enough to stay in the first cache, as a chunk does. */
static struct event floor_events[1024];

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t counter(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    return now_ns();
#endif
}

/* Two readings of a clock and two stores. */
#define DEFINE_FLOOR(name, clock)                                                                  \
    __attribute__((noinline)) static void name(uint32_t i)                                         \
    {                                                                                              \
        struct event *event = &floor_events[i * 2 % 1024];                                         \
        event[0] = (struct event){clock(), 1, 1};                                                  \
        __asm__ volatile("" : : : "memory");                                                       \
        event[1] = (struct event){clock(), 0, 0};                                                  \
        __asm__ volatile("" : : : "memory");                                                       \
    }
DEFINE_FLOOR(floor_scope_monotonic, now_ns)
DEFINE_FLOOR(floor_scope_counter, counter)

__attribute__((noinline)) static void recorded_scope(void)
{
    LUDUS_PROFILE_SCOPE(cost);
    __asm__ volatile("" : : : "memory");
}

__attribute__((noinline)) static void empty_scope(void)
{
    __asm__ volatile("" : : : "memory");
}

static double per_call_floor(void (*floor_scope)(uint32_t), uint32_t calls)
{
    const uint64_t begin = now_ns();
    for (uint32_t i = 0; i < calls; i++)
        floor_scope(i);
    return (double)(now_ns() - begin) / calls;
}

static double per_call_scope(uint32_t calls)
{
    const uint64_t begin = now_ns();
    for (uint32_t i = 0; i < calls; i++)
        recorded_scope();
    return (double)(now_ns() - begin) / calls;
}

static double per_call_empty(uint32_t calls)
{
    const uint64_t begin = now_ns();
    for (uint32_t i = 0; i < calls; i++)
        empty_scope();
    return (double)(now_ns() - begin) / calls;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, uint32_t count)
{
    qsort(values, count, sizeof *values, compare);
    return values[count / 2];
}

/* Rounds of floor and scope in turn, with one clock. False: it could not be recorded. */
static int measure_clock(enum ludus_recorder_clock clock, uint32_t rounds, uint32_t calls)
{
    static double floors[MAX_ROUNDS];
    static double scopes[MAX_ROUNDS];
    static double ratios[MAX_ROUNDS];
    const int is_counter = clock == LUDUS_CLOCK_COUNTER;
    char path[] = "/tmp/ludus_scope_cost.%p.lcap";
    struct ludus_error error;
    struct ludus_recorder_result result;
    struct ludus_recorder_config config = ludus_recorder_config_default();
    config.path = path;
    config.memory_bytes = 64u << 20;
    config.clock = clock;
    if (ludus_recorder_start(&config, &error) != LUDUS_OK) {
        fprintf(stderr, "scope_cost: %s\n", error.message);
        return 0;
    }
    (void)per_call_scope(calls);
    for (uint32_t i = 0; i < rounds; i++) {
        floors[i] = per_call_floor(is_counter ? floor_scope_counter : floor_scope_monotonic, calls);
        scopes[i] = per_call_scope(calls);
        ratios[i] = scopes[i] / floors[i];
        /* Lets the collector read without its work being taken for the scope's. */
        usleep(2000);
    }
    if (ludus_recorder_stop(&result, &error) != LUDUS_OK) {
        fprintf(stderr, "scope_cost: %s\n", error.message);
        return 0;
    }
    unlink(result.path);
    printf(
        "scope_cost clock %s floor_ns %.2f scope_ns %.2f ratio %.3f must_be %.2f dropped %" PRIu64
        "\n",
        is_counter ? "tsc" : "monotonic", median(floors, rounds), median(scopes, rounds),
        median(ratios, rounds), is_counter ? 1.10 : 1.05, result.dropped.scopes);
    return 1;
}

int main(int argc, char **argv)
{
    const int is_quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    if (argc > 2 || (argc == 2 && !is_quick)) {
        fprintf(stderr, "scope_cost: usage: scope_cost [--quick]\n");
        return 2;
    }
    const uint32_t rounds = is_quick ? 15 : MAX_ROUNDS;
    const uint32_t calls = 20000;
    static double idles[MAX_ROUNDS];
    static double empties[MAX_ROUNDS];

    for (uint32_t i = 0; i < rounds; i++) {
        empties[i] = per_call_empty(calls * 10);
        idles[i] = per_call_scope(calls * 10);
    }
    printf("scope_cost idle_ns %.3f must_be 2.0\n",
           median(idles, rounds) - median(empties, rounds));
    return measure_clock(LUDUS_CLOCK_COUNTER, rounds, calls) &&
                   measure_clock(LUDUS_CLOCK_MONOTONIC, rounds, calls)
               ? 0
               : 4;
}
