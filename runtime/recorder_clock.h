/* The recorder's clock: nanoseconds of CLOCK_MONOTONIC. */
#ifndef LUDUS_RECORDER_CLOCK_H
#define LUDUS_RECORDER_CLOCK_H

#include <stdint.h>
#include <time.h>

#define LUDUS_CLOCK_ID               1u
#define LUDUS_CLOCK_TICKS_PER_SECOND 1000000000u

static inline uint64_t ludus_clock_ticks(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * LUDUS_CLOCK_TICKS_PER_SECOND + (uint64_t)now.tv_nsec;
}

/* The same, not before anything that the thread did earlier and not after what it does later. A
 * call of clock_gettime is in that order anyway. */
static inline uint64_t ludus_clock_ticks_ordered(void)
{
    return ludus_clock_ticks();
}

/* The moment `delay_ms` from now, in the form that waiting calls take. */
static inline struct timespec ludus_clock_after_ms(uint32_t delay_ms)
{
    const uint64_t ticks = ludus_clock_ticks() + (uint64_t)delay_ms * 1000000u;
    struct timespec moment;
    moment.tv_sec = (time_t)(ticks / LUDUS_CLOCK_TICKS_PER_SECOND);
    moment.tv_nsec = (long)(ticks % LUDUS_CLOCK_TICKS_PER_SECOND);
    return moment;
}

#endif
