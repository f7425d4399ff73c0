/* Threads that record scopes side by side while another one collects, on a driver that is none: it
 * writes a timestamp at once, and can be watched by ThreadSanitizer as a whole. */
#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <ludus/gpu_vulkan.h>

#include "gpu_fixture.h"

#define THREADS 4u
#define FRAMES  200u
#define SCOPES  20u /* of a thread, in a frame: more than there is room for */
#define QUERIES (4 * LUDUS_GPU_FRAME_SLOTS)

static _Atomic uint64_t ticks[QUERIES]; /* 0: reset */
static _Atomic uint64_t now;            /* a step for each timestamp */

/* --- the driver
 * ----------------------------------------------------------------------------------- */

static void VKAPI_CALL get_properties(VkPhysicalDevice adapter, VkPhysicalDeviceProperties *result)
{
    (void)adapter;
    memset(result, 0, sizeof *result);
    (void)strcpy(result->deviceName, "none");
    result->limits.timestampPeriod = 1.0f;
}

static void VKAPI_CALL get_families(VkPhysicalDevice adapter, uint32_t *count,
                                    VkQueueFamilyProperties *families)
{
    (void)adapter;
    *count = 1;
    if (families != NULL)
        families[0] = (VkQueueFamilyProperties){VK_QUEUE_GRAPHICS_BIT, 1, 64, {1, 1, 1}};
}

static VkResult VKAPI_CALL create_pool(VkDevice device, const VkQueryPoolCreateInfo *info,
                                       const VkAllocationCallbacks *allocator, VkQueryPool *pool)
{
    (void)device, (void)allocator;
    memset(pool, 1, sizeof *pool);
    return info->queryCount <= QUERIES ? VK_SUCCESS : VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

static void VKAPI_CALL destroy_pool(VkDevice device, VkQueryPool pool,
                                    const VkAllocationCallbacks *allocator)
{
    (void)device, (void)pool, (void)allocator;
}

static VkResult VKAPI_CALL get_results(VkDevice device, VkQueryPool pool, uint32_t first,
                                       uint32_t count, size_t size, void *data, VkDeviceSize stride,
                                       VkQueryResultFlags flags)
{
    struct ludus_gpu_reading *readings = data;
    (void)device, (void)pool, (void)size, (void)stride, (void)flags;
    for (uint32_t i = 0; i < count; i++) {
        readings[i].tick = ticks[first + i];
        readings[i].is_available = readings[i].tick != 0;
    }
    return VK_SUCCESS;
}

static VkResult VKAPI_CALL get_fence_status(VkDevice device, VkFence fence)
{
    (void)device, (void)fence;
    return VK_SUCCESS;
}

static void VKAPI_CALL write_timestamp(VkCommandBuffer commands, VkPipelineStageFlagBits stage,
                                       VkQueryPool pool, uint32_t query)
{
    (void)commands, (void)stage, (void)pool;
    ticks[query] = ++now;
}

static void VKAPI_CALL reset_queries(VkCommandBuffer commands, VkQueryPool pool, uint32_t first,
                                     uint32_t count)
{
    (void)commands, (void)pool;
    for (uint32_t i = 0; i < count; i++)
        ticks[first + i] = 0;
}

static PFN_vkVoidFunction VKAPI_CALL find_of_device(VkDevice device, const char *name)
{
    (void)device;
    const struct {
        const char *name;
        PFN_vkVoidFunction function;
    } functions[] = {{"vkCreateQueryPool", (PFN_vkVoidFunction)create_pool},
                     {"vkDestroyQueryPool", (PFN_vkVoidFunction)destroy_pool},
                     {"vkGetQueryPoolResults", (PFN_vkVoidFunction)get_results},
                     {"vkGetFenceStatus", (PFN_vkVoidFunction)get_fence_status},
                     {"vkCmdWriteTimestamp", (PFN_vkVoidFunction)write_timestamp},
                     {"vkCmdResetQueryPool", (PFN_vkVoidFunction)reset_queries}};
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (strcmp(functions[i].name, name) == 0)
            return functions[i].function;
    }
    return NULL;
}

static PFN_vkVoidFunction VKAPI_CALL find(VkInstance instance, const char *name)
{
    (void)instance;
    if (strcmp(name, "vkGetPhysicalDeviceProperties") == 0)
        return (PFN_vkVoidFunction)get_properties;
    return strcmp(name, "vkGetPhysicalDeviceQueueFamilyProperties") == 0
               ? (PFN_vkVoidFunction)get_families
               : NULL;
}

