/* The reports about frames, of captures whose numbers are worked out by hand. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "export_fixture.h"
#include "golden_fixture.h"
#include "report.h"

enum { MAIN = 1, WORKER = 2 };
enum { FRAME_SITE = 1, PHYSICS, SOLVE, RENDER, JOB, LOAD, MARK, WAIT, ITEMS };

static struct builder_setup setup;

/* Marks of main at 100, 200, 300, 500, 600: frame 2 is twice as long as the others. */
static struct capture_builder *build_start(void)
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

static void flow(struct capture_builder *builder, uint32_t track, enum lcap_event_kind kind,
                 uint64_t time_ns, uint32_t site, uint64_t id)
{
    builder_value(builder, track, kind, START + time_ns, site, id);
}

/* What happens in each frame but frame 2. */
static void emit_usual(struct capture_builder *builder, uint64_t begin_ns)
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

/* In frame 2 Physics runs twice, Job takes twice as long, and main waits for it:
 *   main   300 Frame |310 Physics 340|350 Physics 380| 385 out 7 |390 Wait 470| 470 in 8 ... 490
 *   worker 400 in 7 |400 Job 460| 455 out 8 |480 Load |490 Solve 510| 560| */
static struct capture_builder *build_hitch(void)
{
    struct capture_builder *builder = build_start();
    emit_usual(builder, 100);
    emit_usual(builder, 200);
    golden_emit(builder, MAIN, "(Frame 300 (Physics 310 )340 (Physics 350 )380");
    flow(builder, MAIN, LCAP_EVENT_FLOW_OUT, 385, MARK, 7);
    builder_event(builder, MAIN, LCAP_EVENT_BEGIN, START + 390, WAIT);
    builder_event(builder, MAIN, LCAP_EVENT_END, START + 470, 0);
    flow(builder, MAIN, LCAP_EVENT_FLOW_IN, 470, MARK, 8);
    golden_emit(builder, MAIN, "!Mark 480 )490");
    golden_emit(builder, WORKER, "(Job 400");
    flow(builder, WORKER, LCAP_EVENT_FLOW_IN, 400, MARK, 7);
    flow(builder, WORKER, LCAP_EVENT_FLOW_OUT, 455, MARK, 8);
    golden_emit(builder, WORKER, ")460 (Load 480 (Solve 490 )510 )560");
    golden_emit(builder, MAIN, "(Frame 500 (Physics 510 )540 )590");
    golden_emit(builder, WORKER, "(Job 570 )600");
    builder_stop(builder, START + 700);
    builder_finish(builder);
    return builder;
}

/* --- reports --------------------------------------------------------------------------------- */

static struct trace_input *input;

