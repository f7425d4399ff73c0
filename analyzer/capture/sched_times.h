/* Samples of the scheduler: who ran, and who waited to run. Private to the analyzer. */
#ifndef TRACE_SCHED_TIMES_H
#define TRACE_SCHED_TIMES_H

#include "capture.h"
#include "lcap_decode.h"

/* Adds the samples of a block to the sums of the model. False when there is no memory. */
bool trace_capture_load_sched(struct trace_capture *capture, const struct lcap_block *block);

/* Gives all samples to the visitor, in the order of the file. */
LUDUS_CHECKED enum ludus_status trace_capture_show_sched(struct trace_capture *capture,
                                                         const struct trace_visitor *visitor,
                                                         struct ludus_error *error);

#endif
