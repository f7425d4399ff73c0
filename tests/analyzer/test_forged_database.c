/* Databases whose tables contradict themselves: nothing in one is believed, and reports refuse it
 * instead of reading what is not there. */
#include <check.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "golden_fixture.h"
#include "tree_fixture.h"

/* Two frames, scopes in a scope. */
static void make_database(void)
{
    struct capture_builder *builder = builder_create(&golden_setup);
    golden_add_track(builder, 1, 101, 0, 0, "main");
    golden_add_marks(builder, 1, (const uint64_t[]){0, 100, 200}, 3);
    golden_emit(builder, 1, "(Frame 10 (Physics 20 (Solve 30 )35 )40 )90 (Frame 110 )150");
    builder_stop(builder, START + 300);
    builder_finish(builder);
    tree_fixture_write(builder);
    builder_destroy(builder);
}

static void change(const char *sql)
{
    sqlite3 *connection = NULL;
    ck_assert_int_eq(sqlite3_open(export_path("capture.db"), &connection), SQLITE_OK);
    ck_assert_msg(sqlite3_exec(connection, sql, NULL, NULL, NULL) == SQLITE_OK, "%s: %s", sql,
                  sqlite3_errmsg(connection));
    ck_assert_int_gt(sqlite3_total_changes(connection), 0);
    ck_assert_int_eq(sqlite3_close(connection), SQLITE_OK);
}

/* All of the reports that are made of statistics, of windows and of frames. */
static enum ludus_status report(const struct trace_selection *selection)
{
    const struct trace_summarize_options summarize = {
        .selection = *selection, .by = TRACE_BY_PATH, .top = 0};
    const struct trace_tree_options tree = {.selection = *selection};
    const struct trace_frames_options frames = {.selection = *selection, .worst = 2};
    enum ludus_status statuses[3];
    for (int i = 0; i < 3; i++) {
        struct trace_input *input = NULL;
        struct trace_report *made = NULL;
        struct ludus_error error = {0};
        statuses[i] = trace_open(export_path("capture.db"), 0, &input, &error);
        ck_assert_int_eq(statuses[i], LUDUS_OK);
        if (i == 0)
            statuses[i] = trace_report_summarize(input, &summarize, &made, &error);
        else if (i == 1)
            statuses[i] = trace_report_tree(input, &tree, &made, &error);
        else
            statuses[i] = trace_report_frames(input, &frames, &made, &error);
        trace_report_destroy(made);
        trace_close(input);
    }
    ck_assert_int_eq(statuses[1], statuses[0]);
    ck_assert_int_eq(statuses[2], statuses[0]);
    return statuses[0];
}

START_TEST(tables_that_contradict_themselves_are_refused)
{
    static const char *const changes[] = {
        /* More windows than there can be. */
        "UPDATE stat_window SET window_id = window_id + 5 WHERE part = 'outside'",
        "UPDATE stat_window SET part = 'outside'",
        "UPDATE stat_window SET end_ns = 9223372036854775807",
        "UPDATE path SET depth = 9 WHERE depth = 0",
        "UPDATE path SET depth = 0 WHERE depth = 1",
        "UPDATE path SET parent_path_id = 3 WHERE path_id = 1",
        "UPDATE site_stats SET site_id = 99",
        "UPDATE path_stats SET path_id = 99",
        "UPDATE frame SET begin_ns = -9223372036854775807 - 1 WHERE number = 0",
        "UPDATE frame SET begin_ns = 9223372036854775807 WHERE number = 2",
        "UPDATE domain SET frames = 4",
        "UPDATE track SET end_ns = 9223372036854775807",
        "UPDATE capture SET end_ns = 9223372036854775807",
    };
    const struct trace_selection everything = {0};
    for (size_t i = 0; i < COUNT(changes); i++) {
        make_database();
        ck_assert_int_eq(report(&everything), LUDUS_OK);
        change(changes[i]);
        ck_assert_msg(report(&everything) == LUDUS_ERROR_FORMAT, "%s", changes[i]);
    }
}
END_TEST

