/* Captures that cannot be created or written, and configurations that are refused: nothing is lost
 * without being counted, nothing is left behind, the message says what to do. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recorder_fixture.h"

static void expect_refusal(const struct ludus_recorder_config *config, enum ludus_status status,
                           const char *word)
{
    struct ludus_error error;
    ck_assert_int_eq(ludus_recorder_start(config, &error), status);
    ck_assert_int_eq(error.status, status);
    ck_assert_msg(strstr(error.message, word) != NULL, "\"%s\" lacks \"%s\"", error.message, word);
    ck_assert_ptr_null(strchr(error.message, '\n'));
    ck_assert_int_eq(ludus_recorder_state(), LUDUS_RECORDER_IDLE);
    ck_assert(!ludus_gate_is_open(0));
}

START_TEST(values_out_of_range_are_refused)
{
    struct ludus_recorder_config config = fixture_config("range.lcap");
    config.max_sites = 63;
    expect_refusal(&config, LUDUS_ERROR_ARGUMENT, "max_sites");
    config = fixture_config("range.lcap");
    config.max_threads = 4097;
    expect_refusal(&config, LUDUS_ERROR_ARGUMENT, "4096");
    config = fixture_config("range.lcap");
    config.compression_level = 20;
    expect_refusal(&config, LUDUS_ERROR_ARGUMENT, "compression_level");
    config = fixture_config("range.lcap");
    config.flush_interval_ms = 60001;
    expect_refusal(&config, LUDUS_ERROR_ARGUMENT, "flush_interval_ms");
    config = fixture_config("range.lcap");
    config.memory_bytes = 1 << 20;
    expect_refusal(&config, LUDUS_ERROR_ARGUMENT, "memory_bytes");
    config.path = NULL;
    config.memory_bytes = 0;
    expect_refusal(&config, LUDUS_ERROR_ARGUMENT, "path");
    ck_assert_int_eq(access(fixture_path("range.lcap"), F_OK), -1);
}
END_TEST

START_TEST(a_budget_that_is_too_small_is_refused_with_the_smallest_that_is_not)
{
    struct ludus_recorder_config config = fixture_config("budget.lcap");
    struct ludus_error error;
    config.max_threads = 4096;
    expect_refusal(&config, LUDUS_ERROR_ARGUMENT, "at least");
    ck_assert_int_eq(ludus_recorder_start(&config, &error), LUDUS_ERROR_ARGUMENT);
    config.memory_bytes = strtoull(strstr(error.message, "at least ") + 9, NULL, 10);
    fixture_start(&config);
    LUDUS_PROFILE_MARK(fits);
    const struct ludus_recorder_result result = fixture_stop();
    ck_assert_uint_eq(result.recorded.instants, 1);
    ck_assert_uint_le(result.memory_bytes, config.memory_bytes);
    config.path = fixture_path("budget2.lcap");
    config.memory_bytes--;
    expect_refusal(&config, LUDUS_ERROR_ARGUMENT, "at least");
}
END_TEST

START_TEST(any_budget_works_when_no_other_limit_is_set)
{
    static const unsigned budgets_mib[] = {1, 2, 3, 4, 6, 8, 12, 16};
    for (size_t i = 0; i < sizeof budgets_mib / sizeof *budgets_mib; i++) {
        struct ludus_recorder_config config = ludus_recorder_config_default();
        char name[32];
        snprintf(name, sizeof name, "budget%u.lcap", budgets_mib[i]);
        config.path = fixture_path(name);
        config.memory_bytes = (uint64_t)budgets_mib[i] << 20;
        fixture_start(&config);
        for (int k = 0; k < 100; k++) {
            LUDUS_PROFILE_SCOPE(fits);
            LUDUS_PROFILE_COUNT(fits, 1);
            LUDUS_PROFILE_SCOPE_NAMED("fits", NULL);
        }
        struct ludus_recorder_result result;
        struct summary *summary = fixture_stop_and_read(&result);
        ck_assert_uint_eq(result.recorded.scopes, 200);
        ck_assert_uint_le(result.memory_bytes, config.memory_bytes);
        ck_assert_uint_ge(result.memory_bytes, config.memory_bytes - (32u << 10));
        ck_assert_uint_eq(summary->diagnostic_count, 0);
        summary_free(summary);
    }
}
END_TEST

START_TEST(the_environment_gives_memory)
{
    static const struct {
        const char *given;
        uint64_t bytes;
    } cases[] = {{"6MiB", 6u << 20}, {"24MiB", 24u << 20}, {"", 8u << 20}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ludus_recorder_config config = ludus_recorder_config_default();
        char name[32];
        snprintf(name, sizeof name, "memory%zu.lcap", i);
        config.path = fixture_path(name);
        config.memory_bytes = 8u << 20;
        setenv("LUDUS_MEMORY", cases[i].given, 1);
        fixture_start(&config);
        const uint64_t bytes = fixture_stop().memory_bytes;
        ck_assert_uint_le(bytes, cases[i].bytes);
        ck_assert_uint_ge(bytes, cases[i].bytes - (32u << 10));
    }
    unsetenv("LUDUS_MEMORY");
}
END_TEST

START_TEST(memory_that_is_none_is_refused)
{
    static const char *const cases[] = {"64",         "64M",    "64MB",   "0MiB",   "-1MiB",
                                        "MiB",        " 64MiB", "64 MiB", "64MiB ", "1.5GiB",
                                        "1000000MiB", "much",   "64mib",  "+1MiB",  "0x40MiB"};
    const struct ludus_recorder_config config = fixture_config("refused.lcap");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setenv("LUDUS_MEMORY", cases[i], 1);
        expect_refusal(&config, LUDUS_ERROR_ARGUMENT, "LUDUS_MEMORY");
    }
    setenv("LUDUS_MEMORY", "999999GiB", 1);
    expect_refusal(&config, LUDUS_ERROR_ARGUMENT, "memory_bytes");
    unsetenv("LUDUS_MEMORY");
    ck_assert_int_eq(access(config.path, F_OK), -1);
}
END_TEST

START_TEST(an_existing_file_is_never_overwritten)
{
    const struct ludus_recorder_config config = fixture_config("exists.lcap");
    FILE *file = fopen(config.path, "w");
    ck_assert_ptr_nonnull(file);
    fputs("precious", file);
    fclose(file);
    expect_refusal(&config, LUDUS_ERROR_EXISTS, "exists.lcap");
    struct stat info;
    ck_assert_int_eq(stat(config.path, &info), 0);
    ck_assert_int_eq(info.st_size, 8);
}
END_TEST

START_TEST(a_folder_that_cannot_be_written_is_reported)
{
    struct ludus_recorder_config config = fixture_config("missing/capture.lcap");
    expect_refusal(&config, LUDUS_ERROR_WRITE, "missing/capture.lcap");
    static char long_path[2000];
    memset(long_path, 'p', sizeof long_path - 1);
    config.path = long_path;
    expect_refusal(&config, LUDUS_ERROR_ARGUMENT, "path");
    config.path = "/proc/capture.lcap";
    expect_refusal(&config, LUDUS_ERROR_WRITE, "/proc/capture.lcap");
}
END_TEST

START_TEST(start_and_stop_are_refused_in_the_wrong_state)
{
    const struct ludus_recorder_config config = fixture_config("state.lcap");
    const struct ludus_recorder_config other = fixture_config("state2.lcap");
    struct ludus_error error;
    struct ludus_recorder_result result;
    ck_assert_int_eq(ludus_recorder_stop(&result, &error), LUDUS_ERROR_STATE);
    ck_assert_uint_eq(result.written_bytes, 0);
    fixture_start(&config);
    ck_assert_int_eq(ludus_recorder_state(), LUDUS_RECORDER_RECORDING);
    ck_assert_int_eq(ludus_recorder_start(&other, &error), LUDUS_ERROR_STATE);
    ck_assert_int_eq(access(other.path, F_OK), -1);
    fixture_stop();
    ck_assert_int_eq(ludus_recorder_start(NULL, NULL), LUDUS_ERROR_ARGUMENT);
}
END_TEST

/* No file of the process may grow beyond this. Check notes every assertion in a file: while the
 * limit is low, nothing is asserted. */
