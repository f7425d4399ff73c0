/* The functions of Vulkan that the backend calls, as the program's loader or driver gives them. */
#ifndef LUDUS_VULKAN_FUNCTIONS_H
#define LUDUS_VULKAN_FUNCTIONS_H

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <ludus/gpu_vulkan.h>

#include <stdbool.h>

/* Those of one form of an extension or another are of the same type. */
struct ludus_vulkan_functions {
    PFN_vkGetPhysicalDeviceProperties get_properties;
    PFN_vkGetPhysicalDeviceQueueFamilyProperties get_family_properties;
    PFN_vkCreateQueryPool create_query_pool;
    PFN_vkDestroyQueryPool destroy_query_pool;
    PFN_vkGetQueryPoolResults get_results;
    PFN_vkGetFenceStatus get_fence_status;
    PFN_vkCmdWriteTimestamp write_timestamp;
    PFN_vkCmdResetQueryPool reset_in_commands;
    /* NULL where they were not enabled, or are not there: */
    PFN_vkResetQueryPool reset_by_host;
    PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT get_time_domains;
    PFN_vkGetCalibratedTimestampsEXT get_timestamps;
    PFN_vkCmdBeginDebugUtilsLabelEXT begin_label;
    PFN_vkCmdEndDebugUtilsLabelEXT end_label;
};

/* Finds them. NULL, or the name of one that must be there and is not. */
const char *ludus_vulkan_functions_find(struct ludus_vulkan_functions *functions,
                                        const struct ludus_vulkan_setup *setup);

#endif
