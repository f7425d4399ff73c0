/* Builds and measures the times that a track's statistics are about. */
#include "frame_spans.h"

#include <stdlib.h>

#include "frame_percentiles.h"

static bool concerns(const struct trace_loss *loss, uint32_t track)
{
    return track != TRACE_NONE && (loss->track == track || loss->track == TRACE_NONE) &&
           (loss->scopes != 0 || loss->instants != 0 || loss->events != 0 ||
            loss->cause == TRACE_LOSS_DAMAGE);
}

bool trace_track_has_loss(const struct trace_model *model, uint32_t track)
{
    for (uint32_t i = 0; i < model->loss_count; i++)
        if (concerns(&model->losses[i], track))
            return true;
    return false;
}

static int compare_spans(const void *a, const void *b)
{
    const struct trace_span *left = a;
    const struct trace_span *right = b;
    return (left->begin_ns > right->begin_ns) - (left->begin_ns < right->begin_ns);
}

/* The losses of the track by rising begin, both ends inclusive. `*losses` is NULL when there is no
 * memory, and may be NULL when there are none. */
static bool collect_losses(const struct trace_model *model, uint32_t track,
                           struct trace_span **losses, uint32_t *count)
{
    *losses = NULL;
    *count = 0;
    for (uint32_t i = 0; i < model->loss_count; i++) {
        if (!concerns(&model->losses[i], track))
            continue;
        if (!trace_array_grow(losses, *count, sizeof **losses))
            return false;
        (*losses)[(*count)++] =
            (struct trace_span){model->losses[i].begin_ns, model->losses[i].end_ns};
    }
    if (*count > 1)
        qsort(*losses, *count, sizeof **losses, compare_spans);
    /* Make the ends rise too, so that one cursor is enough. */
    for (uint32_t i = 1; i < *count; i++)
        if ((*losses)[i].end_ns < (*losses)[i - 1].end_ns)
            (*losses)[i].end_ns = (*losses)[i - 1].end_ns;
    return true;
}

/* Whether a loss overlaps [begin, end). */
static bool is_lost(const struct trace_span *losses, uint32_t count, uint32_t *cursor,
                    int64_t begin_ns, int64_t end_ns)
{
    while (*cursor < count && losses[*cursor].end_ns < begin_ns)
        ++*cursor;
    return *cursor < count && losses[*cursor].begin_ns < end_ns;
}

static bool add_span(struct trace_frame_spans *spans, int64_t begin_ns, int64_t end_ns)
{
    spans->frames++;
    if (spans->span_count != 0 && spans->spans[spans->span_count - 1].end_ns == begin_ns) {
        spans->spans[spans->span_count - 1].end_ns = end_ns;
        return true;
    }
    if (begin_ns == end_ns) /* no time, and nothing begins in it */
        return true;
    if (!trace_array_grow(&spans->spans, spans->span_count, sizeof *spans->spans))
        return false;
    spans->spans[spans->span_count++] = (struct trace_span){begin_ns, end_ns};
    return true;
}

bool trace_frame_spans_create(const struct trace_model *model, uint32_t track,
                              struct trace_frame_spans *spans)
{
    struct trace_span *losses;
    uint32_t loss_count, cursor = 0;
    *spans = (struct trace_frame_spans){0};
    if (model->domain_count == 0)
        return true;
    const struct trace_domain *domain = &model->domains[0];
    bool is_complete = collect_losses(model, track, &losses, &loss_count);
    for (uint32_t i = 0; is_complete && i < domain->frame_count; i++) {
        if (!trace_frame_is_complete(domain, i))
            continue;
        int64_t begin_ns = domain->frames[i].begin_ns;
        int64_t end_ns = domain->frames[i + 1].begin_ns;
        if (is_lost(losses, loss_count, &cursor, begin_ns, end_ns))
            spans->frames_lost++;
        else
            is_complete = add_span(spans, begin_ns, end_ns);
    }
    free(losses);
    if (!is_complete)
        trace_frame_spans_destroy(spans);
    return is_complete;
}

void trace_frame_spans_destroy(struct trace_frame_spans *spans)
{
    free(spans->spans);
    *spans = (struct trace_frame_spans){0};
}

int64_t trace_frame_spans_overlap(const struct trace_frame_spans *spans, uint32_t *cursor,
                                  int64_t begin_ns, int64_t end_ns)
{
    int64_t overlap_ns = 0;
    while (*cursor < spans->span_count && spans->spans[*cursor].end_ns <= begin_ns)
        ++*cursor;
    for (uint32_t i = *cursor; i < spans->span_count && spans->spans[i].begin_ns < end_ns; i++) {
        int64_t from = spans->spans[i].begin_ns > begin_ns ? spans->spans[i].begin_ns : begin_ns;
        int64_t to = spans->spans[i].end_ns < end_ns ? spans->spans[i].end_ns : end_ns;
        overlap_ns += to - from;
    }
    return overlap_ns;
}
