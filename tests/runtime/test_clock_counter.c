/* A recording stamped with a counter: whatever that does, times after analysis are those of
 * CLOCK_MONOTONIC, and what it did is told. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_counter.h"
#include "recorder_fixture.h"
#include "slice_collector.h"

#define TICKS_PER_MS (INT64_C(1000) * FAKE_TICKS_PER_US)
#define TICKS_PER_S  (INT64_C(1000) * TICKS_PER_MS)
#define MAX_PROBES   1024

/* A slice of a recording, and the times right before and behind each of its ends. */
struct probe {
    uint64_t before_begin_ns, after_begin_ns, before_end_ns, after_end_ns;
};

static struct {
    struct probe probes[MAX_PROBES];
    size_t count;
} sent;

static void send_probe(unsigned sleep_ms)
{
    struct probe *probe = &sent.probes[sent.count++];
    ck_assert_uint_le(sent.count, MAX_PROBES);
    probe->before_begin_ns = fixture_now_ns();
    LUDUS_PROFILE_BEGIN(probed, probed);
    probe->after_begin_ns = fixture_now_ns();
    if (sleep_ms != 0)
        fixture_sleep_ms(sleep_ms);
    probe->before_end_ns = fixture_now_ns();
    LUDUS_PROFILE_END(probed);
    probe->after_end_ns = fixture_now_ns();
}

static void send_probes(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        send_probe(i % 4 == 0);
        LUDUS_PROFILE_FRAME();
    }
}

static void begin(const char *name, uint64_t tick)
{
    struct ludus_recorder_config config = fixture_config(name);
    config.clock = LUDUS_CLOCK_COUNTER;
    fake_counter_reset(tick);
    sent.count = 0;
    fixture_start(&config);
}

/* A recording that is over, as the analyzer sees it, and as it is in the file. */
struct recording {
    struct ludus_recorder_result result;
    struct summary *summary;
    struct trace_capture *capture;
    const struct trace_model *model;
    struct slice_collector shown;
};

