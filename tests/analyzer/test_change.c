/* How the time of a scope changed: what is printed adds up, and the kind of change is the right
 * one. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "change.h"
#include "random_stream.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* So far doubles tell picoseconds apart, with what a few roundings cost: a quarter of an hour. */
#define MOST_NS 1e12

/* What a reader sees: three decimals, without the point. */
static long long printed(double time_ns)
{
    char text[64];
    size_t used = 0;
    int size = snprintf(text, sizeof text, "%.3f", time_ns);
    ck_assert_int_lt(size, (int)sizeof text);
    for (int i = 0; i <= size; i++)
        if (text[i] != '.')
            text[used++] = text[i];
    return strtoll(text, NULL, 10);
}

static void check_sums(struct trace_rate base, struct trace_rate candidate)
{
    struct trace_change change = trace_change_between(base, candidate);
    ck_assert_int_eq(printed(change.base_ns) + printed(change.total_ns),
                     printed(change.candidate_ns));
    if (fabs(change.workload_ns) <= MOST_NS)
        ck_assert_int_eq(printed(change.workload_ns) + printed(change.cost_ns),
                         printed(change.total_ns));
    else /* a million times as many calls, each a millionth: parts beyond any frame */
        ck_assert_double_eq_tol(change.workload_ns + change.cost_ns, change.total_ns,
                                1e-15 * fabs(change.workload_ns));
    ck_assert_double_le(fabs(change.base_ns - base.time_ns), 0.0005 + 1e-15 * base.time_ns);
    ck_assert_double_eq(change.base_calls, base.calls);
    ck_assert_double_eq(change.candidate_calls, candidate.calls);
}

/* Of any size, from 2^-20 to `most`, or nothing at all. */
static double random_size(struct random *random, double most)
{
    double size = ldexp(1.0 + random_below(random, 1u << 30) / 1073741824.0,
                        (int)random_below(random, 64) - 20);
    return random_below(random, 8) == 0 ? 0.0 : fmin(size, most);
}

static struct trace_rate random_rate(struct random *random)
{
    struct trace_rate rate = {random_size(random, 1e6), random_size(random, MOST_NS)};
    if (rate.calls == 0.0)
        rate.time_ns = 0.0;
    return rate;
}

START_TEST(what_is_printed_adds_up_at_any_size)
{
    struct random random = {.state = 6};
    for (int i = 0; i < 60000 / TEST_SHARE; i++)
        check_sums(random_rate(&random), random_rate(&random));
}
END_TEST

/* The pencil's: c calls of u each, and what each part of the change is. */
static const struct {
    struct trace_rate base, candidate;
    double workload_ns, cost_ns;
    enum trace_change_kind kind;
} worked_out[] = {
    {{2, 200}, {3, 300}, 100, 0, TRACE_CHANGE_WORKLOAD}, /* one more call of 100 */
    {{2, 200}, {2, 240}, 0, 40, TRACE_CHANGE_COST},      /* both take 20 more */
    {{2, 200}, {4, 600}, 250, 150, TRACE_CHANGE_BOTH},   /* 2 x 125, and 50 x 3 */
    {{2, 200}, {4, 200}, 150, -150, TRACE_CHANGE_BOTH},  /* 2 x 75; -50 x 3: as long in all */
    {{2, 200}, {2, 200}, 0, 0, TRACE_CHANGE_NONE},
    {{0, 0}, {2, 200}, 200, 0, TRACE_CHANGE_WORKLOAD}, /* calls that were not there cost nothing */
    {{2, 200}, {0, 0}, -200, 0, TRACE_CHANGE_WORKLOAD},
    {{0, 0}, {0, 0}, 0, 0, TRACE_CHANGE_NONE},
    {{2, 0}, {2, 0}, 0, 0, TRACE_CHANGE_NONE}, /* calls without a time of their own */
    {{2, 0}, {5, 0}, 0, 0, TRACE_CHANGE_NONE},
    {{2, 0}, {2, 50}, 0, 50, TRACE_CHANGE_COST},
    {{0, 70}, {0, 90}, 20, 0, TRACE_CHANGE_WORKLOAD},     /* by clip: begun before the frames */
    {{4, 400}, {5, 450}, 95, -45, TRACE_CHANGE_BOTH},     /* 1 x 95; -10 x 4.5 */
    {{4, 400}, {7, 728}, 306, 22, TRACE_CHANGE_WORKLOAD}, /* 3 x 102; 4 x 5.5 */
};

