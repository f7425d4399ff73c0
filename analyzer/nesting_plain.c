/* The walk of a pass that only adds up: what nearly all events of nearly all captures take, with
 * all that it needs at hand. Whatever is rarer is left to nesting_slices.c. */
#include "track_state.h"

bool trace_slices_are_plain(const struct trace_nesting *nesting, uint32_t track)
{
    return nesting->visitor == NULL && nesting->statistics.is_plain &&
           nesting->statistics.tracks[track].group->losses.count == 0;
}

/* The sums of a path in a group that has them; NULL otherwise. */
static inline struct trace_path_cell *find_sums(const struct trace_track_group *group,
                                                uint32_t path, uint32_t cell_count)
{
    uint32_t page = path / TRACE_PAGE_PATHS;
    if (page >= group->page_count || group->pages[page] == NULL)
        return NULL;
    return group->pages[page] + (size_t)(path % TRACE_PAGE_PATHS) * cell_count;
}

static inline void add(const struct trace_placed *placed, int64_t inclusive_ns,
                       int64_t exclusive_ns)
{
    for (uint32_t left = placed->cells; left != 0; left &= left - 1)
        trace_path_cell_add(&placed->sums[__builtin_ctz(left)], inclusive_ns, exclusive_ns);
}

uint32_t trace_slices_follow(struct trace_nesting *nesting, const struct lcap_events *events,
                             uint32_t track, uint32_t first, uint32_t end)
{
    struct track_state *state = &nesting->tracks[track];
    struct trace_track_counts *counts = &nesting->statistics.tracks[track];
    const struct trace_track_group *group = counts->group;
    const struct trace_path_tree paths = nesting->paths;
    const uint32_t cell_count = nesting->statistics.cell_count;
    const uint32_t cells = counts->cells;
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
            const struct open_slice *slice = &stack[--depth];
            int64_t inclusive_ns = time_ns - slice->begin_ns;
            add(&slice->placed, inclusive_ns, inclusive_ns - slice->children_ns);
            stack[depth - 1].children_ns += inclusive_ns;
            path = stack[depth - 1].path;
            continue;
        }
        if (events->table[symbol].kind != LCAP_EVENT_BEGIN || depth == state->capacity ||
            time_ns < from_ns || time_ns >= until_ns)
            break;
        uint32_t child = trace_path_tree_find(&paths, path, sites[symbol]);
        struct trace_path_cell *sums =
            child == TRACE_NONE ? NULL : find_sums(group, child, cell_count);
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
