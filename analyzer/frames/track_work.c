/* Adds up the work in front of each stretch once, and the own time of each scope. */
#include "track_work.h"

#include <stdlib.h>

struct trace_own_stretch {
    const struct trace_stretch *stretch;
    uint64_t before_ns; /* in all those in front of it, modulo 2^64 */
};

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static int compare_own(const void *a, const void *b)
{
    const struct trace_stretch *left = ((const struct trace_own_stretch *)a)->stretch;
    const struct trace_stretch *right = ((const struct trace_own_stretch *)b)->stretch;
    if (left->track != right->track)
        return COMPARE(left->track, right->track);
    if (left->site != right->site)
        return COMPARE(left->site, right->site);
    return COMPARE(left->begin_ns, right->begin_ns);
}

static uint64_t length_ns(const struct trace_stretch *stretch)
{
    return (uint64_t)(stretch->end_ns - stretch->begin_ns);
}

bool trace_track_work_create(struct trace_track_work *work, const struct trace_model *model,
                             const struct trace_frame_moments *moments)
{
    uint32_t count = moments->stretch_count;
    uint64_t sum_ns = 0;
    *work = (struct trace_track_work){.moments = moments, .model = model};
    work->before_ns = malloc(((size_t)count + 1) * sizeof *work->before_ns);
    work->own = malloc(((size_t)count + 1) * sizeof *work->own);
    if (work->before_ns == NULL || work->own == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const struct trace_stretch *stretch = &moments->stretches[i];
        work->own[i].stretch = stretch;
        work->before_ns[i] = sum_ns;
        if (!trace_site_is_waiting(model, stretch->site))
            sum_ns += length_ns(stretch);
    }
    work->before_ns[count] = sum_ns;
    if (count > 1)
        qsort(work->own, count, sizeof *work->own, compare_own);
    sum_ns = 0;
    for (uint32_t i = 0; i < count; i++) {
        work->own[i].before_ns = sum_ns;
        sum_ns += length_ns(work->own[i].stretch);
    }
    work->own[count] = (struct trace_own_stretch){NULL, sum_ns};
    return true;
}

void trace_track_work_destroy(struct trace_track_work *work)
{
    free(work->before_ns);
    free(work->own);
    *work = (struct trace_track_work){0};
}

/* The work in the stretches of this track and of those in front of it, until a time. */
static uint64_t work_until(const struct trace_track_work *work, uint32_t track, int64_t time_ns)
{
    const struct trace_frame_moments *moments = work->moments;
    uint32_t at = trace_first_stretch(moments, track, time_ns);
    if (at == moments->stretch_count)
        return work->before_ns[at];
    const struct trace_stretch *stretch = &moments->stretches[at];
    if (stretch->track != track || stretch->begin_ns >= time_ns ||
        trace_site_is_waiting(work->model, stretch->site))
        return work->before_ns[at];
    return work->before_ns[at] + (uint64_t)(time_ns - stretch->begin_ns);
}

/* The same of one scope's stretches on the track, and of all that stand in front of them. */
static uint64_t own_until(const struct trace_track_work *work, const struct trace_stretch *scope,
                          int64_t time_ns)
{
    const struct trace_stretch key = {
        .track = scope->track, .site = scope->site, .begin_ns = time_ns};
    const struct trace_own_stretch sought = {.stretch = &key};
    uint32_t low = 0, high = work->moments->stretch_count;
    while (low < high) { /* the first one that does not begin before the time */
        uint32_t middle = low + (high - low) / 2;
        if (compare_own(&work->own[middle], &sought) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return 0;
    const struct trace_stretch *last = work->own[low - 1].stretch;
    bool is_in = last->track == scope->track && last->site == scope->site && last->end_ns > time_ns;
    return work->own[low].before_ns - (is_in ? (uint64_t)(last->end_ns - time_ns) : 0);
}

int64_t trace_track_work_ns(const struct trace_track_work *work, uint32_t track, int64_t begin_ns,
                            int64_t end_ns)
{
    const struct trace_frame_moments *moments = work->moments;
    uint64_t sum_ns = work_until(work, track, end_ns) - work_until(work, track, begin_ns);
    uint32_t at = trace_first_stretch(moments, track, end_ns);
    if (at == moments->stretch_count)
        return (int64_t)sum_ns;
    const struct trace_stretch *scope = &moments->stretches[at];
    if (scope->track == track && scope->begin_ns <= end_ns &&
        !trace_site_is_waiting(work->model, scope->site))
        sum_ns -= own_until(work, scope, end_ns) - own_until(work, scope, begin_ns);
    return (int64_t)sum_ns;
}
