/* The frame probe's states, and every call in each of them. */
#include <check.h>
#include <stdlib.h>

#include "gpu_probe.h"

static struct ludus_gpu_probe in_state(enum ludus_gpu_probe_state state)
{
    return (struct ludus_gpu_probe){.state = state};
}

START_TEST(one_measurement_is_outstanding_at_most)
{
    struct ludus_gpu_probe probe = {0};
    ck_assert(ludus_gpu_probe_arm(&probe));
    ck_assert(!ludus_gpu_probe_arm(&probe));
    ludus_gpu_probe_submit(&probe);
    ck_assert(!ludus_gpu_probe_arm(&probe));
    ludus_gpu_probe_resolve(&probe, &(struct ludus_gpu_frame){.number = 7});
    ck_assert(ludus_gpu_probe_arm(&probe));
}
END_TEST

START_TEST(a_result_is_the_same_until_there_is_another)
{
    struct ludus_gpu_probe probe = {0};
    struct ludus_gpu_frame latest = {.number = 99};
    ck_assert(!ludus_gpu_probe_latest(&probe, &latest));
    ck_assert_uint_eq(latest.number, 99);
    for (uint64_t number = 1; number < 3; number++) {
        ck_assert(ludus_gpu_probe_arm(&probe));
        ludus_gpu_probe_submit(&probe);
        ck_assert(!ludus_gpu_probe_latest(&probe, &latest) || latest.number == number - 1);
        ludus_gpu_probe_resolve(&probe, &(struct ludus_gpu_frame){.number = number});
        for (int poll = 0; poll < 3; poll++)
            ck_assert(ludus_gpu_probe_latest(&probe, &latest) && latest.number == number);
    }
}
END_TEST

START_TEST(calls_in_a_wrong_state_change_nothing)
{
    static const enum ludus_gpu_probe_state states[] = {LUDUS_GPU_PROBE_IDLE, LUDUS_GPU_PROBE_ARMED,
                                                        LUDUS_GPU_PROBE_PENDING};
    static const enum ludus_gpu_probe_state after[3][4] = {
        /* arm, submit, discard, resolve */
        {LUDUS_GPU_PROBE_ARMED, LUDUS_GPU_PROBE_IDLE, LUDUS_GPU_PROBE_IDLE, LUDUS_GPU_PROBE_IDLE},
        {LUDUS_GPU_PROBE_ARMED, LUDUS_GPU_PROBE_PENDING, LUDUS_GPU_PROBE_IDLE,
         LUDUS_GPU_PROBE_ARMED},
        {LUDUS_GPU_PROBE_PENDING, LUDUS_GPU_PROBE_PENDING, LUDUS_GPU_PROBE_PENDING,
         LUDUS_GPU_PROBE_IDLE}};
    for (int i = 0; i < 3; i++) {
        struct ludus_gpu_probe probe = in_state(states[i]);
        (void)ludus_gpu_probe_arm(&probe);
        ck_assert_int_eq(probe.state, after[i][0]);
        probe = in_state(states[i]);
        ludus_gpu_probe_submit(&probe);
        ck_assert_int_eq(probe.state, after[i][1]);
        probe = in_state(states[i]);
        ludus_gpu_probe_discard(&probe);
        ck_assert_int_eq(probe.state, after[i][2]);
        probe = in_state(states[i]);
        ludus_gpu_probe_resolve(&probe, &(struct ludus_gpu_frame){0});
        ck_assert_int_eq(probe.state, after[i][3]);
        ck_assert(probe.has_result == (states[i] == LUDUS_GPU_PROBE_PENDING));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gpu probe");
    TCase *cases = tcase_create("gpu probe");
    tcase_add_test(cases, one_measurement_is_outstanding_at_most);
    tcase_add_test(cases, a_result_is_the_same_until_there_is_another);
    tcase_add_test(cases, calls_in_a_wrong_state_change_nothing);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
