/* What an export holds: every line of a small capture written down by hand, times
 * of all sizes, and what becomes of inputs and outputs that fail. */
#include <sqlite3.h>

#include "export_fixture.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const sites[] = {"Frame", "Physics", "Mark"};

static const struct builder_setup nanoseconds = {
    .clock = {.ticks_per_second = 1000000000,
              .step = 1,
              .clock = 1,
              .source = LCAP_CLOCK_MONOTONIC},
    .sites = sites,
    .site_count = COUNT(sites),
    .more_sites = 16,
    .start_tick = 1000,
};

static struct lcap_bytes bytes_of(const char *text)
{
    return (struct lcap_bytes){(const uint8_t *)text, strlen(text)};
}

static void add_thread(struct capture_builder *builder, uint32_t id, uint64_t os_id,
                       const char *name)
{
    builder_track(builder,
                  &(struct lcap_track){
                      .os_id = os_id, .begin_tick = 1000, .track = id, .kind = LCAP_TRACK_THREAD},
                  name);
}

/* --- the whole of a file --------------------------------------------------------------------- */

/* Time zero is tick 1,000: the scope at 500 began before the session, at -0.500 us. Physics at
 * 3,000 takes no time; its parent ends with it. The last Frame never ends: it is known to have run
 * until the recording stopped at 9,000, 8.000 us. The worker has no slice, only a loss; the
 * recorder gave the thread no name. Frame 1 has no mark behind it, because 2 is missing; 3 is the
 * last. */
