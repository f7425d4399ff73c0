/* Samples of who ran, against what threads know of themselves. Only relations are asserted that
 * hold on a machine that is as busy as it can be. */
#include <check.h>
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "recorder_fixture.h"

#define RUN_MS   400u
#define LATE_NS  UINT64_C(50000000) /* the system tells a run at its own tick, of 10 ms at most */
#define MAX_RUNS 20000u

/* Descriptors: of the folder of threads, of the machine, and of the test's own thread. */
#define OWN_FILES 3u

/* When a thread knew how long it had run. */
struct moment {
    uint64_t time_ns;
    uint64_t run_ns;
};

static struct moment moments[MAX_RUNS];
static size_t moment_count;

static uint64_t own_run_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Ticks are nanoseconds of CLOCK_MONOTONIC then. */
static struct ludus_recorder_config config_of(const char *name)
{
    struct ludus_recorder_config config = fixture_config(name);
    config.clock = LUDUS_CLOCK_MONOTONIC;
    return config;
}

static void *burn(void *argument)
{
    const uint64_t end_ns = fixture_now_ns() + RUN_MS * 1000000u;
    LUDUS_PROFILE_THREAD("burner");
    LUDUS_PROFILE_SCOPE(burn);
    moment_count = 0;
    uint64_t now_ns;
    while ((now_ns = fixture_now_ns()) < end_ns && moment_count < MAX_RUNS) {
        moments[moment_count++] = (struct moment){now_ns, own_run_ns()};
        for (volatile int i = 0; i < 20000; i++)
            ;
    }
    return argument;
}

static uint64_t slept_from_ns;
static uint64_t slept_to_ns;
static atomic_bool may_end; /* the threads wait for the recording's end */

static void *doze(void *argument)
{
    LUDUS_PROFILE_THREAD("sleeper");
    LUDUS_PROFILE_SCOPE(doze);
    slept_from_ns = fixture_now_ns();
    fixture_sleep_ms(RUN_MS);
    slept_to_ns = fixture_now_ns();
    while (!atomic_load(&may_end))
        fixture_sleep_ms(5);
    return argument;
}

/* What the samples of a track say together; they follow each other without a gap. */
static struct lcap_sched sum_of(const struct summary *summary, const char *name)
{
    const struct summary_track *track = summary_track_named(summary, name);
    struct lcap_sched sum = {0};
    ck_assert_ptr_nonnull(track);
    for (size_t i = 0; i < summary->sample_count; i++) {
        const struct lcap_sched *sample = &summary->samples[i];
        if (sample->track != track->record.track)
            continue;
        ck_assert_uint_lt(sample->from_tick, sample->to_tick);
        ck_assert_uint_le(sample->run_ns, sample->to_tick - sample->from_tick + LATE_NS);
        ck_assert(sum.to_tick == 0 || sum.to_tick == sample->from_tick);
        if (sum.to_tick == 0)
            sum.from_tick = sample->from_tick;
        sum.to_tick = sample->to_tick;
        sum.run_ns += sample->run_ns;
        sum.wait_ns += sample->wait_ns;
    }
    return sum;
}

/* How long the burner had run by then, at least and at most. */
static void find_run(uint64_t time_ns, uint64_t *least_ns, uint64_t *most_ns)
{
    *least_ns = 0;
    *most_ns = UINT64_MAX;
    for (size_t i = 0; i < moment_count; i++) {
        if (moments[i].time_ns <= time_ns)
            *least_ns = moments[i].run_ns;
        else if (*most_ns == UINT64_MAX)
            *most_ns = moments[i].run_ns;
    }
}

static void check_burner(const struct lcap_sched *sum)
{
    uint64_t from_least_ns, from_most_ns, to_least_ns, to_most_ns;
    find_run(sum->from_tick, &from_least_ns, &from_most_ns);
    find_run(sum->to_tick, &to_least_ns, &to_most_ns);
    ck_assert_uint_ge(sum->run_ns + LATE_NS + from_most_ns, to_least_ns);
    if (to_most_ns != UINT64_MAX)
        ck_assert_uint_le(sum->run_ns + from_least_ns, to_most_ns + LATE_NS);
}

