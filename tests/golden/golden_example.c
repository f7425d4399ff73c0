/* Two golden files of one game, before and after a change: docs/sql.md asks its questions of them.
 * What happens in them is told in golden_example_play.c; here is the rest: what is defined, who
 * ran, what was lost, what was odd. "example-next" was damaged and repaired: a block of 120 bytes
 * is gone, with a diagnostic in it. */
#include "golden_example.h"

#include <string.h>

#include "golden_blocks.h"
#include "golden_sets.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define CLOCK        2u        /* golden_clock_monotonic */
#define SAMPLE_NS    20000000u /* between two looks at who ran */
#define MOST_SAMPLES 16u

enum { GAME = 1, PHYSICS, AI, JOBS, RENDER, STREAMING, WAITING, CATEGORY_END };

/* Ids of strings: sites' names have those of the sites. */
enum {
    FILE_NAME = EXAMPLE_SITE_END,
    DOMAIN_NAMES,                                 /* two */
    TRACK_NAMES = DOMAIN_NAMES + 1,               /* behind it, by track */
    CATEGORY_NAMES = TRACK_NAMES + EXAMPLE_TRACKS /* likewise, by category */
};

static void add_session(struct golden_file *file, const struct example_build *build)
{
    const struct lcap_session session = {.start_tick = example_tick(0),
                                         .start_unix_ns = 1700000000123456789,
                                         .clock = CLOCK,
                                         .process_id = 77,
                                         .sources = 1};
    const struct lcap_fact facts[] = {
        {GOLDEN_TEXT("program"), GOLDEN_TEXT("game")},
        {GOLDEN_TEXT("build.commit"), {(const uint8_t *)build->commit, strlen(build->commit)}},
        {GOLDEN_TEXT("build.flavor"), GOLDEN_TEXT("Release")},
        {GOLDEN_TEXT("cpu.model"), GOLDEN_TEXT("A processor")},
        {GOLDEN_TEXT("cpu.cores"), GOLDEN_TEXT("4")},
        {GOLDEN_TEXT("os"), GOLDEN_TEXT("Linux")},
        {GOLDEN_TEXT("recorder.scope_cost_ps"), GOLDEN_TEXT("40000")},
        {GOLDEN_TEXT("recorder.scope_inner_cost_ps"), GOLDEN_TEXT("15000")},
        {GOLDEN_TEXT("recorder.sched"), GOLDEN_TEXT("sampled")},
        {GOLDEN_TEXT("recorder.sched_machine_step_ns"), GOLDEN_TEXT("10000")},
    };
    struct lcap_bytes block;
    golden_add(file, lcap_encode_session(file->encoder, &session, facts, COUNT(facts), &block),
               block);
    golden_add(
        file,
        lcap_encode_clock(file->encoder, &golden_clock_monotonic, GOLDEN_TEXT("asked for"), &block),
        block);
}

static void add_strings(struct golden_file *file)
{
    static const char *const texts[] = {
#define SITE_NAME(site, name, line, category) name,
        EXAMPLE_SITES(SITE_NAME)
#undef SITE_NAME
            "game.c",
        "game",
        "render",
        "main",
        "render",
        "worker 1",
        "worker 2",
        "Game",
        "Physics",
        "AI",
        "Jobs",
        "Render",
        "Streaming",
        "wait"};
    struct lcap_string strings[COUNT(texts)];
    struct lcap_bytes block;
    size_t taken;
    for (size_t i = 0; i < COUNT(texts); i++)
        strings[i] =
            (struct lcap_string){{(const uint8_t *)texts[i], strlen(texts[i])}, (uint32_t)i + 1};
    golden_add(file, lcap_encode_strings(file->encoder, strings, COUNT(strings), &taken, &block),
               block);
    golden_require(taken == COUNT(strings), "the strings do not fit in a block");
}

static void add_names(struct golden_file *file)
{
    static const struct lcap_site sites[] = {
#define SITE_RECORD(id, text, at, label)                                                           \
    {.site = EXAMPLE_##id,                                                                         \
     .name = EXAMPLE_##id,                                                                         \
     .file = FILE_NAME,                                                                            \
     .line = (at),                                                                                 \
     .category = (label)},
        EXAMPLE_SITES(SITE_RECORD)
#undef SITE_RECORD
    };
    const struct lcap_domain domains[] = {{.domain = 1, .name = DOMAIN_NAMES},
                                          {.domain = 2, .name = DOMAIN_NAMES + 1}};
    struct lcap_category categories[CATEGORY_END - 1];
    struct lcap_track tracks[EXAMPLE_TRACKS];
    struct lcap_bytes block;
    for (uint32_t i = 1; i < CATEGORY_END; i++)
        categories[i - 1] = (struct lcap_category){.category = i,
                                                   .name = CATEGORY_NAMES + i,
                                                   .colour = LCAP_NO_COLOUR,
                                                   .flags = i == WAITING};
    for (uint32_t i = 1; i <= EXAMPLE_TRACKS; i++)
        tracks[i - 1] = (struct lcap_track){.track = i,
                                            .kind = LCAP_TRACK_THREAD,
                                            .os_id = 76 + i,
                                            .begin_tick = example_tick(0),
                                            .name = TRACK_NAMES + i};
    golden_add(file, lcap_encode_categories(file->encoder, categories, COUNT(categories), &block),
               block);
    golden_add(file, lcap_encode_sites(file->encoder, sites, COUNT(sites), &block), block);
    golden_add(file, lcap_encode_domains(file->encoder, domains, COUNT(domains), &block), block);
    golden_add(file, lcap_encode_tracks(file->encoder, CLOCK, tracks, COUNT(tracks), &block),
               block);
}