static const char expected[] =
    "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
    "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":4242,\"tid\":0,\"ts\":0.000,"
    "\"args\":{\"name\":\"game\"}},\n"
    "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":4242,\"tid\":1,\"ts\":0.000,"
    "\"args\":{\"name\":\"main\",\"kind\":\"thread\",\"os_id\":77}},\n"
    "{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":4242,\"tid\":1,\"ts\":0.000,"
    "\"args\":{\"sort_index\":0}},\n"
    "{\"ph\":\"B\",\"name\":\"Frame\",\"pid\":4242,\"tid\":1,\"ts\":-0.500},\n"
    "{\"ph\":\"B\",\"name\":\"Physics\",\"pid\":4242,\"tid\":1,\"ts\":2.000},\n"
    "{\"ph\":\"E\",\"name\":\"Physics\",\"pid\":4242,\"tid\":1,\"ts\":2.000},\n"
    "{\"ph\":\"E\",\"name\":\"Frame\",\"pid\":4242,\"tid\":1,\"ts\":2.000},\n"
    "{\"ph\":\"B\",\"cat\":\"Core\",\"name\":\"Tick\",\"pid\":4242,\"tid\":1,\"ts\":4.000},\n"
    "{\"ph\":\"E\",\"name\":\"Tick\",\"pid\":4242,\"tid\":1,\"ts\":5.001},\n"
    "{\"ph\":\"B\",\"name\":\"Frame\",\"pid\":4242,\"tid\":1,\"ts\":6.000},\n"
    "{\"ph\":\"E\",\"name\":\"Frame\",\"pid\":4242,\"tid\":1,\"ts\":8.000,"
    "\"args\":{\"incomplete\":true}},\n"
    "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":4242,\"tid\":2,\"ts\":0.000,"
    "\"args\":{\"name\":\"thread 78\",\"kind\":\"thread\",\"os_id\":78}},\n"
    "{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":4242,\"tid\":2,\"ts\":0.000,"
    "\"args\":{\"sort_index\":1}},\n"
    "{\"ph\":\"i\",\"name\":\"Mark\",\"pid\":4242,\"tid\":1,\"ts\":4.500,\"s\":\"t\"},\n"
    "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":4242,\"tid\":3,\"ts\":0.000,"
    "\"args\":{\"name\":\"Frames: Render\",\"marks_missing\":1}},\n"
    "{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":4242,\"tid\":3,\"ts\":0.000,"
    "\"args\":{\"sort_index\":-1}},\n"
    "{\"ph\":\"B\",\"cat\":\"frame\",\"name\":\"Frame 0\",\"pid\":4242,\"tid\":3,\"ts\":0.100},\n"
    "{\"ph\":\"E\",\"cat\":\"frame\",\"name\":\"Frame 0\",\"pid\":4242,\"tid\":3,\"ts\":1.100},\n"
    "{\"ph\":\"i\",\"cat\":\"frame\",\"name\":\"Incomplete frame 1\",\"pid\":4242,\"tid\":3,"
    "\"ts\":1.100,\"s\":\"t\"},\n"
    "{\"ph\":\"i\",\"cat\":\"frame\",\"name\":\"Incomplete frame 3\",\"pid\":4242,\"tid\":3,"
    "\"ts\":3.100,\"s\":\"t\"},\n"
    "{\"ph\":\"i\",\"cat\":\"loss\",\"name\":\"Loss: buffers-full\",\"pid\":4242,\"tid\":2,"
    "\"ts\":3.000,\"s\":\"t\",\"args\":{\"scopes\":5,\"instants\":1,\"frames\":0,\"flows\":0,"
    "\"gauges\":0,\"events\":0,\"until_us\":3.250}},\n"
    "{\"ph\":\"i\",\"cat\":\"loss\",\"name\":\"Loss: too-many-threads\",\"pid\":4242,\"tid\":0,"
    "\"ts\":4.000,\"s\":\"p\",\"args\":{\"scopes\":0,\"instants\":2,\"frames\":0,\"flows\":0,"
    "\"gauges\":0,\"events\":0,\"until_us\":4.000}},\n"
    "{\"ph\":\"i\",\"cat\":\"diagnostic\",\"name\":\"Diagnostic: wrong-thread\",\"pid\":4242,"
    "\"tid\":1,\"ts\":7.000,\"s\":\"t\",\"args\":{\"count\":3,\"text\":\"Load \\\"a\\\"\"}}\n"
    "],\"otherData\":{\"capture\":\"c0ffee0123456789\",\"base_unix_ns\":0,\"window_begin_ns\":null,"
    "\"end_ns\":8000,"
    "\"is_finished\":true,\"slices\":4,\"incomplete_slices\":1,\"instants\":1,"
    "\"names_replaced\":0,\"times_moved\":0,\"gauges_not_finite\":0,\"windows\":[],\"is_filtered\":"
    "false,"
    "\"edges_cut\":0,\"min_duration_us\":0.000,\"slices_short\":0,\"flow_ends\":{\"shown\":0,"
    "\"outside_slices\":0,\"left_out\":0},\"lost\":{\"scopes\":5,\"instants\":3,\"frames\":0,"
    "\"flows\":0,\"gauges\":0,\"events\":0,\"damaged_places\":0,\"damaged_bytes\":0},\"clocks\":[\n"
    " {\"source\":\"monotonic\",\"ticks_per_second\":1000000000,\"step_ticks\":1,"
    "\"max_uncertainty_ns\":0,\"reason\":\"\"}],\"facts\":[\n"
    " {\"key\":\"program\",\"value\":\"/opt/game\"}]}}\n";

static struct capture_builder *build_small(const struct builder_setup *setup)
{
    struct capture_builder *builder = builder_create(setup);

    builder_category(builder, 1, bytes_of("Core"));
    builder_site(builder, 4, bytes_of("Tick"), 1);
    add_thread(builder, 1, 77, "main");
    add_thread(builder, 2, 78, "");
    builder_domain(builder, 1, "Render");
    builder_frame(builder, 1, 0, 1100);
    builder_frame(builder, 1, 1, 2100);
    builder_frame(builder, 1, 3, 4100);
    builder_events(builder, 1, "(Frame 500 (Physics 3000 )3000 )3000");
    builder_event(builder, 1, LCAP_EVENT_BEGIN, 5000, 4);
    builder_events(builder, 1, "!Mark 5500 )6001 (Frame 7000");
    builder_loss(builder, &(struct lcap_loss){.counts.scopes = 5,
                                              .counts.instants = 1,
                                              .first_tick = 4000,
                                              .last_tick = 4250,
                                              .track = 2,
                                              .cause = LCAP_LOSS_BUFFERS_FULL});
    builder_loss(builder, &(struct lcap_loss){.counts.instants = 2,
                                              .first_tick = 5000,
                                              .last_tick = 5000,
                                              .cause = LCAP_LOSS_TOO_MANY_THREADS});
    builder_diagnostic(builder, &(struct lcap_diagnostic){.tick = 8000,
                                                          .count = 3,
                                                          .text = bytes_of("Load \"a\""),
                                                          .code = LCAP_DIAGNOSTIC_WRONG_THREAD,
                                                          .track = 1});
    builder_stop(builder, 9000);
    builder_finish(builder);
    return builder;
}

