/* What the backend makes of a device that has less: without each extension, and of queues that tell
 * no time. What was not enabled is not called. */
#include "vulkan_fixture.h"

#include <stdlib.h>

#define ALL        0xFFFFFFFFu
#define RESETS     (LUDUS_VULKAN_HOST_QUERY_RESET | LUDUS_VULKAN_HOST_QUERY_RESET_EXT)
#define CALIBRATED (LUDUS_VULKAN_CALIBRATED_KHR | LUDUS_VULKAN_CALIBRATED_EXT)

static uint32_t copies = 2;

static struct gpu_content record_frames(void)
{
    vulkan_record();
    for (int i = 0; i < 6; i++)
        loop_draw(fill_copies, &copies);
    loop_finish();
    return vulkan_stop();
}

static void expect_all_timed(const struct gpu_content *content)
{
    ck_assert_uint_eq(vulkan_counted(content, LUDUS_GPU_PASS, 0), 12);
    ck_assert_uint_eq(vulkan_counted(content, LUDUS_GPU_PASS, LUDUS_GPU_VALID), 12);
    ck_assert_uint_ge(vulkan_counted(content, LUDUS_GPU_FRAME, LUDUS_GPU_VALID), 2);
}

static void expect_mapped(const struct gpu_content *content, bool is_mapped)
{
    ck_assert_uint_eq(content->calibration_count, is_mapped ? 6 : 0);
    for (size_t i = 0; i < content->pass_count; i++)
        ck_assert_int_eq(content->passes[i].time.uncertainty_ns != LCAP_GPU_UNMAPPED,
                         is_mapped && vulkan_is_mapped(content, content->passes[i].frame));
}

START_TEST(with_the_extension_s_reset)
{
    vulkan_open(LUDUS_VULKAN_HOST_QUERY_RESET, ALL, 2);
    ck_assert_uint_eq(host.enabled & RESETS, LUDUS_VULKAN_HOST_QUERY_RESET_EXT);
    struct gpu_content content = record_frames();
    expect_all_timed(&content);
    expect_mapped(&content, true);
    gpu_content_free(&content);
    ck_assert_uint_eq(watch.vkResetQueryPoolEXT, 6);
    ck_assert_uint_eq(watch.vkResetQueryPool + watch.vkCmdResetQueryPool, 0);
    vulkan_close();
}
END_TEST

START_TEST(without_a_reset_by_the_host)
{
    vulkan_open(RESETS, ALL, 2);
    struct gpu_content content = record_frames();
    expect_all_timed(&content);
    expect_mapped(&content, true);
    gpu_content_free(&content);
    ck_assert_uint_eq(watch.vkCmdResetQueryPool, 6);
    ck_assert_uint_eq(watch.vkResetQueryPool + watch.vkResetQueryPoolEXT, 0);
    vulkan_close();
}
END_TEST

/* This driver has the EXT form alone; the functions of both are the same. */
START_TEST(with_the_khr_form_of_calibrated_timestamps)
{
    vulkan_open(0, ALL, 2);
    ck_assert_uint_eq(ludus_vulkan_session_destroy(gpu), 0);
    const uint32_t enabled = host.enabled;
    host.enabled = (enabled & ~(uint32_t)CALIBRATED) | LUDUS_VULKAN_CALIBRATED_KHR;
    watch.calibrates_as_khr = true;
    vulkan_make_session(ALL, 2);
    host.enabled = enabled;
    struct gpu_content content = record_frames();
    expect_all_timed(&content);
    expect_mapped(&content, true);
    gpu_content_free(&content);
    ck_assert_uint_ge(watch.vkGetCalibratedTimestampsEXT, 6);
    vulkan_close();
}
END_TEST

START_TEST(without_calibrated_timestamps)
{
    vulkan_open(CALIBRATED, ALL, 2);
    struct gpu_content content = record_frames();
    expect_all_timed(&content);
    expect_mapped(&content, false);
    ck_assert_uint_eq(content.calibration_count, 0);
    gpu_content_free(&content);
    ck_assert_uint_eq(watch.vkGetCalibratedTimestampsEXT, 0);
    vulkan_close();
}
END_TEST

