/* How long flows were on their way: some by hand, and many against sorting them. */
#include <check.h>
#include <stdlib.h>

#include "flow_delays.h"
#include "input_fixture.h"
#include "lcap_layout.h"
#include "nearest_rank.h"

static void flow(struct capture_builder *builder, uint32_t track, uint64_t time, uint32_t site,
                 uint64_t id)
{
    builder_value(builder, track, site != 0 ? LCAP_EVENT_FLOW_OUT : LCAP_EVENT_FLOW_IN,
                  START + time, site, id);
}

static struct capture_builder *begin(void)
{
    struct capture_builder *builder = builder_create(&golden_setup);
    builder_domain(builder, 1, "main");
    golden_add_track(builder, 1, 70, 0, 0, "main");
    golden_add_track(builder, 2, 71, 0, 0, "worker");
    return builder;
}

static void end(struct capture_builder *builder, uint64_t time)
{
    builder_stop(builder, START + time);
    builder_finish(builder);
}

/* Frame (1) sends 10, 11 and 12; Physics (2) sends 20 and 21. Two ins of 10, of which the second
 * lies behind 1,000; 11 arrives before it left; 12 and 21 do not arrive; 99 never left. */
static struct capture_builder *build(void)
{
    struct capture_builder *builder = begin();
    flow(builder, 1, 100, 1, 10);
    flow(builder, 1, 200, 2, 20);
    flow(builder, 1, 300, 1, 11);
    flow(builder, 1, 400, 1, 12);
    flow(builder, 1, 1400, 2, 21);
    flow(builder, 2, 130, 0, 10);
    flow(builder, 2, 260, 0, 20);
    flow(builder, 2, 290, 0, 11);
    flow(builder, 2, 500, 0, 99);
    flow(builder, 2, 1100, 0, 10);
    end(builder, 2000);
    return builder;
}

struct delays_fixture {
    struct input_fixture input;
    struct trace_flow_delays delays;
};

