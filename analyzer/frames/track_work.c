/* Adds up the work in front of each stretch once. */
#include "track_work.h"

#include <stdlib.h>

uint32_t trace_first_stretch(const struct trace_frame_moments *moments, uint32_t track,
                             int64_t time_ns)
{
    uint32_t low = 0, high = moments->stretch_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct trace_stretch *stretch = &moments->stretches[middle];
        if (stretch->track < track || (stretch->track == track && stretch->end_ns <= time_ns))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool trace_track_work_create(struct trace_track_work *work, const struct trace_model *model,
                             const struct trace_frame_moments *moments)
{
    uint64_t sum_ns = 0;
    *work = (struct trace_track_work){.moments = moments, .model = model};
    work->before_ns = malloc(((size_t)moments->stretch_count + 1) * sizeof *work->before_ns);
    if (work->before_ns == NULL)
        return false;
    for (uint32_t i = 0; i < moments->stretch_count; i++) {
        const struct trace_stretch *stretch = &moments->stretches[i];
        work->before_ns[i] = sum_ns;
        if (!trace_site_is_waiting(model, stretch->site))
            sum_ns += (uint64_t)(stretch->end_ns - stretch->begin_ns);
    }
    work->before_ns[moments->stretch_count] = sum_ns;
    return true;
}

void trace_track_work_destroy(struct trace_track_work *work)
{
    free(work->before_ns);
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

int64_t trace_track_work_ns(const struct trace_track_work *work, uint32_t track, int64_t begin_ns,
                            int64_t end_ns)
{
    return (int64_t)(work_until(work, track, end_ns) - work_until(work, track, begin_ns));
}
