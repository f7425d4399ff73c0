/* A device with one queue, and the memory of what it works on. */
#include "vulkan_host.h"

#include <stdio.h>
#include <string.h>

#define MAX_ADAPTERS 8u
#define MAX_FAMILIES 16u

bool vulkan_host_check(struct vulkan_host *host, VkResult result, const char *call)
{
    if (result == VK_SUCCESS)
        return true;
    if (host->failure[0] == '\0')
        (void)snprintf(host->failure, sizeof host->failure, "%s failed with %d", call, (int)result);
    return false;
}

static VkResult create_instance(struct vulkan_host *host)
{
    VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pApplicationName = "vulkan_frame",
        .apiVersion = VK_API_VERSION_1_1,
    };
    VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pApplicationInfo = &application,
    };
    return host->api.vkCreateInstance(&info, NULL, &host->instance);
}

/* A family of the adapter that can do everything. */
static bool find_family(struct vulkan_host *host, VkPhysicalDevice adapter)
{
    const VkQueueFlags needed = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    VkQueueFamilyProperties families[MAX_FAMILIES];
    uint32_t count = MAX_FAMILIES;

    host->api.vkGetPhysicalDeviceQueueFamilyProperties(adapter, &count, families);
    for (uint32_t i = 0; i < count; i++) {
        if ((families[i].queueFlags & needed) != needed)
            continue;
        host->adapter = adapter;
        host->family = i;
        host->queue_properties = families[i];
        host->api.vkGetPhysicalDeviceProperties(adapter, &host->properties);
        return true;
    }
    return false;
}

static bool find_adapter(struct vulkan_host *host)
{
    VkPhysicalDevice adapters[MAX_ADAPTERS];
    uint32_t count = MAX_ADAPTERS;
    VkResult result = host->api.vkEnumeratePhysicalDevices(host->instance, &count, adapters);

    if (result != VK_SUCCESS && result != VK_INCOMPLETE)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (find_family(host, adapters[i]))
            return true;
    return false;
}

static bool create_device(struct vulkan_host *host)
{
    const float priority = 1.0f;
    VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = host->family,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
    };
    VkResult result = host->api.vkCreateDevice(host->adapter, &info, NULL, &host->device);

    if (!vulkan_host_check(host, result, "vkCreateDevice"))
        return false;
    if (!vulkan_api_load_device(&host->api, host->device))
        return vulkan_host_check(host, VK_ERROR_INITIALIZATION_FAILED, "vkGetDeviceProcAddr");
    host->api.vkGetDeviceQueue(host->device, host->family, 0, &host->queue);
    return true;
}

enum vulkan_host_state vulkan_host_open(struct vulkan_host *host)
{
    memset(host, 0, sizeof *host);
    if (!vulkan_api_open(&host->api) || create_instance(host) != VK_SUCCESS)
        return VULKAN_HOST_ABSENT;
    if (!vulkan_api_load_instance(&host->api, host->instance) || !find_adapter(host))
        return VULKAN_HOST_ABSENT;
    return create_device(host) ? VULKAN_HOST_READY : VULKAN_HOST_FAILED;
}

void vulkan_host_close(struct vulkan_host *host)
{
    if (host->device != VK_NULL_HANDLE && host->api.vkDestroyDevice != NULL)
        host->api.vkDestroyDevice(host->device, NULL);
    if (host->instance != VK_NULL_HANDLE && host->api.vkDestroyInstance != NULL)
        host->api.vkDestroyInstance(host->instance, NULL);
    vulkan_api_close(&host->api);
}

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
