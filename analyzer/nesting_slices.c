/* Opens and closes slices on a track, and adds them to the sums of their paths. */
#include <stdlib.h>

#include "frame_table.h"
#include "track_state.h"

/* Frames of the default domain that the track lies in, moving forward; a time before the cursor is
 * looked up. */
static uint32_t find_frame(const struct trace_nesting *nesting, struct track_state *state,
                           int64_t time_ns)
{
    if (nesting->model->domain_count == 0)
        return TRACE_NONE;
    const struct trace_domain *domain = &nesting->model->domains[0];
    if (domain->frame_count == 0 || time_ns < domain->frames[0].begin_ns)
        return TRACE_NONE;
    if (time_ns < domain->frames[state->frame].begin_ns)
        return trace_frame_table_find(domain, time_ns);
    while (state->frame + 1 < domain->frame_count &&
           domain->frames[state->frame + 1].begin_ns <= time_ns)
        state->frame++;
    return state->frame;
}

static enum trace_window_kind find_window(struct track_state *state, int64_t begin_ns)
{
    const struct trace_frame_spans *spans = &state->group->spans;
    uint32_t cursor = state->begin_span;
    bool is_behind = cursor != 0 && begin_ns < spans->spans[cursor - 1].end_ns;
    if (is_behind)
        cursor = 0;
    bool is_inside = trace_frame_spans_contain(spans, &cursor, begin_ns);
    if (!is_behind)
        state->begin_span = cursor;
    return is_inside ? TRACE_WINDOW_FRAMES : TRACE_WINDOW_OUTSIDE;
}

void trace_track_move(const struct trace_nesting *nesting, struct track_state *state,
                      int64_t time_ns)
{
    /* A frame counts as a whole or not at all: the window changes only where the frame does. */
    struct track_place *place = &state->place;
    place->frame = find_frame(nesting, state, time_ns);
    place->window = find_window(state, time_ns);
    place->from_ns = INT64_MIN;
    place->until_ns = INT64_MAX;
    if (nesting->model->domain_count == 0)
        return;
    const struct trace_domain *domain = &nesting->model->domains[0];
    uint32_t next = place->frame == TRACE_NONE ? 0 : place->frame + 1;
    if (place->frame != TRACE_NONE)
        place->from_ns = domain->frames[place->frame].begin_ns;
    if (next < domain->frame_count)
        place->until_ns = domain->frames[next].begin_ns;
}

static bool reserve_sums(struct track_group *group, uint32_t path)
{
    if (path < group->sums_count)
        return true;
    uint32_t count = path + path / 2 + 64;
    struct path_sums *larger = realloc(group->sums, count * sizeof *larger);
    if (larger == NULL)
        return false;
    for (uint32_t i = group->sums_count; i < count; i++)
        larger[i] = (struct path_sums){0};
    group->sums = larger;
    group->sums_count = count;
    return true;
}

static bool show_begin(struct trace_nesting *nesting, uint32_t track, uint32_t site,
                       struct open_slice *slice)
{
    const struct trace_visitor *visitor = nesting->visitor;
    if (visitor->begin != NULL)
        nesting->shown =
            visitor->begin(visitor->context, nesting->model, track, site, slice->begin_ns);
    return nesting->shown == LUDUS_OK &&
           (visitor->slices == NULL || trace_batch_reserve_slot(&nesting->batch, &slice->slot));
}

bool trace_slice_open(struct trace_nesting *nesting, uint32_t track, uint32_t site,
                      int64_t begin_ns)
{
    struct track_state *state = &nesting->tracks[track];
    if (state->depth == state->capacity) {
        uint32_t capacity = state->capacity == 0 ? 32 : state->capacity * 2;
        struct open_slice *larger = realloc(state->stack, capacity * sizeof *larger);
        if (larger == NULL)
            return false;
        state->stack = larger;
        state->capacity = capacity;
    }
    uint32_t parent = state->depth == 0 ? 0 : state->stack[state->depth - 1].path;
    uint32_t path = trace_path_tree_find(&nesting->paths, parent, site);
    if (path == TRACE_NONE)
        path = trace_path_tree_enter(&nesting->paths, parent, site);
    if (path == TRACE_NONE || !reserve_sums(state->group, path))
        return false;
    const struct track_place *place = trace_track_place(nesting, state, begin_ns);
    struct open_slice *slice = &state->stack[state->depth];
    *slice = (struct open_slice){.begin_ns = begin_ns,
                                 .slice_id = ++nesting->next_slice,
                                 .path = path,
                                 .frame = place->frame,
                                 .slot = TRACE_NONE,
                                 .window = place->window};
    state->depth++;
    return nesting->visitor == NULL || show_begin(nesting, track, site, slice);
}

