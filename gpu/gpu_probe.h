/* The frame probe: one measurement of a frame's work at a time.
 *
 *     idle --arm--> armed --submit--> pending --resolve--> idle
 *                     \--discard--> idle
 *
 * The latest result is kept until there is another one. */
#ifndef LUDUS_GPU_PROBE_H
#define LUDUS_GPU_PROBE_H

#include <stdbool.h>

#include <ludus/gpu_samples.h>

enum ludus_gpu_probe_state {
    LUDUS_GPU_PROBE_IDLE = 0,
    LUDUS_GPU_PROBE_ARMED,  /* the frame that is being recorded will be measured */
    LUDUS_GPU_PROBE_PENDING /* it was submitted */
};

struct ludus_gpu_probe {
    enum ludus_gpu_probe_state state;
    bool has_result;
    struct ludus_gpu_frame result; /* the latest */
};

/* False when one is outstanding. */
bool ludus_gpu_probe_arm(struct ludus_gpu_probe *probe);

/* The armed frame was submitted, */
void ludus_gpu_probe_submit(struct ludus_gpu_probe *probe);

/* or never will be. */
void ludus_gpu_probe_discard(struct ludus_gpu_probe *probe);

/* What became of the pending one. */
void ludus_gpu_probe_resolve(struct ludus_gpu_probe *probe, const struct ludus_gpu_frame *result);

/* Copies the latest result; false when there was none yet. */
bool ludus_gpu_probe_latest(const struct ludus_gpu_probe *probe, struct ludus_gpu_frame *result);

#endif
