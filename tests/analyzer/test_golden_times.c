/* Clocks of every kind, and times of every size, worked out by hand. */
#include <check.h>
#include <stdlib.h>

#include "golden_fixture.h"

/* --- times ----------------------------------------------------------------------------------- */

static void check_conversion(struct builder_setup setup, int64_t mark_ns,
                             const struct expected_slice expected[2])
{
    struct golden_recording recording;
    struct capture_builder *builder;
    setup.sites = golden_setup.sites;
    setup.site_count = golden_setup.site_count;
    setup.start_tick = START;
    builder = builder_create(&setup);
    builder_domain(builder, 1, "main");
    builder_frame(builder, 1, 0, 999);
    builder_events(builder, 1, "(Frame 1001 (Job 1002 )1004 )1005");
    builder_stop(builder, 2005);
    builder_finish(builder);
    golden_open(&recording, builder);
    golden_check_slices(recording.model, &recording.shown, 0, expected, 2);
    ck_assert_int_eq(recording.model->domains[0].frames[0].begin_ns, mark_ns);
    golden_close(&recording);
}

START_TEST(calibrated_ticks_are_converted_piecewise_and_rounded_down)
{
    /* From tick 1,000 on 10/3 ns a tick, from 1,003 on 1/2:
     * 1,001 is 3.3, 1,002 is 6.7, 1,004 is 10.5, 1,005 is 11, and 999 is -3.3, rounded to -4. */
    static const struct lcap_calibration calibrations[] = {
        {.tick = 1000, .ns = 5000}, {.tick = 1003, .ns = 5010}, {.tick = 2003, .ns = 5510}};
    static const struct expected_slice expected[] = {
        {"Frame", 3, 8, 8, 4, 0, -1, false},
        {"Frame/Job", 6, 4, 4, 4, 0, 3, false},
    };
    struct builder_setup setup = {
        .clock = {.ticks_per_second = 3, .step = 1, .clock = 1, .source = LCAP_CLOCK_TSC},
        .calibrations = calibrations,
        .calibration_count = COUNT(calibrations)};
    check_conversion(setup, -4, expected);
}
END_TEST

START_TEST(ticks_with_one_calibration_go_by_the_nominal_rate)
{
    /* 10/3 ns a tick from (1,002, 0) on: 1,000 is -6.7, down to -7: zero. Tick 1,001 is -3.3, down
     * to -4: 3. 1,002 is 0: 7. 1,004 is 6.7, down to 6: 13. 1,005 is 10: 17. 999 is -10: -3. */
    static const struct lcap_calibration calibration = {.tick = 1002, .ns = 0};
    static const struct expected_slice expected[] = {
        {"Frame", 3, 14, 14, 8, 0, -1, false},
        {"Frame/Job", 7, 6, 6, 6, 0, 3, false},
    };
    struct builder_setup setup = {
        .clock = {.ticks_per_second = 300000000, .step = 1, .clock = 1, .source = LCAP_CLOCK_TSC},
        .calibrations = &calibration,
        .calibration_count = 1};
    check_conversion(setup, -3, expected);
}
END_TEST

START_TEST(ticks_without_calibration_go_by_the_nominal_rate_from_zero)
{
    /* 10/3 ns a tick: 1,000 is 3,333.3; 1,001 is 3,336.7: 3; 1,002 is 3,340: 7; 1,004 is 3,346.7:
     * 13; 1,005 is 3,350: 17; 999 is 3,330: -3. */
    static const struct expected_slice expected[] = {
        {"Frame", 3, 14, 14, 8, 0, -1, false},
        {"Frame/Job", 7, 6, 6, 6, 0, 3, false},
    };
    struct builder_setup setup = {
        .clock = {.ticks_per_second = 300000000, .step = 1, .clock = 1, .source = LCAP_CLOCK_TSC}};
    check_conversion(setup, -3, expected);
}
END_TEST

static void check_uptime(uint64_t start_tick, uint64_t base_tick)
{
    struct builder_setup setup = golden_setup;
    struct golden_recording recording;
    setup.start_tick = start_tick;
    struct capture_builder *builder = builder_create(&setup);
    builder_event(builder, 1, LCAP_EVENT_BEGIN, base_tick - 10, 1);
    builder_event(builder, 1, LCAP_EVENT_BEGIN, base_tick, 3);
    builder_event(builder, 1, LCAP_EVENT_END, base_tick + 20, 0);
    builder_event(builder, 1, LCAP_EVENT_END, base_tick + 30, 0);
    builder_event(builder, 2, LCAP_EVENT_BEGIN, base_tick + 30, 5);
    builder_stop(builder, base_tick + 50);
    builder_finish(builder);
    golden_open(&recording, builder);
    int64_t base_ns = (int64_t)(base_tick - start_tick);
    const struct expected_slice first[] = {
        {"Frame", base_ns - 10, 40, 40, 20, TRACE_NONE, -1, false},
        {"Frame/Solve", base_ns, 20, 20, 20, TRACE_NONE, base_ns - 10, false},
    };
    const struct expected_slice second[] = {
        {"Job", base_ns + 30, -1, 20, -1, TRACE_NONE, -1, false}};
    golden_check_slices(recording.model, &recording.shown, 0, first, COUNT(first));
    golden_check_slices(recording.model, &recording.shown, 1, second, COUNT(second));
    ck_assert_int_eq(recording.model->end_ns, base_ns + 50);
    golden_close(&recording);
}

START_TEST(uptimes_and_recordings_of_any_length_are_exact)
{
    static const uint64_t bases[] = {UINT64_C(1) << 47, UINT64_C(1) << 53, UINT64_C(1) << 62,
                                     /* as near to 2^63 as a recording can be long */
                                     (UINT64_C(1) << 63) - (UINT64_C(1) << 54)};
    for (size_t i = 0; i < COUNT(bases); i++) {
        check_uptime(bases[i] - 500, bases[i]);
        check_uptime(0, bases[i]);
    }
    check_uptime((UINT64_C(1) << 63) - 500, UINT64_C(1) << 63);
    check_uptime(UINT64_MAX - 1000, UINT64_MAX - 500);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("golden times");
    TCase *cases = tcase_create("golden times");
    tcase_set_timeout(cases, 0);
    tcase_add_test(cases, calibrated_ticks_are_converted_piecewise_and_rounded_down);
    tcase_add_test(cases, ticks_with_one_calibration_go_by_the_nominal_rate);
    tcase_add_test(cases, ticks_without_calibration_go_by_the_nominal_rate_from_zero);
    tcase_add_test(cases, uptimes_and_recordings_of_any_length_are_exact);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
