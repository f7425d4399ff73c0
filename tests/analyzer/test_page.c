/* Pages, whose data are read again: what is in them, that they are bounded, and that no name gets
 * out of its text. */
#include <check.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "export_fixture.h"
#include "frames_fixture.h"

#define MOST_BYTES 2000000u

static struct builder_setup setup;
static char name[32];

static struct lcap_bytes bytes_of(const char *text)
{
    return (struct lcap_bytes){(const uint8_t *)text, strlen(text)};
}

/* The data of a page, between the only script element of that kind and its end. */
static json_t *read_data(const struct memory_sink *page)
{
    static const char mark[] = "<script id=\"data\" type=\"application/json\">";
    const char *begin = strstr(page->bytes, mark);
    json_error_t error;
    ck_assert_ptr_nonnull(begin);
    begin += sizeof mark - 1;
    const char *end = strchr(begin, '<');
    ck_assert_ptr_nonnull(end);
    ck_assert_int_eq(strncmp(end, "</script>\n<script>", 18), 0);
    json_t *data = json_loadb(begin, (size_t)(end - begin), 0, &error);
    ck_assert_msg(data != NULL, "%s", error.text);
    return data;
}

/* Of the capture, and of the database made of it, which have one page. Takes the builder over. */
static json_t *page_of(struct capture_builder *builder, const struct trace_page_options *options)
{
    struct trace_input *inputs[2];
    const struct trace_model *models[2];
    struct memory_sink pages[2];
    struct ludus_error error;
    builder_finish(builder);
    export_open_both(builder_bytes(builder), inputs, models);
    builder_destroy(builder);
    for (size_t i = 0; i < 2; i++) {
        pages[i] = memory_sink_make(MOST_BYTES);
        ck_assert_int_eq(
            trace_export_page(inputs[i], options, memory_sink_output(&pages[i]), &error), LUDUS_OK);
        trace_close(inputs[i]);
    }
    export_assert_same(pages[0].bytes, pages[1].bytes);
    json_t *data = read_data(&pages[0]);
    memory_sink_release(&pages[0]);
    memory_sink_release(&pages[1]);
    return data;
}

static const json_t *table_of(const json_t *data, const char *report, const char *table)
{
    const json_t *found = json_object_get(json_object_get(data, report), table);
    ck_assert_ptr_nonnull(found);
    return found;
}

static size_t rows_of(const json_t *table)
{
    return json_array_size(json_object_get(table, "rows"));
}

static const json_t *cell_of(const json_t *table, size_t row, const char *column)
{
    const json_t *columns = json_object_get(table, "columns");
    size_t at = 0;
    while (strcmp(json_string_value(json_object_get(json_array_get(columns, at), "name")),
                  column) != 0)
        at++;
    return json_array_get(json_array_get(json_object_get(table, "rows"), row), at);
}

static int64_t number_of(const json_t *table, size_t row, const char *column)
{
    const json_t *cell = cell_of(table, row, column);
    ck_assert_msg(json_is_integer(cell), "%s of row %zu is no integer", column, row);
    return json_integer_value(cell);
}

static const char *text_of(const json_t *table, size_t row, const char *column)
{
    return json_string_value(cell_of(table, row, column));
}

static struct capture_builder *start(uint32_t more_sites)
{
    setup = golden_setup;
    setup.more_sites = more_sites;
    return builder_create(&setup);
}

/* A site for each number from `first` on, named after it. */
static void add_sites(struct capture_builder *builder, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        (void)snprintf(name, sizeof name, "site %u", i);
        builder_site(builder, first + i, bytes_of(name), 0);
    }
}

/* --- frames ---------------------------------------------------------------------------------- */

#define FRAMES 5000u
#define HITCH  3777u

START_TEST(no_hitch_disappears_among_many_frames)
{
    const struct trace_page_options options = {.budget_ns = 500};
    struct capture_builder *builder = start(0);
    uint64_t time_ns = 100, frames = 0, hitches = 0;
    golden_add_track(builder, MAIN, 11, 0, 0, "main");
    builder_domain(builder, 1, "game");
    for (uint32_t i = 0; i <= FRAMES; i++) {
        builder_frame_on(builder, MAIN, 1, i, START + time_ns);
        time_ns += i == HITCH ? 1000 : 100;
    }
    builder_stop(builder, START + time_ns);
    json_t *data = page_of(builder, &options);
    const json_t *bins = table_of(data, "bins", "bins");
    ck_assert_uint_eq(rows_of(bins), 1600);
    for (size_t row = 0; row < rows_of(bins); row++) {
        bool is_hitch = number_of(bins, row, "max_frame") == HITCH;
        ck_assert_int_eq(number_of(bins, row, "first"), (int64_t)frames);
        frames += (uint64_t)number_of(bins, row, "frames");
        ck_assert_int_eq(number_of(bins, row, "last"), (int64_t)frames - 1);
        ck_assert_int_eq(number_of(bins, row, "min_ns"), 100);
        ck_assert_int_eq(number_of(bins, row, "max_ns"), is_hitch ? 1000 : 100);
        ck_assert_int_eq(number_of(bins, row, "over"), is_hitch);
        hitches += is_hitch;
    }
    ck_assert_uint_eq(frames, FRAMES);
    ck_assert_uint_eq(hitches, 1);
    json_decref(data);
}
END_TEST