/* What a pass over the rows finds. */
START_TEST(slices_that_contradict_themselves_are_refused)
{
    static const char *const windows[] = {"part=time:0ns..150ns"};
    static const char *const changes[] = {
        "UPDATE slice SET known_ns = 9223372036854775807 WHERE slice_id = 2",
        "UPDATE slice SET known_ns = -1 WHERE slice_id = 2",
        "UPDATE slice SET begin_ns = 9223372036854775807 WHERE slice_id = 4",
        "UPDATE slice SET path_id = 99 WHERE slice_id = 1",
    };
    const struct trace_selection clipped = {
        .windows = windows, .window_count = 1, .attribution = TRACE_ATTRIBUTE_CLIP};
    for (size_t i = 0; i < COUNT(changes); i++) {
        make_database();
        ck_assert_int_eq(report(&clipped), LUDUS_OK);
        change(changes[i]);
        ck_assert_msg(report(&clipped) == LUDUS_ERROR_FORMAT, "%s", changes[i]);
    }
}
END_TEST

/* Counts that the rows tell as well are those of the rows. */
START_TEST(frames_are_counted_and_not_believed)
{
    static const char *const windows[] = {"part=last:1frame"};
    const struct trace_selection last = {.windows = windows, .window_count = 1};
    make_database();
    change("UPDATE domain SET frames = 0, complete_frames = 7");
    change("DELETE FROM frame");
    ck_assert_int_eq(report(&last), LUDUS_ERROR_ARGUMENT);
    make_database();
    change("UPDATE domain SET complete_frames = 0");
    ck_assert_int_eq(report(&last), LUDUS_OK);
}
END_TEST

static enum ludus_status report_gpu(void)
{
    const struct trace_summarize_options options = {.by = TRACE_BY_GPU_PASS};
    struct trace_input *input = NULL;
    struct trace_report *report = NULL;
    struct ludus_error error = {0};
    ck_assert_int_eq(trace_open(export_path("capture.db"), 0, &input, &error), LUDUS_OK);
    const enum ludus_status status = trace_report_summarize(input, &options, &report, &error);
    trace_report_destroy(report);
    trace_close(input);
    return status;
}

START_TEST(gpu_samples_that_contradict_themselves_are_refused)
{
    static const char *const captures[] = {TEST_GOLDEN_DIR "/valid/gpu-game.lcap"};
    static const char *const changes[] = {
        "UPDATE gpu_frame SET track_id = 99 WHERE gpu_frame_id = 2",
        "UPDATE gpu_frame SET validity = 'busy' WHERE gpu_frame_id = 1",
        "UPDATE gpu_frame SET duration_ns = NULL WHERE gpu_frame_id = 1",
        "UPDATE gpu_frame SET duration_ns = -1 WHERE gpu_frame_id = 1",
        "UPDATE gpu_frame SET submitted_ns = 9223372036854775807",
        "UPDATE gpu_pass SET site_id = 99 WHERE gpu_pass_id = 3",
        "UPDATE gpu_pass SET track_id = 0 WHERE gpu_pass_id = 3",
        "UPDATE gpu_pass SET begin_ns = 5 WHERE validity = 'no-end'",
        "UPDATE gpu_pass SET begin_ns = 9223372036854775807 WHERE gpu_pass_id = 1",
        "UPDATE gpu_pass SET uncertainty_ns = -1 WHERE gpu_pass_id = 1",
        "UPDATE gpu_pass SET logical_passes = 1 << 40",
        "UPDATE gpu_calibration SET track_id = 99",
        "UPDATE gpu_calibration SET end_ns = 9223372036854775807",
    };
    struct ludus_error error = {0};
    for (size_t i = 0; i < COUNT(changes); i++) {
        ck_assert_int_eq(trace_import(captures, 1, NULL, export_path("capture.db"), NULL, &error),
                         LUDUS_OK);
        ck_assert_int_eq(report_gpu(), LUDUS_OK);
        change(changes[i]);
        ck_assert_msg(report_gpu() == LUDUS_ERROR_FORMAT, "%s", changes[i]);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("forged_database");
    TCase *tests = tcase_create("forged_database");
    SRunner *runner = srunner_create(suite);
    tcase_add_checked_fixture(tests, export_folder_make, export_folder_remove);
    tcase_add_test(tests, tables_that_contradict_themselves_are_refused);
    tcase_add_test(tests, slices_that_contradict_themselves_are_refused);
    tcase_add_test(tests, frames_are_counted_and_not_believed);
    tcase_add_test(tests, gpu_samples_that_contradict_themselves_are_refused);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
