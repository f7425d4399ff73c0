/* Which clock a recording takes: by the environment, by the configuration, and as the machine
 * allows. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <time.h>

#include "clock_choice.h"
#include "clock_contract.h"
#include "fake_counter.h"
#include "recorder_fixture.h"
#include "vdso_clock.h"

/* The source of the clock that a recording takes, and whether it tells that another was refused.
 * The fact is compared with `fault`, NULL: there is none. */
static uint32_t source_with(const char *word, uint32_t clock, const char *fault, bool *is_refused)
{
    struct ludus_recorder_config config = fixture_config("choice.lcap");
    struct ludus_recorder_result result;
    config.clock = clock;
    if (word != NULL)
        ck_assert_int_eq(setenv("LUDUS_CLOCK", word, 1), 0);
    fixture_start(&config);
    unsetenv("LUDUS_CLOCK");
    LUDUS_PROFILE_MARK(here);
    struct summary *summary = fixture_stop_and_read(&result);
    const uint32_t source = summary->clock.source;
    *is_refused = summary_diagnostic(summary, LCAP_DIAGNOSTIC_CLOCK_REFUSED) != NULL;
    ck_assert_pstr_eq(summary_fact(summary, "recorder.clock_refused"), fault);
    summary_free(summary);
    ck_assert_int_eq(remove(result.path), 0);
    return source;
}

START_TEST(the_environment_decides_before_the_configuration)
{
    static const struct {
        const char *word;
        uint32_t configured, source;
    } rows[] = {
        {NULL, LUDUS_CLOCK_AUTO, LCAP_CLOCK_TSC},
        {NULL, LUDUS_CLOCK_MONOTONIC, LCAP_CLOCK_MONOTONIC},
        {NULL, LUDUS_CLOCK_COUNTER, LCAP_CLOCK_TSC},
        {"", LUDUS_CLOCK_MONOTONIC, LCAP_CLOCK_MONOTONIC},
        {"auto", LUDUS_CLOCK_MONOTONIC, LCAP_CLOCK_TSC},
        {"monotonic", LUDUS_CLOCK_COUNTER, LCAP_CLOCK_MONOTONIC},
        {"tsc", LUDUS_CLOCK_MONOTONIC, LCAP_CLOCK_TSC},
        {"counter", LUDUS_CLOCK_MONOTONIC, LCAP_CLOCK_TSC},
    };
    bool is_refused;
    fake_counter_reset(1000000);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert_uint_eq(source_with(rows[i].word, rows[i].configured, NULL, &is_refused),
                          rows[i].source);
        ck_assert(!is_refused);
    }
}
END_TEST

START_TEST(a_word_that_is_no_clock_is_an_error)
{
    struct ludus_recorder_config config = fixture_config("word.lcap");
    struct ludus_error error;
    ck_assert_int_eq(setenv("LUDUS_CLOCK", "hpet", 1), 0);
    ck_assert_int_eq(ludus_recorder_start(&config, &error), LUDUS_ERROR_ARGUMENT);
    unsetenv("LUDUS_CLOCK");
    ck_assert_str_eq(error.message,
                     "LUDUS_CLOCK is \"hpet\": it must be auto, monotonic, tsc or counter");
    config.clock = 3;
    ck_assert_int_eq(ludus_recorder_start(&config, &error), LUDUS_ERROR_ARGUMENT);
}
END_TEST

START_TEST(a_counter_that_steps_back_between_cores_is_refused)
{
    bool is_refused;
    fake_counter_reset(UINT64_C(1) << 40);
    fake_counter_stumble(true);
    ck_assert_uint_eq(source_with(NULL, LUDUS_CLOCK_COUNTER, "stepped-back", &is_refused),
                      LCAP_CLOCK_MONOTONIC);
    ck_assert(is_refused);
    ck_assert_uint_eq(source_with(NULL, LUDUS_CLOCK_AUTO, "stepped-back", &is_refused),
                      LCAP_CLOCK_MONOTONIC);
    ck_assert(!is_refused); /* it was not asked for */
    ck_assert_uint_eq(source_with(NULL, LUDUS_CLOCK_MONOTONIC, NULL, &is_refused),
                      LCAP_CLOCK_MONOTONIC);
    fake_counter_stumble(false);
}
END_TEST

