/* Recordings on a file system that is really full: a small one in memory, which only this process
 * sees. Without the right to mount one, the test is skipped. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recorder_fixture.h"

#define SKIPPED    77
#define DISK_BYTES "size=2m"
#define THREADS    3

static bool tell_kernel(const char *path, const char *text)
{
    const int fd = open(path, O_WRONLY);
    const size_t size = strlen(text);
    const bool is_told = fd >= 0 && write(fd, text, size) == (ssize_t)size;
    if (fd >= 0)
        close(fd);
    return is_told;
}

/* Who is not root may be it in a namespace of users, where that is allowed. */
static bool enter_users_namespace(void)
{
    char users[64];
    char groups[64];
    snprintf(users, sizeof users, "0 %u 1", (unsigned)getuid());
    snprintf(groups, sizeof groups, "0 %u 1", (unsigned)getgid());
    return unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 && tell_kernel("/proc/self/uid_map", users) &&
           tell_kernel("/proc/self/setgroups", "deny") && tell_kernel("/proc/self/gid_map", groups);
}

/* In a namespace of its own a mount ends with the process. */
static bool may_mount(void)
{
    return (unshare(CLONE_NEWNS) == 0 || enter_users_namespace()) &&
           mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("tmpfs", "/tmp", "tmpfs", 0, NULL) == 0;
}

static void setup(void)
{
    fixture_setup();
    ck_assert_int_eq(mkdir(fixture_path("disk"), 0700), 0);
    ck_assert_int_eq(mount("tmpfs", fixture_path("disk"), "tmpfs", 0, DISK_BYTES), 0);
}

static void teardown(void)
{
    (void)umount2(fixture_path("disk"), MNT_DETACH);
    (void)rmdir(fixture_path("disk"));
    fixture_teardown();
}

/* Takes the room of the disk but for so many bytes. */
static void take_room(const char *name, size_t left)
{
    static const char zeros[4096];
    const int fd = open(fixture_path(name), O_WRONLY | O_CREAT | O_EXCL, 0600);
    off_t size = 0;
    ssize_t got;
    ck_assert_int_ge(fd, 0);
    while ((got = write(fd, zeros, sizeof zeros)) > 0)
        size += got;
    ck_assert_int_eq(errno, ENOSPC);
    ck_assert_int_eq(ftruncate(fd, size - (off_t)left), 0);
    close(fd);
}

struct emitted {
    uint64_t scopes;
    uint64_t instants;
    uint64_t frames;
};

/* Durations that do not compress well, so that the disk fills. */
static struct emitted emit_some(uint64_t *state, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        LUDUS_PROFILE_SCOPE(fill);
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        for (volatile uint64_t k = *state >> 57; k > 0; k--)
            ;
        LUDUS_PROFILE_MARK(filled);
    }
    LUDUS_PROFILE_FRAME();
    return (struct emitted){count, count, 1};
}

static void add(struct emitted *sum, struct emitted more)
{
    sum->scopes += more.scopes;
    sum->instants += more.instants;
    sum->frames += more.frames;
}

static void *fill_the_disk(void *argument)
{
    struct emitted *own = argument;
    uint64_t state = (uintptr_t)argument;
    while (ludus_recorder_state() == LUDUS_RECORDER_RECORDING)
        add(own, emit_some(&state, 200));
    add(own, emit_some(&state, 500)); /* the program goes on */
    return NULL;
}

/* From several threads; returns what they have emitted until after the failure. */
static struct emitted emit_until_full(void)
{
    struct emitted own[THREADS] = {{0}};
    struct emitted sum = {0};
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, fill_the_disk, &own[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        add(&sum, own[i]);
    }
    ck_assert_int_eq(ludus_recorder_state(), LUDUS_RECORDER_FAILED);
    return sum;
}

static void expect_sum(const struct ludus_recorder_result *result, struct emitted emitted)
{
    ck_assert_uint_eq(result->recorded.scopes + result->dropped.scopes, emitted.scopes);
    ck_assert_uint_eq(result->recorded.instants + result->dropped.instants, emitted.instants);
    ck_assert_uint_eq(result->recorded.frames + result->dropped.frames, emitted.frames);
}

