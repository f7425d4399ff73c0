/* What a queue of a Vulkan device can tell of time. */
#ifndef LUDUS_VULKAN_FACTS_H
#define LUDUS_VULKAN_FACTS_H

#include "vulkan_functions.h"

struct ludus_vulkan_facts {
    struct ludus_gpu_queue_facts
        queue; /* whose texts are constants, the program's or those below */
    char device[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
    bool can_reset;     /* queries, in the queue's command buffers */
    bool is_calibrated; /* against CLOCK_MONOTONIC */
};

/* Finds out. `facts` must not be moved then: it points into itself. */
void ludus_vulkan_facts_find(struct ludus_vulkan_facts *facts,
                             const struct ludus_vulkan_functions *functions,
                             const struct ludus_vulkan_setup *setup);

#endif
