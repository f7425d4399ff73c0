/* What of captures is compared, of which tracks, in which frames: they are so small that every
 * number was worked out by hand. Frames are of 1,000 ns unless a test says otherwise. */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "diff_fixture.h"
#include "lcap_layout.h"

/* --- tracks ----------------------------------------------------------------------------------- */

START_TEST(the_track_that_marks_frames_is_told_apart_from_work)
{
    struct diff_fixture diff;
    diff_start(&diff, NULL, false);
    diff_add_run(&diff, TRACE_BASE, diff_begin_two_tracks(&diff, "(Job 100 )140", "(Job 100 )900"),
                 4100);
    diff_add_run(&diff, TRACE_CANDIDATE,
                 diff_begin_two_tracks(&diff, "(Job 100 )180", "(Job 100 )500"), 4100);
    diff_compare(&diff);
    const struct trace_compared *own = diff_require(&diff, "Job", TRACE_MEASURE_FRAME_TRACK);
    const struct trace_compared *work = diff_require(&diff, "Job", TRACE_MEASURE_ALL_TRACKS);
    diff_check_change(own, 10, 20, 0.25, 0.25);
    diff_check_change(work, 10 + 400, 20 + 200, 0.25 + 0.5, 0.25 + 0.5); /* and of two workers */
    ck_assert_uint_eq(own->key, work->key);
    ck_assert_double_eq(work->part_ns[TRACE_BASE], 10);
    ck_assert_double_eq(work->part_ns[TRACE_CANDIDATE], 20);
    /* The whole is judged, and not the part besides. */
    ck_assert(own->is_part && !work->is_part);
    ck_assert(trace_comparison_judged(&diff.comparison, own)->is_shown_only);
    ck_assert(!trace_comparison_judged(&diff.comparison, work)->is_shown_only);
    ck_assert_double_eq(diff.comparison.rest_ns[TRACE_BASE], 990);
    diff_check_remainder(&diff);
    diff_end(&diff);
}
END_TEST

/* Solve moves from main to the workers, Render is there as well, and Job is new. */
START_TEST(a_scope_on_another_track_is_neither_new_nor_gone)
{
    struct diff_fixture diff;
    diff_start(&diff, NULL, false);
    diff_add_run(&diff, TRACE_BASE,
                 diff_begin_two_tracks(&diff, "(Solve 100 )140 (Render 200 )240", "(Physics 1 )2"),
                 4100);
    diff_add_run(&diff, TRACE_CANDIDATE,
                 diff_begin_two_tracks(&diff, "(Render 200 )240 (Job 300 )340",
                                       "(Physics 1 )2 (Solve 100 )140 (Render 200 )240"),
                 4100);
    diff_compare(&diff);
    static const struct {
        const char *name;
        enum trace_measure measure;
        bool is_new, is_part;
    } expected[] = {
        {"Solve", TRACE_MEASURE_FRAME_TRACK, false, true},
        {"Solve", TRACE_MEASURE_ALL_TRACKS, false, false},
        {"Render", TRACE_MEASURE_FRAME_TRACK, false, true},
        {"Render", TRACE_MEASURE_ALL_TRACKS, false, false},
        {"Job", TRACE_MEASURE_FRAME_TRACK, true, false},
        {"Physics", TRACE_MEASURE_WORK, false, false},
    };
    ck_assert_uint_eq(diff.comparison.count, COUNT(expected));
    for (size_t i = 0; i < COUNT(expected); i++) {
        const struct trace_compared *item =
            diff_require(&diff, expected[i].name, expected[i].measure);
        ck_assert_int_eq(trace_compared_is_new(item), expected[i].is_new);
        ck_assert(!trace_compared_is_gone(item));
        ck_assert_int_eq(item->is_part, expected[i].is_part);
    }
    /* In all it did not change: 20 of one thread became 20 of each of two workers. */
    diff_check_change(diff_require(&diff, "Solve", TRACE_MEASURE_ALL_TRACKS), 10, 20, 0.25, 0.5);
    diff_check_remainder(&diff);
    diff_end(&diff);
}
END_TEST

/* Physics 100 to 180 with itself inside from 120 to 160: two calls, 80 of its own in all, inclusive
 * 80 by site, of which 40 are told twice by path. */
