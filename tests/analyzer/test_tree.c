/* Trees of caller contexts, of a capture so small that every number was worked out by hand. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "golden_fixture.h"
#include "tree_fixture.h"

/* Three frames of 100 ns, and a mark behind them.
 *
 * main     frame 0: 10 Frame 90, in it 20 Physics 60 [25 Solve 50 [30 Solve 40]], 60 Render 80
 *          frame 1: 110 Frame 190 [120 Physics 150]
 *          frame 2: 210 Frame 295 [250 Render 290]
 *          outside: 310 Load 330
 * worker   50 Job 80, 150 Job 250
 *
 * Frame: 80 + 80 + 85 = 245, less 40 + 20 + 30 + 40 = 130 inside. Physics: 40 + 30, less 25.
 * The frames' time is 300 on each of two tracks; covered are 245 and 30 + 100. */
static const uint64_t marks[] = {0, 100, 200, 300};

static const char main_events[] =
    "(Frame 10 (Physics 20 (Solve 25 (Solve 30 )40 )50 )60 (Render 60 )80 )90 "
    "(Frame 110 (Physics 120 )150 )190 (Frame 210 (Render 250 )290 )295 (Load 310 )330";

static struct capture_builder *start(void)
{
    struct capture_builder *builder = builder_create(&golden_setup);
    golden_add_track(builder, 1, 101, 0, 0, "main");
    golden_add_track(builder, 2, 102, 0, 0, "worker");
    return builder;
}

static struct capture_builder *start_with_frames(void)
{
    struct capture_builder *builder = start();
    builder_domain(builder, 1, "game");
    golden_add_marks(builder, 1, marks, COUNT(marks));
    return builder;
}

static void end(struct capture_builder *builder)
{
    golden_emit(builder, 2, "(Job 50 )80 (Job 150 )250");
    builder_stop(builder, START + 350);
    builder_finish(builder);
    tree_fixture_write(builder);
    builder_destroy(builder);
}

static void write_golden(void)
{
    struct capture_builder *builder = start_with_frames();
    golden_emit(builder, 1, main_events);
    end(builder);
}

START_TEST(contexts_are_merged_over_tracks)
{
    const struct trace_tree_options options = {0};
    write_golden();
    tree_fixture_expect(&options, "tracks 1 - (all tracks) - 600 225 | 200.0 75.0 - 200.0\n"
                                  "scope 2 1 Frame 3 245 115 | 81.7 38.3 40.8 81.7\n"
                                  "scope 3 2 Physics 2 70 45 | 23.3 15.0 28.6 23.3\n"
                                  "scope 4 3 Solve 1 25 15 | 8.3 5.0 35.7 8.3\n"
                                  "scope 5 4 Solve 1 10 10 | 3.3 3.3 40.0 3.3 recursion 1\n"
                                  "unlogged - 4 (unlogged) - 15 - | 5.0 - 60.0 5.0\n"
                                  "unlogged - 3 (unlogged) - 45 - | 15.0 - 64.3 15.0\n"
                                  "scope 6 2 Render 2 60 60 | 20.0 20.0 24.5 20.0\n"
                                  "unlogged - 2 (unlogged) - 115 - | 38.3 - 46.9 38.3\n"
                                  "scope 7 1 Job 2 130 130 | 43.3 43.3 21.7 43.3\n"
                                  "unlogged - 1 (unlogged) - 225 - | 75.0 - 37.5 75.0\n");
    tree_fixture_expect_note(&options, "neither idle time nor the recorder's cost");
}
END_TEST

START_TEST(tracks_have_trees_of_their_own)
{
    const struct trace_tree_options options = {.are_tracks_apart = true, .depth = 1};
    write_golden();
    tree_fixture_expect(&options, "track 1 - main - 300 55 | 100.0 18.3 - 100.0\n"
                                  "scope 2 1 Frame 3 245 115 | 81.7 38.3 81.7 81.7 left_out 2\n"
                                  "unlogged - 1 (unlogged) - 55 - | 18.3 - 18.3 18.3\n"
                                  "track 7 - worker - 300 170 | 100.0 56.7 - 100.0\n"
                                  "scope 8 7 Job 2 130 130 | 43.3 43.3 43.3 43.3\n"
                                  "unlogged - 7 (unlogged) - 170 - | 56.7 - 56.7 56.7\n");
}
END_TEST

START_TEST(a_track_filter_chooses_what_counts)
{
    static const char *const tracks[] = {"work*"};
    const struct trace_tree_options options = {.selection = {.tracks = tracks, .track_count = 1}};
    write_golden();
    tree_fixture_expect(&options, "tracks 1 - (all tracks) - 300 170 | 100.0 56.7 - 100.0\n"
                                  "scope 2 1 Job 2 130 130 | 43.3 43.3 43.3 43.3\n"
                                  "unlogged - 1 (unlogged) - 170 - | 56.7 - 56.7 56.7\n");
}
END_TEST

