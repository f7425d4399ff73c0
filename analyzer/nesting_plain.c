/* The walk of a pass that only adds up: what nearly all events of nearly all captures take, with
 * all that it needs at hand. Whatever is rarer is left to nesting_slices.c. */
#include "track_state.h"

bool trace_slices_are_plain(const struct trace_nesting *nesting, uint32_t track)
{
    const struct trace_track_counts *counts = &nesting->statistics.tracks[track];
    return nesting->visitor == NULL && nesting->statistics.is_plain &&
           counts->group->losses.count == 0 && counts->cells != 0 &&
           (counts->cells & (counts->cells - 1)) == 0;
}

uint32_t trace_slices_follow(struct trace_nesting *nesting, const struct lcap_events *events,
                             uint32_t track, uint32_t first, uint32_t end)
{
    struct track_state *state = &nesting->tracks[track];
    struct trace_track_counts *counts = &nesting->statistics.tracks[track];
    const struct trace_track_group *group = counts->group;
    const struct trace_path_tree paths = nesting->paths;
    const uint32_t cells = counts->cells;
    const uint32_t cell = (uint32_t)__builtin_ctz(cells);
    const int64_t from_ns = counts->from_ns, until_ns = counts->until_ns;
    const uint16_t *symbols = events->symbols;
    const int64_t *times = nesting->times;
    const uint32_t *sites = nesting->sites;
    struct open_slice *stack = state->stack;
    uint32_t depth = state->depth;
    uint32_t path = depth == 0 ? 0 : stack[depth - 1].path;
    uint64_t opened = 0;
    uint32_t i;
    for (i = first; i < end; i++) {
        uint32_t symbol = symbols[i];
        int64_t time_ns = times[i];
        if (symbol == 0) {
            if (depth < 2) /* what a top-level slice covers is looked at elsewhere */
                break;
            const struct open_slice *slice = &stack[depth - 1];
            if ((slice->placed.cells & (slice->placed.cells - 1)) != 0)
                break;
            depth--;
            int64_t inclusive_ns = time_ns - slice->begin_ns;
            trace_path_cell_add(slice->placed.first, inclusive_ns,
                                inclusive_ns - slice->children_ns);
            stack[depth - 1].children_ns += inclusive_ns;
            path = stack[depth - 1].path;
            continue;
        }
        if (events->table[symbol].kind != LCAP_EVENT_BEGIN || depth == state->capacity ||
            time_ns < from_ns || time_ns >= until_ns)
            break;
        uint32_t child = trace_path_tree_find(&paths, path, sites[symbol]);
        struct trace_path_cell *sums =
            child == TRACE_NONE
                ? NULL
                : trace_statistics_find_cell(&nesting->statistics, group, child, cell);
        if (sums == NULL)
            break;
        path = child;
        opened++;
        stack[depth++] = (struct open_slice){.begin_ns = time_ns,
                                             .path = path,
                                             .frame = counts->frame,
                                             .slot = TRACE_NONE,
                                             .placed = {sums, cells}};
    }
    state->depth = depth;
    counts->opened += opened;
    nesting->next_slice += opened; /* nobody is shown which number is whose */
    return i;
}
