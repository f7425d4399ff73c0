/* Scopes in command buffers of a real driver: what they time, from how many threads, and what is
 * not to be timed. */
#include "vulkan_fixture.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL     0xFFFFFFFFu
#define THREADS 4u

static uint32_t copies = 3;

/* --- against queries that were written by hand --------------------------------------------------
 */

#define PASSES 5u

/* Four timestamps about each pass: before its scope, in it at both ends, and behind it. */
struct queries {
    VkQueryPool pool;
    PFN_vkCmdWriteTimestamp write;
    PFN_vkCmdResetQueryPool reset;
    struct frame_scene scene;
};

static void fill_with_queries(VkCommandBuffer commands, uint32_t part, void *context)
{
    struct queries *queries = context;
    const VkPipelineStageFlagBits all = VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT;
    if (part != 0)
        return;
    queries->reset(commands, queries->pool, 0, 4 * PASSES);
    for (uint32_t i = 0; i < PASSES; i++) {
        queries->write(commands, all, queries->pool, 4 * i);
        LUDUS_PROFILE_GPU_BEGIN(pass, ludus_vulkan_commands(gpu, commands, LUDUS_GPU_MIXED), Pass);
        queries->write(commands, all, queries->pool, 4 * i + 1);
        frame_record_second(&queries->scene, commands);
        queries->write(commands, all, queries->pool, 4 * i + 2);
        LUDUS_PROFILE_GPU_END(pass);
        queries->write(commands, all, queries->pool, 4 * i + 3);
    }
}

static void open_queries(struct queries *queries)
{
    const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                        .queryCount = 4 * PASSES};
    const PFN_vkCreateQueryPool create =
        (PFN_vkCreateQueryPool)host.api.vkGetDeviceProcAddr(host.device, "vkCreateQueryPool");
    queries->write =
        (PFN_vkCmdWriteTimestamp)host.api.vkGetDeviceProcAddr(host.device, "vkCmdWriteTimestamp");
    queries->reset =
        (PFN_vkCmdResetQueryPool)host.api.vkGetDeviceProcAddr(host.device, "vkCmdResetQueryPool");
    ck_assert_int_eq(create(host.device, &info, NULL, &queries->pool), VK_SUCCESS);
    ck_assert(frame_scene_create(&queries->scene, &host, (VkExtent2D){64, 64}));
}

START_TEST(durations_agree_with_queries_of_the_program)
{
    struct queries queries = {0};
    uint64_t ticks[4 * PASSES];
    vulkan_open(0, ALL, 1);
    open_queries(&queries);
    vulkan_record();
    loop_draw(fill_with_queries, &queries);
    loop_finish();
    struct gpu_content content = vulkan_stop();
    const PFN_vkGetQueryPoolResults results =
        (PFN_vkGetQueryPoolResults)host.api.vkGetDeviceProcAddr(host.device,
                                                                "vkGetQueryPoolResults");
    ck_assert_int_eq(results(host.device, queries.pool, 0, 4 * PASSES, sizeof ticks, ticks,
                             sizeof ticks[0], VK_QUERY_RESULT_64_BIT),
                     VK_SUCCESS);
    ck_assert_uint_eq(content.pass_count, PASSES);
    for (uint32_t i = 0; i < PASSES; i++) {
        const double period_ns = (double)host.properties.limits.timestampPeriod;
        const double inner_ns = (double)(ticks[4 * i + 2] - ticks[4 * i + 1]) * period_ns;
        const double outer_ns = (double)(ticks[4 * i + 3] - ticks[4 * i]) * period_ns;
        const double duration_ns = (double)content.passes[i].time.duration_ns;
        ck_assert_uint_eq(content.passes[i].time.outcome, LUDUS_GPU_VALID);
        ck_assert_double_gt(inner_ns, 0);
        ck_assert_double_ge(duration_ns + period_ns, inner_ns);
        ck_assert_double_le(duration_ns, outer_ns + period_ns);
    }
    gpu_content_free(&content);
    const PFN_vkDestroyQueryPool destroy =
        (PFN_vkDestroyQueryPool)host.api.vkGetDeviceProcAddr(host.device, "vkDestroyQueryPool");
    destroy(host.device, queries.pool, NULL);
    frame_scene_destroy(&queries.scene);
    vulkan_close();
}
END_TEST