static void end(struct recording *recording)
{
    struct ludus_error error = {0};
    *recording = (struct recording){0};
    recording->summary = fixture_stop_and_read(&recording->result);
    const enum ludus_status status =
        trace_capture_open(recording->result.path, &recording->capture, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    slice_collector_run(&recording->shown, recording->capture);
    recording->model = trace_capture_model(recording->capture);
}

static void forget(struct recording *recording)
{
    slice_collector_clear(&recording->shown);
    trace_capture_close(recording->capture);
    summary_free(recording->summary);
}

static bool is_named(const struct recording *recording, const struct trace_slice *slice,
                     const char *name)
{
    const struct trace_model *model = recording->model;
    const struct trace_text *text = &model->sites[model->paths[slice->path].site].name;
    return text->size == strlen(name) && memcmp(text->data, name, text->size) == 0;
}

/* Every probe is there, neither earlier nor later than it can have been. What CLOCK_MONOTONIC
 * showed when the session began is not in the model: it must be one time for all of them. */
static void check_probes(const struct recording *recording, int64_t tolerance_ns)
{
    int64_t zero_from = INT64_MIN, zero_to = INT64_MAX;
    size_t found = 0;
    for (size_t i = 0; i < recording->shown.slice_count; i++) {
        const struct trace_slice *slice = &recording->shown.slices[i];
        ck_assert_int_ge(slice->duration_ns, 0);
        if (!is_named(recording, slice, "probed"))
            continue;
        const struct probe *probe = &sent.probes[found++];
        const int64_t end_ns = slice->begin_ns + slice->duration_ns;
        const int64_t from[] = {(int64_t)probe->before_begin_ns - slice->begin_ns,
                                (int64_t)probe->before_end_ns - end_ns};
        const int64_t to[] = {(int64_t)probe->after_begin_ns - slice->begin_ns,
                              (int64_t)probe->after_end_ns - end_ns};
        for (int at = 0; at < 2; at++) {
            zero_from = from[at] > zero_from ? from[at] : zero_from;
            zero_to = to[at] < zero_to ? to[at] : zero_to;
        }
    }
    ck_assert_uint_eq(found, sent.count);
    ck_assert_int_le(zero_from, zero_to + tolerance_ns);
}

static const struct lcap_diagnostic *told(const struct recording *recording, uint32_t code)
{
    return summary_diagnostic(recording->summary, code);
}

/* --- good counters --------------------------------------------------------------------------- */

START_TEST(a_counter_wherever_it_stands_gives_the_times_of_the_host)
{
    const uint64_t starts[] = {1000, (UINT64_C(1) << 47) - 48000000, (UINT64_C(1) << 53) - 48000000,
                               (UINT64_C(1) << 63) - 48000000,
                               UINT64_MAX - UINT64_C(1) * 864000000000};
    const uint64_t start = starts[_i];
    struct recording recording;
    begin("good.lcap", start);
    for (int i = 0; i < 3; i++) {
        send_probes(20);
        fixture_sleep_ms(30);
    }
    end(&recording);
    check_probes(&recording, 2000);
    const struct trace_clock *clock = &recording.model->clocks[0];
    ck_assert_uint_eq(recording.model->clock_count, 1);
    ck_assert_uint_eq(clock->step, 1);
    ck_assert_uint_ge(clock->calibrations, 3); /* at start, when it had a rate, and at stop */
    ck_assert_ptr_null(told(&recording, LCAP_DIAGNOSTIC_CLOCK_JUMPED));
    ck_assert_ptr_null(told(&recording, LCAP_DIAGNOSTIC_CLOCK_STEPPED_BACK));
    ck_assert_ptr_null(told(&recording, LCAP_DIAGNOSTIC_CLOCK_REFUSED));
    forget(&recording);
}
END_TEST

/* Time goes on between 0 and where ticks are: calibrations rise all the way. */
START_TEST(a_little_drift_is_followed_and_is_nothing_to_tell)
{
    struct recording recording;
    begin("drift.lcap", 1000000);
    fixture_sleep_ms(150);
    fake_counter_drift(40);
    for (int i = 0; i < 5; i++) {
        send_probes(10);
        fixture_sleep_ms(60);
    }
    end(&recording);
    check_probes(&recording, 40000);
    ck_assert_ptr_null(told(&recording, LCAP_DIAGNOSTIC_CLOCK_JUMPED));
    forget(&recording);
}
END_TEST

START_TEST(much_drift_is_told_and_followed)
{
    struct recording recording;
    begin("drift.lcap", 1000000);
    send_probes(10);
    fixture_sleep_ms(700);
    fake_counter_drift(400);
    for (int i = 0; i < 5; i++) {
        send_probes(10);
        fixture_sleep_ms(80);
    }
    end(&recording);
    /* Off by what the two came apart in one piece, and no more: 400 us in a second. */
    check_probes(&recording, 150000);
    const struct lcap_diagnostic *diagnostic = told(&recording, LCAP_DIAGNOSTIC_CLOCK_JUMPED);
    ck_assert_ptr_nonnull(diagnostic);
    ck_assert_ptr_nonnull(strstr((const char *)diagnostic->text.data, "came apart by"));
    ck_assert_uint_eq(recording.model->clock_count, 1);
    ck_assert_int_gt(recording.model->clocks[0].max_residual_ppb, 50000);
    /* The piece in which they came apart does not begin at the last calibration that was due. */
    const struct trace_calibration *calibrations = recording.model->calibrations;
    uint32_t at = 1;
    while (at < recording.model->calibration_count && calibrations[at].tick != diagnostic->tick)
        at++;
    ck_assert_uint_lt(at, recording.model->calibration_count);
    ck_assert_int_gt(calibrations[at - 1].time_ns, 400000000);
    forget(&recording);
}
END_TEST

/* --- jumps ----------------------------------------------------------------------------------- */

/* Records across a jump, with a scope that is open all the time. */
static void record_jump(int64_t ticks, struct recording *recording)
{
    begin("jump.lcap", (uint64_t)TICKS_PER_S * 100000);
    LUDUS_PROFILE_BEGIN(outer, outer);
    const uint64_t begin_ns = fixture_now_ns();
    send_probes(100);
    fake_counter_jump(ticks);
    send_probes(100);
    const uint64_t end_ns = fixture_now_ns();
    LUDUS_PROFILE_END(outer);
    fixture_sleep_ms(120);
    end(recording);
    const struct trace_slice *outer_slice = &recording->shown.slices[0];
    ck_assert(is_named(recording, outer_slice, "outer"));
    ck_assert_int_ge(outer_slice->duration_ns, (int64_t)(end_ns - begin_ns));
    ck_assert_int_lt(outer_slice->duration_ns, (int64_t)(end_ns - begin_ns) + 20000000);
}

/* The diagnostic's text tells the jump, as well as the counter's rate is known. */
static void check_text(const struct lcap_diagnostic *diagnostic, double jump_s)
{
    const char *words = jump_s > 0 ? "jumped ahead by " : "jumped back by ";
    const char *at = strstr((const char *)diagnostic->text.data, words);
    ck_assert_ptr_nonnull(at);
    ck_assert_double_eq_tol(strtod(at + strlen(words), NULL), fabs(jump_s),
                            1e-3 + fabs(jump_s) * 1e-4);
}

static void check_jump(const struct recording *recording, double jump_s)
{
    check_probes(recording, 20000);
    const struct lcap_diagnostic *diagnostic = told(recording, LCAP_DIAGNOSTIC_CLOCK_JUMPED);
    ck_assert_ptr_nonnull(diagnostic);
    check_text(diagnostic, jump_s);
    ck_assert_uint_eq(recording->model->clock_count, 2);
    ck_assert_ptr_null(told(recording, LCAP_DIAGNOSTIC_CLOCK_STEPPED_BACK));
    const struct trace_domain *domain = &recording->model->domains[0];
    ck_assert_uint_eq(domain->frame_count, 200);
    for (uint32_t i = 1; i < domain->frame_count; i++) {
        ck_assert_int_ge(domain->frames[i].begin_ns, domain->frames[i - 1].begin_ns);
        ck_assert_int_lt(domain->frames[i].begin_ns - domain->frames[i - 1].begin_ns, 500000000);
    }
}

START_TEST(hours_of_suspend_take_no_time)
{
    struct recording recording;
    record_jump(TICKS_PER_S * 7200, &recording);
    check_jump(&recording, 7200);
    forget(&recording);
}
END_TEST

START_TEST(a_second_back_changes_no_time)
{
    struct recording recording;
    record_jump(-TICKS_PER_S, &recording);
    check_jump(&recording, -1);
    forget(&recording);
}
END_TEST

START_TEST(a_reset_to_nearly_zero_changes_no_time)
{
    struct recording recording;
    record_jump(-TICKS_PER_S * 99999, &recording);
    check_jump(&recording, -99999);
    forget(&recording);
}
END_TEST

/* Longer than a counter of ticks to jump in the file: the capture stays one that can be read. */
START_TEST(many_jumps_end_in_the_last_clock)
{
    struct recording recording;
    begin("jumps.lcap", (uint64_t)TICKS_PER_S * 100000);
    for (int i = 0; i < 80; i++) {
        send_probe(0);
        fake_counter_jump(i % 2 == 0 ? TICKS_PER_S * 50 : -TICKS_PER_S * 40);
        send_probe(0);
        fixture_sleep_ms(12);
    }
    end(&recording);
    ck_assert_uint_le(recording.model->clock_count, 64);
    ck_assert_uint_ge(recording.model->clock_count, 20); /* some came together in one check */
    size_t found = 0;
    for (size_t i = 0; i < recording.shown.slice_count; i++) {
        found += is_named(&recording, &recording.shown.slices[i], "probed");
        ck_assert_int_ge(recording.shown.slices[i].duration_ns, 0);
    }
    ck_assert_uint_eq(found, sent.count);
    ck_assert_int_lt(recording.model->end_ns, INT64_C(30000000000));
    forget(&recording);
}
END_TEST

START_TEST(steps_back_of_a_microsecond_are_raised_and_counted)
{
    struct recording recording;
    begin("small.lcap", 1000000);
    send_probe(0);
    fake_counter_forget();
    for (int i = 0; i < 200; i++) {
        LUDUS_PROFILE_BEGIN(stepping, stepping);
        fake_counter_step_back(FAKE_TICKS_PER_US);
        LUDUS_PROFILE_END(stepping);
    }
    size_t count;
    const uint64_t *ticks = fake_counter_readings(&count);
    uint64_t expected = 0, last = 0;
    ck_assert_uint_eq(count, 400);
    for (size_t i = 0; i < count; i++) {
        expected += ticks[i] < last;
        last = ticks[i] > last ? ticks[i] : last;
    }
    ck_assert_uint_ge(expected, 200);
    end(&recording);
    check_probes(&recording, 2000);
    ck_assert_uint_eq(summary_told(recording.summary, LCAP_DIAGNOSTIC_CLOCK_STEPPED_BACK),
                      expected);
    ck_assert_uint_eq(recording.model->clock_count, 1);
    forget(&recording);
}
END_TEST

static uint64_t descend(unsigned levels)
{
    if (levels == 0)
        return 0;
    LUDUS_PROFILE_SCOPE(deeper);
    return 1 + descend(levels - 1);
}

START_TEST(losses_behind_a_jump_have_the_times_of_the_host)
{
    struct recording recording;
    begin("losses.lcap", (uint64_t)TICKS_PER_S * 100000);
    send_probe(70);
    fake_counter_jump(TICKS_PER_S * 3600);
    fixture_sleep_ms(70);
    const uint64_t emitted = descend(300);
    fixture_sleep_ms(30);
    end(&recording);
    ck_assert_uint_eq(emitted, 300);
    ck_assert_uint_eq(summary_loss(recording.summary, LCAP_LOSS_TOO_DEEP).counts.scopes, 44);
    for (uint32_t i = 0; i < recording.model->loss_count; i++) {
        ck_assert_int_ge(recording.model->losses[i].begin_ns, 140000000);
        ck_assert_int_le(recording.model->losses[i].end_ns, recording.model->end_ns);
    }
    ck_assert_int_lt(recording.model->end_ns, INT64_C(30000000000));
    forget(&recording);
}
END_TEST

/* --- steps ----------------------------------------------------------------------------------- */

/* The first track's events from `first` on are all that the thread has read since it forgot. */
static void check_ticks(const struct recording *recording, size_t first)
{
    const struct summary_track *track = &recording->summary->tracks[0];
    size_t count;
    const uint64_t *ticks = fake_counter_readings(&count);
    ck_assert_uint_eq(track->count, first + count);
    for (size_t i = 0; i < count; i++)
        ck_assert_uint_eq(track->events[first + i].tick, ticks[i]);
}

START_TEST(ticks_off_the_steps_are_kept_in_another_clock)
{
    struct ludus_recorder_config config = fixture_config("step.lcap");
    struct recording recording;
    fake_counter_reset(1000000);
    fake_counter_step(21, 5);
    sent.count = 0;
    fixture_start(&config);
    LUDUS_PROFILE_BEGIN(attaching, attaching);
    LUDUS_PROFILE_END(attaching);
    fake_counter_forget();
    for (int i = 0; i < 10; i++)
        send_probe(i % 5 == 0);
    fixture_sleep_ms(30);
    fake_counter_step(21, 12); /* 7 further: steps of 7 hold both */
    for (int i = 0; i < 10; i++)
        send_probe(i % 5 == 0);
    end(&recording);
    check_probes(&recording, 5000);
    check_ticks(&recording, 2);
    ck_assert_uint_eq(recording.model->clock_count, 2);
    ck_assert_uint_eq(recording.model->clocks[0].step, 21);
    ck_assert_uint_eq(recording.model->clocks[1].step, 7);
    forget(&recording);
}
END_TEST

START_TEST(a_coarser_resolution_rounds_down_and_is_told)
{
    struct ludus_recorder_config config = fixture_config("coarse.lcap");
    struct recording recording;
    config.resolution_ns = 1000;
    fake_counter_reset(1000000);
    sent.count = 0;
    fixture_start(&config);
    for (int i = 0; i < 10; i++)
        send_probe(i % 5 == 0);
    end(&recording);
    check_probes(&recording, 3000);
    const struct trace_clock *clock = &recording.model->clocks[0];
    ck_assert_uint_eq(recording.model->clock_count, 1);
    ck_assert_uint_ge(clock->step, 2390); /* a microsecond, as well as it is measured at start */
    ck_assert_uint_le(clock->step, 2410);
    ck_assert_ptr_nonnull(strstr(clock->reason.data, "a resolution of 1000 ns was asked for"));
    const struct summary_track *track = &recording.summary->tracks[0];
    for (size_t i = 1; i < track->count; i++)
        ck_assert_uint_eq((track->events[i].tick - track->events[0].tick) % clock->step, 0);
    forget(&recording);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("clock counter");
    TCase *cases = tcase_create("clock counter");
    tcase_add_checked_fixture(cases, fixture_setup, fixture_teardown);
    tcase_add_loop_test(cases, a_counter_wherever_it_stands_gives_the_times_of_the_host, 0, 5);
    tcase_add_test(cases, a_little_drift_is_followed_and_is_nothing_to_tell);
    tcase_add_test(cases, much_drift_is_told_and_followed);
    tcase_add_test(cases, hours_of_suspend_take_no_time);
    tcase_add_test(cases, a_second_back_changes_no_time);
    tcase_add_test(cases, a_reset_to_nearly_zero_changes_no_time);
    tcase_add_test(cases, many_jumps_end_in_the_last_clock);
    tcase_add_test(cases, steps_back_of_a_microsecond_are_raised_and_counted);
    tcase_add_test(cases, losses_behind_a_jump_have_the_times_of_the_host);
    tcase_add_test(cases, ticks_off_the_steps_are_kept_in_another_clock);
    tcase_add_test(cases, a_coarser_resolution_rounds_down_and_is_told);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
