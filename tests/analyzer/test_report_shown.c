/* What of a report people are shown, and which table CSV shows. */
#include <check.h>
#include <string.h>

#include "memory_sink.h"
#include "report.h"

static const struct trace_column columns[] = {
    {.name = "site", .title = "site", .type = TRACE_TYPE_TEXT},
    {.name = "total", .title = "total", .type = TRACE_TYPE_INTEGER, .stands_in_for = "rate"},
    {.name = "rate", .title = "rate", .type = TRACE_TYPE_REAL, .is_left_out_when_same = true},
    {.name = "lost", .title = "lost", .type = TRACE_TYPE_INTEGER, .is_left_out_when_same = true},
};
static const struct trace_table_type tables[] = {
    TRACE_TABLE("sites", "Sites", columns),
    {.name = "facts",
     .title = "Facts",
     .columns = columns,
     .column_count = 4,
     .shown = "lost site_total total"},
    {.name = "hidden", .title = "Hidden", .columns = columns, .column_count = 4, .is_detail = true},
};
static const struct trace_report_type type = {
    .name = "shown", .version = 1, .tables = tables, .table_count = 3};

static struct trace_report *make_report(void)
{
    struct trace_report *report;
    struct ludus_error error;
    ck_assert_int_eq(trace_report_create(&type, &report, &error), LUDUS_OK);
    return report;
}

/* A rate below 0 stands for none. */
static void add_row(struct trace_report *report, size_t table, int64_t total, double rate,
                    int64_t lost)
{
    trace_report_row(report, table);
    trace_report_string(report, "Load");
    trace_report_integer(report, total);
    if (rate < 0)
        trace_report_null(report);
    else
        trace_report_real(report, rate);
    trace_report_integer(report, lost);
}

static void expect_shown(const struct trace_report *report, size_t table, const char *names)
{
    char shown[64] = "";
    for (size_t i = 0; i < 4; i++)
        if (trace_report_shows_column(report, table, i))
            strcat(strcat(shown, columns[i].name), " ");
    ck_assert_str_eq(shown, names);
}

START_TEST(totals_stand_in_where_there_are_no_rates)
{
    struct trace_report *report = make_report();
    add_row(report, 0, 5, -1, 0);
    add_row(report, 0, 6, -1, 0);
    expect_shown(report, 0, "site total ");
    add_row(report, 0, 7, 0.5, 0);
    expect_shown(report, 0, "site rate ");
    add_row(report, 0, 7, -1, 2);
    expect_shown(report, 0, "site rate lost ");
    trace_report_destroy(report);
}
END_TEST

START_TEST(a_table_may_name_what_people_see)
{
    struct trace_report *report = make_report();
    add_row(report, 1, 5, 1, 0);
    expect_shown(report, 1, "total lost ");
    trace_report_destroy(report);
}
END_TEST

START_TEST(tables_of_details_are_for_programs)
{
    struct trace_report *report = make_report();
    add_row(report, 2, 5, 1, 0);
    ck_assert(trace_report_shows_table(report, 0));
    ck_assert(!trace_report_shows_table(report, 2));
    trace_report_destroy(report);
}
END_TEST

/* Of each row its name, file (NULL: none) and line; and which columns people see. */
static const struct {
    struct {
        const char *name, *file;
        int64_t line;
    } rows[4];
    bool shows_file, shows_line;
} alike[] = {
    {{{"Step", "a.c", 1}, {"Sort", "b.c", 2}, {"Draw", "b.c", 3}}, false, false},
    {{{"Step", "a.c", 1}, {"Step", "a.c", 1}}, false, false}, /* such as in two windows */
    {{{"Step", "a.c", 1}, {"Sort", "c.c", 5}, {"Step", "b.c", 1}}, true, false},
    {{{"Step", "a.c", 1}, {"Sort", "c.c", 5}, {"Step", "a.c", 2}}, false, true},
    {{{"Step", "a.c", 1}, {"Step", "b.c", 2}}, true, false}, /* the file is enough */
    {{{"Step", "a.c", 1}, {"Step", "b.c", 2}, {"Step", "b.c", 3}}, true, true},
    {{{"Step", "a.c", 1}, {"Step", NULL, 1}}, true, false},
};

START_TEST(rows_of_one_name_are_told_apart_by_their_place)
{
    static const struct trace_column places[] = {
        {.name = "site", .title = "site", .type = TRACE_TYPE_TEXT},
        {.name = "file", .title = "file", .type = TRACE_TYPE_TEXT, .tells_apart = "site"},
        {.name = "line", .title = "line", .type = TRACE_TYPE_INTEGER, .tells_apart = "site file"},
    };
    static const struct trace_table_type table = TRACE_TABLE("sites", "Sites", places);
    static const struct trace_report_type place_type = {
        .name = "places", .version = 1, .tables = &table, .table_count = 1};
    struct trace_report *report;
    struct ludus_error error;
    ck_assert_int_eq(trace_report_create(&place_type, &report, &error), LUDUS_OK);
    for (size_t i = 0; i < 4 && alike[_i].rows[i].name != NULL; i++) {
        trace_report_row(report, 0);
        trace_report_string(report, alike[_i].rows[i].name);
        if (alike[_i].rows[i].file == NULL)
            trace_report_null(report);
        else
            trace_report_string(report, alike[_i].rows[i].file);
        trace_report_integer(report, alike[_i].rows[i].line);
    }
    ck_assert(trace_report_shows_column(report, 0, 0));
    ck_assert_int_eq(trace_report_shows_column(report, 0, 1), alike[_i].shows_file);
    ck_assert_int_eq(trace_report_shows_column(report, 0, 2), alike[_i].shows_line);
    trace_report_destroy(report);
}
END_TEST

START_TEST(a_report_may_say_which_table_is_its_main_one)
{
    const struct trace_render_options options = {.format = TRACE_FORMAT_CSV};
    struct trace_report *report = make_report();
    struct memory_sink sink = memory_sink_make(SIZE_MAX);
    struct ludus_error error;
    add_row(report, 0, 5, 1, 0);
    add_row(report, 2, 9, 1, 0);
    trace_report_set_main(report, 2);
    ck_assert_int_eq(trace_render(report, &options, memory_sink_output(&sink), &error), LUDUS_OK);
    ck_assert_ptr_nonnull(strstr(sink.bytes, "Load,9,"));
    ck_assert_ptr_null(strstr(sink.bytes, "Load,5,"));
    memory_sink_release(&sink);
    trace_report_destroy(report);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("report shown");
    TCase *cases = tcase_create("report shown");
    tcase_add_test(cases, totals_stand_in_where_there_are_no_rates);
    tcase_add_test(cases, a_table_may_name_what_people_see);
    tcase_add_test(cases, tables_of_details_are_for_programs);
    tcase_add_loop_test(cases, rows_of_one_name_are_told_apart_by_their_place, 0,
                        sizeof alike / sizeof alike[0]);
    tcase_add_test(cases, a_report_may_say_which_table_is_its_main_one);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
