/* A small capture's model, made by hand.
 *
 * Site 0 "Frame" (category Game), 1 "Physics/Step" (Game), 2 "Wait" (wait, no file), 3 "LevelLoad".
 * Default domain "simulation": marks 0, 1, 2, 4 at 0, 1000, 3000, 6000: frames 0 and 1 are
 * complete, 2 is not, since mark 3 is missing, nor is 4, the last. Domain "render": no mark.
 *
 * Track 0 "main": slice 1 Frame 0..900, in it slice 2 Physics 100..400, in that slice 3 Physics
 * (recursive) 200..300; slice 4 Frame 1000.., never ended, known for 500, in it slice 5 Wait
 * 1100..1400, which overlaps a loss. Track 1, without a name: slice 6 Physics 1500..1700. */
#include "sample_model.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "database_writer.h"
#include "lcap_layout.h"
#include "path_sums.h"

const struct trace_slice sample_slices[SAMPLE_SLICES] = {
    {1, 0, 0, 900, 900, 600, 0, 1, 0, false, false},
    {2, 1, 100, 300, 300, 200, 0, 2, 0, false, false},
    {3, 2, 200, 100, 100, 100, 0, 3, 0, false, false},
    {6, 0, 1500, 200, 200, 200, 1, 5, 1, false, false},
    {4, 0, 1000, -1, 500, -1, 0, 1, 1, true, false},
    {5, 4, 1100, 300, 300, -1, 0, 4, 1, false, true},
};

const struct trace_sched_sample sample_sched[SAMPLE_SCHED] = {
    {0, 5000, 3000, 1500, 0, 1},
    {0, 8000, INT64_MAX, 40, TRACE_NONE, 2},
};

const struct trace_instant sample_instants[SAMPLE_INSTANTS] = {
    {150, 2, 0, 3, 0},
    {7000, 0, 1, 3, TRACE_NONE},
};

struct trace_text sample_text(const char *text)
{
    return (struct trace_text){text, strlen(text)};
}

/* For programs that are not tests as well, where Check's assertions do not work. */
static void require(bool condition)
{
    if (!condition)
        abort();
}

static void *keep(const void *array, size_t size)
{
    void *copy = malloc(size);

    require(copy != NULL);
    memcpy(copy, array, size);
    return copy;
}

#define KEEP(member, count_member, array)                                                          \
    do {                                                                                           \
        model->member = keep(array, sizeof(array));                                                \
        model->count_member = sizeof(array) / sizeof(array)[0];                                    \
    } while (0)

static void add_session(struct trace_model *model)
{
    const struct trace_fact facts[] = {
        {sample_text("program"), sample_text("arena")},
        {sample_text("cpu.cores"), sample_text("2")},
    };
    const struct trace_clock clocks[] = {
        {1000000000, 1, sample_text("asked for"), 1, LCAP_CLOCK_MONOTONIC, 0, 0, -1, -1},
        {2100000000, 21, sample_text(""), 7, LCAP_CLOCK_TSC, 12, 35, 90, 250},
    };
    const struct trace_calibration calibrations[] = {
        {UINT64_C(1) << 62, -100, 35, 1},
        {(UINT64_C(1) << 62) + 2100, 900, 20, 1},
    };

    model->capture_id = UINT64_C(0x00ab00cd00ef0001);
    model->start_unix_ns = INT64_C(1760000000123456789);
    model->end_ns = 8000;
    model->process_id = 4321;
    model->is_finished = false;
    model->unfinished_tail = 17;
    model->file_bytes = 2048;
    model->blocks = 9;
    model->blocks_skipped = 1;
    model->events = 13;
    model->has_counts = true;
    model->recorded = (struct lcap_counts){6, 2, 4, 2, UINT64_MAX};
    model->dropped = (struct lcap_counts){1, 0, 3, 5, 9};
    model->machine = (struct trace_sched_sums){16000, INT64_MAX, 40};
    model->slices = SAMPLE_SLICES;
    model->instants = SAMPLE_INSTANTS;
    KEEP(facts, fact_count, facts);
    KEEP(clocks, clock_count, clocks);
    KEEP(calibrations, calibration_count, calibrations);
}

