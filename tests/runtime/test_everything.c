/* Everything at once, over several recordings: threads that live and threads that come and go,
 * scopes, marks, frames, counters, gauges, flows, fibers, dynamic names, triggers and categories
 * that are switched, while recordings of everything and of hitches are started and stopped. Made
 * for the ThreadSanitizer; whatever the order, the numbers add up. */
#include <check.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "hitch_fixture.h"

enum { WORKERS = 3, FIBERS = 6, ROUNDS = 25, TURNS = 900, CHURNS = 30 };

static struct fiber_work {
    pthread_mutex_t lock;
    struct ludus_fiber *fiber;
    struct ludus_scope scope;
} fibers[FIBERS];

static _Atomic uint64_t last_flow;
static atomic_bool is_running;
static _Atomic uint64_t triggers; /* that were accepted in the present recording */

static void run_fiber(unsigned number)
{
    struct fiber_work *work = &fibers[number % FIBERS];
    pthread_mutex_lock(&work->lock);
    LUDUS_PROFILE_FIBER_SWITCH(work->fiber);
    if (work->scope.token != 0)
        ludus_scope_end(&work->scope);
    else
        work->scope = ludus_scope_begin(ludus_site_intern("fiber work", "Jobs"));
    LUDUS_PROFILE_FLOW_IN(atomic_load(&last_flow));
    LUDUS_PROFILE_FIBER_SWITCH(NULL);
    pthread_mutex_unlock(&work->lock);
}

static void emit_everything(unsigned number)
{
    char name[32];
    snprintf(name, sizeof name, "name %u", number % 50);
    LUDUS_PROFILE_SCOPE(turn, LUDUS_PROFILE_CAT(Turns));
    {
        LUDUS_PROFILE_SCOPE_NAMED(name, "Names");
        LUDUS_PROFILE_COUNT(turns, 1, LUDUS_PROFILE_CAT(Counters));
        LUDUS_PROFILE_COUNT(bytes, number);
        LUDUS_PROFILE_GAUGE(number, number);
    }
    atomic_store(&last_flow, LUDUS_PROFILE_FLOW_OUT(handed over, LUDUS_PROFILE_CAT(Flows)));
    run_fiber(number);
    if (number % 7 == 0)
        LUDUS_PROFILE_MARK(seventh);
    if (number % 97 == 0 && ludus_recorder_trigger(name, NULL) == LUDUS_OK)
        atomic_fetch_add(&triggers, 1);
}

static void *work(void *argument)
{
    unsigned number = (unsigned)(size_t)argument;
    LUDUS_PROFILE_THREAD("worker");
    while (atomic_load(&is_running)) {
        number = number * 1664525u + 1013904223u;
        emit_everything(number >> 16);
        sched_yield();
    }
    return NULL;
}

static void *live_briefly(void *argument)
{
    emit_everything((unsigned)(size_t)argument);
    return NULL;
}

static void expect_no_oddity(const struct summary *summary)
{
    ck_assert_ptr_null(summary_diagnostic(summary, LCAP_DIAGNOSTIC_WRONG_THREAD));
    ck_assert_ptr_null(summary_diagnostic(summary, LCAP_DIAGNOSTIC_LEFT_OPEN));
    ck_assert_ptr_null(summary_diagnostic(summary, LCAP_DIAGNOSTIC_FIBER_MISUSED));
}

static void expect_numbers(const struct ludus_recorder_result *result)
{
    ck_assert_uint_gt(result->recorded.scopes, 0);
    ck_assert_uint_gt(result->recorded.flows + result->dropped.flows, 0);
    ck_assert_uint_eq(result->recorded.frames + result->dropped.frames, TURNS + TURNS / 3);
}

static void check_capture(void)
{
    struct ludus_recorder_result result;
    struct summary *summary = fixture_stop_and_read(&result);
    expect_numbers(&result);
    expect_no_oddity(summary);
    summary_free(summary);
}

