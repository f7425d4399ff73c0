/* Captures of few frames, and what reports say of them. */
#include "frames_fixture.h"

#include <string.h>

static struct builder_setup setup;

struct capture_builder *frames_build_start(void)
{
    setup = golden_setup;
    setup.more_sites = 2;
    struct capture_builder *builder = builder_create(&setup);
    builder_wait_category(builder, 1);
    builder_site(builder, WAIT, (struct lcap_bytes){(const uint8_t *)"Wait", 4}, 1);
    builder_site(builder, ITEMS, (struct lcap_bytes){(const uint8_t *)"Items", 5}, 0);
    golden_add_track(builder, MAIN, 11, 0, 0, "main");
    golden_add_track(builder, WORKER, 12, 0, 0, "worker");
    builder_domain(builder, 1, "game");
    static const uint64_t marks[] = {100, 200, 300, 500, 600};
    for (size_t i = 0; i < COUNT(marks); i++)
        builder_frame_on(builder, MAIN, 1, i, START + marks[i]);
    return builder;
}

void frames_flow(struct capture_builder *builder, uint32_t track, enum lcap_event_kind kind,
                 uint64_t time_ns, uint32_t site, uint64_t id)
{
    builder_value(builder, track, kind, START + time_ns, site, id);
}

void frames_emit_usual(struct capture_builder *builder, uint64_t begin_ns)
{
    char text[160];
    snprintf(text, sizeof text, "(Frame %llu (Physics %llu )%llu )%llu",
             (unsigned long long)begin_ns, (unsigned long long)begin_ns + 10,
             (unsigned long long)begin_ns + 40, (unsigned long long)begin_ns + 90);
    golden_emit(builder, MAIN, text);
    snprintf(text, sizeof text, "(Job %llu )%llu", (unsigned long long)begin_ns + 20,
             (unsigned long long)begin_ns + 50);
    golden_emit(builder, WORKER, text);
}

struct capture_builder *frames_build_hitch(void)
{
    struct capture_builder *builder = frames_build_start();
    frames_emit_usual(builder, 100);
    frames_emit_usual(builder, 200);
    golden_emit(builder, MAIN, "(Frame 300 (Physics 310 )340 (Physics 350 )380");
    frames_flow(builder, MAIN, LCAP_EVENT_FLOW_OUT, 385, MARK, 7);
    builder_event(builder, MAIN, LCAP_EVENT_BEGIN, START + 390, WAIT);
    builder_event(builder, MAIN, LCAP_EVENT_END, START + 470, 0);
    frames_flow(builder, MAIN, LCAP_EVENT_FLOW_IN, 470, MARK, 8);
    golden_emit(builder, MAIN, "!Mark 480 )490");
    golden_emit(builder, WORKER, "(Job 400");
    frames_flow(builder, WORKER, LCAP_EVENT_FLOW_IN, 400, MARK, 7);
    frames_flow(builder, WORKER, LCAP_EVENT_FLOW_OUT, 455, MARK, 8);
    golden_emit(builder, WORKER, ")460 (Load 480 (Solve 490 )510 )560");
    golden_emit(builder, MAIN, "(Frame 500 (Physics 510 )540 )590");
    golden_emit(builder, WORKER, "(Job 570 )600");
    builder_stop(builder, START + 700);
    builder_finish(builder);
    return builder;
}

struct trace_input *frames_input;

void frames_open(struct capture_builder *builder)
{
    struct ludus_error error;
    export_folder_make();
    const char *path = export_path("capture.lcap");
    export_write_file(path, builder_bytes(builder));
    builder_destroy(builder);
    enum ludus_status status = trace_open(path, 0, &frames_input, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
}

void frames_close(void)
{
    trace_close(frames_input);
    export_folder_remove();
}

struct trace_report *frames_report(const struct trace_frames_options *options)
{
    struct trace_report *report;
    struct ludus_error error;
    enum ludus_status status = trace_report_frames(frames_input, options, &report, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    return report;
}

struct trace_report *frames_explain(uint64_t frame, enum trace_attribution attribution)
{
    const struct trace_explain_options options = {.selection = {.attribution = attribution},
                                                  .frame = frame};
    struct trace_report *report;
    struct ludus_error error;
    enum ludus_status status = trace_report_explain(frames_input, &options, &report, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    return report;
}

size_t frames_table(const struct trace_report *report, const char *name)
{
    const struct trace_report_type *type = trace_report_get_type(report);
    size_t table = 0;
    while (strcmp(type->tables[table].name, name) != 0)
        ck_assert_uint_lt(++table, type->table_count);
    return table;
}

static struct trace_cell cell(const struct trace_report *report, const char *table, size_t row,
                              const char *column)
{
    size_t index = frames_table(report, table), at = 0;
    const struct trace_table_type *type = &trace_report_get_type(report)->tables[index];
    while (strcmp(type->columns[at].name, column) != 0)
        ck_assert_uint_lt(++at, type->column_count);
    ck_assert_uint_lt(row, trace_report_row_count(report, index));
    return trace_report_cell(report, index, row, at);
}

int64_t frames_number(const struct trace_report *report, const char *table, size_t row,
                      const char *column)
{
    struct trace_cell found = cell(report, table, row, column);
    ck_assert_msg(found.kind == TRACE_CELL_INTEGER, "%s.%s of row %zu is no number", table, column,
                  row);
    return found.as.integer;
}

const char *frames_text(const struct trace_report *report, const char *table, size_t row,
                        const char *column)
{
    static char texts[4][128];
    static unsigned next;
    struct trace_cell found = cell(report, table, row, column);
    char *copy = texts[next++ % 4];
    ck_assert_msg(found.kind == TRACE_CELL_TEXT, "%s.%s of row %zu is no text", table, column, row);
    ck_assert_uint_lt(found.as.text.size, sizeof texts[0]);
    memcpy(copy, found.as.text.data, found.as.text.size);
    copy[found.as.text.size] = '\0';
    return copy;
}

size_t frames_rows(const struct trace_report *report, const char *table)
{
    return trace_report_row_count(report, frames_table(report, table));
}

void frames_check_scopes(const struct trace_report *report, size_t first,
                         const struct frames_scope *expected, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        ck_assert_str_eq(frames_text(report, "scopes", first + i, "site"), expected[i].site);
        ck_assert_int_eq(frames_number(report, "scopes", first + i, "excess_ns"),
                         expected[i].excess_ns);
        ck_assert_int_eq(frames_number(report, "scopes", first + i, "own_ns"), expected[i].own_ns);
        ck_assert_int_eq(frames_number(report, "scopes", first + i, "median_ns"),
                         expected[i].median_ns);
        ck_assert_int_eq(frames_number(report, "scopes", first + i, "calls"), expected[i].calls);
        ck_assert_int_eq(frames_number(report, "scopes", first + i, "median_calls"),
                         expected[i].median_calls);
        ck_assert_str_eq(frames_text(report, "scopes", first + i, "cause"), expected[i].cause);
    }
}
