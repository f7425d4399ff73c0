/* A golden file of a part of a recording, as a recorder keeps it about a frame that took too long,
 * small enough to work out every number of a report. Times in ms of the recording, which began at
 * 0:
 *
 * The part is that from 123,400 to 123,700. Marks of "game": 3701 at 123,390, before it; 3702 at
 * 123,410, 3703 at 123,430, 3704 at 123,450, 3705 at 123,550, 3706 at 123,570. Frames 3702 to 3705
 * are complete, of 20, 20, 100 and 20, together 160. The recorder keeps frames that took more than
 * 50: 3704 is the trigger, at 123,550; the program asked as well, at 123,560. 200 ms before that
 * frame's beginning were asked for and the window's memory held but 50.
 *
 * main     10,000 Main, open to the end, and in it
 *          123,395 Update 123,408, which began before the part
 *          123,410 Update [123,412 Physics 123,422] 123,428
 *          123,430 Update [123,432 Physics 123,442] 123,448
 *          123,450 Update [123,455 Wait 123,535] 123,545, Items + 7 at 123,451 and + 2 at 123,551
 *          123,550 Update 123,565
 *          1,000 events before
 * worker   123,460 Job 123,530; 200 events before
 *
 * Exclusive in frames: Update 8 + 8 + 15 + 15 = 46 and Physics 20, Wait 80, Job 70. Main covers all
 * of the frames; it began before the part and is in no sum. So is the Update of 123,395. */
#include "golden_blocks.h"
#include "golden_file.h"
#include "golden_sets.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define START_TICK   1000000u /* nanoseconds */
#define PART_MS      123400u

enum { MAIN_LOOP = 1, UPDATE, PHYSICS, WAIT, JOB, ITEMS }; /* sites */
enum { MAIN = 1, WORKER };                                 /* tracks */

/* An event of a track; `site` is 0 for an end. Of ITEMS, so much was counted. */
struct moment {
    uint32_t ms; /* behind 123,000 */
    uint32_t site;
    uint32_t count;
};

static uint64_t tick_of(uint64_t ms)
{
    return START_TICK + ms * 1000000;
}

static void add_names(struct golden_file *file)
{
    static const char *const texts[] = {"Main",  "Update", "Physics", "Wait",   "Job",
                                        "Items", "sim.c",  "main",    "worker", "game"};
    const struct lcap_site sites[] = {
        {.site = MAIN_LOOP, .name = 1, .file = 7, .line = 10},
        {.site = UPDATE, .name = 2, .file = 7, .line = 20},
        {.site = PHYSICS, .name = 3, .file = 7, .line = 30},
        {.site = WAIT, .name = 4, .file = 7, .line = 40},
        {.site = JOB, .name = 5, .file = 7, .line = 50},
        {.site = ITEMS, .name = 6, .file = 7, .line = 60},
    };
    const struct lcap_domain domain = {.domain = 1, .name = 10};
    const struct lcap_track tracks[] = {
        {.track = MAIN,
         .kind = LCAP_TRACK_THREAD,
         .os_id = 70,
         .begin_tick = tick_of(0),
         .name = 8},
        {.track = WORKER,
         .kind = LCAP_TRACK_THREAD,
         .os_id = 77,
         .begin_tick = tick_of(50),
         .name = 9},
    };
    struct lcap_string strings[COUNT(texts)];
    struct lcap_bytes block;
    size_t taken;
    for (size_t i = 0; i < COUNT(texts); i++)
        strings[i] =
            (struct lcap_string){{(const uint8_t *)texts[i], strlen(texts[i])}, (uint32_t)i + 1};
    golden_add(file, lcap_encode_strings(file->encoder, strings, COUNT(strings), &taken, &block),
               block);
    golden_add(file, lcap_encode_sites(file->encoder, sites, COUNT(sites), &block), block);
    golden_add(file, lcap_encode_domains(file->encoder, &domain, 1, &block), block);
    golden_add(file, lcap_encode_tracks(file->encoder, 2, tracks, COUNT(tracks), &block), block);
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
        {GOLDEN_TEXT("recorder.hitch_before_ms"), GOLDEN_TEXT("200")},
        {GOLDEN_TEXT("recorder.hitch_window_bytes"), GOLDEN_TEXT("4194304")},
    };
    struct lcap_bytes block;
    golden_add(file, lcap_encode_session(file->encoder, &session, facts, COUNT(facts), &block),
               block);
    golden_add(
        file,
        lcap_encode_clock(file->encoder, &golden_clock_monotonic, GOLDEN_TEXT("asked for"), &block),
        block);
}

