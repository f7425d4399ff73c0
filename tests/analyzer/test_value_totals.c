/* Counters, gauges and marks of a capture that is so small that every number was worked out by
 * hand. */
#include <check.h>
#include <math.h>
#include <string.h>

#include "input_fixture.h"
#include "lcap_layout.h"
#include "value_totals.h"

/* Sites are used as names: Frame (1), Physics (2) and Solve (3) count, Render (4) is a gauge, Mark
 * (7) a mark. Marks of frames at 100, 200, 300, 400 and 500: 0 to 3 are complete.
 *
 * Frame: a thread that tells at 150 what it counted from its first event on, 5 from 0; and so on:
 * of an increment the time before counts. */
static void count(struct capture_builder *builder, uint64_t time, uint32_t site, uint64_t value)
{
    builder_value(builder, 1, LCAP_EVENT_COUNT, START + time, site, value);
}

static void gauge(struct capture_builder *builder, uint64_t time, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    builder_value(builder, 1, LCAP_EVENT_GAUGE, START + time, 4, bits);
}

static struct capture_builder *build(void)
{
    static const uint64_t marks[] = {100, 200, 300, 400, 500};
    struct capture_builder *builder = builder_create(&golden_setup);
    builder_domain(builder, 1, "main");
    golden_add_track(builder, 1, 70, 0, 0, "main");
    golden_add_marks(builder, 1, marks, COUNT(marks));
    golden_emit(builder, 1, "!Mark 50");
    count(builder, 110, 1, 5); /* from 0 on: before the first mark */
    count(builder, 120, 2, 0); /* says from when on the next one adds up */
    gauge(builder, 130, 1.5);
    count(builder, 210, 1, 7); /* from 110 on: frame 0 */
    gauge(builder, 220, INFINITY);
    count(builder, 310, 1, 2);  /* from 210 on: frame 1 */
    count(builder, 310, 2, 40); /* from 120 on: frame 0 */
    golden_emit(builder, 1, "!Mark 320 !Mark 330");
    count(builder, 410, 1, 11); /* from 310 on: frame 2 */
    gauge(builder, 420, -2.5);
    count(builder, 420, 2, 1);   /* from 310 on: frame 2 */
    count(builder, 450, 3, 9);   /* from 0 on */
    count(builder, 520, 1, 3);   /* from 410 on: frame 3 */
    count(builder, 530, 1, 100); /* from 520 on: frame 4, which has no end */
    gauge(builder, 540, 4);
    golden_emit(builder, 1, "!Mark 550");
    builder_stop(builder, START + 600);
    builder_finish(builder);
    return builder;
}

static const char *const late[] = {"frames:2..3"};
static const struct trace_selection whole = {0};
static const struct trace_selection frames_2_to_3 = {.windows = late, .window_count = 1};

struct totals_fixture {
    struct input_fixture input;
    struct trace_value_totals totals;
};

