/* Finds the functions of Vulkan. */
#include "vulkan_api.h"

#include <dlfcn.h>
#include <string.h>

/* ISO C has no cast from an object's pointer to a function's; POSIX has this one. */
static PFN_vkGetInstanceProcAddr find_first(void *library)
{
    PFN_vkGetInstanceProcAddr function = NULL;
    void *symbol = dlsym(library, "vkGetInstanceProcAddr");
    memcpy(&function, &symbol, sizeof function);
    return function;
}

#define FIND_IN_INSTANCE(name)                                                                     \
    api->name = (PFN_##name)api->vkGetInstanceProcAddr(instance, #name);                           \
    is_whole = is_whole && api->name != NULL;

#define FIND_IN_DEVICE(name)                                                                       \
    api->name = (PFN_##name)api->vkGetDeviceProcAddr(device, #name);                               \
    is_whole = is_whole && api->name != NULL;

bool vulkan_api_open(struct vulkan_api *api)
{
    const VkInstance instance = VK_NULL_HANDLE;
    bool is_whole = true;

    memset(api, 0, sizeof *api);
    api->library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    if (api->library == NULL)
        return false;
    api->vkGetInstanceProcAddr = find_first(api->library);
    if (api->vkGetInstanceProcAddr == NULL)
        return false;
    VULKAN_GLOBAL_FUNCTIONS(FIND_IN_INSTANCE)
    return is_whole;
}

bool vulkan_api_load_instance(struct vulkan_api *api, VkInstance instance)
{
    bool is_whole = true;

    VULKAN_INSTANCE_FUNCTIONS(FIND_IN_INSTANCE)
    return is_whole;
}

bool vulkan_api_load_device(struct vulkan_api *api, VkDevice device)
{
    bool is_whole = true;

    VULKAN_DEVICE_FUNCTIONS(FIND_IN_DEVICE)
    return is_whole;
}

void vulkan_api_close(struct vulkan_api *api)
{
    if (api->library != NULL)
        (void)dlclose(api->library);
    api->library = NULL;
}
