/* Captures of hitches that cannot be written, and settings that are refused: the recording goes on,
 * what failed is counted, and the message says what to do. */
#include <check.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hitch_fixture.h"
#include "write_gate.h"

static struct hitch_ledger ledger;

static void setup(void)
{
    fixture_setup();
    LUDUS_PROFILE_THREAD("main");
    hitch_ledger_init(&ledger, "main", 10000);
}

static void teardown(void)
{
    unsetenv("LUDUS_HITCH");
    unsetenv("LUDUS_CAPTURE");
    hitch_ledger_free(&ledger);
    fixture_teardown();
}

static void emit(size_t count)
{
    for (size_t i = 0; i < count; i++)
        ck_assert(hitch_ledger_emit(&ledger));
}

/* A recording during which captures failed. */
static struct ludus_recorder_result stop_failed(const char *word)
{
    struct ludus_recorder_result result;
    struct ludus_error error;
    ck_assert_int_eq(ludus_recorder_stop(&result, &error), LUDUS_ERROR_WRITE);
    ck_assert_int_eq(error.status, LUDUS_ERROR_WRITE);
    ck_assert_msg(strstr(error.message, word) != NULL, "\"%s\" lacks \"%s\"", error.message, word);
    ck_assert_int_eq(ludus_recorder_state(), LUDUS_RECORDER_IDLE);
    /* Nothing is kept: there is nothing to retry. */
    ck_assert_int_eq(ludus_recorder_retry(fixture_path("retry.lcap"), NULL, NULL),
                     LUDUS_ERROR_STATE);
    return result;
}

/* --- files that cannot be written ------------------------------------------------------------ */

/* A later trigger, once the folder is there again, is captured with all that came before. */
START_TEST(a_folder_that_is_gone_costs_the_captures_of_its_absence)
{
    struct ludus_recorder_config config = hitch_config("sub/gone.lcap");
    static struct hitch_files files;
    const char *folder = fixture_path("sub");
    config.hitch.after_ms = 1;
    ck_assert_int_eq(mkdir(folder, 0700), 0);
    fixture_start(&config);
    emit(100);
    ck_assert_int_eq(rmdir(folder), 0);
    if (_i == 1) { /* a file where the folder was */
        FILE *file = fopen(folder, "w");
        ck_assert_ptr_nonnull(file);
        fclose(file);
    }
    hitch_trigger("while it is gone");
    /* The failure leaves nothing to look for: the next recording's trigger is the proof. */
    const struct ludus_recorder_result first = stop_failed(_i == 1 ? "sub/gone" : "folder");
    ck_assert_uint_eq(first.captures, 0);
    ck_assert_uint_eq(first.captures_failed, 1);
    ck_assert_uint_eq(first.triggers_missed, 1);
    ck_assert_uint_eq(first.recorded.scopes, 100);
    unlink(folder);
    config.path = fixture_path("back.lcap");
    fixture_start(&config);
    ledger.count = 0;
    emit(100);
    hitch_trigger("again");
    const struct ludus_recorder_result second = fixture_stop();
    ck_assert_uint_eq(second.captures, 1);
    ck_assert_uint_eq(second.captures_failed, 0);
    hitch_find_files(&files);
    ck_assert_uint_eq(files.count, 1);
    summary_free(hitch_read(0));
}
END_TEST

START_TEST(a_full_disk_costs_one_capture_and_a_later_one_is_whole)
{
    struct ludus_recorder_config config = hitch_config("full.lcap");
    static struct hitch_files files;
    struct summary *summary;
    config.hitch.after_ms = 1;
    fixture_start(&config);
    emit(100);
    write_gate_fail((unsigned)_i);
    hitch_trigger("on a full disk");
    for (int waits = 0; !write_gate_has_failed(); waits++) {
        fixture_sleep_ms(1);
        ck_assert_int_lt(waits, 60000);
    }
    emit(100);
    hitch_find_files(&files);
    char partial[600] = ""; /* of what holds nothing there is no file */
    if (_i > 1)
        memcpy(partial, files.paths[0], sizeof partial);
    hitch_trigger("with room again");
    const struct ludus_recorder_result result = stop_failed("cannot be written");
    ck_assert_uint_eq(result.captures, 1);
    ck_assert_uint_eq(result.captures_failed, 1);
    ck_assert_uint_le(result.triggers_missed, 1);
    ck_assert_uint_eq(result.recorded.scopes, 200);
    ck_assert_int_eq(unlink(partial), _i > 1 ? 0 : -1);
    summary = hitch_read(0);
    ck_assert_ptr_nonnull(hitch_trigger_of(summary, "with room again"));
    ck_assert_uint_eq(hitch_ledger_check(&ledger, summary), 200);
    ck_assert_str_eq(result.path, fixture_path(strrchr(result.path, '/') + 1));
    summary_free(summary);
}
END_TEST