/* A counter without a fault. */
static const struct ludus_counter_look fit = {.is_known = true,
                                              .is_invariant = true,
                                              .is_allowed = true,
                                              .is_tried = true,
                                              .kernel_source = "tsc",
                                              .is_trusted = true,
                                              .kernel_reading_ns = 20,
                                              .cores = 8,
                                              .asked = 7};

static void check_verdict(const struct ludus_counter_look *look, const char *name,
                          const char *reason)
{
    char text[LUDUS_CLOCK_REASON_BYTES];
    const enum ludus_counter_verdict verdict = ludus_counter_judge(look, text, sizeof text);
    ck_assert_str_eq(text, reason);
    ck_assert_pstr_eq(ludus_counter_fault_name(verdict), name);
    ck_assert_int_eq(verdict == LUDUS_COUNTER_FIT, look == &fit);
}

START_TEST(each_fault_of_a_counter_has_a_name_and_a_reason)
{
    struct ludus_counter_look look = fit;
    check_verdict(&fit, NULL,
                  "invariant; the kernel's clock source is tsc; it never stepped back on 7 of 8 "
                  "cores");
    look.has_gone_back = true;
    check_verdict(&look, "stepped-back", "the counter stepped back between cores");
    look.asked = 0;
    check_verdict(&look, "not-compared", "no core came to compare the counter in time");
    look.kernel_reading_ns = 300;
    check_verdict(&look, "kernel-call",
                  "the kernel's clock source is tsc, and takes a system call to be read");
    look.is_trusted = false;
    snprintf(look.kernel_source, sizeof look.kernel_source, "hpet");
    check_verdict(&look, "kernel-source", "the kernel's clock source is hpet");
    look.kernel_source[0] = '\0';
    check_verdict(&look, "kernel-source", "the kernel's clock source is not known");
    look.is_tried = false;
    check_verdict(&look, NULL, ""); /* nothing is against trying it */
    look.is_allowed = false;
    check_verdict(&look, "forbidden", "the process may not read the counter");
    look.is_invariant = false;
    check_verdict(&look, "not-invariant", "the counter is not invariant");
    look.is_known = false;
    check_verdict(&look, NULL, "no counter is known of this processor");
}
END_TEST

static uint64_t nanoseconds(const struct timespec *time)
{
    return (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec;
}

START_TEST(the_kernels_own_function_reads_the_same_clock)
{
    ludus_clock_gettime_fn *read = ludus_vdso_clock_gettime();
    struct timespec before, between, after;
#if defined(__x86_64__) || defined(__aarch64__)
    if (getauxval(AT_SYSINFO_EHDR) != 0)
        ck_assert_msg(read != NULL, "a kernel that has such a function is expected to name it");
#endif
    for (int i = 0; i < 1000 && read != NULL; i++) {
        ck_assert_int_eq(clock_gettime(CLOCK_MONOTONIC, &before), 0);
        ck_assert_int_eq(read(CLOCK_MONOTONIC, &between), 0);
        ck_assert_int_eq(clock_gettime(CLOCK_MONOTONIC, &after), 0);
        ck_assert_uint_le(nanoseconds(&before), nanoseconds(&between));
        ck_assert_uint_le(nanoseconds(&between), nanoseconds(&after));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("clock choice");
    TCase *cases = tcase_create("clock choice");
    tcase_add_checked_fixture(cases, fixture_setup, fixture_teardown);
    tcase_add_test(cases, the_environment_decides_before_the_configuration);
    tcase_add_test(cases, a_word_that_is_no_clock_is_an_error);
    tcase_add_test(cases, a_counter_that_steps_back_between_cores_is_refused);
    tcase_add_test(cases, each_fault_of_a_counter_has_a_name_and_a_reason);
    tcase_add_test(cases, the_kernels_own_function_reads_the_same_clock);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
