/* A report says the same in every format, whatever is in its names. */
#include <check.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "sample_report.h"

static void expect(enum trace_format format, const char *table, bool color, const char *text)
{
    struct trace_report *report;
    struct memory_sink sink;
    struct ludus_error error;

    ck_assert_int_eq(sample_report_make(&report, &error), LUDUS_OK);
    sample_report_render(report, format, table, color, &sink);
    ck_assert_str_eq(sink.bytes, text);
    memory_sink_release(&sink);
    trace_report_destroy(report);
}

START_TEST(tables_are_aligned)
{
    expect(TRACE_FORMAT_TABLE, NULL, false,
           "Losses: none\n"
           "\n"
           "Items|all\n"
           "  name           calls      time  per frame  file\n"
           "  Physics/Step  12,345  16.67 ms       2.50  a.c\n"
           "  \"x\", <b>|\\n\xEF\xBF\xBD       -     -1 ns          -  -\n"
           "  * 600 frames of Render_1.\n");
}
END_TEST

START_TEST(colors_change_nothing_but_the_style)
{
    expect(TRACE_FORMAT_TABLE, NULL, true,
           "\x1b[1mLosses\x1b[0m: none\n"
           "\n"
           "\x1b[1mItems|all\x1b[0m\n"
           "\x1b[1m  name           calls      time  per frame  file\x1b[0m\n"
           "  Physics/Step  12,345  16.67 ms       2.50  a.c\n"
           "  \"x\", <b>|\\n\xEF\xBF\xBD       -     -1 ns          -  -\n"
           "\x1b[2m  * 600 frames of Render_1.\n\x1b[0m");
}
END_TEST

START_TEST(csv_is_exact_and_quoted)
{
    expect(TRACE_FORMAT_CSV, NULL, false,
           "name,calls,time_ns,per_frame,file\r\n"
           "Physics/Step,12345,16666667,2.50,a.c\r\n"
           "\"\"\"x\"\", <b>|\n\xEF\xBF\xBD\",,-1,,\r\n");
    expect(TRACE_FORMAT_CSV, "losses", false, "track\r\n");
}
END_TEST

START_TEST(markdown_has_no_markup_from_names)
{
    expect(TRACE_FORMAT_MARKDOWN, NULL, false,
           "### Losses\n"
           "\n"
           "| track |\n"
           "|:---|\n"
           "\n"
           "### Items\\|all\n"
           "\n"
           "| name | calls | time | per frame | file |\n"
           "|:---|---:|---:|---:|:---|\n"
           "| Physics/Step | 12,345 | 16.67 ms | 2.50 | a.c |\n"
           "| \"x\", &lt;b&gt;\\|\\\\n\xEF\xBF\xBD | - | -1 ns | - | - |\n"
           "\n"
           "- 600 frames of Render\\_1.\n");
}
END_TEST

static json_t *load(const struct memory_sink *sink)
{
    json_error_t why;
    json_t *root = json_loadb(sink->bytes, sink->size, 0, &why);

    ck_assert_msg(root != NULL, "%s", why.text);
    return root;
}

START_TEST(json_holds_exact_values_under_the_columns_names)
{
    struct trace_report *report;
    struct memory_sink sink;
    struct ludus_error error;
    json_t *root, *expected;
    json_error_t why;

    ck_assert_int_eq(sample_report_make(&report, &error), LUDUS_OK);
    sample_report_render(report, TRACE_FORMAT_JSON, NULL, false, &sink);
    root = load(&sink);
    expected = json_pack_ex(
        &why, 0,
        "{s:s, s:i, s:{s:{s:s, s:[], s:[]}, s:{s:s, s:[s], s:[{s:s, s:i, s:i, s:f, s:s},"
        "{s:s, s:n, s:i, s:n, s:n}]}}}",
        "report", "sample", "version", 3, "tables", "losses", "title", "Losses", "rows", "notes",
        "items", "title", "Items|all", "notes", "600 frames of Render_1.", "rows", "name",
        "Physics/Step", "calls", 12345, "time_ns", 16666667, "per_frame", 2.5, "file", "a.c",
        "name", "\"x\", <b>|\n\xEF\xBF\xBD", "calls", "time_ns", -1, "per_frame", "file");
    ck_assert_msg(expected != NULL, "%s", why.text);
    /* The columns are compared with their table in the next test. */
    json_object_del(json_object_get(json_object_get(root, "tables"), "losses"), "columns");
    json_object_del(json_object_get(json_object_get(root, "tables"), "items"), "columns");
    ck_assert(json_equal(root, expected));
    json_decref(root);
    json_decref(expected);
    memory_sink_release(&sink);
    trace_report_destroy(report);
}
END_TEST

