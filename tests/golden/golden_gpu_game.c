/* A golden file of a game whose device is lost, with every number worked out. Times in us from the
 * session's start; a microsecond is 1,000 ticks.
 *
 * main       frames of 10,000: mark n at 10,000 * (n + 1), 0 to 7, of which 0 to 6 are complete;
 * the scope Render from 1,000 behind the mark on, 8,000 long, in each of these graphics   submitted
 * frame k at 10,000 * k + 8,000, so that k = 0 is before the first mark and all others in frame k -
 * 1; it begins 500 later, and its result comes 15,000 later k = 0    6,000      1   7,000      2
 * 6,500      3  14,000 4    6,000, from 52,600 on: 3 ends at 52,500 5    the device is lost in
 * frames: 6,000 6,500 7,000 14,000: 33,500 in all, 8,375 in the mean passes, from the frame's begin
 * on: Shadows 1,000 from 0, Opaque 3,000 from 1,000 and 2,000 from 3,500 (its first call stands for
 * 3 passes of the program), Blur 500 from 5,500 k = 0    Shadows alone 1    as above: the sum is
 * 6,500, the union 6,000 2    Shadows reversed: 5,500, 5,000 3    Opaque 10,500 from 1,000, 2,000
 * from 11,000; Blur from 13,000: 14,000, 13,500 4    Opaque 0 from 4,000 (a true zero) in the place
 * of the second; Blur without an end: 4,000, 4,000 5    Shadows and Opaque lost Shadows in frames:
 * 3 calls, 3,000. Opaque: 8 calls, 0 3 * 2,000 3 * 3,000 10,500: 25,500; its union 4,500 + 4,500 +
 * 12,000 + 3,000 = 24,000. Blur: 3 calls, 1,500 all: 14 calls, sum 30,000, union 28,500 copy not
 * calibrated, the system's times of command buffers: 150 at 15,000, 250 at 35,000; in each an
 * Upload as long graphics   again, generation 1, not calibrated: k = 0 at 68,000 5,000, 1 at 78,000
 * 0 (nothing to do), 2 at 88,000 5,500, in the last frame, which is not complete; in 0 Shadows 900
 * and Opaque 2,500 */
#include <string.h>

#include "golden_blocks.h"
#include "golden_sets.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define UNMAPPED     UINT32_MAX
#define BASE_US      5000u
#define MARKS        8u

enum { MAIN = 1, GRAPHICS, COPY, GRAPHICS_AGAIN };  /* tracks */
enum { SHADOWS = 1, OPAQUE, BLUR, UPLOAD, RENDER }; /* sites; their names' strings are the same */
enum { FILE_NAME = RENDER + 1, DOMAIN_NAME, STRINGS = DOMAIN_NAME + 3 };

static uint64_t tick_of(uint64_t us)
{
    return (BASE_US + us) * 1000;
}

/* --- what it is of --------------------------------------------------------------------------- */

static void add_names(struct golden_file *file)
{
    static const char *const texts[STRINGS] = {"Shadows", "Opaque", "Blur", "Upload",   "Render",
                                               "game.c",  "game",   "main", "graphics", "copy"};
    const struct lcap_domain domain = {.domain = 1, .name = DOMAIN_NAME};
    struct lcap_string strings[STRINGS];
    struct lcap_site sites[RENDER];
    struct lcap_bytes block;
    size_t taken;
    for (uint32_t i = 0; i < COUNT(strings); i++)
        strings[i] = (struct lcap_string){{(const uint8_t *)texts[i], strlen(texts[i])}, i + 1};
    for (uint32_t i = 0; i < RENDER; i++)
        sites[i] = (struct lcap_site){
            .site = i + 1, .name = i + 1, .file = FILE_NAME, .line = 10 * (i + 1)};
    golden_add(file, lcap_encode_strings(file->encoder, strings, COUNT(strings), &taken, &block),
               block);
    golden_add(file, lcap_encode_sites(file->encoder, sites, RENDER, &block), block);
    golden_add(file, lcap_encode_domains(file->encoder, &domain, 1, &block), block);
}

