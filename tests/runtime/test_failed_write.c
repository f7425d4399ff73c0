/* Fails each write of a recording in turn, once: whatever the recorder was about to write, the file
 * defines all that it names, and nothing is lost without being counted. */
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recorder_core.h"
#include "recorder_fixture.h"
#include "write_gate.h"

#define MOST_WRITES 200u

static atomic_bool may_leave;
static atomic_bool has_emitted;

/* A thread that lives on until after the stop, so that what it loses is told as its track's. */
static void *emit_and_stay(void *argument)
{
    LUDUS_PROFILE_THREAD("stays");
    LUDUS_PROFILE_MARK(once, LUDUS_PROFILE_CAT(Stay));
    atomic_store(&has_emitted, true);
    while (!atomic_load(&may_leave))
        fixture_sleep_ms(1);
    LUDUS_PROFILE_MARK(again, LUDUS_PROFILE_CAT(Leave));
    (void)argument;
    return NULL;
}

static void pass(void)
{
    fixture_sleep_ms(4);
}

/* What every pass of the collector finds is new: sites, categories, names, tracks, domains, losses.
 * Returns how many instants it has emitted. */
static uint64_t emit_through_passes(pthread_t *staying)
{
    LUDUS_PROFILE_THREAD("first name");
    LUDUS_PROFILE_MARK(first, LUDUS_PROFILE_CAT(First));
    pass();
    LUDUS_PROFILE_THREAD("second name");
    LUDUS_PROFILE_MARK(second, LUDUS_PROFILE_CAT(Second));
    LUDUS_PROFILE_FRAME();
    pass();
    atomic_store(&may_leave, false);
    atomic_store(&has_emitted, false);
    ck_assert_int_eq(pthread_create(staying, NULL, emit_and_stay, NULL), 0);
    while (!atomic_load(&has_emitted))
        fixture_sleep_ms(1);
    pass();
    LUDUS_PROFILE_MARK(third, LUDUS_PROFILE_CAT(Third));
    LUDUS_PROFILE_FRAME(Other);
    pass();
    return 4;
}

/* Records with write `number` failing. False: there is no such write. */
static bool record_with_a_failure(unsigned number)
{
    struct ludus_recorder_config config = fixture_config("failed.lcap");
    struct ludus_recorder_result result;
    pthread_t staying;
    config.flush_interval_ms = 1;
    write_gate_fail(number);
    if (ludus_recorder_start(&config, NULL) != LUDUS_OK) {
        ck_assert(write_gate_has_failed());
        ck_assert_int_eq(access(config.path, F_OK), -1);
        return true;
    }
    const uint64_t emitted = emit_through_passes(&staying);
    enum ludus_status status = ludus_recorder_stop(&result, NULL);
    atomic_store(&may_leave, true);
    pthread_join(staying, NULL);
    const bool has_failed = write_gate_has_failed();
    write_gate_fail(0);
    if (status != LUDUS_OK) { /* it failed at the end: there was no other try before stop */
        ck_assert(has_failed);
        ck_assert_uint_eq(result.recorded.instants + result.dropped.instants, emitted);
        unlink(config.path);
        config.path = fixture_path("retried.lcap");
        status = ludus_recorder_retry(config.path, &result, NULL);
    }
    ck_assert_int_eq(status, LUDUS_OK);
    ck_assert_uint_eq(result.recorded.instants + result.dropped.instants, emitted);
    ck_assert_uint_eq(result.recorded.frames + result.dropped.frames, 2);
    struct summary *summary = summary_read(config.path);
    ck_assert_msg(summary->damages == 0 && summary->undefined == 0,
                  "write %u: %llu damages, %llu ids that are not defined", number,
                  (unsigned long long)summary->damages, (unsigned long long)summary->undefined);
    ck_assert_uint_eq(summary->instants, result.recorded.instants);
    ck_assert(summary->is_finished);
    ck_assert_uint_eq(summary_loss(summary, 0).counts.instants, result.dropped.instants);
    summary_free(summary);
    unlink(config.path);
    return has_failed;
}

START_TEST(after_any_failed_write_the_file_defines_what_it_names)
{
    unsigned number = 1;
    while (number < MOST_WRITES && record_with_a_failure(number))
        number++;
    ck_assert_uint_gt(number, 10); /* a recording has more writes than these */
    ck_assert_uint_lt(number, MOST_WRITES);
}
END_TEST

START_TEST(writes_that_take_a_part_or_are_interrupted_are_gone_on_with)
{
    static const size_t sizes[] = {1, 7, 1000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct ludus_recorder_config config = fixture_config("short.lcap");
        struct ludus_recorder_result result;
        write_gate_shorten(sizes[i]);
        fixture_start(&config);
        for (int k = 0; k < 1000; k++) {
            LUDUS_PROFILE_SCOPE(by pieces);
        }
        struct summary *summary = fixture_stop_and_read(&result);
        write_gate_shorten(0);
        ck_assert_uint_eq(result.recorded.scopes, 1000);
        summary_free(summary);
        unlink(config.path);
    }
}
END_TEST

