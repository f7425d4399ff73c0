/* Puts the GPU samples of a synthetic capture into blocks. */
#include "synthetic_gpu.h"

#define GPU_STREAM       UINT64_C(0x677075)
#define TEXT(text)       ((struct lcap_bytes){(const uint8_t *)(text), sizeof(text) - 1})
#define TICKS_FROM_START 100000u /* of a frame's work, behind its submission */
#define TICKS_TO_COLLECT 1000000u
#define LONGEST_TICKS    200000u /* of a pass */
#define UNCERTAINTY_NS   500u

static uint32_t track_of(const struct synthetic_gpu *gpu)
{
    return gpu->file->options->tracks + 1;
}

void synthetic_gpu_start(struct synthetic_gpu *gpu, struct synthetic_file *file)
{
    struct lcap_bytes block = {0};
    gpu->file = file;
    gpu->random = synthetic_random_start(file->options->seed, GPU_STREAM);
    if (file->options->gpu_passes == 0 || file->status != LUDUS_OK)
        return;
    const struct lcap_track track = {
        .begin_tick = SYNTHETIC_START_TICK, .track = track_of(gpu), .kind = LCAP_TRACK_GPU_QUEUE};
    const struct lcap_gpu_queue queue = {.backend = TEXT("synthetic"),
                                         .device = TEXT("Synthetic GPU"),
                                         .queue = TEXT("graphics"),
                                         .period_fs = 1000000,
                                         .track = track_of(gpu),
                                         .valid_bits = 64};
    enum ludus_status status =
        lcap_encode_tracks(file->encoder, file->clock.clock, &track, 1, &block);
    synthetic_file_put(file, status, block);
    status = lcap_encode_gpu_queue(file->encoder, &queue, &block);
    synthetic_file_put(file, status, block);
}

static void put_batch(struct synthetic_gpu *gpu)
{
    struct synthetic_file *file = gpu->file;
    const uint32_t clock = file->clock.clock;
    struct lcap_bytes block = {0};
    enum ludus_status status = LUDUS_OK;
    if (file->status == LUDUS_OK && gpu->pass_count > 0) {
        status =
            lcap_encode_gpu_passes(file->encoder, clock, gpu->pass_batch, gpu->pass_count, &block);
        synthetic_file_put(file, status, block);
    }
    if (file->status == LUDUS_OK && gpu->frame_count > 0) {
        status = lcap_encode_gpu_frames(file->encoder, clock, gpu->frame_batch, gpu->frame_count,
                                        &block);
        synthetic_file_put(file, status, block);
    }
    if (file->status == LUDUS_OK && gpu->frame_count > 0) {
        status = lcap_encode_gpu_calibrations(file->encoder, gpu->calibration_batch,
                                              gpu->frame_count, &block);
        synthetic_file_put(file, status, block);
    }
    gpu->pass_count = gpu->frame_count = 0;
}

static void put_frame(struct synthetic_gpu *gpu, const struct lcap_gpu_time *time)
{
    gpu->frame_batch[gpu->frame_count] = (struct lcap_gpu_frame){.time = *time,
                                                                 .number = gpu->frames,
                                                                 .track = track_of(gpu),
                                                                 .method = LCAP_GPU_TIMESTAMPS};
    gpu->calibration_batch[gpu->frame_count++] = (struct lcap_gpu_calibration){
        .frame = gpu->frames,
        .device_ticks = {time->submit_tick, time->collect_tick},
        .host_ns = {(int64_t)time->submit_tick, (int64_t)time->collect_tick},
        .track = track_of(gpu),
        .mapping = LCAP_GPU_MAPPED,
        .uncertainty_ns = UNCERTAINTY_NS};
    if (gpu->frame_count == SYNTHETIC_GPU_BATCH)
        put_batch(gpu);
}

/* One behind the other, but for some that overlap the next one. */
static void put_pass(struct synthetic_gpu *gpu, struct lcap_gpu_time *time, uint32_t index)
{
    const uint32_t sites = gpu->file->options->sites;
    const uint64_t ticks = 1 + synthetic_random_early(&gpu->random, LONGEST_TICKS);
    time->begin_ns = (int64_t)gpu->tick;
    time->duration_ns = ticks;
    gpu->pass_batch[gpu->pass_count++] =
        (struct lcap_gpu_pass){.time = *time,
                               .frame = gpu->frames,
                               .track = track_of(gpu),
                               .site = 1 + index % sites,
                               .ordinal = index / sites,
                               .operation = LCAP_GPU_RENDER + index % sites % 2,
                               .logical_passes = 1};
    gpu->tick += synthetic_random_below(&gpu->random, 8) == 0 ? ticks / 2 : ticks;
    if (gpu->pass_count == SYNTHETIC_GPU_BATCH)
        put_batch(gpu);
}

void synthetic_gpu_frame(struct synthetic_gpu *gpu, uint64_t submit_tick)
{
    const uint32_t count = gpu->file->options->gpu_passes;
    struct lcap_gpu_time time = {
        .submit_tick = submit_tick, .outcome = LCAP_GPU_VALID, .uncertainty_ns = UNCERTAINTY_NS};
    if (count == 0)
        return;
    if (gpu->tick < submit_tick + TICKS_FROM_START)
        gpu->tick = submit_tick + TICKS_FROM_START;
    const uint64_t begin_tick = gpu->tick;
    time.collect_tick = begin_tick + (uint64_t)count * LONGEST_TICKS + TICKS_TO_COLLECT;
    for (uint32_t i = 0; i < count; i++)
        put_pass(gpu, &time, i);
    time.begin_ns = (int64_t)begin_tick;
    time.duration_ns = gpu->tick - begin_tick;
    put_frame(gpu, &time);
    gpu->passes += count;
    gpu->frames++;
}

void synthetic_gpu_finish(struct synthetic_gpu *gpu)
{
    struct synthetic_file *file = gpu->file;
    const uint32_t track = track_of(gpu);
    const struct lcap_gpu_count counts[] = {{gpu->frames, track, LCAP_GPU_FRAME, LCAP_GPU_ELIGIBLE},
                                            {gpu->frames, track, LCAP_GPU_FRAME, LCAP_GPU_VALID},
                                            {gpu->passes, track, LCAP_GPU_PASS, LCAP_GPU_ELIGIBLE},
                                            {gpu->passes, track, LCAP_GPU_PASS, LCAP_GPU_VALID}};
    struct lcap_bytes block = {0};
    put_batch(gpu);
    if (gpu->passes == 0 || file->status != LUDUS_OK)
        return;
    const enum ludus_status status =
        lcap_encode_gpu_counts(file->encoder, counts, sizeof counts / sizeof counts[0], &block);
    synthetic_file_put(file, status, block);
}
