/* Recordings in the life of a process: stop with open scopes, start again, threads that live
 * across, threads that come and go, fork, the environment, exit. */
#include <check.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorder_fixture.h"

/* ThreadSanitizer cannot follow a thread that is started in a child of a process with threads, and
 * not what a thread does in its last round of destructors. */
#ifdef IS_THREAD_SANITIZED
#define CHILD_MAY_RECORD  0
#define DESTRUCTOR_ROUNDS 2u
#else
#define CHILD_MAY_RECORD  1
#define DESTRUCTOR_ROUNDS 4u /* what the C library runs */
#endif

START_TEST(scopes_open_at_stop_stay_open_and_their_ends_do_nothing)
{
    const struct ludus_recorder_config config = fixture_config("open.lcap");
    struct ludus_recorder_result result;
    fixture_start(&config);
    LUDUS_PROFILE_BEGIN(outer, outer);
    LUDUS_PROFILE_BEGIN(inner, inner);
    LUDUS_PROFILE_BEGIN(done, done);
    LUDUS_PROFILE_END(done);
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(result.scopes_open, 2);
    ck_assert_uint_eq(summary->tracks[0].depth, 2);
    ck_assert_int_eq(ludus_recorder_state(), LUDUS_RECORDER_IDLE);
    LUDUS_PROFILE_END(inner);
    LUDUS_PROFILE_END(outer);
    summary_free(summary);
}
END_TEST

START_TEST(a_scope_that_spans_a_restart_is_not_in_the_second_capture)
{
    struct ludus_recorder_config config = fixture_config("span1.lcap");
    struct ludus_recorder_result result;
    LUDUS_PROFILE_BEGIN(before, before any recording);
    fixture_start(&config);
    LUDUS_PROFILE_END(before);
    LUDUS_PROFILE_BEGIN(spanning, spanning);
    fixture_stop();
    config.path = fixture_path("span2.lcap");
    fixture_start(&config);
    LUDUS_PROFILE_BEGIN(second, in the second);
    LUDUS_PROFILE_END(spanning);
    LUDUS_PROFILE_END(second);
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(summary->tracks[0].count, 2);
    ck_assert_uint_eq(summary->diagnostic_count, 0);
    ck_assert_str_eq(
        summary_text(summary, summary->sites[summary->tracks[0].events[0].site - 1].name),
        "in the second");
    summary_free(summary);
}
END_TEST

static atomic_bool keep_going;
static atomic_uint rounds_seen;

/* Emits all the time, through stops and starts. Scopes are nested, so that stops cut through. */
static void *emit_always(void *argument)
{
    (void)argument;
    while (atomic_load(&keep_going)) {
        LUDUS_PROFILE_SCOPE(outer);
        for (int i = 0; i < 50; i++) {
            LUDUS_PROFILE_SCOPE(inner);
            LUDUS_PROFILE_MARK(mark);
        }
        LUDUS_PROFILE_FRAME(Always);
        atomic_fetch_add(&rounds_seen, 1);
    }
    return NULL;
}

START_TEST(threads_live_across_recordings)
{
    pthread_t threads[4];
    atomic_store(&keep_going, true);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, emit_always, NULL), 0);
    for (int i = 0; i < 30; i++) {
        char name[32];
        struct ludus_recorder_result result;
        snprintf(name, sizeof name, "across%d.lcap", i);
        struct ludus_recorder_config config = fixture_config(name);
        config.max_threads = 4;
        config.memory_bytes = (uint64_t)(i % 3 + 4) << 20;
        fixture_start(&config);
        fixture_sleep_ms(5);
        const unsigned rounds = atomic_load(&rounds_seen);
        while (atomic_load(&rounds_seen) == rounds)
            fixture_sleep_ms(1);
        struct summary *summary = fixture_stop_and_read(&result);
        ck_assert_uint_gt(result.recorded.scopes, 0);
        ck_assert_uint_le(result.scopes_open, 8);
        ck_assert_uint_le(summary->track_count, 4);
        summary_free(summary);
        unlink(result.path);
    }
    atomic_store(&keep_going, false);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}
END_TEST

static atomic_uint step;

static void *emit_in_steps(void *argument)
{
    (void)argument;
    for (unsigned my_step = 1; my_step <= 2; my_step++) {
        while (atomic_load(&step) < my_step)
            fixture_sleep_ms(1);
        {
            LUDUS_PROFILE_SCOPE(in a step);
        }
        atomic_fetch_add(&rounds_seen, 1);
    }
    return NULL;
}

