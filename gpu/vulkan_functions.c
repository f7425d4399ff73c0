/* Finds the functions of Vulkan that the backend calls. */
#include "vulkan_functions.h"

#include <string.h>

struct finder {
    const struct ludus_vulkan_setup *setup;
    PFN_vkGetDeviceProcAddr get_device_proc_addr;
    const char *missing; /* the first one that must be there */
};

static PFN_vkVoidFunction find_of_instance(const struct finder *finder, const char *name)
{
    return finder->setup->get_instance_proc_addr(finder->setup->instance, name);
}

static PFN_vkVoidFunction find_of_device(const struct finder *finder, const char *name)
{
    return finder->get_device_proc_addr(finder->setup->device, name);
}

static PFN_vkVoidFunction need(struct finder *finder, PFN_vkVoidFunction function, const char *name)
{
    if (function == NULL && finder->missing == NULL)
        finder->missing = name;
    return function;
}

#define NEED_OF_INSTANCE(member, name)                                                             \
    functions->member = (PFN_##name)need(finder, find_of_instance(finder, #name), #name)
#define NEED_OF_DEVICE(member, name)                                                               \
    functions->member = (PFN_##name)need(finder, find_of_device(finder, #name), #name)

static void find_needed(struct ludus_vulkan_functions *functions, struct finder *finder)
{
    NEED_OF_INSTANCE(get_properties, vkGetPhysicalDeviceProperties);
    NEED_OF_INSTANCE(get_family_properties, vkGetPhysicalDeviceQueueFamilyProperties);
    NEED_OF_DEVICE(create_query_pool, vkCreateQueryPool);
    NEED_OF_DEVICE(destroy_query_pool, vkDestroyQueryPool);
    NEED_OF_DEVICE(get_results, vkGetQueryPoolResults);
    NEED_OF_DEVICE(get_fence_status, vkGetFenceStatus);
    NEED_OF_DEVICE(write_timestamp, vkCmdWriteTimestamp);
    NEED_OF_DEVICE(reset_in_commands, vkCmdResetQueryPool);
}

/* Both of them, or none. */
static void find_labels(struct ludus_vulkan_functions *functions, const struct finder *finder)
{
    const PFN_vkVoidFunction begin = find_of_device(finder, "vkCmdBeginDebugUtilsLabelEXT");
    const PFN_vkVoidFunction end = find_of_device(finder, "vkCmdEndDebugUtilsLabelEXT");
    if (begin == NULL || end == NULL)
        return;
    functions->begin_label = (PFN_vkCmdBeginDebugUtilsLabelEXT)begin;
    functions->end_label = (PFN_vkCmdEndDebugUtilsLabelEXT)end;
}

static void find_enabled(struct ludus_vulkan_functions *functions, const struct finder *finder)
{
    const uint32_t enabled = finder->setup->enabled;
    if ((enabled & LUDUS_VULKAN_HOST_QUERY_RESET) != 0)
        functions->reset_by_host = (PFN_vkResetQueryPool)find_of_device(finder, "vkResetQueryPool");
    else if ((enabled & LUDUS_VULKAN_HOST_QUERY_RESET_EXT) != 0)
        functions->reset_by_host =
            (PFN_vkResetQueryPool)find_of_device(finder, "vkResetQueryPoolEXT");
    if ((enabled & (LUDUS_VULKAN_CALIBRATED_KHR | LUDUS_VULKAN_CALIBRATED_EXT)) != 0) {
        const bool is_khr = (enabled & LUDUS_VULKAN_CALIBRATED_KHR) != 0;
        functions->get_time_domains =
            (PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT)find_of_instance(
                finder, is_khr ? "vkGetPhysicalDeviceCalibrateableTimeDomainsKHR"
                               : "vkGetPhysicalDeviceCalibrateableTimeDomainsEXT");
        functions->get_timestamps = (PFN_vkGetCalibratedTimestampsEXT)find_of_device(
            finder, is_khr ? "vkGetCalibratedTimestampsKHR" : "vkGetCalibratedTimestampsEXT");
    }
    if ((enabled & LUDUS_VULKAN_DEBUG_UTILS) != 0)
        find_labels(functions, finder);
}

const char *ludus_vulkan_functions_find(struct ludus_vulkan_functions *functions,
                                        const struct ludus_vulkan_setup *setup)
{
    struct finder finder = {setup, setup->get_device_proc_addr, NULL};
    memset(functions, 0, sizeof *functions);
    if (finder.get_device_proc_addr == NULL)
        finder.get_device_proc_addr =
            (PFN_vkGetDeviceProcAddr)find_of_instance(&finder, "vkGetDeviceProcAddr");
    if (finder.get_device_proc_addr == NULL)
        return "vkGetDeviceProcAddr";
    find_needed(functions, &finder);
    find_enabled(functions, &finder);
    return finder.missing;
}
