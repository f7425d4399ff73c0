/* Which differences count: each limit decides by itself, and evidence is what it says. Runs of one
 * side are a few numbers, so that every mean is worked out at a glance. */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "judgement.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define RUNS         4u

/* Four runs a side that do not overlap: of the 70 labellings none is as extreme, 1 / 70 = 1.4 %. */
static const double slower[2 * RUNS] = {99, 100, 100, 101, 109, 110, 110, 111};
static const double faster[2 * RUNS] = {109, 110, 110, 111, 99, 100, 100, 101};
static const double mixed[2 * RUNS] = {90, 100, 120, 130, 100, 110, 130, 140};
static const double equal[2 * RUNS] = {100, 100, 100, 100, 100, 100, 100, 100};
static const double zero[2 * RUNS] = {0};

/* An item for which every limit is exceeded by a change of 10. */
static struct trace_judged item_of(const double *values)
{
    return (struct trace_judged){.values = values,
                                 .least_change = 5,
                                 .least_relative = 0.05,
                                 .exact_change = NAN,
                                 .count = 100,
                                 .least_count = 20};
}

static struct trace_judgement judge(struct trace_judged *items, uint32_t count, uint32_t runs)
{
    struct trace_judgement judgement = {
        .items = items, .count = count, .base_runs = runs, .candidate_runs = runs, .level = 0.02};
    ck_assert(trace_judge(&judgement));
    return judgement;
}

static enum trace_finding find(struct trace_judged item)
{
    (void)judge(&item, 1, RUNS);
    return item.finding;
}

START_TEST(what_is_evident_and_large_enough_counts)
{
    struct trace_judged item = item_of(slower);
    struct trace_judgement judgement = judge(&item, 1, RUNS);
    ck_assert_int_eq(item.finding, TRACE_FOUND_WORSE);
    ck_assert_double_eq(item.base, 100);
    ck_assert_double_eq(item.candidate, 110);
    ck_assert_double_eq_tol(item.test.p_greater, 1.0 / 70, 1e-12);
    ck_assert(judgement.is_tested && judgement.are_all_relabelings && item.is_tested);
    ck_assert_uint_eq(judgement.family, 1);
    ck_assert_uint_eq(judgement.relabelings, 70);
    ck_assert(!item.is_by_counts);
    ck_assert_int_eq(find(item_of(faster)), TRACE_FOUND_BETTER);
}
END_TEST

START_TEST(each_limit_decides_by_itself)
{
    struct trace_judged item = item_of(slower);
    item.least_change = 10.5;
    ck_assert_int_eq(find(item), TRACE_FOUND_SAME);
    item = item_of(slower);
    item.least_relative = 0.105;
    ck_assert_int_eq(find(item), TRACE_FOUND_SAME);
    item = item_of(slower);
    item.least_count = 101;
    ck_assert_int_eq(find(item), TRACE_FOUND_FEW);
    item.least_count = 100;
    ck_assert_int_eq(find(item), TRACE_FOUND_WORSE);
    ck_assert_int_eq(find(item_of(mixed)), TRACE_FOUND_NOISE);
}
END_TEST

START_TEST(the_level_decides)
{
    struct trace_judged item = item_of(slower);
    struct trace_judgement judgement = {
        .items = &item, .count = 1, .base_runs = RUNS, .candidate_runs = RUNS, .level = 0.014};
    ck_assert(trace_judge(&judgement));
    ck_assert_int_eq(item.finding, TRACE_FOUND_NOISE); /* 1 / 70 is 0.0143 */
    judgement.level = 0.0143;
    ck_assert(trace_judge(&judgement));
    ck_assert_int_eq(item.finding, TRACE_FOUND_WORSE);
}
END_TEST

START_TEST(what_did_not_change_is_the_same_whatever_the_limits)
{
    struct trace_judged item = item_of(equal);
    item.least_change = item.least_relative = 0;
    item.least_count = item.count = 0;
    item.exact_change = 0;
    ck_assert_int_eq(find(item), TRACE_FOUND_SAME);
    item.values = zero;
    ck_assert_int_eq(find(item), TRACE_FOUND_SAME);
}
END_TEST

/* From nothing, any change is large as a part; its size in time decides. */
START_TEST(of_nothing_the_absolute_limit_decides)
{
    static const double risen[2 * RUNS] = {0, 0, 0, 0, 6, 6, 6, 6};
    struct trace_judged item = item_of(risen);
    item.least_change = 3;
    ck_assert_int_eq(find(item), TRACE_FOUND_WORSE);
    item.least_change = 7;
    ck_assert_int_eq(find(item), TRACE_FOUND_SAME);
}
END_TEST

START_TEST(fewer_runs_are_no_evidence_for_times)
{
    for (uint32_t runs = 1; runs < RUNS; runs++) {
        static const double few_slower[2 * RUNS] = {100, 100, 100, 110, 110, 110};
        struct trace_judged item = item_of(few_slower + 3 - runs);
        struct trace_judgement judgement = judge(&item, 1, runs);
        ck_assert_int_eq(item.finding, TRACE_FOUND_SUSPECTED_WORSE);
        ck_assert(!judgement.is_tested && !item.is_tested);
        ck_assert_uint_eq(judgement.family, 0);
    }
    struct trace_judged item = item_of(faster);
    struct trace_judgement judgement = {
        .items = &item, .count = 1, .base_runs = RUNS, .candidate_runs = 3, .level = 0.02};
    ck_assert(trace_judge(&judgement)); /* too few on one side are too few */
    ck_assert(!judgement.is_tested);
    ck_assert_int_eq(item.finding, TRACE_FOUND_SUSPECTED_BETTER);
}
END_TEST