START_TEST(few_frames_have_a_bin_each_in_every_window)
{
    static const char *const windows[] = {"all=frames:0..", "late=frames:2..3"};
    static const int64_t begins_ns[] = {100, 200, 300, 500, 300, 500};
    static const int64_t durations_ns[] = {100, 100, 200, 100, 200, 100};
    const struct trace_page_options options = {
        .selection = {.windows = windows, .window_count = 2}};
    struct capture_builder *builder = frames_build_start();
    frames_emit_usual(builder, 100);
    builder_loss(builder, &(struct lcap_loss){.track = WORKER,
                                              .cause = LCAP_LOSS_BUFFERS_FULL,
                                              .first_tick = START + 310,
                                              .last_tick = START + 320,
                                              .counts = {.scopes = 1}});
    builder_stop(builder, START + 700);
    json_t *data = page_of(builder, &options);
    const json_t *bins = table_of(data, "bins", "bins");
    ck_assert_uint_eq(rows_of(bins), COUNT(begins_ns));
    for (size_t row = 0; row < COUNT(begins_ns); row++) {
        ck_assert_str_eq(text_of(bins, row, "window"), row < 4 ? "all" : "late");
        ck_assert_int_eq(number_of(bins, row, "begin_ns"), begins_ns[row]);
        ck_assert_int_eq(number_of(bins, row, "min_ns"), durations_ns[row]);
        ck_assert_int_eq(number_of(bins, row, "max_ns"), durations_ns[row]);
        ck_assert_int_eq(number_of(bins, row, "lost"), begins_ns[row] == 300);
        ck_assert(json_is_null(cell_of(bins, row, "over")));
        ck_assert(json_is_null(cell_of(bins, row, "gpu_ns")));
    }
    ck_assert(json_is_true(json_object_get(data, "has_loss")));
    ck_assert_uint_eq(json_array_size(json_object_get(data, "warnings")), 1);
    json_decref(data);
}
END_TEST

START_TEST(a_capture_without_frames_has_a_page)
{
    const struct trace_page_options options = {.budget_ns = 500};
    struct capture_builder *builder = start(0);
    golden_add_track(builder, MAIN, 11, 0, 0, "main");
    golden_emit(builder, MAIN, "(Frame 10 )20");
    builder_stop(builder, START + 30);
    json_t *data = page_of(builder, &options);
    ck_assert_ptr_null(json_object_get(data, "bins"));
    ck_assert_ptr_nonnull(
        strstr(json_string_value(json_object_get(data, "no_frames")), "no frame marks"));
    ck_assert_uint_eq(rows_of(table_of(data, "summarize", "sites")), 1);
    json_decref(data);
}
END_TEST

/* --- names ----------------------------------------------------------------------------------- */

START_TEST(names_stay_text_and_long_ones_are_cut)
{
    const struct trace_page_options options = {.budget_ns = 0};
    struct capture_builder *builder = start(2);
    char long_name[1001] = "x";
    for (size_t i = 1; i < 999; i += 2)
        memcpy(long_name + i, "\xC3\xA9", 2);
    builder_site(builder, LOAD + 2, bytes_of("</script><!--<script>\""), 0);
    builder_site(builder, LOAD + 3, bytes_of(long_name), 0);
    golden_add_track(builder, MAIN, 11, 0, 0, "main");
    builder_event(builder, MAIN, LCAP_EVENT_BEGIN, START + 10, LOAD + 2);
    builder_event(builder, MAIN, LCAP_EVENT_BEGIN, START + 20, LOAD + 3);
    builder_event(builder, MAIN, LCAP_EVENT_END, START + 30, 0);
    builder_event(builder, MAIN, LCAP_EVENT_END, START + 90, 0);
    builder_stop(builder, START + 100);
    json_t *data = page_of(builder, &options); /* which finds the end of the data by a '<' */
    const json_t *sites = table_of(data, "summarize", "sites");
    ck_assert_str_eq(text_of(sites, 0, "site"), "</script><!--<script>\"");
    const char *cut = text_of(sites, 1, "site");
    /* 160 bytes at most, of whole letters, from both ends, and what tells of more. */
    ck_assert_uint_eq(strlen(cut), 1 + 39 * 2 + 3 + 40 * 2);
    ck_assert_mem_eq(cut + 1 + 39 * 2 - 2, "\xC3\xA9\xE2\x80\xA6\xC3\xA9", 7);
    ck_assert_str_eq(cut + strlen(cut) - 2, "\xC3\xA9");
    json_decref(data);
}
END_TEST

