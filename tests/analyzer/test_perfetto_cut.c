/* Exports of a part of a capture: spans that cut scopes, scopes that are too short. */
#include "export_fixture.h"
#include "input_fixture.h"

#include <stdlib.h>

#include "random_stream.h"

static const char *const sites[] = {"A", "B", "C", "Gauge"};

static const struct builder_setup nanoseconds = {
    .clock = {.ticks_per_second = 1000000000,
              .step = 1,
              .clock = 1,
              .source = LCAP_CLOCK_MONOTONIC},
    .sites = sites,
    .site_count = sizeof sites / sizeof *sites,
    .start_tick = 1000,
};

/* Slices as text: name[begin,end), with "<" before a begin and ">" behind an end that are cut. */
static const char *slices_of(const struct chrome_trace *trace)
{
    static char text[4096];
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < trace->slice_count; i++) {
        const struct chrome_slice *slice = &trace->slices[i];

        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%s[%lld,%lld)%s",
                                 i == 0 ? "" : " ", slice->is_begun_before ? "<" : "",
                                 json_string_value(slice->name), (long long)slice->begin_ns,
                                 (long long)slice->end_ns, slice->is_cut ? ">" : "");
        ck_assert_uint_lt(used, sizeof text);
    }
    return text;
}

static void export_part(struct capture_builder *builder, struct trace_perfetto_options options,
                        struct chrome_trace *trace)
{
    struct memory_sink sink;

    builder_finish(builder);
    export_show(options);
    sink = export_bytes(builder_bytes(builder));
    export_show((struct trace_perfetto_options){0});
    chrome_trace_read(trace, sink.bytes, sink.size);
    memory_sink_release(&sink);
}

static void assert_slices(const char *events, struct trace_perfetto_options options,
                          const char *expected)
{
    struct capture_builder *builder = builder_create(&nanoseconds);
    struct chrome_trace trace;

    builder_events(builder, 1, events);
    export_part(builder, options, &trace);
    ck_assert_str_eq(slices_of(&trace), expected);
    chrome_trace_clear(&trace);
    builder_destroy(builder);
}

static struct trace_span middle[] = {{1000, 2000, 0}};

START_TEST(slices_over_the_edges_are_cut)
{
    const struct trace_perfetto_options options = {.spans = {middle, 1}};

    assert_slices("(A 1500 (B 1800 (C 2100 )2200 )2300 (B 2900 )3500 )4000", options,
                  "<A[1000,2000)> <B[1000,1300) C[1100,1200) B[1900,2000)>");
    /* The time between an edge and the next event is long; nothing happens inside. */
    assert_slices("(A 1500 (B 1600 )5000 )5000", options, "<A[1000,2000)> <B[1000,2000)>");
    assert_slices("(A 1500 )1600 (A 4000 )5000", options, "");
    /* Half open: what ends at the begin, or begins at the end, is outside; what begins and ends
     * with the span is inside, whole. */
    assert_slices("(A 1500 )2000 (B 2000 )3000 (C 3000 )3500", options, "B[1000,2000)");
    assert_slices("(A 2000 )2000 (B 3000 )3000", options, "A[1000,1000)");
    assert_slices("(A 1500 (B 2000 )2000 )2000", options, "<A[1000,1000) B[1000,1000)");
}
END_TEST

START_TEST(each_span_opens_again_what_was_open)
{
    static struct trace_span spans[] = {{0, 100, 0}, {200, 300, 0}, {300, 400, 0}};
    const struct trace_perfetto_options options = {.spans = {spans, 3}};

    assert_slices("(A 1050 (B 1150 )1250 (C 1350", options,
                  "A[50,100)> <A[200,300)> <B[200,250) <A[300,350) C[350,350)");
    assert_slices("(A 1050 )1950", options, "A[50,100)> <A[200,300)> <A[300,400)>");
}
END_TEST