START_TEST(changes_are_told_apart_as_with_a_pencil)
{
    struct trace_change change =
        trace_change_between(worked_out[_i].base, worked_out[_i].candidate);
    ck_assert_double_eq(change.workload_ns, worked_out[_i].workload_ns);
    ck_assert_double_eq(change.cost_ns, worked_out[_i].cost_ns);
    ck_assert_int_eq(change.kind, worked_out[_i].kind);
    check_sums(worked_out[_i].base, worked_out[_i].candidate);
}
END_TEST

START_TEST(the_other_way_round_every_part_is_the_negative)
{
    struct random random = {.state = 7};
    for (int i = 0; i < 15000 / TEST_SHARE; i++) {
        struct trace_rate base = random_rate(&random), candidate = random_rate(&random);
        struct trace_change there = trace_change_between(base, candidate);
        struct trace_change back = trace_change_between(candidate, base);
        ck_assert_double_eq(there.total_ns, -back.total_ns);
        ck_assert_double_eq(there.workload_ns, -back.workload_ns);
        ck_assert_double_eq(there.cost_ns, -back.cost_ns);
        ck_assert_int_eq(there.kind, back.kind);
    }
}
END_TEST

/* 0.75 of both parts together is the edge: 3 to 1 is one kind, a little less is both. */
START_TEST(a_kind_takes_three_quarters_of_the_change)
{
    /* With means of 2 calls and 100 ns: one more call is 100, and d ns more a call 2 d. */
    struct trace_rate base = {1.5, 1.5 * (100 - 25 / 3.0)};
    struct trace_rate candidate = {2.5, 2.5 * (100 + 25 / 3.0)};
    ck_assert_int_eq(trace_change_between(base, candidate).kind, TRACE_CHANGE_WORKLOAD);
    base.time_ns = 1.5 * (100 - 8.4);
    candidate.time_ns = 2.5 * (100 + 8.4);
    ck_assert_int_eq(trace_change_between(base, candidate).kind, TRACE_CHANGE_BOTH);
}
END_TEST

START_TEST(huge_and_tiny_times_stay_finite)
{
    static const double sizes[] = {0.0, 4.9e-324, 1e-12, 1.0, 9.2e18, 1e300};
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (size_t j = 0; j < COUNT(sizes); j++) {
            struct trace_change change = trace_change_between((struct trace_rate){1.0, sizes[i]},
                                                              (struct trace_rate){3.0, sizes[j]});
            ck_assert(isfinite(change.total_ns) && isfinite(change.workload_ns) &&
                      isfinite(change.cost_ns));
            double largest = fmax(sizes[i], sizes[j]);
            ck_assert_double_le(fabs(change.workload_ns + change.cost_ns - (sizes[j] - sizes[i])),
                                0.002 + 1e-15 * largest);
        }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("change");
    TCase *cases = tcase_create("change");
    tcase_add_test(cases, what_is_printed_adds_up_at_any_size);
    tcase_add_loop_test(cases, changes_are_told_apart_as_with_a_pencil, 0, COUNT(worked_out));
    tcase_add_test(cases, the_other_way_round_every_part_is_the_negative);
    tcase_add_test(cases, a_kind_takes_three_quarters_of_the_change);
    tcase_add_test(cases, huge_and_tiny_times_stay_finite);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