static void expect_text(const json_t *object, const char *key, const char *text)
{
    const json_t *value = json_object_get(object, key);

    if (text == NULL)
        ck_assert(json_is_null(value));
    else
        ck_assert_str_eq(json_string_value(value), text);
}

START_TEST(json_says_what_its_columns_mean)
{
    static const char *const units[] = {NULL, "count", "ns", "per frame", NULL};
    struct trace_report *report;
    struct memory_sink sink;
    struct ludus_error error;
    json_t *root, *columns;

    ck_assert_int_eq(sample_report_make(&report, &error), LUDUS_OK);
    sample_report_render(report, TRACE_FORMAT_JSON, NULL, false, &sink);
    root = load(&sink);
    columns = json_object_get(json_object_get(json_object_get(root, "tables"), "items"), "columns");
    ck_assert_uint_eq(json_array_size(columns), 5);
    for (size_t i = 0; i < 5; i++) {
        json_t *column = json_array_get(columns, i);

        expect_text(column, "name", sample_report_items[i].name);
        expect_text(column, "unit", units[i]);
        expect_text(column, "window", sample_report_items[i].window);
        expect_text(column, "denominator", sample_report_items[i].denominator);
        expect_text(column, "description", sample_report_items[i].description);
    }
    json_decref(root);
    memory_sink_release(&sink);
    trace_report_destroy(report);
}
END_TEST

START_TEST(long_names_are_cut_in_the_middle)
{
    struct trace_report *report;
    struct memory_sink sink;
    struct ludus_error error;
    char name[400];

    for (size_t i = 0; i < sizeof name; i++)
        name[i] = (char)('a' + i % 26);
    ck_assert_int_eq(trace_report_create(trace_report_types[0], &report, &error), LUDUS_OK);
    trace_report_row(report, 1);
    trace_report_text(report, name, sizeof name);
    trace_report_integer(report, 1);
    sample_report_render(report, TRACE_FORMAT_TABLE, NULL, false, &sink);
    for (const char *line = strtok(sink.bytes, "\n"); line != NULL; line = strtok(NULL, "\n"))
        ck_assert_uint_le(strlen(line), 160);
    sample_report_render(report, TRACE_FORMAT_TABLE, NULL, false, &sink);
    ck_assert_ptr_nonnull(strstr(sink.bytes, "  abcdefghij"));
    ck_assert_ptr_nonnull(strstr(sink.bytes, "..."));
    ck_assert_ptr_nonnull(strstr(sink.bytes, "fghij  ")); /* 400 = 15 * 26 + 10 letters */
    memory_sink_release(&sink);
    sample_report_render(report, TRACE_FORMAT_MARKDOWN, NULL, false, &sink);
    ck_assert_ptr_null(strstr(sink.bytes, "..."));
    memory_sink_release(&sink);
    trace_report_destroy(report);
}
END_TEST

/* The names of rows as the table shows them. */
static void expect_names(const char *const *names, size_t count, const char *const *shown)
{
    struct trace_render_options options = {.format = TRACE_FORMAT_TABLE, .width = 60};
    struct memory_sink sink = memory_sink_make(SIZE_MAX);
    struct trace_report *report;
    struct ludus_error error;

    ck_assert_int_eq(trace_report_create(trace_report_types[0], &report, &error), LUDUS_OK);
    for (size_t i = 0; i < count; i++) {
        trace_report_row(report, 1);
        trace_report_text(report, names[i], strlen(names[i]));
        trace_report_integer(report, 1);
    }
    ck_assert_int_eq(trace_render(report, &options, memory_sink_output(&sink), &error), LUDUS_OK);
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(strstr(sink.bytes, shown[i]) != NULL, "%s is not in\n%s", shown[i],
                      sink.bytes);
    for (const char *line = strtok(sink.bytes, "\n"); line != NULL; line = strtok(NULL, "\n"))
        ck_assert_uint_le(strlen(line), 60);
    memory_sink_release(&sink);
    trace_report_destroy(report);
}

