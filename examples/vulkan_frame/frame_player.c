/* Draws frames, with two of them in flight, and has a session time them. */
#include "frame_player.h"

#include <string.h>

#include <ludus/profile.h>

#include "frame_record.h"

static bool create_flights(struct frame_player *player)
{
    struct vulkan_host *host = player->host;
    const struct vulkan_api *api = &host->api;
    VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = host->family,
    };
    VkFenceCreateInfo fence = {
        .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
        .flags = VK_FENCE_CREATE_SIGNALED_BIT,
    };
    bool is_done =
        vulkan_host_check(host, api->vkCreateCommandPool(host->device, &pool, NULL, &player->pool),
                          "vkCreateCommandPool");

    for (uint32_t i = 0; is_done && i < FRAME_FLIGHTS; i++) {
        VkCommandBufferAllocateInfo buffers = {
            .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
            .commandPool = player->pool,
            .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
            .commandBufferCount = 2,
        };
        is_done =
            vulkan_host_check(
                host,
                api->vkAllocateCommandBuffers(host->device, &buffers, player->flights[i].commands),
                "vkAllocateCommandBuffers") &&
            vulkan_host_check(
                host, api->vkCreateFence(host->device, &fence, NULL, &player->flights[i].done),
                "vkCreateFence");
    }
    return is_done;
}

static bool begin_commands(struct frame_player *player, VkCommandBuffer commands)
{
    VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    return vulkan_host_check(player->host, player->host->api.vkBeginCommandBuffer(commands, &begin),
                             "vkBeginCommandBuffer");
}

static bool submit(struct frame_player *player, VkCommandBuffer commands, VkFence done)
{
    struct vulkan_host *host = player->host;
    VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &commands,
    };
    LUDUS_PROFILE_SCOPE(Frame/Submit, LUDUS_PROFILE_CAT(render));
    ludus_vulkan_frame_submit(player->scene.gpu);
    return vulkan_host_check(host, host->api.vkEndCommandBuffer(commands), "vkEndCommandBuffer") &&
           vulkan_host_check(host, host->api.vkQueueSubmit(host->queue, 1, &info, done),
                             "vkQueueSubmit");
}

static struct ludus_vulkan_session *create_session(const struct vulkan_host *host)
{
    const struct ludus_vulkan_setup setup = {
        .get_instance_proc_addr = host->api.vkGetInstanceProcAddr,
        .instance = host->instance,
        .physical_device = host->adapter,
        .device = host->device,
        .queue_family = host->family,
        .enabled = host->enabled,
        .frames_in_flight = FRAME_FLIGHTS,
    };
    return ludus_vulkan_session_create(&setup);
}

bool frame_player_create(struct frame_player *player, struct vulkan_host *host, VkExtent2D extent,
                         uint32_t steps, bool is_timed)
{
    memset(player, 0, sizeof *player);
    player->host = host;
    player->steps = steps;
    if (!frame_scene_create(&player->scene, host, extent) || !create_flights(player))
        return false;
    if (is_timed)
        player->scene.gpu = create_session(host);
    return true;
}

void frame_player_destroy(struct frame_player *player)
{
    struct vulkan_host *host = player->host;

    frame_player_finish(player);
    (void)ludus_vulkan_session_destroy(player->scene.gpu);
    for (uint32_t i = 0; i < FRAME_FLIGHTS; i++)
        host->api.vkDestroyFence(host->device, player->flights[i].done, NULL);
    host->api.vkDestroyCommandPool(host->device, player->pool, NULL);
    frame_scene_destroy(&player->scene);
}

/* The flight's last frame is over then, and so are those before it. */
static bool wait_for(struct frame_player *player, struct frame_flight *flight)
{
    struct vulkan_host *host = player->host;
    const struct vulkan_api *api = &host->api;

    LUDUS_PROFILE_SCOPE(Frame/Wait, LUDUS_PROFILE_CAT(wait));
    if (!vulkan_host_check(
            host, api->vkWaitForFences(host->device, 1, &flight->done, VK_TRUE, UINT64_MAX),
            "vkWaitForFences") ||
        !vulkan_host_check(host, api->vkResetFences(host->device, 1, &flight->done),
                           "vkResetFences"))
        return false;
    if (flight->is_used)
        ludus_vulkan_frame_complete(player->scene.gpu, flight->number);
    return true;
}

/* Returns how it went; `number` is of the frame in the scene. */
static enum ludus_gpu_submission record(struct frame_player *player, struct frame_flight *flight,
                                        uint32_t number)
{
    struct frame_scene *scene = &player->scene;
    const struct frame_moment moment = {(float)number / 60.0f, player->steps};

    frame_record_first(scene, flight->commands[0], &moment);
    if (!submit(player, flight->commands[0], VK_NULL_HANDLE))
        return LUDUS_GPU_REFUSED;
    if (!begin_commands(player, flight->commands[1]))
        return LUDUS_GPU_SUBMITTED; /* of which nothing more comes */
    frame_record_second(scene, flight->commands[1]);
    ludus_vulkan_frame_finish(scene->gpu, flight->commands[1]);
    return submit(player, flight->commands[1], flight->done) ? LUDUS_GPU_SUBMITTED
                                                             : LUDUS_GPU_REFUSED;
}

bool frame_player_draw(struct frame_player *player, uint32_t number)
{
    struct frame_flight *flight = &player->flights[number % FRAME_FLIGHTS];

    if (!wait_for(player, flight) || !begin_commands(player, flight->commands[0]))
        return false;
    flight->number = ludus_vulkan_frame_begin(player->scene.gpu, flight->commands[0]);
    flight->is_used = true;
    ludus_vulkan_frame_end(player->scene.gpu, record(player, flight, number), VK_NULL_HANDLE);
    return player->host->failure[0] == '\0';
}

void frame_player_finish(struct frame_player *player)
{
    (void)player->host->api.vkDeviceWaitIdle(player->host->device);
    ludus_vulkan_frame_complete(player->scene.gpu, UINT64_MAX);
}