/* --- what is not to be timed
 * ---------------------------------------------------------------------- */

static void fill_badly(VkCommandBuffer commands, uint32_t part, void *context)
{
    static struct ludus_site unnamed = {"", "", "", 1, LUDUS_SITE_DYNAMIC, 0, 0};
    static struct ludus_site broken = {"\xFF", "", "", 1, LUDUS_SITE_DYNAMIC, 0, 0};
    static char long_name[200];
    static struct ludus_site too_long = {long_name, "", "", 1, LUDUS_SITE_DYNAMIC, 0, 0};
    struct ludus_site *const bad[] = {&unnamed, &broken, &too_long, NULL};
    struct ludus_gpu_commands timed = ludus_vulkan_commands(gpu, commands, LUDUS_GPU_TRANSFER);
    (void)context;
    if (part == 0)
        return;
    memset(long_name, 'n', sizeof long_name - 1);
    {
        LUDUS_PROFILE_GPU_SCOPE(timed, Outer);
        LUDUS_PROFILE_GPU_SCOPE(timed, Inner);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct ludus_gpu_open_scope scope = ludus_gpu_scope_begin(timed, bad[i]);
        ludus_gpu_scope_end(&scope);
        ludus_gpu_scope_end(&scope);
    }
    timed.logical_passes = 3;
    LUDUS_PROFILE_GPU_SCOPE(timed, Merged);
}

START_TEST(bad_scopes_are_counted_and_have_labels)
{
    vulkan_open(0, ALL, 2);
    vulkan_record();
    loop_draw(fill_badly, NULL);
    loop_finish();
    struct gpu_content content = vulkan_stop();
    ck_assert_uint_eq(vulkan_counted(&content, LUDUS_GPU_PASS, 0), 7);
    ck_assert_uint_eq(vulkan_counted(&content, LUDUS_GPU_PASS, LUDUS_GPU_VALID), 2);
    ck_assert_uint_eq(vulkan_counted(&content, LUDUS_GPU_PASS, LUDUS_GPU_NESTED), 1);
    ck_assert_uint_eq(vulkan_counted(&content, LUDUS_GPU_PASS, LUDUS_GPU_BAD_NAME), 4);
    ck_assert_uint_eq(content.passes[1].logical_passes, 3);
    ck_assert_uint_eq(watch.vkCmdBeginDebugUtilsLabelEXT, 7);
    ck_assert_uint_eq(watch.vkCmdEndDebugUtilsLabelEXT, 7);
    gpu_content_free(&content);
    vulkan_close();
}
END_TEST

/* A frame that is never submitted, one that nobody ended, and one without a command buffer. */
START_TEST(frames_that_do_not_go_their_way)
{
    VkCommandBuffer commands = VK_NULL_HANDLE;
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    vulkan_open(0, ALL, 2);
    commands = loop.flights[0].commands[0];
    vulkan_record();
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(host.api.vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
        (void)ludus_vulkan_frame_begin(gpu, commands);
        fill_copies(commands, 0, &copies);
        if (i == 0)
            ludus_vulkan_frame_end(gpu, LUDUS_GPU_DISCARDED, VK_NULL_HANDLE);
        ck_assert_int_eq(host.api.vkEndCommandBuffer(commands), VK_SUCCESS);
    }
    ck_assert_uint_eq(ludus_vulkan_frame_begin(gpu, VK_NULL_HANDLE), 0);
    for (int i = 0; i < 4; i++)
        loop_draw(fill_copies, &copies);
    loop_finish();
    struct gpu_content content = vulkan_stop();
    ck_assert_uint_eq(vulkan_counted(&content, LUDUS_GPU_FRAME, 0), 4);
    ck_assert_uint_eq(vulkan_counted(&content, LUDUS_GPU_PASS, 0), 4 * copies);
    ck_assert_uint_eq(vulkan_counted(&content, LUDUS_GPU_PASS, LUDUS_GPU_VALID), 4 * copies);
    gpu_content_free(&content);
    vulkan_close();
}
END_TEST