/* Whatever the recorder was about to write: as many failures as a capture has writes. */
START_TEST(any_failed_write_is_counted_and_the_next_recording_works)
{
    unsigned number = 1;
    bool has_failed = true;
    for (; has_failed && number < 100; number++) {
        struct ludus_recorder_config config = hitch_config("any.lcap");
        struct ludus_recorder_result result;
        static struct hitch_files files;
        fixture_start(&config);
        ledger.count = 0;
        emit(10);
        LUDUS_PROFILE_FRAME();
        write_gate_fail(number);
        hitch_trigger("any");
        const enum ludus_status status = ludus_recorder_stop(&result, NULL);
        has_failed = write_gate_has_failed();
        write_gate_fail(0);
        ck_assert_int_eq(status, has_failed ? LUDUS_ERROR_WRITE : LUDUS_OK);
        ck_assert_uint_eq(result.captures, !has_failed);
        ck_assert_uint_eq(result.captures_failed, has_failed);
        ck_assert_uint_eq(result.triggers_missed, has_failed);
        ck_assert_uint_eq(result.recorded.scopes, 10);
        hitch_find_files(&files);
        ck_assert_uint_eq(files.count, number > 1); /* of what holds nothing there is no file */
        if (files.count != 0)
            unlink(files.paths[0]);
    }
    ck_assert_uint_gt(number, 8);
    ck_assert(!has_failed);
}
END_TEST

/* As many captures as there may be count by their files: a full disk is not the end of them. */
START_TEST(captures_of_which_nothing_could_be_written_leave_room_for_others)
{
    struct ludus_recorder_config config = hitch_config("room.lcap");
    config.hitch.after_ms = 1;
    config.hitch.max_captures = 1;
    fixture_start(&config);
    emit(100);
    for (int i = 0; i < 3; i++) {
        write_gate_fail(1);
        hitch_trigger("on a full disk");
        for (int waits = 0; !write_gate_has_failed(); waits++) {
            fixture_sleep_ms(1);
            ck_assert_int_lt(waits, 60000);
        }
    }
    hitch_trigger("with room again");
    const struct ludus_recorder_result result = stop_failed("cannot be written");
    ck_assert_uint_eq(result.captures, 1);
    ck_assert_uint_eq(result.captures_failed, 3);
    ck_assert_uint_eq(result.triggers_missed, 3);
    struct summary *summary = hitch_read(0);
    ck_assert_ptr_nonnull(hitch_trigger_of(summary, "with room again"));
    summary_free(summary);
}
END_TEST

/* --- settings -------------------------------------------------------------------------------- */

static void expect_refusal(const struct ludus_recorder_config *config, enum ludus_status status,
                           const char *word)
{
    struct ludus_error error;
    ck_assert_int_eq(ludus_recorder_start(config, &error), status);
    ck_assert_msg(strstr(error.message, word) != NULL, "\"%s\" lacks \"%s\"", error.message, word);
    ck_assert_int_eq(ludus_recorder_state(), LUDUS_RECORDER_IDLE);
}

START_TEST(settings_out_of_range_are_refused_by_name)
{
    static char long_text[1200];
    struct ludus_recorder_config config = hitch_config("range.lcap");
    memset(long_text, 'd', sizeof long_text - 1);
    config.retention = 2;
    expect_refusal(&config, LUDUS_ERROR_ARGUMENT, "retention");
    config = hitch_config("range.lcap");
    config.hitch.before_ms = 3600001;
    expect_refusal(&config, LUDUS_ERROR_ARGUMENT, "hitch.before_ms");
    config = hitch_config("range.lcap");
    config.hitch.after_ms = 3600001;
    expect_refusal(&config, LUDUS_ERROR_ARGUMENT, "hitch.after_ms");
    config = hitch_config("range.lcap");
    config.hitch.frame_domain = long_text + sizeof long_text - 1 - 128;
    expect_refusal(&config, LUDUS_ERROR_ARGUMENT, "hitch.frame_domain");
    config.hitch.frame_domain++;
    fixture_start(&config);
    (void)fixture_stop();
    config = hitch_config("range.lcap");
    config.path = long_text;
    expect_refusal(&config, LUDUS_ERROR_ARGUMENT, "path");
    config.path = NULL;
    expect_refusal(&config, LUDUS_ERROR_ARGUMENT, "path");
    config.path = fixture_path("missing/range.lcap");
    expect_refusal(&config, LUDUS_ERROR_WRITE, "missing");
}
END_TEST

