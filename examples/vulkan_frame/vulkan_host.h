/* A device with one queue that draws and computes, and the memory of what it works on. */
#ifndef VULKAN_HOST_H
#define VULKAN_HOST_H

#include <stdint.h>

#include "vulkan_api.h"

#include <ludus/gpu_vulkan.h>

struct vulkan_host {
    struct vulkan_api api;
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger;
    VkPhysicalDevice adapter;
    VkDevice device;
    VkQueue queue;
    uint32_t family;
    uint32_t version; /* of Vulkan, that the instance is made for */
    uint32_t enabled; /* enum ludus_vulkan_feature, of what GPU timing can use */
    bool has_dynamic_rendering;
    VkPhysicalDeviceProperties properties;
    VkQueueFamilyProperties queue_properties;
    char failure[160]; /* the first call that failed; empty while all went well */
};

enum vulkan_host_state {
    VULKAN_HOST_READY,
    VULKAN_HOST_ABSENT, /* no loader, no driver, or none with a queue for it: nothing is wrong */
    VULKAN_HOST_FAILED  /* failure says what */
};

/* What is wanted of it; all zero: everything that there is, and no validation. */
struct vulkan_wishes {
    uint32_t without; /* enum ludus_vulkan_feature, that are not enabled */
    /* Who is told what the Khronos validation layer has to say, which is on then, as debug utils
     * are. NULL: nobody. */
    const VkDebugUtilsMessengerCreateInfoEXT *messages;
};

/* Opens the first device that there is. Close it, whatever was returned. */
enum vulkan_host_state vulkan_host_open(struct vulkan_host *host,
                                        const struct vulkan_wishes *wishes);
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
