/* Which scopes of two sides are the same one, worked out by hand. Frames are of 1,000 ns unless a
 * test says otherwise. */
#include <check.h>
#include <math.h>

#include "diff_fixture.h"
#include "lcap_layout.h"

/* Base: Frame 400 + 400 + 400 + 400, in it Physics 100 + 100: 50 and 0.5 calls a frame; Frame's own
 * (1600 - 200) / 4 = 350. Candidate: Physics 120 + 120 + 120: 90 and 0.75 calls. */
START_TEST(scopes_are_compared_by_frame)
{
    struct diff_fixture diff;
    diff_start(&diff, NULL, false);
    diff_add_four(
        &diff, TRACE_BASE,
        "(Frame 0 (Physics 100 )200 )400 (Frame 1000 )1400 (Frame 2000 (Physics 2100 )2200 "
        ")2400 (Frame 3000 )3400");
    diff_add_four(
        &diff, TRACE_CANDIDATE,
        "(Frame 0 (Physics 100 )220 )400 (Frame 1000 (Physics 1100 )1220 )1400 (Frame 2000 "
        "(Physics 2100 )2220 )2400 (Frame 3000 )3400");
    diff_compare(&diff);
    diff_check_change(diff_require(&diff, "Frame", TRACE_MEASURE_FRAME_TRACK), 350, 310, 1, 1);
    const struct trace_compared *physics =
        diff_require(&diff, "Physics", TRACE_MEASURE_FRAME_TRACK);
    diff_check_change(physics, 50, 90, 0.5, 0.75);
    ck_assert_double_eq(physics->change.workload_ns, 27.5); /* 0.25 more of (100 + 120) / 2 */
    ck_assert_double_eq(physics->change.cost_ns, 12.5);     /* 20 more of (0.5 + 0.75) / 2 */
    ck_assert_double_eq(diff.comparison.rest_ns[TRACE_BASE], 600);
    diff_check_remainder(&diff);
    diff_end(&diff);
}
END_TEST

static const char *const moved_sites[] = {"Mark", "Job", "Frame", "Physics", "Physics"};
static const struct builder_setup moved_setup = {
    .clock = {.ticks_per_second = 1000000000,
              .step = 1,
              .clock = 1,
              .source = LCAP_CLOCK_MONOTONIC},
    .sites = moved_sites,
    .site_count = COUNT(moved_sites),
    .start_tick = START,
};

/* The site's number is its line. Physics: line 2 on the one side, 4 and 5 on the other. */
START_TEST(moved_lines_are_the_same_scope_and_sites_of_one_key_are_summed)
{
    static const struct trace_key_line expected[] = {
        {0, 2, {true, false}}, {0, 4, {false, true}}, {0, 5, {false, true}}};
    struct diff_fixture diff;
    diff_start(&diff, NULL, false);
    diff_add_four(&diff, TRACE_BASE, "(Physics 100 )140");
    struct capture_builder *builder = diff_begin_run(&diff, &moved_setup, diff_four, DIFF_FOUR);
    diff_add_slice(builder, 1, 4, 100, 140);
    diff_add_slice(builder, 1, 5, 200, 220);
    diff_add_run(&diff, TRACE_CANDIDATE, builder, 4100);
    diff_compare(&diff);
    ck_assert_uint_eq(diff.comparison.count, 1);
    const struct trace_compared *physics =
        diff_require(&diff, "Physics", TRACE_MEASURE_FRAME_TRACK);
    diff_check_change(physics, 10, 15, 0.25, 0.5);
    ck_assert_double_eq(physics->inclusive_ns[TRACE_CANDIDATE], 15);
    ck_assert_uint_eq(diff.pool.keys.line_count, COUNT(expected));
    for (size_t i = 0; i < COUNT(expected); i++) {
        ck_assert_uint_eq(diff.pool.keys.lines[i].line, expected[i].line);
        for (uint32_t side = 0; side < TRACE_SIDES; side++)
            ck_assert_int_eq(diff.pool.keys.lines[i].is_of[side], expected[i].is_of[side]);
    }
    diff_end(&diff);
}
END_TEST