/* What a path is with time, reason and process id in it is looked at when that can still be told.
 */
START_TEST(a_path_that_no_capture_could_have_is_refused_at_start)
{
    char path[1024] = "";
    char folder[64];
    struct ludus_recorder_config config = hitch_config("");
    expect_refusal(&config, LUDUS_ERROR_ARGUMENT, "folder");
    for (int i = 0; i < 300; i++) /* short until the process id is in it */
        strcat(path, "/%p");
    config.path = path;
    expect_refusal(&config, LUDUS_ERROR_ARGUMENT, "longer than 927 bytes");
    memset(path, 'n', 160);
    path[160] = '\0';
    config.path = fixture_path(path);
    expect_refusal(&config, LUDUS_ERROR_ARGUMENT, "longer than 159 bytes");
    config.path = fixture_path("%p-missing/game.lcap");
    snprintf(folder, sizeof folder, "/%ld-missing: ", (long)getpid());
    expect_refusal(&config, LUDUS_ERROR_WRITE, folder);
    path[159] = '\0';
    config.path = fixture_path(path);
    fixture_start(&config);
    hitch_trigger("a reason that is longer than what of it may be in a file's name");
    (void)fixture_stop();
}
END_TEST

START_TEST(a_window_that_does_not_fit_is_refused_with_what_does)
{
    static const uint64_t too_large[] = {UINT64_MAX, UINT64_MAX - 4096, UINT64_C(1) << 40,
                                         (8u << 20) + 1, 8u << 20};
    struct ludus_recorder_config config = hitch_config("window.lcap");
    struct ludus_error error;
    for (size_t i = 0; i < sizeof too_large / sizeof *too_large; i++) {
        config.hitch.window_bytes = too_large[i];
        expect_refusal(&config, LUDUS_ERROR_ARGUMENT, "hitch.window_bytes");
    }
    config.hitch.window_bytes = 1;
    ck_assert_int_eq(ludus_recorder_start(&config, &error), LUDUS_ERROR_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.message, "hitch.window_bytes is 1: it must be at least "));
    config.hitch.window_bytes = strtoull(strstr(error.message, "at least ") + 9, NULL, 10);
    fixture_start(&config);
    emit(5000);
    hitch_trigger("small");
    struct summary *summary = hitch_stop_and_read();
    hitch_ledger_check(&ledger, summary);
    summary_free(summary);
    config.hitch.window_bytes--;
    expect_refusal(&config, LUDUS_ERROR_ARGUMENT, "hitch.window_bytes");
}
END_TEST

START_TEST(the_smallest_budget_has_no_room_for_a_window_and_says_so)
{
    struct ludus_recorder_config config = ludus_recorder_config_default();
    config.path = fixture_path("least.lcap");
    config.memory_bytes = 1 << 20;
    config.retention = LUDUS_RETAIN_HITCHES;
    expect_refusal(&config, LUDUS_ERROR_ARGUMENT, "memory_bytes");
    expect_refusal(&config, LUDUS_ERROR_ARGUMENT, "at least 1");
}
END_TEST

START_TEST(any_budget_has_room_for_a_window_when_no_other_limit_is_set)
{
    static const unsigned budgets_mib[] = {2, 3, 4, 6, 8, 16};
    struct ludus_recorder_config config = ludus_recorder_config_default();
    char name[32];
    snprintf(name, sizeof name, "budget%u.lcap", budgets_mib[_i]);
    config.path = fixture_path(name);
    config.memory_bytes = (uint64_t)budgets_mib[_i] << 20;
    config.retention = LUDUS_RETAIN_HITCHES;
    config.clock = LUDUS_CLOCK_MONOTONIC;
    fixture_start(&config);
    emit(1000);
    hitch_trigger("fits");
    const struct ludus_recorder_result result = fixture_stop();
    ck_assert_uint_le(result.memory_bytes, config.memory_bytes);
    ck_assert_uint_eq(result.captures, 1);
    struct summary *summary = hitch_read(0);
    ck_assert_str_eq(summary_fact(summary, "recorder.hitch_before_ms"), "5000");
    ck_assert_str_eq(summary_fact(summary, "recorder.hitch_after_ms"), "1000");
    hitch_ledger_check(&ledger, summary);
    summary_free(summary);
}
END_TEST

