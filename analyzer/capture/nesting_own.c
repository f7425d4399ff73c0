/* The walk of a pass that adds up own times by site and frame: nobody is shown a slice, and no path
 * is needed. Whatever is rarer is left to nesting_slices.c. */
#include "track_state.h"

/* Where those count that begin where the track is. */
static struct trace_own_target target_of(const struct trace_nesting *nesting, uint32_t track)
{
    uint32_t frame = nesting->statistics.tracks[track].frame;
    struct trace_own_target target = {0};
    if (frame != TRACE_NONE)
        nesting->visitor->own(nesting->visitor->context, track, frame, &target);
    return target;
}

void trace_slice_place_own(struct trace_nesting *nesting, uint32_t track, struct open_slice *slice)
{
    struct trace_own_target target = target_of(nesting, track);
    trace_own_target_find(&target, slice->path, slice->own);
}

uint32_t trace_slices_follow_own(struct trace_nesting *nesting, const struct lcap_events *events,
                                 uint32_t track, uint32_t first, uint32_t end)
{
    struct track_state *state = &nesting->tracks[track];
    const struct trace_track_counts *counts = &nesting->statistics.tracks[track];
    const int64_t from_ns = counts->from_ns, until_ns = counts->until_ns;
    const uint16_t *symbols = events->symbols;
    const int64_t *times = nesting->times;
    struct open_slice *stack = state->stack;
    uint32_t depth = state->depth, i;
    if (!trace_track_losses_are_none(&counts->group->losses) || from_ns > until_ns)
        return first;
    const struct trace_own_target target = target_of(nesting, track);
    for (i = first; i < end; i++) {
        uint32_t symbol = symbols[i];
        int64_t time_ns = times[i];
        if (symbol == 0) {
            if (depth == 0)
                break;
            const struct open_slice *slice = &stack[--depth];
            int64_t inclusive_ns = time_ns - slice->begin_ns;
            int64_t own_ns = inclusive_ns - slice->children_ns;
            if (slice->own[0] != NULL)
                trace_own_sums_add(slice->own[0], own_ns, 1);
            if (slice->own[1] != NULL)
                trace_own_sums_add(slice->own[1], own_ns, 1);
            if (depth != 0)
                stack[depth - 1].children_ns += inclusive_ns;
            continue;
        }
        if (nesting->begins[symbol] == NULL || depth == state->capacity || time_ns < from_ns ||
            time_ns >= until_ns)
            break;
        struct open_slice *slice = &stack[depth++];
        slice->begin_ns = time_ns;
        slice->children_ns = 0;
        slice->path = nesting->sites[symbol];
        trace_own_target_find(&target, slice->path, slice->own);
    }
    state->depth = depth;
    return i;
}
