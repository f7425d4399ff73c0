/* What an import makes of counters, gauges and flows: each value in its frame, each in joined with
 * its out, and what cannot be said is NULL and counted. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture_builder.h"
#include "lcap_layout.h"
#include "trace.h"

#define NS_CLOCK                                                                                   \
    {                                                                                              \
        .ticks_per_second = 1000000000u, .step = 1, .clock = 1, .source = LCAP_CLOCK_MONOTONIC     \
    }

static char answer[65536];
static size_t answer_size;

static enum ludus_status remember(void *context, const char *bytes, size_t size)
{
    (void)context;
    if (size >= sizeof answer - answer_size)
        return LUDUS_ERROR_WRITE;
    memcpy(answer + answer_size, bytes, size);
    answer_size += size;
    answer[answer_size] = '\0';
    return LUDUS_OK;
}

static void write_capture(char path[64], struct lcap_bytes bytes)
{
    snprintf(path, 64, "/tmp/ludus-values-XXXXXX");
    const int descriptor = mkstemp(path);
    ck_assert_int_ge(descriptor, 0);
    ck_assert_int_eq(write(descriptor, bytes.data, bytes.size), (ssize_t)bytes.size);
    close(descriptor);
}

/* The answer as CSV, without its head. */
static const char *ask_file(const char *path, const char *sql)
{
    struct ludus_error error = {0};
    const struct trace_output output = {NULL, remember};
    answer_size = 0;
    answer[0] = '\0';
    const enum ludus_status status =
        trace_query(path, sql, NULL, TRACE_FORMAT_CSV, output, NULL, &error);
    ck_assert_msg(status == LUDUS_OK, "%s: %s", sql, error.message);
    const char *rows = strstr(answer, "\r\n");
    ck_assert_ptr_nonnull(rows);
    return rows + 2;
}

static const char *ask_bytes(struct lcap_bytes bytes, const char *sql)
{
    char path[64];
    write_capture(path, bytes);
    const char *rows = ask_file(path, sql);
    unlink(path);
    return rows;
}

static const char *ask(struct capture_builder *builder, const char *sql)
{
    return ask_bytes(builder_bytes(builder), sql);
}

static const char *const sites[] = {"hits", "Frame", "heap", "send", "receive"};
enum { HITS = 1, FRAME, HEAP, SEND, RECEIVE };

static const struct builder_setup setup = {.clock = NS_CLOCK, .sites = sites, .site_count = 5};

static const struct lcap_track main_track = {.begin_tick = 5, .track = 1, .kind = 1};
static const struct lcap_track worker_track = {.begin_tick = 50, .track = 2, .kind = 1};

/* Marks at 100, 200, 300 and 400. */
static struct capture_builder *create(void)
{
    struct capture_builder *builder = builder_create(&setup);
    builder_track(builder, &main_track, "main");
    builder_track(builder, &worker_track, "worker");
    builder_domain(builder, 1, "Frame");
    for (uint64_t i = 0; i < 4; i++)
        builder_frame(builder, 1, i, 100 + 100 * i);
    return builder;
}

static void count(struct capture_builder *builder, uint32_t track, uint64_t tick, int64_t gain)
{
    builder_value(builder, track, LCAP_EVENT_COUNT, tick, HITS, (uint64_t)gain);
}

#define PER_FRAME                                                                                  \
    "SELECT number, value FROM counter_frame LEFT JOIN frame USING (frame_id) ORDER BY number"

START_TEST(increments_belong_to_the_frame_of_the_event_before)
{
    struct capture_builder *builder = create();
    count(builder, 1, 100, 7); /* since the track's beginning, before the first mark */
    count(builder, 1, 200, 1); /* since 100: frame 0 */
    count(builder, 1, 330, 2); /* since 200: frame 1, though told in frame 2 */
    count(builder, 1, 350, 0);
    count(builder, 1, 420, -4); /* since 350: frame 2 */
    count(builder, 2, 150, 0);  /* others begin with each track */
    count(builder, 2, 210, 10); /* frame 0 */
    ck_assert_str_eq(ask(builder, PER_FRAME), ",7\r\n0,11\r\n1,2\r\n2,-4\r\n");
    ck_assert_str_eq(ask(builder, "SELECT time_ns, value, track_id FROM counter_sample"),
                     "5,7,1\r\n100,1,1\r\n200,2,1\r\n350,-4,1\r\n150,10,2\r\n");
    ck_assert_str_eq(ask(builder, "SELECT counts FROM capture"), "7\r\n");
    ck_assert_str_eq(ask(builder, "SELECT name, kind FROM counter"), "hits,count\r\n");
    builder_destroy(builder);
}
END_TEST

START_TEST(increments_over_blocks_and_flushes_are_the_same)
{
    struct capture_builder *builder = create();
    count(builder, 1, 100, 0);
    for (uint64_t tick = 110; tick <= 400; tick += 10) {
        builder_end_block(builder);
        count(builder, 1, tick, 1);
    }
    ck_assert_str_eq(ask(builder, PER_FRAME), "0,10\r\n1,10\r\n2,10\r\n");
    builder_destroy(builder);
}
END_TEST

