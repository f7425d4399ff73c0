/* Measures the cost of a scope: rounds of them on a scratch track, of which the median counts. */
#include "own_cost.h"

#include <stdlib.h>
#include <string.h>

#include <ludus/profile.h>

#include "emission.h"
#include "recorder_clock.h"
#include "track.h"

#define ROUNDS 15
#define SCOPES 128

/* What the calls need of a track, and where they write. */
struct bench {
    struct ludus_track track;
    struct lcap_event events[2 * SCOPES];
};

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values)
{
    qsort(values, ROUNDS, sizeof *values, compare);
    return values[ROUNDS / 2];
}

static double run_round(struct bench *bench, double *inner_ticks)
{
    static struct ludus_site site = {"", "", "", 0, LUDUS_SITE_PLAIN, 1, 0};
    atomic_store_explicit(&bench->track.cursor, bench->events, memory_order_relaxed);
    bench->track.room = 2 * SCOPES;
    const uint64_t begin_ns = ludus_clock_monotonic_ns();
    const uint64_t begin = ludus_clock_ticks();
    for (int i = 0; i < SCOPES; i++)
        ludus_scope_close(ludus_scope_open(&site));
    const uint64_t ticks = ludus_clock_ticks() - begin;
    const uint64_t ns = ludus_clock_monotonic_ns() - begin_ns;
    uint64_t inside = 0;
    for (int i = 0; i < SCOPES; i++)
        inside += bench->events[2 * i + 1].tick - bench->events[2 * i].tick;
    *inner_ticks = ticks > 0 ? (double)inside / (double)ticks : 0; /* as a part of the whole */
    return (double)ns / SCOPES;
}

struct ludus_own_cost ludus_own_cost_measure(void)
{
    struct ludus_track *own = ludus_this_track;
    double wholes[ROUNDS];
    double parts[ROUNDS];
    struct ludus_own_cost cost = {0, 0};
    struct bench *bench = calloc(1, sizeof *bench);
    if (bench == NULL)
        return cost;
    atomic_store_explicit(&bench->track.token, ludus_token_make(0, 1), memory_order_relaxed);
    ludus_this_track = &bench->track;
    (void)run_round(bench, &parts[0]); /* brings everything into the caches */
    for (int i = 0; i < ROUNDS; i++)
        wholes[i] = run_round(bench, &parts[i]);
    ludus_this_track = own;
    free(bench);
    const double whole_ns = median(wholes);
    cost.scope_ps = (uint32_t)(whole_ns * 1000);
    cost.inner_ps = (uint32_t)(whole_ns * median(parts) * 1000);
    return cost;
}