START_TEST(short_slices_are_left_out_and_counted)
{
    const struct trace_perfetto_options options = {.min_duration_ns = 100};
    struct capture_builder *builder = builder_create(&nanoseconds);
    struct chrome_trace trace;

    assert_slices("(A 2000 (B 2000 )2099 (C 2100 (B 2120 )2130 )2200 )2200 (A 2200 )2299", options,
                  "A[1000,1200) C[1100,1200)");
    /* Not short: one whose end is not known. */
    assert_slices("(A 2000 (B 2010 )2020 (C 2030", options, "A[1000,1030) C[1030,1030)");
    builder_events(builder, 1, "(A 2000 (B 2000 )2099 )2099");
    export_part(builder, options, &trace);
    ck_assert_int_eq(json_integer_value(chrome_trace_other(&trace, "slices_short")), 2);
    chrome_trace_clear(&trace);
    builder_destroy(builder);
}
END_TEST

static enum ludus_status forget_bytes(void *context, const char *bytes, size_t size)
{
    (void)context;
    (void)bytes;
    (void)size;
    return LUDUS_OK;
}

/* In a capture without frames: nothing but short slices. */
START_TEST(an_export_without_a_slice_that_is_long_enough_says_so)
{
    const struct trace_selection everything = {0};
    const struct trace_export_options least[] = {{&everything, 100}, {&everything, 99}};

    for (size_t i = 0; i < 2; i++) {
        struct capture_builder *builder = builder_create(&nanoseconds);
        struct input_fixture fixture;
        struct ludus_error error;

        builder_events(builder, 1, "(A 2000 (B 2000 )2099 )2099");
        builder_stop(builder, 2100);
        builder_finish(builder);
        input_open(&fixture, builder, false, &everything);
        ck_assert_int_eq(trace_export_perfetto(fixture.input, &least[i],
                                               (struct trace_output){NULL, forget_bytes}, &error),
                         LUDUS_OK);
        const char *warning = trace_warning(fixture.input, 0);
        if (i == 0)
            ck_assert_ptr_nonnull(strstr(warning, "all slices are shorter than --min-duration"));
        else
            ck_assert_ptr_null(warning);
        input_close(&fixture);
    }
}
END_TEST

/* A flow that arrives with the begin of a scope is shown, although the begin is written when the
 * scope has lasted long enough. */
START_TEST(flows_wait_for_their_slices)
{
    const struct trace_perfetto_options options = {.min_duration_ns = 100};
    struct capture_builder *builder = builder_create(&nanoseconds);
    struct chrome_trace trace;

    builder_events(builder, 1, "(A 2000");
    for (uint64_t i = 1; i <= 70; i++)
        builder_value(builder, 1, LCAP_EVENT_FLOW_IN, 2000 + i, 0, i);
    builder_events(builder, 1, "(B 2080");
    builder_value(builder, 1, LCAP_EVENT_FLOW_OUT, 2085, 2, 100);
    builder_events(builder, 1, ")2090");
    builder_value(builder, 1, LCAP_EVENT_FLOW_OUT, 2150, 2, 101);
    builder_events(builder, 1, ")2200");
    export_part(builder, options, &trace);
    ck_assert_str_eq(slices_of(&trace), "A[1000,1200)");
    ck_assert_uint_eq(trace.flow_count, TRACE_PERFETTO_MAX_HELD + 1);
    ck_assert_int_eq(trace.flows[TRACE_PERFETTO_MAX_HELD].time_ns, 1150);
    ck_assert_int_eq(
        json_integer_value(json_object_get(chrome_trace_other(&trace, "flow_ends"), "left_out")),
        70 - TRACE_PERFETTO_MAX_HELD + 1);
    chrome_trace_clear(&trace);
    builder_destroy(builder);
}
END_TEST

/* What else has a time: marks, frames, losses inside, the value of a gauge where the span begins.
 */