static void add_tracks(struct golden_file *file)
{
    const struct lcap_track tracks[] = {
        {.track = MAIN,
         .kind = LCAP_TRACK_THREAD,
         .os_id = 70,
         .name = DOMAIN_NAME + 1,
         .begin_tick = tick_of(0)},
        {.track = GRAPHICS,
         .kind = LCAP_TRACK_GPU_QUEUE,
         .name = DOMAIN_NAME + 2,
         .begin_tick = tick_of(0),
         .end_tick = tick_of(65000)},
        {.track = COPY,
         .kind = LCAP_TRACK_GPU_QUEUE,
         .name = DOMAIN_NAME + 3,
         .begin_tick = tick_of(0)},
        {.track = GRAPHICS_AGAIN,
         .kind = LCAP_TRACK_GPU_QUEUE,
         .name = DOMAIN_NAME + 2,
         .begin_tick = tick_of(66000)},
    };
    struct lcap_gpu_queue queues[] = {
        {.track = GRAPHICS, .queue = GOLDEN_TEXT("graphics")},
        {.track = COPY,
         .queue = GOLDEN_TEXT("copy"),
         .calibration_reason = GOLDEN_TEXT("times of command buffers are not mapped")},
        {.track = GRAPHICS_AGAIN,
         .queue = GOLDEN_TEXT("graphics"),
         .calibration_reason = GOLDEN_TEXT("the new device has no calibrated timestamps"),
         .generation = 1},
    };
    struct lcap_bytes block;
    golden_add(file, lcap_encode_tracks(file->encoder, 2, tracks, COUNT(tracks), &block), block);
    for (size_t i = 0; i < COUNT(queues); i++) {
        queues[i].backend = GOLDEN_TEXT("vulkan");
        queues[i].device = GOLDEN_TEXT("Example GPU");
        queues[i].period_fs = 1000000;
        queues[i].valid_bits = 36;
        golden_add(file, lcap_encode_gpu_queue(file->encoder, &queues[i], &block), block);
    }
}

static void add_main(struct golden_file *file)
{
    struct lcap_frame_mark marks[MARKS];
    struct lcap_open_scope open[2];
    struct lcap_track_stream track = {.open = open, .open_capacity = 2, .track = MAIN};
    struct lcap_bytes block;
    lcap_events_start(file->encoder, &golden_clock_monotonic);
    golden_require(lcap_events_segment(file->encoder, &track, 0) == LUDUS_OK, "no segment");
    for (uint32_t i = 0; i < MARKS; i++) {
        const uint64_t mark_us = UINT64_C(10000) * (i + 1);
        marks[i] = (struct lcap_frame_mark){
            .ordinal = i, .tick = tick_of(mark_us), .domain = 1, .track = MAIN};
        if (i + 1 == MARKS)
            break;
        golden_require(lcap_events_add(file->encoder, LCAP_EVENT_BEGIN, tick_of(mark_us + 1000),
                                       RENDER, 0) == LUDUS_OK &&
                           lcap_events_add(file->encoder, LCAP_EVENT_END, tick_of(mark_us + 9000),
                                           0, 0) == LUDUS_OK,
                       "the encoder refused an event");
    }
    golden_add(file, lcap_events_finish(file->encoder, &block), block);
    golden_add(file, lcap_encode_frames(file->encoder, 2, marks, MARKS, &block), block);
}

/* --- samples --------------------------------------------------------------------------------- */

static struct lcap_gpu_time time_of(uint64_t submit_us, uint32_t outcome, uint64_t begin_us,
                                    uint64_t duration_us, uint32_t uncertainty_ns)
{
    const bool is_mapped = uncertainty_ns != UNMAPPED && outcome == LCAP_GPU_VALID;
    return (struct lcap_gpu_time){.duration_ns = duration_us * 1000,
                                  .begin_ns = is_mapped ? (int64_t)tick_of(begin_us) : 0,
                                  .submit_tick = tick_of(submit_us),
                                  .collect_tick = tick_of(submit_us + 15000),
                                  .outcome = outcome,
                                  .uncertainty_ns = is_mapped ? uncertainty_ns : LCAP_GPU_UNMAPPED};
}

struct frame {
    uint32_t track, number;
    uint64_t submit_us;
    uint32_t outcome;
    uint64_t begin_us, duration_us;
    uint32_t uncertainty_ns;
};

static const struct frame frames[] = {
    {GRAPHICS, 0, 8000, LCAP_GPU_VALID, 8500, 6000, 1500},
    {COPY, 0, 15000, LCAP_GPU_VALID, 0, 150, UNMAPPED},
    {GRAPHICS, 1, 18000, LCAP_GPU_VALID, 18500, 7000, 1500},
    {GRAPHICS, 2, 28000, LCAP_GPU_VALID, 28500, 6500, 1500},
    {COPY, 1, 35000, LCAP_GPU_VALID, 0, 250, UNMAPPED},
    {GRAPHICS, 3, 38000, LCAP_GPU_VALID, 38500, 14000, 2500},
    {GRAPHICS, 4, 48000, LCAP_GPU_VALID, 52600, 6000, 1500},
    {GRAPHICS, 5, 58000, LCAP_GPU_DEVICE_LOST, 0, 0, UNMAPPED},
    {GRAPHICS_AGAIN, 0, 68000, LCAP_GPU_VALID, 0, 5000, UNMAPPED},
    {GRAPHICS_AGAIN, 1, 78000, LCAP_GPU_VALID, 0, 0, UNMAPPED},
    {GRAPHICS_AGAIN, 2, 88000, LCAP_GPU_VALID, 0, 5500, UNMAPPED},
};

