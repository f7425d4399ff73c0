/* How long the frames of a domain were. */
#include "frame_percentiles.h"

#include <stdlib.h>

static uint32_t collect(const struct trace_domain *domain, const struct trace_span_list *spans,
                        struct trace_ranked *durations, int64_t *total_ns)
{
    uint32_t count = 0;
    uint32_t i;

    for (i = 0; i < domain->frame_count; i++) {
        const struct trace_frame *frame = &domain->frames[i];

        if (spans != NULL ? !trace_frame_is_complete_in(domain, i, spans)
                          : !trace_frame_is_complete(domain, i))
            continue;
        durations[count].value = frame[1].begin_ns - frame->begin_ns;
        durations[count].source = frame->number;
        *total_ns += durations[count].value;
        count++;
    }
    return count;
}

enum ludus_status trace_frame_percentiles_of(const struct trace_domain *domain,
                                             const struct trace_span_list *spans,
                                             struct trace_frame_percentiles *percentiles)
{
    static const uint32_t per_mille[TRACE_FRAME_RANKS] = {
        [TRACE_FRAME_MIN] = 0,    [TRACE_FRAME_P50] = 500, [TRACE_FRAME_P90] = 900,
        [TRACE_FRAME_P95] = 950,  [TRACE_FRAME_P99] = 990, [TRACE_FRAME_P999] = 999,
        [TRACE_FRAME_MAX] = 1000,
    };
    struct trace_ranked *durations;
    size_t rank;

    *percentiles = (struct trace_frame_percentiles){0};
    if (domain->frame_count == 0)
        return LUDUS_OK;
    durations = malloc(domain->frame_count * sizeof *durations);
    if (durations == NULL)
        return LUDUS_ERROR_MEMORY;
    percentiles->count = collect(domain, spans, durations, &percentiles->total_ns);
    if (percentiles->count > 0) {
        trace_ranked_sort(durations, percentiles->count);
        for (rank = 0; rank < TRACE_FRAME_RANKS; rank++)
            percentiles->ranks[rank] =
                trace_ranked_at(durations, percentiles->count, per_mille[rank]);
    }
    free(durations);
    return LUDUS_OK;
}

uint32_t trace_frames_reaching(const struct trace_domain *domain,
                               const struct trace_span_list *spans, int64_t last_end_ns)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < domain->frame_count; i++) {
        int64_t from_ns = INT64_MIN, until_ns = INT64_MAX;
        int64_t begin_ns = domain->frames[i].begin_ns;
        int64_t end_ns = i + 1 < domain->frame_count ? domain->frames[i + 1].begin_ns : last_end_ns;
        count += trace_span_list_contains(spans, begin_ns, &from_ns, &until_ns) ||
                 trace_span_list_overlap(spans, begin_ns, end_ns) > 0;
    }
    return count;
}