/* --- the program
 * ---------------------------------------------------------------------------------- */

static struct ludus_vulkan_session *gpu;
static pthread_barrier_t begun, recorded;
static _Atomic bool is_over;

static VkCommandBuffer buffer_of(uint32_t thread)
{
    return (VkCommandBuffer)(uintptr_t)(0x1000 + thread);
}

static void *record(void *context)
{
    const uint32_t thread = *(const uint32_t *)context;
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        (void)pthread_barrier_wait(&begun);
        for (uint32_t i = 0; i < SCOPES; i++) {
            LUDUS_PROFILE_GPU_SCOPE(
                ludus_vulkan_commands(gpu, buffer_of(thread), LUDUS_GPU_COMPUTE), Work);
        }
        (void)pthread_barrier_wait(&recorded);
    }
    return NULL;
}

static void *collect(void *context)
{
    (void)context;
    while (!is_over) {
        struct ludus_gpu_frame frame;
        ludus_vulkan_session_poll(gpu);
        (void)ludus_vulkan_session_latest_frame(gpu, &frame);
        fixture_sleep_ms(1);
    }
    return NULL;
}

static void draw_frames(void)
{
    VkFence fence;
    memset(&fence, 1, sizeof fence);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        (void)ludus_vulkan_frame_begin(gpu, buffer_of(0));
        (void)pthread_barrier_wait(&begun);
        (void)pthread_barrier_wait(&recorded);
        ludus_vulkan_frame_finish(gpu, buffer_of(0));
        ludus_vulkan_frame_submit(gpu);
        ludus_vulkan_frame_end(gpu, LUDUS_GPU_SUBMITTED, fence);
    }
}

START_TEST(threads_record_while_another_collects)
{
    pthread_t threads[THREADS], collector;
    uint32_t indexes[THREADS];
    const struct ludus_vulkan_setup setup = {.get_instance_proc_addr = find,
                                             .get_device_proc_addr = find_of_device};
    const struct ludus_recorder_config config = fixture_config("a.lcap");
    fixture_start(&config);
    gpu = ludus_vulkan_session_create(&setup);
    ck_assert_ptr_nonnull(gpu);
    ck_assert_int_eq(pthread_barrier_init(&begun, NULL, THREADS + 1), 0);
    ck_assert_int_eq(pthread_barrier_init(&recorded, NULL, THREADS + 1), 0);
    ck_assert_int_eq(pthread_create(&collector, NULL, collect, NULL), 0);
    for (uint32_t i = 0; i < THREADS; i++) {
        indexes[i] = i;
        ck_assert_int_eq(pthread_create(&threads[i], NULL, record, &indexes[i]), 0);
    }
    draw_frames();
    for (uint32_t i = 0; i < THREADS; i++)
        (void)pthread_join(threads[i], NULL);
    is_over = true;
    (void)pthread_join(collector, NULL);
    ludus_vulkan_frame_complete(gpu, UINT64_MAX);
    const struct ludus_recorder_result result = fixture_stop();
    ck_assert_uint_eq(ludus_vulkan_session_destroy(gpu), 0);
    struct gpu_content content = gpu_read(config.path);
    const uint32_t track = content.queues[0].track;
    const uint64_t most = LUDUS_GPU_FRAME_OPERATIONS * FRAMES;
    const uint64_t asked = (uint64_t)THREADS * SCOPES * FRAMES;
    ck_assert_uint_eq(gpu_counted(&content, track, LUDUS_GPU_PASS, 0), asked);
    ck_assert_uint_eq(gpu_counted(&content, track, LUDUS_GPU_PASS, LUDUS_GPU_OVER_CAPACITY),
                      asked - most);
    /* A slow collector may leave no room in the recorder. */
    ck_assert_uint_eq(gpu_counted(&content, track, LUDUS_GPU_PASS, LUDUS_GPU_VALID) +
                          gpu_counted(&content, track, LUDUS_GPU_PASS, LUDUS_GPU_QUEUE_FULL),
                      most);
    ck_assert_uint_eq(result.gpu_passes, content.pass_count);
    gpu_content_free(&content);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("vulkan threads");
    TCase *cases = tcase_create("vulkan threads");
    tcase_add_checked_fixture(cases, fixture_setup, fixture_teardown);
    tcase_add_test(cases, threads_record_while_another_collects);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
