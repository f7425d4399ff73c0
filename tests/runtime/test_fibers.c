/* A fiber's events are on its own track, on whatever threads it runs; misuse is told and refused.
 */
#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorder_fixture.h"

static void run_in_thread(void *(*function)(void *), void *argument)
{
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, function, argument), 0);
    pthread_join(thread, NULL);
}

static uint64_t events_of_kind(const struct summary_track *track, uint32_t kind)
{
    uint64_t count = 0;
    for (size_t i = 0; track != NULL && i < track->count; i++)
        count += track->events[i].kind == kind;
    return count;
}

/* A job: its scope is in its own memory, as on the fiber's stack. */
struct job {
    struct ludus_fiber *fiber;
    struct ludus_scope scope;
    struct ludus_scope inner;
};

static void *begin_job(void *argument)
{
    static struct ludus_site site = {"job", "job.c", "f", 1, 0, 0, 0};
    struct job *job = argument;
    LUDUS_PROFILE_THREAD("first");
    LUDUS_PROFILE_SCOPE(scheduler);
    LUDUS_PROFILE_FIBER_SWITCH(job->fiber);
    job->scope = ludus_scope_begin(&site);
    LUDUS_PROFILE_MARK(started);
    LUDUS_PROFILE_FIBER_SWITCH(NULL);
    LUDUS_PROFILE_MARK(back);
    return NULL;
}

static void *end_job(void *argument)
{
    struct job *job = argument;
    LUDUS_PROFILE_THREAD("second");
    LUDUS_PROFILE_SCOPE(scheduler);
    ludus_fiber_switch(job->fiber);
    {
        LUDUS_PROFILE_SCOPE(inner);
    }
    ludus_scope_end(&job->scope);
    ludus_fiber_switch(NULL);
    return NULL;
}

START_TEST(a_scope_stays_open_while_its_fiber_moves_to_another_thread)
{
    const struct ludus_recorder_config config = fixture_config("moves.lcap");
    struct ludus_recorder_result result;
    struct job job = {.fiber =
                          ludus_fiber_create("Path finding")}; /* before there is a recording */
    for (int round = 0; round < 2; round++) {
        struct ludus_recorder_config own = config;
        own.path = fixture_path(round == 0 ? "moves-0.lcap" : "moves-1.lcap");
        fixture_start(&own);
        run_in_thread(begin_job, &job);
        run_in_thread(end_job, &job);
        struct summary *summary = fixture_stop_and_read(&result);
        const struct summary_track *fiber = summary_track_named(summary, "Path finding");
        ck_assert_ptr_nonnull(fiber);
        ck_assert_uint_eq(fiber->record.kind, LCAP_TRACK_FIBER);
        ck_assert_uint_eq(fiber->record.os_id, 0);
        ck_assert_uint_eq(fiber->begins, 2);
        ck_assert_uint_eq(fiber->ends, 2);
        ck_assert_uint_eq(fiber->count, 5);
        ck_assert_uint_eq(fiber->events[2].depth, 1);
        for (int i = 0; i < 2; i++) {
            const struct summary_track *thread =
                summary_track_named(summary, i == 0 ? "first" : "second");
            ck_assert_uint_eq(thread->record.kind, LCAP_TRACK_THREAD);
            ck_assert_uint_eq(thread->begins, 1);
            ck_assert_uint_eq(thread->ends, 1);
            ck_assert_uint_eq(events_of_kind(thread, LCAP_EVENT_TRACK_SWITCH), 2);
            ck_assert_uint_eq(thread->events[1].value, fiber->record.track);
            ck_assert_uint_eq(thread->events[2].value, 0);
        }
        ck_assert_uint_eq(summary->diagnostic_count, 0);
        ck_assert_uint_eq(result.scopes_open, 0);
        summary_free(summary);
    }
    ludus_fiber_destroy(job.fiber);
}
END_TEST

static void *leave_open(void *argument)
{
    static struct ludus_site site = {"open", "open.c", "f", 1, 0, 0, 0};
    struct job *job = argument;
    ludus_fiber_switch(job->fiber);
    job->scope = ludus_scope_begin(&site);
    return NULL; /* the thread ends while it runs the fiber */
}

