/* A device with one queue. */
#include "vulkan_host.h"

#include <stdio.h>
#include <string.h>

#define MAX_ADAPTERS   8u
#define MAX_FAMILIES   16u
#define MAX_EXTENSIONS 512u
#define MAX_ADDITIONS  4u

bool vulkan_host_check(struct vulkan_host *host, VkResult result, const char *call)
{
    if (result == VK_SUCCESS)
        return true;
    if (host->failure[0] == '\0')
        (void)snprintf(host->failure, sizeof host->failure, "%s failed with %d", call, (int)result);
    return false;
}

/* The version that is asked for is the newest that both sides know of the first with everything
 * that is used here. */
static uint32_t find_version(const struct vulkan_host *host)
{
    uint32_t version = VK_API_VERSION_1_0;
    (void)host->api.vkEnumerateInstanceVersion(&version);
    return version >= VK_API_VERSION_1_3 ? VK_API_VERSION_1_3 : VK_API_VERSION_1_1;
}

static VkResult create_instance(struct vulkan_host *host, const struct vulkan_wishes *wishes)
{
    static const char *const layers[] = {"VK_LAYER_KHRONOS_validation"};
    static const char *const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
    const uint32_t is_watched = wishes->messages != NULL;
    VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pApplicationName = "vulkan_frame",
        .apiVersion = find_version(host),
    };
    VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = wishes->messages,
        .pApplicationInfo = &application,
        .enabledLayerCount = is_watched,
        .ppEnabledLayerNames = layers,
        .enabledExtensionCount = is_watched,
        .ppEnabledExtensionNames = extensions,
    };
    host->version = application.apiVersion;
    if (is_watched != 0)
        host->enabled |= LUDUS_VULKAN_DEBUG_UTILS;
    return host->api.vkCreateInstance(&info, NULL, &host->instance);
}

static void create_messenger(struct vulkan_host *host, const struct vulkan_wishes *wishes)
{
    PFN_vkCreateDebugUtilsMessengerEXT create =
        (PFN_vkCreateDebugUtilsMessengerEXT)host->api.vkGetInstanceProcAddr(
            host->instance, "vkCreateDebugUtilsMessengerEXT");

    if (wishes->messages != NULL && create != NULL)
        (void)create(host->instance, wishes->messages, NULL, &host->messenger);
}

