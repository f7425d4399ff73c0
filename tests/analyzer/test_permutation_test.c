/* The permutation test: labellings, p-values of published examples and of ones worked out by hand,
 * and how often it is wrong where nothing differs. */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "permutation_test.h"

#define NEAR 1e-12

static struct trace_relabelings relabel(uint32_t base_runs, uint32_t candidate_runs)
{
    struct trace_relabelings relabelings;
    ck_assert(trace_relabelings_create(&relabelings, base_runs, candidate_runs));
    return relabelings;
}

/* The finding of one quantity by itself. */
static struct trace_family_finding find_one(const double *values, uint32_t base_runs,
                                            uint32_t candidate_runs)
{
    struct trace_relabelings relabelings = relabel(base_runs, candidate_runs);
    const struct trace_family family = {values, 1, base_runs, candidate_runs};
    struct trace_family_finding finding;
    ck_assert(trace_permutation_test(&family, &relabelings, &finding));
    trace_relabelings_destroy(&relabelings);
    return finding;
}

START_TEST(few_runs_have_all_of_their_labellings)
{
    struct trace_relabelings relabelings = relabel(5, 5);
    ck_assert(relabelings.are_all);
    ck_assert_uint_eq(relabelings.count, 252); /* 10 over 5 */
    ck_assert_uint_eq(relabelings.sets[0], 0x3E0u);
    for (uint32_t i = 0; i < relabelings.count; i++) {
        ck_assert_int_eq(__builtin_popcountll(relabelings.sets[i]), 5);
        ck_assert_uint_lt(relabelings.sets[i], 1u << 10);
        for (uint32_t j = 0; j < i; j++)
            ck_assert_uint_ne(relabelings.sets[i], relabelings.sets[j]);
    }
    trace_relabelings_destroy(&relabelings);
}
END_TEST

START_TEST(the_sides_may_have_different_numbers_of_runs)
{
    struct trace_relabelings relabelings = relabel(2, 4);
    ck_assert_uint_eq(relabelings.count, 15); /* 6 over 4 */
    ck_assert_uint_eq(relabelings.sets[0], 0x3Cu);
    trace_relabelings_destroy(&relabelings);
}
END_TEST

START_TEST(of_many_runs_labellings_are_drawn_evenly)
{
    struct trace_relabelings relabelings = relabel(32, 32);
    uint32_t taken[64] = {0};
    ck_assert(!relabelings.are_all);
    ck_assert_uint_eq(relabelings.count, TRACE_DRAWN_RELABELINGS);
    ck_assert_uint_eq(relabelings.sets[0], UINT64_MAX << 32);
    for (uint32_t i = 1; i < relabelings.count; i++) {
        ck_assert_int_eq(__builtin_popcountll(relabelings.sets[i]), 32);
        for (uint32_t run = 0; run < 64; run++)
            taken[run] += (relabelings.sets[i] >> run & 1) != 0;
    }
    /* Half of 9,999 with a standard deviation of 50: six of them. */
    for (uint32_t run = 0; run < 64; run++)
        ck_assert(abs((int)taken[run] - 5000) < 300);
    trace_relabelings_destroy(&relabelings);
}
END_TEST

/* Four subjects, quiz scores 7 and 5 against 3 and 1: one of six assignments is as extreme, two
 * are on both sides (Iowa State University, Statistics 401, notes on randomization tests). */
START_TEST(a_course_example_gives_one_in_six)
{
    const double scores[] = {3, 1, 7, 5};
    struct trace_family_finding finding = find_one(scores, 2, 2);
    ck_assert_double_eq_tol(finding.p_greater, 1.0 / 6.0, NEAR);
    ck_assert_double_eq_tol(finding.p_less, 1.0, NEAR);
    ck_assert_double_eq_tol(finding.base_mean, 2.0, NEAR);
    ck_assert_double_eq_tol(finding.candidate_mean, 6.0, NEAR);
}
END_TEST

/* Rosetta Code's task "Permutation test": of the 92,378 ways to tell 9 patients with a treatment
 * from 10 without, 87.197168706 % have a difference that is not greater. Drawn: four standard
 * deviations of 10,000 draws are 1.34 points. */
