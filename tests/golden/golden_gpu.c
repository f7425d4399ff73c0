/* A golden file of a recording with GPU samples, small enough to work out every sum. Times in us
 * from the session's start; a microsecond is 1,000 ticks.
 *
 * main      frames of 10,000 us: 0 to 4 begin at 0, 10,000, 20,000, 30,000 and 40,000
 * graphics  frame n is submitted at n * 10,000 + 9,000 and collected 12,000 later
 *             0: 6,000 us from 9,100 on     1: 8,000 us from 19,100 on, not mapped
 *             2: reversed                   3: busy, which is counted alone
 *             4: in flight at the end
 *           passes of frame 0: Shadows 1,000 from 9,100; Opaque 3,000 from 10,100; Opaque (the
 *             second) 2,000 from 12,600, which overlaps the one before by 500
 *           passes of frame 1: Shadows 1,500, Opaque 0, both not mapped; Blur without an end
 * compute   frame 0 in two passes that overlap: Blur 400 from 9,500, Particles 300 from 9,600 */
#include <string.h>

#include "golden_blocks.h"
#include "golden_sets.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define UNMAPPED_US  INT64_MIN
#define BASE_NS      5000000

enum { MAIN = 1, GRAPHICS, COMPUTE };                     /* tracks */
enum { SHADOWS = 1, OPAQUE, BLUR, PARTICLES, MAIN_NAME }; /* sites, and strings */
enum {
    FILE_NAME = MAIN_NAME + 1,
    DOMAIN_NAME,
    GRAPHICS_NAME,
    COMPUTE_NAME,
    STRINGS = COMPUTE_NAME
};

static uint64_t tick_of(uint64_t us)
{
    return BASE_NS + us * 1000;
}

static void add_names(struct golden_file *file)
{
    static const char *const names[STRINGS] = {"Shadows",   "Opaque",   "Blur",
                                               "Particles", "main",     "render.c",
                                               "frame",     "graphics", "compute"};
    const struct lcap_domain domain = {.domain = 1, .name = DOMAIN_NAME};
    struct lcap_string strings[STRINGS];
    struct lcap_site sites[PARTICLES];
    struct lcap_bytes block;
    size_t taken;
    for (uint32_t i = 0; i < STRINGS; i++)
        strings[i] = (struct lcap_string){{(const uint8_t *)names[i], strlen(names[i])}, i + 1};
    for (uint32_t i = 0; i < PARTICLES; i++)
        sites[i] = (struct lcap_site){
            .site = i + 1, .name = i + 1, .file = FILE_NAME, .line = 10 * (i + 1)};
    golden_add(file, lcap_encode_strings(file->encoder, strings, STRINGS, &taken, &block), block);
    golden_add(file, lcap_encode_sites(file->encoder, sites, PARTICLES, &block), block);
    golden_add(file, lcap_encode_domains(file->encoder, &domain, 1, &block), block);
}

static void add_queue(struct golden_file *file, uint32_t track, struct lcap_bytes name,
                      struct lcap_bytes calibration_reason)
{
    const struct lcap_gpu_queue queue = {.backend = GOLDEN_TEXT("vulkan"),
                                         .device = GOLDEN_TEXT("Example GPU"),
                                         .queue = name,
                                         .calibration_reason = calibration_reason,
                                         .period_fs = 1000000,
                                         .track = track,
                                         .valid_bits = 48};
    struct lcap_bytes block;
    golden_add(file, lcap_encode_gpu_queue(file->encoder, &queue, &block), block);
}

static void add_tracks(struct golden_file *file)
{
    const struct lcap_track tracks[] = {
        {.track = MAIN, .kind = LCAP_TRACK_THREAD, .os_id = 70, .name = MAIN_NAME},
        {.track = GRAPHICS, .kind = LCAP_TRACK_GPU_QUEUE, .name = GRAPHICS_NAME},
        {.track = COMPUTE, .kind = LCAP_TRACK_GPU_QUEUE, .name = COMPUTE_NAME},
    };
    struct lcap_track begun[COUNT(tracks)];
    struct lcap_bytes block;
    for (size_t i = 0; i < COUNT(tracks); i++) {
        begun[i] = tracks[i];
        begun[i].begin_tick = tick_of(0);
    }
    golden_add(file, lcap_encode_tracks(file->encoder, 2, begun, COUNT(begun), &block), block);
    add_queue(file, GRAPHICS, GOLDEN_TEXT("graphics"), GOLDEN_TEXT(""));
    add_queue(file, COMPUTE, GOLDEN_TEXT("compute"), GOLDEN_TEXT(""));
}

