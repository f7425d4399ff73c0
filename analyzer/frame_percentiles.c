/* How long the frames of a domain were. */
#include "frame_percentiles.h"

#include <stdlib.h>

static int compare_durations(const void *left, const void *right)
{
    const struct trace_frame_duration *a = left;
    const struct trace_frame_duration *b = right;

    if (a->duration_ns != b->duration_ns)
        return a->duration_ns < b->duration_ns ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static uint32_t collect(const struct trace_domain *domain, struct trace_frame_duration *durations,
                        int64_t *total_ns)
{
    uint32_t count = 0;
    uint32_t i;

    for (i = 0; i < domain->frame_count; i++) {
        const struct trace_frame *frame = &domain->frames[i];

        if (!trace_frame_is_complete(domain, i))
            continue;
        durations[count].duration_ns = frame[1].begin_ns - frame->begin_ns;
        durations[count].number = frame->number;
        *total_ns += durations[count].duration_ns;
        count++;
    }
    return count;
}

/* The smallest value that at least `per_mille` of all values do not exceed; of its equals, the
 * first. */
static struct trace_frame_duration nearest_rank(const struct trace_frame_duration *sorted,
                                                uint32_t count, uint32_t per_mille)
{
    uint64_t rank = ((uint64_t)count * per_mille + 999) / 1000;
    uint64_t index = rank > 0 ? rank - 1 : 0;

    while (index > 0 && sorted[index - 1].duration_ns == sorted[index].duration_ns)
        index--;
    return sorted[index];
}

enum ludus_status trace_frame_percentiles_of(const struct trace_domain *domain,
                                             struct trace_frame_percentiles *percentiles)
{
    static const uint32_t per_mille[TRACE_FRAME_RANKS] = {
        [TRACE_FRAME_MIN] = 0,    [TRACE_FRAME_P50] = 500, [TRACE_FRAME_P90] = 900,
        [TRACE_FRAME_P95] = 950,  [TRACE_FRAME_P99] = 990, [TRACE_FRAME_P999] = 999,
        [TRACE_FRAME_MAX] = 1000,
    };
    struct trace_frame_duration *durations;
    size_t rank;

    *percentiles = (struct trace_frame_percentiles){0};
    if (domain->frame_count == 0)
        return LUDUS_OK;
    durations = malloc(domain->frame_count * sizeof *durations);
    if (durations == NULL)
        return LUDUS_ERROR_MEMORY;
    percentiles->count = collect(domain, durations, &percentiles->total_ns);
    if (percentiles->count > 0) {
        qsort(durations, percentiles->count, sizeof *durations, compare_durations);
        for (rank = 0; rank < TRACE_FRAME_RANKS; rank++)
            percentiles->ranks[rank] = nearest_rank(durations, percentiles->count, per_mille[rank]);
    }
    free(durations);
    return LUDUS_OK;
}
