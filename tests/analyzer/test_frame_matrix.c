/* Sums by subject and frame, and their ranks, by hand. */
#include <check.h>
#include <stdlib.h>

#include "frame_matrix.h"

START_TEST(values_add_up_by_subject_and_frame)
{
    struct trace_frame_matrix matrix;
    ck_assert(trace_frame_matrix_create(&matrix, 2, 3));
    trace_frame_matrix_add(&matrix, 0, 2, 5);
    trace_frame_matrix_add(&matrix, 0, 2, 7);
    trace_frame_matrix_add(&matrix, 1, 0, -4);
    ck_assert_int_eq(trace_frame_matrix_value(&matrix, 0, 2), 12);
    ck_assert_int_eq(trace_frame_matrix_value(&matrix, 1, 0), -4);
    ck_assert_int_eq(trace_frame_matrix_value(&matrix, 1, 2), 0);
    trace_frame_matrix_clear(&matrix);
    ck_assert_int_eq(trace_frame_matrix_value(&matrix, 0, 2), 0);
    trace_frame_matrix_destroy(&matrix);
}
END_TEST

START_TEST(sums_stop_growing_before_they_overflow)
{
    struct trace_frame_matrix matrix;
    ck_assert(trace_frame_matrix_create(&matrix, 1, 1));
    trace_frame_matrix_add(&matrix, 0, 0, INT64_MAX);
    trace_frame_matrix_add(&matrix, 0, 0, 1);
    ck_assert_int_eq(trace_frame_matrix_value(&matrix, 0, 0), INT64_MAX);
    trace_frame_matrix_destroy(&matrix);
}
END_TEST

/* 9, 1, 0, 9: sorted 0 (frame 2), 1 (1), 9 (0), 9 (3). The median of four is the second. */
START_TEST(ranks_are_values_of_frames_and_name_the_first)
{
    static const int64_t values[] = {9, 1, 0, 9};
    static const bool counted[] = {true, true, false, true};
    struct trace_frame_matrix matrix;
    ck_assert(trace_frame_matrix_create(&matrix, 1, 4));
    for (uint32_t frame = 0; frame < 4; frame++)
        trace_frame_matrix_add(&matrix, 0, frame, values[frame]);
    ck_assert_uint_eq(trace_frame_matrix_sort(&matrix, 0, NULL), 4);
    ck_assert_int_eq(trace_frame_matrix_rank(&matrix, 500).value, 1);
    ck_assert_uint_eq(trace_frame_matrix_rank(&matrix, 500).source, 1);
    ck_assert_int_eq(trace_frame_matrix_rank(&matrix, 0).value, 0);
    ck_assert_int_eq(trace_frame_matrix_rank(&matrix, 1000).value, 9);
    ck_assert_uint_eq(trace_frame_matrix_rank(&matrix, 1000).source, 0);
    ck_assert_uint_eq(trace_frame_matrix_sort(&matrix, 0, counted), 3);
    ck_assert_int_eq(trace_frame_matrix_rank(&matrix, 0).value, 1);
    ck_assert_int_eq(trace_frame_matrix_rank(&matrix, 500).value, 9);
    trace_frame_matrix_destroy(&matrix);
}
END_TEST

/* 10 frames are 80 bytes a subject and 160 for ranks. */
START_TEST(what_fits_is_known_beforehand)
{
    ck_assert_uint_eq(trace_frame_matrix_room(10, 160 + 3 * 80), 3);
    ck_assert_uint_eq(trace_frame_matrix_room(10, 160 + 3 * 80 - 1), 2);
    ck_assert_uint_eq(trace_frame_matrix_room(10, 5), 1);
    ck_assert_uint_gt(trace_frame_matrix_room(0, 1000), 1000000);
}
END_TEST

START_TEST(no_frames_have_no_ranks)
{
    struct trace_frame_matrix matrix;
    ck_assert(trace_frame_matrix_create(&matrix, 3, 0));
    ck_assert_uint_eq(trace_frame_matrix_sort(&matrix, 2, NULL), 0);
    trace_frame_matrix_destroy(&matrix);
}
END_TEST

/* The rank is the count times the share, rounded up. */
START_TEST(the_nearest_rank_is_exact_for_any_count)
{
    ck_assert_uint_eq(trace_nearest_index(0, 500), 0);
    ck_assert_uint_eq(trace_nearest_index(1, 0), 0);
    ck_assert_uint_eq(trace_nearest_index(1, 1000), 0);
    ck_assert_uint_eq(trace_nearest_index(1000, 999), 998);
    ck_assert_uint_eq(trace_nearest_index(1001, 999), 999); /* 999.999, rounded up */
    ck_assert_uint_eq(trace_nearest_index(UINT64_MAX, 1000), UINT64_MAX - 1);
    for (uint64_t count = 1; count < 3000; count++)
        for (uint32_t i = 1; i <= 1000; i += 37)
            ck_assert_uint_eq(trace_nearest_index(count, i), (count * i + 999) / 1000 - 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("frame matrix");
    TCase *cases = tcase_create("frame matrix");
    tcase_add_test(cases, values_add_up_by_subject_and_frame);
    tcase_add_test(cases, sums_stop_growing_before_they_overflow);
    tcase_add_test(cases, ranks_are_values_of_frames_and_name_the_first);
    tcase_add_test(cases, what_fits_is_known_beforehand);
    tcase_add_test(cases, no_frames_have_no_ranks);
    tcase_add_test(cases, the_nearest_rank_is_exact_for_any_count);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