START_TEST(windows_stand_one_below_the_other)
{
    /* a: frame 0, b: frames 1 and 2. Of b, Frame: 80 + 85, less 30 + 40. Order by the sum of the
     * means of both: Frame 80 + 82.5, Job 30 + 50. */
    static const char *const windows[] = {"a=frames:0..0", "b=frames:1..2"};
    const struct trace_tree_options options = {
        .selection = {.windows = windows, .window_count = 2}, .depth = 2, .minimum = "16%"};
    write_golden();
    tree_fixture_expect(&options, "a: tracks 1 - (all tracks) - 200 90 | 200.0 90.0 - 200.0\n"
                                  "b: tracks 1 - (all tracks) - 400 135 | 200.0 67.5 - 200.0\n"
                                  "a: scope 2 1 Frame 1 80 20 | 80.0 20.0 40.0 80.0\n"
                                  "b: scope 2 1 Frame 2 165 95 | 82.5 47.5 41.2 82.5\n"
                                  "a: scope 3 2 Physics 1 40 15 | 40.0 15.0 50.0 40.0 left_out 1\n"
                                  "b: scope 3 2 Physics 1 30 30 | 15.0 15.0 18.2 15.0 left_out 1\n"
                                  "a: scope 6 2 Render 1 20 20 | 20.0 20.0 25.0 20.0\n"
                                  "b: scope 6 2 Render 1 40 40 | 20.0 20.0 24.2 20.0\n"
                                  "a: unlogged - 2 (unlogged) - 20 - | 20.0 - 25.0 20.0\n"
                                  "b: unlogged - 2 (unlogged) - 95 - | 47.5 - 57.6 47.5\n"
                                  "a: scope 7 1 Job 1 30 30 | 30.0 30.0 15.0 30.0\n"
                                  "b: scope 7 1 Job 1 100 100 | 50.0 50.0 25.0 50.0\n"
                                  "a: unlogged - 1 (unlogged) - 90 - | 90.0 - 45.0 90.0\n"
                                  "b: unlogged - 1 (unlogged) - 135 - | 67.5 - 33.8 67.5\n");
}
END_TEST

START_TEST(clipped_times_are_those_in_the_window)
{
    /* Of the worker's second job the 50 ns in frame 2; it begins before. */
    static const char *const windows[] = {"frames:2..2"};
    const struct trace_tree_options options = {
        .selection = {.windows = windows, .window_count = 1, .attribution = TRACE_ATTRIBUTE_CLIP}};
    write_golden();
    tree_fixture_expect(&options, "tracks 1 - (all tracks) - 200 65 | 200.0 65.0 - 200.0\n"
                                  "scope 2 1 Frame 1 85 45 | 85.0 45.0 42.5 85.0\n"
                                  "scope 3 2 Render 1 40 40 | 40.0 40.0 47.1 40.0\n"
                                  "unlogged - 2 (unlogged) - 45 - | 45.0 - 52.9 45.0\n"
                                  "scope 4 1 Job 0 50 50 | 50.0 50.0 25.0 50.0\n"
                                  "unlogged - 1 (unlogged) - 65 - | 65.0 - 32.5 65.0\n");
    tree_fixture_expect_note(&options, "Attribution by clip");
}
END_TEST

START_TEST(a_window_without_whole_frames_has_sums_only)
{
    static const char *const windows[] = {"time:300ns..350ns"};
    const struct trace_tree_options options = {
        .selection = {.windows = windows, .window_count = 1}};
    write_golden();
    tree_fixture_expect(&options, "tracks 1 - (all tracks) - - -\n"
                                  "scope 2 1 Load 1 20 20\n");
    tree_fixture_expect_note(&options, "nothing is per frame");
}
END_TEST

START_TEST(a_capture_without_frames_has_sums_only)
{
    const struct trace_tree_options options = {.minimum = "10%"};
    struct capture_builder *builder = start();
    golden_emit(builder, 1, main_events);
    end(builder);
    /* Top-level slices take 245 + 20 + 130 = 395: 10 % are 39.5. */
    tree_fixture_expect(&options, "tracks 1 - (all tracks) - - - left_out 1\n"
                                  "scope 2 1 Frame 3 245 115\n"
                                  "scope 3 2 Physics 2 70 45 left_out 1\n"
                                  "scope 6 2 Render 2 60 60\n"
                                  "unlogged - 2 (unlogged) - 115 -\n"
                                  "scope 7 1 Job 2 130 130\n");
    tree_fixture_expect_note(&options, "no frame marks");
}
END_TEST

