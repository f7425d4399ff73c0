/* The example's passes with timestamps that are written by hand, as many and at the same places as
 * a session writes: what a driver takes for these alone. */
#ifndef GPU_BY_HAND_H
#define GPU_BY_HAND_H

#include "vulkan_host.h"

/* A copy of `host`, whose calls of Vulkan put timestamps around the passes of the example, with two
 * command buffers a frame. One at a time; the host outlives it. */
struct vulkan_host gpu_by_hand_open(const struct vulkan_host *host);

/* When nothing that was recorded with it is under way any more. */
void gpu_by_hand_close(void);

#endif