/* Counts of both sites add up, and are as exact as each: 4 + 4 calls in 4 frames. */
START_TEST(calls_of_sites_of_one_key_are_exact_together)
{
    struct diff_fixture diff;
    diff_start(&diff, NULL, false);
    for (uint32_t side = 0; side < TRACE_SIDES; side++) {
        struct capture_builder *builder = diff_begin_run(&diff, &moved_setup, diff_four, DIFF_FOUR);
        for (uint64_t frame = 0; frame < 4; frame++) {
            diff_add_slice(builder, 1, 4, 1000 * frame + 100, 1000 * frame + 140);
            if (side == TRACE_CANDIDATE)
                diff_add_slice(builder, 1, 5, 1000 * frame + 200, 1000 * frame + 240);
        }
        diff_add_run(&diff, side, builder, 4100);
    }
    diff.config.limits.min_calls = 12;
    diff_compare(&diff);
    const struct trace_compared *physics =
        diff_require(&diff, "Physics", TRACE_MEASURE_FRAME_TRACK);
    const struct trace_judged *judged = trace_comparison_judged(&diff.comparison, physics);
    diff_check_change(physics, 40, 80, 1, 2);
    ck_assert_uint_eq(judged->count, 12);
    ck_assert_double_eq(judged->exact_change, 40);
    ck_assert_int_eq(judged->finding, TRACE_FOUND_WORSE);
    ck_assert(judged->is_by_counts);
    diff_end(&diff);
}
END_TEST

START_TEST(calls_that_vary_between_runs_are_not_exact)
{
    struct diff_fixture diff;
    diff_start(&diff, NULL, false);
    diff_add_four(&diff, TRACE_BASE, "(Job 10 )20 (Job 1010 )1020 (Job 2010 )2020 (Job 3010 )3020");
    diff_add_four(
        &diff, TRACE_CANDIDATE,
        "(Job 10 )20 (Job 30 )40 (Job 1010 )1020 (Job 1030 )1040 (Job 2010 )2020 (Job 2030 "
        ")2040 (Job 3010 )3020 (Job 3030 )3040");
    diff_add_four(&diff, TRACE_CANDIDATE, "(Job 10 )20 (Job 30 )40 (Job 1010 )1020");
    diff.config.limits.min_calls = 1;
    diff_compare(&diff);
    const struct trace_compared *job = diff_require(&diff, "Job", TRACE_MEASURE_FRAME_TRACK);
    diff_check_change(job, 10, (20 + 7.5) / 2, 1, (2 + 0.75) / 2);
    ck_assert(isnan(trace_comparison_judged(&diff.comparison, job)->exact_change));
    ck_assert_int_eq(trace_comparison_judged(&diff.comparison, job)->finding,
                     TRACE_FOUND_SUSPECTED_WORSE);
    diff_end(&diff);
}
END_TEST

START_TEST(calls_that_a_run_does_not_have_are_not_exact)
{
    static const char *const each = "(Job 10 )20 (Job 1010 )1020 (Job 2010 )2020 (Job 3010 )3020";
    struct diff_fixture diff;
    diff_start(&diff, NULL, false);
    diff_add_four(&diff, TRACE_BASE, each);
    diff_add_four(&diff, TRACE_CANDIDATE, "(Solve 10 )20");
    diff_add_four(&diff, TRACE_CANDIDATE, each);
    diff.config.limits.min_calls = 1;
    diff_compare(&diff);
    const struct trace_compared *job = diff_require(&diff, "Job", TRACE_MEASURE_FRAME_TRACK);
    diff_check_change(job, 10, 5, 1, 0.5);
    ck_assert_int_eq(trace_comparison_judged(&diff.comparison, job)->finding,
                     TRACE_FOUND_SUSPECTED_BETTER);
    diff_end(&diff);
}
END_TEST

START_TEST(new_and_gone_scopes_are_never_judged_and_no_zeros)
{
    struct diff_fixture diff;
    diff_start(&diff, NULL, false);
    for (int run = 0; run < 4; run++)
        diff_add_four(&diff, TRACE_BASE, "(Physics 100 )200 (Render 300 )700");
    for (int run = 0; run < 4; run++)
        diff_add_four(&diff, TRACE_CANDIDATE, "(Physics 100 )200 (Solve 300 )800");
    diff.config.limits.min_calls = 1;
    diff_compare(&diff);
    const struct trace_compared *render = diff_require(&diff, "Render", TRACE_MEASURE_FRAME_TRACK);
    const struct trace_compared *solve = diff_require(&diff, "Solve", TRACE_MEASURE_FRAME_TRACK);
    ck_assert(trace_compared_is_gone(render) && !trace_compared_is_new(render));
    ck_assert(trace_compared_is_new(solve) && !trace_compared_is_gone(solve));
    ck_assert_int_eq(trace_comparison_judged(&diff.comparison, render)->finding, TRACE_FOUND_SHOWN);
    ck_assert_int_eq(trace_comparison_judged(&diff.comparison, solve)->finding, TRACE_FOUND_SHOWN);
    ck_assert_uint_eq(trace_comparison_count(&diff.comparison, TRACE_FOUND_WORSE), 0);
    diff_check_remainder(&diff);
    diff_end(&diff);
}
END_TEST