START_TEST(a_capture_without_events_says_so)
{
    const struct trace_tree_options options = {0};
    struct capture_builder *builder = start_with_frames();
    builder_stop(builder, START + 350);
    builder_finish(builder);
    tree_fixture_write(builder);
    builder_destroy(builder);
    tree_fixture_expect(&options, "");
    tree_fixture_expect_note(&options, "There are no slices");
    struct memory_sink folded = tree_fixture_folded(&options.selection, false);
    ck_assert_uint_eq(folded.size, 0);
    memory_sink_release(&folded);
    struct memory_sink slices = tree_fixture_slices(&options.selection);
    ck_assert_str_eq(slices.bytes,
                     "slice_id,parent_id,track,site,category,frame,depth,begin_ns,duration_ns,"
                     "known_ns,exclusive_ns,outermost,incomplete,children_lost\r\n");
    memory_sink_release(&slices);
}
END_TEST

START_TEST(a_loss_takes_frames_from_its_track)
{
    /* Main lost something in frame 1: its two slices there count outside, and it has two frames.
     * Frame: 80 + 85, less 40 + 20 + 40. Root: 200 of main and 300 of the worker. */
    const struct trace_tree_options options = {.depth = 2, .top = 1};
    struct capture_builder *builder = start_with_frames();
    golden_emit(builder, 1, main_events);
    builder_loss(builder, &(struct lcap_loss){.track = 1,
                                              .cause = 1,
                                              .counts.scopes = 1,
                                              .first_tick = START + 125,
                                              .last_tick = START + 130});
    end(builder);
    tree_fixture_expect(&options,
                        "tracks 1 - (all tracks) - 500 205 | 200.0 74.2 - 200.0 left_out 1\n"
                        "scope 2 1 Frame 2 165 65 | 82.5 32.5 41.2 82.5 left_out 1\n"
                        "scope 3 2 Render 2 60 60 | 30.0 30.0 36.4 30.0\n"
                        "more - 2 (1 more) 1 40 - | 20.0 - 24.2 20.0 left_out 1\n"
                        "unlogged - 2 (unlogged) - 65 - | 32.5 - 39.4 32.5\n"
                        "more - 1 (1 more) 2 130 - | 43.3 - 21.7 43.3 left_out 1\n"
                        "unlogged - 1 (unlogged) - 205 - | 74.2 - 37.1 74.2\n");
    tree_fixture_expect_note(&options, "Some tracks lost events");
}
END_TEST

START_TEST(children_that_may_be_lost_leave_no_exclusive_time)
{
    /* Without frames the loss takes only the exclusive times of the slices that it overlaps: Frame
     * keeps 80 - 60 of frame 0 and 85 - 40 of frame 2, Physics 40 - 25 of frame 0. */
    static const char *const sites[] = {"Physics"};
    const struct trace_tree_options options = {.selection = {.sites = sites, .site_count = 1}};
    struct capture_builder *builder = start();
    golden_emit(builder, 1, main_events);
    builder_loss(builder, &(struct lcap_loss){.track = 1,
                                              .cause = 1,
                                              .counts.scopes = 1,
                                              .first_tick = START + 125,
                                              .last_tick = START + 130});
    end(builder);
    tree_fixture_expect(&options, "tracks 1 - (all tracks) - - - around\n"
                                  "scope 2 1 Frame 3 245 65 children_lost 1 around\n"
                                  "scope 3 2 Physics 2 70 15 children_lost 1\n");
}
END_TEST

START_TEST(what_has_no_end_is_counted_and_in_no_time)
{
    /* Main's Frame of frame 2 never ends; it is known to run to the end, and covers frame 2 from
     * 210 on: unlogged are 10 + 10 of frame 0, 20 of frame 1, 10 of frame 2, and 170 of the worker.
     */
    const struct trace_tree_options options = {.minimum = "0"};
    struct capture_builder *builder = start_with_frames();
    golden_emit(builder, 1, "(Frame 10 )90 (Frame 110 )190 (Physics 210 (Render 250 )290");
    end(builder);
    tree_fixture_expect(&options, "tracks 1 - (all tracks) - 600 220 | 200.0 73.3 - 200.0\n"
                                  "scope 2 1 Frame 2 160 160 | 53.3 53.3 26.7 53.3\n"
                                  "scope 3 1 Job 2 130 130 | 43.3 43.3 21.7 43.3\n"
                                  "scope 4 1 Physics 1 - - incomplete 1\n"
                                  "scope 5 4 Render 1 40 40 | 13.3 13.3 - 13.3\n"
                                  "unlogged - 1 (unlogged) - 220 - | 73.3 - 36.7 73.3\n");
}
END_TEST

