/* Frame percentiles are measured values at the nearest rank, and frames with calls are counted
 * exactly or not at all: both against the simplest way to say it. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "frame_percentiles.h"
#include "frames_with_calls.h"

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* --- percentiles ------------------------------------------------------------------------------ */

START_TEST(ranks_of_a_hundred_and_ten_frames)
{
    /* Durations 1 to 110 in falling order: frame 0 lasts 110, frame 109 lasts 1. Nearest rank of p:
     * the ceil(p * 110)th smallest: 55, 99, 105 (104.5), 109 (108.9), 110 (109.89). */
    static const int64_t expected[TRACE_FRAME_RANKS] = {1, 55, 99, 105, 109, 110, 110};
    struct trace_frame frames[111];
    struct trace_domain domain = {.frames = frames, .frame_count = 111, .complete_count = 110};
    struct trace_frame_percentiles percentiles;
    int64_t time_ns = 5000;

    for (uint32_t i = 0; i < 111; i++) {
        frames[i] = (struct trace_frame){time_ns, 40 + i};
        time_ns += 110 - (int64_t)i;
    }
    ck_assert_int_eq(trace_frame_percentiles_of(&domain, NULL, &percentiles), LUDUS_OK);
    ck_assert_uint_eq(percentiles.count, 110);
    ck_assert_int_eq(percentiles.total_ns, 6105);
    for (int i = 0; i < TRACE_FRAME_RANKS; i++) {
        ck_assert_int_eq(percentiles.ranks[i].value, expected[i]);
        ck_assert_uint_eq(percentiles.ranks[i].source, (uint64_t)(40 + 110 - expected[i]));
    }
}
END_TEST

START_TEST(frames_with_a_missing_mark_and_the_last_are_left_out)
{
    struct trace_frame frames[] = {{0, 1}, {10, 2}, {1000, 5}, {1030, 6}};
    struct trace_domain domain = {.frames = frames, .frame_count = 4, .complete_count = 2};
    struct trace_frame_percentiles percentiles;

    ck_assert_int_eq(trace_frame_percentiles_of(&domain, NULL, &percentiles), LUDUS_OK);
    ck_assert_uint_eq(percentiles.count, 2);
    ck_assert_int_eq(percentiles.ranks[TRACE_FRAME_MIN].value, 10);
    ck_assert_int_eq(percentiles.ranks[TRACE_FRAME_MAX].value, 30);
    ck_assert_uint_eq(percentiles.ranks[TRACE_FRAME_MAX].source, 5);
}
END_TEST

START_TEST(equal_durations_name_the_first_frame)
{
    struct trace_frame frames[] = {{0, 0}, {16, 1}, {32, 2}, {48, 3}};
    struct trace_domain domain = {.frames = frames, .frame_count = 4, .complete_count = 3};
    struct trace_frame_percentiles percentiles;

    ck_assert_int_eq(trace_frame_percentiles_of(&domain, NULL, &percentiles), LUDUS_OK);
    for (int i = 0; i < TRACE_FRAME_RANKS; i++)
        ck_assert_uint_eq(percentiles.ranks[i].source, 0);
}
END_TEST

START_TEST(no_complete_frame_is_no_number)
{
    struct trace_frame frame = {5, 0};
    struct trace_domain none = {.frame_count = 0};
    struct trace_domain one = {.frames = &frame, .frame_count = 1};
    struct trace_frame_percentiles percentiles;

    ck_assert_int_eq(trace_frame_percentiles_of(&none, NULL, &percentiles), LUDUS_OK);
    ck_assert_uint_eq(percentiles.count, 0);
    ck_assert_int_eq(trace_frame_percentiles_of(&one, NULL, &percentiles), LUDUS_OK);
    ck_assert_uint_eq(percentiles.count, 0);
}
END_TEST

/* --- frames with calls ------------------------------------------------------------------------ */

#define FRAMES 20000u

/* Frames rise, each up to `lag` below the newest. */
static void check_random(uint64_t seed, uint32_t lag)
{
    struct trace_frames_with_calls counts = {0};
    unsigned char *seen = calloc(FRAMES, 1);
    uint32_t expected = 0;

    ck_assert_ptr_nonnull(seen);
    ck_assert_int_eq(trace_frames_with_calls_reserve(&counts, 1), LUDUS_OK);
    for (uint32_t newest = 0; newest < FRAMES; newest += (uint32_t)(next_random(&seed) % 3)) {
        uint32_t back = (uint32_t)(next_random(&seed) % (lag + 1));
        uint32_t frame = newest > back ? newest - back : 0;

        expected += seen[frame] == 0;
        seen[frame] = 1;
        trace_site_frames_add(&counts.sites[0], frame);
        ck_assert_uint_eq(counts.sites[0].count, expected);
    }
    ck_assert(!counts.sites[0].is_inexact);
    trace_frames_with_calls_clear(&counts);
    free(seen);
}

START_TEST(frames_are_counted_once_in_any_order_near_the_newest)
{
    /* A word of 64 frames is forgotten as a whole, so 960 back is remembered for sure. */
    static const uint32_t lags[] = {0, 1, 63, 64, 65, 500, 960};

    for (size_t i = 0; i < sizeof lags / sizeof *lags; i++)
        check_random(i + 1, lags[i]);
}
END_TEST

START_TEST(jumps_forget_what_is_left_behind)
{
    static const uint32_t frames[] = {0,         63, 64, 1023, 1024, 5000, 5001, 5000 + 64 * 16,
                                      4000000000};
    struct trace_frames_with_calls counts = {0};

    ck_assert_int_eq(trace_frames_with_calls_reserve(&counts, 1), LUDUS_OK);
    for (uint32_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        trace_site_frames_add(&counts.sites[0], frames[i]);
        ck_assert_uint_eq(counts.sites[0].count, i + 1);
    }
    ck_assert(!counts.sites[0].is_inexact);
    trace_site_frames_add(&counts.sites[0], 5000);
    ck_assert(counts.sites[0].is_inexact);
    trace_frames_with_calls_clear(&counts);
}
END_TEST

START_TEST(sites_are_apart_and_start_at_nothing)
{
    struct trace_frames_with_calls counts = {0};

    for (uint32_t i = 0; i < 300; i++) {
        ck_assert_int_eq(trace_frames_with_calls_reserve(&counts, i + 1), LUDUS_OK);
        ck_assert_uint_eq(counts.sites[i].count, 0);
        for (uint32_t frame = 0; frame < i; frame++)
            trace_site_frames_add(&counts.sites[i], frame);
    }
    for (uint32_t i = 0; i < 300; i++)
        ck_assert_uint_eq(counts.sites[i].count, i);
    trace_frames_with_calls_clear(&counts);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("frame numbers");
    TCase *tests = tcase_create("frames");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_test(tests, ranks_of_a_hundred_and_ten_frames);
    tcase_add_test(tests, frames_with_a_missing_mark_and_the_last_are_left_out);
    tcase_add_test(tests, equal_durations_name_the_first_frame);
    tcase_add_test(tests, no_complete_frame_is_no_number);
    tcase_add_test(tests, frames_are_counted_once_in_any_order_near_the_newest);
    tcase_add_test(tests, jumps_forget_what_is_left_behind);
    tcase_add_test(tests, sites_are_apart_and_start_at_nothing);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
