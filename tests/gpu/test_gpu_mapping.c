/* Two readings tie a device's times to the recorder's clock, or are rejected for a reason. */
#include <check.h>
#include <stdlib.h>

#include "gpu_mapping.h"
#include "sim_device.h"

static const struct ludus_gpu_counter nanoseconds = {64, 1000000};

/* A reading in the middle of a gap that fits, with this deviation. */
static struct ludus_gpu_point calibrated(uint64_t tick, int64_t host_ns, uint64_t deviation_ns)
{
    return ludus_gpu_point_calibrated(&(struct ludus_gpu_clocks){tick, host_ns, deviation_ns},
                                      &(struct ludus_gpu_gap){host_ns - 100, host_ns + 100, 0});
}

/* Two samples, where the system's clock has `system_ns`. */
static struct ludus_gpu_point sampled(uint64_t tick, int64_t system_ns, int64_t from, int64_t to)
{
    return ludus_gpu_point_two_samples(&(struct ludus_gpu_clocks){tick, system_ns, 0},
                                       &(struct ludus_gpu_gap){from, to, 0});
}

static uint32_t mapping_of(struct ludus_gpu_counter counter, struct ludus_gpu_point before,
                           struct ludus_gpu_point behind)
{
    return ludus_gpu_window_make(counter, &before, &behind).mapping;
}

START_TEST(a_calibrated_host_value_lies_between_two_reads_of_our_clock)
{
    const struct ludus_gpu_gap gap = {1000, 2000, 0};
    const struct ludus_gpu_gap unsure = {1000, 2000, 30};
    static const int64_t hosts[] = {969, 970, 999, 1000, 2000, 2001, 2030, 2031};
    for (int i = 0; i < 8; i++) {
        const struct ludus_gpu_clocks clocks = {5, hosts[i], 10};
        ck_assert(
            ludus_gpu_point_calibrated(&clocks, &gap).mapping ==
            (hosts[i] >= 1000 && hosts[i] <= 2000 ? LUDUS_GPU_MAPPED : LUDUS_GPU_WRONG_DOMAIN));
        ck_assert(ludus_gpu_point_calibrated(&clocks, &unsure).mapping ==
                  (i > 0 && i < 7 ? LUDUS_GPU_MAPPED : LUDUS_GPU_WRONG_DOMAIN));
    }
}
END_TEST

START_TEST(more_than_50_us_of_deviation_is_too_uncertain)
{
    const struct ludus_gpu_point good = calibrated(0, 1000000, 50000);
    const struct ludus_gpu_point bad = calibrated(10000000, 11000000, 50001);
    ck_assert_uint_eq(good.mapping, LUDUS_GPU_MAPPED);
    ck_assert_uint_eq(bad.mapping, LUDUS_GPU_TOO_UNCERTAIN);
    const struct ludus_gpu_window window = ludus_gpu_window_make(nanoseconds, &good, &bad);
    ck_assert_uint_eq(window.mapping, LUDUS_GPU_TOO_UNCERTAIN);
    ck_assert_uint_eq(window.uncertainty_ns, 50001);
    ck_assert_uint_eq(mapping_of(nanoseconds, bad, good), LUDUS_GPU_TOO_UNCERTAIN);
}
END_TEST

START_TEST(the_uncertainty_is_the_larger_deviation_and_the_residual)
{
    struct ludus_gpu_point before = calibrated(0, 1000, 300);
    struct ludus_gpu_point behind = calibrated(1000000, 1001000, 200);
    before.residual_ns = 7;
    behind.residual_ns = 40;
    struct ludus_gpu_window window = ludus_gpu_window_make(nanoseconds, &before, &behind);
    ck_assert(window.mapping == LUDUS_GPU_MAPPED && window.uncertainty_ns == 340);
    behind.residual_ns = UINT64_MAX;
    window = ludus_gpu_window_make(nanoseconds, &before, &behind);
    ck_assert_uint_eq(window.uncertainty_ns, LUDUS_GPU_UNMAPPED - 1);
}
END_TEST

