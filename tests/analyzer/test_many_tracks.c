/* Statistics of tens of thousands of tracks, sites and frames: a track costs what it has itself.
 * Were it to cost something for all frames, losses or sites of the capture, this would take a
 * minute, and not a second. */
#include <check.h>
#include <stdlib.h>

#include "frame_table.h"
#include "path_tree.h"
#include "statistics.h"

#define TRACKS          (20000u / TEST_SHARE)
#define SITES           (20000u / TEST_SHARE)
#define FRAMES          (100000u / TEST_SHARE)
#define FRAME_NS        1000
#define SLICES_OF_TRACK 3u
#define COMMON_LOSSES   (20000u / TEST_SHARE)

/* What tracks lose: nothing, something of their own, the same and losses that may be any track's,
 * or all of their time and those. */
enum lost { NOTHING, OWN, OWN_AND_COMMON, ALL_AND_COMMON };

/* Each track loses something in one frame of its own, every other one in the next frame, too. */
static void add_track(struct trace_model *model, uint32_t index)
{
    int64_t begin_ns = (int64_t)(index * 3 + 1) * FRAME_NS + 500;
    ck_assert(trace_array_grow(&model->tracks, model->track_count, sizeof *model->tracks));
    model->tracks[model->track_count++] =
        (struct trace_track){.id = index + 1, .end_ns = (int64_t)FRAMES * FRAME_NS};
    ck_assert(trace_array_grow(&model->losses, model->loss_count, sizeof *model->losses));
    model->losses[model->loss_count++] =
        (struct trace_loss){.counts = {.scopes = 1},
                            .begin_ns = begin_ns,
                            .end_ns = begin_ns + (index % 2 == 0 ? 100 : FRAME_NS),
                            .track = index};
}

/* In every other one of the frames that tracks do not lose themselves. */
static void add_common_losses(struct trace_model *model)
{
    for (uint32_t i = 0; i < COMMON_LOSSES; i++) {
        int64_t begin_ns = (int64_t)(TRACKS * 3 + 2 * i) * FRAME_NS + 500;
        ck_assert(trace_array_grow(&model->losses, model->loss_count, sizeof *model->losses));
        model->losses[model->loss_count++] = (struct trace_loss){.counts = {.scopes = 1},
                                                                 .begin_ns = begin_ns,
                                                                 .end_ns = begin_ns + 10,
                                                                 .track = TRACE_NONE};
    }
}

static struct trace_model *make_model(enum lost lost)
{
    struct trace_model *model;
    ck_assert_int_eq(trace_model_create(&model), LUDUS_OK);
    for (uint32_t i = 0; i < SITES; i++) {
        ck_assert(trace_array_grow(&model->sites, model->site_count, sizeof *model->sites));
        model->sites[model->site_count++] = (struct trace_site){.category = TRACE_NONE};
    }
    for (uint32_t i = 0; i < TRACKS; i++)
        add_track(model, i);
    if (lost == NOTHING)
        model->loss_count = 0;
    for (uint32_t i = 0; lost == ALL_AND_COMMON && i < TRACKS; i++) {
        model->losses[i].begin_ns = -1;
        model->losses[i].end_ns = (int64_t)FRAMES * FRAME_NS;
    }
    if (lost >= OWN_AND_COMMON)
        add_common_losses(model);
    ck_assert(trace_array_grow(&model->domains, 0, sizeof *model->domains));
    model->domains[0] = (struct trace_domain){0};
    model->domain_count = 1;
    struct trace_domain *domain = &model->domains[0];
    for (uint32_t i = 0; i <= FRAMES; i++) {
        ck_assert(trace_array_grow(&domain->frames, domain->frame_count, sizeof *domain->frames));
        domain->frames[domain->frame_count++] =
            (struct trace_frame){.begin_ns = (int64_t)i * FRAME_NS, .number = i};
    }
    trace_frame_table_finish(domain, model);
    model->end_ns = (int64_t)FRAMES * FRAME_NS;
    return model;
}

