/* Captures of hitches that are stamped with a counter: whatever that did before and within them,
 * times after analysis are those of CLOCK_MONOTONIC. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "fake_counter.h"
#include "hitch_fixture.h"
#include "slice_collector.h"

#define TICKS_PER_MS (INT64_C(1000) * FAKE_TICKS_PER_US)
#define TICKS_PER_S  (INT64_C(1000) * TICKS_PER_MS)

static struct hitch_ledger ledger;

static void setup(void)
{
    fixture_setup();
    LUDUS_PROFILE_THREAD("main");
    hitch_ledger_init(&ledger, "main", 10000);
}

static void teardown(void)
{
    hitch_ledger_free(&ledger);
    fixture_teardown();
}

static void begin(const char *name, uint64_t tick)
{
    struct ludus_recorder_config config = hitch_config(name);
    config.clock = LUDUS_CLOCK_COUNTER;
    config.hitch.after_ms = 1;
    fake_counter_reset(tick);
    fixture_start(&config);
}

static void emit(size_t count)
{
    for (size_t i = 0; i < count; i++) {
        ck_assert(hitch_ledger_emit(&ledger));
        if (i % 10 == 0)
            fixture_sleep_ms(1);
    }
}

static bool is_step(const struct trace_model *model, const struct trace_slice *slice)
{
    const struct trace_text *text = &model->sites[model->paths[slice->path].site].name;
    return text->size == 11 && memcmp(text->data, "ledger step", 11) == 0;
}

/* The first `known` steps are slices of the capture and begin and end when they did. Where zero is
 * on CLOCK_MONOTONIC is not in the model: it must be one time for all of them. Returns how many
 * steps there are. */
static size_t check_times(const char *path, size_t known)
{
    struct ludus_error error = {0};
    struct trace_capture *capture;
    struct slice_collector shown = {0};
    int64_t zero_from = INT64_MIN;
    int64_t zero_to = INT64_MAX;
    size_t found = 0;
    const enum ludus_status status = trace_capture_open(path, &capture, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    slice_collector_run(&shown, capture);
    for (size_t i = 0; i < shown.slice_count; i++) {
        const struct trace_slice *slice = &shown.slices[i];
        if (!is_step(trace_capture_model(capture), slice))
            continue;
        ck_assert_uint_lt(found, ledger.count);
        const struct hitch_step *step = &ledger.steps[found++];
        const int64_t from = (int64_t)step->before - slice->begin_ns;
        const int64_t to = (int64_t)step->after - slice->begin_ns - slice->duration_ns;
        ck_assert_int_ge(slice->duration_ns, 0);
        zero_from = from > zero_from ? from : zero_from;
        zero_to = to < zero_to ? to : zero_to;
    }
    ck_assert_uint_ge(found, known);
    ck_assert_int_le(zero_from, zero_to + 20000);
    slice_collector_clear(&shown);
    trace_capture_close(capture);
    return found;
}

static void finish(size_t captures, const size_t known[])
{
    static struct hitch_files files;
    const struct ludus_recorder_result result = fixture_stop();
    ck_assert_uint_eq(result.captures, captures);
    hitch_find_files(&files);
    ck_assert_uint_eq(files.count, captures);
    for (size_t i = 0; i < captures; i++)
        check_times(files.paths[i], known[i]);
}

START_TEST(a_counter_wherever_it_stands_gives_the_times_of_the_host)
{
    static const uint64_t starts[] = {1000, (UINT64_C(1) << 53) - 48000000,
                                      (UINT64_C(1) << 63) - 48000000};
    begin("good.lcap", starts[_i]);
    emit(200);
    hitch_trigger("1");
    hitch_await_captures(1);
    emit(100);
    hitch_trigger("2");
    finish(2, (const size_t[]){200, 300});
    struct summary *summary = hitch_read(0);
    ck_assert_uint_eq(summary->clock.clock, 1);
    ck_assert_uint_ge(summary->triggers[0].tick, starts[_i]);
    summary_free(summary);
}
END_TEST

/* Captures from before the jump, across it and behind it each have the clocks that they need. */
START_TEST(a_jump_before_and_within_a_capture_leaves_times_as_they_were)
{
    static const int64_t jumps[] = {3600 * TICKS_PER_S, -5 * TICKS_PER_S};
    begin("jump.lcap", UINT64_C(1) << 50);
    fixture_sleep_ms(120); /* it has a rate by then */
    emit(100);
    hitch_trigger("1");
    hitch_await_captures(1);
    fake_counter_jump(jumps[_i]);
    emit(100);
    hitch_trigger("2");
    hitch_await_captures(2);
    emit(100);
    hitch_trigger("3"); /* open during the next one */
    hitch_await_captures(3);
    fake_counter_jump(jumps[_i]);
    emit(100);
    hitch_trigger("4");
    finish(4, (const size_t[]){100, 200, 300, 400});
    struct summary *summary = hitch_read(3);
    ck_assert_ptr_nonnull(summary_diagnostic(summary, LCAP_DIAGNOSTIC_CLOCK_JUMPED));
    ck_assert_uint_ge(summary->clock.clock, 2);
    summary_free(summary);
}
END_TEST

START_TEST(a_jump_while_a_capture_is_open_is_in_it)
{
    struct ludus_recorder_config config = hitch_config("within.lcap");
    config.clock = LUDUS_CLOCK_COUNTER;
    fake_counter_reset(UINT64_C(1) << 50);
    fixture_start(&config);
    fixture_sleep_ms(120);
    emit(100);
    hitch_trigger("open");
    hitch_await_file();
    fake_counter_jump(10 * TICKS_PER_S);
    emit(100);
    finish(1, (const size_t[]){200});
    struct summary *summary = hitch_read(0);
    ck_assert_ptr_nonnull(summary_diagnostic(summary, LCAP_DIAGNOSTIC_CLOCK_JUMPED));
    summary_free(summary);
}
END_TEST

/* Frames are as long as they were, and not as long as a jump. */
START_TEST(a_jump_triggers_nothing)
{
    struct ludus_recorder_config config = hitch_config("frames.lcap");
    config.clock = LUDUS_CLOCK_COUNTER;
    config.hitch.frame_limit_us = 2000000;
    fake_counter_reset(UINT64_C(1) << 50);
    fixture_start(&config);
    fixture_sleep_ms(120);
    uint64_t longest_ns = 0;
    uint64_t last_ns = fixture_now_ns();
    for (int i = 0; i < 20; i++) {
        LUDUS_PROFILE_FRAME();
        const uint64_t now_ns = fixture_now_ns();
        longest_ns = now_ns - last_ns > longest_ns ? now_ns - last_ns : longest_ns;
        last_ns = now_ns;
        fixture_sleep_ms(2);
        if (i == 10)
            fake_counter_jump(100 * TICKS_PER_S);
    }
    const struct ludus_recorder_result result = fixture_stop();
    if (longest_ns < UINT64_C(1900000000)) /* as on any machine that is not stuck */
        ck_assert_uint_eq(result.captures, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hitch clock");
    TCase *cases = tcase_create("hitch clock");
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_loop_test(cases, a_counter_wherever_it_stands_gives_the_times_of_the_host, 0, 3);
    tcase_add_loop_test(cases, a_jump_before_and_within_a_capture_leaves_times_as_they_were, 0, 2);
    tcase_add_test(cases, a_jump_while_a_capture_is_open_is_in_it);
    tcase_add_test(cases, a_jump_triggers_nothing);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
