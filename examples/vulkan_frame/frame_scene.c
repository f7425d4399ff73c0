/* What is drawn: buffers, images and how shaders reach them. */
#include "frame_scene.h"

#include <string.h>

#define BINDINGS 3u

/* A ring of particles at rest. */
static void place_particles(float *at)
{
    for (uint32_t i = 0; i < FRAME_PARTICLES; i++) {
        const float part = (float)i / (float)FRAME_PARTICLES;
        at[4 * i] = 1.6f * part - 0.8f;
        at[4 * i + 1] = 0.8f - 3.2f * (part < 0.5f ? part : 1.0f - part);
        at[4 * i + 2] = 0.0f;
        at[4 * i + 3] = 0.0f;
    }
}

static bool create_buffers(struct frame_scene *scene)
{
    const VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;

    if (!vulkan_buffer_create(scene->host, &scene->particles, FRAME_PARTICLES * 4 * sizeof(float),
                              storage) ||
        !vulkan_buffer_create(scene->host, &scene->luminance, sizeof(uint32_t),
                              storage | VK_BUFFER_USAGE_TRANSFER_DST_BIT))
        return false;
    place_particles(scene->particles.mapped);
    return true;
}

static bool create_set(struct frame_scene *scene)
{
    struct vulkan_host *host = scene->host;
    VkDescriptorSetLayoutBinding bindings[BINDINGS] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
         VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_VERTEX_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
         VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, NULL},
        {2, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1,
         VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, NULL},
    };
    VkDescriptorSetLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = BINDINGS,
        .pBindings = bindings,
    };
    VkDescriptorPoolSize sizes[2] = {
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2},
        {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1},
    };
    VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1,
        .poolSizeCount = 2,
        .pPoolSizes = sizes,
    };
    if (!vulkan_host_check(
            host,
            host->api.vkCreateDescriptorSetLayout(host->device, &layout, NULL, &scene->set_layout),
            "vkCreateDescriptorSetLayout") ||
        !vulkan_host_check(
            host, host->api.vkCreateDescriptorPool(host->device, &pool, NULL, &scene->sets),
            "vkCreateDescriptorPool"))
        return false;
    VkDescriptorSetAllocateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = scene->sets,
        .descriptorSetCount = 1,
        .pSetLayouts = &scene->set_layout,
    };
    return vulkan_host_check(host,
                             host->api.vkAllocateDescriptorSets(host->device, &set, &scene->set),
                             "vkAllocateDescriptorSets");
}

static void fill_set(struct frame_scene *scene)
{
    VkDescriptorBufferInfo buffers[2] = {
        {scene->particles.buffer, 0, VK_WHOLE_SIZE},
        {scene->luminance.buffer, 0, VK_WHOLE_SIZE},
    };
    VkDescriptorImageInfo picture = {VK_NULL_HANDLE, scene->picture.view, VK_IMAGE_LAYOUT_GENERAL};
    VkWriteDescriptorSet writes[BINDINGS];

    memset(writes, 0, sizeof writes);
    for (uint32_t i = 0; i < BINDINGS; i++) {
        writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
        writes[i].dstSet = scene->set;
        writes[i].dstBinding = i;
        writes[i].descriptorCount = 1;
        writes[i].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        writes[i].pBufferInfo = i < 2 ? &buffers[i] : NULL;
    }
    writes[2].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    writes[2].pImageInfo = &picture;
    scene->host->api.vkUpdateDescriptorSets(scene->host->device, BINDINGS, writes, 0, NULL);
}

static bool create_sized(struct frame_scene *scene)
{
    if (!frame_targets_create(scene) || !frame_pipelines_create(scene))
        return false;
    fill_set(scene);
    return true;
}

bool frame_scene_create(struct frame_scene *scene, struct vulkan_host *host, VkExtent2D extent)
{
    memset(scene, 0, sizeof *scene);
    scene->host = host;
    scene->extent = extent;
    return create_buffers(scene) && create_set(scene) && create_sized(scene);
}

bool frame_scene_resize(struct frame_scene *scene, VkExtent2D extent)
{
    frame_pipelines_destroy(scene);
    frame_targets_destroy(scene);
    scene->extent = extent;
    return create_sized(scene);
}

void frame_scene_destroy(struct frame_scene *scene)
{
    const struct vulkan_api *api = &scene->host->api;

    frame_pipelines_destroy(scene);
    frame_targets_destroy(scene);
    api->vkDestroyDescriptorPool(scene->host->device, scene->sets, NULL);
    api->vkDestroyDescriptorSetLayout(scene->host->device, scene->set_layout, NULL);
    vulkan_buffer_destroy(scene->host, &scene->luminance);
    vulkan_buffer_destroy(scene->host, &scene->particles);
}

double frame_scene_brightness(const struct frame_scene *scene)
{
    const uint8_t *pixels = scene->shown.mapped;
    const size_t count = (size_t)scene->extent.width * scene->extent.height;
    uint64_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += (uint64_t)pixels[4 * i] + pixels[4 * i + 1] + pixels[4 * i + 2];
    return (double)sum / (3.0 * (double)count);
}
