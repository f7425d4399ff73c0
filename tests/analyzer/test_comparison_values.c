/* Comparisons of frames, values, GPU work and budgets, of captures that are so small that every
 * number was worked out by hand. Frames are of 1,000 ns unless a test says otherwise. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff_fixture.h"

/* --- values and GPU work ---------------------------------------------------------------------- */

static void gauge(struct capture_builder *builder, uint64_t time_ns, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    builder_value(builder, 1, LCAP_EVENT_GAUGE, START + time_ns, 4, bits);
}

static void count(struct capture_builder *builder, uint64_t time_ns, uint64_t value)
{
    builder_value(builder, 1, LCAP_EVENT_COUNT, START + time_ns, 1, value);
}

/* Frame counts 40 in the four frames, then 60, and 7 behind them; Render is 1 and 3, then 5 alone:
 * a value that is no number does not count. */
START_TEST(counters_are_per_frame_and_gauges_means_and_neither_is_judged)
{
    struct diff_fixture diff;
    diff_start(&diff, NULL, false);
    for (uint32_t run = 0; run < 8; run++) {
        struct capture_builder *builder = diff_begin_four(&diff);
        count(builder, 500, 10);
        count(builder, 3500, run < 4 ? 30 : 50);
        gauge(builder, 3600, run < 4 ? 1 : 5);
        gauge(builder, 3700, run < 4 ? 3 : NAN);
        count(builder, 4010, 0); /* from here on the next one adds up */
        count(builder, 4090, 7);
        diff_add_run(&diff, run < 4 ? TRACE_BASE : TRACE_CANDIDATE, builder, 4100);
    }
    diff_compare(&diff);
    const struct trace_compared *counter = diff_require(&diff, "Frame", TRACE_MEASURE_COUNTER);
    const struct trace_compared *level = diff_require(&diff, "Render", TRACE_MEASURE_GAUGE);
    const struct trace_judged *judged = trace_comparison_judged(&diff.comparison, counter);
    ck_assert_double_eq(judged->base, 10);
    ck_assert_double_eq(judged->candidate, 15);
    ck_assert_int_eq(judged->finding, TRACE_FOUND_SHOWN);
    judged = trace_comparison_judged(&diff.comparison, level);
    ck_assert_double_eq(judged->base, 2);
    ck_assert_double_eq(judged->candidate, 5);
    ck_assert_int_eq(judged->finding, TRACE_FOUND_SHOWN);
    diff_end(&diff);
}
END_TEST

/* Four submitted frames with a pass of Render each, 200 ns and then 300. */
START_TEST(passes_of_a_gpu_are_compared_and_judged)
{
    struct diff_fixture diff;
    diff_start(&diff, NULL, false);
    for (uint32_t run = 0; run < 8; run++) {
        struct capture_builder *builder = diff_begin_four(&diff);
        struct lcap_gpu_frame frames[4];
        struct lcap_gpu_pass passes[4];
        builder_track(
            builder,
            &(struct lcap_track){.begin_tick = START, .track = 2, .kind = LCAP_TRACK_GPU_QUEUE},
            "graphics");
        builder_gpu_queue(
            builder, &(struct lcap_gpu_queue){.track = 2, .period_fs = 1000000, .valid_bits = 64});
        for (uint32_t i = 0; i < 4; i++) {
            struct lcap_gpu_time time = {.submit_tick = START + 1000 * i + 100,
                                         .collect_tick = START + 1000 * i + 900,
                                         .duration_ns = run < 4 ? 200 : 300,
                                         .outcome = LCAP_GPU_VALID,
                                         .uncertainty_ns = LCAP_GPU_UNMAPPED};
            passes[i] = (struct lcap_gpu_pass){.time = time,
                                               .frame = i,
                                               .track = 2,
                                               .site = 4,
                                               .operation = 1,
                                               .logical_passes = 1};
            time.duration_ns += 50;
            frames[i] = (struct lcap_gpu_frame){
                .time = time, .number = i, .track = 2, .method = LCAP_GPU_TIMESTAMPS};
        }
        builder_gpu_frames(builder, frames, 4);
        builder_gpu_passes(builder, passes, 4);
        diff_add_run(&diff, run < 4 ? TRACE_BASE : TRACE_CANDIDATE, builder, 4100);
    }
    diff_compare(&diff);
    const struct trace_compared *pass = diff_require(&diff, "Render", TRACE_MEASURE_GPU_PASS);
    const struct trace_compared *frame = diff_require(&diff, "graphics", TRACE_MEASURE_GPU_FRAME);
    diff_check_change(pass, 200, 300, 1, 1);
    diff_check_change(frame, 250, 350, 1, 1);
    ck_assert_int_eq(pass->change.kind, TRACE_CHANGE_COST);
    ck_assert_int_eq(trace_comparison_judged(&diff.comparison, pass)->finding, TRACE_FOUND_WORSE);
    ck_assert_int_eq(trace_comparison_judged(&diff.comparison, frame)->finding, TRACE_FOUND_WORSE);
    diff_end(&diff);
}
END_TEST

/* --- frames ----------------------------------------------------------------------------------- */