static void add_window(struct golden_file *file)
{
    const struct lcap_window window = {.from_tick = tick_of(PART_MS),
                                       .clock = golden_clock_monotonic.clock};
    const struct lcap_trigger triggers[] = {
        {.cause = LCAP_TRIGGER_FRAME,
         .domain = 1,
         .tick = tick_of(PART_MS + 150),
         .ordinal = 3704,
         .duration_ticks = 100000000,
         .limit_ticks = 50000000},
        {.cause = LCAP_TRIGGER_CALL,
         .tick = tick_of(PART_MS + 160),
         .text = GOLDEN_TEXT("many \"items\"\n")},
    };
    struct lcap_bytes block;
    golden_add(file, lcap_encode_window(file->encoder, &window, &block), block);
    for (size_t i = 0; i < COUNT(triggers); i++)
        golden_add(file, lcap_encode_trigger(file->encoder, 2, &triggers[i], &block), block);
}

static void add_moments(struct golden_file *file, struct lcap_track_stream *track,
                        const struct moment *moments, size_t count)
{
    golden_require(lcap_events_segment(file->encoder, track, 0) == LUDUS_OK, "no segment");
    for (size_t i = 0; i < count; i++) {
        enum lcap_event_kind kind = moments[i].site == 0       ? LCAP_EVENT_END
                                    : moments[i].site == ITEMS ? LCAP_EVENT_COUNT
                                                               : LCAP_EVENT_BEGIN;
        golden_require(lcap_events_add(file->encoder, kind, tick_of(123000 + moments[i].ms),
                                       moments[i].site, moments[i].count) == LUDUS_OK,
                       "the encoder refused an event");
    }
}

static void add_events(struct golden_file *file)
{
    static const struct moment main_moments[] = {
        {408, 0, 0},      {410, UPDATE, 0},  {412, PHYSICS, 0}, {422, 0, 0}, {428, 0, 0},
        {430, UPDATE, 0}, {432, PHYSICS, 0}, {442, 0, 0},       {448, 0, 0}, {450, UPDATE, 0},
        {451, ITEMS, 7},  {455, WAIT, 0},    {535, 0, 0},       {545, 0, 0}, {550, UPDATE, 0},
        {551, ITEMS, 2},  {565, 0, 0},
    };
    static const struct moment worker_moments[] = {{460, JOB, 0}, {530, 0, 0}};
    /* Of Main, 60,000 ms were covered by what ran in it before. */
    struct lcap_open_scope open[2][4] = {
        {{.begin_tick = tick_of(10000), .children_ticks = 60000000000, .site = MAIN_LOOP},
         {.begin_tick = tick_of(123395), .site = UPDATE}}};
    struct lcap_track_stream tracks[] = {
        {.open = open[0], .open_capacity = 4, .depth = 2, .event_count = 1000, .track = MAIN},
        {.open = open[1], .open_capacity = 4, .event_count = 200, .track = WORKER},
    };
    struct lcap_bytes block;
    lcap_events_start(file->encoder, &golden_clock_monotonic);
    add_moments(file, &tracks[0], main_moments, COUNT(main_moments));
    add_moments(file, &tracks[1], worker_moments, COUNT(worker_moments));
    golden_add(file, lcap_events_finish(file->encoder, &block), block);
    golden_set(file, 24, 8, 1200); /* first_event */
}

static void add_frames(struct golden_file *file)
{
    static const uint64_t marks_ms[] = {123390, 123410, 123430, 123450, 123550, 123570};
    struct lcap_frame_mark marks[COUNT(marks_ms)];
    struct lcap_bytes block;
    for (size_t i = 0; i < COUNT(marks_ms); i++)
        marks[i] = (struct lcap_frame_mark){
            .ordinal = 3701 + i, .tick = tick_of(marks_ms[i]), .domain = 1, .track = MAIN};
    golden_add(file, lcap_encode_frames(file->encoder, 2, marks, COUNT(marks), &block), block);
}

void golden_make_hitch(const char *directory)
{
    const struct lcap_end end = {.stop_tick = tick_of(123700),
                                 .recorded.scopes = 8,
                                 .recorded.frames = 6,
                                 .clock = 2,
                                 .reason = LCAP_END_WINDOW_OVER};
    struct golden_file file;
    struct lcap_bytes block;
    golden_open(&file);
    add_session(&file);
    add_names(&file);
    add_window(&file);
    add_events(&file);
    add_frames(&file);
    golden_add(&file, lcap_encode_end(file.encoder, &end, &block), block);
    golden_add_index(&file);
    golden_add_trailer(&file);
    golden_write(&file, directory, "hitch");
}
