/* Frames on a real driver: what is drawn is timed, where it was, and nothing else is. */
#include "vulkan_fixture.h"

#include <stdlib.h>

#define ALL 0xFFFFFFFFu

static const VkExtent2D small = {32, 32};

/* A picture that dynamic rendering clears. */
struct picture {
    struct vulkan_image image;
    PFN_vkCmdBeginRendering begin;
    PFN_vkCmdEndRendering end;
};

struct mix {
    struct frame_scene scene;
    struct picture picture;
};

static void open_picture(struct picture *picture)
{
    ck_assert(vulkan_image_create(&host, &picture->image, VK_FORMAT_R8G8B8A8_UNORM, small,
                                  VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, VK_IMAGE_ASPECT_COLOR_BIT));
    picture->begin =
        (PFN_vkCmdBeginRendering)host.api.vkGetDeviceProcAddr(host.device, "vkCmdBeginRendering");
    picture->end =
        (PFN_vkCmdEndRendering)host.api.vkGetDeviceProcAddr(host.device, "vkCmdEndRendering");
}

static void fill_picture(VkCommandBuffer commands, const struct picture *picture)
{
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
        .newLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = picture->image.image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    const VkRenderingAttachmentInfo colour = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = picture->image.view,
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
    };
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .renderArea = {{0, 0}, small},
                                  .layerCount = 1,
                                  .colorAttachmentCount = 1,
                                  .pColorAttachments = &colour};
    host.api.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                  VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0, 0, NULL, 0,
                                  NULL, 1, &barrier);
    LUDUS_PROFILE_GPU_SCOPE(ludus_vulkan_commands(gpu, commands, LUDUS_GPU_RENDER), Dynamic);
    picture->begin(commands, &info);
    picture->end(commands);
}

/* The example's six passes, and one with dynamic rendering. */
static void fill_mix(VkCommandBuffer commands, uint32_t part, void *context)
{
    struct mix *mix = context;
    const struct frame_moment moment = {0.0f, 1};
    mix->scene.gpu = gpu;
    if (part == 0)
        frame_record_first(&mix->scene, commands, &moment);
    else
        frame_record_second(&mix->scene, commands);
    if (part == 1)
        fill_picture(commands, &mix->picture);
}

static void open_mix(struct mix *mix)
{
    ck_assert(host.has_dynamic_rendering);
    ck_assert(frame_scene_create(&mix->scene, &host, small));
    open_picture(&mix->picture);
}

static void close_mix(struct mix *mix)
{
    loop_finish();
    vulkan_image_destroy(&host, &mix->picture.image);
    frame_scene_destroy(&mix->scene);
}

/* On the device between its submission and when its fence was seen to be signaled, as far as the
 * mapping can tell. */
static void expect_inside(const struct gpu_content *content, const struct lcap_gpu_time *time,
                          uint64_t number)
{
    const struct loop_span *span = &loop.spans[number];
    ck_assert_uint_eq(time->outcome, LUDUS_GPU_VALID);
    ck_assert_int_eq(time->uncertainty_ns != LUDUS_GPU_UNMAPPED, vulkan_is_mapped(content, number));
    if (time->uncertainty_ns == LUDUS_GPU_UNMAPPED)
        return;
    ck_assert_int_ge(time->begin_ns + time->uncertainty_ns, span->submit_ns);
    ck_assert_int_le(time->begin_ns + (int64_t)time->duration_ns - time->uncertainty_ns,
                     span->over_ns);
}

static void expect_all_valid(const struct gpu_content *content, uint64_t frame_count,
                             uint64_t pass_count)
{
    ck_assert_uint_eq(vulkan_counted(content, LUDUS_GPU_FRAME, 0), frame_count);
    ck_assert_uint_eq(vulkan_counted(content, LUDUS_GPU_FRAME, LUDUS_GPU_VALID) +
                          vulkan_counted(content, LUDUS_GPU_FRAME, LUDUS_GPU_BUSY),
                      frame_count);
    ck_assert_uint_eq(vulkan_counted(content, LUDUS_GPU_PASS, 0), pass_count);
    ck_assert_uint_eq(vulkan_counted(content, LUDUS_GPU_PASS, LUDUS_GPU_VALID), pass_count);
}

