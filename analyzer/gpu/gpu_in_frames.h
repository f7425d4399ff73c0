/* How long the GPU took for what was submitted in some frames. Private to the analyzer. */
#ifndef TRACE_GPU_IN_FRAMES_H
#define TRACE_GPU_IN_FRAMES_H

#include "frame_list.h"
#include "input.h"

/* Of one frame. */
struct trace_gpu_in_frame {
    int64_t longest_ns; /* of the valid durations of submitted frames, on any queue; -1: none */
    uint32_t track;     /* its queue */
    uint32_t valid;     /* submitted frames */
    uint32_t not_valid; /* measured without a valid duration */
};

/* All zero is of no frames. */
struct trace_gpu_in_frames {
    const struct trace_frame_list *list;
    const struct trace_pass_plan *plan;
    const uint32_t *asked; /* columns, rising */
    uint32_t asked_count;
    struct trace_gpu_in_frame *frames; /* by frame asked for */
    bool has_samples;                  /* the capture has GPU times of frames, of whichever */
};

/* Looks at the samples once. What it is given must outlive it. Errors: MEMORY, those of
 * trace_input_run_gpu. Release it all the same. */
LUDUS_CHECKED enum ludus_status
trace_gpu_in_frames_create(struct trace_gpu_in_frames *in_frames, struct trace_input *input,
                           const struct trace_pass_plan *plan, const struct trace_frame_list *list,
                           const uint32_t *asked, uint32_t asked_count, struct ludus_error *error);
void trace_gpu_in_frames_destroy(struct trace_gpu_in_frames *in_frames);

#endif