START_TEST(what_is_more_than_its_parent_is_no_share_of_it)
{
    /* Render took 10 in a Physics of 20, and 40 in one that has no end. Unlogged are 90 of main,
     * 170 of the worker. */
    const struct trace_tree_options options = {.minimum = "0"};
    struct capture_builder *builder = start_with_frames();
    golden_emit(builder, 1, "(Physics 10 (Render 15 )25 )30 (Physics 110 (Render 150 )190");
    end(builder);
    tree_fixture_expect(&options, "tracks 1 - (all tracks) - 600 260 | 200.0 86.7 - 200.0\n"
                                  "scope 2 1 Job 2 130 130 | 43.3 43.3 21.7 43.3\n"
                                  "scope 3 1 Physics 2 20 10 | 6.7 3.3 3.3 6.7 incomplete 1\n"
                                  "scope 4 3 Render 2 50 50 | 16.7 16.7 - 16.7\n"
                                  "unlogged - 3 (unlogged) - 10 - | 3.3 - 50.0 3.3\n"
                                  "unlogged - 1 (unlogged) - 260 - | 86.7 - 43.3 86.7\n");
}
END_TEST

START_TEST(sites_are_shown_with_what_calls_them)
{
    static const char *const sites[] = {"Solve"};
    const struct trace_tree_options options = {.selection = {.sites = sites, .site_count = 1}};
    write_golden();
    tree_fixture_expect(&options, "tracks 1 - (all tracks) - 600 225 | 200.0 75.0 - 200.0 around\n"
                                  "scope 2 1 Frame 3 245 115 | 81.7 38.3 40.8 81.7 around\n"
                                  "scope 3 2 Physics 2 70 45 | 23.3 15.0 28.6 23.3 around\n"
                                  "scope 4 3 Solve 1 25 15 | 8.3 5.0 35.7 8.3\n"
                                  "scope 5 4 Solve 1 10 10 | 3.3 3.3 40.0 3.3 recursion 1\n"
                                  "unlogged - 4 (unlogged) - 15 - | 5.0 - 60.0 5.0\n");
    tree_fixture_expect_note(&options, "Contexts of the sites that were asked for: 2 of 6");
}
END_TEST

START_TEST(what_is_too_small_is_added_up)
{
    /* 12 ns a frame: both Solves are left out, and their 8.3 ns together have no row. */
    const struct trace_tree_options options = {.minimum = "12ns"};
    write_golden();
    tree_fixture_expect(&options, "tracks 1 - (all tracks) - 600 225 | 200.0 75.0 - 200.0\n"
                                  "scope 2 1 Frame 3 245 115 | 81.7 38.3 40.8 81.7\n"
                                  "scope 3 2 Physics 2 70 45 | 23.3 15.0 28.6 23.3 left_out 1\n"
                                  "scope 6 2 Render 2 60 60 | 20.0 20.0 24.5 20.0\n"
                                  "unlogged - 2 (unlogged) - 115 - | 38.3 - 46.9 38.3\n"
                                  "scope 7 1 Job 2 130 130 | 43.3 43.3 21.7 43.3\n"
                                  "unlogged - 1 (unlogged) - 225 - | 75.0 - 37.5 75.0\n");
    tree_fixture_expect_note(&options, "4 of 6 contexts are shown: --min 12ns");
}
END_TEST

static void setup(void)
{
    export_folder_make();
}

static void teardown(void)
{
    export_folder_remove();
}

int main(void)
{
    Suite *suite = suite_create("tree");
    TCase *cases = tcase_create("tree");
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, contexts_are_merged_over_tracks);
    tcase_add_test(cases, tracks_have_trees_of_their_own);
    tcase_add_test(cases, a_track_filter_chooses_what_counts);
    tcase_add_test(cases, windows_stand_one_below_the_other);
    tcase_add_test(cases, clipped_times_are_those_in_the_window);
    tcase_add_test(cases, a_window_without_whole_frames_has_sums_only);
    tcase_add_test(cases, a_capture_without_frames_has_sums_only);
    tcase_add_test(cases, a_capture_without_events_says_so);
    tcase_add_test(cases, a_loss_takes_frames_from_its_track);
    tcase_add_test(cases, children_that_may_be_lost_leave_no_exclusive_time);
    tcase_add_test(cases, what_has_no_end_is_counted_and_in_no_time);
    tcase_add_test(cases, what_is_more_than_its_parent_is_no_share_of_it);
    tcase_add_test(cases, sites_are_shown_with_what_calls_them);
    tcase_add_test(cases, what_is_too_small_is_added_up);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