/* Slices of sites that no track before has, in frames that the track keeps. */
static void add_slices(struct trace_statistics *statistics, struct trace_path_tree *paths,
                       uint32_t track)
{
    for (uint32_t i = 0; i < SLICES_OF_TRACK; i++) {
        uint32_t site = (track * SLICES_OF_TRACK + i) % SITES;
        uint32_t path = trace_path_tree_find(paths, 0, site);
        if (path == TRACE_NONE)
            path = trace_path_tree_enter(paths, 0, site);
        struct trace_track_counts *counts = trace_statistics_track(statistics, track);
        struct trace_closed closed = {.begin_ns = (int64_t)(track * 3) * FRAME_NS + 10 * i,
                                      .known_ns = 5,
                                      .exclusive_ns = 5,
                                      .track = track,
                                      .path = path,
                                      .is_top_level = true};
        struct trace_placed placed;
        bool is_done;
        ck_assert(counts != NULL && path != TRACE_NONE);
        ck_assert(trace_statistics_open(statistics, counts, path, closed.begin_ns, &placed));
        (void)trace_statistics_close(statistics, counts, &placed, &closed, &is_done);
        ck_assert(is_done);
    }
}

static void check_rows(const struct trace_model *model, enum lost lost)
{
    uint64_t calls = 0;
    ck_assert_uint_eq(model->site_stats_count, TRACKS * SLICES_OF_TRACK);
    for (uint32_t i = 0; i < model->site_stats_count; i++) {
        const struct trace_stats *row = &model->site_stats[i];
        ck_assert_uint_eq(row->window,
                          lost == ALL_AND_COMMON ? TRACE_WINDOW_OUTSIDE : TRACE_WINDOW_FRAMES);
        ck_assert_int_eq(row->frames, trace_model_track_stats(model, 0, row->track)->frames);
        calls += row->sums.calls;
    }
    ck_assert_uint_eq(calls, TRACKS * SLICES_OF_TRACK);
}

static void check(enum lost lost)
{
    struct trace_model *model = make_model(lost);
    struct trace_pass_plan plan;
    struct trace_path_tree paths;
    struct trace_statistics statistics;
    ck_assert(trace_path_tree_create(&paths, model));
    ck_assert(trace_pass_plan_set_default(&plan, model));
    plan.has_path_rows = false;
    plan.apart = lost == NOTHING ? TRACE_APART_ALL : TRACE_APART_LOSSES;
    ck_assert(trace_statistics_create(&statistics, model, &plan));
    for (uint32_t i = 0; i < TRACKS; i++)
        add_slices(&statistics, &paths, i);
    ck_assert(trace_statistics_fill(&statistics, model));
    check_rows(model, lost);
    for (uint32_t i = 0; i < TRACKS; i++) {
        const struct trace_track_stats *stats = trace_model_track_stats(model, 0, i);
        int64_t frames_lost = lost == NOTHING ? 0 : i % 2 == 0 ? 1 : 2;
        frames_lost += lost == OWN_AND_COMMON ? COMMON_LOSSES : 0;
        frames_lost = lost == ALL_AND_COMMON ? FRAMES : frames_lost;
        ck_assert_int_eq(stats->frames_lost, frames_lost);
        ck_assert_int_eq(stats->frames, FRAMES - frames_lost);
        ck_assert_int_eq(stats->frame_ns, (FRAMES - frames_lost) * FRAME_NS);
        ck_assert_int_eq(stats->covered_ns, lost == ALL_AND_COMMON ? 0 : 5 * SLICES_OF_TRACK);
    }
    trace_statistics_destroy(&statistics);
    trace_path_tree_destroy(&paths);
    trace_pass_plan_clear(&plan);
    trace_model_destroy(model);
}

START_TEST(each_of_many_tracks_lost_something)
{
    check(OWN);
}
END_TEST

START_TEST(losses_of_any_track_cost_nothing_for_each_track)
{
    check(OWN_AND_COMMON);
}
END_TEST

START_TEST(a_loss_of_all_time_costs_no_more_than_one_of_a_moment)
{
    check(ALL_AND_COMMON);
}
END_TEST

START_TEST(each_of_many_tracks_has_rows_of_its_own)
{
    check(NOTHING);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("many tracks");
    TCase *cases = tcase_create("many tracks");
    tcase_set_timeout(cases, 0);
    tcase_add_test(cases, each_of_many_tracks_lost_something);
    tcase_add_test(cases, losses_of_any_track_cost_nothing_for_each_track);
    tcase_add_test(cases, a_loss_of_all_time_costs_no_more_than_one_of_a_moment);
    tcase_add_test(cases, each_of_many_tracks_has_rows_of_its_own);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
