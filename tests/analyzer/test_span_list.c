/* Lists of spans: what lies in them, and where the answer changes. */
#include <check.h>

#include "span_list.h"

/* [10, 20) and [30, 50), of which the second was given as two that adjoin. */
static struct trace_span_list make_list(void)
{
    struct trace_span_list list = {0};
    ck_assert(trace_span_list_add(&list, 10, 20));
    ck_assert(trace_span_list_add(&list, 25, 25)); /* no time: none */
    ck_assert(trace_span_list_add(&list, 30, 40));
    ck_assert(trace_span_list_add(&list, 40, 50));
    return list;
}

START_TEST(adjoining_spans_are_one_and_empty_ones_none)
{
    struct trace_span_list list = make_list();
    ck_assert_uint_eq(list.count, 2);
    ck_assert_int_eq(list.spans[0].end_ns, 20);
    ck_assert_int_eq(list.spans[1].begin_ns, 30);
    ck_assert_int_eq(list.spans[1].end_ns, 50);
    ck_assert_int_eq(list.spans[1].before_ns, 10);
    trace_span_list_clear(&list);
    ck_assert_uint_eq(list.count, 0);
}
END_TEST

START_TEST(a_time_lies_in_a_span_from_its_begin_on_and_before_its_end)
{
    static const struct {
        int64_t time_ns;
        bool is_inside;
        int64_t from_ns, until_ns; /* where the answer is the same */
    } cases[] = {{INT64_MIN, false, INT64_MIN, 10},
                 {9, false, INT64_MIN, 10},
                 {10, true, 10, 20},
                 {19, true, 10, 20},
                 {20, false, 20, 30},
                 {29, false, 20, 30},
                 {30, true, 30, 50},
                 {40, true, 30, 50},
                 {50, false, 50, INT64_MAX},
                 {INT64_MAX, false, 50, INT64_MAX}};
    struct trace_span_list list = make_list();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t from_ns = INT64_MIN, until_ns = INT64_MAX;
        ck_assert_int_eq(trace_span_list_contains(&list, cases[i].time_ns, &from_ns, &until_ns),
                         cases[i].is_inside);
        ck_assert_int_eq(from_ns, cases[i].from_ns);
        ck_assert_int_eq(until_ns, cases[i].until_ns);
    }
    /* Bounds that are narrower stay as they are. */
    int64_t from_ns = 33, until_ns = 37;
    ck_assert(trace_span_list_contains(&list, 35, &from_ns, &until_ns));
    ck_assert_int_eq(from_ns, 33);
    ck_assert_int_eq(until_ns, 37);
    trace_span_list_clear(&list);
}
END_TEST

START_TEST(the_overlap_is_what_lies_in_all_spans_together)
{
    static const int64_t cases[][3] = {{0, 10, 0},
                                       {0, 11, 1},
                                       {0, 100, 30},
                                       {15, 35, 10},
                                       {20, 30, 0},
                                       {12, 18, 6},
                                       {45, 60, 5},
                                       {50, 60, 0},
                                       {35, 35, 0},
                                       {40, 30, 0},
                                       {INT64_MIN, INT64_MAX, 30}};
    struct trace_span_list list = make_list();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_int_eq(trace_span_list_overlap(&list, cases[i][0], cases[i][1]), cases[i][2]);
    trace_span_list_clear(&list);
}
END_TEST

START_TEST(a_span_covers_what_is_all_in_it)
{
    static const struct {
        int64_t begin_ns, end_ns;
        bool is_covered;
    } cases[] = {{10, 20, true},
                 {9, 20, false},
                 {10, 21, false},
                 {30, 50, true},
                 {35, 45, true},
                 {15, 35, false},
                 {20, 30, false},
                 {50, 51, false},
                 {0, 5, false},
                 /* What has no time lies where it begins: not at the end of a span. */
                 {10, 10, true},
                 {20, 20, false},
                 {30, 30, true},
                 {50, 50, false},
                 {25, 25, false}};
    struct trace_span_list list = make_list();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(trace_span_list_covers(&list, cases[i].begin_ns, cases[i].end_ns) ==
                          cases[i].is_covered,
                      "case %zu", i);
    trace_span_list_clear(&list);
}
END_TEST

START_TEST(all_time_has_no_edge)
{
    struct trace_span_list list = {0};
    int64_t from_ns = INT64_MIN, until_ns = INT64_MAX;
    ck_assert(trace_span_list_add_all_time(&list));
    ck_assert(trace_span_list_contains(&list, INT64_MIN, &from_ns, &until_ns));
    ck_assert(trace_span_list_contains(&list, INT64_MAX, &from_ns, &until_ns));
    ck_assert_int_eq(from_ns, INT64_MIN);
    ck_assert_int_eq(until_ns, INT64_MAX);
    ck_assert_int_eq(trace_span_list_overlap(&list, -7, 5), 12);
    ck_assert_int_eq(trace_span_list_overlap(&list, INT64_MAX - 9, INT64_MAX), 9);
    ck_assert(trace_span_list_covers(&list, INT64_MIN, INT64_MAX));
    trace_span_list_clear(&list);
}
END_TEST

START_TEST(an_empty_list_has_no_time)
{
    const struct trace_span_list list = {0};
    int64_t from_ns = INT64_MIN, until_ns = INT64_MAX;
    ck_assert(!trace_span_list_contains(&list, 0, &from_ns, &until_ns));
    ck_assert_int_eq(until_ns, INT64_MAX);
    ck_assert_int_eq(trace_span_list_overlap(&list, INT64_MIN, INT64_MAX), 0);
    ck_assert(!trace_span_list_covers(&list, 0, 0));
}
END_TEST

START_TEST(a_copy_is_a_list_of_its_own)
{
    struct trace_span_list list = make_list(), copy;
    ck_assert(trace_span_list_copy(&list, &copy));
    trace_span_list_clear(&list);
    ck_assert_uint_eq(copy.count, 2);
    ck_assert_int_eq(trace_span_list_overlap(&copy, 0, 100), 30);
    trace_span_list_clear(&copy);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("span list");
    TCase *cases = tcase_create("span list");
    tcase_add_test(cases, adjoining_spans_are_one_and_empty_ones_none);
    tcase_add_test(cases, a_time_lies_in_a_span_from_its_begin_on_and_before_its_end);
    tcase_add_test(cases, the_overlap_is_what_lies_in_all_spans_together);
    tcase_add_test(cases, a_span_covers_what_is_all_in_it);
    tcase_add_test(cases, all_time_has_no_edge);
    tcase_add_test(cases, an_empty_list_has_no_time);
    tcase_add_test(cases, a_copy_is_a_list_of_its_own);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