START_TEST(a_thread_that_ends_leaves_its_fiber_suspended)
{
    const struct ludus_recorder_config config = fixture_config("ends.lcap");
    struct ludus_recorder_result result;
    struct job job = {.fiber = ludus_fiber_create("orphan")};
    fixture_start(&config);
    run_in_thread(leave_open, &job);
    run_in_thread(end_job, &job);
    ludus_fiber_destroy(job.fiber);
    struct summary *summary = fixture_stop_and_read(&result);
    const struct summary_track *fiber = summary_track_named(summary, "orphan");
    ck_assert_uint_eq(fiber->begins, 2);
    ck_assert_uint_eq(fiber->ends, 2);
    ck_assert_uint_ne(fiber->record.end_tick, 0);
    ck_assert_uint_eq(summary->diagnostic_count, 0);
    summary_free(summary);
}
END_TEST

START_TEST(scopes_of_an_earlier_recording_end_without_effect)
{
    const struct ludus_recorder_config config = fixture_config("one.lcap");
    struct ludus_recorder_config other = config;
    struct ludus_recorder_result result;
    struct job job = {.fiber = ludus_fiber_create("sleeper")};
    fixture_start(&config);
    run_in_thread(begin_job, &job);
    summary_free(fixture_stop_and_read(&result));
    ck_assert_uint_eq(result.scopes_open, 1);
    other.path = fixture_path("two.lcap");
    fixture_start(&other);
    run_in_thread(end_job, &job);
    ludus_fiber_destroy(job.fiber);
    struct summary *summary = fixture_stop_and_read(&result);
    const struct summary_track *fiber = summary_track_named(summary, "sleeper");
    ck_assert_uint_eq(fiber->begins, 1);
    ck_assert_uint_eq(fiber->ends, 1);
    summary_free(summary);
}
END_TEST

static const struct lcap_diagnostic *told(const struct summary *summary, uint32_t code,
                                          const char *first, const char *second)
{
    for (size_t i = 0; i < summary->diagnostic_count; i++) {
        const char *text = (const char *)summary->diagnostics[i].text.data;
        if (summary->diagnostics[i].code == code && strstr(text, first) != NULL &&
            strstr(text, second) != NULL)
            return &summary->diagnostics[i];
    }
    return NULL;
}

static void *steal(void *argument)
{
    struct job *job = argument;
    LUDUS_PROFILE_THREAD("thief");
    LUDUS_PROFILE_MARK(mine);
    ludus_fiber_switch(job->fiber);
    LUDUS_PROFILE_MARK(stolen); /* on the thief's own track */
    ludus_fiber_destroy(job->fiber);
    return NULL;
}

START_TEST(a_fiber_that_runs_is_not_given_to_another_thread)
{
    const struct ludus_recorder_config config = fixture_config("misuse.lcap");
    struct ludus_recorder_result result;
    struct job job = {.fiber = ludus_fiber_create("busy")};
    LUDUS_PROFILE_THREAD("keeper");
    fixture_start(&config);
    LUDUS_PROFILE_MARK(keeping);
    ludus_fiber_switch(job.fiber);
    LUDUS_PROFILE_MARK(working);
    run_in_thread(steal, &job);
    LUDUS_PROFILE_MARK(working_still);
    ludus_fiber_switch(NULL); /* frees it, as it was destroyed meanwhile */
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(events_of_kind(summary_track_named(summary, "busy"), LCAP_EVENT_INSTANT), 2);
    ck_assert_uint_eq(events_of_kind(summary_track_named(summary, "thief"), LCAP_EVENT_INSTANT), 2);
    ck_assert_ptr_nonnull(told(summary, LCAP_DIAGNOSTIC_FIBER_MISUSED,
                               "run by thread \"keeper\", was switched to by", "\"thief\""));
    ck_assert_ptr_nonnull(told(summary, LCAP_DIAGNOSTIC_FIBER_MISUSED,
                               "run by thread \"keeper\", was destroyed by", "\"thief\""));
    LUDUS_PROFILE_THREAD("");
    summary_free(summary);
}
END_TEST

