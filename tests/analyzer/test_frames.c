/* The reports about frames, of captures whose numbers are worked out by hand. */
#include "frames_fixture.h"

#include <check.h>
#include <stdlib.h>

START_TEST(the_longest_frame_is_first_and_says_what_it_did)
{
    frames_open(frames_build_hitch());
    struct trace_report *report =
        frames_report(&(struct trace_frames_options){.budget_ns = 150, .worst = 2});
    ck_assert_int_eq(frames_number(report, "frames", 0, "frames"), 4);
    ck_assert_int_eq(frames_number(report, "frames", 0, "frames_incomplete"), 1); /* frame 4 */
    ck_assert_int_eq(frames_number(report, "frames", 0, "frames_over"), 1);
    ck_assert_int_eq(frames_number(report, "frames", 0, "longest_run"), 1);
    ck_assert_uint_eq(frames_rows(report, "worst"), 2);
    ck_assert_int_eq(frames_number(report, "worst", 0, "frame"), 2);
    ck_assert_int_eq(frames_number(report, "worst", 0, "begin_ns"), 300);
    ck_assert_int_eq(frames_number(report, "worst", 0, "duration_ns"), 200);
    ck_assert_str_eq(frames_text(report, "worst", 0, "track"), "main");
    /* Frame 190 - 60 - 80 = 50, Physics 60; Wait 80. */
    ck_assert_int_eq(frames_number(report, "worst", 0, "working_ns"), 110);
    ck_assert_int_eq(frames_number(report, "worst", 0, "waiting_ns"), 80);
    ck_assert_int_eq(frames_number(report, "worst", 0, "waiting_median_ns"), 0);
    /* The others are of 100 ns: the first of them is next. */
    ck_assert_int_eq(frames_number(report, "worst", 1, "frame"), 0);
    trace_report_destroy(report);
    frames_close();
}
END_TEST

START_TEST(samples_count_as_far_as_they_overlap_the_frame)
{
    struct capture_builder *builder = frames_build_start();
    /* Half of the first sample lies in frame 2, all of the second, a quarter of the machine's. */
    static const struct lcap_sched samples[] = {
        {.from_tick = START + 200,
         .to_tick = START + 400,
         .run_ns = 100,
         .wait_ns = 60,
         .track = MAIN,
         .processors = 1},
        {.from_tick = START + 400,
         .to_tick = START + 450,
         .run_ns = 10,
         .wait_ns = 30,
         .track = MAIN,
         .processors = 1},
        {.from_tick = START, .to_tick = START + 800, .run_ns = 400, .wait_ns = 40, .processors = 2},
    };
    builder_sched(builder, samples, COUNT(samples));
    builder_stop(builder, START + 900);
    builder_finish(builder);
    frames_open(builder);
    struct trace_report *report = frames_report(&(struct trace_frames_options){.worst = 1});
    ck_assert_int_eq(frames_number(report, "worst", 0, "runnable_ns"), 60);
    ck_assert_int_eq(frames_number(report, "worst", 0, "sampled_ns"), 150);
    trace_report_destroy(report);
    report = frames_explain(2, TRACE_ATTRIBUTE_BEGIN);
    ck_assert_int_eq(frames_number(report, "tracks", 0, "run_ns"), 60);
    ck_assert_int_eq(frames_number(report, "tracks", 0, "runnable_ns"), 60);
    ck_assert_int_eq(frames_number(report, "tracks", 0, "asleep_ns"), 30);
    ck_assert_int_eq(frames_number(report, "frame", 0, "stolen_ns"), 10);
    ck_assert_int_eq(frames_number(report, "frame", 0, "machine_sampled_ns"), 400);
    trace_report_destroy(report);
    frames_close();
}
END_TEST

START_TEST(no_thread_is_runnable_for_longer_than_samples_cover)
{
    struct capture_builder *builder = frames_build_start();
    /* The system tells of a wait when it is over: this sample also tells of 150 before it. */
    static const struct lcap_sched samples[] = {{.from_tick = START + 200,
                                                 .to_tick = START + 400,
                                                 .run_ns = 100,
                                                 .wait_ns = 250,
                                                 .track = MAIN,
                                                 .processors = 1}};
    builder_sched(builder, samples, COUNT(samples));
    builder_stop(builder, START + 900);
    builder_finish(builder);
    frames_open(builder);
    struct trace_report *report = frames_report(&(struct trace_frames_options){.worst = 1});
    ck_assert_int_eq(frames_number(report, "worst", 0, "sampled_ns"), 100); /* 300..400 */
    ck_assert_int_eq(frames_number(report, "worst", 0, "runnable_ns"),
                     50); /* it ran for the rest */
    trace_report_destroy(report);
    report = frames_explain(2, TRACE_ATTRIBUTE_BEGIN);
    ck_assert_int_eq(frames_number(report, "tracks", 0, "run_ns"), 50);
    ck_assert_int_eq(frames_number(report, "tracks", 0, "runnable_ns"), 50);
    ck_assert_int_eq(frames_number(report, "tracks", 0, "asleep_ns"), 0);
    trace_report_destroy(report);
    frames_close();
}
END_TEST

START_TEST(a_window_without_a_frame_says_so)
{
    static const char *const windows[] = {"short=time:320ns..330ns", "frames:1..2"};
    struct trace_frames_options options = {.selection = {.windows = windows, .window_count = 2}};
    struct capture_builder *builder = frames_build_start();
    builder_stop(builder, START + 900);
    builder_finish(builder);
    frames_open(builder);
    struct trace_report *report = frames_report(&options);
    ck_assert_uint_eq(trace_report_note_count(report, frames_table(report, "frames")), 1);
    ck_assert_str_eq(trace_report_get_note(report, frames_table(report, "frames"), 0),
                     "No frame of game lies in window short as a whole: none is shown of it.");
    trace_report_destroy(report);
    frames_close();
}
END_TEST

