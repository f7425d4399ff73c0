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

/* Whether the track lost something in the complete frame; 0: whether all did. */
static bool is_frame_lost(const struct reference_view *view, uint32_t frame, uint32_t track)
{
    for (uint32_t i = 0; i < view->loss_count; i++)
        if (!view->losses[i].has_frames_only &&
            overlaps(&view->losses[i], track, view->frames[frame].begin_ns,
                     view->frames[frame + 1].begin_ns - 1))
            return true;
    return false;
}

bool reference_counts(const struct reference_view *view, uint32_t track)
{
    return view->left_out == NULL || !view->left_out[track];
}

/* Of its own: what is lost of no known track concerns all. */
static bool has_loss(const struct reference_view *view, uint32_t track)
{
    for (uint32_t i = 0; i < view->loss_count; i++)
        if (!view->losses[i].has_frames_only && view->losses[i].track == track)
            return true;
    return false;
}

uint32_t reference_row(const struct reference_view *view, uint32_t track)
{
    return view->are_tracks_apart || track == view->marker || has_loss(view, track) ? track : 0;
}

static int64_t common_ns(int64_t begin_a, int64_t end_a, int64_t begin_b, int64_t end_b)
{
    int64_t begin = begin_a > begin_b ? begin_a : begin_b;
    int64_t end = end_a < end_b ? end_a : end_b;
    return end > begin ? end - begin : 0;
}

/* How much of a time lies in a window. */
static int64_t part_of_window(const struct reference_view *view, uint32_t window, int64_t begin_ns,
                              int64_t end_ns)
{
    int64_t sum_ns = 0;
    if (view->window_count == 0)
        return end_ns - begin_ns;
    const struct reference_window *at = &view->windows[window];
    for (uint32_t i = 0; i < at->span_count; i++)
        sum_ns += common_ns(begin_ns, end_ns, at->spans[i].begin_ns, at->spans[i].end_ns);
    return sum_ns;
}

bool reference_is_inside(const struct reference_view *view, uint32_t window, int64_t time_ns)
{
    return part_of_window(view, window, time_ns, time_ns + 1) != 0;
}

/* A complete frame that lies in the window as a whole. One without time lies where its mark does.
 */
static bool is_in_window(const struct reference_view *view, uint32_t window, uint32_t frame)
{
    if (!is_complete(view, frame))
        return false;
    int64_t begin_ns = view->frames[frame].begin_ns;
    int64_t end_ns = view->frames[frame + 1].begin_ns;
    return reference_is_inside(view, window, begin_ns) &&
           part_of_window(view, window, begin_ns, end_ns) == end_ns - begin_ns;
}

static bool is_kept(const struct reference_view *view, uint32_t window, uint32_t frame,
                    uint32_t track)
{
    return is_in_window(view, window, frame) && !is_frame_lost(view, frame, track);
}

void reference_count_frames(const struct reference_view *view, uint32_t window, uint32_t track,
                            int64_t *kept, int64_t *lost)
{
    *kept = 0;
    *lost = 0;
    for (uint32_t frame = 0; frame < view->frame_count; frame++) {
        if (is_in_window(view, window, frame) && is_frame_lost(view, frame, track))
            ++*lost;
        *kept += is_kept(view, window, frame, track);
    }
}

/* How much of a time of a track lies in a cell. */
static int64_t part_of_cell(const struct reference_view *view, uint32_t cell, uint32_t track,
                            int64_t begin_ns, int64_t end_ns)
{
    int64_t frames_ns = 0;
    for (uint32_t frame = 0; frame < view->frame_count; frame++)
        if (is_kept(view, cell / 2, frame, track))
            frames_ns += common_ns(begin_ns, end_ns, view->frames[frame].begin_ns,
                                   view->frames[frame + 1].begin_ns);
    return cell % 2 == 0 ? frames_ns : part_of_window(view, cell / 2, begin_ns, end_ns) - frames_ns;
}

static bool begins_in(const struct reference_view *view, uint32_t cell,
                      const struct reference_slice *slice)
{
    uint32_t frame = reference_frame(view, slice->begin_ns);
    bool is_in_frames = frame != TRACE_NONE && is_kept(view, cell / 2, frame, slice->track);
    return reference_is_inside(view, cell / 2, slice->begin_ns) && is_in_frames == (cell % 2 == 0);
}

