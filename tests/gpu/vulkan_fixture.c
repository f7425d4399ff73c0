/* What the tests on a real Vulkan driver share. */
#include "vulkan_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_SKIPPED 77

struct vulkan_host host;
struct ludus_vulkan_session *gpu;
struct vulkan_loop loop;

static bool is_open;
static uint32_t open_without;
static struct vulkan_buffer target;
static uint32_t message_count;
static char first_message[1024];

static VkBool32 VKAPI_CALL take_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                        VkDebugUtilsMessageTypeFlagsEXT types,
                                        const VkDebugUtilsMessengerCallbackDataEXT *data,
                                        void *context)
{
    (void)severity, (void)types, (void)context;
    if (message_count++ == 0)
        (void)snprintf(first_message, sizeof first_message, "%s", data->pMessage);
    return VK_FALSE;
}

static enum vulkan_host_state open_host(uint32_t without)
{
    const VkDebugUtilsMessengerCreateInfoEXT messages = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
        .pfnUserCallback = take_message,
    };
    const struct vulkan_wishes wishes = {without, &messages};
    const enum vulkan_host_state state = vulkan_host_open(&host, &wishes);
    is_open = true;
    open_without = without;
    return state;
}

static void expect(VkResult result)
{
    ck_assert_int_eq(result, VK_SUCCESS);
}

static void expect_no_message(void)
{
    ck_assert_msg(message_count == 0, "%u messages, the first: %s", message_count, first_message);
}

static void close_host(void)
{
    if (is_open)
        vulkan_host_close(&host);
    is_open = false;
}

void vulkan_forget_device(void)
{
    close_host();
    expect_no_message();
}

static void open_loop(uint32_t depth)
{
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = host.family,
    };
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    memset(&loop, 0, sizeof loop);
    loop.depth = depth;
    expect(host.api.vkCreateCommandPool(host.device, &pool, NULL, &loop.pool));
    for (uint32_t i = 0; i < LOOP_FLIGHTS; i++) {
        const VkCommandBufferAllocateInfo buffers = {
            .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
            .commandPool = loop.pool,
            .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
            .commandBufferCount = 2,
        };
        expect(host.api.vkAllocateCommandBuffers(host.device, &buffers, loop.flights[i].commands));
        expect(host.api.vkCreateFence(host.device, &fence, NULL, &loop.flights[i].done));
    }
    ck_assert(vulkan_buffer_create(&host, &target, 4096, VK_BUFFER_USAGE_TRANSFER_DST_BIT));
}

void vulkan_make_session(uint32_t told, uint32_t frames_in_flight)
{
    const struct ludus_vulkan_setup setup = {
        .get_instance_proc_addr = vulkan_watch_find,
        .instance = host.instance,
        .physical_device = host.adapter,
        .device = host.device,
        .queue_family = host.family,
        .enabled = host.enabled & told,
        .frames_in_flight = frames_in_flight,
    };
    gpu = ludus_vulkan_session_create(&setup);
    ck_assert_ptr_nonnull(gpu);
}

void vulkan_open(uint32_t without, uint32_t told, uint32_t depth)
{
    if (is_open && open_without != without)
        vulkan_forget_device();
    if (!is_open)
        ck_assert_int_eq(open_host(without), VULKAN_HOST_READY);
    watch.get_instance_proc_addr = host.api.vkGetInstanceProcAddr;
    open_loop(depth);
    vulkan_make_session(told, depth);
}

void vulkan_close(void)
{
    loop_finish();
    ludus_vulkan_frame_complete(gpu, UINT64_MAX);
    ck_assert_uint_eq(ludus_vulkan_session_destroy(gpu), 0);
    gpu = NULL;
    for (uint32_t i = 0; i < LOOP_FLIGHTS; i++)
        host.api.vkDestroyFence(host.device, loop.flights[i].done, NULL);
    host.api.vkDestroyCommandPool(host.device, loop.pool, NULL);
    vulkan_buffer_destroy(&host, &target);
    expect_no_message();
    ck_assert_msg(watch.unexpected == NULL, "%s was asked for", watch.unexpected);
    ck_assert_uint_eq(watch.result_flags & VK_QUERY_RESULT_WAIT_BIT, 0);
}

static void land(struct loop_flight *flight)
{
    if (!flight->is_used)
        return;
    expect(host.api.vkWaitForFences(host.device, 1, &flight->done, VK_TRUE, UINT64_MAX));
    loop.spans[flight->number].over_ns = (int64_t)fixture_now_ns();
    ludus_vulkan_session_poll(gpu); /* the fence was lent */
    expect(host.api.vkResetFences(host.device, 1, &flight->done));
    flight->is_used = false;
}

