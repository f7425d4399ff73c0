/* The clocks of the recorder: the one that events are stamped with, in ticks, and CLOCK_MONOTONIC,
 * which everything that waits uses. */
#ifndef LUDUS_RECORDER_CLOCK_H
#define LUDUS_RECORDER_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "vdso_clock.h"

#define LUDUS_NS_PER_SECOND 1000000000u

#if defined(LUDUS_TEST_COUNTER)
/* A test brings a counter of its own, and says that it is fit. */
#define LUDUS_HAS_COUNTER 1
uint64_t LUDUS_TEST_COUNTER(void);
#elif defined(__x86_64__) || defined(__aarch64__)
#define LUDUS_HAS_COUNTER 1
#else
#define LUDUS_HAS_COUNTER 0
#endif

/* How CLOCK_MONOTONIC is read: clock_gettime, or what that calls, which saves the way through it.
 * Written at most once, while threads may be reading. Relaxed, since both of its values are right
 * at any time, and what they point to was there before the program. */
extern ludus_clock_gettime_fn *ludus_clock_read __attribute__((visibility("hidden")));

static inline uint64_t ludus_clock_monotonic_ns(void)
{
    struct timespec now;
    __atomic_load_n(&ludus_clock_read, __ATOMIC_RELAXED)(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * LUDUS_NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

/* The time-stamp counter of x86-64, the generic timer of aarch64; 0 elsewhere. */
static inline uint64_t ludus_clock_counter(void)
{
#if defined(LUDUS_TEST_COUNTER)
    return LUDUS_TEST_COUNTER();
#elif defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return 0;
#endif
}

/* The same, read neither before what the thread did earlier nor after what it does later. */
static inline uint64_t ludus_clock_counter_ordered(void)
{
#if defined(__x86_64__)
    __asm__ volatile("lfence" : : : "memory");
    const uint64_t ticks = ludus_clock_counter();
    __asm__ volatile("lfence" : : : "memory");
#elif defined(__aarch64__)
    __asm__ volatile("isb" : : : "memory");
    const uint64_t ticks = ludus_clock_counter();
    __asm__ volatile("isb" : : : "memory");
#else
    const uint64_t ticks = ludus_clock_counter();
#endif
    return ticks;
}

/* Whether events are stamped with the counter, or else with CLOCK_MONOTONIC. Written while nothing
 * is admitted. */
extern bool ludus_clock_is_counter __attribute__((visibility("hidden")));

static inline bool ludus_clock_uses_counter(void)
{
    return __builtin_expect(__atomic_load_n(&ludus_clock_is_counter, __ATOMIC_RELAXED), 1);
}

static inline uint64_t ludus_clock_ticks(void)
{
    if (ludus_clock_uses_counter())
        return ludus_clock_counter();
    return ludus_clock_monotonic_ns();
}

/* The same, in order with what is around it, as a call of clock_gettime is anyway. */
static inline uint64_t ludus_clock_ticks_ordered(void)
{
    if (ludus_clock_uses_counter())
        return ludus_clock_counter_ordered();
    return ludus_clock_monotonic_ns();
}

/* The moment `delay_ms` from now, in the form that waiting calls take. */
static inline struct timespec ludus_clock_after_ms(uint32_t delay_ms)
{
    const uint64_t ns = ludus_clock_monotonic_ns() + (uint64_t)delay_ms * 1000000u;
    struct timespec moment;
    moment.tv_sec = (time_t)(ns / LUDUS_NS_PER_SECOND);
    moment.tv_nsec = (long)(ns % LUDUS_NS_PER_SECOND);
    return moment;
}

#endif
