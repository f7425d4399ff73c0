/* What the report about one frame says of it: scopes against their medians, what it waited for. */
#include "frames_fixture.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

START_TEST(excess_is_against_the_median_and_tells_more_work_from_slower_work)
{
    /* Usual: Frame 60, Physics 30, Job 30; Load 60 and Solve 20 are in frame 2 alone. Job: one call
     * of 60 rather than 30. Physics: two calls of 30. */
    static const struct frames_scope expected[] = {
        {"Load", 60, 60, 0, 1, 0, "more work"},     {"Job", 30, 60, 30, 1, 1, "slower work"},
        {"Physics", 30, 60, 30, 2, 1, "more work"}, {"Solve", 20, 20, 0, 1, 0, "more work"},
        {"Wait", 80, 80, 0, 1, 0, "waiting"},
    };
    frames_open(frames_build_hitch());
    struct trace_report *report = frames_explain(2, TRACE_ATTRIBUTE_BEGIN);
    ck_assert_uint_eq(frames_rows(report, "scopes"), COUNT(expected));
    frames_check_scopes(report, 0, expected, COUNT(expected));
    ck_assert_str_eq(frames_text(report, "scopes", 1, "track"), "worker");
    ck_assert_str_eq(frames_text(report, "scopes", 2, "track"), "main");
    ck_assert_int_eq(frames_number(report, "frame", 0, "rank"), 1);
    ck_assert_int_eq(frames_number(report, "frame", 0, "median_ns"), 100);
    trace_report_destroy(report);
    frames_close();
}
END_TEST

START_TEST(clipped_slices_are_split_at_the_marks)
{
    /* Load 480 to 560 without Solve 490 to 510: 10 in frame 2, 50 in frame 3; Solve: 10 and 10. */
    static const struct frames_scope in_2[] = {
        {"Job", 30, 60, 30, 1, 1, "slower work"},
        {"Physics", 30, 60, 30, 2, 1, "more work"},
        {"Load", 10, 10, 0, 1, 0, "more work"},
        {"Solve", 10, 10, 0, 1, 0, "more work"},
    };
    static const struct frames_scope in_3[] = {
        {"Load", 50, 50, 0, 0, 0, "more work"},
        {"Solve", 10, 10, 0, 0, 0, "more work"},
    };
    frames_open(frames_build_hitch());
    struct trace_report *report = frames_explain(2, TRACE_ATTRIBUTE_CLIP);
    frames_check_scopes(report, 0, in_2, COUNT(in_2));
    trace_report_destroy(report);
    report = frames_explain(3, TRACE_ATTRIBUTE_CLIP);
    ck_assert_uint_eq(frames_rows(report, "scopes"), COUNT(in_3));
    frames_check_scopes(report, 0, in_3, COUNT(in_3));
    trace_report_destroy(report);
    frames_close();
}
END_TEST

struct expected_link {
    int64_t from_ns, duration_ns;
    const char *step, *track, *site;
};

static void check_chain(const struct trace_report *report, const struct expected_link *expected,
                        size_t count)
{
    ck_assert_uint_eq(frames_rows(report, "chain"), count);
    for (size_t i = 0; i < count; i++) {
        ck_assert_int_eq(frames_number(report, "chain", i, "from_ns"), expected[i].from_ns);
        ck_assert_int_eq(frames_number(report, "chain", i, "duration_ns"), expected[i].duration_ns);
        ck_assert_str_eq(frames_text(report, "chain", i, "step"), expected[i].step);
        ck_assert_str_eq(frames_text(report, "chain", i, "track"), expected[i].track);
        ck_assert_str_eq(frames_text(report, "chain", i, "site"), expected[i].site);
    }
}

