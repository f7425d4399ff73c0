/* Each call of Vulkan fails, and each function is missing: it is counted as what it is, and frames
 * are drawn. */
#include "vulkan_fixture.h"

#include <stdlib.h>

#define ALL    0xFFFFFFFFu
#define FRAMES 12u

static uint32_t copies = 2;

static struct gpu_content record_frames(void)
{
    vulkan_record();
    for (uint32_t i = 0; i < FRAMES; i++)
        loop_draw(fill_copies, &copies);
    loop_finish();
    return vulkan_stop();
}

static uint64_t passes_of(struct gpu_content *content, uint32_t outcome)
{
    const uint64_t count = vulkan_counted(content, LUDUS_GPU_PASS, outcome);
    ck_assert_uint_eq(vulkan_counted(content, LUDUS_GPU_PASS, 0), FRAMES * copies);
    gpu_content_free(content);
    return count;
}

START_TEST(no_query_pool)
{
    watch.result_vkCreateQueryPool = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    vulkan_open(0, ALL, 2);
    struct gpu_content content = record_frames();
    ck_assert_uint_eq(vulkan_counted(&content, LUDUS_GPU_FRAME, LUDUS_GPU_UNSUPPORTED), FRAMES);
    ck_assert_uint_eq(passes_of(&content, LUDUS_GPU_UNSUPPORTED), FRAMES * copies);
    ck_assert_uint_eq(watch.vkCmdWriteTimestamp, 0);
    vulkan_close();
    ck_assert_uint_eq(watch.vkDestroyQueryPool, 0);
}
END_TEST

START_TEST(no_results)
{
    watch.result_vkGetQueryPoolResults = VK_ERROR_OUT_OF_HOST_MEMORY;
    vulkan_open(0, ALL, 2);
    struct gpu_content content = record_frames();
    for (size_t i = 0; i < content.pass_count; i++)
        ck_assert_uint_eq(content.passes[i].time.duration_ns, 0);
    ck_assert_uint_eq(passes_of(&content, LUDUS_GPU_FAILED), FRAMES * copies);
    vulkan_close();
}
END_TEST

static void expect_lost(struct gpu_content *content)
{
    const uint64_t eligible = vulkan_counted(content, LUDUS_GPU_PASS, 0);
    ck_assert_uint_gt(eligible, 0);
    ck_assert_uint_eq(vulkan_counted(content, LUDUS_GPU_PASS, LUDUS_GPU_DEVICE_LOST), eligible);
    gpu_content_free(content);
    ck_assert_uint_eq(ludus_vulkan_session_destroy(gpu), 0);
    ck_assert_uint_eq(watch.vkDestroyQueryPool, 1);
    gpu = NULL;
}

START_TEST(a_device_that_is_lost_when_results_are_read)
{
    watch.result_vkGetQueryPoolResults = VK_ERROR_DEVICE_LOST;
    vulkan_open(0, ALL, 2);
    struct gpu_content content = record_frames();
    expect_lost(&content);
    vulkan_close();
}
END_TEST

START_TEST(a_device_that_is_lost_when_a_fence_is_asked)
{
    watch.result_vkGetFenceStatus = VK_ERROR_DEVICE_LOST;
    vulkan_open(0, ALL, 2);
    struct gpu_content content = record_frames();
    host.api.vkDeviceWaitIdle(host.device); /* it is not really lost */
    expect_lost(&content);
    vulkan_close();
}
END_TEST

START_TEST(a_device_of_which_the_program_knows_that_it_is_lost)
{
    watch.result_vkGetFenceStatus = VK_NOT_READY;
    vulkan_open(0, ALL, 3);
    vulkan_record();
    loop_draw(fill_copies, &copies);
    loop_draw(fill_copies, &copies);
    host.api.vkDeviceWaitIdle(host.device);
    ludus_vulkan_session_lose(gpu);
    struct gpu_content content = vulkan_stop();
    expect_lost(&content);
    vulkan_close();
}
END_TEST

