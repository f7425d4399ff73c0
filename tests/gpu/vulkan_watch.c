/* Stands between the backend and a Vulkan driver. */
#include "vulkan_watch.h"

#include <string.h>

struct vulkan_watch watch;

/* Answers in place of the driver when the test says so. */
#define ANSWER(name, ...)                                                                          \
    watch.name++;                                                                                  \
    if (watch.result_##name != VK_SUCCESS)                                                         \
        return watch.result_##name;                                                                \
    return watch.real_##name(__VA_ARGS__)
#define PASS_ON(name, ...)                                                                         \
    watch.name++;                                                                                  \
    watch.real_##name(__VA_ARGS__)

static VkResult VKAPI_CALL watched_vkCreateQueryPool(VkDevice device,
                                                     const VkQueryPoolCreateInfo *info,
                                                     const VkAllocationCallbacks *allocator,
                                                     VkQueryPool *pool)
{
    ANSWER(vkCreateQueryPool, device, info, allocator, pool);
}

static VkResult VKAPI_CALL watched_vkGetQueryPoolResults(VkDevice device, VkQueryPool pool,
                                                         uint32_t first, uint32_t count,
                                                         size_t size, void *data,
                                                         VkDeviceSize stride,
                                                         VkQueryResultFlags flags)
{
    watch.result_flags |= flags;
    if (watch.late_results > 0) {
        watch.late_results--;
        for (uint32_t i = 0; i < count; i++) /* the value, and whether it is there */
            memset((char *)data + i * stride, 0, 2 * sizeof(uint64_t));
        return VK_NOT_READY;
    }
    ANSWER(vkGetQueryPoolResults, device, pool, first, count, size, data, stride, flags);
}

static VkResult VKAPI_CALL watched_vkGetFenceStatus(VkDevice device, VkFence fence)
{
    ANSWER(vkGetFenceStatus, device, fence);
}

static VkResult VKAPI_CALL watched_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT(
    VkPhysicalDevice adapter, uint32_t *count, VkTimeDomainEXT *domains)
{
    if (watch.fewest_domains != 0 && *count > watch.fewest_domains)
        *count = watch.fewest_domains;
    ANSWER(vkGetPhysicalDeviceCalibrateableTimeDomainsEXT, adapter, count, domains);
}

static VkResult VKAPI_CALL watched_vkGetCalibratedTimestampsEXT(
    VkDevice device, uint32_t count, const VkCalibratedTimestampInfoEXT *infos, uint64_t *ticks,
    uint64_t *deviation)
{
    ANSWER(vkGetCalibratedTimestampsEXT, device, count, infos, ticks, deviation);
}

static void VKAPI_CALL watched_vkDestroyQueryPool(VkDevice device, VkQueryPool pool,
                                                  const VkAllocationCallbacks *allocator)
{
    PASS_ON(vkDestroyQueryPool, device, pool, allocator);
}

static void VKAPI_CALL watched_vkResetQueryPool(VkDevice device, VkQueryPool pool, uint32_t first,
                                                uint32_t count)
{
    PASS_ON(vkResetQueryPool, device, pool, first, count);
}

static void VKAPI_CALL watched_vkResetQueryPoolEXT(VkDevice device, VkQueryPool pool,
                                                   uint32_t first, uint32_t count)
{
    PASS_ON(vkResetQueryPoolEXT, device, pool, first, count);
}

static void VKAPI_CALL watched_vkCmdResetQueryPool(VkCommandBuffer commands, VkQueryPool pool,
                                                   uint32_t first, uint32_t count)
{
    PASS_ON(vkCmdResetQueryPool, commands, pool, first, count);
}

static void VKAPI_CALL watched_vkCmdWriteTimestamp(VkCommandBuffer commands,
                                                   VkPipelineStageFlagBits stage, VkQueryPool pool,
                                                   uint32_t query)
{
    watch.begins += stage == VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT;
    watch.ends += stage == VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT;
    PASS_ON(vkCmdWriteTimestamp, commands, stage, pool, query);
}

static void VKAPI_CALL watched_vkCmdBeginDebugUtilsLabelEXT(VkCommandBuffer commands,
                                                            const VkDebugUtilsLabelEXT *label)
{
    PASS_ON(vkCmdBeginDebugUtilsLabelEXT, commands, label);
}

static void VKAPI_CALL watched_vkCmdEndDebugUtilsLabelEXT(VkCommandBuffer commands)
{
    PASS_ON(vkCmdEndDebugUtilsLabelEXT, commands);
}

static void VKAPI_CALL watched_vkGetPhysicalDeviceQueueFamilyProperties(
    VkPhysicalDevice adapter, uint32_t *count, VkQueueFamilyProperties *families)
{
    PASS_ON(vkGetPhysicalDeviceQueueFamilyProperties, adapter, count, families);
    for (uint32_t i = 0; families != NULL && watch.family != NULL && i < *count; i++)
        families[i] = *watch.family;
}

#define FIND(watched)                                                                              \
    if (strcmp(name, #watched) == 0) {                                                             \
        watch.real_##watched = (PFN_##watched)function;                                            \
        return function != NULL ? (PFN_vkVoidFunction)watched_##watched : NULL;                    \
    }

static PFN_vkVoidFunction find(PFN_vkVoidFunction function, const char *name)
{
    if (watch.missing != NULL && strcmp(name, watch.missing) == 0)
        return NULL;
    VULKAN_WATCHED_CALLS(FIND)
    VULKAN_WATCHED_COMMANDS(FIND)
    if (strcmp(name, "vkGetPhysicalDeviceProperties") != 0)
        watch.unexpected = name;
    return function;
}

/* What the driver calls the function, which has the same type in both forms of the extension. */
static const char *name_of_driver(const char *name)
{
    static const char *const names[][2] = {
        {"vkGetPhysicalDeviceCalibrateableTimeDomainsKHR",
         "vkGetPhysicalDeviceCalibrateableTimeDomainsEXT"},
        {"vkGetCalibratedTimestampsKHR", "vkGetCalibratedTimestampsEXT"},
    };
    for (size_t i = 0; watch.calibrates_as_khr && i < 2; i++) {
        if (strcmp(name, names[i][0]) == 0)
            return names[i][1];
        if (strcmp(name, names[i][1]) == 0)
            return "vkNoFunction";
    }
    return name;
}

static PFN_vkVoidFunction VKAPI_CALL find_of_device(VkDevice device, const char *name)
{
    const char *known = name_of_driver(name);
    return find(watch.get_device_proc_addr(device, known), known);
}

PFN_vkVoidFunction VKAPI_CALL vulkan_watch_find(VkInstance instance, const char *name)
{
    const char *known = name_of_driver(name);
    if (strcmp(name, "vkGetDeviceProcAddr") != 0)
        return find(watch.get_instance_proc_addr(instance, known), known);
    if (watch.missing != NULL && strcmp(name, watch.missing) == 0)
        return NULL;
    watch.get_device_proc_addr =
        (PFN_vkGetDeviceProcAddr)watch.get_instance_proc_addr(instance, name);
    return (PFN_vkVoidFunction)find_of_device;
}
