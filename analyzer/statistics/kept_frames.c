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
        frames->runs[frames->run_count++] = (struct trace_frame_run){frame, frame + 1};
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

/* The first run that ends behind a frame. */
static uint32_t first_run_behind(const struct trace_window_frames *frames, uint32_t frame)
{
    uint32_t low = 0, high = frames->run_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (frames->runs[middle].end <= frame)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Leaves out what the window has of the frames from `first` to before `end`. */
static bool leave_out(struct trace_kept_frames *kept, uint32_t first, uint32_t end)
{
    const struct trace_window_frames *frames = kept->frames;
    for (uint32_t i = first_run_behind(frames, first);
         i < frames->run_count && frames->runs[i].first < end; i++) {
        uint32_t from = frames->runs[i].first > first ? frames->runs[i].first : first;
        uint32_t until = frames->runs[i].end < end ? frames->runs[i].end : end;
        kept->lost += until - from;
        kept->count -= until - from;
        if (!trace_span_list_add(&kept->lost_spans, frames->domain->frames[from].begin_ns,
                                 frames->domain->frames[until].begin_ns))
            return false;
    }
    return true;
}

/* The next loss in the order of their begins, of a track's own and the common ones. NULL behind the
 * last. */
static const struct trace_loss_span *next_span(const struct trace_track_losses *losses,
                                               uint32_t *own, uint32_t *common)
{
    const bool has_own = *own < losses->count;
    const bool has_common = losses->common != NULL && *common < losses->common->count;
    if (has_own &&
        (!has_common || losses->spans[*own].begin_ns <= losses->common->spans[*common].begin_ns))
        return &losses->spans[(*own)++];
    return has_common ? &losses->common->spans[(*common)++] : NULL;
}

bool trace_kept_frames_find(const struct trace_window_frames *frames,
                            const struct trace_track_losses *losses, struct trace_kept_frames *kept)
{
    *kept = (struct trace_kept_frames){.frames = frames, .count = frames->count};
    uint32_t done = 0; /* frames before are left out, or kept */
    uint32_t own = 0, common = 0;
    const struct trace_loss_span *span;
    while (frames->count != 0 && (span = next_span(losses, &own, &common)) != NULL) {
        uint32_t first = first_ending_behind(frames->domain, span->begin_ns);
        uint32_t end = first_beginning_behind(frames->domain, span->end_ns);
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
    trace_span_list_clear(&kept->lost_spans);
    *kept = (struct trace_kept_frames){0};
}

bool trace_kept_frames_contain(const struct trace_kept_frames *kept, int64_t time_ns)
{
    int64_t from_ns = INT64_MIN, until_ns = INT64_MAX;
    return trace_span_list_contains(&kept->frames->spans, time_ns, &from_ns, &until_ns) &&
           !trace_span_list_contains(&kept->lost_spans, time_ns, &from_ns, &until_ns);
}

int64_t trace_kept_frames_overlap(const struct trace_kept_frames *kept, int64_t begin_ns,
                                  int64_t end_ns)
{
    int64_t frames_ns = trace_span_list_overlap(&kept->frames->spans, begin_ns, end_ns);
    return kept->lost_spans.count == 0
               ? frames_ns
               : frames_ns - trace_span_list_overlap(&kept->lost_spans, begin_ns, end_ns);
}
