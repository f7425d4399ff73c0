/* A clock that steps back, as a broken machine's does: ticks are raised to the one before and that
 * is told, and nothing of the capture is lost. */
#include <check.h>
#include <stdlib.h>
#include <time.h>

#include "recorder_fixture.h"
#include "vdso_clock.h"

/* Its ticks are the nanoseconds that the test itself can read. */
static struct ludus_recorder_config monotonic_config(struct ludus_recorder_config config)
{
    config.clock = LUDUS_CLOCK_MONOTONIC;
    return config;
}

/* The linker's names for the recorder's own call and for what it would have called. */
int __real_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);

/* As on a machine where the kernel has none to be called directly. */
ludus_clock_gettime_fn *__wrap_ludus_vdso_clock_gettime(void);
ludus_clock_gettime_fn *__wrap_ludus_vdso_clock_gettime(void)
{
    return NULL;
}

/* By so much the clock of this thread is behind the others'. */
static _Thread_local time_t behind_s;

int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
    const int result = __real_clock_gettime(clock, time);
    if (clock == CLOCK_MONOTONIC)
        time->tv_sec -= behind_s;
    return result;
}

START_TEST(ticks_that_step_back_are_raised_and_told)
{
    struct ludus_recorder_config config = monotonic_config(fixture_config("steps.lcap"));
    struct ludus_recorder_result result;
    fixture_start(&config);
    LUDUS_PROFILE_BEGIN(outer, outer);
    behind_s = 1;
    LUDUS_PROFILE_MARK(behind);
    LUDUS_PROFILE_BEGIN(inner, inner);
    LUDUS_PROFILE_END(inner);
    LUDUS_PROFILE_FRAME();
    behind_s = 0;
    LUDUS_PROFILE_END(outer);
    /* Reading fails when a tick is before that of the event before it. */
    struct summary *summary = fixture_stop_and_read(&result);
    const struct lcap_diagnostic *told =
        summary_diagnostic(summary, LCAP_DIAGNOSTIC_CLOCK_STEPPED_BACK);
    ck_assert_ptr_nonnull(told);
    ck_assert_uint_eq(summary_told(summary, LCAP_DIAGNOSTIC_CLOCK_STEPPED_BACK), 3);
    ck_assert_uint_eq(told->track, summary->tracks[0].record.track);
    ck_assert_uint_eq(summary->tracks[0].count, 5);
    for (size_t i = 1; i <= 3; i++)
        ck_assert_uint_eq(summary->tracks[0].events[i].tick, summary->tracks[0].events[0].tick);
    ck_assert_uint_eq(result.recorded.frames, 1);
    summary_free(summary);
}
END_TEST

static uint64_t descend(unsigned levels)
{
    if (levels == 0)
        return 0;
    LUDUS_PROFILE_SCOPE(deeper);
    return 1 + descend(levels - 1);
}

START_TEST(losses_while_the_clock_steps_back_are_in_the_file)
{
    struct ludus_recorder_config config = monotonic_config(fixture_config("losses.lcap"));
    struct ludus_recorder_result result;
    uint64_t emitted = 0;
    fixture_start(&config);
    for (int i = 0; i < 5; i++) {
        emitted += descend(300);
        behind_s = (i + 1) % 3;
        fixture_sleep_ms(15); /* some losses are told together and some apart */
    }
    behind_s = 0;
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(result.recorded.scopes + result.dropped.scopes, emitted);
    ck_assert_uint_eq(summary_loss(summary, LCAP_LOSS_TOO_DEEP).counts.scopes, 5 * 44);
    summary_free(summary);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("clock steps");
    TCase *cases = tcase_create("clock steps");
    tcase_add_checked_fixture(cases, fixture_setup, fixture_teardown);
    tcase_add_test(cases, ticks_that_step_back_are_raised_and_told);
    tcase_add_test(cases, losses_while_the_clock_steps_back_are_in_the_file);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
