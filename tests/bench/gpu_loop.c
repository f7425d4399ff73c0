/* Light frames on a Vulkan queue. */
#include "gpu_loop.h"

#include <string.h>

#include <ludus/profile.h>

#include "bench_tools.h"

static void expect(VkResult result, const char *call)
{
    if (result != VK_SUCCESS)
        bench_fail("%s failed with %d", call, (int)result);
}

/* The driver's share of what a session takes in a frame: its calls besides timestamps. */
static double driver_ns;
static PFN_vkGetDeviceProcAddr find_of_device;
static PFN_vkGetQueryPoolResults get_results;
static PFN_vkResetQueryPool reset_pool;
static PFN_vkGetCalibratedTimestampsEXT get_timestamps;

static VkResult VKAPI_CALL timed_results(VkDevice device, VkQueryPool pool, uint32_t first,
                                         uint32_t count, size_t size, void *data,
                                         VkDeviceSize stride, VkQueryResultFlags flags)
{
    const uint64_t begin_ns = bench_now_ns();
    const VkResult result = get_results(device, pool, first, count, size, data, stride, flags);
    driver_ns += (double)(bench_now_ns() - begin_ns);
    return result;
}

static void VKAPI_CALL timed_reset(VkDevice device, VkQueryPool pool, uint32_t first,
                                   uint32_t count)
{
    const uint64_t begin_ns = bench_now_ns();
    reset_pool(device, pool, first, count);
    driver_ns += (double)(bench_now_ns() - begin_ns);
}

static VkResult VKAPI_CALL timed_timestamps(VkDevice device, uint32_t count,
                                            const VkCalibratedTimestampInfoEXT *infos,
                                            uint64_t *ticks, uint64_t *deviation)
{
    const uint64_t begin_ns = bench_now_ns();
    const VkResult result = get_timestamps(device, count, infos, ticks, deviation);
    driver_ns += (double)(bench_now_ns() - begin_ns);
    return result;
}

static PFN_vkVoidFunction VKAPI_CALL find_timed_of_device(VkDevice device, const char *name)
{
    const PFN_vkVoidFunction function = find_of_device(device, name);
    if (strcmp(name, "vkGetQueryPoolResults") == 0) {
        get_results = (PFN_vkGetQueryPoolResults)function;
        return (PFN_vkVoidFunction)timed_results;
    }
    if (strcmp(name, "vkResetQueryPool") == 0) {
        reset_pool = (PFN_vkResetQueryPool)function;
        return (PFN_vkVoidFunction)timed_reset;
    }
    if (strncmp(name, "vkGetCalibratedTimestamps", 25) == 0) {
        get_timestamps = (PFN_vkGetCalibratedTimestampsEXT)function;
        return (PFN_vkVoidFunction)timed_timestamps;
    }
    return function;
}

static struct ludus_vulkan_session *create_session(const struct vulkan_host *host)
{
    const struct ludus_vulkan_setup setup = {
        .get_instance_proc_addr = host->api.vkGetInstanceProcAddr,
        .get_device_proc_addr = find_timed_of_device,
        .instance = host->instance,
        .physical_device = host->adapter,
        .device = host->device,
        .queue_family = host->family,
        .enabled = host->enabled,
        .frames_in_flight = GPU_LOOP_FLIGHTS,
    };
    find_of_device = host->api.vkGetDeviceProcAddr;
    struct ludus_vulkan_session *gpu = ludus_vulkan_session_create(&setup);
    if (gpu == NULL)
        bench_fail("there is no session");
    return gpu;
}

static void open_queries(struct gpu_loop *loop)
{
    const struct vulkan_host *host = &loop->host;
    const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                        .queryCount = 2 * GPU_LOOP_SCOPES};
    const PFN_vkCreateQueryPool create =
        (PFN_vkCreateQueryPool)host->api.vkGetDeviceProcAddr(host->device, "vkCreateQueryPool");
    loop->write =
        (PFN_vkCmdWriteTimestamp)host->api.vkGetDeviceProcAddr(host->device, "vkCmdWriteTimestamp");
    loop->reset =
        (PFN_vkCmdResetQueryPool)host->api.vkGetDeviceProcAddr(host->device, "vkCmdResetQueryPool");
    expect(create(host->device, &info, NULL, &loop->queries), "vkCreateQueryPool");
}