/* All that were made, by calls and by frames. Those that were being made at the stop may or may not
 * be told. */
static void check_captures(void)
{
    static struct hitch_files files;
    const uint64_t fired = atomic_load(&triggers);
    const struct ludus_recorder_result result = fixture_stop();
    uint64_t told = 0;
    size_t found = 0;
    expect_numbers(&result);
    ck_assert_uint_eq(result.captures_failed, 0);
    hitch_find_files(&files);
    for (size_t i = 0; i < files.count; i++) {
        struct summary *summary = summary_read(files.paths[i]);
        if (summary->has_window) {
            summary_check_whole(summary);
            expect_no_oddity(summary);
            told += summary->trigger_count;
            found++;
        }
        summary_free(summary);
        unlink(files.paths[i]);
    }
    ck_assert_uint_eq(found, result.captures);
    ck_assert_uint_ge(told + result.triggers_missed, fired);
}

static void record(int round)
{
    static const char *const categories[] = {"Turns", "Names", "Counters", "Flows", "*"};
    char file[32];
    snprintf(file, sizeof file, "everything-%d.lcap", round);
    struct ludus_recorder_config config = fixture_config(file);
    config.flush_interval_ms = 3;
    config.max_threads = 32;
    config.max_sites = 256;
    config.memory_bytes = 8u << 20;
    config.clock = round % 2 == 0 ? LUDUS_CLOCK_AUTO : LUDUS_CLOCK_MONOTONIC;
    if (round % 3 == 1) {
        config.retention = LUDUS_RETAIN_HITCHES;
        config.hitch.window_bytes = 512u << 10; /* it rolls on */
        config.hitch.frame_limit_us = 2000;
        config.hitch.before_ms = 20;
        config.hitch.after_ms = 5;
    }
    atomic_store(&triggers, 0);
    fixture_start(&config);
    for (int turn = 0; turn < TURNS; turn++) {
        LUDUS_PROFILE_FRAME();
        if (turn % 3 == 0)
            LUDUS_PROFILE_FRAME(Render);
        emit_everything((unsigned)turn);
        if (turn % 10 == 0)
            ck_assert_int_eq(
                ludus_recorder_set_category(categories[turn / 10 % 5], turn / 50 % 2 == 1, NULL),
                LUDUS_OK);
        if (turn % (TURNS / CHURNS) == 0) {
            pthread_t thread;
            ck_assert_int_eq(pthread_create(&thread, NULL, live_briefly, (void *)(size_t)turn), 0);
            pthread_join(thread, NULL);
        }
    }
    ck_assert_int_eq(ludus_recorder_set_category("*", 1, NULL), LUDUS_OK);
    /* Stopped while the workers go on; reading checks ids, order and nesting of all that was. */
    if (config.retention == LUDUS_RETAIN_HITCHES)
        check_captures();
    else
        check_capture();
}

START_TEST(all_features_at_once_over_several_recordings)
{
    pthread_t workers[WORKERS];
    for (int i = 0; i < FIBERS; i++) {
        pthread_mutex_init(&fibers[i].lock, NULL);
        fibers[i].fiber = LUDUS_PROFILE_FIBER_CREATE("job");
    }
    atomic_store(&is_running, true);
    for (size_t i = 0; i < WORKERS; i++)
        ck_assert_int_eq(pthread_create(&workers[i], NULL, work, (void *)i), 0);
    for (int round = 0; round < ROUNDS; round++)
        record(round);
    atomic_store(&is_running, false);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    for (int i = 0; i < FIBERS; i++)
        LUDUS_PROFILE_FIBER_DESTROY(fibers[i].fiber);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("everything");
    TCase *cases = tcase_create("everything");
    tcase_add_checked_fixture(cases, fixture_setup, fixture_teardown);
    tcase_set_timeout(cases, 240);
    tcase_add_test(cases, all_features_at_once_over_several_recordings);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