START_TEST(every_pass_is_timed_where_it_was)
{
    static const uint32_t operations[7] = {LUDUS_GPU_COMPUTE, LUDUS_GPU_RENDER, LUDUS_GPU_RENDER,
                                           LUDUS_GPU_MIXED,   LUDUS_GPU_RENDER, LUDUS_GPU_TRANSFER,
                                           LUDUS_GPU_RENDER};
    struct mix mix = {0};
    vulkan_open(0, ALL, 3);
    open_mix(&mix);
    vulkan_record();
    for (int i = 0; i < 12; i++)
        loop_draw(fill_mix, &mix);
    close_mix(&mix);
    struct gpu_content content = vulkan_stop();
    expect_all_valid(&content, 12, 12 * 7);
    /* One at a time is timed as a whole: each third or fourth, with three in flight. */
    ck_assert_uint_ge(content.frame_count, 3);
    for (size_t i = 0; i < content.frame_count; i++)
        expect_inside(&content, &content.frames[i].time, content.frames[i].number);
    ck_assert_uint_eq(content.pass_count, 12 * 7);
    int64_t last_ns = 0; /* the end of the one before, at the earliest */
    uint32_t mapped_count = 0;
    for (size_t i = 0; i < content.pass_count; i++) {
        const struct lcap_gpu_pass *pass = &content.passes[i];
        const int64_t uncertainty_ns = pass->time.uncertainty_ns;
        ck_assert_uint_eq(pass->frame, i / 7);
        ck_assert_uint_eq(pass->operation, operations[i % 7]);
        ck_assert_uint_eq(pass->ordinal, 0);
        expect_inside(&content, &pass->time, pass->frame);
        if (uncertainty_ns == LUDUS_GPU_UNMAPPED)
            continue;
        /* This driver does one thing behind the other. */
        ck_assert_int_ge(pass->time.begin_ns + uncertainty_ns, last_ns);
        last_ns = pass->time.begin_ns + (int64_t)pass->time.duration_ns - uncertainty_ns;
        mapped_count++;
    }
    ck_assert_uint_gt(mapped_count, 0);
    ck_assert_uint_eq(content.calibration_count, 12);
    /* Two timestamps for all that is timed, a label for each scope, one reset a frame by the host.
     */
    ck_assert_uint_eq(watch.begins, content.pass_count + content.frame_count);
    ck_assert_uint_eq(watch.ends, content.pass_count + content.frame_count);
    gpu_content_free(&content);
    ck_assert_uint_eq(watch.vkCmdBeginDebugUtilsLabelEXT, 12 * 7);
    ck_assert_uint_eq(watch.vkCmdEndDebugUtilsLabelEXT, 12 * 7);
    ck_assert_uint_eq(watch.vkResetQueryPool, 12);
    ck_assert_uint_eq(watch.vkCreateQueryPool, 1);
    vulkan_close();
    ck_assert_uint_eq(watch.vkDestroyQueryPool, 1);
}
END_TEST

START_TEST(a_frame_that_is_resized_is_timed_as_before)
{
    struct mix mix = {0};
    vulkan_open(0, ALL, 2);
    open_mix(&mix);
    vulkan_record();
    for (uint32_t i = 0; i < 3; i++) {
        loop_draw(fill_mix, &mix);
        loop_draw(fill_mix, &mix);
        loop_finish();
        ck_assert(frame_scene_resize(&mix.scene, (VkExtent2D){48 + 16 * i, 40}));
    }
    loop_draw(fill_mix, &mix);
    close_mix(&mix);
    struct gpu_content content = vulkan_stop();
    expect_all_valid(&content, 7, 7 * 7);
    gpu_content_free(&content);
    vulkan_close();
}
END_TEST

