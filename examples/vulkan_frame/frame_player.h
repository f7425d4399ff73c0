/* Draws frames, with two of them in flight, and has a session time them. */
#ifndef FRAME_PLAYER_H
#define FRAME_PLAYER_H

#include "frame_scene.h"

#define FRAME_FLIGHTS 2u

/* A frame that may be under way on the device. */
struct frame_flight {
    VkCommandBuffer commands[2];
    VkFence done;
    bool is_used;
    uint64_t number; /* by which the session knows it */
};

struct frame_player {
    struct vulkan_host *host;
    struct frame_scene scene;
    VkCommandPool pool;
    struct frame_flight flights[FRAME_FLIGHTS];
    uint32_t steps; /* that each particle moves in a frame */
};

/* Timed as well as the device can be when `is_timed`. False: the host's failure says why. Destroy
 * it, whatever was returned. */
bool frame_player_create(struct frame_player *player, struct vulkan_host *host, VkExtent2D extent,
                         uint32_t steps, bool is_timed);
void frame_player_destroy(struct frame_player *player);

/* Records and submits a frame, once the one before the last is over. */
bool frame_player_draw(struct frame_player *player, uint32_t number);

/* Waits for all frames, and has their times taken. */
void frame_player_finish(struct frame_player *player);

#endif