START_TEST(everything_is_of_the_span)
{
    const struct trace_perfetto_options options = {.spans = {middle, 1}};
    struct capture_builder *builder = builder_create(&nanoseconds);
    struct chrome_trace trace;
    const double speeds[] = {1, 2, 3, 4};

    builder_domain(builder, 1, "Render");
    for (uint64_t i = 0; i < 6; i++) /* at 500, 1000, ... 3000 */
        builder_frame(builder, 1, i, 1500 + 500 * i);
    builder_events(builder, 1, "!A 1999 !A 2000 !A 2999 !A 3000");
    for (size_t i = 0; i < 4; i++) { /* at 400, 900, 1400, 2400 */
        uint64_t bits;

        memcpy(&bits, &speeds[i], sizeof bits);
        builder_value(builder, 2, LCAP_EVENT_GAUGE, 1400 + 500 * i + (i == 3 ? 500 : 0), 4, bits);
    }
    builder_loss(builder, &(struct lcap_loss){.counts.instants = 1,
                                              .first_tick = 1500,
                                              .last_tick = 2500,
                                              .track = 1,
                                              .cause = LCAP_LOSS_BUFFERS_FULL});
    builder_loss(builder, &(struct lcap_loss){.counts.instants = 1,
                                              .first_tick = 3500,
                                              .last_tick = 3500,
                                              .track = 1,
                                              .cause = LCAP_LOSS_BUFFERS_FULL});
    export_part(builder, options, &trace);
    ck_assert_str_eq(slices_of(&trace), "Frame 1[1000,1500) Frame 2[1500,2000)");
    ck_assert_uint_eq(trace.instants, 2 + 1);
    ck_assert_uint_eq(trace.counter_lines, 2); /* 2 at 1.000, 3 at 1.400 */
    chrome_trace_clear(&trace);
    builder_destroy(builder);
}
END_TEST

/* --- any capture, any spans ------------------------------------------------------------------- */

#define EVENTS (800u / TEST_SHARE)
#define TRACKS 3u

static struct capture_builder *build_random(struct random *random, uint32_t max_shift)
{
    struct capture_builder *builder = builder_create(&nanoseconds);

    for (uint32_t track = 1; track <= TRACKS; track++) {
        struct stream_event *events = calloc(EVENTS, sizeof *events);
        const struct stream_shape shape = {
            .events = EVENTS,
            .sites = 3,
            .max_depth = 6,
            .step = 1,
            .first_tick = 1000,
            .kinds = 1u << LCAP_EVENT_FLOW_OUT | 1u << LCAP_EVENT_FLOW_IN | 1u << LCAP_EVENT_GAUGE,
            .max_shift = max_shift};

        ck_assert_ptr_nonnull(events);
        stream_generate(random, &shape, events);
        for (uint32_t i = 0; i < EVENTS; i++)
            builder_value(builder, track, (enum lcap_event_kind)events[i].kind, events[i].tick,
                          events[i].site, events[i].value);
        free(events);
    }
    builder_stop(builder, UINT64_C(1) << 40);
    builder_finish(builder);
    return builder;
}

static struct chrome_trace export_random(struct capture_builder *builder,
                                         struct trace_perfetto_options options)
{
    struct chrome_trace trace;
    struct memory_sink sink;

    export_show(options);
    sink = export_bytes(builder_bytes(builder));
    export_show((struct trace_perfetto_options){0});
    chrome_trace_read(&trace, sink.bytes, sink.size);
    memory_sink_release(&sink);
    return trace;
}

/* How long all slices are within the span. */
static int64_t time_within(const struct chrome_trace *trace, struct trace_span span)
{
    int64_t sum = 0;

    for (size_t i = 0; i < trace->slice_count; i++) {
        const struct chrome_slice *slice = &trace->slices[i];
        const int64_t from_ns = slice->begin_ns > span.begin_ns ? slice->begin_ns : span.begin_ns;
        const int64_t to_ns = slice->end_ns < span.end_ns ? slice->end_ns : span.end_ns;

        sum += to_ns > from_ns ? to_ns - from_ns : 0;
    }
    return sum;
}

