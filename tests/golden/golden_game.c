/* A golden file like a recorder's of a game, small enough to work out every number of a report:
 *
 * Frames of "game" begin at 100, 200, 300, 450 and 550 us: four complete ones of 100, 100, 150 and
 * 100 us, together 450, and a last one without an end. The recording stops at 600 us.
 *
 * main     10 Load 60
 *          100 Update [110 Physics [120 Solve [130 Solve 140] 150] 160] 190, Checkpoint at 165
 *          200 Update [210 Physics 250] 290
 *          300 Update [320 Wait 400] 440
 *          450 Update [460 Physics 490] 540
 *          560 Update, still open at the stop
 * worker   120 Job 180, 210 Job 240, 305 Job 390, 460 Job 520;
 *          from 310 to 380, two scopes and an instant were lost
 *
 * Exclusive in frames: Update 40 + 50 + 60 + 60 = 210, Physics 20 + 40 + 30 = 90, Solve 20 + 10 =
 * 30 (inclusive 30: the outermost), Wait 80. Main covers 90 + 90 + 140 + 90 = 410 of 450. The
 * worker has lost frame 2; in the other three, 300 us, it covers 60 + 30 + 60 = 150. */
#include <string.h>

#include "golden_blocks.h"
#include "golden_file.h"
#include "golden_sets.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define START_TICK   1000000u /* nanoseconds */

enum { LOAD = 1, UPDATE, PHYSICS, SOLVE, WAIT, JOB, CHECKPOINT }; /* sites */
enum { MAIN = 1, WORKER };                                        /* tracks */

/* An event of a track; `site` is 0 for an end. */
struct moment {
    uint32_t us;
    uint32_t site;
};

static uint64_t tick_of(uint64_t us)
{
    return START_TICK + us * 1000;
}

/* Strings: 1 to 7 are names of sites, in their order. */
static void add_names(struct golden_file *file)
{
    static const char *const texts[] = {"Load", "Update",     "Physics", "Solve", "Wait",
                                        "Job",  "Checkpoint", "sim.c",   "Sim",   "wait",
                                        "main", "worker",     "game",    "update"};
    const struct lcap_category categories[] = {
        {.category = 1, .name = 9, .colour = 0x20A0FF},
        {.category = 2, .name = 10, .colour = LCAP_NO_COLOUR, .flags = 1},
    };
    const struct lcap_site sites[] = {
        {.site = LOAD, .name = 1, .file = 8, .line = 10},
        {.site = UPDATE, .name = 2, .file = 8, .line = 20, .function = 14, .category = 1},
        {.site = PHYSICS, .name = 3, .file = 8, .line = 30, .category = 1},
        {.site = SOLVE, .name = 4, .file = 8, .line = 40, .category = 1},
        {.site = WAIT, .name = 5, .file = 8, .line = 50, .category = 2},
        {.site = JOB, .name = 6, .file = 8, .line = 60},
        {.site = CHECKPOINT, .name = 7, .file = 8, .line = 70},
    };
    const struct lcap_domain domain = {.domain = 1, .name = 13};
    struct lcap_string strings[COUNT(texts)];
    struct lcap_bytes block;
    size_t taken;
    for (size_t i = 0; i < COUNT(texts); i++)
        strings[i] =
            (struct lcap_string){{(const uint8_t *)texts[i], strlen(texts[i])}, (uint32_t)i + 1};
    golden_add(file, lcap_encode_strings(file->encoder, strings, COUNT(strings), &taken, &block),
               block);
    golden_add(file, lcap_encode_categories(file->encoder, categories, COUNT(categories), &block),
               block);
    golden_add(file, lcap_encode_sites(file->encoder, sites, COUNT(sites), &block), block);
    golden_add(file, lcap_encode_domains(file->encoder, &domain, 1, &block), block);
}

static void add_session(struct golden_file *file)
{
    const struct lcap_session session = {.start_tick = START_TICK,
                                         .start_unix_ns = 1700000000123456789,
                                         .clock = golden_clock_monotonic.clock,
                                         .process_id = 77,
                                         .sources = 1};
    const struct lcap_fact facts[] = {
        {GOLDEN_TEXT("program"), GOLDEN_TEXT("game")},
        {GOLDEN_TEXT("build.commit"), GOLDEN_TEXT("1234abc")},
        {GOLDEN_TEXT("build.flavor"), GOLDEN_TEXT("Release")},
        {GOLDEN_TEXT("cpu.model"), GOLDEN_TEXT("A processor, \"fast\" | good")},
        {GOLDEN_TEXT("cpu.cores"), GOLDEN_TEXT("8")},
        {GOLDEN_TEXT("os"), GOLDEN_TEXT("Linux")},
        {GOLDEN_TEXT("recorder.scope_cost_ps"), GOLDEN_TEXT("40000")},
        {GOLDEN_TEXT("recorder.scope_inner_cost_ps"), GOLDEN_TEXT("15000")},
    };
    struct lcap_bytes block;
    golden_add(file, lcap_encode_session(file->encoder, &session, facts, COUNT(facts), &block),
               block);
    golden_add(
        file,
        lcap_encode_clock(file->encoder, &golden_clock_monotonic, GOLDEN_TEXT("asked for"), &block),
        block);
}