/* The capture is finished, and tells how much the full disk has cost. */
static void expect_finished(const struct ludus_recorder_result *result, struct emitted emitted)
{
    struct summary *summary = summary_read(result->path);
    expect_sum(result, emitted);
    summary_check_whole(summary);
    ck_assert_int_eq(summary->end.reason, LCAP_END_WRITE_FAILED);
    ck_assert_uint_eq(summary->begins, result->recorded.scopes);
    const struct lcap_loss failed = summary_loss(summary, LCAP_LOSS_WRITE_FAILED);
    const struct lcap_loss full = summary_loss(summary, LCAP_LOSS_BUFFERS_FULL);
    const struct lcap_loss marks = summary_loss(summary, LCAP_LOSS_FRAME_MARKS_FULL);
    ck_assert_uint_ge(failed.counts.scopes, 500 * THREADS);
    ck_assert_uint_eq(failed.counts.scopes + full.counts.scopes, result->dropped.scopes);
    ck_assert_uint_eq(failed.counts.instants + full.counts.instants, result->dropped.instants);
    ck_assert_uint_eq(failed.counts.frames + marks.counts.frames, result->dropped.frames);
    summary_free(summary);
}

START_TEST(a_recording_on_a_full_disk_is_kept_and_written_elsewhere)
{
    const struct ludus_recorder_config config = fixture_config("disk/full.lcap");
    struct ludus_recorder_result stopped;
    struct ludus_recorder_result result;
    struct ludus_error error;
    struct stat facts;
    take_room("disk/other.bin", 200000);
    fixture_start(&config);
    const struct emitted emitted = emit_until_full();
    ck_assert_int_eq(ludus_recorder_stop(&stopped, &error), LUDUS_ERROR_WRITE);
    ck_assert_ptr_nonnull(strstr(error.message, "full.lcap"));
    ck_assert_ptr_nonnull(strstr(error.message, strerror(ENOSPC)));
    expect_sum(&stopped, emitted);
    /* The file has what the result says. */
    ck_assert_int_eq(stat(stopped.path, &facts), 0);
    ck_assert_uint_eq((uint64_t)facts.st_size, stopped.written_bytes);
    struct summary *summary = summary_read(stopped.path);
    ck_assert_uint_eq(summary->damages, 0);
    ck_assert(!summary->is_finished);
    ck_assert_uint_gt(summary->begins, 0);
    ck_assert_uint_eq(summary->begins, stopped.recorded.scopes);
    summary_free(summary);
    /* The same disk has no room for another try, and nothing is left there of it. */
    ck_assert_int_eq(ludus_recorder_retry(fixture_path("disk/again.lcap"), NULL, &error),
                     LUDUS_ERROR_WRITE);
    ck_assert_int_eq(access(fixture_path("disk/again.lcap"), F_OK), -1);
    ck_assert_msg(ludus_recorder_retry(fixture_path("other.lcap"), &result, &error) == LUDUS_OK,
                  "%s", error.message);
    ck_assert_uint_gt(result.recorded.scopes, stopped.recorded.scopes);
    expect_finished(&result, emitted);
}
END_TEST

/* More room comes back than what is kept in memory can take. */
START_TEST(room_that_comes_back_finishes_the_file)
{
    struct ludus_recorder_config config = fixture_config("disk/again.lcap");
    struct ludus_recorder_result result;
    struct ludus_error error;
    config.memory_bytes = 4u << 20;
    config.max_sites = 64;
    take_room("disk/other.bin", 100000);
    fixture_start(&config);
    const struct emitted emitted = emit_until_full();
    ck_assert_int_eq(unlink(fixture_path("disk/other.bin")), 0);
    ck_assert_msg(ludus_recorder_stop(&result, &error) == LUDUS_OK, "%s", error.message);
    expect_finished(&result, emitted);
}
END_TEST

START_TEST(a_start_on_a_full_disk_fails_and_leaves_nothing)
{
    const struct ludus_recorder_config config = fixture_config("disk/none.lcap");
    struct ludus_error error;
    take_room("disk/other.bin", 0);
    ck_assert_int_eq(ludus_recorder_start(&config, &error), LUDUS_ERROR_WRITE);
    ck_assert_ptr_nonnull(strstr(error.message, strerror(ENOSPC)));
    ck_assert_int_eq(access(config.path, F_OK), -1);
    ck_assert_int_eq(ludus_recorder_state(), LUDUS_RECORDER_IDLE);
}
END_TEST

int main(void)
{
    if (!may_mount()) {
        printf("skipped: a file system cannot be mounted here: %s\n", strerror(errno));
        return SKIPPED;
    }
    Suite *suite = suite_create("full disk");
    TCase *cases = tcase_create("full disk");
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, a_recording_on_a_full_disk_is_kept_and_written_elsewhere);
    tcase_add_test(cases, room_that_comes_back_finishes_the_file);
    tcase_add_test(cases, a_start_on_a_full_disk_fails_and_leaves_nothing);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
