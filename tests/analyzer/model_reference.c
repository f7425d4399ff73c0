/* A slow and plain way to the numbers of a model. */
#include "model_reference.h"

#include <check.h>
#include <stdlib.h>

#include "random_stream.h"

/* The event that ends the scope which begins at `begin`, or event_count. */
static uint32_t find_end(const struct reference_track *track, uint32_t begin)
{
    uint32_t depth = 0;
    for (uint32_t i = begin; i < track->event_count; i++) {
        depth += track->events[i].kind == LCAP_EVENT_BEGIN;
        depth -= track->events[i].kind == LCAP_EVENT_END;
        if (depth == 0)
            return i;
    }
    return track->event_count;
}

/* The slice of this track in which the event lies: the latest that has not ended before it. */
static size_t find_parent(const struct reference_track *track, uint32_t event, size_t first_slice)
{
    size_t slice = first_slice, parent = SIZE_MAX;
    for (uint32_t i = 0; i < event; i++) {
        if (track->events[i].kind != LCAP_EVENT_BEGIN)
            continue;
        if (find_end(track, i) > event)
            parent = slice;
        slice++;
    }
    return parent;
}

static void find_track_slices(struct reference_view *view, const struct reference_track *track)
{
    size_t first = view->slice_count;
    for (uint32_t i = 0; i < track->event_count; i++) {
        const struct stream_event *event = &track->events[i];
        if (event->kind != LCAP_EVENT_BEGIN)
            continue;
        uint32_t end = find_end(track, i);
        int64_t begin_ns = (int64_t)event->tick;
        bool is_complete = end < track->event_count;
        int64_t until_ns = is_complete ? (int64_t)track->events[end].tick : track->open_until_ns;
        view->slices[view->slice_count++] =
            (struct reference_slice){.begin_ns = begin_ns,
                                     .duration_ns = is_complete ? until_ns - begin_ns : -1,
                                     .known_ns = until_ns > begin_ns ? until_ns - begin_ns : 0,
                                     .parent = find_parent(track, i, first),
                                     .track = track->id,
                                     .site = event->site};
    }
}

static bool overlaps(const struct reference_loss *loss, uint32_t track, int64_t begin_ns,
                     int64_t last_ns)
{
    return (loss->track == track || loss->track == 0) && loss->begin_ns <= last_ns &&
           loss->end_ns >= begin_ns;
}

bool reference_is_lost(const struct reference_view *view, const struct reference_slice *slice)
{
    for (uint32_t i = 0; i < view->loss_count; i++)
        if (view->losses[i].has_scopes && overlaps(&view->losses[i], slice->track, slice->begin_ns,
                                                   slice->begin_ns + slice->known_ns))
            return true;
    return false;
}

void reference_find_slices(struct reference_view *view)
{
    size_t most = 1;
    for (uint32_t i = 0; i < view->track_count; i++)
        most += view->tracks[i].event_count;
    view->slices = calloc(most, sizeof *view->slices);
    ck_assert_ptr_nonnull(view->slices);
    view->slice_count = 0;
    for (uint32_t i = 0; i < view->track_count; i++)
        find_track_slices(view, &view->tracks[i]);
    for (size_t i = 0; i < view->slice_count; i++) {
        struct reference_slice *slice = &view->slices[i];
        slice->is_lost = reference_is_lost(view, slice);
        slice->exclusive_ns = slice->duration_ns;
        for (size_t child = 0; child < view->slice_count; child++)
            if (view->slices[child].parent == i && slice->duration_ns != -1)
                slice->exclusive_ns -= view->slices[child].known_ns;
    }
}

uint32_t reference_frame(const struct reference_view *view, int64_t time_ns)
{
    uint32_t found = TRACE_NONE;
    for (uint32_t i = 0; i < view->frame_count; i++)
        if (view->frames[i].begin_ns <= time_ns)
            found = i;
    return found;
}

static bool is_complete(const struct reference_view *view, uint32_t frame)
{
    return frame + 1 < view->frame_count &&
           view->frames[frame].number + 1 == view->frames[frame + 1].number;
}

/* Whether the track lost something in the complete frame. */
static bool is_frame_lost(const struct reference_view *view, uint32_t frame, uint32_t track)
{
    for (uint32_t i = 0; i < view->loss_count && track != 0; i++)
        if (!view->losses[i].has_frames_only &&
            overlaps(&view->losses[i], track, view->frames[frame].begin_ns,
                     view->frames[frame + 1].begin_ns - 1))
            return true;
    return false;
}

