/* The least that any recorder of this kind could need for a scope: two reads of the clock and two
 * stores of 16 bytes. */
#ifndef BENCH_FLOOR_H
#define BENCH_FLOOR_H

#include <stdint.h>
#include <time.h>

#include <ludus/recorder.h>

/* Small enough to stay in the first cache, as a chunk does. */
#define BENCH_FLOOR_EVENTS 1024u

struct bench_floor_event {
    uint64_t tick;
    uint32_t site;
    uint32_t kind;
};

static inline uint64_t bench_floor_tick(enum ludus_recorder_clock clock)
{
#if defined(__x86_64__)
    if (clock == LUDUS_CLOCK_COUNTER)
        return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    if (clock == LUDUS_CLOCK_COUNTER) {
        uint64_t ticks;
        __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
        return ticks;
    }
#endif
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Writes two events. `clock` is a constant where this is called, which costs nothing then. */
static inline __attribute__((always_inline)) void bench_floor_scope(struct bench_floor_event *event,
                                                                    enum ludus_recorder_clock clock)
{
    event[0] = (struct bench_floor_event){bench_floor_tick(clock), 1, 1};
    __asm__ volatile("" : : : "memory");
    event[1] = (struct bench_floor_event){bench_floor_tick(clock), 0, 0};
    __asm__ volatile("" : : : "memory");
}

#endif