/* Base: 100, 200, 300, 400: median 200. Candidate: 100, 100, 600, 200: median 100. All runs'
 * medians are 100 and 200: the lower of the middle ones is 100, and a hitch is longer than 200. */
START_TEST(frames_and_hitches_are_worked_out)
{
    static const uint64_t base[] = {0, 100, 300, 600, 1000};
    static const uint64_t candidate[] = {0, 100, 200, 800, 1000};
    struct diff_fixture diff;
    diff_start(&diff, NULL, false);
    diff_add_run(&diff, TRACE_BASE, diff_begin_run(&diff, &golden_setup, base, COUNT(base)), 1100);
    diff_add_run(&diff, TRACE_CANDIDATE,
                 diff_begin_run(&diff, &golden_setup, candidate, COUNT(candidate)), 1100);
    diff_compare(&diff);
    const struct trace_comparison *comparison = &diff.comparison;
    static const double expected[TRACE_FRAME_MEASURES][TRACE_SIDES] = {
        [TRACE_FRAME_MEASURE_P50] = {200, 100},  [TRACE_FRAME_MEASURE_HITCHES] = {500, 250},
        [TRACE_FRAME_MEASURE_MEAN] = {250, 250}, [TRACE_FRAME_MEASURE_P95] = {400, 600},
        [TRACE_FRAME_MEASURE_P99] = {400, 600},  [TRACE_FRAME_MEASURE_MAX] = {400, 600},
    };
    ck_assert_double_eq(comparison->hitch_ns, 200);
    for (int measure = 0; measure < TRACE_FRAME_MEASURES; measure++)
        for (uint32_t side = 0; side < TRACE_SIDES; side++)
            ck_assert_double_eq(
                trace_comparison_frames(comparison, side, (enum trace_frame_measure)measure),
                expected[measure][side]);
    ck_assert_uint_eq(comparison->count, 0);
    ck_assert_double_eq(comparison->rest_ns[TRACE_CANDIDATE], 250);
    diff_end(&diff);
}
END_TEST

/* --- budgets ---------------------------------------------------------------------------------- */

static const struct trace_budget *budget_of(const struct diff_fixture *diff, const char *what)
{
    for (uint32_t i = 0; i < diff->comparison.budget_count; i++)
        if (strcmp(diff->comparison.budgets[i].what, what) == 0)
            return &diff->comparison.budgets[i];
    ck_abort_msg("no budget is of %s", what);
    return NULL;
}

static void check_budget(const struct diff_fixture *diff, const char *what, double value,
                         bool is_exceeded)
{
    const struct trace_budget *budget = budget_of(diff, what);
    ck_assert_double_eq_tol(budget->value, value, 1e-9);
    ck_assert_int_eq(trace_budget_is_exceeded(budget), is_exceeded);
}

/* Job of the candidate: 40 on main, in it Solve 10; 400 on each of two workers; in four frames. Own
 * time (30 + 800) / 4 = 207.5, inclusive 210, 0.75 calls. */
static void add_budget_runs(struct diff_fixture *diff)
{
    diff_add_four(diff, TRACE_BASE, "(Job 100 )110");
    struct capture_builder *builder =
        diff_begin_two_tracks(diff, "(Job 100 (Solve 110 )120 )140", "(Job 100 )500");
    count(builder, 3500, 42);
    diff_add_run(diff, TRACE_CANDIDATE, builder, 4100);
}

START_TEST(a_value_that_equals_its_budget_is_within_it)
{
    struct diff_fixture diff;
    diff_start(&diff, NULL, false);
    add_budget_runs(&diff);
    diff_configure(&diff, "{\"scopes\": {\"Job\": {\"per_frame_ms\": 0.00021, "
                          "\"exclusive_per_frame_ms\": 0.0002075, \"calls_per_frame\": 0.75}},"
                          "\"counters\": {\"Frame\": {\"per_frame\": 10.5}},"
                          "\"frame\": {\"p50_ms\": 0.001, \"p95_ms\": 0.001, \"p99_ms\": 0.001, "
                          "\"max_ms\": 0.001, \"hitches_per_1000\": 0}}");
    diff_compare(&diff);
    check_budget(&diff, "inclusive time per frame", 210, false);
    check_budget(&diff, "exclusive time per frame", 207.5, false);
    check_budget(&diff, "calls per frame", 0.75, false);
    check_budget(&diff, "per frame", 10.5, false);
    check_budget(&diff, "median frame", 1000, false);
    check_budget(&diff, "95th percentile of frames", 1000, false);
    check_budget(&diff, "99th percentile of frames", 1000, false);
    check_budget(&diff, "longest frame", 1000, false);
    check_budget(&diff, "hitches per 1,000 frames", 0, false);
    ck_assert_uint_eq(diff.comparison.budget_count, 9);
    diff_end(&diff);
}
END_TEST

