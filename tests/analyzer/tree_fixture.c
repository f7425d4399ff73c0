/* Trees and exports of small captures. */
#include "tree_fixture.h"

#include <stdio.h>
#include <string.h>

static const char *const names[] = {"capture.lcap", "capture.db"};

void tree_fixture_write(struct capture_builder *builder)
{
    const char *path = export_path(names[0]);
    struct ludus_error error = {0};
    export_write_file(path, builder_bytes(builder));
    enum ludus_status status = trace_import(&path, 1, NULL, export_path(names[1]), NULL, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
}

static struct trace_input *open_input(const char *name)
{
    struct trace_input *input;
    struct ludus_error error = {0};
    enum ludus_status status = trace_open(export_path(name), 0, &input, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    return input;
}

/* --- reports --------------------------------------------------------------------------------- */

static struct memory_sink make_json(const char *name, const struct trace_tree_options *options)
{
    const struct trace_render_options json = {.format = TRACE_FORMAT_JSON};
    struct memory_sink sink = memory_sink_make(SIZE_MAX);
    struct trace_input *input = open_input(name);
    struct trace_report *report;
    struct ludus_error error = {0};
    enum ludus_status status = trace_report_tree(input, options, &report, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    status = trace_render(report, &json, memory_sink_output(&sink), &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    trace_report_destroy(report);
    trace_close(input);
    return sink;
}

/* The table of the tree; from the capture and the database it must be the same. */
static json_t *load_table(const struct trace_tree_options *options)
{
    struct memory_sink from_capture = make_json(names[0], options);
    struct memory_sink from_database = make_json(names[1], options);
    export_assert_same(from_capture.bytes, from_database.bytes);
    json_t *root = json_loads(from_capture.bytes, 0, NULL);
    ck_assert_ptr_nonnull(root);
    json_t *table = json_deep_copy(json_object_get(json_object_get(root, "tables"), "tree"));
    json_decref(root);
    memory_sink_release(&from_capture);
    memory_sink_release(&from_database);
    return table;
}

struct row_text {
    char *text;
    size_t size;
};

static void append(struct row_text *rows, const char *text)
{
    size_t size = strlen(text);
    rows->text = realloc(rows->text, rows->size + size + 1);
    ck_assert_ptr_nonnull(rows->text);
    memcpy(rows->text + rows->size, text, size + 1);
    rows->size += size;
}

/* A space and the value; "-" for null. */
static void append_value(struct row_text *rows, const json_t *row, const char *key)
{
    const json_t *value = json_object_get(row, key);
    char number[64] = " -";
    ck_assert_msg(value != NULL, "there is no %s", key);
    if (json_is_string(value)) {
        append(rows, " ");
        append(rows, json_string_value(value));
        return;
    }
    if (json_is_integer(value))
        snprintf(number, sizeof number, " %lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        snprintf(number, sizeof number, " %.1f", json_real_value(value));
    append(rows, number);
}

static void append_count(struct row_text *rows, const json_t *row, const char *key)
{
    char text[64];
    long long count = json_integer_value(json_object_get(row, key));
    snprintf(text, sizeof text, " %s %lld", key, count);
    append(rows, count == 0 ? "" : text);
}

static void append_row(struct row_text *rows, const json_t *row, bool has_windows)
{
    static const char *const whole[] = {"node",  "parent",       "scope",
                                        "calls", "inclusive_ns", "exclusive_ns"};
    static const char *const each[] = {"inclusive_per_frame_ns", "exclusive_per_frame_ns",
                                       "parent_share_percent", "frame_share_percent"};
    static const char *const rare[] = {"recursion", "incomplete", "children_lost", "left_out"};
    if (has_windows) {
        append(rows, json_string_value(json_object_get(row, "window")));
        append(rows, ": ");
    }
    append(rows, json_string_value(json_object_get(row, "kind")));
    for (size_t i = 0; i < 6; i++)
        append_value(rows, row, whole[i]);
    if (!json_is_null(json_object_get(row, each[0]))) {
        append(rows, " |");
        for (size_t i = 0; i < 4; i++)
            append_value(rows, row, each[i]);
    }
    for (size_t i = 0; i < 4; i++)
        append_count(rows, row, rare[i]);
    bool is_chosen = strcmp(json_string_value(json_object_get(row, "chosen")), "yes") == 0;
    append(rows, is_chosen ? "\n" : " around\n");
}

char *tree_fixture_rows(const struct trace_tree_options *options)
{
    json_t *table = load_table(options);
    const json_t *row;
    size_t index;
    struct row_text rows = {NULL, 0};
    append(&rows, "");
    json_array_foreach(json_object_get(table, "rows"), index, row)
        append_row(&rows, row, options->selection.window_count > 1);
    json_decref(table);
    return rows.text;
}

void tree_fixture_expect(const struct trace_tree_options *options, const char *rows)
{
    char *found = tree_fixture_rows(options);
    ck_assert_str_eq(found, rows);
    free(found);
}

void tree_fixture_expect_note(const struct trace_tree_options *options, const char *part)
{
    json_t *table = load_table(options);
    const json_t *note;
    size_t index;
    bool is_found = false;
    json_array_foreach(json_object_get(table, "notes"), index, note) is_found =
        is_found || strstr(json_string_value(note), part) != NULL;
    ck_assert_msg(is_found, "no note says: %s", part);
    json_decref(table);
}

/* --- exports --------------------------------------------------------------------------------- */

static struct memory_sink make_folded(const char *name, const struct trace_selection *selection,
                                      bool are_tracks_apart)
{
    struct memory_sink sink = memory_sink_make(SIZE_MAX);
    struct trace_input *input = open_input(name);
    struct ludus_error error = {0};
    enum ludus_status status =
        trace_export_folded(input, selection, are_tracks_apart, memory_sink_output(&sink), &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    trace_close(input);
    return sink;
}

static struct memory_sink make_slices(const char *name, const struct trace_selection *selection)
{
    struct memory_sink sink = memory_sink_make(SIZE_MAX);
    struct trace_input *input = open_input(name);
    struct ludus_error error = {0};
    enum ludus_status status =
        trace_export_slices(input, selection, memory_sink_output(&sink), &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    trace_close(input);
    return sink;
}

struct memory_sink tree_fixture_folded(const struct trace_selection *selection,
                                       bool are_tracks_apart)
{
    struct memory_sink from_capture = make_folded(names[0], selection, are_tracks_apart);
    struct memory_sink from_database = make_folded(names[1], selection, are_tracks_apart);
    ck_assert_pstr_eq(from_capture.bytes, from_database.bytes);
    memory_sink_release(&from_database);
    return from_capture;
}

struct memory_sink tree_fixture_slices(const struct trace_selection *selection)
{
    struct memory_sink from_capture = make_slices(names[0], selection);
    struct memory_sink from_database = make_slices(names[1], selection);
    export_assert_same(from_capture.bytes, from_database.bytes);
    memory_sink_release(&from_database);
    return from_capture;
}
