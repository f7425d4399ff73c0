/* Starts and stops a thousand recordings in one process while threads emit all the time: each
 * capture is whole and says the same as its result, and nothing is left over. */
#include <check.h>
#include <dirent.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder_fixture.h"

#if defined(IS_THREAD_SANITIZED)
#define CYCLES 60u
#elif defined(IS_ADDRESS_SANITIZED)
#define CYCLES 200u
#else
#define CYCLES 1000u
#endif

#define THREADS         4
#define GROWTH_BYTES    (1u << 20)
#define ALLOCATED_BYTES (256u << 10) /* free pieces that the C library keeps count as allocated */

static atomic_bool is_over;
static atomic_uint bursts;

/* Scopes are nested, so that starts and stops cut through. */
static void *emit_always(void *argument)
{
    while (!atomic_load(&is_over)) {
        LUDUS_PROFILE_SCOPE(outer);
        for (int i = 0; i < 40; i++) {
            LUDUS_PROFILE_SCOPE(inner);
            LUDUS_PROFILE_MARK(mark);
            LUDUS_PROFILE_COUNT(count, 1);
        }
        LUDUS_PROFILE_FRAME(Storm);
        atomic_fetch_add(&bursts, 1);
        sched_yield();
    }
    return argument;
}

static unsigned entries_of(const char *folder)
{
    unsigned count = 0;
    DIR *dir = opendir(folder);
    ck_assert_ptr_nonnull(dir);
    while (readdir(dir) != NULL)
        count++;
    closedir(dir);
    return count;
}

struct holdings {
    uint64_t resident_bytes;
    uint64_t allocated_bytes;
    unsigned descriptors;
    unsigned threads;
};

static struct holdings holdings(void)
{
    malloc_trim(0);
    const struct mallinfo2 heap = mallinfo2();
    return (struct holdings){fixture_resident_bytes(), heap.uordblks + heap.hblkhd,
                             entries_of("/proc/self/fd"), entries_of("/proc/self/task")};
}

/* Records some of the storm; returns how many scopes. */
static uint64_t record_a_moment(unsigned cycle)
{
    struct ludus_recorder_config config = fixture_config("moment.lcap");
    struct ludus_recorder_result result;
    config.memory_bytes = cycle % 2 != 0 ? 4u << 20 : 5u << 20;
    config.max_sites = 64;
    config.max_threads = THREADS + 1;
    config.clock = cycle % 10 == 0 ? LUDUS_CLOCK_AUTO : LUDUS_CLOCK_MONOTONIC;
    config.flush_interval_ms = cycle % 3 == 0 ? 1 : 1000;
    fixture_start(&config);
    for (unsigned i = 0; i < cycle % 7; i++) {
        LUDUS_PROFILE_SCOPE(own);
    }
    LUDUS_PROFILE_FRAME();
    const unsigned begun = atomic_load(&bursts);
    while (atomic_load(&bursts) - begun < cycle % 20)
        sched_yield();
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_le(summary->track_count, THREADS + 1);
    const struct summary_track *own = summary_track_named(summary, "main");
    ck_assert_uint_eq(own != NULL ? own->begins : 0, cycle % 7);
    for (size_t i = 0; i < summary->mark_count; i++) {
        const uint32_t domain = summary->marks[i].domain;
        if (strcmp(summary_text(summary, summary->domains[domain - 1].name), "Frame") == 0)
            ck_assert_uint_eq(summary->marks[i].ordinal, 0); /* counted afresh */
    }
    ck_assert_uint_le(result.scopes_open, 2 * THREADS);
    ck_assert_int_eq(ludus_recorder_state(), LUDUS_RECORDER_IDLE);
    summary_free(summary);
    unlink(result.path);
    return result.recorded.scopes;
}

START_TEST(a_thousand_recordings_of_a_storm_leave_nothing_behind)
{
    pthread_t threads[THREADS];
    struct holdings before = {0};
    uint64_t scopes = 0;
    LUDUS_PROFILE_THREAD("main");
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, emit_always, NULL), 0);
    for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
        if (cycle == CYCLES / 4)
            before = holdings();
        scopes += record_a_moment(cycle);
    }
    const struct holdings after = holdings();
    atomic_store(&is_over, true);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("%u recordings, %llu scopes: resident %+lld bytes, allocated %+lld\n", CYCLES,
           (unsigned long long)scopes, (long long)(after.resident_bytes - before.resident_bytes),
           (long long)(after.allocated_bytes - before.allocated_bytes));
    ck_assert_uint_gt(scopes, CYCLES);
    ck_assert_uint_eq(after.descriptors, before.descriptors);
    ck_assert_uint_eq(after.threads, before.threads);
#if !defined(IS_THREAD_SANITIZED) && !defined(IS_ADDRESS_SANITIZED)
    ck_assert_uint_le(after.allocated_bytes, before.allocated_bytes + ALLOCATED_BYTES);
    ck_assert_uint_le(after.resident_bytes, before.resident_bytes + GROWTH_BYTES);
#endif
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("restarts");
    TCase *cases = tcase_create("restarts");
    tcase_add_checked_fixture(cases, fixture_setup, fixture_teardown);
    tcase_add_test(cases, a_thousand_recordings_of_a_storm_leave_nothing_behind);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
