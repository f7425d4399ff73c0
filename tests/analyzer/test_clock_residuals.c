/* How well a clock's calibrations fit each other, by hand. */
#include <check.h>
#include <stdlib.h>

#include "clock_residuals.h"
#include "lcap_layout.h"

static struct trace_clock clock_of(uint32_t calibrations)
{
    return (struct trace_clock){.source = LCAP_CLOCK_TSC,
                                .calibrations = calibrations,
                                .max_residual_ns = -1,
                                .max_residual_ppb = -1};
}

static void find(struct trace_clock *clocks, uint32_t clock_count,
                 struct trace_calibration *calibrations, uint32_t count)
{
    struct trace_model model = {.clocks = clocks,
                                .clock_count = clock_count,
                                .calibrations = calibrations,
                                .calibration_count = count};
    trace_clock_residuals_find(&model);
}

/* Two ticks a nanosecond; then 3,000 ns for what two ticks make 2,000: 1,000 ns off, of which
 * 10 + 10 + (10 + 10) * 2 are uncertain, within 3,000 ns. */
START_TEST(a_residual_is_the_distance_from_the_line_through_the_two_before)
{
    struct trace_calibration calibrations[] = {
        {1000, 0, 10, 0}, {3000, 1000, 10, 0}, {7000, 4000, 10, 0}};
    struct trace_clock clock = clock_of(3);
    find(&clock, 1, calibrations, 3);
    ck_assert_int_eq(clock.max_residual_ns, 1000);
    ck_assert_int_eq(clock.max_residual_ppb, 313333334); /* 940 / 3,000, rounded up */
    ck_assert_str_eq(trace_clock_quality(&clock), "uneven");
}
END_TEST

START_TEST(what_is_uncertain_is_no_unevenness)
{
    struct trace_calibration calibrations[] = {
        {1000, 0, 10, 0}, {3000, 1000, 10, 0}, {7000, 3060, 10, 0}};
    struct trace_clock clock = clock_of(3);
    find(&clock, 1, calibrations, 3);
    ck_assert_int_eq(clock.max_residual_ns, 60);
    ck_assert_int_eq(clock.max_residual_ppb, 0);
    ck_assert_str_eq(trace_clock_quality(&clock), "calibrated");
}
END_TEST

START_TEST(the_limit_is_50_ppm)
{
    struct trace_calibration calibrations[] = {
        {0, 0, 0, 0}, {1000000, 1000000, 0, 0}, {2000000, 2000050, 0, 0}};
    struct trace_clock clock = clock_of(3);
    find(&clock, 1, calibrations, 3);
    ck_assert_int_eq(clock.max_residual_ppb, 49998); /* 50 in 1,000,050 */
    ck_assert_str_eq(trace_clock_quality(&clock), "calibrated");
    calibrations[2].time_ns = 2000051;
    find(&clock, 1, calibrations, 3);
    ck_assert_int_eq(clock.max_residual_ppb, 50998);
    ck_assert_str_eq(trace_clock_quality(&clock), "uneven");
}
END_TEST

/* The largest one counts; clocks have their own; what does not rise has no effect. */
START_TEST(each_clock_has_the_largest_of_its_own)
{
    struct trace_calibration calibrations[] = {
        {0, 0, 0, 0},          {5, 100, 0, 1},     {1000, 1000, 0, 0},
        {1000, 1500, 0, 0},    {900, 3000, 0, 0},  {2000, 2300, 0, 0},
        {1005, 1100, 0, 1},    {3000, 3600, 0, 0}, {UINT64_MAX, 3500, 0, 0},
        {UINT64_MAX, 1, 0, 2},
    };
    struct trace_clock clocks[] = {clock_of(7), clock_of(2), clock_of(1)};
    find(clocks, 3, calibrations, sizeof calibrations / sizeof calibrations[0]);
    ck_assert_int_eq(clocks[0].max_residual_ns, 300);
    ck_assert_int_eq(clocks[1].max_residual_ns, -1);
    ck_assert_str_eq(trace_clock_quality(&clocks[1]), "calibrated");
    ck_assert_str_eq(trace_clock_quality(&clocks[2]), "nominal");
    clocks[2].source = LCAP_CLOCK_MONOTONIC;
    ck_assert_str_eq(trace_clock_quality(&clocks[2]), "exact");
}
END_TEST

/* Of a forged file: the numbers are huge, and nothing overflows. */
START_TEST(forged_calibrations_have_huge_residuals)
{
    struct trace_calibration calibrations[] = {
        {0, 0, 0, 0}, {1, INT64_MAX / 2, 0, 0}, {UINT64_MAX, INT64_MAX, UINT32_MAX, 0}};
    struct trace_clock clock = clock_of(3);
    find(&clock, 1, calibrations, 3);
    ck_assert_int_eq(clock.max_residual_ns, INT64_MAX);
    ck_assert_int_eq(clock.max_residual_ppb, INT64_MAX);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("clock residuals");
    TCase *cases = tcase_create("clock residuals");
    tcase_add_test(cases, a_residual_is_the_distance_from_the_line_through_the_two_before);
    tcase_add_test(cases, what_is_uncertain_is_no_unevenness);
    tcase_add_test(cases, the_limit_is_50_ppm);
    tcase_add_test(cases, each_clock_has_the_largest_of_its_own);
    tcase_add_test(cases, forged_calibrations_have_huge_residuals);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
