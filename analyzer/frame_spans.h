/* The times that a track's statistics are about: the complete frames of the default domain, less
 * those that a loss of the track overlaps. Private to the analyzer. */
#ifndef TRACE_FRAME_SPANS_H
#define TRACE_FRAME_SPANS_H

#include "model.h"

/* From begin on, before end. */
struct trace_span {
    int64_t begin_ns;
    int64_t end_ns;
};

/* Adjoining frames are one span; spans rise and do not touch. */
struct trace_frame_spans {
    struct trace_span *spans;
    uint32_t span_count;
    int64_t frames;      /* in the spans */
    int64_t frames_lost; /* complete, and left out */
};

/* Of one track of the model; TRACE_NONE leaves nothing out. Losses of no known track concern all.
 * False when there is no memory. */
bool trace_frame_spans_create(const struct trace_model *model, uint32_t track,
                              struct trace_frame_spans *spans);
void trace_frame_spans_destroy(struct trace_frame_spans *spans);

/* The part of [begin, end) that lies in the spans. `cursor` is the index of a span at or before
 * begin, 0 at first; it is moved forward. */
int64_t trace_frame_spans_overlap(const struct trace_frame_spans *spans, uint32_t *cursor,
                                  int64_t begin_ns, int64_t end_ns);

/* Whether the time lies in the spans; `cursor` as above. */
static inline bool trace_frame_spans_contain(const struct trace_frame_spans *spans,
                                             uint32_t *cursor, int64_t time_ns)
{
    while (*cursor < spans->span_count && spans->spans[*cursor].end_ns <= time_ns)
        ++*cursor;
    return *cursor < spans->span_count && spans->spans[*cursor].begin_ns <= time_ns;
}

#endif
