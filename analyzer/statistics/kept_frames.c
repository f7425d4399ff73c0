/* Finds the frames of windows, and what of them tracks lost. */
#include "kept_frames.h"

#include <stdlib.h>

#include "frame_percentiles.h"
#include "frame_table.h"

/* --- of a window ----------------------------------------------------------------------------- */

static bool add_frame(struct trace_window_frames *frames, uint32_t frame)
{
    const struct trace_frame *at = &frames->domain->frames[frame];
    struct trace_frame_run *last =
        frames->run_count == 0 ? NULL : &frames->runs[frames->run_count - 1];
    frames->count++;
    if (last != NULL && last->end == frame) {
        last->end++;
    } else {
        if (!trace_array_grow(&frames->runs, frames->run_count, sizeof *frames->runs))
            return false;
        frames->runs[frames->run_count++] =
            (struct trace_frame_run){frame, frame + 1, (uint32_t)frames->count - 1};
    }
    return trace_span_list_add(&frames->spans, at[0].begin_ns, at[1].begin_ns);
}

bool trace_window_frames_find(const struct trace_domain *domain,
                              const struct trace_span_list *spans,
                              struct trace_window_frames *frames)
{
    *frames = (struct trace_window_frames){.domain = domain};
    for (uint32_t i = 0; domain != NULL && i < domain->frame_count; i++)
        if (trace_frame_is_complete_in(domain, i, spans) && !add_frame(frames, i))
            return false;
    return true;
}

bool trace_window_frames_leave_out(const struct trace_window_frames *frames,
                                   const struct trace_track_losses *losses,
                                   struct trace_window_frames *left)
{
    *left = (struct trace_window_frames){.domain = frames->domain};
    for (uint32_t run = 0; run < frames->run_count; run++)
        for (uint32_t i = frames->runs[run].first; i < frames->runs[run].end; i++) {
            const struct trace_frame *at = &frames->domain->frames[i];
            if (!trace_track_losses_overlap(losses, at[0].begin_ns, at[1].begin_ns - 1) &&
                !add_frame(left, i))
                return false;
        }
    return true;
}

void trace_window_frames_clear(struct trace_window_frames *frames)
{
    trace_span_list_clear(&frames->spans);
    free(frames->runs);
    *frames = (struct trace_window_frames){0};
}

/* --- of a track ------------------------------------------------------------------------------ */

/* The first frame, that has one behind it, of which some time is behind `time_ns`. */
static uint32_t first_ending_behind(const struct trace_domain *domain, int64_t time_ns)
{
    uint32_t low = 0, high = domain->frame_count - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (domain->frames[middle + 1].begin_ns <= time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first frame that begins behind `time_ns`. */
static uint32_t first_beginning_behind(const struct trace_domain *domain, int64_t time_ns)
{
    uint32_t begun = trace_frame_table_find(domain, time_ns);
    return begun == TRACE_NONE ? 0 : begun + 1;
}

/* How many frames of the window come before a frame. */
static int64_t count_before(const struct trace_window_frames *frames, uint32_t frame)
{
    uint32_t low = 0, high = frames->run_count; /* runs that begin before it */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (frames->runs[middle].first < frame)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return 0;
    const struct trace_frame_run *run = &frames->runs[low - 1];
    return (int64_t)run->before + (frame < run->end ? frame : run->end) - run->first;
}

/* Leaves out what the window has of the frames from `first` to before `end`. */
static bool leave_out(struct trace_kept_frames *kept, uint32_t first, uint32_t end)
{
    const struct trace_window_frames *frames = kept->frames;
    const int64_t lost = count_before(frames, end) - count_before(frames, first);
    const uint32_t last = frames->domain->frame_count - 1;
    if (lost == 0)
        return true;
    if (!trace_array_grow(&kept->gaps, kept->gap_count, sizeof *kept->gaps))
        return false;
    kept->gaps[kept->gap_count++] =
        (struct trace_frame_gap){.begin_ns = frames->domain->frames[first].begin_ns,
                                 .end_ns = frames->domain->frames[end < last ? end : last].begin_ns,
                                 .before_ns = kept->lost_ns};
    kept->lost_ns +=
        trace_span_list_overlap(&frames->spans, kept->gaps[kept->gap_count - 1].begin_ns,
                                kept->gaps[kept->gap_count - 1].end_ns);
    kept->lost += lost;
    kept->count -= lost;
    return true;
}

bool trace_kept_frames_find(const struct trace_window_frames *frames, int64_t lost,
                            const struct trace_track_losses *losses, struct trace_kept_frames *kept)
{
    *kept = (struct trace_kept_frames){.frames = frames, .count = frames->count, .lost = lost};
    uint32_t done = 0; /* frames before are left out, or kept */
    for (uint32_t i = 0; frames->count != 0 && i < losses->count; i++) {
        uint32_t first = first_ending_behind(frames->domain, losses->spans[i].begin_ns);
        uint32_t end = first_beginning_behind(frames->domain, losses->spans[i].end_ns);
        first = first > done ? first : done;
        if (first >= end)
            continue;
        if (!leave_out(kept, first, end))
            return false;
        done = end;
    }
    return true;
}

void trace_kept_frames_clear(struct trace_kept_frames *kept)
{
    free(kept->gaps);
    *kept = (struct trace_kept_frames){0};
}

/* The last gap that begins at the time or before. NULL: there is none. */
static const struct trace_frame_gap *last_gap(const struct trace_kept_frames *kept, int64_t time_ns)
{
    uint32_t low = 0, high = kept->gap_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (kept->gaps[middle].begin_ns <= time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? NULL : &kept->gaps[low - 1];
}

bool trace_kept_frames_contain(const struct trace_kept_frames *kept, int64_t time_ns)
{
    int64_t from_ns = INT64_MIN, until_ns = INT64_MAX;
    const struct trace_frame_gap *gap = last_gap(kept, time_ns);
    return (gap == NULL || time_ns >= gap->end_ns) &&
           trace_span_list_contains(&kept->frames->spans, time_ns, &from_ns, &until_ns);
}

/* What the window has of the gaps before a time. */
static int64_t lost_before(const struct trace_kept_frames *kept, int64_t time_ns)
{
    const struct trace_frame_gap *gap = last_gap(kept, time_ns);
    if (gap == NULL)
        return 0;
    return gap->before_ns + trace_span_list_overlap(&kept->frames->spans, gap->begin_ns,
                                                    time_ns < gap->end_ns ? time_ns : gap->end_ns);
}

int64_t trace_kept_frames_overlap(const struct trace_kept_frames *kept, int64_t begin_ns,
                                  int64_t end_ns)
{
    int64_t frames_ns = trace_span_list_overlap(&kept->frames->spans, begin_ns, end_ns);
    if (kept->gap_count == 0 || begin_ns >= end_ns)
        return frames_ns;
    return frames_ns - (lost_before(kept, end_ns) - lost_before(kept, begin_ns));
}