START_TEST(a_published_trial_is_met_by_drawn_labellings)
{
    const double effects[] = {68, 41, 10, 49, 16, 65, 32, 92, 28, 98,
                              85, 88, 75, 66, 25, 29, 83, 39, 97};
    struct trace_family_finding finding = find_one(effects, 10, 9);
    ck_assert_double_eq_tol(finding.p_less, 0.87197168706, 0.0134);
}
END_TEST

/* Two quantities, 2 runs against 2, by hand. Runs are 1 to 4, the truth calls 3 and 4 the
 * candidate's. A has the values 1 1 3 3, B 1 3 1 3. The difference of means of the six labellings:
 *
 *     candidate's runs   1 2   1 3   2 3   1 4   2 4   3 4
 *     A                   -2     0     0     0     0     2
 *     B                    0    -2     0     0     2     0
 *
 * B with {2,4} is the same case as A with {3,4}, in which the other one varies: the statistics are
 * equal. So the greatest one reaches A's true one in 2 of 6. Behind A comes B alone, whose true
 * difference of 0 is reached in 5 of 6. */
START_TEST(a_family_of_two_is_worked_out_by_hand)
{
    const double values[] = {1, 1, 3, 3, /* A */
                             1, 3, 1, 3 /* B */};
    struct trace_relabelings relabelings = relabel(2, 2);
    const struct trace_family family = {values, 2, 2, 2};
    struct trace_family_finding findings[2];
    ck_assert(trace_permutation_test(&family, &relabelings, findings));
    ck_assert_double_eq_tol(findings[0].p_greater, 2.0 / 6.0, NEAR);
    ck_assert_double_eq_tol(findings[1].p_greater, 5.0 / 6.0, NEAR);
    /* In the truth A has no variance and B one of 2 / 2^2 = 0.5 (squares 4 over 2 degrees of
     * freedom, mean 2): the median is 0.25, A's moderated one (4 * 0.25 + 2 * 0) / 6 = 1/6, its
     * error 2 * sqrt(1/6 * (1/2 + 1/2)), and its difference 2. */
    ck_assert_double_eq_tol(findings[0].statistic, sqrt(6.0), NEAR);
    ck_assert_double_eq_tol(findings[1].statistic, 0.0, NEAR);
    trace_relabelings_destroy(&relabelings);
}
END_TEST

/* 70 labellings: 2.5 % of them is one, which is the truth at every shift, so that the bounds are
 * the least and the greatest of the 69 shifts. Exchanging 13 and 15 keeps 3 of 4 labels: its
 * difference is 3.75 with half of the shift, 4.75 - s <= 3.75 - s / 2 from s = 2 on; exchanging 10
 * and 18 gives 0.75 with half: s = 8. */
START_TEST(an_interval_is_of_shifts_that_are_not_rejected)
{
    const double values[] = {10, 11, 12, 13, 15, 15, 17, 18};
    struct trace_family_finding finding = find_one(values, 4, 4);
    ck_assert_double_eq_tol(finding.low, 2.0, NEAR);
    ck_assert_double_eq_tol(finding.high, 8.0, NEAR);
}
END_TEST

START_TEST(few_runs_have_no_interval)
{
    const double values[] = {1, 2, 3, 4};
    struct trace_family_finding finding = find_one(values, 2, 2);
    ck_assert(isinf(finding.low) && finding.low < 0.0);
    ck_assert(isinf(finding.high) && finding.high > 0.0);
}
END_TEST

/* Ten times 0.1 add up to less than 1, so that each would differ from its mean by as much, and be
 * infinitely sure whatever the labels: nothing else could stand out. */
START_TEST(what_never_varies_hides_nothing)
{
    double values[30];
    struct trace_relabelings relabelings = relabel(5, 5);
    const struct trace_family family = {values, 3, 5, 5};
    struct trace_family_finding findings[3];
    for (int run = 0; run < 10; run++) {
        values[run] = values[10 + run] = 0.1;
        values[20 + run] = run < 5 ? 100 + run : 200 + run;
    }
    ck_assert(trace_permutation_test(&family, &relabelings, findings));
    ck_assert_double_eq(findings[0].statistic, 0);
    ck_assert_double_eq_tol(findings[2].p_greater, 1.0 / 252.0, NEAR);
    trace_relabelings_destroy(&relabelings);
}
END_TEST

