/* What makes a capture of a hitch, when it begins and ends, and what it is called. */
#include <check.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "hitch_fixture.h"

#define NS_PER_MS UINT64_C(1000000)

static struct hitch_ledger ledger;

/* The linker's names for the two. */
int __real_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);

static atomic_bool is_wall_clock_stopped;

int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
    if (clock != CLOCK_REALTIME || !atomic_load(&is_wall_clock_stopped))
        return __real_clock_gettime(clock, time);
    *time = (struct timespec){.tv_sec = 951827696, .tv_nsec = 789999999};
    return 0;
}

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

static void emit(size_t count)
{
    for (size_t i = 0; i < count; i++) {
        ck_assert(hitch_ledger_emit(&ledger));
        if (i % 100 == 0)
            fixture_sleep_ms(1);
    }
}

/* --- beginning and end ----------------------------------------------------------------------- */

START_TEST(a_call_keeps_what_came_before_it_and_what_comes_after)
{
    const struct ludus_recorder_config config = hitch_config("call.lcap");
    fixture_start(&config);
    emit(1000);
    const uint64_t before = fixture_now_ns();
    hitch_trigger("why");
    const uint64_t after = fixture_now_ns();
    emit(1000);
    struct summary *summary = hitch_stop_and_read();
    ck_assert_uint_eq(summary->trigger_count, 1);
    const struct lcap_trigger *trigger = hitch_trigger_of(summary, "why");
    ck_assert_ptr_nonnull(trigger);
    ck_assert_uint_eq(trigger->cause, LCAP_TRIGGER_CALL);
    ck_assert_uint_ge(trigger->tick, before);
    ck_assert_uint_le(trigger->tick, after);
    ck_assert_uint_eq(summary->window.from_tick, summary->session.start_tick);
    ck_assert_uint_eq(summary->end.reason, LCAP_END_STOPPED);
    ck_assert_uint_eq(hitch_ledger_check(&ledger, summary), 2000);
    ck_assert_str_eq(summary_fact(summary, "recorder.hitch_before_ms"), "3600000");
    summary_free(summary);
}
END_TEST

START_TEST(a_capture_is_complete_when_its_time_is_over)
{
    struct ludus_recorder_config config = hitch_config("over.lcap");
    config.hitch.after_ms = 20;
    fixture_start(&config);
    emit(500);
    hitch_trigger("over");
    emit(500);
    hitch_await_captures(1);
    emit(500); /* after the end */
    struct summary *summary = hitch_stop_and_read();
    ck_assert_uint_eq(summary->end.reason, LCAP_END_WINDOW_OVER);
    ck_assert_uint_ge(summary->end.stop_tick, summary->triggers[0].tick + 20 * NS_PER_MS);
    ck_assert_uint_ge(hitch_ledger_check(&ledger, summary), 500);
    ck_assert(!hitch_ledger_has(&ledger, summary, 1000));
    summary_free(summary);
}
END_TEST

START_TEST(without_a_trigger_there_is_no_file)
{
    const struct ludus_recorder_config config = hitch_config("none.lcap");
    static struct hitch_files files;
    fixture_start(&config);
    emit(1000);
    const struct ludus_recorder_result result = fixture_stop();
    ck_assert_uint_eq(result.captures, 0);
    ck_assert_uint_eq(result.written_bytes, 0);
    ck_assert_uint_eq(result.recorded.scopes, 1000);
    ck_assert_uint_eq(result.recorded.gauges, 1000);
    ck_assert_str_eq(result.path, "");
    hitch_find_files(&files);
    ck_assert_uint_eq(files.count, 0);
}
END_TEST

