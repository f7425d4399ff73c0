/* Percentiles of slices against sorting them. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "input_fixture.h"
#include "nearest_rank.h"
#include "slice_percentiles.h"

#define MOST 60000u

static const uint32_t per_mille[TRACE_DURATION_RANKS] = {0, 500, 900, 950, 990, 999, 1000};

/* Which durations the slices of a capture have. */
enum shape {
    EQUAL,   /* one duration */
    SMALL,   /* below the width of a bin */
    SPREAD,  /* over many powers of two */
    CROWDED, /* many in one bin, of which many share a part */
    SHAPES
};

static uint64_t duration_of(enum shape shape, uint32_t *random)
{
    *random = *random * 1664525 + 1013904223;
    switch (shape) {
    case EQUAL:
        return 7000;
    case SMALL:
        return *random >> 28;
    case SPREAD:
        return (uint64_t)1 << (*random >> 28) << (*random >> 30 & 3) | (*random >> 20 & 15);
    default:
        return 1000000 + (*random >> 26) * 3;
    }
}

/* Slices of Physics one behind the other, Solve in a few of them, and one that has no end. */
static struct capture_builder *build(enum shape shape, uint32_t count,
                                     struct trace_ranked *expected)
{
    struct capture_builder *builder = builder_create(&golden_setup);
    uint32_t random = (uint32_t)shape * 77 + count;
    uint64_t time = START;
    builder_domain(builder, 1, "main");
    golden_add_track(builder, 1, 70, 0, 0, "main");
    for (uint32_t i = 0; i < count; i++) {
        uint64_t duration = duration_of(shape, &random);
        builder_event(builder, 1, LCAP_EVENT_BEGIN, time, 2);
        builder_event(builder, 1, LCAP_EVENT_END, time + duration, 0);
        expected[i] = (struct trace_ranked){(int64_t)duration, time - START};
        time += duration + 1;
    }
    builder_event(builder, 1, LCAP_EVENT_BEGIN, time, 2);
    builder_stop(builder, time + 100);
    builder_finish(builder);
    return builder;
}

static void check(const struct trace_duration_ranks *found, struct trace_ranked *expected,
                  uint32_t count)
{
    trace_ranked_sort(expected, count);
    ck_assert_uint_eq(found->count, count);
    for (int i = 0; count != 0 && i < TRACE_DURATION_RANKS; i++) {
        struct trace_ranked rank = trace_ranked_at(expected, count, per_mille[i]);
        ck_assert_int_eq(found->ranks[i].duration_ns, rank.value);
        ck_assert_int_eq(found->ranks[i].begin_ns, (int64_t)rank.source);
    }
}

static uint32_t compare_within(size_t budget_bytes, enum shape shape, uint32_t count,
                               bool is_database)
{
    static const struct trace_selection whole = {0};
    static const uint32_t sites[] = {1, 2}; /* Physics, and Solve, which has no slice */
    struct trace_ranked *expected = calloc((size_t)count + 1, sizeof *expected);
    struct trace_duration_ranks ranks[2];
    struct input_fixture fixture;
    struct ludus_error error = {0};
    uint32_t passes = 0;
    ck_assert_ptr_nonnull(expected);
    input_open(&fixture, build(shape, count, expected), is_database, &whole);
    enum ludus_status status = trace_slice_percentiles(fixture.input, &fixture.chosen, sites, 2,
                                                       budget_bytes, ranks, &passes, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    check(&ranks[0], expected, count);
    ck_assert_uint_eq(ranks[1].count, 0);
    free(expected);
    input_close(&fixture);
    return passes;
}

static uint32_t compare_with_sorting(enum shape shape, uint32_t count, bool is_database)
{
    return compare_within(TRACE_SLICE_BUDGET_BYTES, shape, count, is_database);
}

START_TEST(ranks_are_those_of_sorting)
{
    static const uint32_t counts[] = {1, 2, 3, 10, 999, 1000, 1001, 20000};
    for (size_t i = 0; i < COUNT(counts); i++)
        (void)compare_with_sorting((enum shape)_i, counts[i], false);
    (void)compare_with_sorting((enum shape)_i, 1001, true);
}
END_TEST

/* Few slices in a bin take two passes. Where one duration has them all, so does that. */
START_TEST(two_passes_do_where_bins_hold_few)
{
    ck_assert_uint_eq(compare_with_sorting(SPREAD, 1000, false), 2);
    ck_assert_uint_eq(compare_with_sorting(SMALL, 20000, false), 2);
}
END_TEST

START_TEST(crowded_bins_take_more_passes_and_no_more_memory)
{
    uint32_t passes = compare_with_sorting(CROWDED, MOST, false);
    ck_assert_uint_gt(passes, 2);
    ck_assert_uint_le(passes, 4);
}
END_TEST

/* A pass counts the slices, and a round of few takes one more. */
START_TEST(ranks_are_the_same_in_rounds)
{
    static const uint32_t counts[] = {1, 2, 3, 10, 999, 1000, 1001};
    for (size_t i = 0; i < COUNT(counts); i++)
        ck_assert_uint_eq(compare_within(1, (enum shape)_i, counts[i], false), 3);
    ck_assert_uint_ge(compare_within(1, (enum shape)_i, 20000, false), 4);
    ck_assert_uint_eq(compare_within(1, (enum shape)_i, 1001, true), 3);
}
END_TEST

START_TEST(sites_that_do_not_fit_take_rounds)
{
    static const char *const windows[] = {"a=time:..1ms", "b=time:1ms.."};
    static const struct trace_selection two = {.windows = windows, .window_count = 2};
    static const uint32_t sites[] = {2, 1};
    struct trace_ranked *expected = calloc(MOST, sizeof *expected);
    struct trace_duration_ranks ranks[4];
    struct input_fixture fixture;
    struct ludus_error error = {0};
    uint32_t passes = 0, before = 0;
    ck_assert_ptr_nonnull(expected);
    input_open(&fixture, build(EQUAL, 500, expected), false, &two);
    ck_assert_int_eq(trace_slice_percentiles(fixture.input, &fixture.chosen, sites, 2, 1, ranks,
                                             &passes, &error),
                     LUDUS_OK);
    ck_assert_uint_eq(passes, 3); /* one to count, and one for each round of few slices */
    while (expected[before].source < 1000000)
        before++;
    check(&ranks[2], expected, before);
    check(&ranks[3], expected + before, 500 - before);
    ck_assert_uint_eq(ranks[0].count + ranks[1].count, 0);
    free(expected);
    input_close(&fixture);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("slice percentiles");
    TCase *cases = tcase_create("slice percentiles");
    tcase_set_timeout(cases, 120);
    tcase_add_loop_test(cases, ranks_are_those_of_sorting, 0, SHAPES);
    tcase_add_test(cases, two_passes_do_where_bins_hold_few);
    tcase_add_test(cases, crowded_bins_take_more_passes_and_no_more_memory);
    tcase_add_loop_test(cases, ranks_are_the_same_in_rounds, 0, SHAPES);
    tcase_add_test(cases, sites_that_do_not_fit_take_rounds);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