/* Two runs of 40 and one without: 2 x 10 / 3 a frame on the side. */
START_TEST(a_run_without_a_scope_that_its_side_has_counts_as_zero)
{
    struct diff_fixture diff;
    diff_start(&diff, NULL, false);
    diff_add_four(&diff, TRACE_BASE, "(Physics 100 )140 (Job 200 )210");
    diff_add_four(&diff, TRACE_CANDIDATE, "(Physics 100 )140 (Job 200 )210");
    diff_add_four(&diff, TRACE_CANDIDATE, "(Job 200 )210");
    diff_add_four(&diff, TRACE_CANDIDATE, "(Physics 100 )140 (Job 200 )210");
    diff_compare(&diff);
    const struct trace_compared *physics =
        diff_require(&diff, "Physics", TRACE_MEASURE_FRAME_TRACK);
    diff_check_change(physics, 10, 20.0 / 3, 0.25, 0.5 / 3);
    ck_assert_uint_eq(physics->runs_with[TRACE_BASE], 1);
    ck_assert_uint_eq(physics->runs_with[TRACE_CANDIDATE], 2);
    ck_assert(isnan(trace_comparison_judged(&diff.comparison, physics)->exact_change));
    diff_check_remainder(&diff);
    diff_end(&diff);
}
END_TEST

/* It would make a side seem to vary less than it does. */
START_TEST(a_recording_counts_once_on_a_side)
{
    struct diff_fixture diff;
    diff_start(&diff, NULL, false);
    for (uint32_t run = 0; run < 6; run++) {
        diff.setup_count = run / 2 % 2; /* the first id again, then the second, then the first */
        diff_add_four(&diff, run < 4 ? TRACE_BASE : TRACE_CANDIDATE, "(Physics 100 )140");
    }
    ck_assert_uint_eq(diff.pool.base_runs, 2);
    ck_assert_uint_eq(diff.pool.count, 3);
    ck_assert_uint_eq(diff.pool.copies.count, 3);
    diff_end(&diff);
}
END_TEST

/* Ten frames with the same in each as four: nothing changed. */
START_TEST(runs_of_different_length_compare_by_frame)
{
    static const uint64_t ten[] = {0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10000};
    struct diff_fixture diff;
    diff_start(&diff, NULL, false);
    diff_add_four(&diff, TRACE_BASE,
                  "(Physics 100 )150 (Physics 1100 )1150 (Physics 2100 )2150 (Physics 3100 )3150");
    struct capture_builder *builder = diff_begin_run(&diff, &golden_setup, ten, COUNT(ten));
    for (uint64_t frame = 0; frame < 10; frame++)
        diff_add_slice(builder, 1, 2, 1000 * frame + 100, 1000 * frame + 150);
    diff_add_run(&diff, TRACE_CANDIDATE, builder, 10100);
    diff_compare(&diff);
    const struct trace_compared *physics =
        diff_require(&diff, "Physics", TRACE_MEASURE_FRAME_TRACK);
    diff_check_change(physics, 50, 50, 1, 1);
    ck_assert_int_eq(physics->change.kind, TRACE_CHANGE_NONE);
    ck_assert_double_eq(trace_comparison_judged(&diff.comparison, physics)->exact_change, 0);
    diff_end(&diff);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("comparison pairs");
    TCase *cases = tcase_create("comparison pairs");
    tcase_add_test(cases, scopes_are_compared_by_frame);
    tcase_add_test(cases, moved_lines_are_the_same_scope_and_sites_of_one_key_are_summed);
    tcase_add_test(cases, calls_of_sites_of_one_key_are_exact_together);
    tcase_add_test(cases, calls_that_vary_between_runs_are_not_exact);
    tcase_add_test(cases, calls_that_a_run_does_not_have_are_not_exact);
    tcase_add_test(cases, new_and_gone_scopes_are_never_judged_and_no_zeros);
    tcase_add_test(cases, a_run_without_a_scope_that_its_side_has_counts_as_zero);
    tcase_add_test(cases, a_recording_counts_once_on_a_side);
    tcase_add_test(cases, runs_of_different_length_compare_by_frame);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