static const struct lcap_fact program = {{(const uint8_t *)"program", 7},
                                         {(const uint8_t *)"/opt/game", 9}};

START_TEST(every_line_of_a_small_capture_is_as_written_here)
{
    struct builder_setup setup = nanoseconds;
    struct capture_builder *builder;
    struct memory_sink sink;
    struct chrome_trace trace;

    setup.facts = &program;
    setup.fact_count = 1;
    builder = build_small(&setup);
    sink = export_bytes(builder_bytes(builder));
    export_assert_same(sink.bytes, expected);
    chrome_trace_read(&trace, sink.bytes, sink.size);
    export_compare(&trace, export_path("capture.lcap"));
    chrome_trace_clear(&trace);
    memory_sink_release(&sink);
    builder_destroy(builder);
}
END_TEST

START_TEST(empty_capture_is_valid)
{
    struct capture_builder *builder = builder_create(&nanoseconds);
    struct chrome_trace trace;

    builder_finish(builder);
    export_builder(builder, &trace);
    ck_assert_uint_eq(trace.slice_count, 0);
    ck_assert_uint_eq(json_array_size(json_object_get(trace.root, "traceEvents")), 1);
    chrome_trace_clear(&trace);
    builder_destroy(builder);
}
END_TEST

/* --- times ----------------------------------------------------------------------------------- */

START_TEST(equal_times_keep_their_nesting)
{
    struct capture_builder *builder = builder_create(&nanoseconds);
    struct chrome_trace trace;

    builder_events(builder, 1,
                   "(Frame 2000 (Frame 2000 (Physics 2000 )2000 (Physics 2000 )2000 )2000 "
                   "(Frame 2000 )2000 )2000 (Frame 2000 )3000 (Physics 3000 )3000");
    builder_finish(builder);
    export_builder(builder, &trace);
    ck_assert_uint_eq(trace.slice_count, 7);
    ck_assert_uint_eq(trace.slices[1].parent, 0);
    ck_assert_uint_eq(trace.slices[2].parent, 1);
    ck_assert_uint_eq(trace.slices[3].parent, 1);
    ck_assert_uint_eq(trace.slices[4].parent, 0);
    ck_assert_uint_eq(trace.slices[5].parent, CHROME_NO_PARENT);
    ck_assert_uint_eq(trace.slices[6].parent, CHROME_NO_PARENT);
    chrome_trace_clear(&trace);
    builder_destroy(builder);
}
END_TEST

START_TEST(times_of_any_size_are_exact)
{
    static const uint64_t starts[] = {UINT64_C(1) << 47, UINT64_C(1) << 53, UINT64_C(1) << 62};

    for (size_t i = 0; i < COUNT(starts); i++)
        for (unsigned from_zero = 0; from_zero < 2; from_zero++) {
            struct builder_setup setup = nanoseconds;
            struct capture_builder *builder;
            struct chrome_trace trace;

            /* Uptimes that are long, sessions that are. */
            setup.start_tick = from_zero != 0 ? 0 : starts[i];
            builder = builder_create(&setup);
            builder_event(builder, 1, LCAP_EVENT_BEGIN, starts[i] + 1, 1);
            builder_event(builder, 1, LCAP_EVENT_END, starts[i] + 1000000003, 0);
            builder_finish(builder);
            export_builder(builder, &trace);
            ck_assert_int_eq(trace.slices[0].begin_ns, (int64_t)(starts[i] + 1 - setup.start_tick));
            ck_assert_int_eq(trace.slices[0].end_ns - trace.slices[0].begin_ns, 1000000002);
            chrome_trace_clear(&trace);
            builder_destroy(builder);
        }
}
END_TEST

