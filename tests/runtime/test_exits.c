/* Ways in which threads and processes end while or after they are recorded: cancellation,
 * pthread_exit, exit handlers. Nothing crashes, and the capture is whole. */
#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorder_fixture.h"

static atomic_uint running;

/* Is cancelled somewhere below; this file is compiled so that cleanup happens on the way out. */
/* A thread that is cancelled inside a call which the ThreadSanitizer intercepts stays inside it, as
 * far as that knows, and its locks are not seen any more. */
static void pause_uncancelled(void)
{
    int state;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    usleep(20);
    pthread_setcancelstate(state, NULL);
}

static void *work_until_cancelled(void *argument)
{
    LUDUS_PROFILE_SCOPE(thread);
    atomic_fetch_add(&running, 1);
    for (;;) {
        LUDUS_PROFILE_SCOPE(round);
        LUDUS_PROFILE_MARK(mark);
        pause_uncancelled(); /* not so many that the others find no room */
        pthread_testcancel();
    }
    return argument;
}

START_TEST(scopes_of_a_cancelled_thread_end)
{
    const struct ludus_recorder_config config = fixture_config("cancel.lcap");
    struct ludus_recorder_result result;
    pthread_t threads[4];
    fixture_start(&config);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, work_until_cancelled, NULL), 0);
    while (atomic_load(&running) < 4)
        fixture_sleep_ms(1);
    for (int i = 0; i < 4; i++) {
        void *value = NULL;
        ck_assert_int_eq(pthread_cancel(threads[i]), 0);
        ck_assert_int_eq(pthread_join(threads[i], &value), 0);
        ck_assert_ptr_eq(value, PTHREAD_CANCELED);
    }
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(summary->track_count, 4);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_uint_gt(summary->tracks[i].begins, 1);
        ck_assert_uint_ne(summary->tracks[i].record.end_tick, 0);
    }
    ck_assert_uint_eq(result.scopes_open, 0);
    summary_free(summary);
}
END_TEST

static void *live_shortly(void *argument)
{
    LUDUS_PROFILE_SCOPE(short life);
    return argument;
}

static void *emit_with_a_cancellation_waiting(void *argument)
{
    pthread_cancel(pthread_self());
    {
        LUDUS_PROFILE_SCOPE(first);
    }
    atomic_fetch_add(&running, 1);
    pthread_testcancel();
    return argument;
}

/* The only slot is that of a thread that has ended, for which the other waits. */
START_TEST(a_thread_is_not_cancelled_while_it_waits_for_a_track)
{
    struct ludus_recorder_config config = fixture_config("wait.lcap");
    struct ludus_recorder_result result;
    pthread_t thread;
    config.max_threads = 1;
    atomic_store(&running, 0);
    fixture_start(&config);
    for (unsigned i = 0; i < 50; i++) {
        void *value = NULL;
        ck_assert_int_eq(pthread_create(&thread, NULL, live_shortly, NULL), 0);
        pthread_join(thread, NULL);
        ck_assert_int_eq(pthread_create(&thread, NULL, emit_with_a_cancellation_waiting, NULL), 0);
        pthread_join(thread, &value);
        ck_assert_ptr_eq(value, PTHREAD_CANCELED);
        ck_assert_uint_eq(atomic_load(&running), i + 1);
    }
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(result.recorded.scopes + result.dropped.scopes, 100);
    summary_free(summary);
}
END_TEST

static void *record_with_a_cancellation_waiting(void *argument)
{
    pthread_cancel(pthread_self());
    if (ludus_recorder_start(argument, NULL) != LUDUS_OK ||
        ludus_recorder_stop(NULL, NULL) != LUDUS_OK)
        return NULL;
    ludus_recorder_discard();
    pthread_testcancel();
    return NULL;
}

START_TEST(a_thread_is_not_cancelled_while_it_starts_or_stops)
{
    struct ludus_recorder_config config = fixture_config("cancelled.lcap");
    pthread_t thread;
    void *value = NULL;
    ck_assert_int_eq(pthread_create(&thread, NULL, record_with_a_cancellation_waiting, &config), 0);
    pthread_join(thread, &value);
    ck_assert_ptr_eq(value, PTHREAD_CANCELED);
    struct summary *summary = summary_read(config.path);
    summary_check_whole(summary);
    summary_free(summary);
    config.path = fixture_path("next.lcap");
    fixture_start(&config);
    fixture_stop();
}
END_TEST

static void *leave_through_pthread_exit(void *argument)
{
    LUDUS_PROFILE_SCOPE(left by pthread_exit);
    pthread_exit(argument);
}

START_TEST(scopes_end_when_their_thread_calls_pthread_exit)
{
    const struct ludus_recorder_config config = fixture_config("leave.lcap");
    struct ludus_recorder_result result;
    pthread_t thread;
    fixture_start(&config);
    ck_assert_int_eq(pthread_create(&thread, NULL, leave_through_pthread_exit, NULL), 0);
    pthread_join(thread, NULL);
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(result.recorded.scopes, 1);
    ck_assert_uint_eq(result.scopes_open, 0);
    summary_free(summary);
}
END_TEST