START_TEST(recursion_counts_time_once)
{
    for (int is_by_path = 0; is_by_path <= 1; is_by_path++) {
        struct diff_fixture diff;
        diff_start(&diff, NULL, is_by_path);
        for (uint32_t side = 0; side < TRACE_SIDES; side++)
            diff_add_four(&diff, side, "(Physics 100 (Physics 120 )160 )180");
        diff_compare(&diff);
        ck_assert_uint_eq(diff.comparison.count, is_by_path ? 2 : 1);
        if (!is_by_path) {
            const struct trace_compared *item = &diff.comparison.items[0];
            diff_check_change(item, 20, 20, 0.5, 0.5);
            ck_assert_double_eq(item->inclusive_ns[TRACE_BASE], 20);
        }
        diff_check_remainder(&diff);
        diff_end(&diff);
    }
}
END_TEST

START_TEST(by_path_callers_are_told_apart)
{
    struct diff_fixture diff;
    diff_start(&diff, NULL, true);
    diff_add_four(&diff, TRACE_BASE,
                  "(Physics 100 (Solve 110 )150 )200 (Render 300 (Solve 310 )320 )400");
    diff_add_four(&diff, TRACE_CANDIDATE,
                  "(Physics 100 (Solve 110 )150 )200 (Render 300 (Solve 310 )360 )400");
    diff_compare(&diff);
    uint32_t solves = 0;
    for (uint32_t i = 0; i < diff.comparison.count; i++) {
        const struct trace_compared *item = &diff.comparison.items[i];
        const struct trace_scope_key *key = &diff.pool.keys.items[item->key];
        if (!trace_text_equals(key->name, (struct trace_text){"Solve", 5}))
            continue;
        bool is_of_render = trace_text_equals(diff.pool.keys.items[key->parent].name,
                                              (struct trace_text){"Render", 6});
        diff_check_change(item, is_of_render ? 2.5 : 10, is_of_render ? 12.5 : 10, 0.25, 0.25);
        solves++;
    }
    ck_assert_uint_eq(solves, 2);
    ck_assert_uint_eq(diff.comparison.count, 4);
    diff_check_remainder(&diff);
    diff_end(&diff);
}
END_TEST

/* --- waiting ---------------------------------------------------------------------------------- */

START_TEST(waiting_is_not_judged)
{
    struct builder_setup setup = golden_setup;
    struct diff_fixture diff;
    diff_start(&diff, NULL, false);
    setup.more_sites = 1;
    for (uint32_t run = 0; run < 8; run++) {
        struct capture_builder *builder = diff_begin_run(&diff, &setup, diff_four, DIFF_FOUR);
        builder_wait_category(builder, 1);
        builder_site(builder, 8, (struct lcap_bytes){(const uint8_t *)"Fence", 5}, 1);
        for (uint64_t frame = 0; frame < 4; frame++)
            diff_add_slice(builder, 1, 8, 1000 * frame + 100, 1000 * frame + (run < 4 ? 200 : 800));
        diff_add_run(&diff, run < 4 ? TRACE_BASE : TRACE_CANDIDATE, builder, 4100);
    }
    diff.config.limits.min_calls = 1;
    diff_compare(&diff);
    const struct trace_compared *fence = diff_require(&diff, "Fence", TRACE_MEASURE_FRAME_TRACK);
    diff_check_change(fence, 100, 700, 1, 1);
    ck_assert(diff.pool.keys.items[fence->key].is_waiting);
    ck_assert_int_eq(trace_comparison_judged(&diff.comparison, fence)->finding, TRACE_FOUND_SHOWN);
    diff_check_remainder(&diff);
    diff_end(&diff);
}
END_TEST

/* --- losses ----------------------------------------------------------------------------------- */

/* The worker lost something from 1,100 to 1,200: frame 1 counts for the track that marks alone. Of
 * the worker's other three frames each has 90. */
START_TEST(frames_that_a_loss_overlaps_leave_the_statistics_of_their_track)
{
    struct diff_fixture diff;
    diff_start(&diff, NULL, false);
    for (uint32_t side = 0; side < TRACE_SIDES; side++) {
        struct capture_builder *builder = diff_begin_four(&diff);
        golden_add_track(builder, 2, 12, 0, 0, "worker");
        golden_emit(builder, 1, "(Physics 100 )200 (Physics 1100 )1200");
        golden_emit(builder, 2, "(Job 100 )190 (Job 1300 )1390 (Job 2100 )2190 (Job 3100 )3190");
        if (side == TRACE_CANDIDATE)
            builder_loss(builder, &(struct lcap_loss){.counts = {.scopes = 3},
                                                      .first_tick = START + 1100,
                                                      .last_tick = START + 1200,
                                                      .track = 2,
                                                      .cause = LCAP_LOSS_BUFFERS_FULL,
                                                      .clock = 1});
        diff_add_run(&diff, side, builder, 4100);
    }
    diff_compare(&diff);
    diff_check_change(diff_require(&diff, "Physics", TRACE_MEASURE_FRAME_TRACK), 50, 50, 0.5, 0.5);
    diff_check_change(diff_require(&diff, "Job", TRACE_MEASURE_WORK), 90, 90, 1, 1);
    ck_assert_uint_eq(diff.runs[1]->lost, 6); /* a scope is two events */
    diff_check_remainder(&diff);
    diff_end(&diff);
}
END_TEST