START_TEST(crash_leaves_marked_slices_that_end_where_they_are_known_to)
{
    struct capture_builder *builder = builder_create(&nanoseconds);
    struct chrome_trace trace;

    builder_events(builder, 1, "(Frame 2000 (Physics 2500 !Mark 2600");
    builder_events(builder, 2, "(Frame 2100 (Physics 2200 )2300");
    export_builder(builder, &trace); /* neither an end nor a trailer */
    ck_assert_uint_eq(trace.slice_count, 4);
    for (size_t i = 0; i < 4; i++)
        ck_assert_int_eq(trace.slices[i].is_incomplete, i != 3);
    ck_assert_int_eq(trace.slices[0].end_ns, 1600);
    ck_assert_int_eq(trace.slices[1].end_ns, 1600);
    ck_assert_int_eq(trace.slices[2].end_ns, 1300);
    ck_assert(json_is_false(chrome_trace_other(&trace, "is_finished")));
    chrome_trace_clear(&trace);
    builder_destroy(builder);
}
END_TEST

START_TEST(slices_over_a_loss_are_marked)
{
    struct capture_builder *builder = builder_create(&nanoseconds);
    struct chrome_trace trace;

    builder_events(builder, 1, "(Frame 2000 (Physics 2500 )2600 )3000 (Frame 4000 )5000");
    builder_loss(builder, &(struct lcap_loss){.counts.scopes = 1,
                                              .first_tick = 2700,
                                              .last_tick = 2800,
                                              .track = 1,
                                              .cause = LCAP_LOSS_BUFFERS_FULL});
    builder_finish(builder);
    export_builder(builder, &trace);
    ck_assert(trace.slices[0].has_children_lost);
    ck_assert(!trace.slices[1].has_children_lost);
    ck_assert(!trace.slices[2].has_children_lost);
    chrome_trace_clear(&trace);
    builder_destroy(builder);
}
END_TEST

/* --- databases, failures --------------------------------------------------------------------- */

START_TEST(each_capture_of_a_database_is_exported_alone)
{
    struct capture_builder *small = build_small(&nanoseconds);
    struct capture_builder *other = builder_create(&nanoseconds);
    const char *paths[2] = {export_path("other.lcap"), export_path("capture.lcap")};
    const char *database = export_path("capture.db");
    struct ludus_error error;

    builder_events(other, 3, "(Physics 1500 (Mark 1600 )1700 )1800 !Frame 1900");
    builder_finish(other);
    export_write_file(paths[0], builder_bytes(other));
    export_write_file(paths[1], builder_bytes(small));
    ck_assert_int_eq(trace_import(paths, 2, NULL, database, NULL, &error), LUDUS_OK);
    for (uint32_t i = 0; i < 2; i++) {
        struct memory_sink from_capture = export_input(paths[i], 0);
        struct memory_sink from_database = export_input(database, i + 1);

        export_assert_same(from_capture.bytes, from_database.bytes);
        memory_sink_release(&from_capture);
        memory_sink_release(&from_database);
    }
    builder_destroy(small);
    builder_destroy(other);
}
END_TEST

static enum ludus_status export_limited(const char *path, size_t limit, struct ludus_error *error)
{
    struct memory_sink sink = memory_sink_make(limit);
    struct trace_input *input = NULL;
    enum ludus_status status = trace_open(path, 0, &input, error);

    ck_assert_int_eq(status, LUDUS_OK);
    *error = (struct ludus_error){0};
    status = trace_export_perfetto(input, &(struct trace_export_options){0},
                                   memory_sink_output(&sink), error);
    memory_sink_release(&sink);
    trace_close(input);
    return status;
}

/* 40,000 lines of 60 bytes and more are many buffers. */
static void build_long(void)
{
    struct capture_builder *builder = builder_create(&nanoseconds);
    struct memory_sink sink;

    for (uint64_t i = 0; i < 20000; i++) {
        builder_event(builder, 1, LCAP_EVENT_BEGIN, 2000 + 10 * i, 1);
        builder_event(builder, 1, LCAP_EVENT_END, 2005 + 10 * i, 0);
    }
    for (uint64_t i = 0; i < 2000; i++)
        builder_event(builder, 1, LCAP_EVENT_INSTANT, 300000 + i, 3);
    builder_finish(builder);
    sink = export_bytes(builder_bytes(builder));
    ck_assert_uint_gt(sink.size, 2400000);
    memory_sink_release(&sink);
    builder_destroy(builder);
}