/* Takes the builder over. */
static void open_input(struct capture_builder *builder)
{
    struct ludus_error error;
    export_folder_make();
    const char *path = export_path("capture.lcap");
    export_write_file(path, builder_bytes(builder));
    builder_destroy(builder);
    enum ludus_status status = trace_open(path, 0, &input, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
}

static void close_input(void)
{
    trace_close(input);
    export_folder_remove();
}

static struct trace_report *frames_of(const struct trace_frames_options *options)
{
    struct trace_report *report;
    struct ludus_error error;
    enum ludus_status status = trace_report_frames(input, options, &report, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    return report;
}

static struct trace_report *explain(uint64_t frame, enum trace_attribution attribution)
{
    const struct trace_explain_options options = {.selection = {.attribution = attribution},
                                                  .frame = frame};
    struct trace_report *report;
    struct ludus_error error;
    enum ludus_status status = trace_report_explain(input, &options, &report, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    return report;
}

static size_t table_of(const struct trace_report *report, const char *name)
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
    size_t index = table_of(report, table), at = 0;
    const struct trace_table_type *type = &trace_report_get_type(report)->tables[index];
    while (strcmp(type->columns[at].name, column) != 0)
        ck_assert_uint_lt(++at, type->column_count);
    ck_assert_uint_lt(row, trace_report_row_count(report, index));
    return trace_report_cell(report, index, row, at);
}

static int64_t number(const struct trace_report *report, const char *table, size_t row,
                      const char *column)
{
    struct trace_cell found = cell(report, table, row, column);
    ck_assert_msg(found.kind == TRACE_CELL_INTEGER, "%s.%s of row %zu is no number", table, column,
                  row);
    return found.as.integer;
}

static const char *text(const struct trace_report *report, const char *table, size_t row,
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

static size_t rows(const struct trace_report *report, const char *table)
{
    return trace_report_row_count(report, table_of(report, table));
}

struct expected_scope {
    const char *site;
    int64_t excess_ns, own_ns, median_ns, calls, median_calls;
    const char *cause;
};

static void check_scopes(const struct trace_report *report, size_t first,
                         const struct expected_scope *expected, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        ck_assert_str_eq(text(report, "scopes", first + i, "site"), expected[i].site);
        ck_assert_int_eq(number(report, "scopes", first + i, "excess_ns"), expected[i].excess_ns);
        ck_assert_int_eq(number(report, "scopes", first + i, "own_ns"), expected[i].own_ns);
        ck_assert_int_eq(number(report, "scopes", first + i, "median_ns"), expected[i].median_ns);
        ck_assert_int_eq(number(report, "scopes", first + i, "calls"), expected[i].calls);
        ck_assert_int_eq(number(report, "scopes", first + i, "median_calls"),
                         expected[i].median_calls);
        ck_assert_str_eq(text(report, "scopes", first + i, "cause"), expected[i].cause);
    }
}

/* --- tests ----------------------------------------------------------------------------------- */

START_TEST(the_longest_frame_is_first_and_says_what_it_did)
{
    open_input(build_hitch());
    struct trace_report *report =
        frames_of(&(struct trace_frames_options){.budget_ns = 150, .worst = 2});
    ck_assert_int_eq(number(report, "frames", 0, "frames"), 4);
    ck_assert_int_eq(number(report, "frames", 0, "frames_incomplete"), 1); /* frame 4 */
    ck_assert_int_eq(number(report, "frames", 0, "frames_over"), 1);
    ck_assert_int_eq(number(report, "frames", 0, "longest_run"), 1);
    ck_assert_uint_eq(rows(report, "worst"), 2);
    ck_assert_int_eq(number(report, "worst", 0, "frame"), 2);
    ck_assert_int_eq(number(report, "worst", 0, "begin_ns"), 300);
    ck_assert_int_eq(number(report, "worst", 0, "duration_ns"), 200);
    ck_assert_str_eq(text(report, "worst", 0, "track"), "main");
    /* Frame 190 - 60 - 80 = 50, Physics 60; Wait 80. */
    ck_assert_int_eq(number(report, "worst", 0, "working_ns"), 110);
    ck_assert_int_eq(number(report, "worst", 0, "waiting_ns"), 80);
    ck_assert_int_eq(number(report, "worst", 0, "waiting_median_ns"), 0);
    /* The others are of 100 ns: the first of them is next. */
    ck_assert_int_eq(number(report, "worst", 1, "frame"), 0);
    trace_report_destroy(report);
    close_input();
}
END_TEST

START_TEST(excess_is_against_the_median_and_tells_more_work_from_slower_work)
{
    /* Usual: Frame 60, Physics 30, Job 30; Load 60 and Solve 20 are in frame 2 alone. Job: one call
     * of 60 rather than 30. Physics: two calls of 30. */
    static const struct expected_scope expected[] = {
        {"Load", 60, 60, 0, 1, 0, "more work"},     {"Job", 30, 60, 30, 1, 1, "slower work"},
        {"Physics", 30, 60, 30, 2, 1, "more work"}, {"Solve", 20, 20, 0, 1, 0, "more work"},
        {"Wait", 80, 80, 0, 1, 0, "waiting"},
    };
    open_input(build_hitch());
    struct trace_report *report = explain(2, TRACE_ATTRIBUTE_BEGIN);
    ck_assert_uint_eq(rows(report, "scopes"), COUNT(expected));
    check_scopes(report, 0, expected, COUNT(expected));
    ck_assert_str_eq(text(report, "scopes", 1, "track"), "worker");
    ck_assert_str_eq(text(report, "scopes", 2, "track"), "main");
    ck_assert_int_eq(number(report, "frame", 0, "rank"), 1);
    ck_assert_int_eq(number(report, "frame", 0, "median_ns"), 100);
    trace_report_destroy(report);
    close_input();
}
END_TEST

START_TEST(clipped_slices_are_split_at_the_marks)
{
    /* Load 480 to 560 without Solve 490 to 510: 10 in frame 2, 50 in frame 3; Solve: 10 and 10. */
    static const struct expected_scope in_2[] = {
        {"Job", 30, 60, 30, 1, 1, "slower work"},
        {"Physics", 30, 60, 30, 2, 1, "more work"},
        {"Load", 10, 10, 0, 1, 0, "more work"},
        {"Solve", 10, 10, 0, 1, 0, "more work"},
    };
    static const struct expected_scope in_3[] = {
        {"Load", 50, 50, 0, 0, 0, "more work"},
        {"Solve", 10, 10, 0, 0, 0, "more work"},
    };
    open_input(build_hitch());
    struct trace_report *report = explain(2, TRACE_ATTRIBUTE_CLIP);
    check_scopes(report, 0, in_2, COUNT(in_2));
    trace_report_destroy(report);
    report = explain(3, TRACE_ATTRIBUTE_CLIP);
    ck_assert_uint_eq(rows(report, "scopes"), COUNT(in_3));
    check_scopes(report, 0, in_3, COUNT(in_3));
    trace_report_destroy(report);
    close_input();
}
END_TEST

struct expected_link {
    int64_t from_ns, duration_ns;
    const char *step, *track, *site;
};

static void check_chain(const struct trace_report *report, const struct expected_link *expected,
                        size_t count)
{
    ck_assert_uint_eq(rows(report, "chain"), count);
    for (size_t i = 0; i < count; i++) {
        ck_assert_int_eq(number(report, "chain", i, "from_ns"), expected[i].from_ns);
        ck_assert_int_eq(number(report, "chain", i, "duration_ns"), expected[i].duration_ns);
        ck_assert_str_eq(text(report, "chain", i, "step"), expected[i].step);
        ck_assert_str_eq(text(report, "chain", i, "track"), expected[i].track);
        ck_assert_str_eq(text(report, "chain", i, "site"), expected[i].site);
    }
}

START_TEST(what_a_frame_waited_for_goes_back_through_its_flows)
{
    /* From 500 back to main's flow-in at 470, which left worker at 455; there back to 400, which
     * left main at 385; there to the begin. On main until 385 Physics had 60, Frame 25. */
    static const struct expected_link expected[] = {
        {0, 85, "ran", "main", "Physics"}, {85, 15, "queued", "main", "Mark"},
        {100, 55, "ran", "worker", "Job"}, {155, 15, "queued", "worker", "Mark"},
        {170, 30, "ran", "main", "Frame"},
    };
    open_input(build_hitch());
    struct trace_report *report = explain(2, TRACE_ATTRIBUTE_BEGIN);
    check_chain(report, expected, COUNT(expected));
    ck_assert_int_eq(number(report, "chain", 0, "site_ns"), 60);
    ck_assert_int_eq(number(report, "chain", 4, "site_ns"), 20); /* 470 to 490 */
    ck_assert_str_eq(text(report, "marks", 0, "name"), "Mark");
    ck_assert_int_eq(number(report, "marks", 0, "from_ns"), 180);
    trace_report_destroy(report);
    close_input();
}
END_TEST

/* Frame 2 with one flow-in on main, at 400, and a flow-out of another flow or before the frame. */
static struct capture_builder *build_flow(uint64_t out_ns, uint64_t out_flow)
{
    struct capture_builder *builder = build_start();
    golden_emit(builder, WORKER, "(Job 110");
    flow(builder, WORKER, LCAP_EVENT_FLOW_OUT, out_ns, MARK, out_flow);
    golden_emit(builder, WORKER, ")450");
    golden_emit(builder, MAIN, "(Frame 300");
    flow(builder, MAIN, LCAP_EVENT_FLOW_IN, 400, MARK, 7);
    golden_emit(builder, MAIN, ")490");
    builder_stop(builder, START + 700);
    builder_finish(builder);
    return builder;
}

START_TEST(a_flow_from_before_the_frame_is_queued_from_the_frames_begin)
{
    static const struct expected_link expected[] = {
        {0, 100, "queued", "worker", "Mark"},
        {100, 100, "ran", "main", "Frame"},
    };
    open_input(build_flow(150, 7));
    struct trace_report *report = explain(2, TRACE_ATTRIBUTE_BEGIN);
    check_chain(report, expected, COUNT(expected));
    ck_assert_str_eq(text(report, "chain", 0, "is_from_before"), "yes");
    trace_report_destroy(report);
    close_input();
}
END_TEST

START_TEST(a_flow_in_without_a_flow_out_is_passed_over)
{
    static const struct expected_link expected[] = {{0, 200, "ran", "main", "Frame"}};
    open_input(build_flow(150, 9));
    struct trace_report *report = explain(2, TRACE_ATTRIBUTE_BEGIN);
    check_chain(report, expected, COUNT(expected));
    ck_assert_uint_eq(trace_report_note_count(report, table_of(report, "chain")), 1);
    trace_report_destroy(report);
    close_input();
}
END_TEST

START_TEST(flows_that_go_round_in_no_time_end)
{
    struct capture_builder *builder = build_start();
    golden_emit(builder, MAIN, "(Frame 300");
    flow(builder, MAIN, LCAP_EVENT_FLOW_OUT, 400, MARK, 1);
    flow(builder, MAIN, LCAP_EVENT_FLOW_IN, 400, MARK, 2);
    golden_emit(builder, WORKER, "(Job 400");
    flow(builder, WORKER, LCAP_EVENT_FLOW_OUT, 400, MARK, 2);
    flow(builder, WORKER, LCAP_EVENT_FLOW_IN, 400, MARK, 1);
    golden_emit(builder, WORKER, ")450");
    golden_emit(builder, MAIN, ")490");
    builder_stop(builder, START + 700);
    builder_finish(builder);
    static const struct expected_link expected[] = {
        {0, 100, "ran", "main", "Frame"},
        {100, 100, "ran", "main", "Frame"},
    };
    open_input(builder);
    struct trace_report *report = explain(2, TRACE_ATTRIBUTE_BEGIN);
    check_chain(report, expected, COUNT(expected));
    trace_report_destroy(report);
    close_input();
}
END_TEST

START_TEST(what_tracks_did_is_clipped_to_the_frame)
{
    open_input(build_hitch());
    struct trace_report *report = explain(2, TRACE_ATTRIBUTE_BEGIN);
    ck_assert_str_eq(text(report, "tracks", 0, "track"), "main");
    ck_assert_int_eq(number(report, "tracks", 0, "working_ns"), 110);
    ck_assert_int_eq(number(report, "tracks", 0, "waiting_ns"), 80);
    ck_assert_int_eq(number(report, "tracks", 0, "unlogged_ns"), 10);
    ck_assert_str_eq(text(report, "tracks", 1, "track"), "worker");
    ck_assert_int_eq(number(report, "tracks", 1, "working_ns"), 80); /* 400..460 and 480..500 */
    ck_assert_int_eq(number(report, "tracks", 1, "unlogged_ns"), 120);
    trace_report_destroy(report);
    close_input();
}
END_TEST

START_TEST(samples_count_as_far_as_they_overlap_the_frame)
{
    struct capture_builder *builder = build_start();
    /* Half of the first sample lies in frame 2, all of the second, a quarter of the machine's. */
    static const struct lcap_sched samples[] = {
        {.from_tick = START + 200,
         .to_tick = START + 400,
         .run_ns = 100,
         .wait_ns = 60,
         .track = MAIN,
         .processors = 1},
        {.from_tick = START + 400,
         .to_tick = START + 450,
         .run_ns = 10,
         .wait_ns = 30,
         .track = MAIN,
         .processors = 1},
        {.from_tick = START, .to_tick = START + 800, .run_ns = 400, .wait_ns = 40, .processors = 2},
    };
    builder_sched(builder, samples, COUNT(samples));
    builder_stop(builder, START + 900);
    builder_finish(builder);
    open_input(builder);
    struct trace_report *report = frames_of(&(struct trace_frames_options){.worst = 1});
    ck_assert_int_eq(number(report, "worst", 0, "runnable_ns"), 60);
    ck_assert_int_eq(number(report, "worst", 0, "sampled_ns"), 150);
    trace_report_destroy(report);
    report = explain(2, TRACE_ATTRIBUTE_BEGIN);
    ck_assert_int_eq(number(report, "tracks", 0, "run_ns"), 60);
    ck_assert_int_eq(number(report, "tracks", 0, "runnable_ns"), 60);
    ck_assert_int_eq(number(report, "tracks", 0, "asleep_ns"), 30);
    ck_assert_int_eq(number(report, "frame", 0, "stolen_ns"), 10);
    ck_assert_int_eq(number(report, "frame", 0, "machine_sampled_ns"), 400);
    trace_report_destroy(report);
    close_input();
}
END_TEST

START_TEST(no_thread_is_runnable_for_longer_than_samples_cover)
{
    struct capture_builder *builder = build_start();
    /* The system tells of a wait when it is over: this sample also tells of 150 before it. */
    static const struct lcap_sched samples[] = {{.from_tick = START + 200,
                                                 .to_tick = START + 400,
                                                 .run_ns = 100,
                                                 .wait_ns = 250,
                                                 .track = MAIN,
                                                 .processors = 1}};
    builder_sched(builder, samples, COUNT(samples));
    builder_stop(builder, START + 900);
    builder_finish(builder);
    open_input(builder);
    struct trace_report *report = frames_of(&(struct trace_frames_options){.worst = 1});
    ck_assert_int_eq(number(report, "worst", 0, "sampled_ns"), 100); /* 300..400 */
    ck_assert_int_eq(number(report, "worst", 0, "runnable_ns"), 50); /* it ran for the rest */
    trace_report_destroy(report);
    report = explain(2, TRACE_ATTRIBUTE_BEGIN);
    ck_assert_int_eq(number(report, "tracks", 0, "run_ns"), 50);
    ck_assert_int_eq(number(report, "tracks", 0, "runnable_ns"), 50);
    ck_assert_int_eq(number(report, "tracks", 0, "asleep_ns"), 0);
    trace_report_destroy(report);
    close_input();
}
END_TEST

START_TEST(a_window_without_a_frame_says_so)
{
    static const char *const windows[] = {"short=time:320ns..330ns", "frames:1..2"};
    struct trace_frames_options options = {.selection = {.windows = windows, .window_count = 2}};
    struct capture_builder *builder = build_start();
    builder_stop(builder, START + 900);
    builder_finish(builder);
    open_input(builder);
    struct trace_report *report = frames_of(&options);
    ck_assert_uint_eq(trace_report_note_count(report, table_of(report, "frames")), 1);
    ck_assert_str_eq(trace_report_get_note(report, table_of(report, "frames"), 0),
                     "No frame of game lies in window short as a whole: none is shown of it.");
    trace_report_destroy(report);
    close_input();
}
END_TEST

START_TEST(frames_with_losses_are_told_and_are_in_no_median)
{
    struct capture_builder *builder = build_start();
    emit_usual(builder, 100);
    golden_emit(builder, MAIN, "(Frame 200 (Physics 210 )290 )295");
    golden_emit(builder, MAIN,
                "(Frame 300 (Physics 310 )330 )490 (Frame 500 (Physics 510 )550 )590");
    builder_loss(builder, &(struct lcap_loss){.counts = {.scopes = 3},
                                              .first_tick = START + 250,
                                              .last_tick = START + 299,
                                              .track = WORKER,
                                              .cause = 1});
    builder_stop(builder, START + 700);
    builder_finish(builder);
    open_input(builder);
    struct trace_report *report = frames_of(&(struct trace_frames_options){.worst = 4});
    ck_assert_int_eq(number(report, "frames", 0, "frames_lost"), 1);
    ck_assert_int_eq(number(report, "worst", 2, "frame"), 1);
    ck_assert_str_eq(text(report, "worst", 2, "has_loss"), "yes");
    ck_assert_str_eq(text(report, "worst", 0, "has_loss"), "no");
    trace_report_destroy(report);
    /* Physics: 30, 80 (lost), 20, 40: of the three without a loss the median is 30. */
    static const struct expected_scope expected[] = {{"Physics", 50, 80, 30, 1, 1, "slower work"}};
    report = explain(1, TRACE_ATTRIBUTE_BEGIN);
    check_scopes(report, 0, expected, 1);
    ck_assert_uint_eq(rows(report, "losses"), 1);
    trace_report_destroy(report);
    close_input();
}
END_TEST

START_TEST(frames_without_a_scope_are_listed_as_runs)
{
    static const char *const sites[] = {"Load", "Physics"};
    open_input(build_hitch());
    struct trace_report *report =
        frames_of(&(struct trace_frames_options){.selection = {.sites = sites, .site_count = 2}});
    ck_assert_uint_eq(rows(report, "absent"), 2);
    ck_assert_str_eq(text(report, "absent", 0, "site"), "Physics");
    ck_assert_int_eq(number(report, "absent", 0, "frames_without"), 0);
    /* Load begins in frame 2 and ends in frame 3: it ran in both. */
    ck_assert_str_eq(text(report, "absent", 1, "site"), "Load");
    ck_assert_int_eq(number(report, "absent", 1, "frames_without"), 2);
    ck_assert_str_eq(text(report, "absent", 1, "list"), "0..1");
    trace_report_destroy(report);
    close_input();
}
END_TEST

START_TEST(domains_stand_beside_each_other)
{
    struct capture_builder *builder = build_start();
    builder_domain(builder, 2, "render");
    /* Of render: 10 from 90 to 150, 11 to 280, 12 to 450, 13 (13 to 14 is missing), 15. */
    static const uint64_t marks[][2] = {{10, 90}, {11, 150}, {12, 280}, {13, 450}, {15, 480}};
    for (size_t i = 0; i < COUNT(marks); i++)
        builder_frame_on(builder, WORKER, 2, marks[i][0], START + marks[i][1]);
    emit_usual(builder, 100);
    builder_stop(builder, START + 700);
    builder_finish(builder);
    open_input(builder);
    struct trace_report *report = frames_of(&(struct trace_frames_options){.worst = 1});
    ck_assert_uint_eq(rows(report, "frames"), 2);
    ck_assert_int_eq(number(report, "frames", 1, "frames"), 3);
    ck_assert_int_eq(number(report, "frames", 1, "frames_incomplete"), 2);
    /* Begin in frame 0: 150; in 1: 280; in 2: 450 and 480; in 3: none. */
    ck_assert_int_eq(number(report, "others", 0, "per_frame_min"), 0);
    ck_assert_int_eq(number(report, "others", 0, "per_frame_max"), 2);
    /* Frame 2, 300 to 500: 12 runs at its begin, 15 begins in it; of the complete ones 12 is it. */
    ck_assert_int_eq(number(report, "overlap", 0, "first"), 12);
    ck_assert_int_eq(number(report, "overlap", 0, "last"), 15);
    ck_assert_int_eq(number(report, "overlap", 0, "longest"), 12);
    ck_assert_int_eq(number(report, "overlap", 0, "longest_ns"), 170);
    trace_report_destroy(report);
    close_input();
}
END_TEST

START_TEST(counters_stand_beside_their_median)
{
    struct capture_builder *builder = build_start();
    emit_usual(builder, 100);
    /* What a counter tells was added from its event before on: 5 in frame 0, 6 in 1, 40 in 2. */
    builder_value(builder, MAIN, LCAP_EVENT_COUNT, START + 205, ITEMS, 5);
    builder_value(builder, MAIN, LCAP_EVENT_COUNT, START + 305, ITEMS, 6);
    builder_value(builder, MAIN, LCAP_EVENT_COUNT, START + 505, ITEMS, 40);
    builder_value(builder, MAIN, LCAP_EVENT_COUNT, START + 605, ITEMS, 7);
    builder_stop(builder, START + 700);
    builder_finish(builder);
    open_input(builder);
    struct trace_report *report = explain(2, TRACE_ATTRIBUTE_BEGIN);
    ck_assert_str_eq(text(report, "values", 0, "name"), "Items");
    ck_assert_int_eq(number(report, "values", 0, "counted"), 40);
    ck_assert_int_eq(number(report, "values", 0, "median"), 6);
    trace_report_destroy(report);
    close_input();
}
END_TEST

static void expect_refusal(uint64_t frame, const char *message)
{
    const struct trace_explain_options options = {.frame = frame};
    struct trace_report *report;
    struct ludus_error error;
    ck_assert_int_eq(trace_report_explain(input, &options, &report, &error), LUDUS_ERROR_ARGUMENT);
    ck_assert_str_eq(error.message, message);
}

START_TEST(frames_that_cannot_be_explained_say_why)
{
    struct capture_builder *builder = builder_create(&golden_setup);
    static const uint64_t marks[] = {100, 200, UINT64_MAX, 500, 600};
    builder_domain(builder, 1, "game");
    golden_add_marks(builder, 1, marks, COUNT(marks));
    builder_stop(builder, START + 700);
    builder_finish(builder);
    open_input(builder);
    expect_refusal(1, "frame 1 of 'game' is not complete: the mark behind it is missing, so that "
                      "nobody knows its end; the nearest complete frame is 0");
    expect_refusal(2, "frame 2 of 'game' is not in the capture: its mark is missing; the nearest "
                      "frames are 1 and 3");
    expect_refusal(4, "frame 4 of 'game' is not complete: it is the last one, and no mark tells "
                      "its end; the nearest complete frame is 3");
    expect_refusal(5, "there is no frame 5 of 'game': the capture has the frames 0..4");
    close_input();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("frames");
    TCase *cases = tcase_create("frames");
    tcase_add_test(cases, the_longest_frame_is_first_and_says_what_it_did);
    tcase_add_test(cases, excess_is_against_the_median_and_tells_more_work_from_slower_work);
    tcase_add_test(cases, clipped_slices_are_split_at_the_marks);
    tcase_add_test(cases, what_a_frame_waited_for_goes_back_through_its_flows);
    tcase_add_test(cases, a_flow_from_before_the_frame_is_queued_from_the_frames_begin);
    tcase_add_test(cases, a_flow_in_without_a_flow_out_is_passed_over);
    tcase_add_test(cases, flows_that_go_round_in_no_time_end);
    tcase_add_test(cases, what_tracks_did_is_clipped_to_the_frame);
    tcase_add_test(cases, samples_count_as_far_as_they_overlap_the_frame);
    tcase_add_test(cases, a_window_without_a_frame_says_so);
    tcase_add_test(cases, no_thread_is_runnable_for_longer_than_samples_cover);
    tcase_add_test(cases, frames_with_losses_are_told_and_are_in_no_median);
    tcase_add_test(cases, frames_without_a_scope_are_listed_as_runs);
    tcase_add_test(cases, domains_stand_beside_each_other);
    tcase_add_test(cases, counters_stand_beside_their_median);
    tcase_add_test(cases, frames_that_cannot_be_explained_say_why);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