START_TEST(what_never_varies_is_no_evidence)
{
    const double values[] = {0, 0, 0, 0, 0, 0, 0, 0, /* no hitch in any run */
                             7, 7, 7, 7, 7, 7, 7, 7};
    struct trace_relabelings relabelings = relabel(4, 4);
    const struct trace_family family = {values, 2, 4, 4};
    struct trace_family_finding findings[2];
    ck_assert(trace_permutation_test(&family, &relabelings, findings));
    for (int i = 0; i < 2; i++) {
        ck_assert_double_eq(findings[i].statistic, 0.0);
        ck_assert_double_eq(findings[i].p_greater, 1.0);
        ck_assert_double_eq(findings[i].p_less, 1.0);
    }
    trace_relabelings_destroy(&relabelings);
}
END_TEST

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* About a normal number: 12 uniform ones have a variance of 1. */
static double normal(uint64_t *state)
{
    double sum = -6.0;
    for (int i = 0; i < 12; i++)
        sum += uniform(state);
    return sum;
}

#define QUANTITIES 20u

/* 20 quantities of 5 runs a side that share half of their noise. Returns how many families of
 * `count` have a quantity with a p-value of at most `level`, when the first is `effect` standard
 * deviations greater on one side. */
static uint32_t count_found(uint32_t count, double level, double effect, uint64_t seed)
{
    struct trace_relabelings relabelings = relabel(5, 5);
    double values[QUANTITIES * 10];
    uint32_t found = 0;

    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t run = 0; run < 10; run++) {
            double common = normal(&seed);
            for (uint32_t k = 0; k < QUANTITIES; k++)
                values[k * 10 + run] = 1000.0 + 10.0 * (common + normal(&seed)) / sqrt(2.0) +
                                       (k == 0 && run >= 5 ? 10.0 * effect : 0.0);
        }
        const struct trace_family family = {values, QUANTITIES, 5, 5};
        struct trace_family_finding findings[QUANTITIES];
        bool is_found = false;
        ck_assert(trace_permutation_test(&family, &relabelings, findings));
        for (uint32_t k = 0; k < QUANTITIES; k++)
            is_found = is_found || findings[k].p_greater <= level;
        found += is_found;
    }
    trace_relabelings_destroy(&relabelings);
    return found;
}

/* 5 of 252 labellings are 1.98 %: 19.8 of 1,000 are expected, with a standard deviation of 4.4. */
START_TEST(nothing_is_found_more_often_than_promised_where_nothing_differs)
{
    uint32_t found = count_found(1000, 0.02, 0.0, 1);
    ck_assert_uint_ge(found, 5);
    ck_assert_uint_le(found, 36);
}
END_TEST

START_TEST(five_standard_deviations_are_found)
{
    ck_assert_uint_ge(count_found(200, 0.02, 5.0, 2), 195);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("permutation test");
    TCase *cases = tcase_create("permutation test");
    tcase_add_test(cases, few_runs_have_all_of_their_labellings);
    tcase_add_test(cases, the_sides_may_have_different_numbers_of_runs);
    tcase_add_test(cases, of_many_runs_labellings_are_drawn_evenly);
    tcase_add_test(cases, a_course_example_gives_one_in_six);
    tcase_add_test(cases, a_published_trial_is_met_by_drawn_labellings);
    tcase_add_test(cases, a_family_of_two_is_worked_out_by_hand);
    tcase_add_test(cases, an_interval_is_of_shifts_that_are_not_rejected);
    tcase_add_test(cases, few_runs_have_no_interval);
    tcase_add_test(cases, what_never_varies_hides_nothing);
    tcase_add_test(cases, what_never_varies_is_no_evidence);
    tcase_add_test(cases, nothing_is_found_more_often_than_promised_where_nothing_differs);
    tcase_add_test(cases, five_standard_deviations_are_found);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
