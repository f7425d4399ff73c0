/* Kills a recording program at random instants: the file opens, and holds what is older than the
 * flush interval and a pass of the collector. */
#include <check.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorder_fixture.h"

#define RUNS     12
#define FLUSH_MS 50u
#define PASS_MS  1000u
#define SAMPLES  4096

/* The interval that may just have begun, and a pass. A pass takes milliseconds; the rest of its
 * second is for a machine so busy that the collector waits for its turn. (That chunks are not kept
 * back until they are full is tested with the lifecycle.) Under ThreadSanitizer a pass has
 * no time that could be promised; only the file's integrity is tested. */
#ifdef IS_THREAD_SANITIZED
#define HELD_AFTER_MS 100000u
#else
#define HELD_AFTER_MS (FLUSH_MS + PASS_MS)
#endif

/* Shared with the child. */
static _Atomic uint64_t *emitted;

static void record_until_killed(const char *path)
{
    struct ludus_recorder_config config = fixture_config("unused");
    config.path = path;
    config.flush_interval_ms = FLUSH_MS;
    if (ludus_recorder_start(&config, NULL) != LUDUS_OK)
        _exit(1);
    for (;;) {
        LUDUS_PROFILE_FRAME();
        for (int i = 0; i < 40; i++) {
            {
                LUDUS_PROFILE_SCOPE(work);
            }
            atomic_fetch_add(emitted, 1);
        }
        usleep(300);
    }
}

START_TEST(a_killed_programs_file_holds_all_but_the_last_moment)
{
    static struct {
        uint64_t time_ns;
        uint64_t emitted;
    } samples[SAMPLES];
    emitted =
        mmap(NULL, sizeof *emitted, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne((void *)emitted, MAP_FAILED);
    uint64_t least_held = UINT64_MAX;
    for (int run = 0; run < RUNS; run++) {
        const char *path = fixture_path("killed.lcap");
        const uint64_t life_ms = FLUSH_MS + PASS_MS + 50 + fixture_now_ns() / 1000 % 200;
        size_t count = 0;
        atomic_store(emitted, 0);
        const pid_t child = fork();
        ck_assert_int_ge(child, 0);
        if (child == 0)
            record_until_killed(path);
        while (atomic_load(emitted) == 0)
            usleep(500);
        const uint64_t end_ns = fixture_now_ns() + life_ms * 1000000u;
        while (fixture_now_ns() < end_ns && count < SAMPLES) {
            samples[count].emitted = atomic_load(emitted);
            samples[count++].time_ns = fixture_now_ns();
            usleep(500);
        }
        kill(child, SIGKILL);
        const uint64_t kill_ns = fixture_now_ns();
        int status;
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert(WIFSIGNALED(status));
        uint64_t due = 0;
        for (size_t i = 0; i < count; i++) {
            if (samples[i].time_ns + HELD_AFTER_MS * UINT64_C(1000000) <= kill_ns)
                due = samples[i].emitted;
        }
        struct summary *summary = summary_read(path);
        ck_assert(!summary->is_finished);
        ck_assert_uint_eq(summary->damages, 0);
        ck_assert_uint_eq(summary->undefined, 0);
        ck_assert_msg(summary->begins >= due, "run %d: %llu of %llu scopes", run,
                      (unsigned long long)summary->begins, (unsigned long long)due);
        least_held = least_held < due ? least_held : due;
        summary_free(summary);
        unlink(path);
    }
    /* A test that demands nothing proves nothing. */
    ck_assert(least_held > 0 || HELD_AFTER_MS > FLUSH_MS + PASS_MS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("crash");
    TCase *cases = tcase_create("crash");
    tcase_add_checked_fixture(cases, fixture_setup, fixture_teardown);
    tcase_add_test(cases, a_killed_programs_file_holds_all_but_the_last_moment);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