bool reference_track_has_loss(const struct reference_view *view, uint32_t track)
{
    for (uint32_t i = 0; i < view->loss_count; i++)
        if (!view->losses[i].has_frames_only &&
            (view->losses[i].track == track || view->losses[i].track == 0))
            return true;
    return false;
}

void reference_count_frames(const struct reference_view *view, uint32_t track, int64_t *kept,
                            int64_t *lost)
{
    *kept = 0;
    *lost = 0;
    for (uint32_t frame = 0; frame < view->frame_count; frame++) {
        if (!is_complete(view, frame))
            continue;
        if (is_frame_lost(view, frame, track))
            ++*lost;
        else
            ++*kept;
    }
}

static uint32_t window_of(const struct reference_view *view, const struct reference_slice *slice)
{
    uint32_t frame = reference_frame(view, slice->begin_ns);
    if (frame == TRACE_NONE || !is_complete(view, frame) ||
        is_frame_lost(view, frame, slice->track))
        return TRACE_WINDOW_OUTSIDE;
    return TRACE_WINDOW_FRAMES;
}

bool reference_same_path(const struct reference_view *view, size_t left, size_t right)
{
    while (left != SIZE_MAX && right != SIZE_MAX) {
        if (view->slices[left].site != view->slices[right].site)
            return false;
        left = view->slices[left].parent;
        right = view->slices[right].parent;
    }
    return left == right;
}

static bool is_outermost(const struct reference_view *view, const struct reference_slice *slice)
{
    for (size_t at = slice->parent; at != SIZE_MAX; at = view->slices[at].parent)
        if (view->slices[at].site == slice->site)
            return false;
    return true;
}

static void add(struct trace_sums *sums, const struct reference_slice *slice, bool is_outer,
                bool counts_all)
{
    bool is_whole = slice->duration_ns != -1;
    sums->calls++;
    sums->incomplete += !is_whole;
    sums->recursive_calls += !is_outer;
    sums->children_lost += slice->is_lost;
    if (is_whole && (is_outer || counts_all)) {
        sums->outermost_calls++;
        sums->inclusive_ns += slice->duration_ns;
    }
    if (is_whole && !slice->is_lost) {
        sums->exclusive_calls++;
        sums->exclusive_ns += slice->exclusive_ns;
    }
}

struct trace_sums reference_sums(const struct reference_view *view,
                                 const struct reference_query *query)
{
    struct trace_sums sums = {0};
    bool is_path = query->path_of != SIZE_MAX;
    for (size_t i = 0; i < view->slice_count; i++) {
        const struct reference_slice *slice = &view->slices[i];
        uint32_t row = reference_track_has_loss(view, slice->track) ? slice->track : 0;
        if (row != query->track || window_of(view, slice) != query->window ||
            (is_path ? !reference_same_path(view, i, query->path_of) : slice->site != query->site))
            continue;
        add(&sums, slice, is_outermost(view, slice), is_path);
    }
    return sums;
}

static int64_t common_ns(int64_t begin_a, int64_t end_a, int64_t begin_b, int64_t end_b)
{
    int64_t begin = begin_a > begin_b ? begin_a : begin_b;
    int64_t end = end_a < end_b ? end_a : end_b;
    return end > begin ? end - begin : 0;
}

void reference_cover(const struct reference_view *view, const struct reference_track *track,
                     int64_t *frame_ns, int64_t *covered_ns)
{
    *frame_ns = 0;
    *covered_ns = 0;
    for (uint32_t frame = 0; frame < view->frame_count; frame++) {
        if (!is_complete(view, frame) || is_frame_lost(view, frame, track->id))
            continue;
        int64_t begin = view->frames[frame].begin_ns;
        int64_t end = view->frames[frame + 1].begin_ns;
        *frame_ns += common_ns(begin, end, track->begin_ns, track->end_ns);
        begin = begin > track->begin_ns ? begin : track->begin_ns;
        end = end < track->end_ns ? end : track->end_ns;
        for (size_t i = 0; i < view->slice_count; i++) {
            const struct reference_slice *slice = &view->slices[i];
            if (slice->track == track->id && slice->parent == SIZE_MAX)
                *covered_ns +=
                    common_ns(begin, end, slice->begin_ns, slice->begin_ns + slice->known_ns);
        }
    }
}
