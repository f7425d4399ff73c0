/* Builds and measures the times that a track's statistics are about. */
#include "frame_spans.h"

#include <stdlib.h>

#include "frame_percentiles.h"
#include "track_losses.h"

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
    struct trace_track_losses losses;
    *spans = (struct trace_frame_spans){0};
    if (model->domain_count == 0)
        return true;
    const struct trace_domain *domain = &model->domains[0];
    bool is_complete = trace_track_losses_create(model, track, TRACE_LOSSES_OF_EVENTS, &losses);
    for (uint32_t i = 0; is_complete && i < domain->frame_count; i++) {
        if (!trace_frame_is_complete(domain, i))
            continue;
        int64_t begin_ns = domain->frames[i].begin_ns;
        int64_t end_ns = domain->frames[i + 1].begin_ns;
        if (trace_track_losses_overlap(&losses, begin_ns, end_ns - 1))
            spans->frames_lost++;
        else
            is_complete = add_span(spans, begin_ns, end_ns);
    }
    trace_track_losses_destroy(&losses);
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