START_TEST(what_is_older_than_asked_for_is_left_out)
{
    struct ludus_recorder_config config = hitch_config("old.lcap");
    config.hitch.before_ms = 30;
    config.hitch.after_ms = 1;
    fixture_start(&config);
    emit(300);
    hitch_trigger("first");
    hitch_await_captures(1);
    struct summary *first = hitch_read(0);
    hitch_outlast(30);
    const size_t kept = ledger.count;
    emit(300);
    hitch_trigger("second");
    const struct ludus_recorder_result result = fixture_stop();
    ck_assert_uint_eq(result.captures, 2);
    struct summary *second = hitch_read(1);
    ck_assert_uint_ge(hitch_ledger_check(&ledger, first), 1);
    ck_assert_uint_gt(second->window.from_tick, first->window.from_tick);
    ck_assert(!hitch_ledger_has(&ledger, second, 299));
    /* No more is left out than a pass that ended before that time. */
    ck_assert_uint_le(second->window.from_tick, second->triggers[0].tick - 30 * NS_PER_MS);
    hitch_ledger_check(&ledger, second);
    ck_assert(hitch_ledger_has(&ledger, second, ledger.count - 1));
    ck_assert_uint_ge(ledger.count, kept);
    ck_assert_uint_ne(first->session.start_tick, 0);
    ck_assert_uint_eq(first->session.start_tick, second->session.start_tick);
    summary_free(first);
    summary_free(second);
}
END_TEST

/* --- several triggers ------------------------------------------------------------------------ */

START_TEST(triggers_during_a_capture_belong_to_it)
{
    const struct ludus_recorder_config config = hitch_config("several.lcap");
    static const char *const reasons[] = {"one", "two", "three"};
    fixture_start(&config);
    for (int i = 0; i < 3; i++) {
        emit(100);
        hitch_trigger(reasons[i]);
        hitch_await_file();
    }
    struct summary *summary = hitch_stop_and_read();
    ck_assert_uint_eq(summary->trigger_count, 3);
    for (int i = 0; i < 3; i++)
        ck_assert_ptr_nonnull(hitch_trigger_of(summary, reasons[i]));
    ck_assert_uint_eq(hitch_ledger_check(&ledger, summary), 300);
    summary_free(summary);
}
END_TEST

/* With triggers that never pause, a capture that each of them put off would never end. */
START_TEST(triggers_put_the_end_off_but_not_for_ever)
{
    struct ludus_recorder_config config = hitch_config("off.lcap");
    static struct hitch_files files;
    uint64_t fired = 0;
    uint64_t told = 0;
    config.hitch.after_ms = 60;
    config.flush_interval_ms = 2;
    fixture_start(&config);
    const uint64_t deadline_ns = fixture_now_ns() + 60000 * NS_PER_MS;
    do {
        hitch_trigger("again");
        fired++;
        fixture_sleep_ms(4);
        hitch_find_files(&files);
        ck_assert_uint_lt(fixture_now_ns(), deadline_ns);
    } while (files.count < 2);
    const struct ludus_recorder_result result = fixture_stop();
    hitch_find_files(&files);
    ck_assert_uint_eq(files.count, result.captures);
    for (size_t i = 0; i < files.count; i++) {
        struct summary *summary = hitch_read(i);
        const struct lcap_trigger *first = &summary->triggers[0];
        const struct lcap_trigger *last = &summary->triggers[summary->trigger_count - 1];
        const uint64_t wanted = last->tick + 60 * NS_PER_MS;
        const uint64_t most = first->tick + 600 * NS_PER_MS;
        if (summary->end.reason == LCAP_END_WINDOW_OVER)
            ck_assert_uint_ge(summary->end.stop_tick, wanted < most ? wanted : most);
        /* The pass that ends it may come late, but not by so much. */
        ck_assert_uint_lt(summary->end.stop_tick, most + 5000 * NS_PER_MS);
        told += summary->trigger_count;
        summary_free(summary);
    }
    ck_assert_uint_eq(told + result.triggers_missed, fired);
}
END_TEST

START_TEST(beyond_the_most_captures_triggers_are_counted_as_missed)
{
    struct ludus_recorder_config config = hitch_config("most.lcap");
    config.hitch.after_ms = 1;
    config.hitch.max_captures = 2;
    fixture_start(&config);
    for (size_t i = 1; i <= 4; i++) {
        hitch_trigger("another");
        hitch_await_captures(i < 2 ? i : 2);
    }
    const struct ludus_recorder_result result = fixture_stop();
    ck_assert_uint_eq(result.captures, 2);
    ck_assert_uint_eq(result.triggers_missed, 2);
    struct summary *first = hitch_read(0);
    struct summary *second = hitch_read(1);
    ck_assert_uint_eq(first->trigger_count + second->trigger_count, 2);
    summary_free(first);
    summary_free(second);
}
END_TEST

