/* What a session with a Vulkan queue consists of, and what its files do for each other. */
#ifndef LUDUS_VULKAN_SESSION_H
#define LUDUS_VULKAN_SESSION_H

#include "vulkan_functions.h"

#include <pthread.h>
#include <stdatomic.h>

/* A frame whose slots the device may still write. */
struct ludus_vulkan_flight {
    uint64_t number;
    VkFence fence; /* lent by the program, or none */
};

struct ludus_vulkan_session {
    struct ludus_vulkan_functions functions;
    VkDevice device;
    const VkAllocationCallbacks *allocator;
    VkQueryPool pool; /* a slot's number is a query's */
    /* Guards the neutral session and the flights. Threads that record commands side by side hold it
     * for some stores each; it is never held while something is put into a command buffer. */
    pthread_mutex_t lock;
    struct ludus_gpu_session *gpu;
    uint32_t flight_count;                                     /* at most one for each batch */
    struct ludus_vulkan_flight flights[LUDUS_GPU_MAX_BATCHES]; /* in the order of their numbers */
    /* The frame that is being recorded. */
    struct ludus_gpu_frame_plan plan;
    uint32_t submissions;
    bool is_begun;
    _Atomic bool takes_scopes; /* read without the lock, by every scope */
};

/* What the neutral session calls. */
struct ludus_gpu_device ludus_vulkan_device(struct ludus_vulkan_session *session);

/* With the lock: ends a frame that nobody ended, as submitted when something of it was; */
void ludus_vulkan_leave_frame(struct ludus_vulkan_session *session);
/* asks the fences, and takes the results of frames that are over; */
void ludus_vulkan_collect(struct ludus_vulkan_session *session);
/* the device is lost. */
void ludus_vulkan_lose(struct ludus_vulkan_session *session);

#endif
