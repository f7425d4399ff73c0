/* Unions of random intervals against a map of every moment, with room for few of them. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "random_stream.h"
#include "time_union.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define SEEDS        (400u / TEST_SHARE)
#define TIME         20000u /* everything lies before */
#define SUBJECTS     5u
#define MOST         4000u
#define LITTLE       (3 * 90 * sizeof(struct trace_interval)) /* 90 at once */

/* Intervals in the order in which each pass brings them. */
struct stream {
    struct trace_interval items[MOST];
    uint32_t count;
};

static void add(struct stream *stream, uint32_t subject, int64_t begin_ns, int64_t end_ns)
{
    begin_ns = begin_ns < 0 ? 0 : begin_ns;
    end_ns = end_ns > (int64_t)TIME ? (int64_t)TIME : end_ns;
    if (stream->count < MOST)
        stream->items[stream->count++] = (struct trace_interval){begin_ns, end_ns, subject};
}

/* About in the order of time, as far as `disorder` allows; a few long ones, which come when they
 * end; a few that are out of place; a few without time. */
static void make(struct random *random, struct stream *stream)
{
    static const uint32_t disorders[] = {1, 30, 400, TIME};
    uint32_t disorder = disorders[random_below(random, COUNT(disorders))];
    uint32_t longest = random_below(random, 2) == 0 ? 8 : 300;
    uint32_t step = 1 + random_below(random, 20);
    bool has_long = random_below(random, 2) == 0;
    stream->count = 0;
    for (int64_t now = 0; now < (int64_t)TIME; now += random_below(random, 2 * step + 1)) {
        uint32_t subject = random_below(random, SUBJECTS);
        int64_t begin_ns = now - (int64_t)random_below(random, disorder);
        if (has_long && random_below(random, 100) == 0)
            add(stream, subject, now - (int64_t)random_below(random, TIME), now);
        else if (random_below(random, 300) == 0)
            add(stream, subject, (int64_t)random_below(random, TIME), (int64_t)TIME);
        else
            add(stream, subject, begin_ns, begin_ns + (int64_t)random_below(random, longest));
    }
}

static void find_lengths(const struct stream *stream, int64_t lengths[SUBJECTS])
{
    static bool moments[SUBJECTS][TIME];
    memset(moments, 0, sizeof moments);
    memset(lengths, 0, SUBJECTS * sizeof *lengths);
    for (uint32_t i = 0; i < stream->count; i++)
        for (int64_t ns = stream->items[i].begin_ns; ns < stream->items[i].end_ns; ns++)
            moments[stream->items[i].subject][ns] = true;
    for (uint32_t subject = 0; subject < SUBJECTS; subject++)
        for (uint32_t ns = 0; ns < TIME; ns++)
            lengths[subject] += moments[subject][ns];
}

static bool pass(struct trace_time_union *all, const struct stream *stream)
{
    trace_time_union_begin(all);
    for (uint32_t i = 0; i < stream->count; i++) {
        const struct trace_interval *item = &stream->items[i];
        trace_time_union_pass(all, item->begin_ns);
        trace_time_union_add(all, item->subject, item->begin_ns, item->end_ns);
    }
    return trace_time_union_end(all);
}

/* Passes until all is known, which must be right then. Returns how many it took. */
static uint32_t run(struct trace_time_union *all, const struct stream *stream)
{
    int64_t expected[SUBJECTS];
    uint32_t passes = 1;
    find_lengths(stream, expected);
    for (; !pass(all, stream); passes++)
        ck_assert_uint_lt(passes, 2 * MOST);
    for (uint32_t i = 0; i < SUBJECTS; i++)
        ck_assert_int_eq(all->length_ns[i], expected[i]);
    return passes;
}

START_TEST(lengths_are_those_of_a_map_of_moments)
{
    static const size_t budgets[] = {0, 3000, 10000, 1 << 20};
    static const uint32_t strides[] = {1, 7, 100};
    static struct stream stream;
    struct random random = {UINT64_C(0x0411) + (uint64_t)_i};
    struct trace_time_union all;
    make(&random, &stream);
    ck_assert(trace_time_union_create(
        &all, SUBJECTS,
        &(struct trace_union_limits){budgets[random_below(&random, COUNT(budgets))],
                                     strides[random_below(&random, COUNT(strides))]}));
    if (random_below(&random, 4) == 0) { /* some passes, and then all anew */
        for (uint32_t i = random_below(&random, 4); i != 0 && !pass(&all, &stream); i--)
            ;
        trace_time_union_restart(&all);
    }
    (void)run(&all, &stream);
    trace_time_union_destroy(&all);
}
END_TEST

/* One behind the other, each of them shorter than the time between two. */
static uint32_t fill(struct stream *stream, uint32_t count)
{
    stream->count = 0;
    for (uint32_t i = 0; i < count; i++)
        add(stream, i % SUBJECTS, 5 * i, 5 * i + 3);
    return count;
}

START_TEST(what_comes_in_order_takes_one_pass_in_little_memory)
{
    static struct stream stream;
    struct trace_time_union all;
    ck_assert(trace_time_union_create(&all, SUBJECTS, &(struct trace_union_limits){LITTLE, 1}));
    ck_assert_uint_lt(all.most, fill(&stream, MOST) / 40);
    ck_assert_uint_eq(run(&all, &stream), 1);
    trace_time_union_destroy(&all);
}
END_TEST

START_TEST(what_comes_late_takes_a_second_one)
{
    static struct stream stream;
    struct trace_time_union all;
    (void)fill(&stream, MOST - 1);
    add(&stream, 1, 0, TIME);
    ck_assert(trace_time_union_create(&all, SUBJECTS, &(struct trace_union_limits){LITTLE, 1}));
    ck_assert_uint_eq(run(&all, &stream), 2);
    trace_time_union_destroy(&all);
}
END_TEST

/* Backwards nothing can be added up before the end. */
START_TEST(what_does_not_fit_takes_more)
{
    static struct stream stream;
    struct trace_time_union all;
    fill(&stream, MOST);
    for (uint32_t i = 0; i < MOST / 2; i++) {
        struct trace_interval item = stream.items[i];
        stream.items[i] = stream.items[MOST - 1 - i];
        stream.items[MOST - 1 - i] = item;
    }
    ck_assert(trace_time_union_create(&all, SUBJECTS, &(struct trace_union_limits){30000, 1}));
    uint32_t passes = run(&all, &stream);
    ck_assert_uint_gt(passes, 2);
    ck_assert_uint_lt(passes, 60);
    trace_time_union_destroy(&all);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("time union");
    TCase *cases = tcase_create("time union");
    tcase_set_timeout(cases, 120);
    tcase_add_loop_test(cases, lengths_are_those_of_a_map_of_moments, 0, SEEDS);
    tcase_add_test(cases, what_comes_in_order_takes_one_pass_in_little_memory);
    tcase_add_test(cases, what_comes_late_takes_a_second_one);
    tcase_add_test(cases, what_does_not_fit_takes_more);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
