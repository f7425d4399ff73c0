/* What a frame waited for: from its end mark back along the track that set it; at a flow-in to its
 * flow-out; the time between is "queued"; until the frame's begin. A flow-in that came while the
 * track was at work held nothing up, and is passed over. It is one way back of many, not the
 * critical path. Private to the analyzer. */
#ifndef TRACE_FRAME_CHAIN_H
#define TRACE_FRAME_CHAIN_H

#include "frame_moments.h"

/* More are not followed. */
#define TRACE_MOST_LINKS 1000u

struct trace_link {
    int64_t begin_ns;   /* from the session's start */
    int64_t end_ns;     /* above it */
    uint32_t track;     /* on which it ran; queued: from which it came, TRACE_NONE: not known */
    uint32_t site;      /* ran: with the most own time there, TRACE_NONE: no scope; queued: of the
                           flow-out, or of the flow-in when that is not known, or TRACE_NONE */
    int64_t site_ns;    /* ran: that time */
    int64_t waiting_ns; /* ran: in scopes of a category of waiting */
    bool is_queued;
    bool is_from_before; /* queued: it left before the frame began */
};

struct trace_frame_chain {
    struct trace_link *links; /* rising in time */
    uint32_t count;
    uint32_t unbound; /* flow-ins on the way of which the flow-out is not in the capture */
    bool is_cut;      /* it goes on before the first link */
};

/* `track` set the frame's end mark. It takes a pass when flows left before the frame. Errors: those
 * of trace_input_run. */
LUDUS_CHECKED enum ludus_status trace_frame_chain_create(struct trace_frame_chain *chain,
                                                         struct trace_input *input,
                                                         const struct trace_model *model,
                                                         const struct trace_pass_plan *plan,
                                                         const struct trace_frame_moments *moments,
                                                         uint32_t track, struct ludus_error *error);
void trace_frame_chain_destroy(struct trace_frame_chain *chain);

#endif
