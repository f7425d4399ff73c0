/* Stands between the backend and a Vulkan driver: counts what is called, lets calls fail, keeps
 * functions back, and tells of another queue than there is. */
#ifndef VULKAN_WATCH_H
#define VULKAN_WATCH_H

#include "vulkan_api.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* What the backend calls. Those with a result can be made to fail. */
#define VULKAN_WATCHED_CALLS(X)                                                                    \
    X(vkCreateQueryPool)                                                                           \
    X(vkGetQueryPoolResults)                                                                       \
    X(vkGetFenceStatus)                                                                            \
    X(vkGetPhysicalDeviceCalibrateableTimeDomainsEXT)                                              \
    X(vkGetCalibratedTimestampsEXT)
#define VULKAN_WATCHED_COMMANDS(X)                                                                 \
    X(vkDestroyQueryPool)                                                                          \
    X(vkResetQueryPool)                                                                            \
    X(vkResetQueryPoolEXT)                                                                         \
    X(vkCmdResetQueryPool)                                                                         \
    X(vkCmdWriteTimestamp)                                                                         \
    X(vkCmdBeginDebugUtilsLabelEXT)                                                                \
    X(vkCmdEndDebugUtilsLabelEXT)                                                                  \
    X(vkGetPhysicalDeviceQueueFamilyProperties)

#define VULKAN_WATCH_CALL(name)                                                                    \
    PFN_##name real_##name;                                                                        \
    _Atomic uint32_t name;                                                                         \
    VkResult result_##name; /* VK_SUCCESS: the driver's */
#define VULKAN_WATCH_COMMAND(name)                                                                 \
    PFN_##name real_##name;                                                                        \
    _Atomic uint32_t name;

struct vulkan_watch {
    PFN_vkGetInstanceProcAddr get_instance_proc_addr; /* the driver's */
    PFN_vkGetDeviceProcAddr get_device_proc_addr;
    VULKAN_WATCHED_CALLS(VULKAN_WATCH_CALL)
    VULKAN_WATCHED_COMMANDS(VULKAN_WATCH_COMMAND)
    const char *missing;                   /* a function that there is not; NULL: none */
    const char *unexpected;                /* one that was asked for, and is none of those above */
    VkQueryResultFlags result_flags;       /* of all calls together */
    uint32_t late_results;                 /* calls whose queries are not available yet */
    _Atomic uint32_t begins;               /* timestamps at the top of the pipe, */
    _Atomic uint32_t ends;                 /* and at its bottom */
    const VkQueueFamilyProperties *family; /* in place of each of the driver's; NULL: as it is */
    uint32_t fewest_domains;               /* time domains are only so many; 0: as it is */
    bool calibrates_as_khr; /* calibrated timestamps have the names of VK_KHR alone */
};

extern struct vulkan_watch watch;

/* In place of the driver's. */
PFN_vkVoidFunction VKAPI_CALL vulkan_watch_find(VkInstance instance, const char *name);

#endif
