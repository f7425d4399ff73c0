/* What can be measured on a queue, and why the rest cannot. */
#ifndef LUDUS_GPU_CAPABILITY_H
#define LUDUS_GPU_CAPABILITY_H

#include <stdbool.h>

#include <ludus/gpu.h>

#include "gpu_duration.h"
#include "gpu_name.h"

struct ludus_gpu_capability {
    bool frames;
    bool passes;
    uint32_t policy;                    /* enum ludus_gpu_policy */
    struct ludus_gpu_counter counter;   /* sound when there are frames */
    struct ludus_gpu_queue_facts facts; /* whose texts are those below, or constants */
    char texts[5][LUDUS_GPU_LONGEST_NAME + 1];
};

/* Finds out what there is, and copies the facts. Where something cannot be measured and the backend
 * gave no reason, there is one afterwards. `capability` must not be moved then: it points into
 * itself. */
void ludus_gpu_capability_find(struct ludus_gpu_capability *capability,
                               const struct ludus_gpu_setup *setup, uint32_t generation);

#endif