static void limit_file_size(rlim_t bytes)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0)
        abort();
    limit.rlim_cur = bytes;
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        abort();
}

static uint64_t random_state = 1;

/* Scopes whose durations do not compress well, so that the file fills. */
static uint64_t fill(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        LUDUS_PROFILE_SCOPE(fill);
        random_state = random_state * 6364136223846793005u + 1442695040888963407u;
        for (volatile uint64_t k = random_state >> 57; k > 0; k--)
            ;
    }
    return count;
}

/* Emits until the recorder says that it cannot write. */
static uint64_t fill_until_failed(void)
{
    const uint64_t deadline = fixture_now_ns() + 60000000000u;
    uint64_t emitted = 0;
    while (ludus_recorder_state() != LUDUS_RECORDER_FAILED && fixture_now_ns() < deadline)
        emitted += fill(500);
    return emitted;
}

/* Where there is room, the retry has what the first file has and what was in memory. */
static void check_retry(const struct ludus_recorder_result *stopped, uint64_t emitted)
{
    struct ludus_recorder_result result;
    struct ludus_error error;
    const struct ludus_recorder_config other = fixture_config("other.lcap");
    ck_assert_int_eq(ludus_recorder_state(), LUDUS_RECORDER_FAILED);
    ck_assert_int_eq(ludus_recorder_start(&other, &error), LUDUS_ERROR_STATE);
    ck_assert_ptr_nonnull(strstr(error.message, "retry or discard"));
    ck_assert_int_eq(ludus_recorder_retry(stopped->path, NULL, &error), LUDUS_ERROR_EXISTS);
    ck_assert_int_eq(ludus_recorder_retry("/proc/none.lcap", NULL, &error), LUDUS_ERROR_WRITE);
    ck_assert_int_eq(ludus_recorder_retry("/dev/full", NULL, &error), LUDUS_ERROR_EXISTS);
    ck_assert_msg(ludus_recorder_retry(fixture_path("retry-%p.lcap"), &result, &error) == LUDUS_OK,
                  "%s", error.message);
    ck_assert_int_eq(ludus_recorder_state(), LUDUS_RECORDER_IDLE);
    ck_assert_int_eq(ludus_recorder_retry(fixture_path("twice.lcap"), NULL, &error),
                     LUDUS_ERROR_STATE);
    ck_assert_uint_eq(result.recorded.scopes + result.dropped.scopes, emitted);
    ck_assert_uint_gt(result.recorded.scopes, stopped->recorded.scopes);
    ck_assert_ptr_nonnull(strstr(result.path, "retry-"));
    struct summary *summary = summary_read(result.path);
    summary_check_whole(summary);
    ck_assert_uint_eq(summary->begins, result.recorded.scopes);
    ck_assert_uint_eq(summary->end.recorded.scopes, result.recorded.scopes);
    ck_assert_uint_eq(summary_loss(summary, 0).counts.scopes, result.dropped.scopes);
    ck_assert_int_eq(summary->end.reason, LCAP_END_WRITE_FAILED);
    summary_free(summary);
}

