/* How the counter is tied to CLOCK_MONOTONIC at present: the collector's latest calibration, for
 * threads that have to know the time before it is in a file. */
#ifndef LUDUS_CLOCK_TIE_H
#define LUDUS_CLOCK_TIE_H

#include <stdatomic.h>
#include <stdint.h>

#define LUDUS_CLOCK_TIES 4u

/* A moment by both clocks, and what to expect from there on. */
struct ludus_clock_moment {
    uint64_t raw; /* of the counter */
    int64_t ns;
    double ticks_per_ns;
    double uncertainty_ns; /* of the moment, */
    double drift;          /* and how much is added to it in a nanosecond */
};

/* The moments are written one behind the other: a reader that takes so long that its moment has
 * been written over, which is several checks of the clock, begins again. All zero: there is none.
 */
struct ludus_clock_tie {
    _Atomic uint32_t count; /* moments so far */
    struct ludus_tied_moment {
        _Atomic uint64_t raw;
        _Atomic int64_t ns;
        _Atomic double ticks_per_ns;
        _Atomic double uncertainty_ns;
        _Atomic double drift;
    } moments[LUDUS_CLOCK_TIES];
};

/* One thread at a time. */
void ludus_clock_tie_set(struct ludus_clock_tie *tie, const struct ludus_clock_moment *moment);

/* The time at `raw`, and how far it may be off; that of CLOCK_MONOTONIC now when there is no tie.
 * Any thread. */
int64_t ludus_clock_tie_ns(struct ludus_clock_tie *tie, uint64_t raw, uint64_t *residual_ns);

#endif