/* --- a part of captures ----------------------------------------------------------------------- */

/* Frames 1 and 2 of four: Physics 1100 to 1150 is in them, that of frame 0 is not. */
START_TEST(a_window_is_compared_by_its_own_frames)
{
    static const char *const window[] = {"frames:1..2"};
    struct diff_fixture diff;
    diff_start(&diff, &(struct trace_selection){.windows = window, .window_count = 1}, false);
    for (uint32_t side = 0; side < TRACE_SIDES; side++)
        diff_add_four(&diff, side, "(Physics 100 )900 (Physics 1100 )1150");
    diff_compare(&diff);
    diff_check_change(diff_require(&diff, "Physics", TRACE_MEASURE_FRAME_TRACK), 25, 25, 0.5, 0.5);
    ck_assert_uint_eq(diff.runs[0]->frames, 2);
    diff_check_remainder(&diff);
    diff_end(&diff);
}
END_TEST

/* Of a filter by name the rest is all that was not chosen; without the track there is none. */
START_TEST(the_rest_is_of_the_chosen_track_and_scopes)
{
    static const char *const names[] = {"Solve", "worker"};
    for (int is_track = 0; is_track <= 1; is_track++) {
        struct trace_selection selection = {0};
        struct diff_fixture diff;
        if (is_track)
            selection = (struct trace_selection){.tracks = &names[1], .track_count = 1};
        else
            selection = (struct trace_selection){.sites = names, .site_count = 1};
        diff_start(&diff, &selection, false);
        for (uint32_t side = 0; side < TRACE_SIDES; side++)
            diff_add_run(&diff, side,
                         diff_begin_two_tracks(&diff, "(Physics 100 (Solve 200 )240 )300",
                                               "(Solve 100 )120"),
                         4100);
        diff_compare(&diff);
        if (is_track)
            ck_assert(isnan(diff.comparison.rest_ns[TRACE_BASE]));
        else
            ck_assert_double_eq(diff.comparison.rest_ns[TRACE_BASE], 990);
        ck_assert_ptr_null(diff_find(&diff, "Physics", TRACE_MEASURE_FRAME_TRACK));
        ck_assert_int_eq(diff.runs[0]->has_marker, !is_track);
        diff_end(&diff);
    }
}
END_TEST

/* By begin all 400 are of frame 0, outside the window; by clip 300 of them are in frame 1. */
START_TEST(by_clip_a_slice_is_split_at_marks)
{
    static const char *const window[] = {"frames:1..2"};
    for (int is_clip = 0; is_clip <= 1; is_clip++) {
        struct diff_fixture diff;
        diff_start(&diff,
                   &(struct trace_selection){.windows = window,
                                             .window_count = 1,
                                             .attribution = is_clip ? TRACE_ATTRIBUTE_CLIP
                                                                    : TRACE_ATTRIBUTE_BEGIN},
                   false);
        for (uint32_t side = 0; side < TRACE_SIDES; side++)
            diff_add_four(&diff, side, "(Physics 900 )1300 (Job 1400 )1410");
        diff_compare(&diff);
        const struct trace_compared *physics =
            diff_find(&diff, "Physics", TRACE_MEASURE_FRAME_TRACK);
        if (is_clip) {
            ck_assert_ptr_nonnull(physics);
            ck_assert_double_eq(physics->change.base_ns, 150);
        } else
            ck_assert(physics == NULL || physics->change.base_ns == 0);
        diff_check_remainder(&diff);
        diff_end(&diff);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("comparison");
    TCase *cases = tcase_create("comparison");
    tcase_add_test(cases, the_track_that_marks_frames_is_told_apart_from_work);
    tcase_add_test(cases, a_scope_on_another_track_is_neither_new_nor_gone);
    tcase_add_test(cases, recursion_counts_time_once);
    tcase_add_test(cases, by_path_callers_are_told_apart);
    tcase_add_test(cases, waiting_is_not_judged);
    tcase_add_test(cases, frames_that_a_loss_overlaps_leave_the_statistics_of_their_track);
    tcase_add_test(cases, a_window_is_compared_by_its_own_frames);
    tcase_add_test(cases, the_rest_is_of_the_chosen_track_and_scopes);
    tcase_add_test(cases, by_clip_a_slice_is_split_at_marks);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