/* The disk is full in the middle of a block: what it took of it is taken back. */
START_TEST(a_block_that_is_written_in_part_is_no_damage)
{
    const struct ludus_recorder_config config = fixture_config("part.lcap");
    struct ludus_recorder_result result;
    fixture_start(&config);
    pass();
    write_gate_shorten(100);
    write_gate_fail(5);
    LUDUS_PROFILE_MARK(one);
    for (int k = 0; k < 20000 && !write_gate_has_failed(); k++) {
        LUDUS_PROFILE_SCOPE(filling);
    }
    while (!write_gate_has_failed())
        fixture_sleep_ms(1);
    struct summary *summary = summary_read(config.path);
    ck_assert_uint_eq(summary->damages, 0);
    summary_free(summary);
    write_gate_shorten(0);
    summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(result.recorded.instants, 1);
    summary_free(summary);
}
END_TEST

/* The linker's names for the recorder's own call and for what it would have called. */
enum ludus_status __real_ludus_collector_start(struct ludus_collector *collector,
                                               struct ludus_error *error);
enum ludus_status __wrap_ludus_collector_start(struct ludus_collector *collector,
                                               struct ludus_error *error);

static bool start_waits_for_failure;

/* Comes back from starting the collector only when that has already met its failure. */
enum ludus_status __wrap_ludus_collector_start(struct ludus_collector *collector,
                                               struct ludus_error *error)
{
    const enum ludus_status status = __real_ludus_collector_start(collector, error);
    while (start_waits_for_failure && !atomic_load(&ludus_core.tracks.has_failed))
        fixture_sleep_ms(1);
    return status;
}

START_TEST(a_write_that_fails_before_start_returns_leaves_a_failed_recorder)
{
    struct ludus_recorder_config config = fixture_config("early.lcap");
    struct ludus_recorder_result result;
    config.clock = LUDUS_CLOCK_MONOTONIC; /* needs no calibration at the beginning */
    write_gate_fail(4);                   /* the first after those that begin the capture */
    start_waits_for_failure = true;
    const enum ludus_status status = ludus_recorder_start(&config, NULL);
    start_waits_for_failure = false;
    ck_assert_int_eq(status, LUDUS_OK);
    ck_assert_int_eq(ludus_recorder_state(), LUDUS_RECORDER_FAILED);
    LUDUS_PROFILE_MARK(too late);
    ck_assert_int_eq(ludus_recorder_stop(&result, NULL), LUDUS_OK); /* there is room again */
    ck_assert_uint_eq(result.dropped.instants, 1);
    ck_assert_int_eq(ludus_recorder_state(), LUDUS_RECORDER_IDLE);
}
END_TEST

static bool statx_fails, fstat_fails;
int __real_fstat(int fd, struct stat *found);
int __wrap_fstat(int fd, struct stat *found);

int __wrap_fstat(int fd, struct stat *found)
{
    if (!fstat_fails)
        return __real_fstat(fd, found);
    errno = EPERM;
    return -1;
}

int __real_statx(int folder, const char *path, int flags, unsigned mask, struct statx *found);
int __wrap_statx(int folder, const char *path, int flags, unsigned mask, struct statx *found);

int __wrap_statx(int folder, const char *path, int flags, unsigned mask, struct statx *found)
{
    if (!statx_fails)
        return __real_statx(folder, path, flags, mask, found);
    errno = EPERM;
    return -1;
}

static int next_descriptor(void)
{
    const int fd = dup(STDERR_FILENO);
    ck_assert_int_ge(fd, 0);
    close(fd);
    return fd;
}

START_TEST(a_file_that_cannot_be_looked_at_is_not_left_behind)
{
    const struct ludus_recorder_config config = fixture_config("unseen.lcap");
    struct ludus_error error;
    const int before = next_descriptor();
    statx_fails = fstat_fails = true;
    const enum ludus_status status = ludus_recorder_start(&config, &error);
    statx_fails = fstat_fails = false;
    ck_assert_int_eq(status, LUDUS_ERROR_WRITE);
    ck_assert_ptr_nonnull(strstr(error.message, "cannot be created: Operation not permitted"));
    ck_assert_int_eq(access(config.path, F_OK), -1);
    ck_assert_int_eq(next_descriptor(), before);
}
END_TEST

START_TEST(a_sandbox_without_statx_can_record)
{
    struct ludus_recorder_config config = fixture_config("sandbox.lcap");
    struct ludus_recorder_result result;
    statx_fails = true;
    fixture_start(&config);
    LUDUS_PROFILE_MARK(here);
    summary_free(fixture_stop_and_read(&result));
    ck_assert_uint_eq(result.recorded.instants, 1);
    config.path = fixture_path("entered.lcap");
    statx_fails = false;
    fixture_start(&config);
    statx_fails = true; /* forbidden meanwhile */
    LUDUS_PROFILE_MARK(there);
    summary_free(fixture_stop_and_read(&result));
    statx_fails = false;
    ck_assert_uint_eq(result.recorded.instants, 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("failed write");
    TCase *cases = tcase_create("failed write");
    tcase_add_checked_fixture(cases, fixture_setup, fixture_teardown);
    tcase_add_test(cases, after_any_failed_write_the_file_defines_what_it_names);
    tcase_add_test(cases, writes_that_take_a_part_or_are_interrupted_are_gone_on_with);
    tcase_add_test(cases, a_block_that_is_written_in_part_is_no_damage);
    tcase_add_test(cases, a_write_that_fails_before_start_returns_leaves_a_failed_recorder);
    tcase_add_test(cases, a_file_that_cannot_be_looked_at_is_not_left_behind);
    tcase_add_test(cases, a_sandbox_without_statx_can_record);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