START_TEST(what_a_frame_waited_for_goes_back_through_its_flows)
{
    /* From 500 back to main's flow-in at 470, which left worker at 455; there back to 400, which
     * left main at 385; there to the begin. On main until 385 Physics had 60, Frame 25. */
    static const struct expected_link expected[] = {
        {0, 85, "ran", "main", "Physics"}, {85, 15, "queued", "main", "Mark"},
        {100, 55, "ran", "worker", "Job"}, {155, 15, "queued", "worker", "Mark"},
        {170, 30, "ran", "main", "Frame"},
    };
    frames_open(frames_build_hitch());
    struct trace_report *report = frames_explain(2, TRACE_ATTRIBUTE_BEGIN);
    check_chain(report, expected, COUNT(expected));
    ck_assert_int_eq(frames_number(report, "chain", 0, "site_ns"), 60);
    ck_assert_int_eq(frames_number(report, "chain", 4, "site_ns"), 20); /* 470 to 490 */
    ck_assert_str_eq(frames_text(report, "marks", 0, "name"), "Mark");
    ck_assert_int_eq(frames_number(report, "marks", 0, "from_ns"), 180);
    trace_report_destroy(report);
    frames_close();
}
END_TEST

/* Frame 2 with one flow-in on main, at 400, and a flow-out of another flow or before the frame. */
static struct capture_builder *build_flow(uint64_t out_ns, uint64_t out_flow)
{
    struct capture_builder *builder = frames_build_start();
    golden_emit(builder, WORKER, "(Job 110");
    frames_flow(builder, WORKER, LCAP_EVENT_FLOW_OUT, out_ns, MARK, out_flow);
    golden_emit(builder, WORKER, ")450");
    golden_emit(builder, MAIN, "(Frame 300");
    frames_flow(builder, MAIN, LCAP_EVENT_FLOW_IN, 400, MARK, 7);
    golden_emit(builder, MAIN, ")490");
    builder_stop(builder, START + 700);
    builder_finish(builder);
    return builder;
}

START_TEST(a_flow_from_before_the_frame_is_queued_from_the_frames_begin)
{
    static const struct expected_link expected[] = {
        {0, 100, "queued", "worker", "Mark"},
        {100, 100, "ran", "main", "Frame"},
    };
    frames_open(build_flow(150, 7));
    struct trace_report *report = frames_explain(2, TRACE_ATTRIBUTE_BEGIN);
    check_chain(report, expected, COUNT(expected));
    ck_assert_str_eq(frames_text(report, "chain", 0, "is_from_before"), "yes");
    trace_report_destroy(report);
    frames_close();
}
END_TEST

START_TEST(a_flow_in_without_a_flow_out_is_passed_over)
{
    static const struct expected_link expected[] = {{0, 200, "ran", "main", "Frame"}};
    frames_open(build_flow(150, 9));
    struct trace_report *report = frames_explain(2, TRACE_ATTRIBUTE_BEGIN);
    check_chain(report, expected, COUNT(expected));
    ck_assert_uint_eq(trace_report_note_count(report, frames_table(report, "chain")), 1);
    trace_report_destroy(report);
    frames_close();
}
END_TEST

/* Main sends a job at 310, has the Physics from 320 on, and takes the job's end, which left at 330,
 * at 400. What Frame itself does until then may be waiting. */
static struct capture_builder *build_done(const char *physics)
{
    struct capture_builder *builder = frames_build_start();
    golden_emit(builder, MAIN, "(Frame 300");
    frames_flow(builder, MAIN, LCAP_EVENT_FLOW_OUT, 310, MARK, 1);
    golden_emit(builder, WORKER, "(Job 315");
    frames_flow(builder, WORKER, LCAP_EVENT_FLOW_IN, 316, MARK, 1);
    frames_flow(builder, WORKER, LCAP_EVENT_FLOW_OUT, 330, MARK, 2);
    golden_emit(builder, WORKER, ")331");
    golden_emit(builder, MAIN, physics);
    frames_flow(builder, MAIN, LCAP_EVENT_FLOW_IN, 400, MARK, 2);
    golden_emit(builder, MAIN, ")490");
    builder_stop(builder, START + 700);
    builder_finish(builder);
    return builder;
}