void loop_finish(void)
{
    for (uint32_t i = 0; i < loop.depth; i++)
        land(&loop.flights[(loop.drawn + i) % loop.depth]);
}

static void begin_commands(VkCommandBuffer commands)
{
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    expect(host.api.vkBeginCommandBuffer(commands, &begin));
}

static void submit(VkCommandBuffer commands, VkFence fence)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &commands};
    expect(host.api.vkEndCommandBuffer(commands));
    ludus_vulkan_frame_submit(gpu);
    expect(host.api.vkQueueSubmit(host.queue, 1, &info, fence));
}

void loop_draw(loop_fill *fill, void *context)
{
    struct loop_flight *flight = &loop.flights[loop.drawn++ % loop.depth];
    land(flight);
    begin_commands(flight->commands[0]);
    flight->number = ludus_vulkan_frame_begin(gpu, flight->commands[0]);
    ck_assert_uint_lt(flight->number, LOOP_FRAMES);
    fill(flight->commands[0], 0, context);
    loop.spans[flight->number].submit_ns = (int64_t)fixture_now_ns();
    submit(flight->commands[0], VK_NULL_HANDLE);
    begin_commands(flight->commands[1]);
    fill(flight->commands[1], 1, context);
    ludus_vulkan_frame_finish(gpu, flight->commands[1]);
    submit(flight->commands[1], flight->done);
    ludus_vulkan_frame_end(gpu, LUDUS_GPU_SUBMITTED, flight->done);
    flight->is_used = true;
}

void fill_copies(VkCommandBuffer commands, uint32_t part, void *count)
{
    for (uint32_t i = 0; part == 0 && i < *(const uint32_t *)count; i++) {
        LUDUS_PROFILE_GPU_SCOPE(ludus_vulkan_commands(gpu, commands, LUDUS_GPU_TRANSFER), Copy);
        host.api.vkCmdFillBuffer(commands, target.buffer, 0, 64, i);
    }
}

static unsigned recordings;

static const char *recording_name(void)
{
    static char name[32];
    (void)snprintf(name, sizeof name, "%u.lcap", recordings);
    return name;
}

void vulkan_record(void)
{
    recordings++;
    const struct ludus_recorder_config config = fixture_config(recording_name());
    fixture_start(&config);
}

struct gpu_content vulkan_stop(void)
{
    const struct ludus_recorder_result result = fixture_stop();
    ck_assert_uint_eq(result.gpu_frames_dropped + result.gpu_passes_dropped, 0);
    return gpu_read(result.path);
}

uint64_t vulkan_counted(const struct gpu_content *content, uint32_t subject, uint32_t outcome)
{
    ck_assert_uint_gt(content->queue_count, 0);
    return gpu_counted(content, content->queues[content->queue_count - 1].track, subject, outcome);
}

bool vulkan_is_mapped(const struct gpu_content *content, uint64_t frame)
{
    for (size_t i = 0; i < content->calibration_count; i++) {
        if (content->calibrations[i].frame != frame)
            continue;
        const uint32_t mapping = content->calibrations[i].mapping;
        ck_assert(mapping == LUDUS_GPU_MAPPED || mapping == LUDUS_GPU_TOO_UNCERTAIN);
        return mapping == LUDUS_GPU_MAPPED;
    }
    ck_abort_msg("frame %u has no calibration", (unsigned)frame);
    return false;
}

static void set_up(void)
{
    fixture_setup();
    memset(&watch, 0, sizeof watch);
}

int vulkan_run(const char *name, const TTest *const *tests, size_t count)
{
    const enum vulkan_host_state state = open_host(0);
    if (state != VULKAN_HOST_READY) {
        printf("%s: there is no Vulkan device, or no validation layer: %s\n", name, host.failure);
        close_host();
        return state == VULKAN_HOST_ABSENT ? EXIT_SKIPPED : EXIT_FAILURE;
    }
    Suite *suite = suite_create(name);
    TCase *cases = tcase_create(name);
    tcase_add_checked_fixture(cases, set_up, fixture_teardown);
    for (size_t i = 0; i < count; i++)
        tcase_add_test(cases, tests[i]);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    close_host();
    if (message_count > 0)
        printf("%u messages, the first: %s\n", message_count, first_message);
    return failed == 0 && message_count == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
