/* calls_per_frame is the same whether it is counted during the pass or by a query afterwards, and
 * what a plain loop over the slices counts. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "database_writer.h"
#include "sample_model.h"

#define FRAMES 3000u
#define SITES  7u
#define TRACKS 3u
#define SLICES 20000u

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

static void *zeroed(size_t count, size_t size)
{
    void *memory = calloc(count, size);

    ck_assert_ptr_nonnull(memory);
    return memory;
}

/* Marks every 100 ns; number 1500 has none, so that frame 1499 is not complete. */
static struct trace_model *make_model(void)
{
    struct trace_model *model;
    struct trace_domain *domain;

    ck_assert_int_eq(trace_model_create(&model), LUDUS_OK);
    model->domains = domain = zeroed(1, sizeof *domain);
    model->domain_count = 1;
    domain->name = sample_text("frame");
    domain->frames = zeroed(FRAMES, sizeof *domain->frames);
    domain->frame_count = FRAMES;
    domain->complete_count = FRAMES - 2;
    for (uint32_t i = 0; i < FRAMES; i++)
        domain->frames[i] = (struct trace_frame){100 * (int64_t)i, i < 1500 ? i : i + 1};
    model->sites = zeroed(SITES, sizeof *model->sites);
    model->site_count = SITES;
    model->paths = zeroed(SITES + 1, sizeof *model->paths);
    model->path_count = SITES + 1;
    for (uint32_t i = 0; i < SITES; i++) {
        model->sites[i].category = TRACE_NONE;
        model->paths[i + 1] = (struct trace_path){0, i, 0, true};
    }
    model->tracks = zeroed(TRACKS, sizeof *model->tracks);
    model->track_count = TRACKS;
    return model;
}

/* Tracks come in turns of 50 slices, each up to `lag` frames behind. */
static void make_slices(struct trace_slice *slices, uint64_t seed, uint32_t lag)
{
    for (uint32_t i = 0; i < SLICES; i++) {
        uint32_t track = i / 50 % TRACKS;
        uint32_t frame = (uint32_t)((uint64_t)i * FRAMES / SLICES);
        uint32_t site = (uint32_t)(next_random(&seed) % SITES);

        frame = frame > track * lag ? frame - track * lag : 0;
        if (site == 6 && next_random(&seed) % 8 != 0)
            site = 5; /* rare */
        slices[i] = (struct trace_slice){.slice_id = i + 1,
                                         .begin_ns = 100 * (int64_t)frame + 5,
                                         .duration_ns = 1,
                                         .known_ns = 1,
                                         .exclusive_ns = 1,
                                         .track = track,
                                         .path = site + 1,
                                         .frame = frame};
    }
}

/* Counts by the definition, and gives the model the sums that calls_per_frame is made of. */
static void count_plainly(struct trace_model *model, const struct trace_slice *slices,
                          uint32_t *frames_with_calls)
{
    unsigned char *seen = zeroed(FRAMES, SITES);

    model->windows = zeroed(2, sizeof *model->windows);
    model->windows[0] =
        (struct trace_stat_window){.name = {"capture", 7}, .is_frames = true, .frames = FRAMES - 2};
    model->windows[1] = (struct trace_stat_window){.name = {"capture", 7}};
    model->window_count = 2;
    model->track_stats = zeroed(model->track_count, sizeof *model->track_stats);
    model->site_stats = zeroed(SITES, sizeof *model->site_stats);
    model->site_stats_count = SITES;
    for (uint32_t i = 0; i < SITES; i++)
        model->site_stats[i] =
            (struct trace_stats){i, TRACE_NONE, TRACE_WINDOW_FRAMES, FRAMES - 2, {0}, 0};
    for (uint32_t i = 0; i < SLICES; i++) {
        uint32_t site = slices[i].path - 1;
        uint32_t frame = slices[i].frame;

        if (frame == 1499 || frame == FRAMES - 1)
            continue;
        model->site_stats[site].sums.calls++;
        frames_with_calls[site] += seen[frame * SITES + site] == 0;
        seen[frame * SITES + site] = 1;
    }
    free(seen);
}

static void import(const struct trace_model *model, const struct trace_slice *slices,
                   const char *path)
{
    struct trace_database_writer *writer;
    struct trace_visitor visitor;
    struct ludus_error error;

    ck_assert_int_eq(trace_database_writer_open(path, NULL, &writer, &error), LUDUS_OK);
    trace_database_writer_begin(writer, &visitor, &error);
    ck_assert_int_eq(visitor.slices(visitor.context, model, slices, SLICES), LUDUS_OK);
    ck_assert_int_eq(trace_database_writer_end(writer, model, "random.lcap", &error), LUDUS_OK);
    ck_assert_int_eq(trace_database_writer_commit(writer, &error), LUDUS_OK);
    trace_database_writer_close(writer);
}

static void assert_counts(const char *path, const struct trace_model *model,
                          const uint32_t *frames_with_calls)
{
    char sql[160];
    char expected[64];

    ck_assert_str_eq(sample_ask(path, "SELECT count(*) FROM calls_per_frame"), "7");
    for (uint32_t i = 0; i < SITES; i++) {
        (void)snprintf(sql, sizeof sql,
                       "SELECT calls || '/' || frames_with_calls || '/' || frames FROM "
                       "calls_per_frame WHERE site_id = %u",
                       i + 1);
        (void)snprintf(expected, sizeof expected, "%llu/%u/%u",
                       (unsigned long long)model->site_stats[i].sums.calls, frames_with_calls[i],
                       FRAMES - 2);
        ck_assert_str_eq(sample_ask(path, sql), expected);
    }
}

/* Frames behind: none; some, within what is remembered; more than that, which takes the query. */
static const uint32_t lags[] = {0, 200, 700};

START_TEST(both_ways_count_what_the_definition_says)
{
    /* Of frame marks only: it concerns no track's slices, but only the query knows that. */
    const struct trace_loss loss = {{.frames = 1}, 0, 0, 1000000, TRACE_NONE, 5};
    struct trace_model *model = make_model();
    struct trace_slice *slices = zeroed(SLICES, sizeof *slices);
    uint32_t frames_with_calls[SITES] = {0};
    const char *path = sample_path("calls.db");

    make_slices(slices, 11 + lags[_i], lags[_i]);
    count_plainly(model, slices, frames_with_calls);
    import(model, slices, path);
    assert_counts(path, model, frames_with_calls);

    model->losses = zeroed(1, sizeof *model->losses);
    model->losses[0] = loss;
    model->loss_count = 1;
    import(model, slices, path);
    assert_counts(path, model, frames_with_calls);
    free(slices);
    trace_model_destroy(model);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("calls per frame");
    TCase *tests = tcase_create("calls");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_checked_fixture(tests, NULL, sample_remove);
    tcase_add_loop_test(tests, both_ways_count_what_the_definition_says, 0,
                        (int)(sizeof lags / sizeof *lags));
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