/* --- from several threads
 * ------------------------------------------------------------------------- */

/* A thread's own command buffers, which the frame's first one executes. */
struct recorder {
    VkCommandPool pool;
    VkCommandBuffer commands;
    pthread_t thread;
};

static void open_recorder(struct recorder *recorder)
{
    const VkCommandPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = host.family,
    };
    ck_assert_int_eq(host.api.vkCreateCommandPool(host.device, &info, NULL, &recorder->pool),
                     VK_SUCCESS);
    const VkCommandBufferAllocateInfo buffers = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = recorder->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
        .commandBufferCount = 1,
    };
    ck_assert_int_eq(host.api.vkAllocateCommandBuffers(host.device, &buffers, &recorder->commands),
                     VK_SUCCESS);
}

static void *record(void *context)
{
    struct recorder *recorder = context;
    const VkCommandBufferInheritanceInfo inherited = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
        .pInheritanceInfo = &inherited,
    };
    if (host.api.vkBeginCommandBuffer(recorder->commands, &begin) != VK_SUCCESS)
        return NULL;
    fill_copies(recorder->commands, 0, &(uint32_t){16});
    return host.api.vkEndCommandBuffer(recorder->commands) == VK_SUCCESS ? recorder : NULL;
}

static void fill_by_threads(VkCommandBuffer commands, uint32_t part, void *context)
{
    struct recorder *recorders = context;
    VkCommandBuffer recorded[THREADS];
    const PFN_vkCmdExecuteCommands execute =
        (PFN_vkCmdExecuteCommands)host.api.vkGetDeviceProcAddr(host.device, "vkCmdExecuteCommands");
    if (part != 0)
        return;
    for (uint32_t i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&recorders[i].thread, NULL, record, &recorders[i]), 0);
    for (uint32_t i = 0; i < THREADS; i++) {
        void *result = NULL;
        ck_assert_int_eq(pthread_join(recorders[i].thread, &result), 0);
        ck_assert_ptr_nonnull(result);
        recorded[i] = recorders[i].commands;
    }
    execute(commands, THREADS, recorded);
}

START_TEST(threads_record_scopes_side_by_side)
{
    struct recorder recorders[THREADS];
    bool is_seen[64] = {false};
    vulkan_open(0, ALL, 1);
    for (uint32_t i = 0; i < THREADS; i++)
        open_recorder(&recorders[i]);
    vulkan_record();
    for (int i = 0; i < 8; i++)
        loop_draw(fill_by_threads, recorders);
    loop_finish();
    struct gpu_content content = vulkan_stop();
    ck_assert_uint_eq(vulkan_counted(&content, LUDUS_GPU_PASS, LUDUS_GPU_VALID), 8 * THREADS * 16);
    for (size_t i = 0; i < THREADS * 16; i++) {
        ck_assert(!is_seen[content.passes[i].ordinal]);
        is_seen[content.passes[i].ordinal] = true;
    }
    gpu_content_free(&content);
    for (uint32_t i = 0; i < THREADS; i++)
        host.api.vkDestroyCommandPool(host.device, recorders[i].pool, NULL);
    vulkan_close();
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        durations_agree_with_queries_of_the_program, bad_scopes_are_counted_and_have_labels,
        frames_that_do_not_go_their_way, threads_record_scopes_side_by_side};
    return vulkan_run("vulkan scopes", tests, sizeof tests / sizeof tests[0]);
}
