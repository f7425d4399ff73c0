/* What is drawn: particles that a compute pass moves, seen from a light and from the front, and
 * shown as bright as the picture's mean allows. Six passes a frame, in two submissions. */
#ifndef FRAME_SCENE_H
#define FRAME_SCENE_H

#include "vulkan_host.h"

#define FRAME_PARTICLES 4096u

enum frame_pipeline {
    FRAME_MOVE,      /* compute: particles */
    FRAME_SHADOW,    /* particles, depth alone */
    FRAME_OPAQUE,    /* particles with colours */
    FRAME_LUMINANCE, /* compute: how bright the picture is */
    FRAME_COMPOSITE, /* the picture made brighter */
    FRAME_PIPELINES
};

/* A render pass and what it draws into. */
struct frame_target {
    VkRenderPass pass;
    VkFramebuffer framebuffer;
    VkExtent2D extent;
};

struct frame_scene {
    struct vulkan_host *host;
    struct ludus_vulkan_session *gpu; /* times the passes; NULL: nobody does */
    VkExtent2D extent;
    struct vulkan_buffer particles;
    struct vulkan_buffer luminance;
    struct vulkan_buffer shown; /* what was drawn last, for the CPU */
    struct vulkan_image shadow_depth, depth, picture, output;
    struct frame_target shadow, opaque, composite;
    VkDescriptorSetLayout set_layout;
    VkDescriptorPool sets;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkPipeline pipelines[FRAME_PIPELINES];
};

/* False: the host's failure says why. Destroy it, whatever was returned. */
bool frame_scene_create(struct frame_scene *scene, struct vulkan_host *host, VkExtent2D extent);
void frame_scene_destroy(struct frame_scene *scene);

/* Makes the images again, in another size. The device is idle. */
bool frame_scene_resize(struct frame_scene *scene, VkExtent2D extent);

/* The mean of what was drawn last, 0 to 255. The frame's work is over. */
double frame_scene_brightness(const struct frame_scene *scene);

/* Images and render passes (frame_targets.c), and pipelines (frame_pipelines.c). */
bool frame_targets_create(struct frame_scene *scene);
void frame_targets_destroy(struct frame_scene *scene);
bool frame_pipelines_create(struct frame_scene *scene);
void frame_pipelines_destroy(struct frame_scene *scene);

#endif