START_TEST(names_that_are_cut_can_still_be_told_apart)
{
    /* 28 columns: 13 of the start are usually kept, and 12 of the end. */
    expect_names(
        (const char *[]){"Level/of/the/first/world/begin", "Level/of/the/later/world/begin"}, 2,
        (const char *[]){"  Level/of/the/f...world/begin  ", "  Level/of/the/l...world/begin  "});
    expect_names(
        (const char *[]){"Streaming/of/Level/A/of/the/game", "Streaming/of/Level/B/of/the/game"}, 2,
        (const char *[]){"  Streaming/of...A/of/the/game  ", "  Streaming/of...B/of/the/game  "});
}
END_TEST

START_TEST(words_are_cut_behind_names)
{
    static const struct trace_column columns[] = {
        {.name = "name", .title = "name", .type = TRACE_TYPE_TEXT, .description = "A name."},
        {.name = "why",
         .title = "why",
         .type = TRACE_TYPE_TEXT,
         .is_cut_last = true,
         .description = "Words."},
    };
    static const struct trace_table_type table = TRACE_TABLE("rows", "Rows", columns);
    static const struct trace_report_type type = {"words", 1, &table, 1, 0, 0};
    static const char *const words[][2] = {
        {"calls +100.0 %, each 0.0 ns -> 50 ns",
         "  Streaming...the/game  calls +100.0 %, each 0.0 ns -> 50 ns\n"},
        {"these words are so many that they do not fit beside the least of names",
         "  Streami...e/game  these words are so ...the least of names\n"},
    };
    for (size_t i = 0; i < 2; i++) {
        struct trace_render_options options = {.format = TRACE_FORMAT_TABLE, .width = 60};
        struct memory_sink sink = memory_sink_make(SIZE_MAX);
        struct trace_report *report;
        struct ludus_error error;
        ck_assert_int_eq(trace_report_create(&type, &report, &error), LUDUS_OK);
        trace_report_row(report, 0);
        trace_report_string(report, "Streaming/of/the/whole/level/of/the/game");
        trace_report_string(report, words[i][0]);
        ck_assert_int_eq(trace_render(report, &options, memory_sink_output(&sink), &error),
                         LUDUS_OK);
        ck_assert_msg(strstr(sink.bytes, words[i][1]) != NULL, "%s", sink.bytes);
        memory_sink_release(&sink);
        trace_report_destroy(report);
    }
}
END_TEST

START_TEST(lines_that_are_too_long_go_on_below)
{
    /* No 28 columns hold what differs; with more, all columns do not fit side by side. */
    expect_names((const char *[]){"abcdefghijklmnopqrstuvwxyzABC1abcdefghijklmnopqrstuvwxyzABC",
                                  "abcdefghijklmnopqrstuvwxyzABC2abcdefghijklmnopqrstuvwxyzABC"},
                 2,
                 (const char *[]){"  abcdefghijklmnopqrstuvwxyzABC1...      1     -          -\n",
                                  "  abcdefghijklmnopqrstuvwxyzABC2...  -\n"});
}
END_TEST

START_TEST(notes_are_wrapped_between_words)
{
    struct trace_report *report;
    struct memory_sink sink;
    struct ludus_error error;

    ck_assert_int_eq(trace_report_create(trace_report_types[0], &report, &error), LUDUS_OK);
    for (int i = 0; i < 2; i++)
        trace_report_note(report, 0, "%s",
                          "Inclusive and exclusive time are not CPU time: time that a scope spends "
                          "waiting is inside both, and is not told apart here.");
    sample_report_render(report, TRACE_FORMAT_TABLE, NULL, false, &sink);
    ck_assert_ptr_nonnull(strstr(
        sink.bytes,
        ": none\n"
        "  * Inclusive and exclusive time are not CPU time: time that a scope spends waiting "
        "is inside both,\n"
        "    and is not told apart here.\n"
        "  * Inclusive"));
    memory_sink_release(&sink);
    trace_report_destroy(report);
}
END_TEST

static json_t *find(json_t *root, const char *const *keys)
{
    for (; *keys != NULL; keys++)
        root = json_object_get(root, *keys);
    return root;
}

