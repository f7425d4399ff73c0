/* Finds the frame and the windows of a submission. */
#include "gpu_places.h"

#include "frame_percentiles.h"
#include "frame_table.h"

static const struct trace_domain *domain_of(const struct trace_gpu_places *places)
{
    return places->plan->domain == TRACE_NONE ? NULL
                                              : &places->model->domains[places->plan->domain];
}

struct trace_gpu_places trace_gpu_places_of(const struct trace_model *model,
                                            const struct trace_pass_plan *plan)
{
    struct trace_gpu_places places = {.model = model, .plan = plan};
    const struct trace_domain *domain = domain_of(&places);
    for (uint32_t w = 0; domain != NULL && w < plan->windows.count; w++)
        for (uint32_t i = 0; i < domain->frame_count; i++)
            if (trace_frame_is_complete_in(domain, i, &plan->windows.items[w].spans)) {
                places.with_frames |= 1u << w;
                break;
            }
    return places;
}

static bool is_in(const struct trace_span_list *spans, int64_t time_ns)
{
    int64_t from_ns = INT64_MIN, until_ns = INT64_MAX;
    return trace_span_list_contains(spans, time_ns, &from_ns, &until_ns);
}

static struct trace_gpu_place find(const struct trace_gpu_places *places, int64_t submit_ns)
{
    const struct trace_domain *domain = domain_of(places);
    struct trace_gpu_place place = {.frame = TRACE_NONE};
    if (places->model->has_window && submit_ns < places->model->window_begin_ns)
        return place;
    if (domain != NULL)
        place.frame = trace_frame_table_find(domain, submit_ns);
    for (uint32_t w = 0; w < places->plan->windows.count; w++) {
        const struct trace_span_list *spans = &places->plan->windows.items[w].spans;
        const uint32_t bit = 1u << w;
        if ((places->with_frames & bit) == 0)
            place.windows |= is_in(spans, submit_ns) ? bit : 0;
        else if (place.frame != TRACE_NONE &&
                 trace_frame_is_complete_in(domain, place.frame, spans))
            place.windows |= bit;
        else
            place.outside |= is_in(spans, submit_ns) ? bit : 0;
    }
    return place;
}

struct trace_gpu_place trace_gpu_place_at(struct trace_gpu_places *places, int64_t submit_ns)
{
    /* The passes of a frame were submitted together. */
    if (!places->has_last || places->last_ns != submit_ns) {
        places->last = find(places, submit_ns);
        places->last_ns = submit_ns;
        places->has_last = true;
    }
    return places->last;
}
