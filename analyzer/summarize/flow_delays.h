/* How long flows were on their way, by the site that they left from and by window. SQLite sorts
 * them, so that any number fits into memory: the rows of a database, or those of a temporary one
 * that is made of a capture's flows alone. Private to the analyzer.
 *
 * A flow counts in the windows that its flow-in lies in; one that did not arrive, in those of its
 * flow-out. */
#ifndef TRACE_FLOW_DELAYS_H
#define TRACE_FLOW_DELAYS_H

#include "selection.h"

enum trace_delay_rank { TRACE_DELAY_P50, TRACE_DELAY_P90, TRACE_DELAY_P99, TRACE_DELAY_MAX };
#define TRACE_DELAY_RANKS 4

/* Of one site in one window. */
struct trace_flow_total {
    uint64_t ins;          /* whose out is known */
    uint64_t outs;         /* that they came from: one may have several ins */
    uint64_t clamped;      /* of the ins: they arrived before they left, by the clocks; delay 0 */
    uint64_t outs_unbound; /* that did not arrive */
    uint64_t ins_unbound;  /* of no site: their out is not in the capture */
    int64_t delays[TRACE_DELAY_RANKS];   /* nearest rank of ins; the next two likewise */
    uint64_t flows[TRACE_DELAY_RANKS];   /* the flow's id; of several with the delay the least */
    int64_t arrivals[TRACE_DELAY_RANKS]; /* when it arrived */
};

struct trace_flow_site {
    uint32_t site;                   /* TRACE_NONE: of the ins without an out, or not known */
    struct trace_flow_total *totals; /* by window */
};

/* All zero is none. */
struct trace_flow_delays {
    struct trace_flow_site *sites; /* by index; that of none last */
    uint32_t count;
    uint32_t windows;
};

/* Does a pass over a capture's events with a plan of its own: the model has the statistics of
 * everything afterwards. Errors: those of trace_input_run; WRITE (no room for the temporary
 * database), MEMORY. Release it all the same. */
LUDUS_CHECKED enum ludus_status trace_flow_delays_create(struct trace_input *input,
                                                         const struct trace_chosen *chosen,
                                                         struct trace_flow_delays *delays,
                                                         struct ludus_error *error);
void trace_flow_delays_destroy(struct trace_flow_delays *delays);

#endif
