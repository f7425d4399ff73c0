/* GPU samples of a capture: queues and counts, which the model keeps, and what was measured, which
 * is shown one by one. Private to the analyzer. */
#ifndef TRACE_GPU_TIMES_H
#define TRACE_GPU_TIMES_H

#include "capture.h"
#include "lcap_decode.h"

/* The index of the queue that the track is, or TRACE_NONE. */
uint32_t trace_gpu_queue_of(const struct trace_model *model, uint32_t track);

/* How many measurements of that subject on that track came out so. */
uint64_t trace_gpu_count_of(const struct trace_model *model, uint32_t track, uint32_t subject,
                            uint32_t outcome);

/* Take a block of queues, of counts, of samples. The tracks are known, and for samples the clocks.
 * False when there is no memory. */
bool trace_capture_load_gpu(struct trace_capture *capture, const struct lcap_block *block);

/* Shows all samples to the visitor. Errors: OPEN, and what the visitor returns. */
LUDUS_CHECKED enum ludus_status trace_capture_show_gpu(struct trace_capture *capture,
                                                       const struct trace_visitor *visitor,
                                                       struct ludus_error *error);

#endif