/* It is asked again; the program's word does as well. */
START_TEST(fences_that_cannot_be_asked)
{
    watch.result_vkGetFenceStatus = VK_ERROR_OUT_OF_HOST_MEMORY;
    vulkan_open(0, ALL, 3);
    vulkan_record();
    for (uint32_t i = 0; i < 2; i++)
        loop_draw(fill_copies, &copies);
    loop_finish();
    watch.result_vkGetFenceStatus = VK_SUCCESS;
    ludus_vulkan_frame_complete(gpu, UINT64_MAX);
    for (uint32_t i = 2; i < FRAMES; i++)
        loop_draw(fill_copies, &copies);
    loop_finish();
    struct gpu_content content = vulkan_stop();
    ck_assert_uint_eq(passes_of(&content, LUDUS_GPU_VALID), FRAMES * copies);
    vulkan_close();
}
END_TEST

START_TEST(clocks_that_cannot_be_read)
{
    watch.result_vkGetCalibratedTimestampsEXT = VK_ERROR_OUT_OF_HOST_MEMORY;
    vulkan_open(0, ALL, 2);
    struct gpu_content content = record_frames();
    for (size_t i = 0; i < content.pass_count; i++)
        ck_assert_uint_eq(content.passes[i].time.uncertainty_ns, LCAP_GPU_UNMAPPED);
    ck_assert_uint_eq(content.calibration_count, FRAMES);
    ck_assert_uint_eq(content.calibrations[0].mapping, LUDUS_GPU_READ_FAILED);
    ck_assert_uint_eq(passes_of(&content, LUDUS_GPU_VALID), FRAMES * copies);
    vulkan_close();
}
END_TEST

START_TEST(time_domains_that_are_not_told)
{
    watch.result_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT = VK_ERROR_OUT_OF_HOST_MEMORY;
    vulkan_open(0, ALL, 2);
    struct gpu_content content = record_frames();
    ck_assert_uint_eq(content.calibration_count, 0);
    ck_assert_uint_eq(passes_of(&content, LUDUS_GPU_VALID), FRAMES * copies);
    vulkan_close();
}
END_TEST

/* Draws a frame whose first part is submitted when `is_begun`, and whose last submission fails. */
static void draw_refused(bool is_begun)
{
    struct loop_flight *flight = &loop.flights[LOOP_FLIGHTS - 1]; /* of none in the loop */
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = flight->commands};
    ck_assert_int_eq(host.api.vkBeginCommandBuffer(flight->commands[0], &begin), VK_SUCCESS);
    (void)ludus_vulkan_frame_begin(gpu, flight->commands[0]);
    fill_copies(flight->commands[0], 0, &copies);
    ludus_vulkan_frame_finish(gpu, flight->commands[0]);
    ck_assert_int_eq(host.api.vkEndCommandBuffer(flight->commands[0]), VK_SUCCESS);
    ludus_vulkan_frame_submit(gpu);
    if (is_begun) {
        ck_assert_int_eq(host.api.vkQueueSubmit(host.queue, 1, &info, VK_NULL_HANDLE), VK_SUCCESS);
        ludus_vulkan_frame_submit(gpu);
    }
    ludus_vulkan_frame_end(gpu, LUDUS_GPU_REFUSED, VK_NULL_HANDLE);
}

/* What there was to measure is counted as failed, and nothing of it is read. However often it
 * happens, its slots are used again: at once, or when what had been submitted is over. */
static void expect_refused(bool is_begun, uint32_t count)
{
    vulkan_open(0, ALL, 2);
    vulkan_record();
    for (uint32_t i = 0; i < count; i++)
        draw_refused(is_begun);
    for (uint32_t i = 0; i < FRAMES - count; i++)
        loop_draw(fill_copies, &copies);
    loop_finish();
    struct gpu_content content = vulkan_stop();
    ck_assert_uint_eq(vulkan_counted(&content, LUDUS_GPU_PASS, LUDUS_GPU_FAILED), count * copies);
    ck_assert_uint_eq(passes_of(&content, LUDUS_GPU_VALID), (FRAMES - count) * copies);
    vulkan_close();
}

