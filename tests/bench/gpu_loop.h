/* Light frames on a Vulkan queue: scopes with nothing in them, in one of several ways. */
#ifndef GPU_LOOP_H
#define GPU_LOOP_H

#include "vulkan_host.h"

#define GPU_LOOP_FLIGHTS 3u  /* frames in flight */
#define GPU_LOOP_SCOPES  80u /* at most, in a frame */

enum gpu_way {
    GPU_BARE,     /* no scopes, and no session */
    GPU_BY_HAND,  /* the timestamps alone */
    GPU_IDLE,     /* while nothing is recorded */
    GPU_RECORDED, /* as the caller does */
    GPU_WAYS
};

struct gpu_loop {
    struct vulkan_host host; /* opened by the caller */
    struct ludus_vulkan_session *gpu;
    VkCommandPool pool;
    VkCommandBuffer commands[GPU_LOOP_FLIGHTS];
    VkFence fences[GPU_LOOP_FLIGHTS];
    VkQueryPool queries; /* for timestamps by hand */
    PFN_vkCmdWriteTimestamp write;
    PFN_vkCmdResetQueryPool reset;
    uint32_t drawn;
    uint64_t number; /* of the latest frame in the session */
};

/* What a frame takes of the CPU. */
struct gpu_frame_cost {
    double scopes_ns; /* in the scopes */
    double frame_ns;  /* in all calls of the session, the scopes included; */
    double driver_ns; /* of these, in the driver for other things than timestamps */
};

void gpu_loop_open(struct gpu_loop *loop);
void gpu_loop_close(struct gpu_loop *loop);

/* Waits for all frames, and has their results taken. */
void gpu_loop_finish(struct gpu_loop *loop);

/* Records and submits a frame; what the program's own calls of Vulkan take is not counted. */
struct gpu_frame_cost gpu_loop_draw(struct gpu_loop *loop, enum gpu_way way, uint32_t scopes);

#endif