/* The pieces of a span are what the whole export has there, and there is nothing else. */
START_TEST(spans_show_what_the_whole_shows_there)
{
    struct random random = {3000 + (uint64_t)_i};
    struct capture_builder *builder = build_random(&random, (uint32_t)_i % 5);
    struct chrome_trace whole = export_random(builder, (struct trace_perfetto_options){0});
    struct trace_span spans[3];
    struct chrome_trace part;
    int64_t time_ns = 0;

    for (size_t i = 0; i < 3; i++) {
        spans[i].begin_ns = time_ns + random_below(&random, 1000);
        spans[i].end_ns = spans[i].begin_ns + 1 + random_below(&random, 1000);
        time_ns = spans[i].end_ns;
    }
    part = export_random(builder, (struct trace_perfetto_options){.spans = {spans, 3}});
    for (size_t i = 0; i < part.slice_count; i++) {
        bool is_inside = false;

        for (size_t s = 0; s < 3; s++)
            is_inside |= part.slices[i].begin_ns >= spans[s].begin_ns &&
                         part.slices[i].end_ns <= spans[s].end_ns;
        ck_assert(is_inside);
    }
    for (size_t s = 0; s < 3; s++)
        ck_assert_int_eq(time_within(&part, spans[s]), time_within(&whole, spans[s]));
    chrome_trace_clear(&part);
    chrome_trace_clear(&whole);
    builder_destroy(builder);
}
END_TEST

/* All that are long enough, or not known to be short, are there, in the order of the whole. */
START_TEST(min_duration_leaves_out_what_is_short_and_nothing_else)
{
    struct random random = {4000 + (uint64_t)_i};
    struct capture_builder *builder = build_random(&random, 2 + (uint32_t)_i % 4);
    struct chrome_trace whole = export_random(builder, (struct trace_perfetto_options){0});
    const int64_t least_ns = 1 + random_below(&random, 100);
    struct chrome_trace part =
        export_random(builder, (struct trace_perfetto_options){.min_duration_ns = least_ns});
    size_t expected = 0;

    for (size_t i = 0; i < whole.slice_count; i++) {
        const struct chrome_slice *slice = &whole.slices[i];

        expected += slice->is_incomplete || slice->end_ns - slice->begin_ns >= least_ns;
    }
    ck_assert_uint_eq(part.slice_count, expected);
    for (size_t i = 0; i < part.slice_count; i++)
        ck_assert(part.slices[i].is_incomplete ||
                  part.slices[i].end_ns - part.slices[i].begin_ns >= least_ns);
    ck_assert_int_eq(json_integer_value(chrome_trace_other(&part, "slices_short")),
                     (json_int_t)(whole.slice_count - expected));
    chrome_trace_clear(&part);
    chrome_trace_clear(&whole);
    builder_destroy(builder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("perfetto_cut");
    TCase *tests = tcase_create("perfetto_cut");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_set_timeout(tests, 300);
    tcase_add_checked_fixture(tests, export_folder_make, export_folder_remove);
    tcase_add_test(tests, slices_over_the_edges_are_cut);
    tcase_add_test(tests, each_span_opens_again_what_was_open);
    tcase_add_test(tests, short_slices_are_left_out_and_counted);
    tcase_add_test(tests, an_export_without_a_slice_that_is_long_enough_says_so);
    tcase_add_test(tests, flows_wait_for_their_slices);
    tcase_add_test(tests, everything_is_of_the_span);
    tcase_add_loop_test(tests, spans_show_what_the_whole_shows_there, 0, 15);
    tcase_add_loop_test(tests, min_duration_leaves_out_what_is_short_and_nothing_else, 0, 8);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
