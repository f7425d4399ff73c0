/* Rows that are made when they are shown, and columns that only people are shown. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "memory_sink.h"
#include "report.h"

static const struct trace_column columns[] = {
    {.name = "tree",
     .title = "scope",
     .type = TRACE_TYPE_TEXT,
     .is_for_people = true,
     .is_indented = true},
    {.name = "scope",
     .title = "scope",
     .type = TRACE_TYPE_TEXT,
     .is_detail = true,
     .description = "Its name."},
    {.name = "chosen",
     .title = "chosen",
     .type = TRACE_TYPE_TEXT,
     .is_left_out_when_same = true,
     .description = "Whether it was asked for."},
    {.name = "lost",
     .title = "lost",
     .type = TRACE_TYPE_INTEGER,
     .is_left_out_when_same = true,
     .description = "What is missing."},
};
static const struct trace_table_type tables[] = {
    {.name = "nodes", .title = "Nodes", .columns = columns, .column_count = 4, .line_width = 34}};
static const struct trace_report_type sample_type = {
    .name = "sample", .version = 1, .tables = tables, .table_count = 1};

static const struct trace_column record_columns[] = {
    {.name = "name", .title = "name", .type = TRACE_TYPE_TEXT, .description = "Some words."},
    {.name = "text", .title = "a text", .type = TRACE_TYPE_TEXT, .description = "One word."},
};
static const struct trace_table_type record_tables[] = {{.name = "node",
                                                         .title = "Node",
                                                         .columns = record_columns,
                                                         .column_count = 2,
                                                         .is_record = true}};
static const struct trace_report_type record_type = {
    .name = "record", .version = 1, .tables = record_tables, .table_count = 1};

const struct trace_report_type *const trace_report_types[] = {&sample_type, &record_type, NULL};

/* The allocation with this number fails, counted from 1; 0: none does. */
static unsigned failing_allocation;
static unsigned allocations;
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

void *__wrap_malloc(size_t size)
{
    return ++allocations == failing_allocation ? NULL : __real_malloc(size);
}

struct made_rows {
    bool is_destroyed;
    bool is_filtered;
    int64_t lost;
};

static void make_row(void *context, struct trace_report *report, size_t row)
{
    const struct made_rows *rows = context;
    char name[64];
    memset(name, 'a' + (int)(row % 26), sizeof name);
    trace_report_text(report, row == 0 ? "root" : ". . a name that is much longer than that",
                      row == 0 ? 4 : 40);
    trace_report_text(report, name, 1 + row % sizeof name);
    trace_report_text(report, row == 0 || !rows->is_filtered ? "yes" : "not", 3);
    if (row != 0)
        trace_report_integer(report, rows->lost);
}

static void note_destroyed(void *context)
{
    ((struct made_rows *)context)->is_destroyed = true;
}

static struct trace_report *make_report(struct made_rows *rows, size_t count)
{
    struct trace_report *report;
    struct ludus_error error;
    ck_assert_int_eq(trace_report_create(&sample_type, &report, &error), LUDUS_OK);
    trace_report_make_rows(report, 0, count,
                           (struct trace_row_maker){rows, make_row, note_destroyed});
    ck_assert_int_eq(trace_report_finish(report, &error), LUDUS_OK);
    return report;
}

static void expect(struct made_rows *rows, enum trace_format format, const char *text)
{
    struct trace_report *report = make_report(rows, 2);
    struct trace_render_options options = {.format = format};
    struct memory_sink sink = memory_sink_make(SIZE_MAX);
    struct ludus_error error;
    ck_assert_int_eq(trace_render(report, &options, memory_sink_output(&sink), &error), LUDUS_OK);
    ck_assert_str_eq(sink.bytes, text);
    memory_sink_release(&sink);
    trace_report_destroy(report);
    ck_assert(rows->is_destroyed);
}

START_TEST(people_see_the_tree_and_programs_the_names)
{
    struct made_rows rows = {false, false, 0};
    expect(&rows, TRACE_FORMAT_CSV, "scope,chosen,lost\r\na,yes,\r\nbb,yes,0\r\n");
    expect(&rows, TRACE_FORMAT_MARKDOWN,
           "### Nodes\n\n| scope |\n|:---|\n| root |\n"
           "| . . a name that is much longer than that |\n");
}
END_TEST

