/* Follows the events of a live look's window: nesting finds slices and values, and of these the
 * parts that lie in the window are added up by site. */
#include <stdlib.h>

#include "failure.h"
#include "live.h"
#include "nesting.h"

/* An open scope. */
struct live_scope {
    int64_t children_ns; /* parts in the window of its finished direct children */
};

struct live_stack {
    struct live_scope *scopes;
    uint32_t depth;
    uint32_t most; /* so far */
};

struct live_pass {
    struct trace_live *live;
    struct live_stack *stacks; /* parallel to the model's tracks */
    uint32_t stack_count;
};

static struct trace_live_site *site_of(struct trace_live *live, uint32_t site)
{
    while (live->site_count <= site) {
        if (!trace_array_grow(&live->sites, live->site_count, sizeof *live->sites))
            return NULL;
        live->sites[live->site_count++] = (struct trace_live_site){0};
    }
    return &live->sites[site];
}

static struct live_stack *stack_of(struct live_pass *pass, uint32_t track)
{
    while (pass->stack_count <= track) {
        if (!trace_array_grow(&pass->stacks, pass->stack_count, sizeof *pass->stacks))
            return NULL;
        pass->stacks[pass->stack_count++] = (struct live_stack){0};
    }
    return &pass->stacks[track];
}

static enum ludus_status begin_slice(void *context, const struct trace_model *model, uint32_t track,
                                     uint32_t site, int64_t begin_ns)
{
    struct live_pass *pass = context;
    struct live_stack *stack = stack_of(pass, track);
    struct trace_live_site *sums = site_of(pass->live, site);
    (void)model;
    if (stack == NULL || sums == NULL)
        return LUDUS_ERROR_MEMORY;
    if (stack->depth == stack->most &&
        !trace_array_grow(&stack->scopes, stack->most++, sizeof *stack->scopes))
        return LUDUS_ERROR_MEMORY;
    stack->scopes[stack->depth++] = (struct live_scope){0};
    sums->calls += begin_ns >= pass->live->begin_ns;
    return LUDUS_OK;
}

/* The part of a slice that lies in the window; it has none before it. */
static int64_t part_of(const struct trace_live *live, const struct trace_slice *slice)
{
    int64_t end_ns = slice->begin_ns + slice->known_ns;
    int64_t begin_ns = slice->begin_ns > live->begin_ns ? slice->begin_ns : live->begin_ns;
    return end_ns > begin_ns ? end_ns - begin_ns : 0;
}

static enum ludus_status end_slice(void *context, const struct trace_model *model,
                                   const struct trace_slice *slice)
{
    struct live_pass *pass = context;
    const struct trace_live *live = pass->live;
    const struct trace_path *path = &model->paths[slice->path];
    struct live_stack *stack = &pass->stacks[slice->track];
    struct trace_live_site *sums = &live->sites[path->site];
    const struct live_scope scope = stack->scopes[--stack->depth];
    int64_t part_ns = part_of(live, slice);
    if (stack->depth != 0)
        stack->scopes[stack->depth - 1].children_ns += part_ns;
    if (slice->begin_ns + slice->known_ns < live->begin_ns)
        return LUDUS_OK;
    sums->slices++;
    sums->open += slice->is_incomplete;
    if (path->is_outermost)
        sums->inclusive_ns = trace_sum(sums->inclusive_ns, part_ns);
    if (slice->has_children_lost) {
        sums->children_lost++;
        return LUDUS_OK;
    }
    bool is_whole = slice->begin_ns >= live->begin_ns && !slice->is_incomplete;
    sums->exclusive_calls++;
    sums->exclusive_ns =
        trace_sum(sums->exclusive_ns, is_whole ? slice->exclusive_ns : part_ns - scope.children_ns);
    return LUDUS_OK;
}

static void add_count(const struct trace_live *live, struct trace_live_site *sums,
                      const struct trace_value *value)
{
    /* What an event tells whose predecessor is not known was counted before the window. */
    if (!value->is_time_known)
        return;
    sums->counts++;
    sums->total = (int64_t)((uint64_t)sums->total + value->bits);
    if (value->time_ns >= live->first_mark_ns && value->time_ns < live->last_mark_ns)
        sums->total_in_frames = (int64_t)((uint64_t)sums->total_in_frames + value->bits);
}

static enum ludus_status add_values(void *context, const struct trace_model *model,
                                    const struct trace_value *values, size_t count)
{
    struct live_pass *pass = context;
    (void)model;
    for (size_t i = 0; i < count; i++) {
        const struct trace_value *value = &values[i];
        if (value->site == TRACE_NONE || value->time_ns < pass->live->begin_ns)
            continue;
        struct trace_live_site *sums = site_of(pass->live, value->site);
        if (sums == NULL)
            return LUDUS_ERROR_MEMORY;
        if (value->kind == LCAP_EVENT_COUNT)
            add_count(pass->live, sums, value);
        if (value->kind != LCAP_EVENT_GAUGE)
            continue;
        if (sums->gauges == 0 || value->time_ns >= sums->gauge_ns) {
            sums->gauge_ns = value->time_ns;
            sums->gauge_bits = value->bits;
        }
        sums->gauges++;
    }
    return LUDUS_OK;
}

static enum ludus_status add_blocks(struct live_pass *pass, struct trace_nesting *nesting)
{
    const struct trace_live_blocks *blocks = &pass->live->blocks;
    enum ludus_status status = LUDUS_OK;
    for (uint32_t i = blocks->first; status == LUDUS_OK && i < blocks->count; i++)
        status = trace_nesting_add(nesting, blocks->items[i].events);
    return status == LUDUS_OK ? trace_nesting_finish(nesting) : status;
}

enum ludus_status trace_live_follow_events(struct trace_live *live, struct ludus_error *error)
{
    struct live_pass pass = {.live = live};
    const struct trace_visitor visitor = {
        .context = &pass, .values = add_values, .begin = begin_slice, .end = end_slice};
    struct trace_nesting *nesting;
    live->site_count = 0;
    enum ludus_status status = trace_nesting_create(live->capture, NULL, &visitor, &nesting);
    if (status == LUDUS_OK)
        status = add_blocks(&pass, nesting);
    if (status == LUDUS_OK && live->capture->model->site_count != 0 &&
        site_of(live, live->capture->model->site_count - 1) == NULL)
        status = LUDUS_ERROR_MEMORY;
    trace_nesting_destroy(nesting);
    for (uint32_t i = 0; i < pass.stack_count; i++)
        free(pass.stacks[i].scopes);
    free(pass.stacks);
    return status == LUDUS_OK ? LUDUS_OK : trace_fail_memory(error);
}