bool reference_has_time(const struct reference_view *view, uint32_t cell,
                        const struct reference_slice *slice, int64_t begin_ns, int64_t end_ns)
{
    return view->is_clipped ? part_of_cell(view, cell, slice->track, begin_ns, end_ns) != 0
                            : begins_in(view, cell, slice);
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

bool reference_is_outermost(const struct reference_view *view, const struct reference_slice *slice)
{
    for (size_t at = slice->parent; at != SIZE_MAX; at = view->slices[at].parent)
        if (view->slices[at].site == slice->site)
            return false;
    return true;
}

static uint32_t count_cells(const struct reference_view *view)
{
    return view->window_count == 0 ? 2 : 2 * view->window_count;
}

static struct reference_place *place_of(const struct reference_view *view, size_t slice,
                                        uint32_t cell)
{
    return &view->places[slice * count_cells(view) + cell];
}

void reference_place_slices(struct reference_view *view)
{
    view->places = calloc(view->slice_count * count_cells(view) + 1, sizeof *view->places);
    ck_assert_ptr_nonnull(view->places);
    for (size_t i = 0; i < view->slice_count; i++) {
        const struct reference_slice *slice = &view->slices[i];
        for (uint32_t cell = 0; cell < count_cells(view); cell++) {
            struct reference_place *place = place_of(view, i, cell);
            place->has_begin = begins_in(view, cell, slice);
            if (view->is_clipped)
                place->inclusive_ns = part_of_cell(view, cell, slice->track, slice->begin_ns,
                                                   slice->begin_ns + slice->known_ns);
            else if (place->has_begin)
                place->inclusive_ns = slice->known_ns;
            place->exclusive_ns = place->inclusive_ns;
            if (!view->is_clipped && place->has_begin && slice->duration_ns != -1)
                place->exclusive_ns = slice->exclusive_ns;
        }
    }
    for (size_t i = 0; view->is_clipped && i < view->slice_count; i++)
        for (uint32_t cell = 0; cell < count_cells(view); cell++)
            if (view->slices[i].parent != SIZE_MAX)
                place_of(view, view->slices[i].parent, cell)->exclusive_ns -=
                    place_of(view, i, cell)->inclusive_ns;
}

static void add(struct trace_sums *sums, const struct reference_view *view, uint32_t cell,
                size_t index, bool is_path)
{
    const struct reference_slice *slice = &view->slices[index];
    bool is_outer = reference_is_outermost(view, slice);
    bool is_whole = slice->duration_ns != -1;
    const struct reference_place *place = place_of(view, index, cell);
    if (place->has_begin) {
        sums->calls++;
        sums->incomplete += !is_whole;
        sums->recursive_calls += !is_outer;
        sums->children_lost += slice->is_lost;
        sums->outermost_calls += is_whole && (is_outer || is_path);
        sums->exclusive_calls += is_whole && !slice->is_lost;
    }
    if (is_whole && (is_outer || is_path))
        sums->inclusive_ns += place->inclusive_ns;
    if (is_whole && !slice->is_lost)
        sums->exclusive_ns += place->exclusive_ns;
}

static bool is_in_row(const struct reference_view *view, const struct reference_query *query,
                      const struct reference_slice *slice)
{
    return reference_counts(view, slice->track) &&
           reference_row(view, slice->track) == query->track;
}

struct trace_sums reference_sums(const struct reference_view *view,
                                 const struct reference_query *query)
{
    struct trace_sums sums = {0};
    bool is_path = query->path_of != SIZE_MAX;
    for (size_t i = 0; i < view->slice_count; i++) {
        bool is_asked = is_path ? reference_same_path(view, i, query->path_of)
                                : view->slices[i].site == query->site;
        if (is_asked && is_in_row(view, query, &view->slices[i]))
            add(&sums, view, query->cell, i, is_path);
    }
    return sums;
}

uint64_t reference_nested_calls(const struct reference_view *view,
                                const struct reference_query *query)
{
    uint64_t calls = 0;
    for (size_t i = 0; i < view->slice_count; i++) {
        const struct reference_slice *slice = &view->slices[i];
        if (slice->parent != SIZE_MAX && view->slices[slice->parent].site == query->site &&
            is_in_row(view, query, slice))
            calls += place_of(view, i, query->cell)->has_begin;
    }
    return calls;
}

void reference_cover(const struct reference_view *view, uint32_t window,
                     const struct reference_track *track, int64_t *frame_ns, int64_t *covered_ns)
{
    uint32_t cell = 2 * window;
    *frame_ns = part_of_cell(view, cell, track->id, track->begin_ns, track->end_ns);
    *covered_ns = 0;
    for (size_t i = 0; i < view->slice_count; i++) {
        const struct reference_slice *slice = &view->slices[i];
        int64_t begin_ns = slice->begin_ns, end_ns = slice->begin_ns + slice->known_ns;
        begin_ns = begin_ns > track->begin_ns ? begin_ns : track->begin_ns;
        end_ns = end_ns < track->end_ns ? end_ns : track->end_ns;
        if (slice->track == track->id && slice->parent == SIZE_MAX)
            *covered_ns += part_of_cell(view, cell, track->id, begin_ns, end_ns);
    }
}