START_TEST(dots_are_not_cut_and_the_name_behind_them_is)
{
    struct made_rows rows = {false, false, 0};
    expect(&rows, TRACE_FORMAT_TABLE,
           "Nodes\n  scope\n  root\n  . . a name that i...er than that\n");
}
END_TEST

START_TEST(numbers_are_shown_where_one_is_not_zero)
{
    /* No narrower than dots and a name need. */
    struct made_rows rows = {false, false, 7};
    expect(
        &rows, TRACE_FORMAT_TABLE,
        "Nodes\n  scope                             lost\n  root                                 "
        "-\n"
        "  . . a name that i...er than that     7\n");
}
END_TEST

START_TEST(texts_are_shown_where_rows_differ)
{
    struct made_rows rows = {false, true, 0};
    expect(&rows, TRACE_FORMAT_MARKDOWN,
           "### Nodes\n\n| scope | chosen |\n|:---|:---|\n| root | yes |\n"
           "| . . a name that is much longer than that | not |\n");
}
END_TEST

START_TEST(long_values_of_a_record_go_on_below)
{
    static const char name[] = "a name of many words";
    struct trace_render_options options = {.format = TRACE_FORMAT_TABLE, .width = 20};
    struct memory_sink sink = memory_sink_make(SIZE_MAX);
    struct trace_report *report;
    struct ludus_error error;
    ck_assert_int_eq(trace_report_create(&record_type, &report, &error), LUDUS_OK);
    trace_report_row(report, 0);
    trace_report_text(report, name, strlen(name));
    trace_report_text(report, "withoutblanks", 13);
    ck_assert_int_eq(trace_report_finish(report, &error), LUDUS_OK);
    ck_assert_int_eq(trace_render(report, &options, memory_sink_output(&sink), &error), LUDUS_OK);
    ck_assert_str_eq(sink.bytes, "Node\n  name    a name of\n          many words\n"
                                 "  a text  withoutbla\n          nks\n");
    memory_sink_release(&sink);
    trace_report_destroy(report);
}
END_TEST

START_TEST(a_row_is_the_same_in_any_order)
{
    struct made_rows rows = {false, false, 1};
    struct trace_report *report = make_report(&rows, 100);
    for (size_t row = 100; row-- > 0;) {
        struct trace_cell cell = trace_report_cell(report, 0, row, 1);
        ck_assert_uint_eq(cell.as.text.size, 1 + row % 64);
        ck_assert_int_eq(cell.as.text.data[0], 'a' + (int)(row % 26));
    }
    ck_assert_uint_eq(trace_report_row_count(report, 0), 100);
    trace_report_destroy(report);
}
END_TEST

START_TEST(a_row_without_memory_fails_the_answer)
{
    struct made_rows rows = {false, false, 1};
    struct trace_report *report = make_report(&rows, 3);
    struct trace_render_options options = {.format = TRACE_FORMAT_CSV};
    struct memory_sink sink = memory_sink_make(SIZE_MAX);
    struct ludus_error error;
    allocations = 0;
    failing_allocation = 1; /* the first text of the first row */
    ck_assert_int_eq(trace_render(report, &options, memory_sink_output(&sink), &error),
                     LUDUS_ERROR_MEMORY);
    failing_allocation = 0;
    memory_sink_release(&sink);
    trace_report_destroy(report);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("report rows");
    TCase *cases = tcase_create("report rows");
    tcase_add_test(cases, people_see_the_tree_and_programs_the_names);
    tcase_add_test(cases, dots_are_not_cut_and_the_name_behind_them_is);
    tcase_add_test(cases, numbers_are_shown_where_one_is_not_zero);
    tcase_add_test(cases, texts_are_shown_where_rows_differ);
    tcase_add_test(cases, long_values_of_a_record_go_on_below);
    tcase_add_test(cases, a_row_is_the_same_in_any_order);
    tcase_add_test(cases, a_row_without_memory_fails_the_answer);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