static void add_marks(struct example_play *play, uint32_t domain, uint32_t track,
                      const uint64_t *marks_ns, size_t count)
{
    struct lcap_frame_mark marks[EXAMPLE_FRAMES + 1];
    struct lcap_bytes block;
    for (size_t i = 0; i < count; i++)
        marks[i] = (struct lcap_frame_mark){
            .ordinal = i, .tick = example_tick(marks_ns[i]), .domain = domain, .track = track};
    golden_add(play->file, lcap_encode_frames(play->file->encoder, CLOCK, marks, count, &block),
               block);
    play->recorded.frames += count;
}

static uint64_t asleep_ns(const struct example_play *play, uint32_t track, uint64_t from_ns,
                          uint64_t to_ns)
{
    uint64_t sum_ns = 0;
    for (uint32_t i = 0; i < play->wait_counts[track]; i++) {
        const struct example_wait *wait = &play->waits[track][i];
        uint64_t begin_ns = wait->begin_ns > from_ns ? wait->begin_ns : from_ns;
        uint64_t end_ns = wait->end_ns < to_ns ? wait->end_ns : to_ns;
        sum_ns += end_ns > begin_ns ? end_ns - begin_ns : 0;
    }
    return sum_ns;
}

/* A thread that does not wait runs, and waiting is sleeping, but for worker 1: what its job waits
 * for in frame 11 is a processor. */
static void add_samples(struct example_play *play)
{
    struct lcap_sched samples[EXAMPLE_TRACKS * MOST_SAMPLES];
    uint64_t late_ns = play->job_sent_ns[EXAMPLE_LATE_FRAME][0];
    struct lcap_bytes block;
    size_t count = 0;
    for (uint64_t from_ns = 0; from_ns < play->stop_ns; from_ns += SAMPLE_NS) {
        uint64_t to_ns = from_ns + SAMPLE_NS < play->stop_ns ? from_ns + SAMPLE_NS : play->stop_ns;
        golden_require(count + EXAMPLE_TRACKS <= COUNT(samples), "too many samples of who ran");
        for (uint32_t track = 1; track <= EXAMPLE_TRACKS; track++) {
            bool is_late = track == EXAMPLE_WORKER_1 && late_ns >= from_ns && late_ns < to_ns;
            samples[count++] = (struct lcap_sched){.track = track,
                                                   .processors = 1,
                                                   .from_tick = example_tick(from_ns),
                                                   .to_tick = example_tick(to_ns),
                                                   .run_ns = to_ns - from_ns -
                                                             asleep_ns(play, track, from_ns, to_ns),
                                                   .wait_ns = is_late ? EXAMPLE_LATE_NS : 0};
        }
    }
    golden_add(play->file, lcap_encode_sched(play->file->encoder, CLOCK, samples, count, &block),
               block);
}

static void add_oddities(struct example_play *play)
{
    const struct lcap_loss loss = {.counts = play->dropped,
                                   .first_tick = example_tick(play->lost_first_ns),
                                   .last_tick = example_tick(play->lost_last_ns),
                                   .track = EXAMPLE_WORKER_2,
                                   .cause = LCAP_LOSS_BUFFERS_FULL};
    const struct lcap_diagnostic diagnostic = {.tick = example_tick(play->frame_sent_ns[2]),
                                               .count = 2,
                                               .text =
                                                   GOLDEN_TEXT("Render/Pass was ended by worker 1"),
                                               .code = LCAP_DIAGNOSTIC_WRONG_THREAD,
                                               .track = EXAMPLE_RENDER};
    struct golden_file *file = play->file;
    struct lcap_bytes block;
    golden_add(file, lcap_encode_losses(file->encoder, CLOCK, &loss, 1, &block), block);
    if (play->build->repaired_bytes == 0) {
        golden_add(file, lcap_encode_diagnostic(file->encoder, CLOCK, &diagnostic, &block), block);
        return;
    }
    const struct lcap_repair repair = {
        .capture_id = 0x77, .places = 1, .bytes = play->build->repaired_bytes};
    golden_add(file, lcap_encode_repair(file->encoder, &repair, &block), block);
}

static void make_recording(const char *directory, const struct example_build *build)
{
    struct golden_file file;
    struct example_play play = {.build = build, .file = &file};
    struct lcap_bytes block;
    golden_open(&file);
    add_session(&file, build);
    add_strings(&file);
    add_names(&file);
    example_play_game(&play);
    add_marks(&play, 1, EXAMPLE_MAIN, play.frames_ns, COUNT(play.frames_ns));
    add_marks(&play, 2, EXAMPLE_RENDER, play.draws_ns, COUNT(play.draws_ns));
    add_samples(&play);
    add_oddities(&play);
    const struct lcap_end end = {.stop_tick = example_tick(play.stop_ns),
                                 .recorded = play.recorded,
                                 .dropped = play.dropped,
                                 .clock = CLOCK,
                                 .reason = LCAP_END_STOPPED};
    golden_add(&file, lcap_encode_end(file.encoder, &end, &block), block);
    golden_add_index(&file);
    golden_add_trailer(&file);
    golden_write(&file, directory, build->name);
}

void golden_make_example(const char *directory)
{
    static const struct example_build builds[] = {
        {.name = "example",
         .commit = "1234abc",
         .solve_percent = 100,
         .search_percent = 100,
         .emits = 6},
        {.name = "example-next",
         .commit = "5678def",
         .solve_percent = 140,
         .search_percent = 80,
         .emits = 12,
         .repaired_bytes = 120},
    };
    for (size_t i = 0; i < COUNT(builds); i++)
        make_recording(directory, &builds[i]);
}