START_TEST(increments_behind_lost_events_belong_to_no_frame)
{
    struct capture_builder *builder = create();
    uint32_t block_count;
    count(builder, 1, 100, 0);
    builder_end_block(builder);
    count(builder, 1, 210, 5); /* lost */
    builder_end_block(builder);
    count(builder, 1, 310, 6); /* since when is lost with it */
    count(builder, 1, 410, 7);
    builder_end_block(builder);
    const struct lcap_bytes bytes = builder_bytes(builder);
    const uint64_t *offsets = builder_offsets(builder, &block_count);
    uint8_t *damaged = malloc(bytes.size);
    ck_assert_ptr_nonnull(damaged);
    memcpy(damaged, bytes.data, bytes.size);
    damaged[offsets[block_count - 1] - 1] ^= 1; /* the end of the block before the last */
    ck_assert_str_eq(ask_bytes((struct lcap_bytes){damaged, bytes.size},
                               "SELECT number, value, time_ns FROM counter_sample"
                               " LEFT JOIN frame USING (frame_id)"),
                     ",6,310\r\n2,7,310\r\n");
    free(damaged);
    builder_destroy(builder);
}
END_TEST

static void gauge(struct capture_builder *builder, uint64_t tick, uint64_t bits)
{
    builder_value(builder, 1, LCAP_EVENT_GAUGE, tick, HEAP, bits);
}

START_TEST(gauges_are_values_at_a_time_and_those_that_are_none_are_counted)
{
    struct capture_builder *builder = create();
    gauge(builder, 50, UINT64_C(0x3FF8000000000000));  /* 1.5 */
    gauge(builder, 110, UINT64_C(0x7FF0000000000000)); /* infinite */
    gauge(builder, 120, UINT64_C(0xFFF8000000000001)); /* not a number */
    gauge(builder, 130, UINT64_C(0xC008000000000000)); /* -3 */
    gauge(builder, 140, UINT64_C(0x7FEFFFFFFFFFFFFF)); /* the largest */
    ck_assert_str_eq(
        ask(builder, "SELECT number, time_ns, value = 1.5, value = -3, value > 1e308, value"
                     " IS NULL FROM counter_sample LEFT JOIN frame USING (frame_id)"),
        ",50,1,0,0,0\r\n0,110,,,,1\r\n0,120,,,,1\r\n0,130,0,1,0,0\r\n0,140,0,0,1,0\r\n");
    ck_assert_str_eq(ask(builder, "SELECT gauges, gauges_not_finite FROM capture"), "5,2\r\n");
    ck_assert_str_eq(ask(builder, "SELECT name, kind FROM counter"), "heap,gauge\r\n");
    ck_assert_str_eq(ask(builder, "SELECT count(*) FROM counter_frame"), "0\r\n");
    builder_destroy(builder);
}
END_TEST

static void flow(struct capture_builder *builder, uint32_t track, enum lcap_event_kind kind,
                 uint64_t tick, uint64_t id)
{
    builder_value(builder, track, kind, tick, kind == LCAP_EVENT_FLOW_OUT ? SEND : 0, id);
}

#define LARGE UINT64_C(0xFEDCBA9876543210)

START_TEST(ins_are_joined_with_their_outs_wherever_these_stand)
{
    struct capture_builder *builder = create();
    builder_events(builder, 2, "(receive 120");
    flow(builder, 2, LCAP_EVENT_FLOW_IN, 130, LARGE); /* before its out in the file */
    flow(builder, 2, LCAP_EVENT_FLOW_IN, 140, LARGE);
    flow(builder, 2, LCAP_EVENT_FLOW_IN, 150, 3); /* has none */
    builder_events(builder, 2, ")160");
    builder_end_block(builder);
    builder_events(builder, 1, "(Frame 100 (send 105");
    flow(builder, 1, LCAP_EVENT_FLOW_OUT, 110, LARGE);
    flow(builder, 1, LCAP_EVENT_FLOW_OUT, 115, 4); /* arrives nowhere */
    flow(builder, 1, LCAP_EVENT_FLOW_OUT, 170, 5);
    builder_events(builder, 1, ")180 )190");
    flow(builder, 2, LCAP_EVENT_FLOW_IN, 165, 5); /* before it left, by the clocks */
    ck_assert_str_eq(ask(builder,
                         "SELECT flow, s.name, o.name, out_ns, i.name, in_ns, clamped FROM flow"
                         " LEFT JOIN site AS s ON s.site_id = out_site_id"
                         " LEFT JOIN track AS o ON o.track_id = out_track_id"
                         " JOIN track AS i ON i.track_id = in_track_id ORDER BY flow_in_id"),
                     "fedcba9876543210,send,main,110,worker,130,0\r\n"
                     "fedcba9876543210,send,main,110,worker,140,0\r\n"
                     "0000000000000003,,,,worker,150,0\r\n"
                     "0000000000000005,send,main,170,worker,165,1\r\n");
    ck_assert_str_eq(ask(builder, "SELECT a.begin_ns, b.begin_ns FROM flow"
                                  " LEFT JOIN slice AS a ON a.slice_id = out_slice_id"
                                  " LEFT JOIN slice AS b ON b.slice_id = in_slice_id"
                                  " ORDER BY flow_in_id"),
                     "105,120\r\n105,120\r\n,120\r\n105,\r\n");
    ck_assert_str_eq(ask(builder, "SELECT flow_outs, flow_outs_unbound, flow_ins,"
                                  " flow_ins_unbound FROM capture"),
                     "3,1,4,1\r\n");
    ck_assert_str_eq(ask(builder, "SELECT flow, site.name, track.name, slice.begin_ns, out_ns"
                                  " FROM flow_out_unbound JOIN site ON site.site_id = out_site_id"
                                  " JOIN track ON track.track_id = out_track_id"
                                  " JOIN slice ON slice_id = out_slice_id"),
                     "0000000000000004,send,main,105,115\r\n");
    ck_assert_str_eq(ask(builder, "SELECT latency_ns, clamped FROM flow_latency"),
                     "20,0\r\n30,0\r\n0,1\r\n");
    builder_destroy(builder);
}
END_TEST

