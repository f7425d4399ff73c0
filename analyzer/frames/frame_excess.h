/* The scopes of a frame that took longer than in the median frame. Private to the analyzer. */
#ifndef TRACE_FRAME_EXCESS_H
#define TRACE_FRAME_EXCESS_H

#include "frame_scopes.h"
#include "selection.h"

/* Why: at least three quarters of the excess come from one of two reasons, or it is both. */
enum trace_excess_cause {
    TRACE_EXCESS_WAIT, /* a scope of a category of waiting: neither */
    TRACE_EXCESS_MORE, /* more calls, each as long as in the median frame */
    TRACE_EXCESS_SLOWER,
    TRACE_EXCESS_BOTH
};
extern const char *const trace_excess_names[];

struct trace_excess {
    const struct trace_site *facts;
    struct trace_scope_value value; /* in the frame */
    struct trace_scope_value median;
    bool has_median;   /* some frame is usual: otherwise nothing is known of median and cause */
    int64_t excess_ns; /* above 0; without a median all of the frame's own time */
    uint32_t site;     /* index */
    enum trace_excess_cause cause;
};

/* Those of a frame, by its place among the ones that were asked for, against the medians of a
 * window: first work, then waits, each by falling excess, then by name. Only sites that are shown.
 * `list` has room for TRACE_FRAME_SITES. Returns how many there are; `*waits` are how many of them
 * are waits. */
uint32_t trace_frame_excess(const struct trace_model *model,
                            const struct trace_frame_scopes *scopes,
                            const struct trace_chosen *chosen, uint32_t asked, uint32_t window,
                            struct trace_excess *list, uint32_t *waits);

#endif
