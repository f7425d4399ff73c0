/* A thread may be stopped by the system in the middle of an emitting call for any time, also while
 * the recording around it ends and the next one begins: nothing crashes, and what others record is
 * whole. */
#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "held_chunk_pool.h"
#include "recorder_fixture.h"

#define CHUNK_EVENTS 1020 /* that fit into a thread's first chunk; more need another */

static _Thread_local int takes_until_held; /* 0: this thread is never held */
static atomic_bool is_held;
static atomic_bool may_go_on;

void held_pool_wait(void)
{
    if (takes_until_held == 0 || --takes_until_held > 0)
        return;
    atomic_store(&is_held, true);
    while (!atomic_load(&may_go_on))
        fixture_sleep_ms(1);
}

static void *get_stuck(void *argument)
{
    takes_until_held = 2; /* the first is taken when the thread attaches */
    for (int i = 0; i < CHUNK_EVENTS + 100; i++)
        LUDUS_PROFILE_MARK(before and after);
    (void)argument;
    return NULL;
}

static pthread_t start_and_get_stuck(const char *name)
{
    const struct ludus_recorder_config config = fixture_config(name);
    pthread_t thread;
    atomic_store(&is_held, false);
    atomic_store(&may_go_on, false);
    fixture_start(&config);
    ck_assert_int_eq(pthread_create(&thread, NULL, get_stuck, NULL), 0);
    while (!atomic_load(&is_held))
        fixture_sleep_ms(1);
    return thread;
}

static void release(pthread_t thread)
{
    atomic_store(&may_go_on, true);
    pthread_join(thread, NULL);
}

START_TEST(a_thread_stuck_while_it_takes_a_chunk_survives_the_stop)
{
    struct ludus_recorder_result result;
    pthread_t thread = start_and_get_stuck("stuck.lcap");
    struct summary *summary = fixture_stop_and_read(&result);
    release(thread);
    ck_assert_uint_eq(result.recorded.instants, CHUNK_EVENTS);
    ck_assert_uint_eq(result.dropped.instants, 0);
    summary_free(summary);
}
END_TEST

START_TEST(a_thread_that_wakes_in_the_next_recording_leaves_its_memory_alone)
{
    struct ludus_recorder_config config = fixture_config("second.lcap");
    struct ludus_recorder_result result;
    pthread_t thread = start_and_get_stuck("first.lcap");
    fixture_stop();
    config.flush_interval_ms = 60000; /* no chunk is read, nor comes back, before the stop */
    fixture_start(&config);
    for (int i = 0; i < 10 * CHUNK_EVENTS; i++)
        LUDUS_PROFILE_MARK(in the second);
    release(thread);
    struct summary *summary = fixture_stop_and_read(&result);
    /* The call that was held up belongs to no recording; those after it are in the second. */
    ck_assert_uint_eq(result.recorded.instants, 10 * CHUNK_EVENTS + 99);
    ck_assert_uint_eq(result.dropped.instants, 0);
    ck_assert_uint_eq(summary->track_count, 2);
    ck_assert_uint_eq(summary->tracks[0].count, 10 * CHUNK_EVENTS);
    ck_assert_uint_eq(summary->tracks[1].count, 99);
    summary_free(summary);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("stuck thread");
    TCase *cases = tcase_create("stuck thread");
    tcase_add_checked_fixture(cases, fixture_setup, fixture_teardown);
    tcase_add_test(cases, a_thread_stuck_while_it_takes_a_chunk_survives_the_stop);
    tcase_add_test(cases, a_thread_that_wakes_in_the_next_recording_leaves_its_memory_alone);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
