/* Tells the counter's time by the latest calibration. */
#include "clock_tie.h"

#include <stdbool.h>

#include "recorder_clock.h"

void ludus_clock_tie_set(struct ludus_clock_tie *tie, const struct ludus_clock_moment *moment)
{
    const uint32_t count = atomic_load_explicit(&tie->count, memory_order_relaxed);
    struct ludus_tied_moment *next = &tie->moments[count % LUDUS_CLOCK_TIES];
    /* A reader that sees any of these also sees how many there were before. */
    atomic_store_explicit(&next->raw, moment->raw, memory_order_release);
    atomic_store_explicit(&next->ns, moment->ns, memory_order_release);
    atomic_store_explicit(&next->ticks_per_ns, moment->ticks_per_ns, memory_order_release);
    atomic_store_explicit(&next->uncertainty_ns, moment->uncertainty_ns, memory_order_release);
    atomic_store_explicit(&next->drift, moment->drift, memory_order_release);
    atomic_store_explicit(&tie->count, count + 1, memory_order_release);
}

/* False: it was written over meanwhile. */
static bool read_moment(struct ludus_clock_tie *tie, uint32_t count,
                        struct ludus_clock_moment *moment)
{
    const struct ludus_tied_moment *last = &tie->moments[(count - 1) % LUDUS_CLOCK_TIES];
    moment->raw = atomic_load_explicit(&last->raw, memory_order_acquire);
    moment->ns = atomic_load_explicit(&last->ns, memory_order_acquire);
    moment->ticks_per_ns = atomic_load_explicit(&last->ticks_per_ns, memory_order_acquire);
    moment->uncertainty_ns = atomic_load_explicit(&last->uncertainty_ns, memory_order_acquire);
    moment->drift = atomic_load_explicit(&last->drift, memory_order_acquire);
    /* The moment behind the count's may be under way. */
    return atomic_load_explicit(&tie->count, memory_order_relaxed) - count < LUDUS_CLOCK_TIES - 1;
}

int64_t ludus_clock_tie_ns(struct ludus_clock_tie *tie, uint64_t raw, uint64_t *residual_ns)
{
    struct ludus_clock_moment moment;
    uint32_t count;
    *residual_ns = 0;
    do {
        count = atomic_load_explicit(&tie->count, memory_order_acquire);
        if (count == 0)
            return (int64_t)ludus_clock_monotonic_ns();
    } while (!read_moment(tie, count, &moment));
    if (moment.ticks_per_ns <= 0)
        return (int64_t)ludus_clock_monotonic_ns();
    const double elapsed_ns = (double)(int64_t)(raw - moment.raw) / moment.ticks_per_ns;
    const double distance_ns = elapsed_ns < 0 ? -elapsed_ns : elapsed_ns;
    const double residual = moment.uncertainty_ns + distance_ns * moment.drift;
    *residual_ns = (uint64_t)residual + 1;
    return moment.ns + (int64_t)elapsed_ns;
}