/* A third of a call in each of three runs, and times that do: sums of thirds are a little more. */
START_TEST(rounding_exceeds_no_budget)
{
    static const uint64_t three[] = {0, 1000, 2000, 3000};
    struct diff_fixture diff;
    diff_start(&diff, NULL, false);
    diff_add_four(&diff, TRACE_BASE, "(Job 100 )110");
    for (uint32_t run = 0; run < 7; run++) {
        struct capture_builder *builder = diff_begin_run(&diff, &golden_setup, three, COUNT(three));
        golden_emit(builder, 1, "(Job 100 )800");
        count(builder, 2900, 1);
        diff_add_run(&diff, TRACE_CANDIDATE, builder, 3100);
    }
    diff_configure(&diff, "{\"scopes\": {\"Job\": {\"per_frame_ms\": 0.000233333, "
                          "\"exclusive_per_frame_ms\": 0.000233333, "
                          "\"calls_per_frame\": 0.333333333}}}");
    diff_compare(&diff);
    check_budget(&diff, "inclusive time per frame", 233.333, false);
    check_budget(&diff, "exclusive time per frame", 233.333, false);
    check_budget(&diff, "calls per frame", 0.333333333, false);
    diff_end(&diff);
}
END_TEST

START_TEST(a_little_more_than_a_budget_exceeds_it)
{
    struct diff_fixture diff;
    diff_start(&diff, NULL, false);
    add_budget_runs(&diff);
    diff_configure(&diff, "{\"scopes\": {\"J*\": {\"per_frame_ms\": 0.000209, "
                          "\"exclusive_per_frame_ms\": 0.0002074, \"calls_per_frame\": 0.74}},"
                          "\"counters\": {\"Frame\": {\"per_frame\": 10.4}},"
                          "\"frame\": {\"p50_ms\": 0.000999, \"max_ms\": 0.000999, "
                          "\"hitch_ms\": 0.0009, \"hitches_per_1000\": 999}}");
    diff_compare(&diff);
    check_budget(&diff, "inclusive time per frame", 210, true);
    check_budget(&diff, "exclusive time per frame", 207.5, true);
    check_budget(&diff, "calls per frame", 0.75, true);
    check_budget(&diff, "per frame", 10.5, true);
    check_budget(&diff, "median frame", 1000, true);
    check_budget(&diff, "longest frame", 1000, true);
    check_budget(&diff, "hitches per 1,000 frames", 1000, true);
    diff_end(&diff);
}
END_TEST

/* Job of the candidate in two places, and in one of them inside itself: 10 + 50 inclusive, of which
 * 3 are in the inner one, and three calls, in four frames. By path as by site. */
START_TEST(a_budget_is_of_all_callers_together)
{
    for (int is_by_path = 0; is_by_path < 2; is_by_path++) {
        struct diff_fixture diff;
        diff_start(&diff, NULL, is_by_path == 1);
        diff_add_four(&diff, TRACE_BASE, "(Job 100 )110");
        diff_add_four(&diff, TRACE_CANDIDATE, "(Frame 0 (Job 10 (Job 12 )15 )20 )30 (Job 100 )150");
        diff_configure(&diff, "{\"scopes\": {\"Job\": {\"per_frame_ms\": 0.000014, "
                              "\"exclusive_per_frame_ms\": 1, \"calls_per_frame\": 0.5}}}");
        diff_compare(&diff);
        ck_assert_uint_eq(diff.comparison.budget_count, 3);
        check_budget(&diff, "inclusive time per frame", 15, true);
        check_budget(&diff, "exclusive time per frame", 15, false);
        check_budget(&diff, "calls per frame", 0.75, true);
        diff_end(&diff);
    }
}
END_TEST

/* Its budget would be held by 0 ns of nothing: the entry is one that fits nothing. */
START_TEST(what_only_the_base_has_holds_no_budget)
{
    struct diff_fixture diff;
    enum trace_limit_kind kind;
    uint32_t index = 0;
    diff_start(&diff, NULL, false);
    diff_add_four(&diff, TRACE_BASE, "(Job 100 )110 (Solve 200 )210");
    diff_add_four(&diff, TRACE_CANDIDATE, "(Job 100 )110");
    diff_configure(&diff, "{\"scopes\": {\"Solve\": {\"per_frame_ms\": 1}}}");
    diff_compare(&diff);
    ck_assert_uint_eq(diff.comparison.budget_count, 0);
    const struct trace_limit_entry *entry =
        trace_diff_config_next_unused(diff.read_config, &index, &kind);
    ck_assert_ptr_nonnull(entry);
    ck_assert_str_eq(entry->name, "Solve");
    diff_end(&diff);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("comparison values");
    TCase *cases = tcase_create("comparison values");
    tcase_add_test(cases, counters_are_per_frame_and_gauges_means_and_neither_is_judged);
    tcase_add_test(cases, passes_of_a_gpu_are_compared_and_judged);
    tcase_add_test(cases, frames_and_hitches_are_worked_out);
    tcase_add_test(cases, a_value_that_equals_its_budget_is_within_it);
    tcase_add_test(cases, rounding_exceeds_no_budget);
    tcase_add_test(cases, a_little_more_than_a_budget_exceeds_it);
    tcase_add_test(cases, a_budget_is_of_all_callers_together);
    tcase_add_test(cases, what_only_the_base_has_holds_no_budget);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
