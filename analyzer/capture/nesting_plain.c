/* The walk of a pass that only adds up: what nearly all events of nearly all captures take, with
 * all that it needs at hand. Whatever is rarer is left to nesting_slices.c. */
#include "track_state.h"

bool trace_slices_are_plain(const struct trace_nesting *nesting, uint32_t track)
{
    const struct trace_track_counts *counts = &nesting->statistics.tracks[track];
    return nesting->visitor == NULL && nesting->statistics.is_plain &&
           trace_track_losses_are_none(&counts->group->losses) && counts->cells != 0 &&
           (counts->cells & (counts->cells - 1)) == 0;
}

/* The sums that are looked in: those of a cell. */
struct plain_sums {
    const struct trace_path_sums *sums;
    const struct trace_path_page *pages;
    uint32_t last_page; /* place */
    uint32_t shift, cell;
};

/* The sums of a path, NULL when there are none yet. Mostly its page is where it should be. */
static inline struct trace_path_cell *find_sums(const struct plain_sums *in, uint32_t path)
{
    uint32_t number = path >> in->shift;
    const struct trace_path_page *page = &in->pages[number & in->last_page];
    if (page->cells == NULL || page->number != number)
        return trace_path_sums_find(in->sums, path, in->cell);
    return &page->cells[path & ((1u << in->shift) - 1)];
}

uint32_t trace_slices_follow(struct trace_nesting *nesting, const struct lcap_events *events,
                             uint32_t track, uint32_t first, uint32_t end)
{
    struct track_state *state = &nesting->tracks[track];
    struct trace_track_counts *counts = &nesting->statistics.tracks[track];
    const uint32_t cells = counts->cells, cell = (uint32_t)__builtin_ctz(cells);
    const int64_t from_ns = counts->from_ns, until_ns = counts->until_ns;
    const uint16_t *symbols = events->symbols;
    const int64_t *times = nesting->times;
    struct trace_path_memo *const *begins = nesting->begins;
    const uint32_t mask = trace_path_memos_mask(&nesting->memos);
    const struct trace_path_table *table = &counts->group->sums.tables[cell];
    const struct plain_sums in = {.sums = &counts->group->sums,
                                  .pages = table->pages,
                                  .last_page = table->capacity - 1,
                                  .shift = counts->group->sums.page_shift,
                                  .cell = cell};
    struct open_slice *stack = state->stack;
    uint32_t depth = state->depth, i;
    uint64_t opened = 0;
    if (table->capacity == 0)
        return first;
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
        struct trace_path_memo *pair = begins[symbol];
        if (pair == NULL || depth == state->capacity || time_ns < from_ns || time_ns >= until_ns)
            break;
        uint32_t parent = depth == 0 ? 0 : stack[depth - 1].path;
        pair = trace_path_memos_pair(pair, mask, parent);
        uint32_t path = trace_path_memos_look(pair, parent);
        if (path == TRACE_NONE) {
            path = trace_path_memos_search(pair, &nesting->paths, parent, nesting->sites[symbol]);
            if (path == TRACE_NONE)
                break;
        }
        struct trace_path_cell *sums = find_sums(&in, path);
        if (sums == NULL)
            break;
        struct open_slice *slice = &stack[depth++];
        slice->begin_ns = time_ns;
        slice->children_ns = 0;
        slice->path = path;
        slice->placed = (struct trace_placed){sums, cells};
        opened++;
    }
    state->depth = depth;
    counts->opened += opened;
    return i;
}