START_TEST(a_scope_that_ends_in_another_fiber_is_told_with_both_names)
{
    static struct ludus_site site = {"crossed", "crossed.c", "f", 1, 0, 0, 0};
    const struct ludus_recorder_config config = fixture_config("crossed.lcap");
    struct ludus_recorder_result result;
    struct ludus_fiber *a = ludus_fiber_create("A");
    struct ludus_fiber *b = ludus_fiber_create("B");
    fixture_start(&config);
    ludus_fiber_switch(a);
    struct ludus_scope scope = ludus_scope_begin(&site);
    ludus_fiber_switch(b);
    ludus_scope_end(&scope);
    ludus_fiber_destroy(b); /* while this thread runs it */
    ludus_fiber_destroy(a);
    LUDUS_PROFILE_MARK(on_the_thread);
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_ptr_nonnull(told(summary, LCAP_DIAGNOSTIC_WRONG_THREAD, "begun by fiber \"A\"",
                               "ended by fiber \"B\" on thread"));
    ck_assert_uint_eq(summary_track_named(summary, "A")->begins, 1);
    ck_assert_uint_eq(summary_track_named(summary, "A")->ends, 0);
    ck_assert_uint_eq(summary_track_named(summary, "B")->count, 0);
    summary_free(summary);
}
END_TEST

START_TEST(fibers_beyond_the_slots_lose_what_they_emit_exactly)
{
    enum { FIBERS = 40 };
    struct ludus_recorder_config config = fixture_config("many.lcap");
    struct ludus_recorder_result result;
    struct ludus_fiber *fibers[FIBERS];
    config.max_threads = 16;
    fixture_start(&config);
    for (int i = 0; i < FIBERS; i++) {
        fibers[i] = ludus_fiber_create("one of many");
        ludus_fiber_switch(fibers[i]);
        LUDUS_PROFILE_SCOPE(in_fiber);
        LUDUS_PROFILE_MARK(in_fiber);
    }
    ludus_fiber_switch(NULL);
    for (int i = 0; i < FIBERS; i++)
        ludus_fiber_destroy(fibers[i]);
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(result.recorded.instants + result.dropped.instants, FIBERS);
    ck_assert_uint_eq(result.recorded.scopes + result.dropped.scopes, FIBERS);
    ck_assert_uint_gt(result.dropped.instants, 0);
    ck_assert_uint_eq(summary_loss(summary, LCAP_LOSS_TOO_MANY_THREADS).counts.instants,
                      result.dropped.instants);
    summary_free(summary);
}
END_TEST

