/* A batch's states, and what its tokens and slots are. */
#include <check.h>
#include <stdlib.h>

#include "gpu_batch.h"

#define STATES 5

static struct ludus_gpu_batch in_state(int state)
{
    return (struct ludus_gpu_batch){.state = (enum ludus_gpu_batch_state)state};
}

START_TEST(every_call_in_every_state)
{
    enum { I = LUDUS_GPU_BATCH_IDLE, A = LUDUS_GPU_BATCH_ARMED, P = LUDUS_GPU_BATCH_PENDING };
    enum { C = LUDUS_GPU_BATCH_COMPLETE, H = LUDUS_GPU_BATCH_HELD };
    static const struct {
        void (*call)(struct ludus_gpu_batch *batch);
        int after[STATES]; /* idle, armed, pending, complete, held */
    } rows[] = {{ludus_gpu_batch_discard, {I, I, P, C, H}},
                {ludus_gpu_batch_submit, {I, P, P, C, H}},
                {ludus_gpu_batch_complete, {I, A, C, C, I}},
                {ludus_gpu_batch_take, {I, A, H, I, H}},
                {ludus_gpu_batch_drop, {I, I, I, I, I}}};
    static const int after_arm[STATES] = {A, A, P, C, H};
    for (int state = 0; state < STATES; state++) {
        struct ludus_gpu_batch batch = in_state(state);
        ludus_gpu_batch_arm(&batch, 1);
        ck_assert_int_eq((int)batch.state, after_arm[state]);
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            batch = in_state(state);
            rows[i].call(&batch);
            ck_assert_msg((int)batch.state == rows[i].after[state], "call %zu in state %d", i,
                          state);
        }
    }
}
END_TEST

START_TEST(each_operation_has_two_slots_of_its_own)
{
    struct ludus_gpu_batch batch = {.first_slot = 260};
    bool is_used[LUDUS_GPU_FRAME_SLOTS] = {true, true}; /* the frame's own */
    ludus_gpu_batch_arm(&batch, 1);
    for (uint32_t i = 0; i < LUDUS_GPU_FRAME_OPERATIONS; i++) {
        const struct ludus_gpu_scope scope = ludus_gpu_batch_begin(&batch, 5, 1, 1, 1);
        uint32_t end;
        ck_assert_int_eq(ludus_gpu_batch_end(&batch, scope.token, &end), LUDUS_GPU_END_WRITTEN);
        ck_assert(scope.token != 0 && end == scope.slot + 1 && scope.slot % 2 == 0);
        ck_assert(scope.slot >= 262 && end < 260 + LUDUS_GPU_FRAME_SLOTS);
        ck_assert(!is_used[scope.slot - 260] && !is_used[end - 260]);
        is_used[scope.slot - 260] = is_used[end - 260] = true;
    }
}
END_TEST

START_TEST(ordinals_count_the_operations_of_a_site)
{
    static const uint32_t sites[] = {3, 4, 3, 3, 4, 9};
    static const uint32_t ordinals[] = {0, 0, 1, 2, 1, 0};
    struct ludus_gpu_batch batch = {0};
    for (uint64_t frame = 1; frame < 3; frame++) {
        ludus_gpu_batch_arm(&batch, frame);
        for (uint32_t i = 0; i < 6; i++) {
            (void)ludus_gpu_batch_begin(&batch, sites[i], 1, 1, 1);
            ck_assert_uint_eq(batch.operations[i].ordinal, ordinals[i]);
        }
        ludus_gpu_batch_discard(&batch);
    }
}
END_TEST

START_TEST(inside_is_told_by_stream)
{
    struct ludus_gpu_batch batch = {0};
    uint32_t slot;
    ludus_gpu_batch_arm(&batch, 1);
    ck_assert(!ludus_gpu_batch_is_inside(&batch, 1));
    const struct ludus_gpu_scope first = ludus_gpu_batch_begin(&batch, 1, 1, 1, 1);
    const struct ludus_gpu_scope second = ludus_gpu_batch_begin(&batch, 1, 2, 1, 1);
    ck_assert(ludus_gpu_batch_is_inside(&batch, 1) && ludus_gpu_batch_is_inside(&batch, 2));
    ck_assert(!ludus_gpu_batch_is_inside(&batch, 3));
    (void)ludus_gpu_batch_end(&batch, first.token, &slot);
    ck_assert(!ludus_gpu_batch_is_inside(&batch, 1) && ludus_gpu_batch_is_inside(&batch, 2));
    (void)ludus_gpu_batch_end(&batch, second.token, &slot);
    ck_assert(!ludus_gpu_batch_is_inside(&batch, 2));
}
END_TEST

START_TEST(a_token_is_of_one_operation_of_one_frame)
{
    struct ludus_gpu_batch batch = {0};
    uint32_t slot = 77;
    ludus_gpu_batch_arm(&batch, 1);
    const struct ludus_gpu_scope scope = ludus_gpu_batch_begin(&batch, 1, 1, 1, 1);
    ck_assert_int_eq(ludus_gpu_batch_end(&batch, scope.token + 1, &slot),
                     LUDUS_GPU_END_WITHOUT_BEGIN);
    ck_assert_int_eq(ludus_gpu_batch_end(&batch, scope.token, &slot), LUDUS_GPU_END_WRITTEN);
    ck_assert_int_eq(ludus_gpu_batch_end(&batch, scope.token, &slot), LUDUS_GPU_END_WITHOUT_BEGIN);
    ludus_gpu_batch_discard(&batch);
    ck_assert_int_eq(ludus_gpu_batch_end(&batch, scope.token, &slot), LUDUS_GPU_END_ELSEWHERE);
    ludus_gpu_batch_arm(&batch, 2);
    (void)ludus_gpu_batch_begin(&batch, 1, 1, 1, 1);
    ck_assert_int_eq(ludus_gpu_batch_end(&batch, scope.token, &slot), LUDUS_GPU_END_ELSEWHERE);
    ck_assert_uint_eq(batch.open, 1);
}
END_TEST

START_TEST(what_is_not_said_of_an_operation_has_a_value)
{
    struct ludus_gpu_batch batch = {0};
    ludus_gpu_batch_arm(&batch, 1);
    (void)ludus_gpu_batch_begin(&batch, 1, 1, 0, 0);
    ck_assert_uint_eq(batch.operations[0].operation, LUDUS_GPU_MIXED);
    ck_assert_uint_eq(batch.operations[0].logical_passes, 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gpu batch");
    TCase *cases = tcase_create("gpu batch");
    tcase_add_test(cases, every_call_in_every_state);
    tcase_add_test(cases, each_operation_has_two_slots_of_its_own);
    tcase_add_test(cases, ordinals_count_the_operations_of_a_site);
    tcase_add_test(cases, inside_is_told_by_stream);
    tcase_add_test(cases, a_token_is_of_one_operation_of_one_frame);
    tcase_add_test(cases, what_is_not_said_of_an_operation_has_a_value);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