START_TEST(what_is_kept_can_be_discarded)
{
    const struct ludus_recorder_config config = fixture_config("discarded.lcap");
    struct ludus_recorder_result result;
    ludus_recorder_discard(); /* nothing is kept */
    fixture_start(&config);
    limit_file_size(100000);
    (void)fill_until_failed();
    ludus_recorder_discard(); /* it still runs */
    const enum ludus_status stopped = ludus_recorder_stop(&result, NULL);
    limit_file_size(RLIM_INFINITY);
    ck_assert_int_eq(stopped, LUDUS_ERROR_WRITE);
    ludus_recorder_discard();
    ck_assert_int_eq(ludus_recorder_state(), LUDUS_RECORDER_IDLE);
    struct summary *summary = summary_read(result.path);
    ck_assert_uint_eq(summary->begins, result.recorded.scopes);
    summary_free(summary);
}
END_TEST

START_TEST(a_capture_that_was_removed_can_be_written_elsewhere)
{
    const struct ludus_recorder_config config = fixture_config("removed.lcap");
    struct ludus_recorder_result result;
    struct ludus_error error;
    fixture_start(&config);
    fill(2000);
    fixture_sleep_ms(150);
    ck_assert_int_eq(unlink(config.path), 0);
    fill(3000);
    ck_assert_int_eq(ludus_recorder_stop(&result, &error), LUDUS_ERROR_WRITE);
    ck_assert_ptr_nonnull(strstr(error.message, "removed"));
    ck_assert_msg(ludus_recorder_retry(fixture_path("moved.lcap"), &result, &error) == LUDUS_OK,
                  "%s", error.message);
    ck_assert_uint_eq(result.recorded.scopes + result.dropped.scopes, 5000);
    struct summary *summary = summary_read(result.path);
    summary_check_whole(summary);
    ck_assert_uint_eq(summary->begins, result.recorded.scopes);
    summary_free(summary);
}
END_TEST