/* --- LUDUS_HITCH ----------------------------------------------------------------------------- */

START_TEST(the_environment_has_hitches_kept)
{
    static const struct {
        const char *given, *limit_us;
    } cases[] = {{"33ms", "33000"},  {"16.6ms", "16600"}, {"2s", "2000000"},
                 {"0.5s", "500000"}, {"250us", "250"},    {"1.ms", "1000"},
                 {".5ms", "500"},    {"1us", "1"},        {"4294s", "4294000000"}};
    struct ludus_recorder_config config = fixture_config("environment.lcap");
    config.clock = LUDUS_CLOCK_MONOTONIC;
    setenv("LUDUS_HITCH", cases[_i].given, 1);
    (void)setlocale(LC_ALL, "de_DE.UTF-8"); /* where there is one, it has a decimal comma */
    fixture_start(&config);
    emit(10);
    hitch_trigger("by hand");
    const struct ludus_recorder_result result = fixture_stop();
    (void)setlocale(LC_ALL, "C");
    ck_assert_uint_eq(result.captures, 1);
    struct summary *summary = hitch_read(0);
    ck_assert_str_eq(summary_fact(summary, "recorder.hitch_frame_limit_us"), cases[_i].limit_us);
    summary_free(summary);
}
END_TEST

START_TEST(a_time_that_is_none_is_refused)
{
    static const char *const cases[] = {"0ms",
                                        "0",
                                        "33",
                                        "1e3ms",
                                        "-5ms",
                                        "33 ms",
                                        "ms",
                                        ".",
                                        "1,5ms",
                                        " 5ms",
                                        "5msx",
                                        "5min",
                                        "nan",
                                        "inf",
                                        "0x10ms",
                                        "1.2.3ms",
                                        "4295s",
                                        "0.4us",
                                        "99999999999999999999999999999999999999999s"};
    const struct ludus_recorder_config config = fixture_config("refused.lcap");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setenv("LUDUS_HITCH", cases[i], 1);
        expect_refusal(&config, LUDUS_ERROR_ARGUMENT, "LUDUS_HITCH");
    }
    ck_assert_int_eq(access(config.path, F_OK), -1);
    setenv("LUDUS_HITCH", "", 1);
    fixture_start(&config);
    ck_assert_int_eq(access(config.path, F_OK), 0);
    (void)fixture_stop();
}
END_TEST

START_TEST(a_program_that_records_by_its_environment_keeps_hitches_by_it)
{
    struct ludus_recorder_result result;
    setenv("LUDUS_CAPTURE", fixture_path("both.lcap"), 1);
    setenv("LUDUS_HITCH", "1us", 1);
    ck_assert_int_eq(ludus_recorder_start_from_env(), LUDUS_OK);
    for (int i = 0; i < 3; i++) {
        LUDUS_PROFILE_FRAME();
        fixture_sleep_ms(1);
    }
    ck_assert_int_eq(ludus_recorder_stop(&result, NULL), LUDUS_OK);
    ck_assert_uint_ge(result.captures, 1);
    struct summary *summary = hitch_read(0);
    ck_assert_uint_eq(summary->triggers[0].cause, LCAP_TRIGGER_FRAME);
    summary_free(summary);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hitch failures");
    TCase *cases = tcase_create("hitch failures");
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_loop_test(cases, a_folder_that_is_gone_costs_the_captures_of_its_absence, 0, 2);
    tcase_add_loop_test(cases, a_full_disk_costs_one_capture_and_a_later_one_is_whole, 1, 9);
    tcase_add_test(cases, any_failed_write_is_counted_and_the_next_recording_works);
    tcase_add_test(cases, captures_of_which_nothing_could_be_written_leave_room_for_others);
    tcase_add_test(cases, settings_out_of_range_are_refused_by_name);
    tcase_add_test(cases, a_path_that_no_capture_could_have_is_refused_at_start);
    tcase_add_test(cases, a_window_that_does_not_fit_is_refused_with_what_does);
    tcase_add_test(cases, the_smallest_budget_has_no_room_for_a_window_and_says_so);
    tcase_add_loop_test(cases, any_budget_has_room_for_a_window_when_no_other_limit_is_set, 0, 6);
    tcase_add_loop_test(cases, the_environment_has_hitches_kept, 0, 9);
    tcase_add_test(cases, a_time_that_is_none_is_refused);
    tcase_add_test(cases, a_program_that_records_by_its_environment_keeps_hitches_by_it);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
