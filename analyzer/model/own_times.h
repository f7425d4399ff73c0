/* Where a pass adds up the own (exclusive) times and calls of scopes by frame, without showing each
 * slice to a visitor. Private to the analyzer. */
#ifndef TRACE_OWN_TIMES_H
#define TRACE_OWN_TIMES_H

#include "model.h"

/* Sums of a scope in a frame. */
struct trace_own_sums {
    int64_t own_ns; /* 0 of slices of which it is not known */
    int64_t calls;
};

/* What a site is added to. */
struct trace_scope_place {
    uint32_t subject; /* or TRACE_NONE */
    bool is_waiting;
};

/* Where slices count that begin in a frame, on a track. */
struct trace_own_target {
    struct trace_own_sums
        *subjects; /* those of subject s are at s * stride; NULL: nothing counts */
    size_t stride;
    const struct trace_scope_place *places; /* by site */
    uint32_t site_count;                    /* of places: other sites do not count */
    struct trace_own_sums *waiting;         /* all sites together; NULL: they do not count */
    struct trace_own_sums *working;
};

static inline void trace_own_sums_add(struct trace_own_sums *sums, int64_t own_ns, int64_t calls)
{
    sums->own_ns = trace_sum(sums->own_ns, own_ns);
    sums->calls = trace_sum(sums->calls, calls);
}

/* What a slice of a site is added to: the sums of its subject, and those of all sites; NULL: it is
 * not. */
static inline void trace_own_target_find(const struct trace_own_target *target, uint32_t site,
                                         struct trace_own_sums *sums[2])
{
    sums[0] = sums[1] = NULL;
    if (target->subjects == NULL || site >= target->site_count)
        return;
    const struct trace_scope_place *place = &target->places[site];
    sums[1] = place->is_waiting ? target->waiting : target->working;
    if (place->subject != TRACE_NONE)
        sums[0] = &target->subjects[place->subject * target->stride];
}

#endif