START_TEST(threads_keep_their_slots_when_another_finds_none)
{
    struct ludus_recorder_config config = fixture_config("slots1.lcap");
    struct ludus_recorder_result result;
    pthread_t threads[2];
    config.max_threads = 2;
    atomic_store(&rounds_seen, 0);
    atomic_store(&step, 0);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, emit_in_steps, NULL), 0);
    for (unsigned recording = 1; recording <= 2; recording++) {
        config.path = fixture_path(recording == 1 ? "slots1.lcap" : "slots2.lcap");
        fixture_start(&config);
        if (recording == 2) {
            LUDUS_PROFILE_MARK(finds no slot);
        }
        atomic_store(&step, recording);
        while (atomic_load(&rounds_seen) < 2 * recording)
            fixture_sleep_ms(1);
        summary_free(fixture_stop_and_read(&result));
        ck_assert_uint_eq(result.recorded.scopes, 2);
        ck_assert_uint_eq(result.dropped.scopes, 0);
    }
    ck_assert_uint_eq(result.recorded.instants + result.dropped.instants, 1);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
END_TEST

static void *live_shortly(void *argument)
{
    LUDUS_PROFILE_SCOPE(short life);
    (void)argument;
    return NULL;
}

START_TEST(slots_are_recycled_over_threads_that_come_and_go)
{
    struct ludus_recorder_config config = fixture_config("churn.lcap");
    struct ludus_recorder_result result;
    config.max_threads = 8;
    config.flush_interval_ms = 1;
    fixture_start(&config);
    for (int i = 0; i < 2000; i++) {
        pthread_t thread;
        ck_assert_int_eq(pthread_create(&thread, NULL, live_shortly, NULL), 0);
        pthread_join(thread, NULL);
    }
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(result.recorded.scopes + result.dropped.scopes, 2000);
    ck_assert_uint_eq(result.recorded.scopes, summary->track_count);
    /* Slots come back with each pass of the collector, which may be late on a busy machine. Were
     * they not recycled, 8 would be all. */
    ck_assert_uint_gt(result.recorded.scopes, 200);
    for (size_t i = 0; i < summary->track_count; i++)
        ck_assert(summary->tracks[i].count == 2 && summary->tracks[i].record.end_tick != 0);
    summary_free(summary);
}
END_TEST

static pthread_key_t late_key;

static void emit_late(void *value)
{
    static _Thread_local unsigned round;
    LUDUS_PROFILE_SCOPE(from a destructor);
    LUDUS_PROFILE_MARK(from a destructor);
    if (++round < DESTRUCTOR_ROUNDS)
        pthread_setspecific(late_key, value);
}

static void *emit_in_destructors(void *argument)
{
    LUDUS_PROFILE_SCOPE(from the thread);
    pthread_setspecific(late_key, argument);
    pthread_exit(NULL);
}

START_TEST(destructors_of_ending_threads_may_emit)
{
    const struct ludus_recorder_config config = fixture_config("destructor.lcap");
    struct ludus_recorder_result result;
    int something;
    ck_assert_int_eq(pthread_key_create(&late_key, emit_late), 0);
    fixture_start(&config);
    for (int i = 0; i < 10; i++) {
        pthread_t thread;
        ck_assert_int_eq(pthread_create(&thread, NULL, emit_in_destructors, &something), 0);
        pthread_join(thread, NULL);
    }
    struct summary *summary = fixture_stop_and_read(&result);
    /* A thread gives its track up in the second round, before or after this destructor. */
    ck_assert_uint_ge(result.recorded.instants, 10);
    ck_assert_uint_eq(result.recorded.scopes, 10 + result.recorded.instants);
    /* Those of later rounds are late, which is not a want of room for threads. */
    ck_assert_uint_eq(result.dropped.scopes + result.dropped.instants, 0);
    const uint64_t late = 2 * (10 * DESTRUCTOR_ROUNDS - result.recorded.instants);
    ck_assert_uint_eq(summary_told(summary, LCAP_DIAGNOSTIC_LATE_EVENTS), late);
    ck_assert(late > 0 || DESTRUCTOR_ROUNDS < 3);
    summary_free(summary);
    pthread_key_delete(late_key);
}
END_TEST

/* Runs `body` in a child and returns its exit status. */
static int run_in_child(int (*body)(void))
{
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0)
        _exit(body());
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status), "the child ended by signal %d", WTERMSIG(status));
    return WEXITSTATUS(status);
}

static int record_in_child(void)
{
    struct ludus_recorder_result result;
    if (ludus_recorder_state() != LUDUS_RECORDER_IDLE || ludus_gate_is_open(0))
        return 1;
    LUDUS_PROFILE_MARK(not recorded);
    if (ludus_recorder_stop(NULL, NULL) != LUDUS_ERROR_STATE)
        return 2;
    if (!CHILD_MAY_RECORD)
        return 0;
    const struct ludus_recorder_config config = fixture_config("child.lcap");
    if (ludus_recorder_start(&config, NULL) != LUDUS_OK)
        return 3;
    for (int i = 0; i < 1000; i++) {
        LUDUS_PROFILE_SCOPE(in the child);
    }
    LUDUS_PROFILE_FRAME();
    if (ludus_recorder_stop(&result, NULL) != LUDUS_OK || result.recorded.scopes != 1000 ||
        result.recorded.frames != 1)
        return 4;
    return 0;
}