static bool show(struct trace_nesting *nesting, uint32_t track, const struct open_slice *open,
                 int64_t known_ns, int64_t exclusive_ns, bool is_incomplete, bool has_lost)
{
    if (nesting->visitor == NULL)
        return true;
    const struct track_state *state = &nesting->tracks[track];
    struct trace_slice slice = {.slice_id = open->slice_id,
                                .parent_id =
                                    state->depth == 0 ? 0 : state->stack[state->depth - 1].slice_id,
                                .begin_ns = open->begin_ns,
                                .duration_ns = is_incomplete ? -1 : known_ns,
                                .known_ns = known_ns,
                                .exclusive_ns = exclusive_ns,
                                .track = track,
                                .path = open->path,
                                .frame = open->frame,
                                .is_incomplete = is_incomplete,
                                .has_children_lost = has_lost};
    const struct trace_visitor *visitor = nesting->visitor;
    if (visitor->end != NULL)
        nesting->shown = visitor->end(visitor->context, nesting->model, &slice);
    if (nesting->shown != LUDUS_OK)
        return false;
    if (visitor->slices == NULL)
        return true;
    if (open->slot == TRACE_NONE)
        return trace_batch_add_carried(&nesting->batch, &slice);
    nesting->batch.slices[open->slot] = slice;
    return true;
}

/* What a top-level slice covers of the frames of its track. */
static void cover(struct trace_nesting *nesting, uint32_t track, int64_t begin_ns, int64_t end_ns)
{
    struct track_state *state = &nesting->tracks[track];
    const struct trace_track *facts = &nesting->model->tracks[track];
    begin_ns = begin_ns > facts->begin_ns ? begin_ns : facts->begin_ns;
    end_ns = end_ns < facts->end_ns ? end_ns : facts->end_ns;
    if (end_ns > begin_ns)
        nesting->model->tracks[track].covered_ns +=
            trace_frame_spans_overlap(&state->group->spans, &state->cover_span, begin_ns, end_ns);
}

/* Whether the slice began before the window of the capture: its time is not the window's, of which
 * sums tell. */
static bool note_begun_before(struct trace_model *model, const struct open_slice *open)
{
    bool is_begun_before = model->has_window && open->begin_ns < model->window_begin_ns;
    model->slices_begun_before += is_begun_before;
    return is_begun_before;
}

bool trace_slice_close(struct trace_nesting *nesting, uint32_t track, int64_t end_ns)
{
    struct track_state *state = &nesting->tracks[track];
    const struct open_slice *open = &state->stack[--state->depth];
    int64_t duration_ns = end_ns - open->begin_ns;
    int64_t exclusive_ns = duration_ns - open->children_ns;
    struct path_sums *path = &state->group->sums[open->path];
    struct trace_sums *sums = &path->windows[open->window];
    bool is_begun_before = note_begun_before(nesting->model, open);
    bool has_lost = state->group->losses.count != 0 &&
                    trace_track_losses_overlap(&state->group->losses, open->begin_ns, end_ns);
    sums->calls++;
    path->begun_before += is_begun_before;
    if (!is_begun_before)
        sums->inclusive_ns = trace_sum(sums->inclusive_ns, duration_ns);
    if (has_lost) {
        sums->children_lost++;
        exclusive_ns = -1;
    } else if (!is_begun_before) {
        sums->exclusive_calls++;
        sums->exclusive_ns = trace_sum(sums->exclusive_ns, exclusive_ns);
    }
    nesting->model->tracks[track].slices++;
    if (state->depth != 0)
        state->stack[state->depth - 1].children_ns += duration_ns;
    else
        cover(nesting, track, open->begin_ns, end_ns);
    return show(nesting, track, open, duration_ns, exclusive_ns, false, has_lost);
}

bool trace_slice_abandon(struct trace_nesting *nesting, uint32_t track, int64_t known_end_ns)
{
    struct track_state *state = &nesting->tracks[track];
    const struct open_slice *open = &state->stack[--state->depth];
    int64_t known_ns = known_end_ns > open->begin_ns ? known_end_ns - open->begin_ns : 0;
    struct trace_sums *sums = &state->group->sums[open->path].windows[open->window];
    bool has_lost = trace_track_losses_overlap(&state->group->losses, open->begin_ns,
                                               open->begin_ns + known_ns);
    (void)note_begun_before(nesting->model, open);
    sums->calls++;
    sums->incomplete++;
    sums->children_lost += has_lost;
    nesting->model->tracks[track].slices++;
    nesting->model->tracks[track].incomplete++;
    if (state->depth != 0)
        state->stack[state->depth - 1].children_ns += known_ns;
    else
        cover(nesting, track, open->begin_ns, open->begin_ns + known_ns);
    return show(nesting, track, open, known_ns, -1, true, has_lost);
}
