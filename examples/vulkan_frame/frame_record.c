/* Puts a frame's passes into command buffers. */
#include "frame_record.h"

#include <ludus/profile.h>

#define GROUP_PARTICLES 64u
#define GROUP_PIXELS    8u

/* What a compute shader is told. */
struct push {
    float time;
    uint32_t count;
    uint32_t steps;
};

/* All memory that was written before is read right behind. */
static void put_barrier(const struct frame_scene *scene, VkCommandBuffer commands)
{
    VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
    };
    scene->host->api.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                          VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0,
                                          NULL, 0, NULL);
}

static void bind(const struct frame_scene *scene, VkCommandBuffer commands,
                 VkPipelineBindPoint point, enum frame_pipeline which)
{
    scene->host->api.vkCmdBindPipeline(commands, point, scene->pipelines[which]);
    scene->host->api.vkCmdBindDescriptorSets(commands, point, scene->layout, 0, 1, &scene->set, 0,
                                             NULL);
}

static void begin_pass(const struct frame_scene *scene, VkCommandBuffer commands,
                       const struct frame_target *target, bool has_colour)
{
    const VkClearValue depth = {.depthStencil = {1.0f, 0}};
    const VkClearValue colour = {.color = {.float32 = {0.05f, 0.05f, 0.1f, 1.0f}}};
    const VkClearValue clears[2] = {has_colour ? colour : depth, depth};
    VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = target->pass,
        .framebuffer = target->framebuffer,
        .renderArea = {{0, 0}, target->extent},
        .clearValueCount = 2,
        .pClearValues = clears,
    };
    scene->host->api.vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
}

static void move_particles(const struct frame_scene *scene, VkCommandBuffer commands,
                           const struct frame_moment *moment)
{
    const struct push push = {moment->time, FRAME_PARTICLES, moment->steps};

    LUDUS_PROFILE_GPU_SCOPE(ludus_vulkan_commands(scene->gpu, commands, LUDUS_GPU_COMPUTE),
                            Particles);
    bind(scene, commands, VK_PIPELINE_BIND_POINT_COMPUTE, FRAME_MOVE);
    scene->host->api.vkCmdPushConstants(commands, scene->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                        sizeof push, &push);
    scene->host->api.vkCmdDispatch(commands, FRAME_PARTICLES / GROUP_PARTICLES, 1, 1);
}

static void draw(const struct frame_scene *scene, VkCommandBuffer commands,
                 const struct frame_target *target, enum frame_pipeline which, uint32_t instances)
{
    begin_pass(scene, commands, target, which != FRAME_SHADOW);
    bind(scene, commands, VK_PIPELINE_BIND_POINT_GRAPHICS, which);
    scene->host->api.vkCmdDraw(commands, 3, instances, 0, 0);
    scene->host->api.vkCmdEndRenderPass(commands);
}

static void add_up_luminance(const struct frame_scene *scene, VkCommandBuffer commands)
{
    const VkExtent2D extent = scene->extent;

    LUDUS_PROFILE_GPU_SCOPE(ludus_vulkan_commands(scene->gpu, commands, LUDUS_GPU_MIXED),
                            Luminance);
    scene->host->api.vkCmdFillBuffer(commands, scene->luminance.buffer, 0, VK_WHOLE_SIZE, 0);
    put_barrier(scene, commands);
    bind(scene, commands, VK_PIPELINE_BIND_POINT_COMPUTE, FRAME_LUMINANCE);
    scene->host->api.vkCmdDispatch(commands, (extent.width + GROUP_PIXELS - 1) / GROUP_PIXELS,
                                   (extent.height + GROUP_PIXELS - 1) / GROUP_PIXELS, 1);
}

static void read_back(const struct frame_scene *scene, VkCommandBuffer commands)
{
    VkBufferImageCopy region = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {scene->extent.width, scene->extent.height, 1},
    };
    LUDUS_PROFILE_GPU_SCOPE(ludus_vulkan_commands(scene->gpu, commands, LUDUS_GPU_TRANSFER),
                            Readback);
    scene->host->api.vkCmdCopyImageToBuffer(commands, scene->output.image,
                                            VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                            scene->shown.buffer, 1, &region);
}

static struct ludus_gpu_commands rendering(const struct frame_scene *scene,
                                           VkCommandBuffer commands)
{
    return ludus_vulkan_commands(scene->gpu, commands, LUDUS_GPU_RENDER);
}

void frame_record_first(struct frame_scene *scene, VkCommandBuffer commands,
                        const struct frame_moment *moment)
{
    LUDUS_PROFILE_SCOPE(Frame/Record, LUDUS_PROFILE_CAT(render));
    put_barrier(scene, commands);
    move_particles(scene, commands, moment);
    put_barrier(scene, commands);
    {
        LUDUS_PROFILE_GPU_SCOPE(rendering(scene, commands), Shadow, LUDUS_PROFILE_CAT(render));
        draw(scene, commands, &scene->shadow, FRAME_SHADOW, FRAME_PARTICLES);
    }
}

void frame_record_second(struct frame_scene *scene, VkCommandBuffer commands)
{
    LUDUS_PROFILE_SCOPE(Frame/Record, LUDUS_PROFILE_CAT(render));
    put_barrier(scene, commands);
    {
        LUDUS_PROFILE_GPU_SCOPE(rendering(scene, commands), Opaque, LUDUS_PROFILE_CAT(render));
        draw(scene, commands, &scene->opaque, FRAME_OPAQUE, FRAME_PARTICLES);
    }
    add_up_luminance(scene, commands);
    put_barrier(scene, commands);
    {
        LUDUS_PROFILE_GPU_SCOPE(rendering(scene, commands), Composite, LUDUS_PROFILE_CAT(render));
        draw(scene, commands, &scene->composite, FRAME_COMPOSITE, 1);
    }
    read_back(scene, commands);
    put_barrier(scene, commands);
}