static void add_marks(struct golden_file *file)
{
    struct lcap_frame_mark marks[5];
    struct lcap_bytes block;
    for (uint32_t i = 0; i < COUNT(marks); i++)
        marks[i] = (struct lcap_frame_mark){
            .ordinal = i, .tick = tick_of(i * UINT64_C(10000)), .domain = 1, .track = MAIN};
    golden_add(file, lcap_encode_frames(file->encoder, 2, marks, COUNT(marks), &block), block);
}

static struct lcap_gpu_time time_of(uint32_t frame, uint32_t outcome, int64_t begin_us,
                                    uint64_t duration_us)
{
    const bool is_mapped = begin_us != UNMAPPED_US;
    return (struct lcap_gpu_time){.duration_ns = duration_us * 1000,
                                  .begin_ns = is_mapped ? BASE_NS + begin_us * 1000 : 0,
                                  .submit_tick = tick_of(frame * UINT64_C(10000) + 9000),
                                  .collect_tick = tick_of(frame * UINT64_C(10000) + 21000),
                                  .outcome = outcome,
                                  .uncertainty_ns = is_mapped ? 1500 : LCAP_GPU_UNMAPPED};
}

static struct lcap_gpu_frame frame_of(uint32_t number, uint32_t outcome, int64_t begin_us,
                                      uint64_t duration_us)
{
    return (struct lcap_gpu_frame){.time = time_of(number, outcome, begin_us, duration_us),
                                   .number = number,
                                   .track = GRAPHICS,
                                   .method = LCAP_GPU_TIMESTAMPS};
}

static struct lcap_gpu_pass pass_of(uint32_t frame, uint32_t site, uint32_t ordinal,
                                    int64_t begin_us, uint64_t duration_us)
{
    const uint32_t track = site == PARTICLES || begin_us == 9500 ? COMPUTE : GRAPHICS;
    return (struct lcap_gpu_pass){.time = time_of(frame, LCAP_GPU_VALID, begin_us, duration_us),
                                  .frame = frame,
                                  .track = track,
                                  .site = site,
                                  .ordinal = ordinal,
                                  .operation =
                                      track == COMPUTE ? LCAP_GPU_COMPUTE : LCAP_GPU_RENDER,
                                  .logical_passes = site == OPAQUE ? 2 : 1};
}

static void add_samples(struct golden_file *file)
{
    const struct lcap_gpu_frame frames[] = {
        frame_of(0, LCAP_GPU_VALID, 9100, 6000),
        frame_of(1, LCAP_GPU_VALID, UNMAPPED_US, 8000),
        frame_of(2, LCAP_GPU_REVERSED, UNMAPPED_US, 0),
    };
    struct lcap_gpu_pass passes[] = {
        pass_of(0, SHADOWS, 0, 9100, 1000),    pass_of(0, OPAQUE, 0, 10100, 3000),
        pass_of(0, OPAQUE, 1, 12600, 2000),    pass_of(0, BLUR, 0, 9500, 400),
        pass_of(0, PARTICLES, 0, 9600, 300),   pass_of(1, SHADOWS, 0, UNMAPPED_US, 1500),
        pass_of(1, OPAQUE, 0, UNMAPPED_US, 0), pass_of(1, BLUR, 0, UNMAPPED_US, 0),
    };
    struct lcap_bytes block;
    passes[COUNT(passes) - 1].time.outcome = LCAP_GPU_NO_END;
    golden_add(file, lcap_encode_gpu_frames(file->encoder, 2, frames, COUNT(frames), &block),
               block);
    golden_add(file, lcap_encode_gpu_passes(file->encoder, 2, passes, COUNT(passes), &block),
               block);
}