/* Of the frame at an index of `frames`. */
struct pass {
    uint32_t frame, site, ordinal, outcome;
    uint64_t from_us, duration_us; /* behind the frame's begin */
};

static const struct pass passes[] = {
    {0, SHADOWS, 0, LCAP_GPU_VALID, 0, 1000},    {1, UPLOAD, 0, LCAP_GPU_VALID, 0, 150},
    {2, SHADOWS, 0, LCAP_GPU_VALID, 0, 1000},    {2, OPAQUE, 0, LCAP_GPU_VALID, 1000, 3000},
    {2, OPAQUE, 1, LCAP_GPU_VALID, 3500, 2000},  {2, BLUR, 0, LCAP_GPU_VALID, 5500, 500},
    {3, SHADOWS, 0, LCAP_GPU_REVERSED, 0, 0},    {3, OPAQUE, 0, LCAP_GPU_VALID, 1000, 3000},
    {3, OPAQUE, 1, LCAP_GPU_VALID, 3500, 2000},  {3, BLUR, 0, LCAP_GPU_VALID, 5500, 500},
    {4, UPLOAD, 0, LCAP_GPU_VALID, 0, 250},      {5, SHADOWS, 0, LCAP_GPU_VALID, 0, 1000},
    {5, OPAQUE, 0, LCAP_GPU_VALID, 1000, 10500}, {5, OPAQUE, 1, LCAP_GPU_VALID, 11000, 2000},
    {5, BLUR, 0, LCAP_GPU_VALID, 13000, 500},    {6, SHADOWS, 0, LCAP_GPU_VALID, 0, 1000},
    {6, OPAQUE, 0, LCAP_GPU_VALID, 1000, 3000},  {6, OPAQUE, 1, LCAP_GPU_VALID, 4000, 0},
    {6, BLUR, 0, LCAP_GPU_NO_END, 0, 0},         {7, SHADOWS, 0, LCAP_GPU_DEVICE_LOST, 0, 0},
    {7, OPAQUE, 0, LCAP_GPU_DEVICE_LOST, 0, 0},  {8, SHADOWS, 0, LCAP_GPU_VALID, 0, 900},
    {8, OPAQUE, 0, LCAP_GPU_VALID, 0, 2500},
};

static uint32_t operation_of(uint32_t site)
{
    return site == BLUR ? LCAP_GPU_COMPUTE : site == UPLOAD ? LCAP_GPU_TRANSFER : LCAP_GPU_RENDER;
}

static void add_samples(struct golden_file *file)
{
    struct lcap_gpu_frame frame_records[COUNT(frames)];
    struct lcap_gpu_pass pass_records[COUNT(passes)];
    struct lcap_bytes block;
    for (size_t i = 0; i < COUNT(frames); i++) {
        const struct frame *frame = &frames[i];
        frame_records[i] = (struct lcap_gpu_frame){
            .time = time_of(frame->submit_us, frame->outcome, frame->begin_us, frame->duration_us,
                            frame->uncertainty_ns),
            .number = frame->number,
            .track = frame->track,
            .method = frame->track == COPY ? LCAP_GPU_COMMAND_BUFFER : LCAP_GPU_TIMESTAMPS};
    }
    for (size_t i = 0; i < COUNT(passes); i++) {
        const struct pass *pass = &passes[i];
        const struct frame *frame = &frames[pass->frame];
        pass_records[i] = (struct lcap_gpu_pass){
            .time = time_of(frame->submit_us, pass->outcome, frame->begin_us + pass->from_us,
                            pass->duration_us, frame->uncertainty_ns),
            .frame = frame->number,
            .track = frame->track,
            .site = pass->site,
            .ordinal = pass->ordinal,
            .operation = operation_of(pass->site),
            .logical_passes = pass->site == OPAQUE && pass->ordinal == 0 ? 3 : 1};
    }
    golden_add(file,
               lcap_encode_gpu_passes(file->encoder, 2, pass_records, COUNT(pass_records), &block),
               block);
    golden_add(
        file, lcap_encode_gpu_frames(file->encoder, 2, frame_records, COUNT(frame_records), &block),
        block);
}