static void open_totals(struct totals_fixture *fixture, bool is_database,
                        const struct trace_selection *selection, size_t budget_bytes)
{
    struct ludus_error error = {0};
    input_open(&fixture->input, build(), is_database, selection);
    enum ludus_status status = trace_value_totals_create(
        fixture->input.input, &fixture->input.chosen, budget_bytes, &fixture->totals, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
}

static void close_totals(struct totals_fixture *fixture)
{
    trace_value_totals_destroy(&fixture->totals);
    input_close(&fixture->input);
}

static uint32_t find(const struct trace_value_totals *totals, uint32_t site,
                     enum trace_value_kind kind)
{
    for (uint32_t i = 0; i < totals->sums.count; i++)
        if (totals->sums.subjects[i].site + 1 == site && totals->sums.subjects[i].kind == kind)
            return i;
    ck_abort_msg("site %u has no values", site);
}

static const struct trace_value_total *total_of(const struct totals_fixture *fixture, uint32_t site,
                                                enum trace_value_kind kind)
{
    return fixture->totals.sums.subjects[find(&fixture->totals, site, kind)].totals;
}

START_TEST(counters_add_up_and_say_what_is_in_no_frame)
{
    struct totals_fixture fixture;
    open_totals(&fixture, _i != 0, &whole, 1 << 20);
    const struct trace_value_total *total = total_of(&fixture, 1, TRACE_VALUE_COUNTER);
    ck_assert_int_eq(total->total, 128);
    ck_assert_int_eq(total->outside, 105);
    ck_assert_uint_eq(total->count, 6);
    ck_assert_int_eq(total_of(&fixture, 2, TRACE_VALUE_COUNTER)->total, 41);
    ck_assert_uint_eq(total_of(&fixture, 2, TRACE_VALUE_COUNTER)->count, 2);
    ck_assert_int_eq(total_of(&fixture, 3, TRACE_VALUE_COUNTER)->outside, 9);
    close_totals(&fixture);
}
END_TEST

START_TEST(gauges_leave_out_what_is_not_finite)
{
    struct totals_fixture fixture;
    open_totals(&fixture, _i != 0, &whole, 1 << 20);
    const struct trace_value_total *total = total_of(&fixture, 4, TRACE_VALUE_GAUGE);
    ck_assert_uint_eq(total->count, 4);
    ck_assert_uint_eq(total->not_finite, 1);
    ck_assert(total->last == 4 && total->least == -2.5 && total->most == 4);
    ck_assert(total->sum + total->rest == 3);
    close_totals(&fixture);
}
END_TEST

START_TEST(marks_are_counted_in_and_outside_of_frames)
{
    struct totals_fixture fixture;
    open_totals(&fixture, _i != 0, &whole, 1 << 20);
    const struct trace_value_total *total = total_of(&fixture, 7, TRACE_VALUE_MARK);
    ck_assert_uint_eq(total->count, 4);
    ck_assert_uint_eq(total->in_frames, 2);
    ck_assert_int_eq(total->first_ns, 50);
    ck_assert_int_eq(total->last_ns, 550);
    close_totals(&fixture);
}
END_TEST

START_TEST(a_window_holds_what_lies_in_it)
{
    struct totals_fixture fixture;
    open_totals(&fixture, _i != 0, &frames_2_to_3, 1 << 20);
    ck_assert_int_eq(total_of(&fixture, 1, TRACE_VALUE_COUNTER)->total, 14);
    ck_assert_int_eq(total_of(&fixture, 1, TRACE_VALUE_COUNTER)->outside, 0);
    ck_assert_int_eq(total_of(&fixture, 3, TRACE_VALUE_COUNTER)->total, 0);
    ck_assert_uint_eq(total_of(&fixture, 4, TRACE_VALUE_GAUGE)->count, 1);
    ck_assert(total_of(&fixture, 4, TRACE_VALUE_GAUGE)->last == -2.5);
    ck_assert_uint_eq(total_of(&fixture, 7, TRACE_VALUE_MARK)->count, 2);
    close_totals(&fixture);
}
END_TEST

/* Frames 0 to 3: of the first counter 7, 2, 11 and 3. */
static void check_frames(struct totals_fixture *fixture, uint32_t index)
{
    const struct trace_value_subject *subject = &fixture->totals.sums.subjects[index];
    static const int64_t expected[][4] = {{7, 2, 11, 3}, {40, 0, 1, 0}, {0, 0, 0, 0}};
    ck_assert_uint_ne(subject->row, TRACE_NONE);
    for (uint32_t i = 0; i < 4; i++)
        ck_assert_int_eq(trace_frame_matrix_value(&fixture->totals.matrix, subject->row, i),
                         expected[subject->site][i]);
    ck_assert_uint_eq(trace_frame_matrix_sort(&fixture->totals.matrix, subject->row,
                                              trace_value_frames(&fixture->totals.sums, 0)),
                      4);
}

START_TEST(frames_have_their_sums)
{
    struct totals_fixture fixture;
    open_totals(&fixture, _i != 0, &whole, 1 << 20);
    ck_assert(fixture.totals.has_all_rows);
    for (uint32_t site = 1; site <= 3; site++)
        check_frames(&fixture, find(&fixture.totals, site, TRACE_VALUE_COUNTER));
    close_totals(&fixture);
}
END_TEST

START_TEST(what_does_not_fit_takes_another_pass)
{
    struct totals_fixture fixture;
    struct ludus_error error;
    open_totals(&fixture, _i != 0, &whole, 1);
    ck_assert(!fixture.totals.has_all_rows);
    ck_assert_uint_eq(fixture.totals.matrix.subjects, 1);
    for (uint32_t site = 1; site <= 3; site++) {
        uint32_t index = find(&fixture.totals, site, TRACE_VALUE_COUNTER);
        ck_assert_int_eq(
            trace_value_totals_hold(&fixture.totals, fixture.input.input, &index, 1, &error),
            LUDUS_OK);
        check_frames(&fixture, index);
    }
    ck_assert_int_eq(total_of(&fixture, 1, TRACE_VALUE_COUNTER)->total, 128); /* once */
    close_totals(&fixture);
}
END_TEST

/* The same totals as rows of the model, which a database holds. */
START_TEST(rows_are_what_was_added_up)
{
    struct totals_fixture fixture;
    struct ludus_error error = {0};
    const struct trace_model *model;
    open_totals(&fixture, _i != 0, &whole, 1 << 20);
    fixture.input.chosen.plan.has_value_rows = true;
    ck_assert_int_eq(
        trace_input_statistics(fixture.input.input, &fixture.input.chosen.plan, &model, &error),
        LUDUS_OK);
    ck_assert_uint_eq(model->value_stats_count, 4);
    const struct trace_value_stats *rows = model->value_stats;
    ck_assert(rows[0].site == 0 && !rows[0].is_gauge && rows[0].count == 6);
    ck_assert(rows[0].total == 128 && rows[0].outside == 105 && rows[0].window == 0);
    ck_assert(rows[1].site == 1 && rows[1].total == 41 && rows[1].outside == 0);
    ck_assert(rows[2].site == 2 && rows[2].total == 9 && rows[2].outside == 9);
    ck_assert(rows[3].site == 3 && rows[3].is_gauge && rows[3].count == 4);
    ck_assert(rows[3].not_finite == 1 && rows[3].sum == 3 && rows[3].least == -2.5);
    ck_assert(rows[3].most == 4 && rows[3].last == 4);
    close_totals(&fixture);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("value totals");
    TCase *cases = tcase_create("value totals");
    tcase_add_loop_test(cases, counters_add_up_and_say_what_is_in_no_frame, 0, 2);
    tcase_add_loop_test(cases, gauges_leave_out_what_is_not_finite, 0, 2);
    tcase_add_loop_test(cases, marks_are_counted_in_and_outside_of_frames, 0, 2);
    tcase_add_loop_test(cases, a_window_holds_what_lies_in_it, 0, 2);
    tcase_add_loop_test(cases, frames_have_their_sums, 0, 2);
    tcase_add_loop_test(cases, what_does_not_fit_takes_another_pass, 0, 2);
    tcase_add_loop_test(cases, rows_are_what_was_added_up, 0, 2);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