static void add_counts(struct golden_file *file)
{
    const struct lcap_gpu_count early[] = {
        {.count = 1, .track = GRAPHICS, .subject = LCAP_GPU_FRAME, .outcome = LCAP_GPU_ELIGIBLE},
        {.count = 1, .track = GRAPHICS, .subject = LCAP_GPU_FRAME, .outcome = LCAP_GPU_VALID},
    };
    const struct lcap_gpu_count last[] = {
        {.count = 5, .track = GRAPHICS, .subject = LCAP_GPU_FRAME, .outcome = LCAP_GPU_ELIGIBLE},
        {.count = 2, .track = GRAPHICS, .subject = LCAP_GPU_FRAME, .outcome = LCAP_GPU_VALID},
        {.count = 1, .track = GRAPHICS, .subject = LCAP_GPU_FRAME, .outcome = LCAP_GPU_REVERSED},
        {.count = 1, .track = GRAPHICS, .subject = LCAP_GPU_FRAME, .outcome = LCAP_GPU_BUSY},
        {.count = 8, .track = GRAPHICS, .subject = LCAP_GPU_PASS, .outcome = LCAP_GPU_ELIGIBLE},
        {.count = 5, .track = GRAPHICS, .subject = LCAP_GPU_PASS, .outcome = LCAP_GPU_VALID},
        {.count = 1, .track = GRAPHICS, .subject = LCAP_GPU_PASS, .outcome = LCAP_GPU_NO_END},
        {.count = 2, .track = COMPUTE, .subject = LCAP_GPU_PASS, .outcome = LCAP_GPU_ELIGIBLE},
        {.count = 2, .track = COMPUTE, .subject = LCAP_GPU_PASS, .outcome = LCAP_GPU_VALID},
    };
    struct lcap_bytes block;
    golden_add(file, lcap_encode_gpu_counts(file->encoder, early, COUNT(early), &block), block);
    golden_add(file, lcap_encode_gpu_counts(file->encoder, last, COUNT(last), &block), block);
}

static void add_calibrations(struct golden_file *file)
{
    const struct lcap_gpu_calibration calibrations[] = {
        {.frame = 0,
         .device_ticks = {UINT64_C(0xFFFFFFFFF000), 11996000},
         .host_ns = {BASE_NS + 9000000, BASE_NS + 21000000},
         .track = GRAPHICS,
         .mapping = LCAP_GPU_MAPPED,
         .uncertainty_ns = 1500},
        {.frame = 1,
         .device_ticks = {21996000, 33996000},
         .host_ns = {BASE_NS + 19000000, BASE_NS + 31000000},
         .track = GRAPHICS,
         .mapping = LCAP_GPU_TOO_UNCERTAIN,
         .uncertainty_ns = 60000},
    };
    struct lcap_bytes block;
    golden_add(
        file,
        lcap_encode_gpu_calibrations(file->encoder, calibrations, COUNT(calibrations), &block),
        block);
}

static void add_finish(struct golden_file *file)
{
    const struct lcap_end end = {
        .stop_tick = tick_of(50000), .recorded.frames = 5, .clock = 2, .reason = LCAP_END_STOPPED};
    struct lcap_bytes block;
    golden_add(file, lcap_encode_end(file->encoder, &end, &block), block);
    golden_add_index(file);
    golden_add_trailer(file);
}

/* One block of every kind, with values at the ends of their ranges. */
static void make_kinds(const char *directory)
{
    struct golden_file file;
    golden_open(&file);
    golden_add_start(&file);
    golden_add_kind(&file, LCAP_KIND_tracks);
    for (uint32_t kind = LCAP_KIND_gpu_queues; kind <= LCAP_KIND_gpu_calibrations; kind++)
        golden_add_kind(&file, (enum lcap_block_kind)kind);
    golden_add_finish(&file);
    golden_write(&file, directory, "gpu-kinds");
}

void golden_make_gpu(const char *directory)
{
    struct golden_file file;
    golden_open(&file);
    golden_add_game_session(&file, 3, tick_of(0));
    add_names(&file);
    add_tracks(&file);
    add_marks(&file);
    add_samples(&file);
    add_counts(&file);
    add_calibrations(&file);
    add_finish(&file);
    golden_write(&file, directory, "gpu");
    make_kinds(directory);
}
