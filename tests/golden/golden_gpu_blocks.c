/* Makes one right block of every kind of GPU samples. */
#include "golden_blocks.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void add_queues(struct golden_file *file)
{
    const struct lcap_gpu_queue queue = {.backend = GOLDEN_TEXT("vulkan"),
                                         .device = GOLDEN_TEXT("a \"device\""),
                                         .queue = GOLDEN_TEXT("graphics"),
                                         .pass_reason = GOLDEN_TEXT(""),
                                         .calibration_reason = GOLDEN_TEXT("no extension"),
                                         .period_fs = UINT64_MAX,
                                         .track = 9,
                                         .generation = 3,
                                         .valid_bits = 64};
    struct lcap_bytes block;
    golden_add(file, lcap_encode_gpu_queue(file->encoder, &queue, &block), block);
}

static void add_frames(struct golden_file *file)
{
    const struct lcap_gpu_frame frames[] = {
        {.time = {.duration_ns = 7,
                  .begin_ns = -3,
                  .submit_tick = 25,
                  .collect_tick = 25,
                  .outcome = LCAP_GPU_VALID,
                  .uncertainty_ns = 0},
         .number = 1,
         .track = 9,
         .method = LCAP_GPU_TIMESTAMPS},
        {.time = {.submit_tick = 46,
                  .collect_tick = UINT64_MAX,
                  .outcome = 99,
                  .uncertainty_ns = LCAP_GPU_UNMAPPED},
         .number = UINT64_MAX,
         .track = 9,
         .method = 99},
    };
    struct lcap_bytes block;
    golden_add(file, lcap_encode_gpu_frames(file->encoder, 1, frames, COUNT(frames), &block),
               block);
}

static void add_passes(struct golden_file *file)
{
    const struct lcap_gpu_pass passes[] = {
        {.time = {.duration_ns = INT64_MAX,
                  .submit_tick = 25,
                  .collect_tick = 67,
                  .outcome = LCAP_GPU_VALID,
                  .uncertainty_ns = LCAP_GPU_UNMAPPED},
         .frame = 1,
         .track = 9,
         .site = 1,
         .ordinal = 2,
         .operation = LCAP_GPU_MIXED,
         .logical_passes = 3},
        {.time = {.submit_tick = 25,
                  .collect_tick = 67,
                  .outcome = LCAP_GPU_NO_END,
                  .uncertainty_ns = LCAP_GPU_UNMAPPED},
         .frame = 1,
         .track = 9,
         .site = 2,
         .operation = 99,
         .logical_passes = 1},
    };
    struct lcap_bytes block;
    golden_add(file, lcap_encode_gpu_passes(file->encoder, 1, passes, COUNT(passes), &block),
               block);
}

static void add_counts(struct golden_file *file)
{
    const struct lcap_gpu_count counts[] = {
        {.count = 12, .track = 9, .subject = LCAP_GPU_PASS, .outcome = LCAP_GPU_ELIGIBLE},
        {.count = UINT64_MAX, .track = 9, .subject = 99, .outcome = LCAP_GPU_NOT_ADMITTED},
        {.track = 9, .subject = LCAP_GPU_CALIBRATION, .outcome = 99},
    };
    struct lcap_bytes block;
    golden_add(file, lcap_encode_gpu_counts(file->encoder, counts, COUNT(counts), &block), block);
}

static void add_calibrations(struct golden_file *file)
{
    const struct lcap_gpu_calibration calibrations[] = {
        {.frame = 1,
         .device_ticks = {UINT64_MAX, 4},
         .host_ns = {-5, 6},
         .track = 9,
         .mapping = LCAP_GPU_MAPPED,
         .uncertainty_ns = 50000},
        {.frame = UINT64_MAX, .track = 9, .mapping = 99},
    };
    struct lcap_bytes block;
    golden_add(
        file,
        lcap_encode_gpu_calibrations(file->encoder, calibrations, COUNT(calibrations), &block),
        block);
}

void golden_add_gpu_kind(struct golden_file *file, enum lcap_block_kind kind)
{
    static void (*const add[])(struct golden_file *) = {
        [LCAP_KIND_gpu_queues] = add_queues,
        [LCAP_KIND_gpu_frames] = add_frames,
        [LCAP_KIND_gpu_passes] = add_passes,
        [LCAP_KIND_gpu_counts] = add_counts,
        [LCAP_KIND_gpu_calibrations] = add_calibrations,
    };
    add[kind](file);
}