void gpu_loop_open(struct gpu_loop *loop)
{
    const struct vulkan_host *host = &loop->host;
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = host->family,
    };
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
                                     .flags = VK_FENCE_CREATE_SIGNALED_BIT};
    expect(host->api.vkCreateCommandPool(host->device, &pool, NULL, &loop->pool),
           "vkCreateCommandPool");
    const VkCommandBufferAllocateInfo buffers = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = loop->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = GPU_LOOP_FLIGHTS,
    };
    expect(host->api.vkAllocateCommandBuffers(host->device, &buffers, loop->commands),
           "vkAllocateCommandBuffers");
    for (uint32_t i = 0; i < GPU_LOOP_FLIGHTS; i++)
        expect(host->api.vkCreateFence(host->device, &fence, NULL, &loop->fences[i]),
               "vkCreateFence");
    open_queries(loop);
    loop->gpu = create_session(host);
}

void gpu_loop_close(struct gpu_loop *loop)
{
    const struct vulkan_host *host = &loop->host;
    const PFN_vkDestroyQueryPool destroy =
        (PFN_vkDestroyQueryPool)host->api.vkGetDeviceProcAddr(host->device, "vkDestroyQueryPool");
    gpu_loop_finish(loop);
    (void)ludus_vulkan_session_destroy(loop->gpu);
    destroy(host->device, loop->queries, NULL);
    for (uint32_t i = 0; i < GPU_LOOP_FLIGHTS; i++)
        host->api.vkDestroyFence(host->device, loop->fences[i], NULL);
    host->api.vkDestroyCommandPool(host->device, loop->pool, NULL);
}

void gpu_loop_finish(struct gpu_loop *loop)
{
    (void)loop->host.api.vkDeviceWaitIdle(loop->host.device);
    ludus_vulkan_frame_complete(loop->gpu, UINT64_MAX);
}

/* What the scopes of a frame take. */
static double put_scopes(struct gpu_loop *loop, VkCommandBuffer commands, enum gpu_way way,
                         uint32_t scopes)
{
    const uint64_t begin_ns = bench_now_ns();
    if (way == GPU_BY_HAND) {
        for (uint32_t i = 0; i < scopes; i++) {
            loop->write(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, loop->queries, 2 * i);
            loop->write(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, loop->queries, 2 * i + 1);
        }
    } else if (way != GPU_BARE) {
        for (uint32_t i = 0; i < scopes; i++) {
            LUDUS_PROFILE_GPU_SCOPE(ludus_vulkan_commands(loop->gpu, commands, LUDUS_GPU_COMPUTE),
                                    Cost/GpuScope);
        }
    }
    return (double)(bench_now_ns() - begin_ns);
}

struct gpu_frame_cost gpu_loop_draw(struct gpu_loop *loop, enum gpu_way way, uint32_t scopes)
{
    const struct vulkan_api *api = &loop->host.api;
    const VkDevice device = loop->host.device;
    const uint32_t flight = loop->drawn++ % GPU_LOOP_FLIGHTS;
    const VkCommandBuffer commands = loop->commands[flight];
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &commands};
    struct ludus_vulkan_session *gpu = way == GPU_IDLE || way == GPU_RECORDED ? loop->gpu : NULL;
    struct gpu_frame_cost cost = {0};
    driver_ns = 0;
    expect(api->vkWaitForFences(device, 1, &loop->fences[flight], VK_TRUE, UINT64_MAX),
           "vkWaitForFences");
    uint64_t from_ns = bench_now_ns();
    ludus_vulkan_session_poll(gpu); /* the fence was lent */
    cost.frame_ns += (double)(bench_now_ns() - from_ns);
    expect(api->vkResetFences(device, 1, &loop->fences[flight]), "vkResetFences");
    expect(api->vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    if (way == GPU_BY_HAND)
        loop->reset(commands, loop->queries, 0, 2 * GPU_LOOP_SCOPES);
    from_ns = bench_now_ns();
    loop->number = ludus_vulkan_frame_begin(gpu, commands);
    cost.scopes_ns = put_scopes(loop, commands, way, scopes);
    ludus_vulkan_frame_finish(gpu, commands);
    ludus_vulkan_frame_submit(gpu);
    cost.frame_ns += (double)(bench_now_ns() - from_ns);
    expect(api->vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    expect(api->vkQueueSubmit(loop->host.queue, 1, &info, loop->fences[flight]), "vkQueueSubmit");
    from_ns = bench_now_ns();
    ludus_vulkan_frame_end(gpu, LUDUS_GPU_SUBMITTED, loop->fences[flight]);
    cost.frame_ns += (double)(bench_now_ns() - from_ns);
    cost.driver_ns = driver_ns;
    return cost;
}
