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

/* Makes the memos those of a group and cell. */
static void prepare_memos(struct trace_nesting *nesting, const struct trace_track_group *group,
                          uint32_t cell)
{
    if (nesting->memo_group == group && nesting->memo_cell == cell)
        return;
    nesting->memo_group = group;
    nesting->memo_cell = cell;
    for (uint32_t i = 0; i < PATH_MEMOS; i++)
        nesting->memos[i].parent = TRACE_NONE;
}

/* Looks for a path and its sums the long way, and notes them. NULL when one is not there yet. */
static struct path_memo *find_memo(struct trace_nesting *nesting, struct path_memo *memo,
                                   uint32_t parent, uint32_t site)
{
    uint32_t path = trace_path_tree_find(&nesting->paths, parent, site);
    struct trace_path_cell *sums =
        path == TRACE_NONE ? NULL
                           : trace_statistics_find_cell(&nesting->statistics, nesting->memo_group,
                                                        path, nesting->memo_cell);
    if (sums == NULL)
        return NULL;
    *memo = (struct path_memo){parent, site, path, sums};
    return memo;
}

uint32_t trace_slices_follow(struct trace_nesting *nesting, const struct lcap_events *events,
                             uint32_t track, uint32_t first, uint32_t end)
{
    struct track_state *state = &nesting->tracks[track];
    struct trace_track_counts *counts = &nesting->statistics.tracks[track];
    const uint32_t cells = counts->cells;
    const int64_t from_ns = counts->from_ns, until_ns = counts->until_ns;
    const uint16_t *symbols = events->symbols;
    const struct lcap_symbol *table = events->table;
    const int64_t *times = nesting->times;
    const uint32_t *sites = nesting->sites;
    struct open_slice *stack = state->stack;
    uint32_t depth = state->depth;
    uint64_t opened = 0;
    uint32_t i;
    prepare_memos(nesting, counts->group, (uint32_t)__builtin_ctz(cells));
    for (i = first; i < end; i++) {
        uint32_t symbol = symbols[i];
        int64_t time_ns = times[i];
        if (symbol == 0) {
            if (depth < 2) /* what a top-level slice covers is looked at elsewhere */
                break;
            const struct open_slice *slice = &stack[depth - 1];
            if ((slice->placed.cells & (slice->placed.cells - 1)) != 0)
                break;
            int64_t inclusive_ns = time_ns - slice->begin_ns;
            trace_path_cell_add(slice->placed.first, inclusive_ns,
                                inclusive_ns - slice->children_ns);
            depth--;
            stack[depth - 1].children_ns += inclusive_ns;
            continue;
        }
        if (table[symbol].kind != LCAP_EVENT_BEGIN || depth == state->capacity ||
            time_ns < from_ns || time_ns >= until_ns)
            break;
        uint32_t parent = depth == 0 ? 0 : stack[depth - 1].path;
        uint32_t site = sites[symbol];
        struct path_memo *memo = &nesting->memos[(parent * 37 + site) % PATH_MEMOS];
        if (memo->parent != parent || memo->site != site)
            memo = find_memo(nesting, memo, parent, site);
        if (memo == NULL)
            break;
        struct open_slice *slice = &stack[depth++];
        slice->begin_ns = time_ns;
        slice->children_ns = 0;
        slice->path = memo->path;
        slice->placed = (struct trace_placed){memo->sums, cells};
        opened++;
    }
    state->depth = depth;
    counts->opened += opened;
    return i;
}