/* --- large trees ------------------------------------------------------------------------------ */

#define SITES 6000u

/* Each runs once in Frame; one for as long as all others. */
START_TEST(what_a_page_has_no_room_for_is_counted)
{
    const struct trace_page_options options = {.budget_ns = 0};
    struct capture_builder *builder = start(SITES);
    uint64_t time_ns = 20;
    add_sites(builder, LOAD + 2, SITES);
    golden_add_track(builder, MAIN, 11, 0, 0, "main");
    golden_emit(builder, MAIN, "(Frame 10");
    for (uint32_t i = 0; i < SITES; i++) {
        builder_event(builder, MAIN, LCAP_EVENT_BEGIN, START + time_ns, LOAD + 2 + i);
        time_ns += i == 4321 ? SITES : 1 + i % 2;
        builder_event(builder, MAIN, LCAP_EVENT_END, START + time_ns, 0);
    }
    builder_event(builder, MAIN, LCAP_EVENT_END, START + time_ns, 0);
    builder_stop(builder, START + time_ns);
    json_t *data = page_of(builder, &options);
    const json_t *tree = table_of(data, "tree", "tree");
    size_t shown = 0, rows = rows_of(tree);
    int64_t left_out = 0;
    ck_assert_uint_le(rows, 2500);
    for (size_t row = 0; row < rows; row++) {
        const char *kind = text_of(tree, row, "kind");
        shown += strcmp(kind, "scope") == 0;
        if (strcmp(kind, "more") == 0)
            left_out += number_of(tree, row, "left_out");
    }
    ck_assert_str_eq(text_of(tree, 2, "scope"), "site 4321");
    ck_assert_int_eq((int64_t)shown - 1 + left_out, SITES);
    ck_assert_uint_eq(rows_of(table_of(data, "summarize", "sites")), 400);
    json_decref(data);
}
END_TEST

#define LEVELS 300u

START_TEST(what_is_too_deep_is_counted)
{
    const struct trace_page_options options = {.budget_ns = 0};
    struct capture_builder *builder = start(LEVELS);
    add_sites(builder, LOAD + 2, LEVELS);
    golden_add_track(builder, MAIN, 11, 0, 0, "main");
    for (uint32_t i = 0; i < LEVELS; i++)
        builder_event(builder, MAIN, LCAP_EVENT_BEGIN, START + i, LOAD + 2 + i);
    for (uint32_t i = 0; i < LEVELS; i++)
        builder_event(builder, MAIN, LCAP_EVENT_END, START + 1000 + i, 0);
    builder_stop(builder, START + 2000);
    json_t *data = page_of(builder, &options);
    const json_t *tree = table_of(data, "tree", "tree");
    size_t deepest = 0;
    for (size_t row = 0; row < rows_of(tree); row++)
        if (strcmp(text_of(tree, row, "kind"), "scope") == 0)
            deepest = row;
    ck_assert_str_eq(text_of(tree, deepest, "scope"), "site 99");
    ck_assert_int_eq(number_of(tree, deepest, "left_out"), 1);
    json_decref(data);
}
END_TEST

/* --- failures --------------------------------------------------------------------------------- */

START_TEST(an_output_that_fails_is_told)
{
    const struct trace_page_options options = {.budget_ns = 0};
    struct trace_input *inputs[2];
    const struct trace_model *models[2];
    struct capture_builder *builder = frames_build_hitch();
    export_open_both(builder_bytes(builder), inputs, models);
    builder_destroy(builder);
    for (size_t limit = 0; limit < 70000; limit += 23000) {
        struct memory_sink page = memory_sink_make(limit);
        struct ludus_error error;
        ck_assert_int_eq(trace_export_page(inputs[0], &options, memory_sink_output(&page), &error),
                         LUDUS_ERROR_WRITE);
        memory_sink_release(&page);
    }
    trace_close(inputs[0]);
    trace_close(inputs[1]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("page");
    TCase *tests = tcase_create("page");
    tcase_add_checked_fixture(tests, export_folder_make, export_folder_remove);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, no_hitch_disappears_among_many_frames);
    tcase_add_test(tests, few_frames_have_a_bin_each_in_every_window);
    tcase_add_test(tests, a_capture_without_frames_has_a_page);
    tcase_add_test(tests, names_stay_text_and_long_ones_are_cut);
    tcase_add_test(tests, what_a_page_has_no_room_for_is_counted);
    tcase_add_test(tests, what_is_too_deep_is_counted);
    tcase_add_test(tests, an_output_that_fails_is_told);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