/* The number of the capture's descriptor in this process. */
static int descriptor_of(const char *path)
{
    struct stat wanted;
    struct stat facts;
    ck_assert_int_eq(stat(path, &wanted), 0);
    for (int fd = 3; fd < 1024; fd++)
        if (fstat(fd, &facts) == 0 && facts.st_ino == wanted.st_ino &&
            facts.st_dev == wanted.st_dev)
            return fd;
    return -1;
}

/* Records with a descriptor that the program closes meanwhile, and opens a file of its own under
 * the number when there is a `path` for it. Returns the number. */
static int record_with_closed_descriptor(const char *name, const char *path)
{
    const struct ludus_recorder_config config = fixture_config(name);
    struct ludus_recorder_result result;
    struct ludus_error error;
    fixture_start(&config);
    fill(1000);
    fixture_sleep_ms(30);
    const int fd = descriptor_of(config.path);
    ck_assert_int_ge(fd, 0);
    /* The mistake is the program's; ThreadSanitizer, which does not see this call, would tell it.
     */
    ck_assert_int_eq((int)syscall(SYS_close, fd), 0);
    if (path != NULL) {
        const int own = open(path, O_RDWR | O_CREAT, 0600);
        ck_assert_int_eq(dup2(own, fd), fd);
        if (own != fd)
            close(own);
    }
    fill(2000);
    ck_assert_int_eq(ludus_recorder_stop(&result, &error), LUDUS_ERROR_WRITE);
    ck_assert_ptr_nonnull(strstr(error.message, "descriptor"));
    ck_assert_uint_eq(result.recorded.scopes + result.dropped.scopes, 3000);
    return fd;
}

static void retry_and_expect(const char *name, uint64_t scopes)
{
    struct ludus_recorder_result result;
    struct ludus_error error;
    ck_assert_msg(ludus_recorder_retry(fixture_path(name), &result, &error) == LUDUS_OK, "%s",
                  error.message);
    ck_assert_uint_eq(result.recorded.scopes + result.dropped.scopes, scopes);
    struct summary *summary = summary_read(result.path);
    summary_check_whole(summary);
    ck_assert_uint_eq(summary->begins, result.recorded.scopes);
    ck_assert_uint_eq(summary_loss(summary, 0).counts.scopes, result.dropped.scopes);
    summary_free(summary);
}