START_TEST(without_labels)
{
    vulkan_open(0, ALL & ~(uint32_t)LUDUS_VULKAN_DEBUG_UTILS, 2);
    struct gpu_content content = record_frames();
    expect_all_timed(&content);
    expect_mapped(&content, true);
    gpu_content_free(&content);
    ck_assert_uint_eq(watch.vkCmdBeginDebugUtilsLabelEXT + watch.vkCmdEndDebugUtilsLabelEXT, 0);
    vulkan_close();
}
END_TEST

/* A device that somebody else made, who does not say what he enabled. */
START_TEST(what_is_not_told_is_not_called)
{
    vulkan_open(0, 0, 2);
    struct gpu_content content = record_frames();
    expect_all_timed(&content);
    expect_mapped(&content, false);
    gpu_content_free(&content);
    ck_assert_uint_eq(watch.vkCmdResetQueryPool, 6);
    ck_assert_uint_eq(watch.vkResetQueryPool + watch.vkResetQueryPoolEXT, 0);
    ck_assert_uint_eq(watch.vkCmdBeginDebugUtilsLabelEXT + watch.vkCmdEndDebugUtilsLabelEXT, 0);
    ck_assert_uint_eq(watch.vkGetCalibratedTimestampsEXT, 0);
    ck_assert_uint_eq(watch.vkGetPhysicalDeviceCalibrateableTimeDomainsEXT, 0);
    vulkan_close();
}
END_TEST

/* The first domain is the device's; CLOCK_MONOTONIC is kept back. */
START_TEST(without_the_host_s_clock)
{
    watch.fewest_domains = 1;
    vulkan_open(0, ALL, 2);
    struct gpu_content content = record_frames();
    expect_all_timed(&content);
    expect_mapped(&content, false);
    gpu_content_free(&content);
    ck_assert_uint_eq(watch.vkGetCalibratedTimestampsEXT, 0);
    vulkan_close();
}
END_TEST

/* Of such a queue all is counted, and nothing is put into command buffers. */
static void expect_unsupported(const VkQueueFamilyProperties *family, uint32_t told)
{
    watch.family = family;
    vulkan_open(0, told, 2);
    struct gpu_content content = record_frames();
    ck_assert_uint_eq(vulkan_counted(&content, LUDUS_GPU_PASS, 0), 12);
    ck_assert_uint_eq(vulkan_counted(&content, LUDUS_GPU_PASS, LUDUS_GPU_UNSUPPORTED), 12);
    ck_assert_uint_eq(vulkan_counted(&content, LUDUS_GPU_FRAME, LUDUS_GPU_UNSUPPORTED), 6);
    gpu_content_free(&content);
    ck_assert_uint_eq(watch.vkCmdWriteTimestamp + watch.vkCmdResetQueryPool, 0);
    ck_assert_uint_eq(watch.vkCreateQueryPool, 0);
    vulkan_close();
}

START_TEST(queues_that_tell_no_time)
{
    const VkQueueFamilyProperties blind = {.queueFlags = VK_QUEUE_GRAPHICS_BIT};
    const VkQueueFamilyProperties copying = {.queueFlags = VK_QUEUE_TRANSFER_BIT,
                                             .timestampValidBits = 64};
    expect_unsupported(&blind, ALL);
    expect_unsupported(&copying, 0); /* it cannot reset queries, and the host was not asked to */
}
END_TEST

START_TEST(a_queue_for_copies_is_timed_with_the_host_s_reset)
{
    const VkQueueFamilyProperties copying = {.queueFlags = VK_QUEUE_TRANSFER_BIT,
                                             .timestampValidBits = 64};
    watch.family = &copying;
    vulkan_open(0, ALL, 2);
    struct gpu_content content = record_frames();
    expect_all_timed(&content);
    gpu_content_free(&content);
    vulkan_close();
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {with_the_extension_s_reset,
                                  without_a_reset_by_the_host,
                                  with_the_khr_form_of_calibrated_timestamps,
                                  without_calibrated_timestamps,
                                  without_labels,
                                  what_is_not_told_is_not_called,
                                  without_the_host_s_clock,
                                  queues_that_tell_no_time,
                                  a_queue_for_copies_is_timed_with_the_host_s_reset};
    return vulkan_run("vulkan features", tests, sizeof tests / sizeof tests[0]);
}