START_TEST(a_window_of_a_full_period_is_rejected)
{
    const struct ludus_gpu_counter counter = {36, 1000000};
    const int64_t period_ns = INT64_C(1) << 36;
    /* 0.1 % and the deviations less than it, and a bit more. */
    const int64_t most = period_ns - period_ns / 1000;
    ck_assert_uint_eq(
        mapping_of(counter, calibrated(5, 0, 10), calibrated(5 + (uint64_t)most, most, 10)),
        LUDUS_GPU_MAPPED);
    ck_assert_uint_eq(mapping_of(counter, calibrated(5, 0, 10),
                                 calibrated(5 + (uint64_t)period_ns, period_ns, 10)),
                      LUDUS_GPU_FULL_PERIOD);
    /* Which the counter alone would take for no time at all. */
    ck_assert_uint_eq(mapping_of(counter, calibrated(5, 0, 10), calibrated(5, 3 * period_ns, 10)),
                      LUDUS_GPU_FULL_PERIOD);
    ck_assert_uint_eq(mapping_of(nanoseconds, calibrated(5, INT64_MIN + 200, 10),
                                 calibrated(4, INT64_MAX - 200, 10)),
                      LUDUS_GPU_FULL_PERIOD);
}
END_TEST

START_TEST(elapsed_times_agree_within_both_deviations_and_a_thousandth)
{
    const struct ludus_gpu_point before = calibrated(1000, 0, 100);
    const int64_t host = 10000000; /* a thousandth is 10,000 */
    ck_assert_uint_eq(mapping_of(nanoseconds, before, calibrated(10011200, host, 100)),
                      LUDUS_GPU_MAPPED);
    ck_assert_uint_eq(mapping_of(nanoseconds, before, calibrated(10011201, host, 100)),
                      LUDUS_GPU_CLOCKS_APART);
    ck_assert_uint_eq(mapping_of(nanoseconds, before, calibrated(9990800, host, 100)),
                      LUDUS_GPU_MAPPED);
    ck_assert_uint_eq(mapping_of(nanoseconds, before, calibrated(9990799, host, 100)),
                      LUDUS_GPU_CLOCKS_APART);
    /* A reset, and a host's clock that goes back. */
    ck_assert_uint_eq(mapping_of(nanoseconds, before, calibrated(1, host, 100)),
                      LUDUS_GPU_CLOCKS_APART);
    ck_assert_uint_eq(mapping_of(nanoseconds, before, calibrated(1000, -1, 100)),
                      LUDUS_GPU_CLOCKS_APART);
}
END_TEST

START_TEST(what_failed_is_not_mapped)
{
    const struct ludus_gpu_point good = calibrated(0, 1000000, 10);
    ck_assert_uint_eq(mapping_of(nanoseconds, ludus_gpu_point_failed(), good),
                      LUDUS_GPU_READ_FAILED);
    ck_assert_uint_eq(mapping_of(nanoseconds, good, ludus_gpu_point_failed()),
                      LUDUS_GPU_READ_FAILED);
}
END_TEST

START_TEST(times_are_interpolated_modulo_the_valid_bits)
{
    const struct ludus_gpu_counter counter = {36, 1000000};
    const uint64_t mask = ludus_gpu_counter_mask(counter);
    /* From 1,000 steps before the wrap to 1,000 behind it, in which the host counts 2,001 ns. */
    const struct ludus_gpu_point before = calibrated(mask - 999, 5000, 10);
    const struct ludus_gpu_point behind = calibrated(1000, 7001, 10);
    const struct ludus_gpu_window window = ludus_gpu_window_make(counter, &before, &behind);
    int64_t time_ns = 0;
    ck_assert_uint_eq(window.mapping, LUDUS_GPU_MAPPED);
    ck_assert(ludus_gpu_window_map(&window, mask - 999, &time_ns) && time_ns == 5000);
    ck_assert(ludus_gpu_window_map(&window, 0, &time_ns) && time_ns == 6001); /* 1000.5 */
    ck_assert(ludus_gpu_window_map(&window, ~mask, &time_ns) && time_ns == 6001);
    ck_assert(ludus_gpu_window_map(&window, 1000, &time_ns) && time_ns == 7001);
    ck_assert(!ludus_gpu_window_map(&window, 1001, &time_ns));
    ck_assert(!ludus_gpu_window_map(&window, mask - 1000, &time_ns));
}
END_TEST

START_TEST(a_window_without_time_knows_one_moment)
{
    const struct ludus_gpu_point point = calibrated(50, 7, 10);
    const struct ludus_gpu_window window = ludus_gpu_window_make(nanoseconds, &point, &point);
    int64_t time_ns = 0;
    ck_assert_uint_eq(window.mapping, LUDUS_GPU_MAPPED);
    ck_assert(ludus_gpu_window_map(&window, 50, &time_ns) && time_ns == 7);
    ck_assert(!ludus_gpu_window_map(&window, 51, &time_ns));
}
END_TEST

