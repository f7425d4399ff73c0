/* Puts a frame's passes into command buffers. */
#ifndef FRAME_RECORD_H
#define FRAME_RECORD_H

#include "frame_scene.h"

/* What differs from frame to frame. */
struct frame_moment {
    float time;     /* seconds of the scene's own time */
    uint32_t steps; /* that each particle moves */
};

/* Particles and Shadow, which are submitted first. */
void frame_record_first(struct frame_scene *scene, VkCommandBuffer commands,
                        const struct frame_moment *moment);

/* Opaque, Luminance, Composite and Readback. */
void frame_record_second(struct frame_scene *scene, VkCommandBuffer commands);

#endif