START_TEST(a_device_that_is_made_anew_is_another_generation)
{
    uint32_t copies = 4;
    vulkan_record();
    uint32_t generations[2];
    for (int i = 0; i < 2; i++) {
        vulkan_open(0, ALL, 2);
        generations[i] = ludus_vulkan_session_generation(gpu);
        for (int frame = 0; frame < 5; frame++)
            loop_draw(fill_copies, &copies);
        vulkan_close();
        vulkan_forget_device();
    }
    struct gpu_content content = vulkan_stop();
    ck_assert_uint_eq(content.queue_count, 2);
    for (int i = 0; i < 2; i++) {
        const uint32_t track = content.queues[i].track;
        ck_assert_uint_eq(content.queues[i].generation, generations[i]);
        ck_assert_uint_eq(gpu_counted(&content, track, LUDUS_GPU_PASS, LUDUS_GPU_VALID), 20);
        ck_assert_uint_eq(gpu_counted(&content, track, LUDUS_GPU_PASS, 0), 20);
    }
    ck_assert_uint_gt(generations[1], generations[0]);
    gpu_content_free(&content);
}
END_TEST

/* In recordings that have room for all, however late their collector comes. */
START_TEST(a_thousand_frames_of_eight_passes_are_all_timed)
{
    uint32_t copies = 8;
    vulkan_open(0, ALL, 3);
    for (int recording = 0; recording < 4; recording++) {
        vulkan_record();
        for (int i = 0; i < 250; i++)
            loop_draw(fill_copies, &copies);
        loop_finish();
        struct gpu_content content = vulkan_stop();
        expect_all_valid(&content, 250, 2000);
        gpu_content_free(&content);
    }
    vulkan_close();
}
END_TEST

START_TEST(operations_beyond_the_capacity_are_drawn_and_counted)
{
    uint32_t copies = 80;
    vulkan_open(0, ALL, 2);
    vulkan_record();
    for (int i = 0; i < 4; i++)
        loop_draw(fill_copies, &copies);
    loop_finish();
    struct gpu_content content = vulkan_stop();
    ck_assert_uint_eq(vulkan_counted(&content, LUDUS_GPU_PASS, 0), 4 * 80);
    ck_assert_uint_eq(vulkan_counted(&content, LUDUS_GPU_PASS, LUDUS_GPU_VALID), 4 * 64);
    ck_assert_uint_eq(vulkan_counted(&content, LUDUS_GPU_PASS, LUDUS_GPU_OVER_CAPACITY), 4 * 16);
    ck_assert_uint_eq(content.passes[63].ordinal, 63);
    gpu_content_free(&content);
    /* A label without a time is a label. */
    ck_assert_uint_eq(watch.vkCmdEndDebugUtilsLabelEXT, 4 * 80);
    vulkan_close();
}
END_TEST

/* The session was made for one frame in flight, and has five: two are timed. */
START_TEST(more_frames_in_flight_than_were_told_are_busy)
{
    uint32_t copies = 2;
    vulkan_open(0, ALL, 5);
    ck_assert_uint_eq(ludus_vulkan_session_destroy(gpu), 0);
    vulkan_make_session(ALL, 1);
    watch.result_vkGetFenceStatus = VK_NOT_READY;
    vulkan_record();
    for (int i = 0; i < 5; i++)
        loop_draw(fill_copies, &copies);
    watch.result_vkGetFenceStatus = VK_SUCCESS;
    loop_finish();
    struct gpu_content content = vulkan_stop();
    ck_assert_uint_eq(vulkan_counted(&content, LUDUS_GPU_PASS, LUDUS_GPU_VALID), 2 * 2);
    ck_assert_uint_eq(vulkan_counted(&content, LUDUS_GPU_PASS, LUDUS_GPU_BUSY), 3 * 2);
    gpu_content_free(&content);
    vulkan_close();
}
END_TEST

/* What is told to be over, and is not there yet, is looked for in later frames. */
START_TEST(results_that_are_late_are_taken_later)
{
    uint32_t copies = 3;
    vulkan_open(0, ALL, 2);
    vulkan_record();
    watch.late_results = 3;
    for (int i = 0; i < 8; i++)
        loop_draw(fill_copies, &copies);
    loop_finish();
    ck_assert_uint_eq(watch.late_results, 0);
    struct gpu_content content = vulkan_stop();
    ck_assert_uint_eq(vulkan_counted(&content, LUDUS_GPU_PASS, 0), 8 * 3);
    ck_assert_uint_eq(vulkan_counted(&content, LUDUS_GPU_PASS, LUDUS_GPU_VALID) +
                          vulkan_counted(&content, LUDUS_GPU_PASS, LUDUS_GPU_BUSY),
                      8 * 3);
    ck_assert_uint_ge(vulkan_counted(&content, LUDUS_GPU_PASS, LUDUS_GPU_VALID), 6 * 3);
    gpu_content_free(&content);
    vulkan_close();
}
END_TEST