/* Runs `body` in a child and returns its exit status. */
static int run_in_child(int (*body)(void))
{
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0)
        exit(body()); /* not _exit: exit handlers are what is tested */
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status), "the child ended by signal %d", WTERMSIG(status));
    return WEXITSTATUS(status);
}

static bool is_a_recording_child;

/* Of the whole process; the parent's exit runs it, too. */
static void emit_at_exit(void)
{
    if (!is_a_recording_child)
        return;
    if (ludus_recorder_state() != LUDUS_RECORDER_IDLE)
        _exit(9); /* the recording has not ended before this handler, and it would prove nothing */
    for (int i = 0; i < 3000; i++) {
        LUDUS_PROFILE_SCOPE(at exit);
        LUDUS_PROFILE_MARK(at exit);
        LUDUS_PROFILE_FRAME();
    }
    LUDUS_PROFILE_THREAD("at exit");
}

static int record_until_exit(void)
{
    is_a_recording_child = true;
    /* Handlers run in reverse order: the recorder's stop first. */
    if (atexit(emit_at_exit) != 0 || ludus_recorder_start_from_env() != LUDUS_OK)
        return 1;
    for (int i = 0; i < 100; i++) {
        LUDUS_PROFILE_SCOPE(before exit);
    }
    return 0;
}

static int stop_and_exit(void)
{
    const int status = record_until_exit();
    if (status == 0 && ludus_recorder_stop(NULL, NULL) != LUDUS_OK)
        return 2;
    return status;
}

static void expect_whole_capture(const char *path)
{
    struct summary *summary = summary_read(path);
    summary_check_whole(summary);
    ck_assert_uint_eq(summary->begins, 100);
    ck_assert_uint_eq(summary->ends, 100);
    ck_assert_uint_eq(summary->mark_count, 0);
    summary_free(summary);
}

START_TEST(exit_handlers_may_emit_after_the_recording_has_ended)
{
    setenv("LUDUS_CAPTURE", fixture_path("exit.lcap"), 1);
    ck_assert_int_eq(run_in_child(record_until_exit), 0);
    expect_whole_capture(fixture_path("exit.lcap"));
    setenv("LUDUS_CAPTURE", fixture_path("stop.lcap"), 1);
    ck_assert_int_eq(run_in_child(stop_and_exit), 0);
    expect_whole_capture(fixture_path("stop.lcap"));
    unsetenv("LUDUS_CAPTURE");
}
END_TEST

static pthread_key_t key;
static atomic_bool may_end;

static void emit_in_destructor(void *value)
{
    LUDUS_PROFILE_SCOPE(after the stop);
    LUDUS_PROFILE_MARK(after the stop);
    (void)value;
}

static void *outlive_the_recording(void *argument)
{
    {
        LUDUS_PROFILE_SCOPE(in the recording);
    }
    pthread_setspecific(key, argument);
    atomic_fetch_add(&running, 1);
    while (!atomic_load(&may_end))
        fixture_sleep_ms(1);
    return NULL;
}

START_TEST(destructors_of_threads_that_outlive_the_recording_may_emit)
{
    struct ludus_recorder_config config = fixture_config("outlive.lcap");
    struct ludus_recorder_result result;
    pthread_t thread;
    int something;
    ck_assert_int_eq(pthread_key_create(&key, emit_in_destructor), 0);
    atomic_store(&running, 0);
    fixture_start(&config);
    ck_assert_int_eq(pthread_create(&thread, NULL, outlive_the_recording, &something), 0);
    while (atomic_load(&running) == 0)
        fixture_sleep_ms(1);
    struct summary *summary = fixture_stop_and_read(&result);
    atomic_store(&may_end, true);
    pthread_join(thread, NULL);
    ck_assert_uint_eq(result.recorded.scopes, 1);
    summary_free(summary);
    /* And the recorder is none the worse. */
    config.path = fixture_path("outlive2.lcap");
    fixture_start(&config);
    LUDUS_PROFILE_MARK(one);
    ck_assert_uint_eq(fixture_stop().recorded.instants, 1);
    pthread_key_delete(key);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("exits");
    TCase *cases = tcase_create("exits");
    tcase_add_checked_fixture(cases, fixture_setup, fixture_teardown);
    tcase_add_test(cases, scopes_of_a_cancelled_thread_end);
    tcase_add_test(cases, a_thread_is_not_cancelled_while_it_waits_for_a_track);
    tcase_add_test(cases, a_thread_is_not_cancelled_while_it_starts_or_stops);
    tcase_add_test(cases, scopes_end_when_their_thread_calls_pthread_exit);
    tcase_add_test(cases, exit_handlers_may_emit_after_the_recording_has_ended);
    tcase_add_test(cases, destructors_of_threads_that_outlive_the_recording_may_emit);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
