/* A device with one queue that draws and computes, and the memory of what it works on. */
#ifndef VULKAN_HOST_H
#define VULKAN_HOST_H

#include <stdint.h>

#include "vulkan_api.h"

struct vulkan_host {
    struct vulkan_api api;
    VkInstance instance;
    VkPhysicalDevice adapter;
    VkDevice device;
    VkQueue queue;
    uint32_t family;
    VkPhysicalDeviceProperties properties;
    VkQueueFamilyProperties queue_properties;
    char failure[160]; /* the first call that failed; empty while all went well */
};

enum vulkan_host_state {
    VULKAN_HOST_READY,
    VULKAN_HOST_ABSENT, /* no loader, no driver, or none with a queue for it: nothing is wrong */
    VULKAN_HOST_FAILED  /* failure says what */
};

/* Opens the first device that there is. Close it, whatever was returned. */
enum vulkan_host_state vulkan_host_open(struct vulkan_host *host);
void vulkan_host_close(struct vulkan_host *host);

/* False for anything but VK_SUCCESS; the first one stays in `failure`. */
bool vulkan_host_check(struct vulkan_host *host, VkResult result, const char *call);

struct vulkan_buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    void *mapped; /* all of it */
};

struct vulkan_image {
    VkImage image;
    VkDeviceMemory memory;
    VkImageView view;
};

/* Memory that the program sees, and an image that only the device does. Destroy them, whatever was
 * returned; all zero is none. */
bool vulkan_buffer_create(struct vulkan_host *host, struct vulkan_buffer *buffer,
                          VkDeviceSize size_bytes, VkBufferUsageFlags usage);
void vulkan_buffer_destroy(struct vulkan_host *host, struct vulkan_buffer *buffer);
bool vulkan_image_create(struct vulkan_host *host, struct vulkan_image *image, VkFormat format,
                         VkExtent2D extent, VkImageUsageFlags usage, VkImageAspectFlags aspect);
void vulkan_image_destroy(struct vulkan_host *host, struct vulkan_image *image);

#endif