START_TEST(a_frame_of_which_nothing_was_submitted)
{
    expect_refused(false, FRAMES - 1);
}
END_TEST

START_TEST(a_frame_of_which_the_first_part_was_submitted)
{
    expect_refused(true, 1);
}
END_TEST

START_TEST(functions_that_there_are_not)
{
    static const char *const needed[] = {"vkGetDeviceProcAddr",
                                         "vkGetPhysicalDeviceProperties",
                                         "vkGetPhysicalDeviceQueueFamilyProperties",
                                         "vkCreateQueryPool",
                                         "vkDestroyQueryPool",
                                         "vkGetQueryPoolResults",
                                         "vkGetFenceStatus",
                                         "vkCmdWriteTimestamp",
                                         "vkCmdResetQueryPool"};
    static const char *const optional[] = {"vkResetQueryPool", "vkGetCalibratedTimestampsEXT",
                                           "vkGetPhysicalDeviceCalibrateableTimeDomainsEXT",
                                           "vkCmdBeginDebugUtilsLabelEXT",
                                           "vkCmdEndDebugUtilsLabelEXT"};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        watch.missing = needed[i];
        vulkan_open(0, ALL, 2);
        struct gpu_content content = record_frames();
        ck_assert_uint_eq(passes_of(&content, LUDUS_GPU_UNSUPPORTED), FRAMES * copies);
        vulkan_close();
    }
    for (size_t i = 0; i < sizeof optional / sizeof optional[0]; i++) {
        watch.missing = optional[i];
        vulkan_open(0, ALL, 2);
        struct gpu_content content = record_frames();
        ck_assert_uint_eq(passes_of(&content, LUDUS_GPU_VALID), FRAMES * copies);
        vulkan_close();
    }
}
END_TEST

START_TEST(a_setup_that_is_none)
{
    struct ludus_vulkan_setup setup = {.frames_in_flight = 1};
    ck_assert_ptr_null(ludus_vulkan_session_create(&setup));
    setup.get_instance_proc_addr = vulkan_watch_find;
    setup.frames_in_flight = LUDUS_GPU_MAX_BATCHES;
    ck_assert_ptr_null(ludus_vulkan_session_create(&setup));
    /* A program need not look: no session is one that does nothing. */
    struct ludus_gpu_frame frame;
    ck_assert_uint_eq(ludus_vulkan_frame_begin(NULL, VK_NULL_HANDLE), 0);
    ludus_vulkan_frame_finish(NULL, VK_NULL_HANDLE);
    ludus_vulkan_frame_submit(NULL);
    ludus_vulkan_frame_end(NULL, LUDUS_GPU_SUBMITTED, VK_NULL_HANDLE);
    ludus_vulkan_frame_complete(NULL, UINT64_MAX);
    ludus_vulkan_session_poll(NULL);
    ludus_vulkan_session_watch(NULL, 1);
    ludus_vulkan_session_lose(NULL);
    ck_assert_int_eq(ludus_vulkan_session_latest_frame(NULL, &frame), 0);
    ck_assert_uint_eq(ludus_vulkan_session_generation(NULL), 0);
    ck_assert_uint_eq(ludus_vulkan_session_destroy(NULL), 0);
    LUDUS_PROFILE_GPU_SCOPE(ludus_vulkan_commands(NULL, VK_NULL_HANDLE, LUDUS_GPU_RENDER), Nothing);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {no_query_pool,
                                  no_results,
                                  a_device_that_is_lost_when_results_are_read,
                                  a_device_that_is_lost_when_a_fence_is_asked,
                                  a_device_of_which_the_program_knows_that_it_is_lost,
                                  fences_that_cannot_be_asked,
                                  clocks_that_cannot_be_read,
                                  time_domains_that_are_not_told,
                                  a_frame_of_which_nothing_was_submitted,
                                  a_frame_of_which_the_first_part_was_submitted,
                                  functions_that_there_are_not,
                                  a_setup_that_is_none};
    return vulkan_run("vulkan failures", tests, sizeof tests / sizeof tests[0]);
}