START_TEST(captures_in_one_database_do_not_share_flows_or_counters)
{
    struct capture_builder *builder = create();
    char captures[2][64];
    char database[80];
    count(builder, 1, 100, 0);
    count(builder, 1, 200, 1);
    flow(builder, 1, LCAP_EVENT_FLOW_OUT, 210, 9);
    write_capture(captures[0], builder_bytes(builder));
    builder_destroy(builder);
    builder = create();
    count(builder, 1, 200, 0);
    count(builder, 1, 300, 2);
    flow(builder, 1, LCAP_EVENT_FLOW_IN, 310, 9); /* the other's out is not its own */
    gauge(builder, 320, 0);
    write_capture(captures[1], builder_bytes(builder));
    builder_destroy(builder);

    const char *const paths[] = {captures[0], captures[1]};
    struct ludus_error error = {0};
    snprintf(database, sizeof database, "%s.db", captures[0]);
    ck_assert_int_eq(trace_import(paths, 2, database, NULL, &error), LUDUS_OK);
    ck_assert_str_eq(ask_file(database,
                              "SELECT f.capture_id, frame.capture_id, number, value"
                              " FROM counter_frame AS f JOIN frame USING (frame_id) ORDER BY 1"),
                     "1,1,0,1\r\n2,2,1,2\r\n");
    ck_assert_str_eq(ask_file(database, "SELECT capture_id, out_ns IS NULL FROM flow"), "2,1\r\n");
    ck_assert_str_eq(ask_file(database, "SELECT c.capture_id, site.capture_id, c.name, kind"
                                        " FROM counter AS c JOIN site USING (site_id)"
                                        " ORDER BY counter_id"),
                     "1,1,hits,count\r\n2,2,hits,count\r\n2,2,heap,gauge\r\n");
    unlink(captures[0]);
    unlink(captures[1]);
    unlink(database);
}
END_TEST

START_TEST(counters_of_many_tracks_and_sites_are_told_apart)
{
    struct capture_builder *builder = create();
    for (uint64_t tick = 100; tick < 100 + 3 * 2000; tick++) {
        const uint32_t track = 1 + (uint32_t)(tick % BUILDER_MAX_TRACKS);
        builder_value(builder, track, LCAP_EVENT_COUNT, tick, 1 + (uint32_t)(tick / 16 % 5), 1);
    }
    ck_assert_str_eq(ask(builder, "SELECT sum(value) FROM counter_sample"), "6000\r\n");
    ck_assert_str_eq(ask(builder, "SELECT count(*), min(n), max(n) FROM (SELECT count(*) AS n"
                                  " FROM counter_sample GROUP BY track_id, counter_id)"),
                     "80,75,75\r\n");
    builder_destroy(builder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("value tables");
    TCase *cases = tcase_create("value tables");
    tcase_add_test(cases, increments_belong_to_the_frame_of_the_event_before);
    tcase_add_test(cases, increments_over_blocks_and_flushes_are_the_same);
    tcase_add_test(cases, increments_behind_lost_events_belong_to_no_frame);
    tcase_add_test(cases, gauges_are_values_at_a_time_and_those_that_are_none_are_counted);
    tcase_add_test(cases, ins_are_joined_with_their_outs_wherever_these_stand);
    tcase_add_test(cases, captures_in_one_database_do_not_share_flows_or_counters);
    tcase_add_test(cases, counters_of_many_tracks_and_sites_are_told_apart);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
