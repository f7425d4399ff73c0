/* Buffers and images, each with memory of its own. */
#include "vulkan_host.h"

#include <string.h>

/* Memory of a kind that the resource allows, with those properties. */
static bool allocate(struct vulkan_host *host, const VkMemoryRequirements *needs,
                     VkMemoryPropertyFlags properties, VkDeviceMemory *memory)
{
    VkPhysicalDeviceMemoryProperties kinds;
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs->size,
    };

    host->api.vkGetPhysicalDeviceMemoryProperties(host->adapter, &kinds);
    for (; info.memoryTypeIndex < kinds.memoryTypeCount; info.memoryTypeIndex++) {
        VkMemoryPropertyFlags has = kinds.memoryTypes[info.memoryTypeIndex].propertyFlags;
        if ((needs->memoryTypeBits >> info.memoryTypeIndex & 1u) != 0 &&
            (has & properties) == properties)
            return vulkan_host_check(host,
                                     host->api.vkAllocateMemory(host->device, &info, NULL, memory),
                                     "vkAllocateMemory");
    }
    return vulkan_host_check(host, VK_ERROR_OUT_OF_DEVICE_MEMORY, "the search for memory");
}

bool vulkan_buffer_create(struct vulkan_host *host, struct vulkan_buffer *buffer,
                          VkDeviceSize size_bytes, VkBufferUsageFlags usage)
{
    const struct vulkan_api *api = &host->api;
    VkMemoryRequirements needs;
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = size_bytes,
        .usage = usage,
    };

    if (!vulkan_host_check(host, api->vkCreateBuffer(host->device, &info, NULL, &buffer->buffer),
                           "vkCreateBuffer"))
        return false;
    api->vkGetBufferMemoryRequirements(host->device, buffer->buffer, &needs);
    return allocate(host, &needs,
                    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                    &buffer->memory) &&
           vulkan_host_check(
               host, api->vkBindBufferMemory(host->device, buffer->buffer, buffer->memory, 0),
               "vkBindBufferMemory") &&
           vulkan_host_check(
               host,
               api->vkMapMemory(host->device, buffer->memory, 0, VK_WHOLE_SIZE, 0, &buffer->mapped),
               "vkMapMemory");
}

void vulkan_buffer_destroy(struct vulkan_host *host, struct vulkan_buffer *buffer)
{
    host->api.vkDestroyBuffer(host->device, buffer->buffer, NULL);
    host->api.vkFreeMemory(host->device, buffer->memory, NULL);
    memset(buffer, 0, sizeof *buffer);
}

bool vulkan_image_create(struct vulkan_host *host, struct vulkan_image *image, VkFormat format,
                         VkExtent2D extent, VkImageUsageFlags usage, VkImageAspectFlags aspect)
{
    const struct vulkan_api *api = &host->api;
    VkMemoryRequirements needs;
    VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = format,
        .extent = {extent.width, extent.height, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = usage,
    };

    if (!vulkan_host_check(host, api->vkCreateImage(host->device, &info, NULL, &image->image),
                           "vkCreateImage"))
        return false;
    api->vkGetImageMemoryRequirements(host->device, image->image, &needs);
    if (!allocate(host, &needs, 0, &image->memory) ||
        !vulkan_host_check(host,
                           api->vkBindImageMemory(host->device, image->image, image->memory, 0),
                           "vkBindImageMemory"))
        return false;
    VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = image->image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = format,
        .subresourceRange = {aspect, 0, 1, 0, 1},
    };
    return vulkan_host_check(host, api->vkCreateImageView(host->device, &view, NULL, &image->view),
                             "vkCreateImageView");
}

void vulkan_image_destroy(struct vulkan_host *host, struct vulkan_image *image)
{
    host->api.vkDestroyImageView(host->device, image->view, NULL);
    host->api.vkDestroyImage(host->device, image->image, NULL);
    host->api.vkFreeMemory(host->device, image->memory, NULL);
    memset(image, 0, sizeof *image);
}
