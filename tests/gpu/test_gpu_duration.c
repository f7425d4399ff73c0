/* Two timestamps become a duration that is rounded once, or a reason why not. */
#include <check.h>
#include <stdlib.h>

#include "gpu_duration.h"
#include "sim_device.h"

static const struct ludus_gpu_counter nanoseconds = {64, 1000000};

static void expect(struct ludus_gpu_counter counter, uint64_t begin, uint64_t end, uint64_t longest,
                   enum ludus_gpu_outcome outcome, uint64_t duration)
{
    uint64_t duration_ns = 77;
    ck_assert_int_eq(ludus_gpu_duration(counter, begin, end, longest, &duration_ns), outcome);
    ck_assert_uint_eq(duration_ns, duration);
}

START_TEST(steps_become_nanoseconds_rounded_once_and_halves_up)
{
    /* 52.083333 ns a step, as of a counter of 19.2 MHz. */
    const struct ludus_gpu_counter slow = {48, 52083333};
    expect(nanoseconds, 5, 12, UINT64_MAX, LUDUS_GPU_VALID, 7);
    expect(slow, 100, 101, UINT64_MAX, LUDUS_GPU_VALID, 52);
    expect(slow, 100, 1300, UINT64_MAX, LUDUS_GPU_VALID, 62500); /* not 1200 * 52 */
    expect((struct ludus_gpu_counter){64, 500000}, 1, 2, UINT64_MAX, LUDUS_GPU_VALID, 1);
    expect((struct ludus_gpu_counter){64, 499999}, 1, 2, UINT64_MAX, LUDUS_GPU_VALID, 0);
}
END_TEST

START_TEST(a_true_zero_is_a_duration)
{
    expect(nanoseconds, 9, 9, 0, LUDUS_GPU_VALID, 0);
}
END_TEST

START_TEST(an_end_of_zero_is_none)
{
    expect(nanoseconds, 9, 0, UINT64_MAX, LUDUS_GPU_NO_END, 0);
    expect(nanoseconds, 0, 0, UINT64_MAX, LUDUS_GPU_UNAVAILABLE, 0);
    /* Bits above the valid ones say nothing. */
    expect((struct ludus_gpu_counter){36, 1000000}, 9, UINT64_C(1) << 36, UINT64_MAX,
           LUDUS_GPU_NO_END, 0);
}
END_TEST

START_TEST(a_counter_may_go_round_in_between)
{
    for (uint32_t bits = LUDUS_GPU_FEWEST_BITS; bits <= 64; bits++) {
        const struct ludus_gpu_counter counter = {bits, 1000000};
        const uint64_t mask = ludus_gpu_counter_mask(counter);
        expect(counter, mask - 10, 89, UINT64_MAX, LUDUS_GPU_VALID, 100);
        expect(counter, (mask - 10) | ~mask, 89, UINT64_MAX, LUDUS_GPU_VALID, 100);
        /* Up to half its period, and not one step more. */
        expect(counter, 1, 1 + mask / 2, UINT64_MAX, LUDUS_GPU_VALID, mask / 2);
        expect(counter, 1, 2 + mask / 2, UINT64_MAX, LUDUS_GPU_REVERSED, 0);
    }
}
END_TEST

START_TEST(an_end_before_its_begin_is_reversed_and_never_huge)
{
    expect(nanoseconds, 19158763000000, 1, UINT64_MAX, LUDUS_GPU_REVERSED, 0);
    expect(nanoseconds, 10, 9, UINT64_MAX, LUDUS_GPU_REVERSED, 0);
    expect((struct ludus_gpu_counter){40, 80000000}, 10, 9, UINT64_MAX, LUDUS_GPU_REVERSED, 0);
}
END_TEST

START_TEST(what_takes_longer_than_it_can_is_acausal)
{
    expect(nanoseconds, 1, 1001, 1000, LUDUS_GPU_VALID, 1000);
    expect(nanoseconds, 1, 1002, 1000, LUDUS_GPU_ACAUSAL, 0);
    /* Over 292 years: nothing overflows. */
    expect((struct ludus_gpu_counter){64, UINT64_MAX}, 1, UINT64_MAX / 2, UINT64_MAX,
           LUDUS_GPU_ACAUSAL, 0);
    expect((struct ludus_gpu_counter){64, 1000000}, 1, UINT64_MAX / 2 + 1, UINT64_MAX,
           LUDUS_GPU_VALID, INT64_MAX);
    expect((struct ludus_gpu_counter){64, 1000001}, 1, UINT64_MAX / 2 + 1, UINT64_MAX,
           LUDUS_GPU_ACAUSAL, 0);
}
END_TEST

/* Against a sum in steps of a picosecond's thousandth, for whatever counter. */
START_TEST(durations_of_random_counters_are_exact)
{
    uint64_t random = 1;
    for (int i = 0; i < 200000; i++) {
        const struct ludus_gpu_counter counter = {(uint32_t)sim_between(&random, 36, 64),
                                                  sim_between(&random, 1, 200000000)};
        const uint64_t mask = ludus_gpu_counter_mask(counter);
        const uint64_t begin = sim_random(&random);
        const uint64_t steps = sim_between(&random, 0, mask / 2) >> sim_between(&random, 0, 40);
        uint64_t duration_ns;
        const enum ludus_gpu_outcome outcome =
            ludus_gpu_duration(counter, begin, begin + steps, INT64_MAX, &duration_ns);
        if (((begin + steps) & mask) == 0)
            continue;
        const ludus_gpu_wide exact_fs = (ludus_gpu_wide)steps * counter.period_fs;
        if (outcome == LUDUS_GPU_ACAUSAL) {
            ck_assert(exact_fs / LUDUS_GPU_FS_PER_NS >= INT64_MAX);
            continue;
        }
        ck_assert_int_eq(outcome, LUDUS_GPU_VALID);
        const ludus_gpu_wide told_fs = (ludus_gpu_wide)duration_ns * LUDUS_GPU_FS_PER_NS;
        ck_assert(told_fs <= exact_fs + 500000 && exact_fs < told_fs + 500000);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gpu duration");
    TCase *cases = tcase_create("gpu duration");
    tcase_add_test(cases, steps_become_nanoseconds_rounded_once_and_halves_up);
    tcase_add_test(cases, a_true_zero_is_a_duration);
    tcase_add_test(cases, an_end_of_zero_is_none);
    tcase_add_test(cases, a_counter_may_go_round_in_between);
    tcase_add_test(cases, an_end_before_its_begin_is_reversed_and_never_huge);
    tcase_add_test(cases, what_takes_longer_than_it_can_is_acausal);
    tcase_add_test(cases, durations_of_random_counters_are_exact);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