START_TEST(two_samples_are_the_middle_of_their_gap_give_or_take_half_of_it)
{
    const struct ludus_gpu_point point = sampled(9, 123, 1000, 1301);
    ck_assert(point.mapping == LUDUS_GPU_MAPPED && point.host_ns == 1150 &&
              point.deviation_ns == 151 && point.slack_ns == 301 && point.system_ns == 123);
    ck_assert_uint_eq(sampled(9, 0, 1000, 51000).mapping, LUDUS_GPU_MAPPED);
    ck_assert_uint_eq(sampled(9, 0, 1000, 51001).mapping, LUDUS_GPU_TOO_UNCERTAIN);
    ck_assert_uint_eq(sampled(9, 0, 1000, 999).mapping, LUDUS_GPU_WRONG_DOMAIN);
}
END_TEST

START_TEST(two_samples_across_a_sleep_are_rejected)
{
    const struct ludus_gpu_point before = sampled(0, 0, 0, 1000);
    /* The system's clock and ours may differ by both gaps, and no more. */
    ck_assert_uint_eq(
        mapping_of(nanoseconds, before, sampled(10000000, 9998000, 9999500, 10000500)),
        LUDUS_GPU_MAPPED);
    ck_assert_uint_eq(
        mapping_of(nanoseconds, before, sampled(10000000, 9997499, 9999500, 10000500)),
        LUDUS_GPU_CLOCKS_APART);
    ck_assert_uint_eq(
        mapping_of(nanoseconds, before, sampled(10000000, 10001501, 9999500, 10000500)),
        LUDUS_GPU_CLOCKS_APART);
    /* The device slept with the system: its time is not ours. */
    ck_assert_uint_eq(
        mapping_of(nanoseconds, before, sampled(10000000, 10000000, 5009999500, 5010000500)),
        LUDUS_GPU_CLOCKS_APART);
}
END_TEST

/* Any counter, any drift to 50 ppm: within the uncertainty of the truth, which is a number that the
 * test makes the ticks from. */
START_TEST(mapped_times_of_random_devices_are_true)
{
    uint64_t random = 2;
    for (int i = 0; i < 50000; i++) {
        struct sim_device device;
        sim_device_open(&device, (uint64_t)i);
        device.valid_bits = (uint32_t)sim_between(&random, 36, 64);
        device.period_fs = sim_between(&random, 1000, 100000000);
        device.drift_ppb = (int64_t)sim_between(&random, 0, 100000) - 50000;
        device.first_tick = sim_random(&random) >> 1;
        const struct ludus_gpu_counter counter = {device.valid_bits, device.period_fs};
        const int64_t length = (int64_t)sim_between(&random, 1000, 40000000);
        const int64_t at = 1000000000 + (int64_t)sim_between(&random, 0, (uint64_t)length);
        const uint64_t deviation = ludus_gpu_counter_step_ns(counter);
        const struct ludus_gpu_point before =
            calibrated((uint64_t)sim_device_ticks(&device, 1000000000), 1000000000, deviation);
        const struct ludus_gpu_point behind =
            calibrated((uint64_t)sim_device_ticks(&device, 1000000000 + length),
                       1000000000 + length, deviation);
        const struct ludus_gpu_window window = ludus_gpu_window_make(counter, &before, &behind);
        int64_t time_ns;
        if (window.mapping == LUDUS_GPU_FULL_PERIOD) {
            ck_assert(counter.valid_bits < 50 && counter.period_fs < 1000000);
            continue;
        }
        ck_assert_uint_eq(window.mapping, LUDUS_GPU_MAPPED);
        ck_assert(ludus_gpu_window_map(&window, (uint64_t)sim_device_ticks(&device, at), &time_ns));
        ck_assert_int_le(llabs(time_ns - at), window.uncertainty_ns + (int64_t)deviation + 1);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gpu mapping");
    TCase *cases = tcase_create("gpu mapping");
    tcase_add_test(cases, a_calibrated_host_value_lies_between_two_reads_of_our_clock);
    tcase_add_test(cases, more_than_50_us_of_deviation_is_too_uncertain);
    tcase_add_test(cases, the_uncertainty_is_the_larger_deviation_and_the_residual);
    tcase_add_test(cases, a_window_of_a_full_period_is_rejected);
    tcase_add_test(cases, elapsed_times_agree_within_both_deviations_and_a_thousandth);
    tcase_add_test(cases, what_failed_is_not_mapped);
    tcase_add_test(cases, times_are_interpolated_modulo_the_valid_bits);
    tcase_add_test(cases, a_window_without_time_knows_one_moment);
    tcase_add_test(cases, two_samples_are_the_middle_of_their_gap_give_or_take_half_of_it);
    tcase_add_test(cases, two_samples_across_a_sleep_are_rejected);
    tcase_add_test(cases, mapped_times_of_random_devices_are_true);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