START_TEST(exact_counts_are_evidence_with_any_number_of_runs)
{
    static const double one_each[] = {100, 110};
    struct trace_judged item = item_of(one_each);
    item.exact_change = 10;
    (void)judge(&item, 1, 1);
    ck_assert_int_eq(item.finding, TRACE_FOUND_WORSE);
    ck_assert(item.is_by_counts);
    item = item_of(mixed); /* noise alone, and the counts tell */
    item.exact_change = 10;
    ck_assert_int_eq(find(item), TRACE_FOUND_WORSE);
    item = item_of(one_each);
    item.exact_change = 4; /* what counts explain is no change that counts */
    (void)judge(&item, 1, 1);
    ck_assert_int_eq(item.finding, TRACE_FOUND_SUSPECTED_WORSE);
    ck_assert(!item.is_by_counts);
    item.exact_change = 10;
    item.least_count = 101; /* and they hold for no limit but evidence */
    (void)judge(&item, 1, 1);
    ck_assert_int_eq(item.finding, TRACE_FOUND_FEW);
}
END_TEST

/* Fewer calls that take longer in all: what is slower is not known from their number. */
START_TEST(counts_that_point_the_other_way_are_no_evidence)
{
    static const double one_each[] = {100, 110};
    struct trace_judged item = item_of(one_each);
    item.exact_change = -10;
    (void)judge(&item, 1, 1);
    ck_assert_int_eq(item.finding, TRACE_FOUND_SUSPECTED_WORSE);
    ck_assert(!item.is_by_counts);
}
END_TEST

START_TEST(what_is_shown_only_is_never_judged)
{
    struct trace_judged items[] = {item_of(slower), item_of(slower)};
    items[0].is_shown_only = true;
    items[0].exact_change = 10;
    struct trace_judgement judgement = judge(items, 2, RUNS);
    ck_assert_int_eq(items[0].finding, TRACE_FOUND_SHOWN);
    ck_assert(!items[0].is_tested);
    ck_assert_double_eq(items[0].candidate, 110);
    ck_assert_int_eq(items[1].finding, TRACE_FOUND_WORSE);
    ck_assert_uint_eq(judgement.family, 1);
}
END_TEST

/* The mean of all runs decides: what is too small to change by as much is not of the family. */
START_TEST(the_family_does_not_depend_on_labels)
{
    static const double values[] = {3, 9, 1, 7, 2, 8, 4, 6}; /* the mean is 5 */
    for (uint32_t shift = 0; shift < COUNT(values); shift++) {
        double turned[COUNT(values)];
        for (uint32_t i = 0; i < COUNT(values); i++)
            turned[i] = values[(i + shift) % COUNT(values)];
        struct trace_judged items[] = {item_of(turned), item_of(turned), item_of(turned)};
        items[0].least_change = 4.9;
        items[1].least_change = 5;
        items[2].least_change = 5.1;
        struct trace_judgement judgement = judge(items, 3, RUNS);
        ck_assert(items[0].is_tested && items[1].is_tested && !items[2].is_tested);
        ck_assert_uint_eq(judgement.family, 2);
    }
}
END_TEST

/* Each of several that change by chance makes the others' evidence weaker, never stronger. */
START_TEST(more_quantities_ask_for_more_evidence)
{
    static const double almost[2 * RUNS] = {99, 100, 101, 104, 103, 108, 109, 110};
    struct trace_judged alone = item_of(almost);
    (void)judge(&alone, 1, RUNS);
    struct trace_judged items[] = {item_of(almost), item_of(mixed), item_of(slower)};
    (void)judge(items, 3, RUNS);
    ck_assert_double_ge(items[0].test.p_greater, alone.test.p_greater);
    ck_assert_double_ge(items[0].test.p_greater, items[2].test.p_greater);
}
END_TEST

/* Labellings that are as extreme as the true one count as such: of runs in two equal values the
 * true one is one of two that tie in size, and the only one in its direction. */
START_TEST(ties_count_against_evidence)
{
    static const double two_values[2 * RUNS] = {100, 100, 100, 110, 110, 110, 110, 110};
    struct trace_judged item = item_of(two_values);
    (void)judge(&item, 1, RUNS);
    /* Three runs of 100 among eight: candidates without any of them are 5 over 4 of 70. */
    ck_assert_double_eq_tol(item.test.p_greater, 5.0 / 70, 1e-12);
    ck_assert_int_eq(item.finding, TRACE_FOUND_NOISE);
}
END_TEST

START_TEST(nothing_to_judge_is_judged)
{
    struct trace_judgement judgement = judge(NULL, 0, RUNS);
    ck_assert_uint_eq(judgement.family, 0);
    ck_assert(judgement.is_tested);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("judgement");
    TCase *cases = tcase_create("judgement");
    tcase_add_test(cases, what_is_evident_and_large_enough_counts);
    tcase_add_test(cases, each_limit_decides_by_itself);
    tcase_add_test(cases, the_level_decides);
    tcase_add_test(cases, what_did_not_change_is_the_same_whatever_the_limits);
    tcase_add_test(cases, of_nothing_the_absolute_limit_decides);
    tcase_add_test(cases, fewer_runs_are_no_evidence_for_times);
    tcase_add_test(cases, exact_counts_are_evidence_with_any_number_of_runs);
    tcase_add_test(cases, counts_that_point_the_other_way_are_no_evidence);
    tcase_add_test(cases, what_is_shown_only_is_never_judged);
    tcase_add_test(cases, the_family_does_not_depend_on_labels);
    tcase_add_test(cases, more_quantities_ask_for_more_evidence);
    tcase_add_test(cases, ties_count_against_evidence);
    tcase_add_test(cases, nothing_to_judge_is_judged);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
