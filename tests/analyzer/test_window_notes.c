/* Notes about a part of a recording give the same times as the tables beside them. */
#include <check.h>
#include <stdlib.h>

#include "report_window.h"

static void expect_times(int64_t begin_ns, int64_t end_ns, const char *note)
{
    struct trace_model model = {.has_window = true, .window_begin_ns = begin_ns, .end_ns = end_ns};
    struct trace_report *report;
    struct ludus_error error;

    ck_assert_int_eq(trace_report_create(trace_report_types[0], &report, &error), LUDUS_OK);
    trace_note_window(report, 0, &model, false);
    ck_assert_int_eq(trace_report_finish(report, &error), LUDUS_OK);
    ck_assert_str_eq(trace_report_get_note(report, 0, 0), note);
    trace_report_destroy(report);
}

START_TEST(times_are_rounded_to_the_nearest_millisecond)
{
    expect_times(606499999, 2026500000,
                 "A part of its recording: from 0.606 s to 2.027 s of it. Times and frame numbers "
                 "are those of the recording.");
    expect_times(-1999500000, -499999,
                 "A part of its recording: from -2.000 s to 0.000 s of it. Times and frame numbers "
                 "are those of the recording.");
}
END_TEST

START_TEST(ends_of_short_parts_are_told_apart)
{
    expect_times(1000000000, 1000300017,
                 "A part of its recording: from 1.000000000 s to 1.000300017 s of it. Times and "
                 "frame numbers are those of the recording.");
    expect_times(-17, 99999982,
                 "A part of its recording: from -0.000000017 s to 0.099999982 s of it. Times and "
                 "frame numbers are those of the recording.");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("window notes");
    TCase *tests = tcase_create("window notes");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_test(tests, times_are_rounded_to_the_nearest_millisecond);
    tcase_add_test(tests, ends_of_short_parts_are_told_apart);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
