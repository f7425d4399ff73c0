/* Draws frames off-screen, on whatever device there is, with two of them in flight. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame_record.h"
#include "vulkan_host.h"

#define EXIT_SKIPPED     77
#define FRAMES_IN_FLIGHT 2u
#define STEPS            64u

static const char usage[] = "usage: vulkan_frame [options]\n"
                            "\n"
                            "Draws frames off-screen on the first Vulkan device, six passes each. "
                            "Ends with 77 where there\n"
                            "is no Vulkan driver.\n"
                            "\n"
                            "  --frames N       draw N frames (default 300)\n"
                            "  --capture FILE   record into FILE, which must not exist\n"
                            "  --size WxH       of the picture (default 480x270)\n"
                            "  --help           print this and end\n";

struct options {
    uint32_t frames;
    const char *capture; /* NULL: none */
    VkExtent2D extent;
};

/* A frame that may be under way on the device. */
struct flight {
    VkCommandBuffer commands[2];
    VkFence done;
};

struct player {
    struct vulkan_host host;
    struct frame_scene scene;
    VkCommandPool pool;
    struct flight flights[FRAMES_IN_FLIGHT];
};

static bool read_number(const char *text, uint32_t least, uint32_t most, uint32_t *number,
                        const char **end)
{
    char *rest = NULL;

    errno = 0;
    unsigned long value = strtoul(text, &rest, 10);
    *end = rest;
    *number = (uint32_t)value;
    return text[0] >= '0' && text[0] <= '9' && errno == 0 && value >= least && value <= most;
}

static bool read_option(const char *name, const char *value, struct options *options)
{
    const char *end = "";
    bool is_read = false;

    if (strcmp(name, "--frames") == 0) {
        is_read = read_number(value, 1, 1000000, &options->frames, &end);
    } else if (strcmp(name, "--size") == 0) {
        is_read = read_number(value, 16, 4096, &options->extent.width, &end) && *end == 'x' &&
                  read_number(end + 1, 16, 4096, &options->extent.height, &end);
    } else if (strcmp(name, "--capture") == 0) {
        options->capture = value;
        is_read = value[0] != '\0';
    }
    return is_read && *end == '\0';
}

/* What main returns, or -1 to go on. */
static int read_options(int count, char **words, struct options *options)
{
    *options = (struct options){300, NULL, {480, 270}};
    for (int i = 1; i < count; i += 2) {
        if (strcmp(words[i], "--help") == 0) {
            fputs(usage, stdout);
            return 0;
        }
        if (i + 1 == count || !read_option(words[i], words[i + 1], options)) {
            fprintf(stderr, "vulkan_frame: %s %s is not understood; --help lists the options\n",
                    words[i], i + 1 == count ? "" : words[i + 1]);
            return 2;
        }
    }
    return -1;
}

static bool create_flights(struct player *player)
{
    struct vulkan_host *host = &player->host;
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

    for (uint32_t i = 0; is_done && i < FRAMES_IN_FLIGHT; i++) {
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

static bool begin_commands(struct player *player, VkCommandBuffer commands)
{
    VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    return vulkan_host_check(&player->host, player->host.api.vkBeginCommandBuffer(commands, &begin),
                             "vkBeginCommandBuffer");
}

static bool submit(struct player *player, VkCommandBuffer commands, VkFence done)
{
    struct vulkan_host *host = &player->host;
    VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &commands,
    };
    return vulkan_host_check(host, host->api.vkEndCommandBuffer(commands), "vkEndCommandBuffer") &&
           vulkan_host_check(host, host->api.vkQueueSubmit(host->queue, 1, &info, done),
                             "vkQueueSubmit");
}

static bool draw_frame(struct player *player, uint32_t number)
{
    struct vulkan_host *host = &player->host;
    const struct vulkan_api *api = &host->api;
    struct flight *flight = &player->flights[number % FRAMES_IN_FLIGHT];
    const struct frame_moment moment = {(float)number / 60.0f, STEPS};

    if (!vulkan_host_check(
            host, api->vkWaitForFences(host->device, 1, &flight->done, VK_TRUE, UINT64_MAX),
            "vkWaitForFences") ||
        !vulkan_host_check(host, api->vkResetFences(host->device, 1, &flight->done),
                           "vkResetFences"))
        return false;
    if (!begin_commands(player, flight->commands[0]))
        return false;
    frame_record_first(&player->scene, flight->commands[0], &moment);
    if (!submit(player, flight->commands[0], VK_NULL_HANDLE) ||
        !begin_commands(player, flight->commands[1]))
        return false;
    frame_record_second(&player->scene, flight->commands[1]);
    return submit(player, flight->commands[1], flight->done);
}

static bool play(struct player *player, const struct options *options)
{
    struct vulkan_host *host = &player->host;
    bool is_done =
        frame_scene_create(&player->scene, host, options->extent) && create_flights(player);

    for (uint32_t i = 0; is_done && i < options->frames; i++)
        is_done = draw_frame(player, i);
    (void)host->api.vkDeviceWaitIdle(host->device);
    if (is_done)
        printf("device      %s\nframes      %u of %u x %u\nbrightness  %.1f of 255\n",
               host->properties.deviceName, options->frames, options->extent.width,
               options->extent.height, frame_scene_brightness(&player->scene));
    for (uint32_t i = 0; i < FRAMES_IN_FLIGHT; i++)
        host->api.vkDestroyFence(host->device, player->flights[i].done, NULL);
    host->api.vkDestroyCommandPool(host->device, player->pool, NULL);
    frame_scene_destroy(&player->scene);
    return is_done;
}

int main(int argument_count, char **arguments)
{
    struct player player = {0};
    struct options options;
    int code = read_options(argument_count, arguments, &options);

    if (code != -1)
        return code;
    enum vulkan_host_state state = vulkan_host_open(&player.host);
    if (state == VULKAN_HOST_ABSENT) {
        puts("vulkan_frame: there is no Vulkan device; skipped");
        code = EXIT_SKIPPED;
    } else if (state == VULKAN_HOST_FAILED || !play(&player, &options)) {
        fprintf(stderr, "vulkan_frame: %s\n", player.host.failure);
        code = 1;
    } else {
        code = 0;
    }
    vulkan_host_close(&player.host);
    return code;
}
