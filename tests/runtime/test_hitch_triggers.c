/* Calls for a capture of a hitch: where there is nothing to keep, in recordings of everything, and
 * from many threads at once. */
#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hitch_fixture.h"

static struct hitch_ledger ledger;

/* The ThreadSanitizer lets no child of a program with threads start one. */
#ifdef IS_THREAD_SANITIZED
static const bool child_records = false;
#else
static const bool child_records = true;
#endif

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

/* --- when there is nothing to keep ----------------------------------------------------------- */

static void expect_refusal(const char *reason, enum ludus_status status)
{
    struct ludus_error error;
    ck_assert_int_eq(ludus_recorder_trigger(reason, &error), status);
    ck_assert_int_eq(error.status, status);
    ck_assert_str_ne(error.message, "");
    ck_assert_int_eq(ludus_recorder_trigger(reason, NULL), status);
}

START_TEST(a_call_is_refused_without_a_reason_or_a_recording)
{
    const struct ludus_recorder_config config = hitch_config("refused.lcap");
    expect_refusal("too early", LUDUS_ERROR_STATE);
    fixture_start(&config);
    expect_refusal(NULL, LUDUS_ERROR_ARGUMENT);
    expect_refusal("", LUDUS_ERROR_ARGUMENT);
    const struct ludus_recorder_result result = fixture_stop();
    ck_assert_uint_eq(result.captures + result.captures_failed + result.triggers_missed, 0);
    expect_refusal("too late", LUDUS_ERROR_STATE);
    expect_refusal(NULL, LUDUS_ERROR_ARGUMENT);
}
END_TEST

START_TEST(a_forked_child_captures_nothing_of_its_parent)
{
    const struct ludus_recorder_config config = hitch_config("parent.lcap");
    int status = -1;
    fixture_start(&config);
    emit(100);
    hitch_trigger("parent");
    hitch_await_file();
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        struct ludus_recorder_result result;
        struct ludus_recorder_config own = hitch_config("zchild.lcap");
        if (ludus_recorder_trigger("child", NULL) != LUDUS_ERROR_STATE)
            _exit(1);
        if (!child_records)
            _exit(0);
        if (ludus_recorder_start(&own, NULL) != LUDUS_OK)
            _exit(2);
        LUDUS_PROFILE_MARK(of the child);
        if (ludus_recorder_trigger("of its own", NULL) != LUDUS_OK)
            _exit(3);
        if (ludus_recorder_stop(&result, NULL) != LUDUS_OK || result.captures != 1)
            _exit(4);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 0);
    emit(100);
    const struct ludus_recorder_result result = fixture_stop();
    ck_assert_uint_eq(result.captures, 1);
    struct summary *parent = hitch_read(0);
    ck_assert_uint_eq(parent->trigger_count, 1);
    ck_assert_uint_eq(hitch_ledger_check(&ledger, parent), 200);
    summary_free(parent);
    if (!child_records)
        return;
    struct summary *own = hitch_read(1);
    ck_assert_uint_eq(own->instants, 1);
    ck_assert_uint_eq(own->trigger_count, 1);
    summary_free(own);
}
END_TEST

/* Holds the recorder up when it has opened a file and looks which one that is. */
static atomic_bool holds_up;
static atomic_bool is_held_up;

int __real_statx(int folder, const char *path, int flags, unsigned mask, struct statx *facts);
int __wrap_statx(int folder, const char *path, int flags, unsigned mask, struct statx *facts);

int __wrap_statx(int folder, const char *path, int flags, unsigned mask, struct statx *facts)
{
    if (atomic_exchange(&holds_up, false)) {
        atomic_store(&is_held_up, true);
        fixture_sleep_ms(50);
    }
    return __real_statx(folder, path, flags, mask, facts);
}

static int count_descriptors_of(const char *name)
{
    int count = 0;
    for (int fd = 0; fd < 256; fd++) {
        char link[64];
        char path[600];
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        const ssize_t size = readlink(link, path, sizeof path - 1);
        path[size > 0 ? size : 0] = '\0';
        count += strstr(path, name) != NULL;
    }
    return count;
}

START_TEST(a_fork_while_a_capture_is_opened_leaves_the_child_without_it)
{
    const struct ludus_recorder_config config = hitch_config("opened.lcap");
    int status = -1;
    fixture_start(&config);
    atomic_store(&holds_up, true);
    hitch_trigger("fork");
    while (!atomic_load(&is_held_up))
        fixture_sleep_ms(1);
    const pid_t child = fork();
    if (child == 0)
        _exit(count_descriptors_of("/opened."));
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_uint_eq(fixture_stop().captures, 1);
}
END_TEST

/* --- recordings of everything ---------------------------------------------------------------- */

