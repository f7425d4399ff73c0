/* Collects the marks of a frame domain into its frames. */
#include "frame_table.h"

#include <stdlib.h>

#include "frame_percentiles.h"

bool trace_frame_table_add(struct trace_domain *domain, uint64_t number, int64_t begin_ns)
{
    if (!trace_array_grow(&domain->frames, domain->frame_count, sizeof *domain->frames))
        return false;
    domain->frames[domain->frame_count++] = (struct trace_frame){begin_ns, number};
    return true;
}

static int compare_numbers(const void *a, const void *b)
{
    const struct trace_frame *left = a;
    const struct trace_frame *right = b;
    return (left->number > right->number) - (left->number < right->number);
}

void trace_frame_table_limit(struct trace_domain *domain, const struct trace_model *model)
{
    const struct trace_frame *frames = domain->frames;
    uint32_t count = domain->frame_count;
    domain->frames_before = 0;
    domain->marks_behind = 0;
    if (!model->has_window)
        return;
    while (domain->frames_before < count &&
           frames[domain->frames_before].begin_ns < model->window_begin_ns)
        domain->frames_before++;
    /* What has no end reaches as far as it tells. */
    while (model->has_counts && domain->marks_behind < count &&
           frames[count - 1 - domain->marks_behind].begin_ns > model->end_ns)
        domain->marks_behind++;
}

void trace_frame_table_finish(struct trace_domain *domain, const struct trace_model *model)
{
    struct trace_frame *frames = domain->frames;
    uint32_t kept = 0;
    if (domain->frame_count > 1)
        qsort(frames, domain->frame_count, sizeof *frames, compare_numbers);
    for (uint32_t i = 0; i < domain->frame_count; i++) {
        if (kept != 0 && frames[i].number == frames[kept - 1].number)
            continue;
        frames[kept] = frames[i];
        /* Two threads may mark one domain: numbers decide the order, times follow it. */
        if (kept != 0 && frames[kept].begin_ns < frames[kept - 1].begin_ns)
            frames[kept].begin_ns = frames[kept - 1].begin_ns;
        kept++;
    }
    domain->frame_count = kept;
    trace_frame_table_limit(domain, model);
    domain->complete_count = 0;
    for (uint32_t i = 0; i < kept; i++)
        domain->complete_count += trace_frame_is_complete(domain, i);
    domain->marks_missing = kept == 0 ? 0 : frames[kept - 1].number - frames[0].number - (kept - 1);
}

uint32_t trace_frame_table_find(const struct trace_domain *domain, int64_t time_ns)
{
    uint32_t low = 0, high = domain->frame_count; /* frames before low begin at or before time_ns */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (domain->frames[middle].begin_ns <= time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? TRACE_NONE : low - 1;
}
