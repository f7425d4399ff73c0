/* How long the frames of a domain were: exact percentiles, each with a frame that it came from.
 * Private to the analyzer. */
#ifndef TRACE_FRAME_PERCENTILES_H
#define TRACE_FRAME_PERCENTILES_H

#include "model.h"
#include "nearest_rank.h"
#include "span_list.h"

enum trace_frame_rank {
    TRACE_FRAME_MIN,
    TRACE_FRAME_P50,
    TRACE_FRAME_P90,
    TRACE_FRAME_P95,
    TRACE_FRAME_P99,
    TRACE_FRAME_P999,
    TRACE_FRAME_MAX
};
#define TRACE_FRAME_RANKS 7

/* Of complete frames of one domain. Percentiles are nearest-rank; among frames of the same
 * duration the lowest number is named. */
struct trace_frame_percentiles {
    uint32_t count;
    int64_t total_ns;
    struct trace_ranked ranks[TRACE_FRAME_RANKS]; /* ns, of the frame of a number; or zeros */
};

/* Whether the mark after the frame is there, so that its duration is known, and the frame lies in
 * the part of the recording that the capture holds, so that all of it is there. */
static inline bool trace_frame_is_complete(const struct trace_domain *domain, uint32_t frame)
{
    return frame >= domain->frames_before &&
           (uint64_t)frame + 1 + domain->marks_behind < domain->frame_count &&
           domain->frames[frame + 1].number == domain->frames[frame].number + 1;
}

/* The same of a frame that lies as a whole in one of the spans. */
static inline bool trace_frame_is_complete_in(const struct trace_domain *domain, uint32_t frame,
                                              const struct trace_span_list *spans)
{
    return trace_frame_is_complete(domain, frame) &&
           trace_span_list_covers(spans, domain->frames[frame].begin_ns,
                                  domain->frames[frame + 1].begin_ns);
}

/* Of the frames that lie as a whole in one of the spans; NULL: of all. Holds 16 bytes for each
 * frame while it runs. Errors: MEMORY. */
LUDUS_CHECKED enum ludus_status
trace_frame_percentiles_of(const struct trace_domain *domain, const struct trace_span_list *spans,
                           struct trace_frame_percentiles *percentiles);

/* How many frames, complete or not, begin or end in one of the spans, or lie around it. The last
 * one lasts until `last_end_ns`. */
uint32_t trace_frames_reaching(const struct trace_domain *domain,
                               const struct trace_span_list *spans, int64_t last_end_ns);

#endif
