/* GPU samples of a capture: what was measured, which is shown one by one. Private to the
 * analyzer. */
#ifndef TRACE_GPU_TIMES_H
#define TRACE_GPU_TIMES_H

#include "capture.h"
#include "lcap_decode.h"

/* Notes where a block of samples is. False when there is no memory. */
bool trace_capture_note_gpu(struct trace_capture *capture, const struct lcap_block *block);

/* Takes what the samples say of the capture: their tracks and sites, and how long it lasted at
 * least. The clocks are known. Errors: OPEN, MEMORY. */
LUDUS_CHECKED enum ludus_status trace_capture_load_gpu_samples(struct trace_capture *capture,
                                                               struct ludus_error *error);

/* Shows all samples to the visitor. Errors: OPEN, and what the visitor returns. */
LUDUS_CHECKED enum ludus_status trace_capture_show_gpu(struct trace_capture *capture,
                                                       const struct trace_visitor *visitor,
                                                       struct ludus_error *error);

#endif