START_TEST(frames_with_losses_are_told_and_are_in_no_median)
{
    struct capture_builder *builder = frames_build_start();
    frames_emit_usual(builder, 100);
    golden_emit(builder, MAIN, "(Frame 200 (Physics 210 )290 )295");
    golden_emit(builder, MAIN,
                "(Frame 300 (Physics 310 )330 )490 (Frame 500 (Physics 510 )550 )590");
    builder_loss(builder, &(struct lcap_loss){.counts = {.scopes = 3},
                                              .first_tick = START + 250,
                                              .last_tick = START + 299,
                                              .track = WORKER,
                                              .cause = 1});
    builder_stop(builder, START + 700);
    builder_finish(builder);
    frames_open(builder);
    struct trace_report *report = frames_report(&(struct trace_frames_options){.worst = 4});
    ck_assert_int_eq(frames_number(report, "frames", 0, "frames_lost"), 1);
    ck_assert_int_eq(frames_number(report, "worst", 2, "frame"), 1);
    ck_assert_str_eq(frames_text(report, "worst", 2, "has_loss"), "yes");
    ck_assert_str_eq(frames_text(report, "worst", 0, "has_loss"), "no");
    trace_report_destroy(report);
    /* Physics: 30, 80 (lost), 20, 40: of the three without a loss the median is 30. */
    static const struct frames_scope expected[] = {{"Physics", 50, 80, 30, 1, 1, "slower work"}};
    report = frames_explain(1, TRACE_ATTRIBUTE_BEGIN);
    frames_check_scopes(report, 0, expected, 1);
    ck_assert_uint_eq(frames_rows(report, "losses"), 1);
    trace_report_destroy(report);
    frames_close();
}
END_TEST

START_TEST(frames_without_a_scope_are_listed_as_runs)
{
    static const char *const sites[] = {"Load", "Physics"};
    frames_open(frames_build_hitch());
    struct trace_report *report = frames_report(
        &(struct trace_frames_options){.selection = {.sites = sites, .site_count = 2}});
    ck_assert_uint_eq(frames_rows(report, "absent"), 2);
    ck_assert_str_eq(frames_text(report, "absent", 0, "site"), "Physics");
    ck_assert_int_eq(frames_number(report, "absent", 0, "frames_without"), 0);
    /* Load begins in frame 2 and ends in frame 3: it ran in both. */
    ck_assert_str_eq(frames_text(report, "absent", 1, "site"), "Load");
    ck_assert_int_eq(frames_number(report, "absent", 1, "frames_without"), 2);
    ck_assert_str_eq(frames_text(report, "absent", 1, "list"), "0..1");
    trace_report_destroy(report);
    frames_close();
}
END_TEST

START_TEST(domains_stand_beside_each_other)
{
    struct capture_builder *builder = frames_build_start();
    builder_domain(builder, 2, "render");
    /* Of render: 10 from 90 to 150, 11 to 280, 12 to 450, 13 (13 to 14 is missing), 15. */
    static const uint64_t marks[][2] = {{10, 90}, {11, 150}, {12, 280}, {13, 450}, {15, 480}};
    for (size_t i = 0; i < COUNT(marks); i++)
        builder_frame_on(builder, WORKER, 2, marks[i][0], START + marks[i][1]);
    frames_emit_usual(builder, 100);
    builder_stop(builder, START + 700);
    builder_finish(builder);
    frames_open(builder);
    struct trace_report *report = frames_report(&(struct trace_frames_options){.worst = 1});
    ck_assert_uint_eq(frames_rows(report, "frames"), 2);
    ck_assert_int_eq(frames_number(report, "frames", 1, "frames"), 3);
    ck_assert_int_eq(frames_number(report, "frames", 1, "frames_incomplete"), 2);
    /* Begin in frame 0: 150; in 1: 280; in 2: 450 and 480; in 3: none. */
    ck_assert_int_eq(frames_number(report, "others", 0, "per_frame_min"), 0);
    ck_assert_int_eq(frames_number(report, "others", 0, "per_frame_max"), 2);
    /* Frame 2, 300 to 500: 12 runs at its begin, 15 begins in it; of the complete ones 12 is it. */
    ck_assert_int_eq(frames_number(report, "overlap", 0, "first"), 12);
    ck_assert_int_eq(frames_number(report, "overlap", 0, "last"), 15);
    ck_assert_int_eq(frames_number(report, "overlap", 0, "longest"), 12);
    ck_assert_int_eq(frames_number(report, "overlap", 0, "longest_ns"), 170);
    trace_report_destroy(report);
    frames_close();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("frames");
    TCase *cases = tcase_create("frames");
    tcase_add_test(cases, the_longest_frame_is_first_and_says_what_it_did);
    tcase_add_test(cases, samples_count_as_far_as_they_overlap_the_frame);
    tcase_add_test(cases, no_thread_is_runnable_for_longer_than_samples_cover);
    tcase_add_test(cases, a_window_without_a_frame_says_so);
    tcase_add_test(cases, frames_with_losses_are_told_and_are_in_no_median);
    tcase_add_test(cases, frames_without_a_scope_are_listed_as_runs);
    tcase_add_test(cases, domains_stand_beside_each_other);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
