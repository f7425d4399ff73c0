/* Threads that come and go by the ten thousand: each finds room as soon as those before it are
 * written, nothing is lost, and memory does not grow. */
#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "recorder_fixture.h"

#if defined(IS_THREAD_SANITIZED)
#define THREADS 2000u
#elif defined(IS_ADDRESS_SANITIZED)
#define THREADS 6400u
#else
#define THREADS 40000u
#endif

#define GROWTH_BYTES (1u << 20) /* of the C library's own lists, at most */

/* The linker's names for the wait of a new thread and for what it would have called. */
int __real_pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                  clockid_t clock, const struct timespec *deadline);
int __wrap_pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                  clockid_t clock, const struct timespec *deadline);

static atomic_uint waits;

/* A busy machine may keep the collector from its pass for longer than a thread waits for it. Here
 * the wait is long enough for any. */
int __wrap_pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                  clockid_t clock, const struct timespec *deadline)
{
    struct timespec later = *deadline;
    later.tv_sec += 60;
    atomic_fetch_add(&waits, 1);
    return __real_pthread_cond_clockwait(condition, mutex, clock, &later);
}

static void *live_shortly(void *argument)
{
    LUDUS_PROFILE_SCOPE(short life);
    LUDUS_PROFILE_COUNT(lives, 1);
    if (argument != NULL)
        pthread_exit(argument);
    return NULL;
}

static void run_thread(unsigned number)
{
    pthread_t thread;
    static int something;
    ck_assert_int_eq(pthread_create(&thread, NULL, live_shortly, number % 2 ? &something : NULL),
                     0);
    pthread_join(thread, NULL);
}

static struct ludus_recorder_config small_config(const char *name, uint32_t max_threads)
{
    struct ludus_recorder_config config = fixture_config(name);
    config.max_threads = max_threads;
    config.flush_interval_ms = 1000; /* only those who need room wake the collector */
    return config;
}

/* Every thread has a track with one scope, and has counted one. */
static void expect_all(const struct summary *summary, const struct ludus_recorder_result *result,
                       uint64_t threads)
{
    ck_assert_uint_eq(result->dropped.scopes, 0);
    ck_assert_uint_eq(result->recorded.scopes, threads);
    ck_assert_uint_eq(summary->track_count, threads);
    ck_assert_uint_eq(summary->undefined, 0);
    ck_assert_uint_eq(summary->diagnostic_count, 0);
    for (size_t i = 0; i < summary->track_count; i++) {
        ck_assert_uint_eq(summary->tracks[i].begins, 1);
        ck_assert_uint_eq(summary->tracks[i].depth, 0);
        ck_assert_uint_ne(summary->tracks[i].record.end_tick, 0);
    }
}

START_TEST(threads_in_a_row_lose_nothing_and_take_no_more_memory)
{
    const struct ludus_recorder_config config = small_config("row.lcap", 16);
    struct ludus_recorder_result result;
    atomic_store(&waits, 0);
    fixture_start(&config);
    for (unsigned i = 0; i < THREADS / 8; i++)
        run_thread(i);
    const uint64_t before = fixture_resident_bytes();
    for (unsigned i = THREADS / 8; i < THREADS; i++)
        run_thread(i);
    const uint64_t after = fixture_resident_bytes();
    struct summary *summary = fixture_stop_and_read(&result);
    printf("%u threads in 16 slots: %llu lost, %u waits for a slot, resident %+lld bytes\n",
           THREADS, (unsigned long long)result.dropped.scopes, atomic_load(&waits),
           (long long)(after - before));
    expect_all(summary, &result, THREADS);
#if !defined(IS_THREAD_SANITIZED) && !defined(IS_ADDRESS_SANITIZED)
    ck_assert_uint_le(after, before + GROWTH_BYTES);
#endif
    summary_free(summary);
}
END_TEST

#define CREATORS 4u

static void *create_threads(void *argument)
{
    for (unsigned i = 0; i < THREADS / CREATORS / 4; i++)
        run_thread(i);
    return argument;
}

/* The creators emit nothing: four threads at a time are all, in as many slots. */
START_TEST(creators_side_by_side_share_the_slots)
{
    const struct ludus_recorder_config config = small_config("creators.lcap", CREATORS);
    struct ludus_recorder_result result;
    pthread_t creators[CREATORS];
    fixture_start(&config);
    for (unsigned i = 0; i < CREATORS; i++)
        ck_assert_int_eq(pthread_create(&creators[i], NULL, create_threads, NULL), 0);
    for (unsigned i = 0; i < CREATORS; i++)
        pthread_join(creators[i], NULL);
    struct summary *summary = fixture_stop_and_read(&result);
    expect_all(summary, &result, THREADS / CREATORS / 4 * CREATORS);
    ck_assert_uint_gt(atomic_load(&waits), 0);
    summary_free(summary);
}
END_TEST

static atomic_bool may_end;

static void *live_on(void *argument)
{
    LUDUS_PROFILE_SCOPE(long life);
    atomic_fetch_add((atomic_uint *)argument, 1);
    while (!atomic_load(&may_end))
        fixture_sleep_ms(1);
    return NULL;
}

START_TEST(nobody_waits_for_threads_that_live)
{
    const struct ludus_recorder_config config = small_config("full.lcap", 2);
    struct ludus_recorder_result result;
    pthread_t threads[2];
    atomic_uint running = 0;
    atomic_store(&may_end, false);
    atomic_store(&waits, 0);
    fixture_start(&config);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, live_on, &running), 0);
    while (atomic_load(&running) < 2)
        fixture_sleep_ms(1);
    for (unsigned i = 0; i < 10; i++)
        run_thread(i);
    ck_assert_uint_eq(atomic_load(&waits), 0);
    atomic_store(&may_end, true);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(result.recorded.scopes, 2);
    ck_assert_uint_eq(result.dropped.scopes, 10);
    ck_assert_uint_eq(summary_loss(summary, LCAP_LOSS_TOO_MANY_THREADS).counts.scopes, 10);
    summary_free(summary);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("churn");
    TCase *cases = tcase_create("churn");
    tcase_add_checked_fixture(cases, fixture_setup, fixture_teardown);
    tcase_set_timeout(cases, 120);
    /* First, while the table has no more slots than it asks for. */
    tcase_add_test(cases, nobody_waits_for_threads_that_live);
    tcase_add_test(cases, creators_side_by_side_share_the_slots);
    tcase_add_test(cases, threads_in_a_row_lose_nothing_and_take_no_more_memory);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
