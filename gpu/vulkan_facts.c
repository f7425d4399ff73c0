/* What a queue of a Vulkan device can tell of time. */
#include "vulkan_facts.h"

#include <stdlib.h>
#include <string.h>

#define MOST_DOMAINS 32u

/* That of a family which the device does not have is all zero. */
static VkQueueFamilyProperties family_of(const struct ludus_vulkan_functions *functions,
                                         const struct ludus_vulkan_setup *setup)
{
    VkQueueFamilyProperties family = {0};
    uint32_t count = 0;
    functions->get_family_properties(setup->physical_device, &count, NULL);
    if (setup->queue_family >= count)
        return family;
    VkQueueFamilyProperties *families = calloc(count, sizeof *families);
    if (families == NULL)
        return family;
    functions->get_family_properties(setup->physical_device, &count, families);
    if (setup->queue_family < count)
        family = families[setup->queue_family];
    free(families);
    return family;
}

static const char *name_of(VkQueueFlags flags)
{
    if ((flags & VK_QUEUE_GRAPHICS_BIT) != 0)
        return "graphics";
    if ((flags & VK_QUEUE_COMPUTE_BIT) != 0)
        return "compute";
    return (flags & VK_QUEUE_TRANSFER_BIT) != 0 ? "transfer" : "queue";
}

/* The driver tells nanoseconds; what is no time at all is none. */
static uint64_t period_fs_of(float period_ns)
{
    return period_ns > 0.0f && period_ns < 1e9f ? (uint64_t)((double)period_ns * 1e6 + 0.5) : 0;
}

/* Why the device's clock cannot be read beside CLOCK_MONOTONIC; NULL when it can. */
static const char *find_calibration_fault(const struct ludus_vulkan_functions *functions,
                                          const struct ludus_vulkan_setup *setup)
{
    VkTimeDomainEXT domains[MOST_DOMAINS];
    uint32_t count = MOST_DOMAINS;
    bool has_device = false, has_host = false;
    if ((setup->enabled & (LUDUS_VULKAN_CALIBRATED_KHR | LUDUS_VULKAN_CALIBRATED_EXT)) == 0)
        return "calibrated timestamps were not enabled";
    if (functions->get_time_domains == NULL || functions->get_timestamps == NULL)
        return "the driver lacks the functions of calibrated timestamps";
    const VkResult result = functions->get_time_domains(setup->physical_device, &count, domains);
    if (result != VK_SUCCESS && result != VK_INCOMPLETE)
        return "the driver does not tell its time domains";
    for (uint32_t i = 0; i < count; i++) {
        has_device = has_device || domains[i] == VK_TIME_DOMAIN_DEVICE_EXT;
        has_host = has_host || domains[i] == VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT;
    }
    if (!has_device)
        return "the driver cannot read the device's clock from the host";
    return has_host ? NULL : "the driver cannot read CLOCK_MONOTONIC beside the device's clock";
}

void ludus_vulkan_facts_find(struct ludus_vulkan_facts *facts,
                             const struct ludus_vulkan_functions *functions,
                             const struct ludus_vulkan_setup *setup)
{
    VkPhysicalDeviceProperties properties;
    const VkQueueFamilyProperties family = family_of(functions, setup);
    functions->get_properties(setup->physical_device, &properties);
    memcpy(facts->device, properties.deviceName, sizeof facts->device);
    facts->device[sizeof facts->device - 1] = 0;
    facts->queue.device = facts->device;
    if (setup->queue == NULL)
        facts->queue.queue = name_of(family.queueFlags);
    facts->queue.valid_bits = family.timestampValidBits;
    facts->queue.period_fs = period_fs_of(properties.limits.timestampPeriod);
    facts->can_reset = (family.queueFlags & (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT)) != 0;
    const char *fault = find_calibration_fault(functions, setup);
    facts->is_calibrated = fault == NULL;
    facts->queue.calibration_reason = fault != NULL ? fault : "";
}
