/* The functions of Vulkan that the example calls, found in whatever loader there is: the program
 * starts, and can say so, where there is none. */
#ifndef VULKAN_API_H
#define VULKAN_API_H

#include <stdbool.h>

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#define VULKAN_GLOBAL_FUNCTIONS(X)                                                                 \
    X(vkCreateInstance)                                                                            \
    X(vkEnumerateInstanceVersion)

#define VULKAN_INSTANCE_FUNCTIONS(X)                                                               \
    X(vkCreateDevice)                                                                              \
    X(vkDestroyInstance)                                                                           \
    X(vkEnumerateDeviceExtensionProperties)                                                        \
    X(vkEnumeratePhysicalDevices)                                                                  \
    X(vkGetDeviceProcAddr)                                                                         \
    X(vkGetPhysicalDeviceFeatures2)                                                                \
    X(vkGetPhysicalDeviceMemoryProperties)                                                         \
    X(vkGetPhysicalDeviceProperties)                                                               \
    X(vkGetPhysicalDeviceQueueFamilyProperties)

#define VULKAN_DEVICE_FUNCTIONS(X)                                                                 \
    X(vkAllocateCommandBuffers)                                                                    \
    X(vkAllocateDescriptorSets)                                                                    \
    X(vkAllocateMemory)                                                                            \
    X(vkBeginCommandBuffer)                                                                        \
    X(vkBindBufferMemory)                                                                          \
    X(vkBindImageMemory)                                                                           \
    X(vkCmdBeginRenderPass)                                                                        \
    X(vkCmdBindDescriptorSets)                                                                     \
    X(vkCmdBindPipeline)                                                                           \
    X(vkCmdCopyImageToBuffer)                                                                      \
    X(vkCmdDispatch)                                                                               \
    X(vkCmdDraw)                                                                                   \
    X(vkCmdEndRenderPass)                                                                          \
    X(vkCmdFillBuffer)                                                                             \
    X(vkCmdPipelineBarrier)                                                                        \
    X(vkCmdPushConstants)                                                                          \
    X(vkCreateBuffer)                                                                              \
    X(vkCreateCommandPool)                                                                         \
    X(vkCreateComputePipelines)                                                                    \
    X(vkCreateDescriptorPool)                                                                      \
    X(vkCreateDescriptorSetLayout)                                                                 \
    X(vkCreateFence)                                                                               \
    X(vkCreateFramebuffer)                                                                         \
    X(vkCreateGraphicsPipelines)                                                                   \
    X(vkCreateImage)                                                                               \
    X(vkCreateImageView)                                                                           \
    X(vkCreatePipelineLayout)                                                                      \
    X(vkCreateRenderPass)                                                                          \
    X(vkCreateShaderModule)                                                                        \
    X(vkDestroyBuffer)                                                                             \
    X(vkDestroyCommandPool)                                                                        \
    X(vkDestroyDescriptorPool)                                                                     \
    X(vkDestroyDescriptorSetLayout)                                                                \
    X(vkDestroyDevice)                                                                             \
    X(vkDestroyFence)                                                                              \
    X(vkDestroyFramebuffer)                                                                        \
    X(vkDestroyImage)                                                                              \
    X(vkDestroyImageView)                                                                          \
    X(vkDestroyPipeline)                                                                           \
    X(vkDestroyPipelineLayout)                                                                     \
    X(vkDestroyRenderPass)                                                                         \
    X(vkDestroyShaderModule)                                                                       \
    X(vkDeviceWaitIdle)                                                                            \
    X(vkEndCommandBuffer)                                                                          \
    X(vkFreeMemory)                                                                                \
    X(vkGetBufferMemoryRequirements)                                                               \
    X(vkGetDeviceQueue)                                                                            \
    X(vkGetImageMemoryRequirements)                                                                \
    X(vkMapMemory)                                                                                 \
    X(vkQueueSubmit)                                                                               \
    X(vkResetCommandBuffer)                                                                        \
    X(vkResetFences)                                                                               \
    X(vkUpdateDescriptorSets)                                                                      \
    X(vkWaitForFences)

#define VULKAN_MEMBER(name) PFN_##name name;

struct vulkan_api {
    void *library;
    PFN_vkGetInstanceProcAddr vkGetInstanceProcAddr;
    VULKAN_GLOBAL_FUNCTIONS(VULKAN_MEMBER)
    VULKAN_INSTANCE_FUNCTIONS(VULKAN_MEMBER)
    VULKAN_DEVICE_FUNCTIONS(VULKAN_MEMBER)
};

/* Opens the loader. False: there is none. */
bool vulkan_api_open(struct vulkan_api *api);

/* Finds the functions of an instance, and of a device. False: one is missing. */
bool vulkan_api_load_instance(struct vulkan_api *api, VkInstance instance);
bool vulkan_api_load_device(struct vulkan_api *api, VkDevice device);

/* May be called for what was never opened. */
void vulkan_api_close(struct vulkan_api *api);

#endif