START_TEST(a_forked_child_is_idle_and_leaves_its_parents_capture_alone)
{
    const struct ludus_recorder_config config = fixture_config("parent.lcap");
    struct ludus_recorder_result result;
    pthread_t thread;
    atomic_store(&keep_going, true);
    fixture_start(&config);
    ck_assert_int_eq(pthread_create(&thread, NULL, emit_always, NULL), 0);
    LUDUS_PROFILE_BEGIN(around, around the fork);
    for (int i = 0; i < 10; i++) {
        ck_assert_int_eq(run_in_child(record_in_child), 0);
        if (!CHILD_MAY_RECORD)
            continue;
        struct summary *child = summary_read(fixture_path("child.lcap"));
        summary_check_whole(child);
        ck_assert_uint_eq(child->begins, 1000);
        ck_assert_uint_eq(child->track_count, 1);
        summary_free(child);
        unlink(fixture_path("child.lcap"));
    }
    LUDUS_PROFILE_END(around);
    atomic_store(&keep_going, false);
    pthread_join(thread, NULL);
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(result.scopes_open, 0);
    ck_assert_uint_eq(summary->track_count, 2);
    summary_free(summary);
}
END_TEST

static int exit_while_recording(void)
{
    if (ludus_recorder_start_from_env() != LUDUS_OK)
        return 1;
    for (int i = 0; i < 100; i++) {
        LUDUS_PROFILE_SCOPE(until exit);
    }
    exit(0); /* not _exit: the recording ends here */
}

START_TEST(the_environment_starts_a_recording_that_ends_at_exit)
{
    unsetenv("LUDUS_CAPTURE");
    ck_assert_int_eq(ludus_recorder_start_from_env(), LUDUS_END);
    setenv("LUDUS_CAPTURE", "", 1);
    ck_assert_int_eq(ludus_recorder_start_from_env(), LUDUS_END);
    ck_assert_int_eq(ludus_recorder_state(), LUDUS_RECORDER_IDLE);
    setenv("LUDUS_CAPTURE", fixture_path("env.lcap"), 1);
    ck_assert_int_eq(run_in_child(exit_while_recording), 0);
    struct summary *summary = summary_read(fixture_path("env.lcap"));
    summary_check_whole(summary);
    ck_assert_uint_eq(summary->begins, 100);
    summary_free(summary);
    /* A process that inherits the environment does not touch the file. */
    ck_assert_int_eq(run_in_child(exit_while_recording), 1);
    summary = summary_read(fixture_path("env.lcap"));
    summary_check_whole(summary);
    summary_free(summary);
    unsetenv("LUDUS_CAPTURE");
}
END_TEST

START_TEST(partial_chunks_reach_the_growing_file_without_the_producers_help)
{
    struct ludus_recorder_config config = fixture_config("grow.lcap");
    config.flush_interval_ms = 10;
    fixture_start(&config);
    for (unsigned round = 1; round <= 5; round++) {
        {
            LUDUS_PROFILE_SCOPE(few events);
        }
        /* Nothing is emitted from here on; the file must still get what was. */
        const uint64_t deadline = fixture_now_ns() + 5000000000u;
        uint64_t begins = 0;
        while (begins < round && fixture_now_ns() < deadline) {
            struct summary *summary = summary_read(config.path);
            ck_assert_uint_eq(summary->damages, 0);
            ck_assert(!summary->is_finished);
            begins = summary->begins;
            summary_free(summary);
            fixture_sleep_ms(5);
        }
        ck_assert_uint_eq(begins, round);
    }
    fixture_stop();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lifecycle");
    TCase *cases = tcase_create("lifecycle");
    tcase_add_checked_fixture(cases, fixture_setup, fixture_teardown);
    /* First, while the table has no more slots than it asks for. */
    tcase_add_test(cases, threads_keep_their_slots_when_another_finds_none);
    tcase_add_test(cases, scopes_open_at_stop_stay_open_and_their_ends_do_nothing);
    tcase_add_test(cases, a_scope_that_spans_a_restart_is_not_in_the_second_capture);
    tcase_add_test(cases, threads_live_across_recordings);
    tcase_add_test(cases, slots_are_recycled_over_threads_that_come_and_go);
    tcase_add_test(cases, destructors_of_ending_threads_may_emit);
    tcase_add_test(cases, a_forked_child_is_idle_and_leaves_its_parents_capture_alone);
    tcase_add_test(cases, the_environment_starts_a_recording_that_ends_at_exit);
    tcase_add_test(cases, partial_chunks_reach_the_growing_file_without_the_producers_help);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