static void destroy_messenger(struct vulkan_host *host)
{
    PFN_vkDestroyDebugUtilsMessengerEXT destroy =
        (PFN_vkDestroyDebugUtilsMessengerEXT)host->api.vkGetInstanceProcAddr(
            host->instance, "vkDestroyDebugUtilsMessengerEXT");

    if (host->messenger != VK_NULL_HANDLE && destroy != NULL)
        destroy(host->instance, host->messenger, NULL);
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

static bool has_extension(const struct vulkan_host *host, const char *name)
{
    VkExtensionProperties extensions[MAX_EXTENSIONS];
    uint32_t count = MAX_EXTENSIONS;
    VkResult result =
        host->api.vkEnumerateDeviceExtensionProperties(host->adapter, NULL, &count, extensions);

    for (uint32_t i = 0; (result == VK_SUCCESS || result == VK_INCOMPLETE) && i < count; i++)
        if (strcmp(extensions[i].extensionName, name) == 0)
            return true;
    return false;
}

/* What may be enabled of the device: its extensions, and features behind each other. */
struct additions {
    const char *extensions[MAX_ADDITIONS];
    uint32_t extension_count;
    void *features; /* the first of those that are asked for */
    VkPhysicalDeviceHostQueryResetFeatures reset;
    VkPhysicalDeviceDynamicRenderingFeatures rendering;
};

static bool add_extension(struct vulkan_host *host, const struct vulkan_wishes *wishes,
                          struct additions *additions, uint32_t feature, const char *name)
{
    if ((wishes->without & feature) != 0 || !has_extension(host, name))
        return false;
    additions->extensions[additions->extension_count++] = name;
    host->enabled |= feature;
    return true;
}

/* Of what comes in two forms the newer one is taken. */
static bool add_reset(struct vulkan_host *host, const struct vulkan_wishes *wishes,
                      struct additions *additions, bool is_new)
{
    if (is_new && (wishes->without & LUDUS_VULKAN_HOST_QUERY_RESET) == 0) {
        host->enabled |= LUDUS_VULKAN_HOST_QUERY_RESET;
        return true;
    }
    return add_extension(host, wishes, additions, LUDUS_VULKAN_HOST_QUERY_RESET_EXT,
                         VK_EXT_HOST_QUERY_RESET_EXTENSION_NAME);
}

static void find_additions(struct vulkan_host *host, const struct vulkan_wishes *wishes,
                           struct additions *additions)
{
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    void **next = &features.pNext;
    const bool is_new =
        host->version >= VK_API_VERSION_1_3 && host->properties.apiVersion >= VK_API_VERSION_1_3;

    additions->reset.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES;
    additions->rendering.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES;
    if (is_new || has_extension(host, VK_EXT_HOST_QUERY_RESET_EXTENSION_NAME)) {
        *next = &additions->reset;
        next = &additions->reset.pNext;
    }
    if (is_new)
        *next = &additions->rendering;
    additions->features = features.pNext;
    host->api.vkGetPhysicalDeviceFeatures2(host->adapter, &features);
    host->has_dynamic_rendering = additions->rendering.dynamicRendering;
    additions->reset.hostQueryReset =
        additions->reset.hostQueryReset && add_reset(host, wishes, additions, is_new);
    if (!add_extension(host, wishes, additions, LUDUS_VULKAN_CALIBRATED_KHR,
                       "VK_KHR_calibrated_timestamps"))
        (void)add_extension(host, wishes, additions, LUDUS_VULKAN_CALIBRATED_EXT,
                            VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);
}

static bool create_device(struct vulkan_host *host, const struct vulkan_wishes *wishes)
{
    const float priority = 1.0f;
    struct additions additions = {0};
    VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = host->family,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    find_additions(host, wishes, &additions);
    VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = additions.features,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = additions.extension_count,
        .ppEnabledExtensionNames = additions.extensions,
    };
    VkResult result = host->api.vkCreateDevice(host->adapter, &info, NULL, &host->device);

    if (!vulkan_host_check(host, result, "vkCreateDevice"))
        return false;
    if (!vulkan_api_load_device(&host->api, host->device))
        return vulkan_host_check(host, VK_ERROR_INITIALIZATION_FAILED, "vkGetDeviceProcAddr");
    host->api.vkGetDeviceQueue(host->device, host->family, 0, &host->queue);
    return true;
}

enum vulkan_host_state vulkan_host_open(struct vulkan_host *host,
                                        const struct vulkan_wishes *wishes)
{
    memset(host, 0, sizeof *host);
    if (!vulkan_api_open(&host->api) || create_instance(host, wishes) != VK_SUCCESS)
        return VULKAN_HOST_ABSENT;
    if (!vulkan_api_load_instance(&host->api, host->instance) || !find_adapter(host))
        return VULKAN_HOST_ABSENT;
    create_messenger(host, wishes);
    return create_device(host, wishes) ? VULKAN_HOST_READY : VULKAN_HOST_FAILED;
}

void vulkan_host_close(struct vulkan_host *host)
{
    if (host->device != VK_NULL_HANDLE && host->api.vkDestroyDevice != NULL)
        host->api.vkDestroyDevice(host->device, NULL);
    if (host->instance != VK_NULL_HANDLE && host->api.vkDestroyInstance != NULL) {
        destroy_messenger(host);
        host->api.vkDestroyInstance(host->instance, NULL);
    }
    vulkan_api_close(&host->api);
}