static void check_sleeper(const struct lcap_sched *sum)
{
    const uint64_t from_ns = sum->from_tick > slept_from_ns ? sum->from_tick : slept_from_ns;
    const uint64_t to_ns = sum->to_tick < slept_to_ns ? sum->to_tick : slept_to_ns;
    const uint64_t asleep_ns = to_ns > from_ns ? to_ns - from_ns : 0;
    /* The wait at the end of its sleep is in both. */
    const uint64_t woken_ns = slept_to_ns - slept_from_ns - RUN_MS * UINT64_C(1000000);
    ck_assert_uint_le(sum->run_ns + asleep_ns, sum->to_tick - sum->from_tick + LATE_NS + woken_ns);
}

START_TEST(threads_are_told_apart_that_run_and_that_sleep)
{
    const struct ludus_recorder_config config = config_of("threads.lcap");
    struct ludus_recorder_result result;
    pthread_t threads[2];
    atomic_store(&may_end, false);
    fixture_start(&config);
    pthread_create(&threads[0], NULL, burn, NULL);
    pthread_create(&threads[1], NULL, doze, NULL);
    pthread_join(threads[0], NULL);
    while (fixture_now_ns() < moments[0].time_ns + 2 * RUN_MS * 1000000ull)
        fixture_sleep_ms(5);
    struct summary *summary = fixture_stop_and_read(&result);
    atomic_store(&may_end, true);
    pthread_join(threads[1], NULL);
    if (strcmp(summary_fact(summary, "recorder.sched"), "sampled") == 0) {
        const struct lcap_sched burner = sum_of(summary, "burner");
        const struct lcap_sched sleeper = sum_of(summary, "sleeper");
        check_burner(&burner);
        check_sleeper(&sleeper);
        ck_assert_uint_gt(sleeper.to_tick, sleeper.from_tick);
    }
    summary_free(summary);
}
END_TEST

/* A process that runs on one processor, and ends with the test. */
static pid_t start_rival(const cpu_set_t *one)
{
    const pid_t child = fork();
    if (child != 0)
        return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)sched_setaffinity(0, sizeof *one, one);
    for (;;)
        ;
}

static size_t first_processor(void)
{
    cpu_set_t allowed;
    size_t processor = 0;
    CPU_ZERO(&allowed);
    (void)sched_getaffinity(0, sizeof allowed, &allowed);
    while (processor < CPU_SETSIZE - 1 && !CPU_ISSET(processor, &allowed))
        processor++;
    return processor;
}

static void *burn_on_one(void *argument)
{
    (void)sched_setaffinity(0, sizeof(cpu_set_t), argument);
    return burn(NULL);
}

START_TEST(a_thread_that_shares_its_processor_waits_for_it)
{
    const struct ludus_recorder_config config = config_of("rival.lcap");
    struct ludus_recorder_result result;
    pthread_t thread;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first_processor(), &one);
    const pid_t rival = start_rival(&one);
    ck_assert_int_gt(rival, 0);
    fixture_start(&config);
    pthread_create(&thread, NULL, burn_on_one, &one);
    pthread_join(thread, NULL);
    struct summary *summary = fixture_stop_and_read(&result);
    kill(rival, SIGKILL);
    waitpid(rival, NULL, 0);
    if (strcmp(summary_fact(summary, "recorder.sched"), "sampled") == 0) {
        const struct lcap_sched sum = sum_of(summary, "burner");
        const uint64_t sampled_ns = sum.to_tick - sum.from_tick;
        check_burner(&sum);
        /* It never sleeps: what it did not run, it waited, but for a wait that goes on. */
        if (sampled_ns > RUN_MS * UINT64_C(500000))
            ck_assert_uint_gt(sum.wait_ns, 0);
    }
    summary_free(summary);
}
END_TEST

