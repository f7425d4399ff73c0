/* The GPU work of a synthetic capture: one queue, which works on each frame once it is submitted,
 * and times the frame and every pass in it, with both clocks' readings. */
#ifndef SYNTHETIC_GPU_H
#define SYNTHETIC_GPU_H

#include "synthetic_file.h"
#include "synthetic_random.h"

#define SYNTHETIC_GPU_BATCH 256u /* samples in a block, as the recorder's collector has them */

struct synthetic_gpu {
    struct synthetic_file *file;
    struct synthetic_random random;
    uint64_t passes; /* put so far */
    uint64_t frames;
    uint64_t tick; /* when the queue is idle */
    /* Not in a block yet. */
    uint32_t pass_count;
    uint32_t frame_count; /* and calibrations */
    struct lcap_gpu_pass pass_batch[SYNTHETIC_GPU_BATCH];
    struct lcap_gpu_frame frame_batch[SYNTHETIC_GPU_BATCH];
    struct lcap_gpu_calibration calibration_batch[SYNTHETIC_GPU_BATCH];
};

/* Defines the queue, when the file's options have passes. */
void synthetic_gpu_start(struct synthetic_gpu *gpu, struct synthetic_file *file);

/* What is submitted at that tick. */
void synthetic_gpu_frame(struct synthetic_gpu *gpu, uint64_t submit_tick);

/* The rest, and the counts. */
void synthetic_gpu_finish(struct synthetic_gpu *gpu);

#endif
