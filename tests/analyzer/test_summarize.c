/* What the summarize report says of small captures, from the file and from a database of it. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden_fixture.h"
#include "tree_fixture.h"

static char *make_json(const char *name, const struct trace_summarize_options *options)
{
    const struct trace_render_options format = {.format = TRACE_FORMAT_JSON};
    struct memory_sink sink = memory_sink_make(SIZE_MAX);
    struct trace_input *input = NULL;
    struct trace_report *report = NULL;
    struct ludus_error error = {0};
    enum ludus_status status = trace_open(export_path(name), 0, &input, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    status = trace_report_summarize(input, options, &report, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    status = trace_render(report, &format, memory_sink_output(&sink), &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    trace_report_destroy(report);
    trace_close(input);
    return sink.bytes;
}

/* The rows of a table; both inputs must say the same. The caller releases them. */
static json_t *summarize(const struct trace_summarize_options *options, const char *table)
{
    char *from_capture = make_json("capture.lcap", options);
    char *from_database = make_json("capture.db", options);
    export_assert_same(from_capture, from_database);
    json_t *root = json_loads(from_capture, 0, NULL);
    ck_assert_ptr_nonnull(root);
    json_t *rows = json_deep_copy(
        json_object_get(json_object_get(json_object_get(root, "tables"), table), "rows"));
    ck_assert_ptr_nonnull(rows);
    json_decref(root);
    free(from_capture);
    free(from_database);
    return rows;
}

static void finish(struct capture_builder *builder)
{
    builder_stop(builder, START + 1000);
    builder_finish(builder);
    tree_fixture_write(builder);
    builder_destroy(builder);
}

/* A runaway recursion of 300 levels: each has a row, and no row names all that are around it. */
START_TEST(deep_paths_are_named_by_both_their_ends)
{
    const struct trace_summarize_options by_path = {.by = TRACE_BY_PATH,
                                                    .sort = TRACE_SORT_INCLUSIVE};
    struct capture_builder *builder = builder_create(&golden_setup);
    golden_add_track(builder, 1, 101, 0, 0, "main");
    golden_emit(builder, 1, "(Frame 0");
    for (int i = 1; i < 300; i++) {
        char text[32];
        snprintf(text, sizeof text, "(Solve %d", i);
        golden_emit(builder, 1, text);
    }
    for (int i = 0; i < 300; i++) {
        char text[32];
        snprintf(text, sizeof text, ")%d", 400 + i);
        golden_emit(builder, 1, text);
    }
    finish(builder);
    json_t *rows = summarize(&by_path, "paths");
    ck_assert_uint_eq(json_array_size(rows), 300);
    const char *first = json_string_value(json_object_get(json_array_get(rows, 0), "path"));
    const json_t *deepest = json_array_get(rows, 299);
    const char *last = json_string_value(json_object_get(deepest, "path"));
    ck_assert_str_eq(first, "Frame");
    ck_assert_int_eq(json_integer_value(json_object_get(deepest, "depth")), 299);
    ck_assert_uint_eq(strlen(last), 200 * strlen("Solve > ") - 3 + strlen(" > ..."));
    ck_assert_ptr_nonnull(strstr(last, "Solve > ... > Solve"));
    json_decref(rows);
}
END_TEST

/* Work of which nothing is known is not the same as none. */
START_TEST(work_that_is_not_known_is_null)
{
    const struct trace_summarize_options by_track = {.by = TRACE_BY_TRACK};
    struct capture_builder *builder = builder_create(&golden_setup);
    golden_add_track(builder, 1, 101, 0, 0, "main");
    golden_add_track(builder, 2, 102, 0, 0, "open");
    golden_add_track(builder, 3, 103, 0, 0, "idle");
    golden_emit(builder, 1, "(Frame 0 )100");
    golden_emit(builder, 2, "(Job 50");
    finish(builder);
    json_t *rows = summarize(&by_track, "tracks");
    const json_t *row;
    size_t index;
    ck_assert_uint_eq(json_array_size(rows), 3);
    json_array_foreach(rows, index, row)
    {
        const char *track = json_string_value(json_object_get(row, "track"));
        const json_t *work = json_object_get(row, "work_ns");
        if (strcmp(track, "open") == 0)
            ck_assert_msg(json_is_null(work), "%s", track);
        else
            ck_assert_int_eq(json_integer_value(work), strcmp(track, "main") == 0 ? 100 : 0);
    }
    json_decref(rows);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("summarize");
    TCase *tests = tcase_create("summarize");
    SRunner *runner = srunner_create(suite);
    tcase_add_checked_fixture(tests, export_folder_make, export_folder_remove);
    tcase_add_test(tests, deep_paths_are_named_by_both_their_ends);
    tcase_add_test(tests, work_that_is_not_known_is_null);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