static void add_sites(struct trace_model *model)
{
    const struct trace_category categories[] = {
        {sample_text("Game"), 0x00ff8001, false},
        {sample_text("wait"), LCAP_NO_COLOUR, true},
    };
    const struct trace_site sites[] = {
        {UINT64_C(0xffffffffffffffff), sample_text("Frame"), sample_text("src/main.c"),
         sample_text("main"), 11, 20, 0},
        {1, sample_text("Physics/Step"), sample_text("src/physics.c"), sample_text("step"), 12, 0,
         0},
        {2, sample_text("Wait"), sample_text(""), sample_text(""), 13, UINT32_MAX, 1},
        {3, sample_text("LevelLoad"), sample_text("src/level.c"), sample_text(""), 14, 8,
         TRACE_NONE},
    };
    const struct trace_path paths[] = {
        {TRACE_NONE, TRACE_NONE, 0, false}, /* the root */
        {0, 0, 0, true},                    /* Frame */
        {1, 1, 1, true},                    /* Frame > Physics */
        {2, 1, 2, false},                   /* Frame > Physics > Physics */
        {1, 2, 1, true},                    /* Frame > Wait */
        {0, 1, 0, true},                    /* Physics */
    };

    KEEP(categories, category_count, categories);
    KEEP(sites, site_count, sites);
    KEEP(paths, path_count, paths);
}

static void add_tracks(struct trace_model *model)
{
    const struct trace_track tracks[] = {
        {sample_text("main"),
         4321,
         0,
         8000,
         1,
         LCAP_TRACK_THREAD,
         false,
         false,
         true,
         5,
         1,
         1,
         {5000, 3000, 1500}},
        {sample_text(""),
         UINT64_C(0xfffffffffffffff0),
         1400,
         7000,
         2,
         LCAP_TRACK_FIBER,
         true,
         false,
         false,
         1,
         1,
         0,
         {0, 0, 0}},
    };
    const struct trace_frame frames[] = {{0, 0}, {1000, 1}, {3000, 2}, {6000, 4}};
    const uint32_t mark_tracks[] = {1, 0, TRACE_NONE, 1};
    struct trace_domain domains[] = {
        {.name = sample_text("simulation"),
         .frame_count = 4,
         .complete_count = 2,
         .id = 1,
         .marks_missing = 1,
         .track = TRACE_NONE},
        {.name = sample_text("render"), .id = 5, .track = TRACE_NONE},
    };

    domains[0].frames = keep(frames, sizeof frames);
    domains[0].mark_tracks = keep(mark_tracks, sizeof mark_tracks);
    KEEP(tracks, track_count, tracks);
    KEEP(domains, domain_count, domains);
}

static void add_statistics(struct trace_model *model)
{
    const struct trace_stat_window windows[] = {
        {sample_text("capture"), true, 0, 0, 3000, 2, NULL, 0},
        {sample_text("capture"), false, 0, 0, 8000, 0, NULL, 0},
    };
    const struct trace_track_stats track_stats[] = {
        {5, 1, 1, 1, 1000, 900},
        {1, 0, 2, 0, 3000, 200},
    };
    const struct trace_stats site_stats[] = {
        {0, 0, TRACE_WINDOW_FRAMES, 1, {1, 1, 0, 1, 0, 0, 900, 600}, 1},
        {0, 0, TRACE_WINDOW_OUTSIDE, 0, {1, 0, 0, 0, 1, 0, 0, 0}, 0},
        {1, TRACE_NONE, TRACE_WINDOW_FRAMES, 2, {1, 1, 0, 1, 0, 0, 200, 200}, 0},
        {1, 0, TRACE_WINDOW_FRAMES, 1, {2, 1, 1, 2, 0, 0, 300, 300}, 0},
        {2, 0, TRACE_WINDOW_OUTSIDE, 0, {1, 1, 0, 0, 0, 1, 300, 0}, 0},
    };
    const struct trace_stats path_stats[] = {
        {1, 0, TRACE_WINDOW_FRAMES, 1, {1, 1, 0, 1, 0, 0, 900, 600}, 0},
        {5, TRACE_NONE, TRACE_WINDOW_FRAMES, 2, {1, 1, 0, 1, 0, 0, 200, 200}, 0},
    };
    const struct trace_loss losses[] = {
        {{3, 2, 1, 5, 6}, 0, 1200, 1250, 0, LCAP_LOSS_BUFFERS_FULL},
        {{0}, 40, 7000, 7100, TRACE_NONE, TRACE_LOSS_DAMAGE},
    };
    const struct trace_diagnostic diagnostics[] = {
        {sample_text("Physics/Step"), 2, 1300, LCAP_DIAGNOSTIC_WRONG_THREAD, 0},
        {sample_text(""), 1, 0, 4000000000u, TRACE_NONE},
    };
    const struct trace_damage damages[] = {{512, 64, "payload-checksum"}, {1024, 0, "gap"}};

    KEEP(windows, window_count, windows);
    model->track_stats = keep(track_stats, sizeof track_stats);
    KEEP(site_stats, site_stats_count, site_stats);
    for (size_t i = 0; i < sizeof path_stats / sizeof *path_stats; i++) {
        struct trace_path_sums *sums = trace_model_add_path_sums(model, path_stats[i].track);
        require(sums != NULL && trace_path_sums_add_row(sums, &path_stats[i]));
    }
    trace_model_sort_path_sums(model);
    KEEP(losses, loss_count, losses);
    KEEP(diagnostics, diagnostic_count, diagnostics);
    KEEP(damages, damage_count, damages);
}