START_TEST(output_that_fails_ends_the_export_at_once)
{
    static const char *const names[] = {"capture.lcap", "capture.db"};
    static const size_t limits[] = {0, 100000, 1000000, 2400000};
    struct ludus_error error;

    build_long();
    for (size_t i = 0; i < COUNT(names); i++)
        for (size_t n = 0; n < COUNT(limits); n++) {
            ck_assert_int_eq(export_limited(export_path(names[i]), limits[n], &error),
                             LUDUS_ERROR_WRITE);
            ck_assert_int_eq(error.status, LUDUS_ERROR_WRITE);
            ck_assert_str_eq(error.message, "the output cannot be written");
        }
}
END_TEST

static void change_database(const char *sql)
{
    sqlite3 *connection = NULL;

    ck_assert_int_eq(sqlite3_open(export_path("capture.db"), &connection), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(connection, sql, NULL, NULL, NULL), SQLITE_OK);
    ck_assert_int_gt(sqlite3_changes(connection), 0);
    ck_assert_int_eq(sqlite3_close(connection), SQLITE_OK);
}

START_TEST(database_that_contradicts_itself_is_refused)
{
    static const char *const changes[] = {
        "UPDATE slice SET parent_id = 999 WHERE slice_id = 2",
        "UPDATE slice SET parent_id = 4 WHERE slice_id = 2",
        "UPDATE slice SET track_id = 77 WHERE slice_id = 1",
        "UPDATE slice SET site_id = 0 WHERE slice_id = 1",
        "UPDATE instant SET track_id = -1",
        "UPDATE instant SET site_id = 1 << 40",
    };
    struct capture_builder *builder = build_small(&nanoseconds);
    struct ludus_error error;

    for (size_t i = 0; i < COUNT(changes); i++) {
        struct memory_sink sink = export_bytes(builder_bytes(builder));

        memory_sink_release(&sink);
        change_database(changes[i]);
        ck_assert_int_eq(export_limited(export_path("capture.db"), SIZE_MAX / 2, &error),
                         LUDUS_ERROR_FORMAT);
        ck_assert_ptr_nonnull(strstr(error.message, "capture.db"));
    }
    builder_destroy(builder);
}
END_TEST

/* Times that fall would make slices overlap in part: they are moved, and counted. */
START_TEST(times_that_fall_are_moved_and_counted)
{
    struct capture_builder *builder = build_small(&nanoseconds);
    struct memory_sink sink = export_bytes(builder_bytes(builder));
    struct chrome_trace trace;

    memory_sink_release(&sink);
    /* Physics, in Frame from -500 to 2,000, is said to run from -700 to 2,100. */
    change_database("UPDATE slice SET begin_ns = -700, known_ns = 2800 WHERE slice_id = 2");
    sink = export_input(export_path("capture.db"), 0);
    chrome_trace_read(&trace, sink.bytes, sink.size);
    ck_assert_int_eq(trace.slices[1].begin_ns, -500);
    ck_assert_int_eq(trace.slices[1].end_ns, 2100);
    ck_assert_int_eq(trace.slices[0].end_ns, 2100);
    ck_assert_int_eq(json_integer_value(chrome_trace_other(&trace, "times_moved")), 2);
    chrome_trace_clear(&trace);
    memory_sink_release(&sink);
    builder_destroy(builder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("perfetto");
    TCase *tests = tcase_create("perfetto");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_checked_fixture(tests, export_folder_make, export_folder_remove);
    tcase_add_test(tests, every_line_of_a_small_capture_is_as_written_here);
    tcase_add_test(tests, empty_capture_is_valid);
    tcase_add_test(tests, equal_times_keep_their_nesting);
    tcase_add_test(tests, times_of_any_size_are_exact);
    tcase_add_test(tests, crash_leaves_marked_slices_that_end_where_they_are_known_to);
    tcase_add_test(tests, slices_over_a_loss_are_marked);
    tcase_add_test(tests, each_capture_of_a_database_is_exported_alone);
    tcase_add_test(tests, output_that_fails_ends_the_export_at_once);
    tcase_add_test(tests, database_that_contradicts_itself_is_refused);
    tcase_add_test(tests, times_that_fall_are_moved_and_counted);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
