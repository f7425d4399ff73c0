/* Opens and closes slices on a track, and adds them to the sums of their paths. */
#include <stdlib.h>

#include "track_state.h"

static bool show_begin(struct trace_nesting *nesting, uint32_t track, uint32_t site,
                       struct open_slice *slice)
{
    const struct trace_visitor *visitor = nesting->visitor;
    if (visitor->begin != NULL && !nesting->is_of_own)
        nesting->shown =
            visitor->begin(visitor->context, nesting->model, track, site, slice->begin_ns);
    return nesting->shown == LUDUS_OK &&
           (visitor->slices == NULL || trace_batch_reserve_slot(&nesting->batch, &slice->slot));
}

/* The path of a site in the innermost slice. TRACE_NONE when there is no memory. */
static uint32_t find_path(struct trace_nesting *nesting, const struct track_state *state,
                          uint32_t site)
{
    uint32_t parent = state->depth == 0 ? 0 : state->stack[state->depth - 1].path;
    uint32_t path = trace_path_memos_find(&nesting->memos, &nesting->paths, parent, site);
    return path != TRACE_NONE ? path : trace_path_tree_enter(&nesting->paths, parent, site);
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
    uint32_t path = nesting->is_of_own ? site : find_path(nesting, state, site);
    struct trace_track_counts *counts = &nesting->statistics.tracks[track];
    struct open_slice *slice = &state->stack[state->depth];
    if (path == TRACE_NONE ||
        !trace_statistics_place(&nesting->statistics, counts, path, begin_ns, &slice->placed))
        return false;
    slice->begin_ns = begin_ns;
    slice->children_ns = 0;
    slice->slice_id = ++nesting->next_slice;
    slice->path = path;
    slice->frame = counts->frame;
    slice->slot = TRACE_NONE;
    state->depth++;
    if (nesting->is_of_own)
        trace_slice_place_own(nesting, track, slice);
    return nesting->visitor == NULL || show_begin(nesting, track, site, slice);
}

static bool show(struct trace_nesting *nesting, uint32_t track, const struct open_slice *open,
                 int64_t known_ns, int64_t exclusive_ns, bool is_incomplete, bool has_lost)
{
    if (nesting->visitor == NULL)
        return true;
    if (nesting->is_of_own) {
        for (uint32_t i = 0; i < 2; i++)
            if (open->own[i] != NULL)
                trace_own_sums_add(open->own[i], exclusive_ns >= 0 ? exclusive_ns : 0, 1);
        return true;
    }
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

/* Counts the slice that was the track's innermost one. */
static bool count(struct trace_nesting *nesting, uint32_t track, const struct open_slice *open,
                  const struct trace_closed *closed, bool *has_lost)
{
    struct trace_model *model = nesting->model;
    bool is_done = true;
    if (nesting->statistics.plan->is_without_sums) {
        const struct trace_track_losses *losses = &nesting->statistics.tracks[track].group->losses;
        *has_lost = !trace_track_losses_are_none(losses) &&
                    trace_track_losses_overlap(losses, closed->begin_ns,
                                               closed->begin_ns + closed->known_ns);
        return true;
    }
    *has_lost = trace_statistics_close(&nesting->statistics, &nesting->statistics.tracks[track],
                                       &open->placed, closed, &is_done);
    /* It began before the window of the capture: its time is not the window's, of which sums tell.
     */
    model->slices_begun_before += model->has_window && open->begin_ns < model->window_begin_ns;
    return is_done;
}

bool trace_slice_close(struct trace_nesting *nesting, uint32_t track, int64_t end_ns)
{
    struct track_state *state = &nesting->tracks[track];
    const struct open_slice *open = &state->stack[--state->depth];
    struct trace_closed closed = {.begin_ns = open->begin_ns,
                                  .known_ns = end_ns - open->begin_ns,
                                  .exclusive_ns = end_ns - open->begin_ns - open->children_ns,
                                  .track = track,
                                  .path = open->path,
                                  .is_top_level = state->depth == 0};
    bool has_lost;
    if (!count(nesting, track, open, &closed, &has_lost))
        return false;
    if (state->depth != 0)
        state->stack[state->depth - 1].children_ns += closed.known_ns;
    return show(nesting, track, open, closed.known_ns, has_lost ? -1 : closed.exclusive_ns, false,
                has_lost);
}

bool trace_slice_abandon(struct trace_nesting *nesting, uint32_t track, int64_t known_end_ns)
{
    struct track_state *state = &nesting->tracks[track];
    const struct open_slice *open = &state->stack[--state->depth];
    int64_t known_ns = known_end_ns > open->begin_ns ? known_end_ns - open->begin_ns : 0;
    struct trace_closed closed = {.begin_ns = open->begin_ns,
                                  .known_ns = known_ns,
                                  .track = track,
                                  .path = open->path,
                                  .is_incomplete = true,
                                  .is_top_level = state->depth == 0};
    bool has_lost;
    if (!count(nesting, track, open, &closed, &has_lost))
        return false;
    nesting->model->tracks[track].incomplete++;
    if (state->depth != 0)
        state->stack[state->depth - 1].children_ns += known_ns;
    return show(nesting, track, open, known_ns, -1, true, has_lost);
}
