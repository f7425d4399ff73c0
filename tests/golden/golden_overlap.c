/* A golden file of scopes that run on two tracks at the same time, small enough to work out sums
 * and unions. Times in us from the session's start; a microsecond is 1,000 ticks. Marks of "game"
 * at 100, 200 and 300: frames 0 and 1 are complete, of 100 each. Frame and Job are of category
 * Game, Solve is of Physics, Wait of wait.
 *
 * main     110 Frame 195 [120 Solve 160 [130 Solve 150]]
 *          210 Frame 320 [220 Wait 260, 270 Solve 310], over the mark at 300
 * worker   140 Job 180 [150 Solve 170], 240 Wait 290, 295 Job 350, over the mark; 360 Job, open to
 *          the end
 *
 * What begins in the frames, by begin: sum and union over tracks of the outermost slices, and in
 * brackets by clip, of what lies in [100, 300).
 *
 * Frame         85 + 110 = 195, the same        [85 + 90 = 175, the same]
 * Solve         40 + 40 + 20 = 100; 120-170 and 270-310 are 50 + 40 = 90
 *                                               [40 + 30 + 20 = 90; 50 + 30 = 80]
 * Job           40 + 55 = 95, the same          [40 + 5 = 45, the same]
 * Wait          40 + 50 = 90; 220-290 is 70     [the same]
 * Game          Frame and Job: 195 + 95 = 290; 110-195 and 210-350 are 85 + 140 = 225
 *                                               [175 + 45 = 220; 85 + 90 = 175]
 * all scopes    Frame, Job and the worker's Wait, which is in no other one: 290 + 50 = 340; 225, as
 *               the Wait lies within the Frame  [220 + 50 = 270; 175]
 * all but wait  the same as Game */
#include "golden_blocks.h"
#include "golden_file.h"
#include "golden_sets.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { FRAME = 1, SOLVE, JOB, WAIT };   /* sites; their names' strings are the same */
enum { GAME = 1, PHYSICS, WAITING };    /* categories */
enum { MAIN = 1, WORKER, TRACK_COUNT }; /* tracks */

struct moment {
    uint32_t us;
    uint32_t site; /* 0 for an end */
};

static uint64_t tick_of(uint64_t us)
{
    return 7000000 + us * 1000;
}

static void add_names(struct golden_file *file)
{
    static const char *const texts[] = {"Frame", "Solve", "Job",     "Wait", "sim.c",
                                        "Game",  "main",  "Physics", "wait", "worker"};
    const struct lcap_category categories[] = {
        {.category = GAME, .colour = LCAP_NO_COLOUR, .name = 6},
        {.category = PHYSICS, .colour = LCAP_NO_COLOUR, .name = 8},
        {.category = WAITING, .colour = LCAP_NO_COLOUR, .name = 9, .flags = 1},
    };
    const struct lcap_site sites[] = {
        {.site = FRAME, .name = 1, .file = 5, .line = 10, .category = GAME},
        {.site = SOLVE, .name = 2, .file = 5, .line = 20, .category = PHYSICS},
        {.site = JOB, .name = 3, .file = 5, .line = 30, .category = GAME},
        {.site = WAIT, .name = 4, .file = 5, .line = 40, .category = WAITING},
    };
    const struct lcap_domain domain = {.domain = 1, .name = 6};
    const struct lcap_track tracks[] = {
        {.track = MAIN,
         .kind = LCAP_TRACK_THREAD,
         .os_id = 70,
         .begin_tick = tick_of(0),
         .name = 7},
        {.track = WORKER,
         .kind = LCAP_TRACK_THREAD,
         .os_id = 77,
         .begin_tick = tick_of(0),
         .name = 10},
    };
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
    golden_add(file, lcap_encode_tracks(file->encoder, 2, tracks, COUNT(tracks), &block), block);
}

static void add_moments(struct golden_file *file, struct lcap_track_stream *track,
                        const struct moment *moments, size_t count)
{
    golden_require(lcap_events_segment(file->encoder, track, 0) == LUDUS_OK, "no segment");
    for (size_t i = 0; i < count; i++)
        golden_require(lcap_events_add(file->encoder,
                                       moments[i].site == 0 ? LCAP_EVENT_END : LCAP_EVENT_BEGIN,
                                       tick_of(moments[i].us), moments[i].site, 0) == LUDUS_OK,
                       "the encoder refused an event");
}

static void add_events(struct golden_file *file)
{
    static const struct moment main_moments[] = {
        {110, FRAME}, {120, SOLVE}, {130, SOLVE}, {150, 0},     {160, 0}, {195, 0},
        {210, FRAME}, {220, WAIT},  {260, 0},     {270, SOLVE}, {310, 0}, {320, 0}};
    static const struct moment worker_moments[] = {{140, JOB}, {150, SOLVE}, {170, 0},
                                                   {180, 0},   {240, WAIT},  {290, 0},
                                                   {295, JOB}, {350, 0},     {360, JOB}};
    struct lcap_open_scope open[TRACK_COUNT][4];
    struct lcap_track_stream tracks[] = {
        {.open = open[MAIN], .open_capacity = 4, .track = MAIN},
        {.open = open[WORKER], .open_capacity = 4, .track = WORKER},
    };
    struct lcap_bytes block;
    lcap_events_start(file->encoder, &golden_clock_monotonic);
    add_moments(file, &tracks[0], main_moments, COUNT(main_moments));
    add_moments(file, &tracks[1], worker_moments, COUNT(worker_moments));
    golden_add(file, lcap_events_finish(file->encoder, &block), block);
}

static void add_frames(struct golden_file *file)
{
    struct lcap_frame_mark marks[3];
    struct lcap_bytes block;
    for (uint32_t i = 0; i < COUNT(marks); i++)
        marks[i] = (struct lcap_frame_mark){
            .ordinal = i, .tick = tick_of(100 * (i + 1)), .domain = 1, .track = MAIN};
    golden_add(file, lcap_encode_frames(file->encoder, 2, marks, COUNT(marks), &block), block);
}

void golden_make_overlap(const char *directory)
{
    const struct lcap_end end = {.stop_tick = tick_of(400),
                                 .recorded.scopes = 10,
                                 .recorded.frames = 3,
                                 .clock = 2,
                                 .reason = LCAP_END_STOPPED};
    struct golden_file file;
    struct lcap_bytes block;
    golden_open(&file);
    golden_add_game_session(&file, 1, tick_of(0));
    add_names(&file);
    add_events(&file);
    add_frames(&file);
    golden_add(&file, lcap_encode_end(file.encoder, &end, &block), block);
    golden_add_index(&file);
    golden_add_trailer(&file);
    golden_write(&file, directory, "overlap");
}
