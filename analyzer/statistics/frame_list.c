/* Collects the complete frames of windows. */
#include "frame_list.h"

#include <stdlib.h>

#include "frame_percentiles.h"

/* Which windows a frame lies in. */
static uint32_t windows_of(const struct trace_pass_plan *plan, int64_t begin_ns, int64_t end_ns)
{
    uint32_t flags = 0;
    for (uint32_t w = 0; w < plan->windows.count; w++)
        if (trace_span_list_covers(&plan->windows.items[w].spans, begin_ns, end_ns))
            flags |= 1u << w;
    return flags;
}

static void collect(struct trace_frame_list *list, const struct trace_pass_plan *plan,
                    const struct trace_track_losses *losses, uint32_t asked)
{
    const struct trace_domain *domain = list->domain;
    for (uint32_t i = 0; i < domain->frame_count; i++) {
        list->columns[i] = TRACE_NONE;
        if (!trace_frame_is_complete(domain, i))
            continue;
        int64_t begin_ns = domain->frames[i].begin_ns, end_ns = domain->frames[i + 1].begin_ns;
        uint32_t flags = windows_of(plan, begin_ns, end_ns);
        if (i == asked)
            flags |= TRACE_FRAME_ASKED;
        if (flags == 0)
            continue;
        if (trace_track_losses_overlap(losses, begin_ns, end_ns - 1))
            flags |= TRACE_FRAME_LOST;
        else
            list->lossless |= flags;
        list->columns[i] = list->count;
        list->flags[list->count] = flags;
        list->frames[list->count++] = i;
    }
}

bool trace_frame_list_create(struct trace_frame_list *list, const struct trace_model *model,
                             const struct trace_pass_plan *plan, uint32_t asked)
{
    struct trace_track_losses losses;
    *list = (struct trace_frame_list){0};
    if (!trace_track_losses_create_all(model, plan->tracks, plan->track_count, &losses))
        return false;
    bool is_done = trace_frame_list_create_of(list, model, plan, &losses, asked);
    trace_track_losses_destroy(&losses);
    return is_done;
}

bool trace_frame_list_create_of(struct trace_frame_list *list, const struct trace_model *model,
                                const struct trace_pass_plan *plan,
                                const struct trace_track_losses *losses, uint32_t asked)
{
    *list = (struct trace_frame_list){.domain = &model->domains[plan->domain]};
    size_t most = (size_t)list->domain->frame_count + 1;
    list->frames = malloc(most * sizeof *list->frames);
    list->columns = malloc(most * sizeof *list->columns);
    list->flags = malloc(most * sizeof *list->flags);
    if (list->frames == NULL || list->columns == NULL || list->flags == NULL)
        return false;
    collect(list, plan, losses, asked);
    return true;
}

void trace_frame_list_destroy(struct trace_frame_list *list)
{
    free(list->frames);
    free(list->columns);
    free(list->flags);
    *list = (struct trace_frame_list){0};
}