START_TEST(a_file_of_the_program_that_got_the_descriptor_is_left_alone)
{
    const int fd = record_with_closed_descriptor("taken.lcap", fixture_path("own.txt"));
    struct stat facts;
    retry_and_expect("elsewhere.lcap", 3000);
    ck_assert_int_eq(fstat(fd, &facts), 0); /* neither closed */
    ck_assert_int_eq(facts.st_size, 0);     /* nor written */
    ck_assert_int_eq(close(fd), 0);
}
END_TEST

START_TEST(a_capture_with_a_closed_descriptor_is_read_back_by_its_name)
{
    (void)record_with_closed_descriptor("closed.lcap", NULL);
    retry_and_expect("reread.lcap", 3000);
}
END_TEST

START_TEST(a_capture_that_is_nowhere_any_more_can_be_discarded)
{
    struct ludus_error error;
    const struct ludus_recorder_config config = fixture_config("next.lcap");
    (void)record_with_closed_descriptor("gone.lcap", NULL);
    ck_assert_int_eq(unlink(fixture_path("gone.lcap")), 0);
    ck_assert_int_eq(ludus_recorder_retry(fixture_path("lost.lcap"), NULL, &error),
                     LUDUS_ERROR_WRITE); /* the beginning cannot be read back */
    ck_assert_ptr_nonnull(strstr(error.message, "descriptor"));
    ck_assert_int_eq(access(fixture_path("lost.lcap"), F_OK), -1);
    /* Another file under its name is not it. */
    const int other = open(fixture_path("gone.lcap"), O_WRONLY | O_CREAT, 0600);
    ck_assert_int_ge(other, 0);
    ck_assert_int_eq(ludus_recorder_retry(fixture_path("lost.lcap"), NULL, &error),
                     LUDUS_ERROR_WRITE);
    close(other);
    ludus_recorder_discard();
    fixture_start(&config);
    fixture_stop();
}
END_TEST

START_TEST(a_full_disk_keeps_whole_blocks_and_counts_the_rest)
{
    const struct ludus_recorder_config config = fixture_config("full.lcap");
    struct ludus_recorder_result result;
    struct ludus_error error;
    fixture_start(&config);
    limit_file_size(100000);
    uint64_t emitted = fill_until_failed();
    /* The program goes on, and is told afterwards. */
    emitted += fill(1000);
    LUDUS_PROFILE_MARK(after the failure);
    LUDUS_PROFILE_FRAME();
    const enum ludus_status restarted = ludus_recorder_start(&config, NULL);
    const enum ludus_status stopped = ludus_recorder_stop(&result, &error);
    limit_file_size(RLIM_INFINITY);
    ck_assert_int_eq(restarted, LUDUS_ERROR_STATE);
    ck_assert_int_eq(stopped, LUDUS_ERROR_WRITE);
    ck_assert_ptr_nonnull(strstr(error.message, "full.lcap"));
    ck_assert_uint_eq(result.recorded.scopes + result.dropped.scopes, emitted);
    ck_assert_uint_eq(result.recorded.instants + result.dropped.instants, 1);
    ck_assert_uint_eq(result.recorded.frames + result.dropped.frames, 1);
    ck_assert_uint_gt(result.recorded.scopes, 0);
    ck_assert_uint_ge(result.dropped.scopes, 1000);
    struct stat info;
    ck_assert_int_eq(stat(result.path, &info), 0);
    ck_assert_uint_eq((uint64_t)info.st_size, result.written_bytes);
    struct summary *summary = summary_read(result.path);
    ck_assert_uint_eq(summary->damages, 0);
    ck_assert_uint_eq(summary->undefined, 0);
    ck_assert_uint_eq(summary->begins, result.recorded.scopes);
    ck_assert(!summary->is_finished);
    summary_free(summary);
    check_retry(&result, emitted);
    /* And can record again. */
    struct ludus_recorder_config next = fixture_config("next.lcap");
    fixture_start(&next);
    fill(10);
    summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(result.recorded.scopes, 10);
    summary_free(summary);
}
END_TEST