/* Every member that a report has is required by its schema, with the type of its column. */
START_TEST(the_schema_names_every_table_and_column)
{
    struct memory_sink sink = memory_sink_make(SIZE_MAX);
    struct ludus_error error;
    json_t *root, *required, *properties;

    ck_assert_int_eq(trace_schema_json("sample", memory_sink_output(&sink), &error), LUDUS_OK);
    root = load(&sink);
    ck_assert_int_eq(
        json_integer_value(find(root, (const char *[]){"properties", "version", "const", NULL})),
        3);
    properties = find(root, (const char *[]){"properties", "tables", "properties", NULL});
    ck_assert_uint_eq(json_object_size(properties), 2);
    properties = find(properties, (const char *[]){"items", "properties", "rows", "items", NULL});
    required = json_object_get(properties, "required");
    properties = json_object_get(properties, "properties");
    ck_assert_uint_eq(json_array_size(required), 5);
    for (size_t i = 0; i < 5; i++) {
        static const char *const types[] = {"string", "integer", "integer", "number", "string"};
        json_t *column = json_object_get(properties, sample_report_items[i].name);

        ck_assert_str_eq(json_string_value(json_array_get(required, i)),
                         sample_report_items[i].name);
        ck_assert_str_eq(json_string_value(json_array_get(json_object_get(column, "type"), 0)),
                         types[i]);
    }
    expect_text(json_object_get(properties, "per_frame"), "description",
                "How often in each frame. Unit: per frame. Window: complete frames. "
                "Divided by: complete frames.");
    json_decref(root);
    memory_sink_release(&sink);
}
END_TEST

static const struct trace_column record_columns[] = {
    {.name = "program", .title = "program", .type = TRACE_TYPE_TEXT, .description = "Who."},
    {.name = "commit", .title = "commit", .type = TRACE_TYPE_TEXT, .description = "Unknown."},
    {.name = "end_ns",
     .title = "duration",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_NANOSECONDS,
     .description = "How long."},
    {.name = "id",
     .title = "id",
     .type = TRACE_TYPE_TEXT,
     .description = "For machines.",
     .is_detail = true},
};
static const struct trace_table_type record_tables[] = {
    {.name = "session",
     .title = "Session",
     .columns = record_columns,
     .column_count = 4,
     .is_record = true},
    TRACE_TABLE("rows", "Rows", record_columns),
};
static const struct trace_report_type record_type = {"record", 1, record_tables, 2, 1, 0};

/* Puts the same row into both tables. */
static void expect_record(enum trace_format format, const char *text)
{
    struct trace_report *report;
    struct ludus_error error;
    struct memory_sink sink = {0};
    ck_assert_int_eq(trace_report_create(&record_type, &report, &error), LUDUS_OK);
    for (size_t table = 0; table < 2; table++) {
        trace_report_row(report, table);
        trace_report_text(report, "arena", 5);
        trace_report_null(report);
        trace_report_integer(report, 1500000);
        trace_report_text(report, "0123", 4);
    }
    ck_assert_int_eq(trace_report_finish(report, &error), LUDUS_OK);
    sample_report_render(report, format, NULL, false, &sink);
    ck_assert_str_eq(sink.bytes, text);
    memory_sink_release(&sink);
    trace_report_destroy(report);
}

START_TEST(people_see_records_as_lines_and_no_details)
{
    expect_record(TRACE_FORMAT_TABLE, "Session\n"
                                      "  program   arena\n"
                                      "  duration  1.500 ms\n"
                                      "\n"
                                      "Rows\n"
                                      "  program  commit  duration\n"
                                      "  arena    -       1.500 ms\n");
    expect_record(TRACE_FORMAT_MARKDOWN, "### Session\n"
                                         "\n"
                                         "| program | commit | duration |\n"
                                         "|:---|:---|---:|\n"
                                         "| arena | - | 1.500 ms |\n"
                                         "\n"
                                         "### Rows\n"
                                         "\n"
                                         "| program | commit | duration |\n"
                                         "|:---|:---|---:|\n"
                                         "| arena | - | 1.500 ms |\n");
    expect_record(TRACE_FORMAT_CSV, "program,commit,end_ns,id\r\narena,,1500000,0123\r\n");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("report");
    TCase *tests = tcase_create("report");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_test(tests, tables_are_aligned);
    tcase_add_test(tests, people_see_records_as_lines_and_no_details);
    tcase_add_test(tests, colors_change_nothing_but_the_style);
    tcase_add_test(tests, csv_is_exact_and_quoted);
    tcase_add_test(tests, markdown_has_no_markup_from_names);
    tcase_add_test(tests, json_holds_exact_values_under_the_columns_names);
    tcase_add_test(tests, json_says_what_its_columns_mean);
    tcase_add_test(tests, long_names_are_cut_in_the_middle);
    tcase_add_test(tests, names_that_are_cut_can_still_be_told_apart);
    tcase_add_test(tests, words_are_cut_behind_names);
    tcase_add_test(tests, lines_that_are_too_long_go_on_below);
    tcase_add_test(tests, notes_are_wrapped_between_words);
    tcase_add_test(tests, the_schema_names_every_table_and_column);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