START_TEST(in_a_capture_of_everything_a_trigger_is_a_mark)
{
    const struct ludus_recorder_config config = fixture_config("stream.lcap");
    struct ludus_recorder_result result;
    fixture_start(&config);
    for (int i = 0; i < 100; i++) {
        LUDUS_PROFILE_SCOPE(step);
        if (i % 50 == 0)
            hitch_trigger("look here");
    }
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert(!summary->has_window);
    ck_assert_uint_eq(summary->trigger_count, 2);
    ck_assert_uint_eq(summary->begins, 100);
    ck_assert_uint_eq(result.captures, 0);
    ck_assert_uint_eq(result.triggers_missed, 0);
    summary_free(summary);
}
END_TEST

START_TEST(more_triggers_than_there_is_room_for_are_counted)
{
    struct ludus_recorder_config config = fixture_config("full.lcap");
    struct ludus_recorder_result result;
    config.flush_interval_ms = 60000; /* nobody fetches them before the stop, as a rule */
    fixture_start(&config);
    for (int i = 0; i < 20; i++)
        hitch_trigger("one of many");
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_ge(summary->trigger_count, 8);
    ck_assert_uint_eq(summary->trigger_count + result.triggers_missed, 20);
    summary_free(summary);
}
END_TEST

START_TEST(recordings_of_both_kinds_follow_each_other)
{
    for (int i = 0; i < 6; i++) {
        char name[32];
        snprintf(name, sizeof name, "kind-%d.lcap", i);
        const struct ludus_recorder_config config =
            i % 2 == 0 ? hitch_config(name) : fixture_config(name);
        struct ludus_recorder_result result;
        fixture_start(&config);
        ledger.count = 0;
        emit(200);
        hitch_trigger("in each");
        emit(200);
        if (i % 2 != 0) {
            summary_free(fixture_stop_and_read(&result));
            unlink(result.path);
            continue;
        }
        struct summary *summary = hitch_stop_and_read();
        ck_assert_uint_eq(hitch_ledger_check(&ledger, summary), 400);
        summary_free(summary);
        static struct hitch_files files;
        hitch_find_files(&files);
        unlink(files.paths[0]);
    }
}
END_TEST

/* --- many threads ---------------------------------------------------------------------------- */

enum { CALLERS = 8, CALLS = 300 };

static _Atomic uint64_t accepted;
static atomic_bool is_over;

static void *call(void *argument)
{
    char reason[32];
    snprintf(reason, sizeof reason, "caller %d", (int)(size_t)argument);
    for (int i = 0; i < CALLS || !atomic_load(&is_over); i++) {
        LUDUS_PROFILE_SCOPE(call);
        const enum ludus_status status = ludus_recorder_trigger(reason, NULL);
        if (status == LUDUS_OK)
            atomic_fetch_add(&accepted, 1);
        else
            ck_assert_int_eq(status, LUDUS_ERROR_STATE);
        if (i % 16 == 0)
            fixture_sleep_ms(1);
    }
    return NULL;
}

START_TEST(triggers_of_many_threads_are_told_or_counted_also_while_it_stops)
{
    pthread_t callers[CALLERS];
    struct ludus_recorder_config config = hitch_config("callers.lcap");
    uint64_t told = 0;
    config.hitch.after_ms = 3;
    config.hitch.max_captures = 10;
    config.flush_interval_ms = 1;
    atomic_store(&accepted, 0);
    atomic_store(&is_over, false);
    fixture_start(&config);
    for (size_t i = 0; i < CALLERS; i++)
        ck_assert_int_eq(pthread_create(&callers[i], NULL, call, (void *)i), 0);
    hitch_await_captures(2);
    const uint64_t surely = atomic_load(&accepted);
    const struct ludus_recorder_result result = fixture_stop();
    const uint64_t at_most = atomic_load(&accepted) + CALLERS;
    atomic_store(&is_over, true);
    for (int i = 0; i < CALLERS; i++)
        pthread_join(callers[i], NULL);
    for (size_t i = 0; i < result.captures; i++) {
        struct summary *summary = hitch_read(i);
        told += summary->trigger_count;
        summary_free(summary);
    }
    ck_assert_uint_le(result.captures, 10);
    ck_assert_uint_ge(told + result.triggers_missed, surely);
    ck_assert_uint_le(told + result.triggers_missed, at_most);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hitch triggers");
    TCase *cases = tcase_create("hitch triggers");
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, a_call_is_refused_without_a_reason_or_a_recording);
    tcase_add_test(cases, a_forked_child_captures_nothing_of_its_parent);
    tcase_add_test(cases, in_a_capture_of_everything_a_trigger_is_a_mark);
    tcase_add_test(cases, more_triggers_than_there_is_room_for_are_counted);
    tcase_add_test(cases, recordings_of_both_kinds_follow_each_other);
    tcase_add_test(cases, triggers_of_many_threads_are_told_or_counted_also_while_it_stops);
    tcase_add_test(cases, a_fork_while_a_capture_is_opened_leaves_the_child_without_it);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