/* How many of this process's descriptors are of such files. */
static size_t count_files(void)
{
    size_t count = 0;
    DIR *folder = opendir("/proc/self/fd");
    const struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        char name[300];
        char target[300];
        snprintf(name, sizeof name, "/proc/self/fd/%s", entry->d_name);
        const ssize_t size = readlink(name, target, sizeof target - 1);
        target[size > 0 ? size : 0] = '\0';
        count += strstr(target, "/schedstat") != NULL || strstr(target, "/task") != NULL ||
                 strcmp(target, "/proc/stat") == 0;
    }
    if (folder != NULL)
        closedir(folder);
    return count;
}

static void await_files(size_t wanted)
{
    for (int i = 0; count_files() != wanted && i < 10000; i++)
        fixture_sleep_ms(1);
    ck_assert_uint_eq(count_files(), wanted);
}

static void *be_short(void *argument)
{
    LUDUS_PROFILE_SCOPE(short_life);
    return argument;
}

START_TEST(descriptors_go_with_their_threads)
{
    const struct ludus_recorder_config config = config_of("churn.lcap");
    struct ludus_recorder_result result;
    for (int round = 0; round < 3; round++) {
        ck_assert_uint_eq(count_files(), 0);
        unlink(config.path);
        fixture_start(&config);
        LUDUS_PROFILE_MARK(here);
        pthread_t thread;
        atomic_store(&may_end, false);
        pthread_create(&thread, NULL, doze, NULL);
        await_files(OWN_FILES + 1);
        atomic_store(&may_end, true);
        pthread_join(thread, NULL);
        await_files(OWN_FILES);
        for (int i = 0; i < 500; i++) {
            ck_assert_int_eq(pthread_create(&thread, NULL, be_short, NULL), 0);
            pthread_join(thread, NULL);
            ck_assert_uint_le(count_files(), config.max_threads + OWN_FILES - 1);
        }
        await_files(OWN_FILES);
        struct summary *summary = fixture_stop_and_read(&result);
        for (size_t i = 0; i < summary->sample_count; i++)
            ck_assert_uint_ge(summary->samples[i].from_tick, summary->session.start_tick);
        summary_free(summary);
    }
    ck_assert_uint_eq(count_files(), 0);
}
END_TEST

START_TEST(a_forked_child_closes_its_copies_alone)
{
    const struct ludus_recorder_config config = config_of("parent.lcap");
    struct ludus_recorder_result result;
    int status;
    fixture_start(&config);
    LUDUS_PROFILE_MARK(here);
    await_files(OWN_FILES);
    const uint64_t forked_ns = fixture_now_ns();
    const pid_t child = fork();
    if (child == 0)
        _exit(count_files() == 0 ? 0 : 1);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_uint_eq(count_files(), OWN_FILES);
    fixture_sleep_ms(50);
    struct summary *summary = fixture_stop_and_read(&result);
    uint64_t last_tick = 0;
    for (size_t i = 0; i < summary->sample_count; i++)
        if (summary->samples[i].track != 0)
            last_tick = summary->samples[i].to_tick;
    ck_assert_uint_gt(last_tick, forked_ns);
    summary_free(summary);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("running");
    TCase *cases = tcase_create("running");
    tcase_add_checked_fixture(cases, fixture_setup, fixture_teardown);
    tcase_set_timeout(cases, 120);
    tcase_add_test(cases, threads_are_told_apart_that_run_and_that_sleep);
    tcase_add_test(cases, a_thread_that_shares_its_processor_waits_for_it);
    if (access("/proc/self/schedstat", R_OK) == 0) {
        tcase_add_test(cases, descriptors_go_with_their_threads);
        tcase_add_test(cases, a_forked_child_closes_its_copies_alone);
    }
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
