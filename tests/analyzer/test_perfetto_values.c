/* Counters, gauges and flows of an export, written down by hand. */
#include "export_fixture.h"

#include <math.h>
#include <stdlib.h>

static const char *const sites[] = {"Frame", "Send", "Draws", "Speed"};
enum { FRAME = 1, SEND, DRAWS, SPEED };

static const struct builder_setup nanoseconds = {
    .clock = {.ticks_per_second = 1000000000,
              .step = 1,
              .clock = 1,
              .source = LCAP_CLOCK_MONOTONIC},
    .sites = sites,
    .site_count = sizeof sites / sizeof *sites,
    .more_sites = 16,
    .start_tick = 1000,
};

static uint64_t bits_of(double number)
{
    uint64_t bits;

    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* The lines of a phase, in the order of the file, without what all of them have; the caller frees
 * them. */
static char *lines_of(const char *bytes, const char *phases)
{
    char *lines = calloc(strlen(bytes) + 1, 1);
    size_t used = 0;

    ck_assert_ptr_nonnull(lines);
    for (const char *at = bytes; *at != '\0'; at += strcspn(at, "\n") + 1) {
        const size_t size = strcspn(at, "\n");

        if (strncmp(at, "{\"ph\":\"", 7) == 0 && strchr(phases, at[7]) != NULL) {
            const size_t kept = size - (at[size - 1] == ',');

            memcpy(lines + used, at, kept);
            used += kept;
            lines[used++] = '\n';
        }
    }
    return lines;
}

static void assert_lines(struct capture_builder *builder, const char *phases, const char *expected)
{
    struct memory_sink sink;
    struct chrome_trace trace;
    char *lines;

    builder_finish(builder);
    sink = export_bytes(builder_bytes(builder));
    lines = lines_of(sink.bytes, phases);
    export_assert_same(lines, expected);
    free(lines);
    chrome_trace_read(&trace, sink.bytes, sink.size);
    chrome_trace_clear(&trace);
    memory_sink_release(&sink);
    builder_destroy(builder);
}

/* Two threads count draws. What a thread tells was added from its event before on: its first from
 * the thread's begin, at 0. Thread 2 tells 5 at 2.000, which were added from 0 on; thread 1 tells 3
 * at 1.000, from 0 on too: 8 at 0. Then 2 more from 1.000, and 4 more from 2.000: 10, 14. */
START_TEST(count_is_the_running_total_of_all_threads)
{
    struct capture_builder *builder = builder_create(&nanoseconds);

    builder_value(builder, 2, LCAP_EVENT_COUNT, 3000, DRAWS, 5);
    builder_value(builder, 2, LCAP_EVENT_COUNT, 4000, DRAWS, 4);
    builder_value(builder, 1, LCAP_EVENT_COUNT, 2000, DRAWS, 3);
    builder_value(builder, 1, LCAP_EVENT_COUNT, 5000, DRAWS, 2);
    builder_value(builder, 1, LCAP_EVENT_COUNT, 6000, DRAWS, 0);
    assert_lines(builder, "C",
                 "{\"ph\":\"C\",\"name\":\"Draws\",\"pid\":4242,\"tid\":0,\"ts\":0.000,"
                 "\"args\":{\"total\":8}}\n"
                 "{\"ph\":\"C\",\"name\":\"Draws\",\"pid\":4242,\"tid\":0,\"ts\":1.000,"
                 "\"args\":{\"total\":10}}\n"
                 "{\"ph\":\"C\",\"name\":\"Draws\",\"pid\":4242,\"tid\":0,\"ts\":2.000,"
                 "\"args\":{\"total\":14}}\n");
}
END_TEST

/* Blocks hold one thread after the other, the gauge is one; of two values at one time the last one
 * stays. A count of the same name is a counter of its own. */
START_TEST(gauge_is_its_value_in_the_order_of_time)
{
    struct capture_builder *builder = builder_create(&nanoseconds);

    builder_value(builder, 1, LCAP_EVENT_GAUGE, 2000, SPEED, bits_of(1.5));
    builder_value(builder, 1, LCAP_EVENT_GAUGE, 2000, SPEED, bits_of(-0.25));
    builder_value(builder, 1, LCAP_EVENT_GAUGE, 4000, SPEED, bits_of(1e300));
    builder_value(builder, 2, LCAP_EVENT_GAUGE, 3000, SPEED, bits_of(7));
    builder_value(builder, 2, LCAP_EVENT_COUNT, 3000, SPEED, UINT64_MAX);
    assert_lines(builder, "C",
                 "{\"ph\":\"C\",\"name\":\"Speed\",\"pid\":4242,\"tid\":0,\"ts\":1.000,"
                 "\"args\":{\"value\":-0.25}}\n"
                 "{\"ph\":\"C\",\"name\":\"Speed\",\"pid\":4242,\"tid\":0,\"ts\":2.000,"
                 "\"args\":{\"value\":7.0}}\n"
                 "{\"ph\":\"C\",\"name\":\"Speed\",\"pid\":4242,\"tid\":0,\"ts\":3.000,"
                 "\"args\":{\"value\":1e+300}}\n"
                 "{\"ph\":\"C\",\"name\":\"Speed\",\"pid\":4242,\"tid\":0,\"ts\":0.000,"
                 "\"args\":{\"total\":-1}}\n");
}
END_TEST

START_TEST(gauges_that_are_not_finite_are_left_out_and_counted)
{
    struct capture_builder *builder = builder_create(&nanoseconds);
    struct chrome_trace trace;

    builder_value(builder, 1, LCAP_EVENT_GAUGE, 2000, SPEED, bits_of((double)INFINITY));
    builder_value(builder, 1, LCAP_EVENT_GAUGE, 3000, SPEED, bits_of(1));
    builder_value(builder, 1, LCAP_EVENT_GAUGE, 4000, SPEED, bits_of((double)NAN));
    builder_value(builder, 1, LCAP_EVENT_GAUGE, 5000, DRAWS, bits_of(-(double)INFINITY));
    builder_finish(builder);
    export_builder(builder, &trace);
    ck_assert_uint_eq(trace.counter_lines, 1);
    ck_assert_int_eq(json_integer_value(chrome_trace_other(&trace, "gauges_not_finite")), 3);
    chrome_trace_clear(&trace);
    builder_destroy(builder);
}
END_TEST

/* Counters that stand at several places of the source, under one name, are one. */
START_TEST(places_of_one_name_are_one_counter)
{
    struct capture_builder *builder = builder_create(&nanoseconds);

    builder_site(builder, 5, (struct lcap_bytes){(const uint8_t *)"Draws", 5}, 0);
    builder_value(builder, 1, LCAP_EVENT_COUNT, 2000, DRAWS, 1);
    builder_value(builder, 1, LCAP_EVENT_COUNT, 3000, 5, 10);
    builder_value(builder, 1, LCAP_EVENT_COUNT, 4000, DRAWS, 100);
    assert_lines(builder, "C",
                 "{\"ph\":\"C\",\"name\":\"Draws\",\"pid\":4242,\"tid\":0,\"ts\":0.000,"
                 "\"args\":{\"total\":11}}\n"
                 "{\"ph\":\"C\",\"name\":\"Draws\",\"pid\":4242,\"tid\":0,\"ts\":1.000,"
                 "\"args\":{\"total\":111}}\n");
}
END_TEST

/* One out with two ins, with an id that no double holds. All at the time at which scopes begin and
 * end around them: the order of the lines tells in which scope each lies. */
START_TEST(flows_lie_in_their_slices_even_at_equal_times)
{
    struct capture_builder *builder = builder_create(&nanoseconds);
    const uint64_t flow = UINT64_C(0xfedcba9876543211);

    builder_events(builder, 1, "(Frame 2000 (Send 2000 )2000");
    builder_value(builder, 1, LCAP_EVENT_FLOW_OUT, 2000, SEND, flow);
    builder_events(builder, 1, "(Send 2000 )2000 )2000 (Frame 2000");
    builder_value(builder, 1, LCAP_EVENT_FLOW_IN, 3000, 0, flow);
    builder_events(builder, 1, ")3000");
    builder_events(builder, 2, "(Frame 2500 (Send 3000");
    builder_value(builder, 2, LCAP_EVENT_FLOW_IN, 3000, 0, flow);
    builder_events(builder, 2, ")3000 )3000");
#define LINE(phase, name, tid, ts)                                                                 \
    "{\"ph\":\"" phase "\",\"name\":\"" name "\",\"pid\":4242,\"tid\":" tid ",\"ts\":" ts "}\n"
#define FLOW(phase, rest)                                                                          \
    "{\"ph\":\"" phase "\",\"cat\":\"flow\",\"name\":\"flow\",\"id\":\"fedcba9876543211\","        \
    "\"pid\":4242,\"tid\":" rest "}\n"
    assert_lines(
        builder, "BEsf",
        LINE("B", "Frame", "1", "1.000") LINE("B", "Send", "1", "1.000")
            LINE("E", "Send", "1", "1.000") FLOW("s", "1,\"ts\":1.000")
                LINE("B", "Send", "1", "1.000") LINE("E", "Send", "1", "1.000")
                    LINE("E", "Frame", "1", "1.000") LINE("B", "Frame", "1", "1.000")
                        FLOW("f", "1,\"ts\":2.000,\"bp\":\"e\"") LINE("B", "Frame", "2", "1.500")
                            LINE("B", "Send", "2", "2.000") FLOW("f", "2,\"ts\":2.000,\"bp\":\"e\"")
                                LINE("E", "Frame", "1", "2.000") LINE("E", "Send", "2", "2.000")
                                    LINE("E", "Frame", "2", "2.000"));
}
END_TEST

/* An end outside of all slices cannot be shown. One without its other end can: viewers draw no
 * arrow. */
START_TEST(flows_outside_of_slices_are_counted)
{
    struct capture_builder *builder = builder_create(&nanoseconds);
    struct chrome_trace trace;
    const json_t *ends;

    builder_value(builder, 1, LCAP_EVENT_FLOW_OUT, 1500, SEND, 1);
    builder_events(builder, 1, "(Frame 2000");
    builder_value(builder, 1, LCAP_EVENT_FLOW_IN, 2000, 0, 1);
    builder_value(builder, 1, LCAP_EVENT_FLOW_OUT, 2000, SEND, 2);
    builder_events(builder, 1, ")3000");
    builder_value(builder, 1, LCAP_EVENT_FLOW_IN, 3000, 0, 3);
    builder_finish(builder);
    export_builder(builder, &trace);
    ck_assert_uint_eq(trace.flow_count, 2);
    ends = chrome_trace_other(&trace, "flow_ends");
    ck_assert_int_eq(json_integer_value(json_object_get(ends, "shown")), 2);
    ck_assert_int_eq(json_integer_value(json_object_get(ends, "outside_slices")), 2);
    chrome_trace_clear(&trace);
    builder_destroy(builder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("perfetto_values");
    TCase *tests = tcase_create("perfetto_values");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_checked_fixture(tests, export_folder_make, export_folder_remove);
    tcase_add_test(tests, count_is_the_running_total_of_all_threads);
    tcase_add_test(tests, gauge_is_its_value_in_the_order_of_time);
    tcase_add_test(tests, gauges_that_are_not_finite_are_left_out_and_counted);
    tcase_add_test(tests, places_of_one_name_are_one_counter);
    tcase_add_test(tests, flows_lie_in_their_slices_even_at_equal_times);
    tcase_add_test(tests, flows_outside_of_slices_are_counted);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