START_TEST(room_that_comes_back_before_stop_is_used_to_finish_the_file)
{
    const struct ludus_recorder_config config = fixture_config("again.lcap");
    struct ludus_recorder_result result;
    struct ludus_error error;
    fixture_start(&config);
    limit_file_size(100000);
    uint64_t emitted = fill_until_failed();
    emitted += fill(1000);
    limit_file_size(RLIM_INFINITY);
    ck_assert_int_eq(ludus_recorder_stop(&result, &error), LUDUS_OK);
    ck_assert_uint_eq(result.recorded.scopes + result.dropped.scopes, emitted);
    struct summary *summary = summary_read(result.path);
    summary_check_whole(summary);
    ck_assert_int_eq(summary->end.reason, LCAP_END_WRITE_FAILED);
    ck_assert_uint_eq(summary->begins, result.recorded.scopes);
    ck_assert_uint_eq(summary_loss(summary, LCAP_LOSS_WRITE_FAILED).counts.scopes +
                          summary_loss(summary, LCAP_LOSS_BUFFERS_FULL).counts.scopes,
                      result.dropped.scopes);
    ck_assert_uint_eq(summary->losses[0].track, summary->tracks[0].record.track);
    summary_free(summary);
}
END_TEST

START_TEST(a_file_that_takes_no_byte_fails_the_start_and_is_removed)
{
    const struct ludus_recorder_config config = fixture_config("none.lcap");
    struct ludus_error error;
    limit_file_size(10);
    const enum ludus_status status = ludus_recorder_start(&config, &error);
    limit_file_size(RLIM_INFINITY);
    ck_assert_int_eq(status, LUDUS_ERROR_WRITE);
    ck_assert_ptr_nonnull(strstr(error.message, "none.lcap"));
    ck_assert_int_eq(ludus_recorder_state(), LUDUS_RECORDER_IDLE);
    ck_assert_int_eq(access(config.path, F_OK), -1);
    fixture_start(&config);
    fixture_stop();
}
END_TEST

int main(void)
{
    /* The program's, not the recorder's: Check writes files, too. The recorder needs no handler. */
    signal(SIGXFSZ, SIG_DFL);
    Suite *suite = suite_create("write failure");
    TCase *cases = tcase_create("write failure");
    tcase_add_checked_fixture(cases, fixture_setup, fixture_teardown);
    /* First, while no recording has reserved room for more sites. */
    tcase_add_test(cases, any_budget_works_when_no_other_limit_is_set);
    tcase_add_test(cases, values_out_of_range_are_refused);
    tcase_add_test(cases, the_environment_gives_memory);
    tcase_add_test(cases, memory_that_is_none_is_refused);
    tcase_add_test(cases, a_budget_that_is_too_small_is_refused_with_the_smallest_that_is_not);
    tcase_add_test(cases, an_existing_file_is_never_overwritten);
    tcase_add_test(cases, a_folder_that_cannot_be_written_is_reported);
    tcase_add_test(cases, start_and_stop_are_refused_in_the_wrong_state);
    tcase_add_test(cases, what_is_kept_can_be_discarded);
    tcase_add_test(cases, a_capture_that_was_removed_can_be_written_elsewhere);
    tcase_add_test(cases, a_file_of_the_program_that_got_the_descriptor_is_left_alone);
    tcase_add_test(cases, a_capture_with_a_closed_descriptor_is_read_back_by_its_name);
    tcase_add_test(cases, a_capture_that_is_nowhere_any_more_can_be_discarded);
    tcase_add_test(cases, a_full_disk_keeps_whole_blocks_and_counts_the_rest);
    tcase_add_test(cases, room_that_comes_back_before_stop_is_used_to_finish_the_file);
    tcase_add_test(cases, a_file_that_takes_no_byte_fails_the_start_and_is_removed);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