struct trace_model *sample_model_create(void)
{
    struct trace_model *model;

    require(trace_model_create(&model) == LUDUS_OK);
    add_session(model);
    add_sites(model);
    add_tracks(model);
    add_statistics(model);
    return model;
}

struct trace_model *sample_empty_model_create(void)
{
    const struct trace_path paths[] = {{TRACE_NONE, TRACE_NONE, 0, false}};
    const struct trace_stat_window windows[] = {
        {.name = {"capture", 7}, .is_frames = true, .domain = TRACE_NONE},
        {.name = {"capture", 7}, .domain = TRACE_NONE}};
    struct trace_model *model;

    require(trace_model_create(&model) == LUDUS_OK);
    KEEP(paths, path_count, paths);
    KEEP(windows, window_count, windows);
    return model;
}

void sample_import(struct trace_model *const *models, size_t count, const char *path)
{
    struct trace_database_writer *writer;
    struct trace_visitor visitor;
    struct ludus_error error;

    ck_assert_int_eq(trace_database_writer_open(path, NULL, &writer, &error), LUDUS_OK);
    for (size_t i = 0; i < count; i++) {
        trace_database_writer_begin(writer, &visitor, &error);
        if (models[i]->slices > 0) {
            ck_assert_int_eq(
                visitor.slices(visitor.context, models[i], sample_slices, SAMPLE_SLICES), LUDUS_OK);
            ck_assert_int_eq(
                visitor.instants(visitor.context, models[i], sample_instants, SAMPLE_INSTANTS),
                LUDUS_OK);
            for (size_t sample = 0; sample < SAMPLE_SCHED; sample++)
                ck_assert_int_eq(visitor.sched(visitor.context, models[i], &sample_sched[sample]),
                                 LUDUS_OK);
        }
        ck_assert_int_eq(trace_database_writer_end(writer, models[i], "game.lcap", &error),
                         LUDUS_OK);
    }
    ck_assert_int_eq(trace_database_writer_commit(writer, &error), LUDUS_OK);
    trace_database_writer_close(writer);
}

/* --- files ------------------------------------------------------------------------------------ */

static char folder[] = "/tmp/ludus-test-XXXXXX";
static bool has_folder;
static char paths[4][256];
static unsigned path_count;

const char *sample_path(const char *name)
{
    char *path = paths[path_count++ % 4];

    if (!has_folder) {
        (void)snprintf(folder, sizeof folder, "/tmp/ludus-test-XXXXXX");
        ck_assert_ptr_nonnull(mkdtemp(folder));
        has_folder = true;
    }
    (void)snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static unsigned walk_folder(bool is_removed)
{
    DIR *files = opendir(folder);
    struct dirent *file;
    unsigned count = 0;

    ck_assert_ptr_nonnull(files);
    while ((file = readdir(files)) != NULL) {
        if (strcmp(file->d_name, ".") == 0 || strcmp(file->d_name, "..") == 0)
            continue;
        count++;
        if (is_removed)
            (void)remove(sample_path(file->d_name));
    }
    (void)closedir(files);
    return count;
}

void sample_remove(void)
{
    if (has_folder) {
        (void)walk_folder(true);
        (void)rmdir(folder);
    }
    has_folder = false;
}

unsigned sample_file_count(void)
{
    return walk_folder(false);
}

const char *sample_ask(const char *path, const char *sql)
{
    static char answer[256];
    sqlite3 *connection;
    sqlite3_stmt *statement;
    const unsigned char *text;

    ck_assert_int_eq(sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    ck_assert_msg(sqlite3_prepare_v2(connection, sql, -1, &statement, NULL) == SQLITE_OK, "%s: %s",
                  sql, sqlite3_errmsg(connection));
    ck_assert_msg(sqlite3_step(statement) == SQLITE_ROW, "no row: %s", sql);
    text = sqlite3_column_text(statement, 0);
    (void)snprintf(answer, sizeof answer, "%s", text == NULL ? "NULL" : (const char *)text);
    ck_assert_msg(sqlite3_step(statement) == SQLITE_DONE, "a second row: %s", sql);
    ck_assert_int_eq(sqlite3_finalize(statement), SQLITE_OK);
    ck_assert_int_eq(sqlite3_close(connection), SQLITE_OK);
    return answer;
}
