/* What is asked for and not there, outputs that fail and memory that runs out are errors of a
 * report. */
#include <check.h>
#include <stdlib.h>

#include "sample_report.h"

/* The allocation with this number fails, counted from 1; 0: none does. */
static unsigned failing_allocation;
static unsigned allocations;
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);

static bool fails_now(void)
{
    return ++allocations == failing_allocation;
}

void *__wrap_malloc(size_t size)
{
    return fails_now() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails_now() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    return fails_now() ? NULL : __real_realloc(block, size);
}

START_TEST(a_table_that_is_not_there_is_refused_with_the_names_of_those_that_are)
{
    struct trace_render_options options = {.format = TRACE_FORMAT_CSV, .table = "sites"};
    struct memory_sink sink = memory_sink_make(SIZE_MAX);
    struct trace_report *report;
    struct ludus_error error;

    ck_assert_int_eq(sample_report_make(&report, &error), LUDUS_OK);
    ck_assert_int_eq(trace_render(report, &options, memory_sink_output(&sink), &error),
                     LUDUS_ERROR_ARGUMENT);
    ck_assert_str_eq(error.message, "sample has no table 'sites'; it has: losses, items");
    ck_assert_uint_eq(sink.size, 0);
    trace_report_destroy(report);
}
END_TEST

START_TEST(a_schema_that_is_not_there_is_refused_with_the_names_of_those_that_are)
{
    struct memory_sink sink = memory_sink_make(SIZE_MAX);
    struct ludus_error error;

    ck_assert_int_eq(trace_schema_json("frames", memory_sink_output(&sink), &error),
                     LUDUS_ERROR_ARGUMENT);
    ck_assert_str_eq(error.message, "there is no schema 'frames'; there are: sample, diff-config");
}
END_TEST

START_TEST(an_output_that_fails_is_reported_in_every_format)
{
    struct trace_report *report;
    struct ludus_error error;

    ck_assert_int_eq(sample_report_make(&report, &error), LUDUS_OK);
    for (int format = TRACE_FORMAT_TABLE; format <= TRACE_FORMAT_MARKDOWN; format++) {
        struct trace_render_options options = {.format = (enum trace_format)format};
        struct memory_sink sink = memory_sink_make(20);

        ck_assert_int_eq(trace_render(report, &options, memory_sink_output(&sink), &error),
                         LUDUS_ERROR_WRITE);
        ck_assert_int_eq(error.status, LUDUS_ERROR_WRITE);
    }
    trace_report_destroy(report);
}
END_TEST

static enum ludus_status discard(void *context, const char *bytes, size_t size)
{
    (void)context;
    (void)bytes;
    (void)size;
    return LUDUS_OK;
}

/* The work of a command; every allocation of it is made to fail, one run after the other. Without
 * assertions, since those allocate too. */
static enum ludus_status make_and_render(enum trace_format format, struct ludus_error *error)
{
    struct trace_render_options options = {.format = format};
    struct trace_output output = {NULL, discard};
    struct trace_report *report;
    enum ludus_status status = sample_report_make(&report, error);

    for (int i = 0; i < 40 && report != NULL; i++) { /* arrays have to grow */
        trace_report_row(report, 0);
        trace_report_text(report, "main", 4);
        trace_report_note(report, 0, "note %d", i);
    }
    if (status == LUDUS_OK)
        status = trace_report_finish(report, error);
    if (status == LUDUS_OK)
        status = trace_render(report, &options, output, error);
    trace_report_destroy(report);
    return status;
}

START_TEST(memory_that_runs_out_is_an_error_and_not_a_crash)
{
    enum ludus_status status = LUDUS_ERROR_MEMORY;
    struct ludus_error error;
    unsigned failing = 0;

    while (status != LUDUS_OK) {
        failing++;
        ck_assert_uint_lt(failing, 200);
        allocations = 0;
        failing_allocation = failing;
        status = make_and_render((enum trace_format)_i, &error);
        failing_allocation = 0;
        ck_assert(status == LUDUS_OK || error.status == LUDUS_ERROR_MEMORY);
    }
    ck_assert_uint_gt(failing, 5);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("report failures");
    TCase *cases = tcase_create("report failures");
    tcase_add_test(cases, a_table_that_is_not_there_is_refused_with_the_names_of_those_that_are);
    tcase_add_test(cases, a_schema_that_is_not_there_is_refused_with_the_names_of_those_that_are);
    tcase_add_test(cases, an_output_that_fails_is_reported_in_every_format);
    tcase_add_loop_test(cases, memory_that_runs_out_is_an_error_and_not_a_crash, TRACE_FORMAT_TABLE,
                        TRACE_FORMAT_MARKDOWN + 1);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
