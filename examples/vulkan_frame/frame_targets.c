/* The images that a frame is drawn into, and the render passes that do. */
#include "frame_scene.h"

#define SHADOW_SIZE 512u

#define COLOUR_FORMAT VK_FORMAT_R8G8B8A8_UNORM
#define DEPTH_FORMAT  VK_FORMAT_D32_SFLOAT

/* Everything before a pass is over when it begins, and it is when what follows does. */
static const VkSubpassDependency around[2] = {
    {.srcSubpass = VK_SUBPASS_EXTERNAL,
     .dstSubpass = 0,
     .srcStageMask = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
     .dstStageMask = VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT,
     .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
     .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT},
    {.srcSubpass = 0,
     .dstSubpass = VK_SUBPASS_EXTERNAL,
     .srcStageMask = VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT,
     .dstStageMask = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
     .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
     .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT},
};

static VkAttachmentDescription describe(VkFormat format, VkImageLayout last)
{
    return (VkAttachmentDescription){
        .format = format,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
        .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
        .finalLayout = last,
    };
}

/* A pass into a colour image, a depth image, or both, which come in this order. */
static bool create_target(struct frame_scene *scene, struct frame_target *target,
                          const struct vulkan_image *colour, VkImageLayout colour_last,
                          const struct vulkan_image *depth)
{
    struct vulkan_host *host = scene->host;
    VkAttachmentDescription attachments[2];
    VkImageView views[2];
    uint32_t count = 0;

    if (colour != NULL) {
        attachments[count] = describe(COLOUR_FORMAT, colour_last);
        views[count++] = colour->view;
    }
    if (depth != NULL) {
        attachments[count] =
            describe(DEPTH_FORMAT, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL);
        views[count++] = depth->view;
    }
    VkAttachmentReference colour_use = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    VkAttachmentReference depth_use = {count - 1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
    VkSubpassDescription subpass = {
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .colorAttachmentCount = colour != NULL ? 1 : 0,
        .pColorAttachments = &colour_use,
        .pDepthStencilAttachment = depth != NULL ? &depth_use : NULL,
    };
    VkRenderPassCreateInfo pass = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = count,
        .pAttachments = attachments,
        .subpassCount = 1,
        .pSubpasses = &subpass,
        .dependencyCount = 2,
        .pDependencies = around,
    };
    if (!vulkan_host_check(host,
                           host->api.vkCreateRenderPass(host->device, &pass, NULL, &target->pass),
                           "vkCreateRenderPass"))
        return false;
    VkFramebufferCreateInfo framebuffer = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = target->pass,
        .attachmentCount = count,
        .pAttachments = views,
        .width = target->extent.width,
        .height = target->extent.height,
        .layers = 1,
    };
    return vulkan_host_check(
        host, host->api.vkCreateFramebuffer(host->device, &framebuffer, NULL, &target->framebuffer),
        "vkCreateFramebuffer");
}

static void destroy_target(struct frame_scene *scene, struct frame_target *target)
{
    const struct vulkan_api *api = &scene->host->api;

    api->vkDestroyFramebuffer(scene->host->device, target->framebuffer, NULL);
    api->vkDestroyRenderPass(scene->host->device, target->pass, NULL);
    *target = (struct frame_target){0};
}

static bool create_images(struct frame_scene *scene)
{
    const VkImageUsageFlags depth = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    const VkImageUsageFlags colour = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    const VkExtent2D shadow = {SHADOW_SIZE, SHADOW_SIZE};
    struct vulkan_host *host = scene->host;

    scene->shadow.extent = shadow;
    scene->opaque.extent = scene->extent;
    scene->composite.extent = scene->extent;
    return vulkan_image_create(host, &scene->shadow_depth, DEPTH_FORMAT, shadow, depth,
                               VK_IMAGE_ASPECT_DEPTH_BIT) &&
           vulkan_image_create(host, &scene->depth, DEPTH_FORMAT, scene->extent, depth,
                               VK_IMAGE_ASPECT_DEPTH_BIT) &&
           vulkan_image_create(host, &scene->picture, COLOUR_FORMAT, scene->extent,
                               colour | VK_IMAGE_USAGE_STORAGE_BIT, VK_IMAGE_ASPECT_COLOR_BIT) &&
           vulkan_image_create(host, &scene->output, COLOUR_FORMAT, scene->extent,
                               colour | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                               VK_IMAGE_ASPECT_COLOR_BIT) &&
           vulkan_buffer_create(host, &scene->shown,
                                (VkDeviceSize)scene->extent.width * scene->extent.height * 4,
                                VK_BUFFER_USAGE_TRANSFER_DST_BIT);
}

bool frame_targets_create(struct frame_scene *scene)
{
    return create_images(scene) &&
           create_target(scene, &scene->shadow, NULL, VK_IMAGE_LAYOUT_UNDEFINED,
                         &scene->shadow_depth) &&
           create_target(scene, &scene->opaque, &scene->picture, VK_IMAGE_LAYOUT_GENERAL,
                         &scene->depth) &&
           create_target(scene, &scene->composite, &scene->output,
                         VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, NULL);
}

void frame_targets_destroy(struct frame_scene *scene)
{
    struct vulkan_host *host = scene->host;

    destroy_target(scene, &scene->composite);
    destroy_target(scene, &scene->opaque);
    destroy_target(scene, &scene->shadow);
    vulkan_buffer_destroy(host, &scene->shown);
    vulkan_image_destroy(host, &scene->output);
    vulkan_image_destroy(host, &scene->picture);
    vulkan_image_destroy(host, &scene->depth);
    vulkan_image_destroy(host, &scene->shadow_depth);
}