static void open_delays(struct delays_fixture *fixture, struct capture_builder *builder,
                        bool is_database, const struct trace_selection *selection)
{
    struct ludus_error error = {0};
    input_open(&fixture->input, builder, is_database, selection);
    enum ludus_status status = trace_flow_delays_create(
        fixture->input.input, &fixture->input.chosen, &fixture->delays, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
}

static void close_delays(struct delays_fixture *fixture)
{
    trace_flow_delays_destroy(&fixture->delays);
    input_close(&fixture->input);
}

static const struct trace_flow_total *total_of(const struct delays_fixture *fixture, uint32_t row,
                                               uint32_t site, uint32_t window)
{
    ck_assert_uint_lt(row, fixture->delays.count);
    ck_assert_uint_eq(fixture->delays.sites[row].site, site);
    return &fixture->delays.sites[row].totals[window];
}

START_TEST(flows_are_told_by_the_site_that_they_left_from)
{
    static const struct trace_selection whole = {0};
    struct delays_fixture fixture;
    open_delays(&fixture, build(), _i != 0, &whole);
    ck_assert_uint_eq(fixture.delays.count, 3);
    const struct trace_flow_total *frame = total_of(&fixture, 0, 0, 0);
    ck_assert_uint_eq(frame->ins, 3);
    ck_assert_uint_eq(frame->outs, 2);
    ck_assert_uint_eq(frame->clamped, 1);
    ck_assert_uint_eq(frame->outs_unbound, 1);
    /* 0, 30, 1000: the second of three is the median */
    ck_assert_int_eq(frame->delays[TRACE_DELAY_P50], 30);
    ck_assert_int_eq(frame->delays[TRACE_DELAY_MAX], 1000);
    ck_assert_uint_eq(frame->flows[TRACE_DELAY_MAX], 10);
    ck_assert_int_eq(frame->arrivals[TRACE_DELAY_MAX], 1100);
    const struct trace_flow_total *physics = total_of(&fixture, 1, 1, 0);
    ck_assert_uint_eq(physics->ins, 1);
    ck_assert_int_eq(physics->delays[TRACE_DELAY_P99], 60);
    ck_assert_uint_eq(physics->outs_unbound, 1);
    ck_assert_uint_eq(total_of(&fixture, 2, TRACE_NONE, 0)->ins_unbound, 1);
    close_delays(&fixture);
}
END_TEST

/* A flow is in the windows of its in; one without an in, in those of its out. */
START_TEST(flows_count_where_they_arrive)
{
    static const char *const windows[] = {"time:0ns..1us", "time:1us..2us"};
    static const struct trace_selection two = {.windows = windows, .window_count = 2};
    struct delays_fixture fixture;
    open_delays(&fixture, build(), _i != 0, &two);
    ck_assert_uint_eq(total_of(&fixture, 0, 0, 0)->ins, 2);
    ck_assert_int_eq(total_of(&fixture, 0, 0, 0)->delays[TRACE_DELAY_MAX], 30);
    ck_assert_uint_eq(total_of(&fixture, 0, 0, 1)->ins, 1);
    ck_assert_uint_eq(total_of(&fixture, 0, 0, 1)->outs, 1);
    ck_assert_int_eq(total_of(&fixture, 0, 0, 1)->delays[TRACE_DELAY_P50], 1000);
    ck_assert_uint_eq(total_of(&fixture, 1, 1, 1)->outs_unbound, 1);
    ck_assert_uint_eq(total_of(&fixture, 1, 1, 0)->outs_unbound, 0);
    close_delays(&fixture);
}
END_TEST

/* What arrives on another track does not count, and is no flow without an in. */
START_TEST(a_filter_of_tracks_makes_no_flow_unbound)
{
    static const char *const names[] = {"main"};
    static const struct trace_selection main_alone = {.tracks = names, .track_count = 1};
    struct delays_fixture fixture;
    open_delays(&fixture, build(), _i != 0, &main_alone);
    ck_assert_uint_eq(fixture.delays.count, 2);
    ck_assert_uint_eq(total_of(&fixture, 0, 0, 0)->ins, 0);
    ck_assert_uint_eq(total_of(&fixture, 0, 0, 0)->outs_unbound, 1);
    close_delays(&fixture);
}
END_TEST

#define FLOWS 5000u

/* Ends of flows, each after the one before: a fifth of all outs has two ins. */
static struct capture_builder *build_many(struct trace_ranked *expected, uint32_t *count)
{
    struct capture_builder *builder = begin();
    uint32_t random = 12345;
    uint64_t time = 0;
    for (uint64_t id = 1; id <= FLOWS; id++) {
        random = random * 1664525 + 1013904223;
        uint64_t delay = random >> 22; /* with many that are equal */
        flow(builder, 1, time += 1, 3, id);
        flow(builder, 2, time += delay, 0, id);
        expected[(*count)++] = (struct trace_ranked){(int64_t)delay, id};
        if (id % 5 != 0)
            continue;
        flow(builder, 2, time += 7, 0, id);
        expected[(*count)++] = (struct trace_ranked){(int64_t)delay + 7, id};
    }
    end(builder, time + 1);
    return builder;
}

START_TEST(ranks_are_those_of_sorting)
{
    static const struct trace_selection whole = {0};
    static const uint32_t per_mille[] = {500, 900, 990, 1000};
    struct trace_ranked *expected = calloc((size_t)2 * FLOWS, sizeof *expected);
    struct delays_fixture fixture;
    uint32_t count = 0;
    ck_assert_ptr_nonnull(expected);
    open_delays(&fixture, build_many(expected, &count), _i != 0, &whole);
    const struct trace_flow_total *total = total_of(&fixture, 0, 2, 0);
    trace_ranked_sort(expected, count);
    ck_assert_uint_eq(total->ins, count);
    ck_assert_uint_eq(total->outs, FLOWS);
    for (int i = 0; i < TRACE_DELAY_RANKS; i++) {
        struct trace_ranked rank = trace_ranked_at(expected, count, per_mille[i]);
        ck_assert_int_eq(total->delays[i], rank.value);
        ck_assert_uint_eq(total->flows[i], rank.source);
    }
    free(expected);
    close_delays(&fixture);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("flow delays");
    TCase *cases = tcase_create("flow delays");
    tcase_add_loop_test(cases, flows_are_told_by_the_site_that_they_left_from, 0, 2);
    tcase_add_loop_test(cases, flows_count_where_they_arrive, 0, 2);
    tcase_add_loop_test(cases, a_filter_of_tracks_makes_no_flow_unbound, 0, 2);
    tcase_add_loop_test(cases, ranks_are_those_of_sorting, 0, 2);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