/* --- names ----------------------------------------------------------------------------------- */

static void expect_name(const char *path, const char *expected)
{
    const char *name = strrchr(path, '/') + 1;
    ck_assert_str_eq(name, expected);
    ck_assert_str_eq(fixture_path(name), path);
}

START_TEST(a_file_is_called_after_its_moment_and_reason)
{
    static const struct {
        const char *path, *reason, *name;
    } cases[] = {
        {"game.lcap", "Level_2 loaded", "game.20000229T123456.789Z.Level_2-loaded.lcap"},
        {"game", "../../x y%p\n", "game.20000229T123456.789Z.------x-y-p-.lcap"},
        {"a.lcap.b", "\xC3\xA4\"*?|", "a.lcap.b.20000229T123456.789Z.------.lcap"},
        {"long.lcap",
         "a reason that goes on for longer than a name may be, and has no end, and no end, and no "
         "end, and then ends all the same, and is cut there",
         "long.20000229T123456.789Z.a-reason-that-goes-on-for-longer-than-a-name-ma.lcap"},
    };
    struct ludus_recorder_config config = hitch_config(cases[_i].path);
    atomic_store(&is_wall_clock_stopped, true);
    fixture_start(&config);
    hitch_trigger(cases[_i].reason);
    struct summary *summary = hitch_stop_and_read();
    atomic_store(&is_wall_clock_stopped, false);
    static struct hitch_files files;
    hitch_find_files(&files);
    expect_name(files.paths[0], cases[_i].name);
    const size_t size = strlen(cases[_i].reason) < 127 ? strlen(cases[_i].reason) : 127;
    ck_assert_uint_eq(summary->triggers[0].text.size, size);
    ck_assert_mem_eq(summary->triggers[0].text.data, cases[_i].reason, size);
    summary_free(summary);
}
END_TEST

START_TEST(captures_of_one_moment_have_numbers)
{
    struct ludus_recorder_config config = hitch_config("twice-%p.lcap");
    char first[64];
    char second[64];
    static struct hitch_files files;
    config.hitch.after_ms = 1;
    atomic_store(&is_wall_clock_stopped, true);
    fixture_start(&config);
    for (size_t i = 1; i <= 2; i++) {
        hitch_trigger("same");
        hitch_await_captures(i);
    }
    (void)fixture_stop();
    atomic_store(&is_wall_clock_stopped, false);
    snprintf(first, sizeof first, "twice-%ld.20000229T123456.789Z.same-2.lcap", (long)getpid());
    snprintf(second, sizeof second, "twice-%ld.20000229T123456.789Z.same.lcap", (long)getpid());
    hitch_find_files(&files);
    ck_assert_uint_eq(files.count, 2);
    expect_name(files.paths[0], first);
    expect_name(files.paths[1], second);
    for (size_t i = 0; i < 2; i++)
        summary_free(hitch_read(i));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hitch captures");
    TCase *cases = tcase_create("hitch captures");
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, a_call_keeps_what_came_before_it_and_what_comes_after);
    tcase_add_test(cases, a_capture_is_complete_when_its_time_is_over);
    tcase_add_test(cases, without_a_trigger_there_is_no_file);
    tcase_add_test(cases, what_is_older_than_asked_for_is_left_out);
    tcase_add_test(cases, triggers_during_a_capture_belong_to_it);
    tcase_add_test(cases, triggers_put_the_end_off_but_not_for_ever);
    tcase_add_test(cases, beyond_the_most_captures_triggers_are_counted_as_missed);
    tcase_add_loop_test(cases, a_file_is_called_after_its_moment_and_reason, 0, 4);
    tcase_add_test(cases, captures_of_one_moment_have_numbers);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