/* The device's counter of 36 bits goes round between the readings of frame 1. */
static void add_calibrations(struct golden_file *file)
{
    struct lcap_gpu_calibration records[6];
    struct lcap_bytes block;
    for (uint32_t k = 0; k < COUNT(records); k++) {
        const uint64_t from_us = UINT64_C(10000) * k + 7000;
        const uint64_t device = (UINT64_C(1) << 36) - 20000000 + from_us * 1000;
        records[k] = (struct lcap_gpu_calibration){.frame = k, .track = GRAPHICS};
        if (k == 5) {
            records[k].mapping = LCAP_GPU_READ_FAILED;
            continue;
        }
        records[k].mapping = LCAP_GPU_MAPPED;
        records[k].uncertainty_ns = k == 3 ? 2500 : 1500;
        for (uint32_t end = 0; end < 2; end++) {
            records[k].device_ticks[end] =
                (device + end * UINT64_C(16000000)) % (UINT64_C(1) << 36);
            records[k].host_ns[end] = (int64_t)tick_of(from_us + end * UINT64_C(16000));
        }
    }
    golden_add(file, lcap_encode_gpu_calibrations(file->encoder, records, COUNT(records), &block),
               block);
}

static void add_counts(struct golden_file *file)
{
    const struct lcap_gpu_count counts[] = {
        {.count = 6, .track = GRAPHICS, .subject = LCAP_GPU_FRAME, .outcome = LCAP_GPU_ELIGIBLE},
        {.count = 5, .track = GRAPHICS, .subject = LCAP_GPU_FRAME, .outcome = LCAP_GPU_VALID},
        {.count = 1, .track = GRAPHICS, .subject = LCAP_GPU_FRAME, .outcome = LCAP_GPU_DEVICE_LOST},
        {.count = 21, .track = GRAPHICS, .subject = LCAP_GPU_PASS, .outcome = LCAP_GPU_ELIGIBLE},
        {.count = 15, .track = GRAPHICS, .subject = LCAP_GPU_PASS, .outcome = LCAP_GPU_VALID},
        {.count = 1, .track = GRAPHICS, .subject = LCAP_GPU_PASS, .outcome = LCAP_GPU_REVERSED},
        {.count = 1, .track = GRAPHICS, .subject = LCAP_GPU_PASS, .outcome = LCAP_GPU_NO_END},
        {.count = 2, .track = GRAPHICS, .subject = LCAP_GPU_PASS, .outcome = LCAP_GPU_DEVICE_LOST},
        {.count = 1, .track = GRAPHICS, .subject = LCAP_GPU_PASS, .outcome = LCAP_GPU_NESTED},
        {.count = 1,
         .track = GRAPHICS,
         .subject = LCAP_GPU_PASS,
         .outcome = LCAP_GPU_OVER_CAPACITY},
        {.count = 2, .track = COPY, .subject = LCAP_GPU_FRAME, .outcome = LCAP_GPU_ELIGIBLE},
        {.count = 2, .track = COPY, .subject = LCAP_GPU_FRAME, .outcome = LCAP_GPU_VALID},
        {.count = 2, .track = COPY, .subject = LCAP_GPU_PASS, .outcome = LCAP_GPU_ELIGIBLE},
        {.count = 2, .track = COPY, .subject = LCAP_GPU_PASS, .outcome = LCAP_GPU_VALID},
        {.count = 4,
         .track = GRAPHICS_AGAIN,
         .subject = LCAP_GPU_FRAME,
         .outcome = LCAP_GPU_ELIGIBLE},
        {.count = 3, .track = GRAPHICS_AGAIN, .subject = LCAP_GPU_FRAME, .outcome = LCAP_GPU_VALID},
        {.count = 2,
         .track = GRAPHICS_AGAIN,
         .subject = LCAP_GPU_PASS,
         .outcome = LCAP_GPU_ELIGIBLE},
        {.count = 2, .track = GRAPHICS_AGAIN, .subject = LCAP_GPU_PASS, .outcome = LCAP_GPU_VALID},
    };
    struct lcap_bytes block;
    golden_add(file, lcap_encode_gpu_counts(file->encoder, counts, COUNT(counts), &block), block);
}

void golden_make_gpu_game(const char *directory)
{
    const struct lcap_end end = {.stop_tick = tick_of(110000),
                                 .recorded.scopes = MARKS - 1,
                                 .recorded.frames = MARKS,
                                 .clock = 2,
                                 .reason = LCAP_END_STOPPED};
    struct golden_file file;
    struct lcap_bytes block;
    golden_open(&file);
    golden_add_game_session(&file, 3, tick_of(0));
    add_names(&file);
    add_tracks(&file);
    add_main(&file);
    add_samples(&file);
    add_calibrations(&file);
    add_counts(&file);
    golden_add(&file, lcap_encode_end(file.encoder, &end, &block), block);
    golden_add_index(&file);
    golden_add_trailer(&file);
    golden_write(&file, directory, "gpu-game");
}