static void add_moments(struct golden_file *file, struct lcap_track_stream *track,
                        const struct moment *moments, size_t count)
{
    golden_require(lcap_events_segment(file->encoder, track, 0) == LUDUS_OK, "no segment");
    for (size_t i = 0; i < count; i++) {
        enum lcap_event_kind kind = moments[i].site == 0            ? LCAP_EVENT_END
                                    : moments[i].site == CHECKPOINT ? LCAP_EVENT_INSTANT
                                                                    : LCAP_EVENT_BEGIN;
        golden_require(lcap_events_add(file->encoder, kind, tick_of(moments[i].us), moments[i].site,
                                       0) == LUDUS_OK,
                       "the encoder refused an event");
    }
}

static void add_events(struct golden_file *file)
{
    static const struct moment main_moments[] = {
        {10, LOAD},     {60, 0},       {100, UPDATE},  {110, PHYSICS}, {120, SOLVE},
        {130, SOLVE},   {140, 0},      {150, 0},       {160, 0},       {165, CHECKPOINT},
        {190, 0},       {200, UPDATE}, {210, PHYSICS}, {250, 0},       {290, 0},
        {300, UPDATE},  {320, WAIT},   {400, 0},       {440, 0},       {450, UPDATE},
        {460, PHYSICS}, {490, 0},      {540, 0},       {560, UPDATE},
    };
    static const struct moment worker_moments[] = {
        {120, JOB}, {180, 0}, {210, JOB}, {240, 0}, {305, JOB}, {390, 0}, {460, JOB}, {520, 0},
    };
    struct lcap_open_scope open[2][4];
    struct lcap_track_stream tracks[] = {
        {.open = open[0], .open_capacity = 4, .track = MAIN},
        {.open = open[1], .open_capacity = 4, .track = WORKER},
    };
    struct lcap_bytes block;
    lcap_events_start(file->encoder, &golden_clock_monotonic);
    add_moments(file, &tracks[0], main_moments, COUNT(main_moments));
    add_moments(file, &tracks[1], worker_moments, COUNT(worker_moments));
    golden_add(file, lcap_events_finish(file->encoder, &block), block);
}

static void add_frames_and_loss(struct golden_file *file)
{
    static const uint64_t marks_us[] = {100, 200, 300, 450, 550};
    const struct lcap_loss loss = {.counts.scopes = 2,
                                   .counts.instants = 1,
                                   .first_tick = tick_of(310),
                                   .last_tick = tick_of(380),
                                   .track = WORKER,
                                   .cause = LCAP_LOSS_BUFFERS_FULL};
    struct lcap_frame_mark marks[COUNT(marks_us)];
    struct lcap_bytes block;
    for (size_t i = 0; i < COUNT(marks_us); i++)
        marks[i] = (struct lcap_frame_mark){
            .ordinal = i, .tick = tick_of(marks_us[i]), .domain = 1, .track = MAIN};
    golden_add(file, lcap_encode_frames(file->encoder, 2, marks, COUNT(marks), &block), block);
    golden_add(file, lcap_encode_losses(file->encoder, 2, &loss, 1, &block), block);
}

void golden_make_game(const char *directory)
{
    const struct lcap_track tracks[] = {
        {.track = MAIN,
         .kind = LCAP_TRACK_THREAD,
         .os_id = 70,
         .begin_tick = tick_of(0),
         .name = 11},
        {.track = WORKER,
         .kind = LCAP_TRACK_THREAD,
         .os_id = 77,
         .begin_tick = tick_of(50),
         .name = 12},
    };
    const struct lcap_end end = {.stop_tick = tick_of(600),
                                 .recorded.scopes = 16,
                                 .recorded.instants = 1,
                                 .recorded.frames = 5,
                                 .dropped.scopes = 2,
                                 .dropped.instants = 1,
                                 .clock = 2,
                                 .reason = LCAP_END_STOPPED};
    struct golden_file file;
    struct lcap_bytes block;
    golden_open(&file);
    add_session(&file);
    add_names(&file);
    golden_add(&file, lcap_encode_tracks(file.encoder, 2, tracks, COUNT(tracks), &block), block);
    add_events(&file);
    add_frames_and_loss(&file);
    golden_add(&file, lcap_encode_end(file.encoder, &end, &block), block);
    golden_add_index(&file);
    golden_add_trailer(&file);
    golden_write(&file, directory, "game");
}