/* The frame waited for the job, which came to a worker that was in no scope. */
static void check_way_through_job(const char *physics)
{
    static const struct expected_link expected[] = {
        {0, 10, "ran", "main", "Frame"},    {10, 6, "queued", "main", "Mark"},
        {16, 14, "ran", "worker", "Job"},   {30, 70, "queued", "worker", "Mark"},
        {100, 100, "ran", "main", "Frame"},
    };
    frames_open(build_done(physics));
    struct trace_report *report = frames_explain(2, TRACE_ATTRIBUTE_BEGIN);
    check_chain(report, expected, COUNT(expected));
    trace_report_destroy(report);
    frames_close();
}

START_TEST(a_flow_is_followed_when_scopes_that_ended_had_half_of_its_time)
{
    check_way_through_job("(Physics 320 )365"); /* it has 35 of the 70 from 330 to 400 */
}
END_TEST

START_TEST(a_flow_that_came_while_the_track_was_at_work_is_passed_over)
{
    /* Physics has 36, more than half. Frame has 20 before it and 124 behind. */
    static const struct expected_link expected[] = {{0, 200, "ran", "main", "Frame"}};
    frames_open(build_done("(Physics 320 )366"));
    struct trace_report *report = frames_explain(2, TRACE_ATTRIBUTE_BEGIN);
    check_chain(report, expected, COUNT(expected));
    ck_assert_int_eq(frames_number(report, "chain", 0, "site_ns"), 144);
    ck_assert_int_eq(frames_number(report, "chain", 0, "waiting_ns"), 0);
    ck_assert_uint_eq(trace_report_note_count(report, frames_table(report, "chain")), 0);
    trace_report_destroy(report);
    frames_close();
}
END_TEST

/* The scope that takes the flow has parts on both sides of another one, and before the flow-out. */
START_TEST(the_own_time_of_the_scope_that_takes_a_flow_is_no_work)
{
    check_way_through_job("(Physics 335 )340 (Physics 350 )355 (Physics 370 )372");
}
END_TEST

START_TEST(flows_that_go_round_in_no_time_end)
{
    struct capture_builder *builder = frames_build_start();
    golden_emit(builder, MAIN, "(Frame 300");
    frames_flow(builder, MAIN, LCAP_EVENT_FLOW_OUT, 400, MARK, 1);
    frames_flow(builder, MAIN, LCAP_EVENT_FLOW_IN, 400, MARK, 2);
    golden_emit(builder, WORKER, "(Job 400");
    frames_flow(builder, WORKER, LCAP_EVENT_FLOW_OUT, 400, MARK, 2);
    frames_flow(builder, WORKER, LCAP_EVENT_FLOW_IN, 400, MARK, 1);
    golden_emit(builder, WORKER, ")450");
    golden_emit(builder, MAIN, ")490");
    builder_stop(builder, START + 700);
    builder_finish(builder);
    static const struct expected_link expected[] = {
        {0, 100, "ran", "main", "Frame"},
        {100, 100, "ran", "main", "Frame"},
    };
    frames_open(builder);
    struct trace_report *report = frames_explain(2, TRACE_ATTRIBUTE_BEGIN);
    check_chain(report, expected, COUNT(expected));
    trace_report_destroy(report);
    frames_close();
}
END_TEST

START_TEST(what_tracks_did_is_clipped_to_the_frame)
{
    frames_open(frames_build_hitch());
    struct trace_report *report = frames_explain(2, TRACE_ATTRIBUTE_BEGIN);
    ck_assert_str_eq(frames_text(report, "tracks", 0, "track"), "main");
    ck_assert_int_eq(frames_number(report, "tracks", 0, "working_ns"), 110);
    ck_assert_int_eq(frames_number(report, "tracks", 0, "waiting_ns"), 80);
    ck_assert_int_eq(frames_number(report, "tracks", 0, "unlogged_ns"), 10);
    ck_assert_str_eq(frames_text(report, "tracks", 1, "track"), "worker");
    ck_assert_int_eq(frames_number(report, "tracks", 1, "working_ns"),
                     80); /* 400..460 and 480..500 */
    ck_assert_int_eq(frames_number(report, "tracks", 1, "unlogged_ns"), 120);
    trace_report_destroy(report);
    frames_close();
}
END_TEST