/* The ThreadSanitizer does not let a forked child start the collector's thread. */
#ifndef IS_THREAD_SANITIZED
START_TEST(a_forked_child_can_go_on_with_its_fibers)
{
    const struct ludus_recorder_config config = fixture_config("parent.lcap");
    struct ludus_recorder_config own = config;
    struct ludus_recorder_result result;
    struct ludus_fiber *running = ludus_fiber_create("running");
    struct ludus_fiber *suspended = ludus_fiber_create("suspended");
    fixture_start(&config);
    ludus_fiber_switch(suspended);
    LUDUS_PROFILE_MARK(before);
    ludus_fiber_switch(running);
    LUDUS_PROFILE_MARK(before);
    own.path = fixture_path("child.lcap");
    const pid_t child = fork();
    if (child == 0) {
        fixture_start(&own);
        LUDUS_PROFILE_MARK(in_child);
        ludus_fiber_switch(suspended);
        LUDUS_PROFILE_MARK(in_child);
        ludus_fiber_switch(NULL);
        ludus_fiber_destroy(suspended);
        ludus_fiber_destroy(running);
        _exit(ludus_recorder_stop(&result, NULL) == LUDUS_OK && result.recorded.instants == 2 ? 0
                                                                                              : 1);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ludus_fiber_switch(NULL);
    summary_free(fixture_stop_and_read(&result));
    ck_assert_uint_eq(result.recorded.instants, 2);
    struct summary *summary = summary_read(fixture_path("child.lcap"));
    summary_check_whole(summary);
    ck_assert_uint_eq(events_of_kind(summary_track_named(summary, "suspended"), LCAP_EVENT_INSTANT),
                      1);
    summary_free(summary);
    ludus_fiber_destroy(running);
    ludus_fiber_destroy(suspended);
}
END_TEST
#endif

/* A scheduler of many fibers on a few threads. */
enum { POOL_FIBERS = 12, POOL_THREADS = 4, TURNS = 3000 };
static struct pool_fiber {
    pthread_mutex_t lock;
    struct ludus_fiber *fiber;
    struct ludus_scope scopes[8];
    int depth;
    uint64_t begun;
} pool[POOL_FIBERS];

static void take_turn(struct pool_fiber *fiber, unsigned number)
{
    static struct ludus_site site = {"level", "pool.c", "f", 1, 0, 0, 0};
    ludus_fiber_switch(fiber->fiber);
    if (fiber->depth < 8 && number % 3 != 0) {
        fiber->scopes[fiber->depth++] = ludus_scope_begin(&site);
        fiber->begun++;
    } else if (fiber->depth > 0) {
        ludus_scope_end(&fiber->scopes[--fiber->depth]);
    }
    LUDUS_PROFILE_COUNT(turns, 1);
    ludus_fiber_switch(NULL);
}

static void *schedule(void *argument)
{
    unsigned number = (unsigned)(size_t)argument;
    for (int turn = 0; turn < TURNS; turn++) {
        number = number * 1664525u + 1013904223u;
        struct pool_fiber *fiber = &pool[(number >> 16) % POOL_FIBERS];
        pthread_mutex_lock(&fiber->lock);
        take_turn(fiber, number >> 8);
        pthread_mutex_unlock(&fiber->lock);
    }
    return NULL;
}

START_TEST(many_fibers_on_a_few_threads_keep_their_trees)
{
    struct ludus_recorder_config config = fixture_config("pool.lcap");
    struct ludus_recorder_result result;
    pthread_t threads[POOL_THREADS];
    uint64_t begun = 0;
    config.memory_bytes = 64u << 20;
    fixture_start(&config);
    for (int i = 0; i < POOL_FIBERS; i++) {
        char name[16];
        snprintf(name, sizeof name, "fiber %d", i);
        pthread_mutex_init(&pool[i].lock, NULL);
        pool[i].fiber = ludus_fiber_create(name);
    }
    for (size_t i = 0; i < POOL_THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, schedule, (void *)i), 0);
    for (int i = 0; i < POOL_THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < POOL_FIBERS; i++) {
        begun += pool[i].begun;
        ludus_fiber_destroy(pool[i].fiber);
    }
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(result.recorded.scopes + result.dropped.scopes, begun);
    ck_assert_uint_eq(result.dropped.scopes, 0);
    for (int i = 0; i < POOL_FIBERS; i++) {
        char name[16];
        snprintf(name, sizeof name, "fiber %d", i);
        const struct summary_track *track = summary_track_named(summary, name);
        ck_assert_uint_eq(track->begins, pool[i].begun);
        ck_assert_uint_eq(track->depth, (uint32_t)pool[i].depth);
    }
    ck_assert_uint_eq(summary->diagnostic_count, 0);
    summary_free(summary);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fibers");
    TCase *cases = tcase_create("fibers");
    tcase_add_checked_fixture(cases, fixture_setup, fixture_teardown);
    tcase_set_timeout(cases, 120);
    tcase_add_test(cases, a_scope_stays_open_while_its_fiber_moves_to_another_thread);
    tcase_add_test(cases, a_thread_that_ends_leaves_its_fiber_suspended);
    tcase_add_test(cases, scopes_of_an_earlier_recording_end_without_effect);
    tcase_add_test(cases, a_fiber_that_runs_is_not_given_to_another_thread);
    tcase_add_test(cases, a_scope_that_ends_in_another_fiber_is_told_with_both_names);
    tcase_add_test(cases, fibers_beyond_the_slots_lose_what_they_emit_exactly);
#ifndef IS_THREAD_SANITIZED
    tcase_add_test(cases, a_forked_child_can_go_on_with_its_fibers);
#endif
    tcase_add_test(cases, many_fibers_on_a_few_threads_keep_their_trees);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