START_TEST(what_is_in_flight_when_a_recording_stops_is_in_no_other_one)
{
    uint32_t copies = 3;
    vulkan_open(0, ALL, 3);
    watch.result_vkGetFenceStatus = VK_NOT_READY;
    vulkan_record();
    loop_draw(fill_copies, &copies);
    loop_draw(fill_copies, &copies);
    struct gpu_content first = vulkan_stop();
    ck_assert_uint_eq(vulkan_counted(&first, LUDUS_GPU_PASS, 0), 6);
    ck_assert_uint_eq(first.pass_count + first.frame_count, 0);
    gpu_content_free(&first);
    vulkan_record();
    loop_draw(fill_copies, &copies);
    watch.result_vkGetFenceStatus = VK_SUCCESS;
    loop_finish();
    struct gpu_content second = vulkan_stop();
    ck_assert_uint_eq(vulkan_counted(&second, LUDUS_GPU_PASS, 0), 3);
    ck_assert_uint_eq(vulkan_counted(&second, LUDUS_GPU_PASS, LUDUS_GPU_VALID), 3);
    ck_assert_uint_eq(second.pass_count, 3);
    gpu_content_free(&second);
    vulkan_close();
}
END_TEST

START_TEST(a_session_goes_when_the_device_is_done_with_it)
{
    uint32_t copies = 3;
    vulkan_open(0, ALL, 3);
    watch.result_vkGetFenceStatus = VK_NOT_READY;
    vulkan_record();
    loop_draw(fill_copies, &copies);
    loop_draw(fill_copies, &copies);
    ck_assert_uint_eq(ludus_vulkan_session_destroy(gpu), 2);
    ck_assert_uint_eq(watch.vkDestroyQueryPool, 0);
    loop_draw(fill_copies, &copies); /* to an ended session: nothing */
    loop_finish();
    struct gpu_content content = vulkan_stop();
    ck_assert_uint_eq(vulkan_counted(&content, LUDUS_GPU_PASS, 0), 6);
    ck_assert_uint_eq(vulkan_counted(&content, LUDUS_GPU_PASS, LUDUS_GPU_UNRESOLVED), 6);
    gpu_content_free(&content);
    vulkan_close();
    ck_assert_uint_eq(watch.vkDestroyQueryPool, 1);
}
END_TEST

START_TEST(a_frame_can_be_watched_without_a_recording)
{
    uint32_t copies = 2;
    struct ludus_gpu_frame frame;
    vulkan_open(0, ALL, 2);
    loop_draw(fill_copies, &copies);
    ck_assert_uint_eq(watch.vkCmdWriteTimestamp, 0);
    loop_finish();
    ck_assert_int_eq(ludus_vulkan_session_latest_frame(gpu, &frame), 0);
    ludus_vulkan_session_watch(gpu, 1);
    loop_draw(fill_copies, &copies);
    ck_assert_uint_eq(watch.vkCmdWriteTimestamp, 2);
    loop_finish();
    ck_assert_int_eq(ludus_vulkan_session_latest_frame(gpu, &frame), 1);
    ck_assert_uint_eq(frame.outcome, LUDUS_GPU_VALID);
    ck_assert_uint_eq(frame.number, 1);
    vulkan_close();
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {every_pass_is_timed_where_it_was,
                                  a_frame_that_is_resized_is_timed_as_before,
                                  a_device_that_is_made_anew_is_another_generation,
                                  a_thousand_frames_of_eight_passes_are_all_timed,
                                  operations_beyond_the_capacity_are_drawn_and_counted,
                                  more_frames_in_flight_than_were_told_are_busy,
                                  results_that_are_late_are_taken_later,
                                  what_is_in_flight_when_a_recording_stops_is_in_no_other_one,
                                  a_session_goes_when_the_device_is_done_with_it,
                                  a_frame_can_be_watched_without_a_recording};
    return vulkan_run("vulkan frames", tests, sizeof tests / sizeof tests[0]);
}