START_TEST(counters_stand_beside_their_median)
{
    struct capture_builder *builder = frames_build_start();
    frames_emit_usual(builder, 100);
    /* What a counter tells was added from its event before on: 5 in frame 0, 6 in 1, 40 in 2. */
    builder_value(builder, MAIN, LCAP_EVENT_COUNT, START + 205, ITEMS, 5);
    builder_value(builder, MAIN, LCAP_EVENT_COUNT, START + 305, ITEMS, 6);
    builder_value(builder, MAIN, LCAP_EVENT_COUNT, START + 505, ITEMS, 40);
    builder_value(builder, MAIN, LCAP_EVENT_COUNT, START + 605, ITEMS, 7);
    builder_stop(builder, START + 700);
    builder_finish(builder);
    frames_open(builder);
    struct trace_report *report = frames_explain(2, TRACE_ATTRIBUTE_BEGIN);
    ck_assert_str_eq(frames_text(report, "values", 0, "name"), "Items");
    ck_assert_int_eq(frames_number(report, "values", 0, "counted"), 40);
    ck_assert_int_eq(frames_number(report, "values", 0, "median"), 6);
    trace_report_destroy(report);
    frames_close();
}
END_TEST

static void expect_refusal(uint64_t frame, const char *message)
{
    const struct trace_explain_options options = {.frame = frame};
    struct trace_report *report;
    struct ludus_error error;
    ck_assert_int_eq(trace_report_explain(frames_input, &options, &report, &error),
                     LUDUS_ERROR_ARGUMENT);
    const char *path = export_path("capture.lcap");
    ck_assert_int_eq(strncmp(error.message, path, strlen(path)), 0);
    ck_assert_str_eq(error.message + strlen(path), message);
}

START_TEST(frames_that_cannot_be_explained_say_why)
{
    struct capture_builder *builder = builder_create(&golden_setup);
    static const uint64_t marks[] = {100, 200, UINT64_MAX, 500, 600};
    builder_domain(builder, 1, "game");
    golden_add_marks(builder, 1, marks, COUNT(marks));
    builder_stop(builder, START + 700);
    builder_finish(builder);
    frames_open(builder);
    expect_refusal(1, ": frame 1 of 'game' is not complete: the mark behind it is missing, so that "
                      "nobody knows its end; the nearest complete frame is 0");
    expect_refusal(2, ": frame 2 of 'game' is not in the capture: its mark is missing; the nearest "
                      "frames are 1 and 3");
    expect_refusal(4, ": frame 4 of 'game' is not complete: it is the last one, and no mark tells "
                      "its end; the nearest complete frame is 3");
    expect_refusal(5, ": there is no frame 5 of 'game': the capture has the frames 0..4");
    frames_close();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("explain");
    TCase *cases = tcase_create("explain");
    tcase_add_test(cases, excess_is_against_the_median_and_tells_more_work_from_slower_work);
    tcase_add_test(cases, clipped_slices_are_split_at_the_marks);
    tcase_add_test(cases, what_a_frame_waited_for_goes_back_through_its_flows);
    tcase_add_test(cases, a_flow_from_before_the_frame_is_queued_from_the_frames_begin);
    tcase_add_test(cases, a_flow_in_without_a_flow_out_is_passed_over);
    tcase_add_test(cases, a_flow_is_followed_when_scopes_that_ended_had_half_of_its_time);
    tcase_add_test(cases, a_flow_that_came_while_the_track_was_at_work_is_passed_over);
    tcase_add_test(cases, the_own_time_of_the_scope_that_takes_a_flow_is_no_work);
    tcase_add_test(cases, flows_that_go_round_in_no_time_end);
    tcase_add_test(cases, what_tracks_did_is_clipped_to_the_frame);
    tcase_add_test(cases, counters_stand_beside_their_median);
    tcase_add_test(cases, frames_that_cannot_be_explained_say_why);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
