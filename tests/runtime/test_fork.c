/* Processes that come of a recording one while its threads emit, by fork, vfork and posix_spawn,
 * with and without exec: the parent's capture stays whole, no child touches it, and a child records
 * when it asks to. This program is also the one that is executed: with an argument, it is a child.
 */
#include <check.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorder_fixture.h"

#if defined(IS_THREAD_SANITIZED)
#define CHILDREN 12u
#else
#define CHILDREN 24u
#endif

/* What a child that is forked out of a storm, and executes nothing, may do. AddressSanitizer's
 * allocator may have been locked by another thread at the fork: the child would wait for ever.
 * ThreadSanitizer cannot follow a thread that is started in a child of a process with threads. */
#if defined(IS_ADDRESS_SANITIZED)
#define FORKED_MAY_CALL   0
#define FORKED_MAY_RECORD 0
#elif defined(IS_THREAD_SANITIZED)
#define FORKED_MAY_CALL   1
#define FORKED_MAY_RECORD 0
#else
#define FORKED_MAY_CALL   1
#define FORKED_MAY_RECORD 1
#endif

#define THREADS      3
#define CHILD_SCOPES 400

extern char **environ;

/* --- children -------------------------------------------------------------------------------- */

/* Whether the capture's file is open in this process. */
static bool has_descriptor_of(const char *path)
{
    struct stat wanted;
    struct stat facts;
    if (stat(path, &wanted) != 0)
        return false;
    for (int fd = 0; fd < 256; fd++)
        if (fstat(fd, &facts) == 0 && facts.st_ino == wanted.st_ino &&
            facts.st_dev == wanted.st_dev)
            return true;
    return false;
}

/* Records to a file of its own, as the environment says; it goes on until exit. */
static int record_from_env(void)
{
    if (ludus_recorder_state() != LUDUS_RECORDER_IDLE)
        return 2;
    if (ludus_recorder_start_from_env() != LUDUS_OK)
        return 3;
    for (int i = 0; i < CHILD_SCOPES; i++) {
        LUDUS_PROFILE_SCOPE(in the child);
    }
    return 0;
}

/* The environment names the parent's file, which is there. */
static int be_refused(void)
{
    struct ludus_error error;
    const char *path = getenv("LUDUS_CAPTURE");
    if (path == NULL || has_descriptor_of(path))
        return 4;
    if (ludus_recorder_start_with_env(NULL, &error) != LUDUS_ERROR_EXISTS ||
        error.status != LUDUS_ERROR_EXISTS)
        return 5;
    LUDUS_PROFILE_MARK(nowhere);
    return 0;
}

/* --- the parent ------------------------------------------------------------------------------ */

static const char *self; /* this program */
static atomic_bool is_over;
static atomic_uint emitted;

static void *emit_always(void *argument)
{
    while (!atomic_load(&is_over)) {
        LUDUS_PROFILE_SCOPE(outer);
        for (int i = 0; i < 20; i++) {
            LUDUS_PROFILE_SCOPE_NAMED("inner", "Storm");
            LUDUS_PROFILE_COUNT(rounds, 1);
            atomic_fetch_add(&emitted, 1);
        }
        LUDUS_PROFILE_FRAME(Storm);
        usleep(200);
    }
    return argument;
}

static void *live_shortly(void *argument)
{
    LUDUS_PROFILE_SCOPE(short life);
    return argument;
}

/* Takes the recorder's locks all the time. */
static void *create_threads_always(void *argument)
{
    while (!atomic_load(&is_over)) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, live_shortly, NULL) == 0)
            pthread_join(thread, NULL);
        usleep(3000);
    }
    return argument;
}

static pthread_t storm[THREADS + 1];

static void begin_storm(void)
{
    atomic_store(&is_over, false);
    atomic_store(&emitted, 0);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&storm[i], NULL, emit_always, NULL), 0);
    ck_assert_int_eq(pthread_create(&storm[THREADS], NULL, create_threads_always, NULL), 0);
    while (atomic_load(&emitted) < 100)
        sched_yield();
}

static void end_storm(void)
{
    atomic_store(&is_over, true);
    for (int i = 0; i <= THREADS; i++)
        pthread_join(storm[i], NULL);
}

enum way { BY_FORK, BY_FORK_AND_EXEC, BY_VFORK, BY_SPAWN, WAYS };

static pid_t make_child(enum way way, int (*body)(void), const char *word)
{
    char program[512];
    char argument[16];
    pid_t child = -1;
    snprintf(program, sizeof program, "%s", self);
    snprintf(argument, sizeof argument, "%s", word);
    char *const arguments[] = {program, argument, NULL};
    if (way == BY_SPAWN)
        return posix_spawn(&child, program, NULL, NULL, arguments, environ) == 0 ? child : -1;
    if (way == BY_VFORK)
        child = vfork();
    else
        child = fork();
    if (child != 0)
        return child;
    if (way == BY_FORK)
        exit(body());
    execv(program, arguments);
    _exit(6);
}

static pid_t run_child(enum way way, int (*body)(void), const char *word)
{
    int status = 0;
    const pid_t child = make_child(way, body, word);
    ck_assert_int_gt(child, 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status), "way %d: the child ended by signal %d", (int)way,
                  WTERMSIG(status));
    ck_assert_msg(WEXITSTATUS(status) == 0, "way %d: the child ended with %d", (int)way,
                  WEXITSTATUS(status));
    return child;
}

static void expect_childs_capture(pid_t child)
{
    char name[64];
    snprintf(name, sizeof name, "own-%ld.lcap", (long)child);
    struct summary *summary = summary_read(fixture_path(name));
    summary_check_whole(summary);
    ck_assert_uint_eq(summary->begins, CHILD_SCOPES);
    ck_assert_uint_eq(summary->ends, CHILD_SCOPES);
    ck_assert_uint_eq(summary->track_count, 1);
    ck_assert_uint_eq(summary->session.process_id, (uint32_t)child);
    summary_free(summary);
    unlink(fixture_path(name));
}

START_TEST(children_of_a_storm_record_to_files_of_their_own)
{
    struct ludus_recorder_result result;
    setenv("LUDUS_CAPTURE", fixture_path("own-%p.lcap"), 1);
    ck_assert_int_eq(ludus_recorder_start_from_env(), LUDUS_OK);
    begin_storm();
    for (unsigned i = 0; i < CHILDREN; i++) {
        const enum way way = (enum way)(i % WAYS);
        if (way != BY_FORK || FORKED_MAY_RECORD)
            expect_childs_capture(run_child(way, record_from_env, "record"));
    }
    end_storm();
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(result.scopes_open, 0);
    ck_assert_uint_ge(result.recorded.scopes + result.dropped.scopes, atomic_load(&emitted));
    ck_assert_uint_eq(summary->session.process_id, (uint32_t)getpid());
    summary_free(summary);
    unsetenv("LUDUS_CAPTURE");
}
END_TEST

START_TEST(children_that_inherit_the_environment_leave_their_parents_file_alone)
{
    const char *path = fixture_path("parents.lcap");
    struct ludus_recorder_result result;
    setenv("LUDUS_CAPTURE", path, 1);
    ck_assert_int_eq(ludus_recorder_start_from_env(), LUDUS_OK);
    begin_storm();
    for (unsigned i = 0; i < CHILDREN; i++) {
        const enum way way = (enum way)(i % WAYS);
        if (way != BY_FORK || FORKED_MAY_CALL)
            (void)run_child(way, be_refused, "refused");
    }
    end_storm();
    summary_free(fixture_stop_and_read(&result)); /* nobody else has written to it */
    /* Nor afterwards, when nobody records. */
    struct stat before;
    struct stat after;
    ck_assert_int_eq(stat(path, &before), 0);
    for (unsigned i = 0; i < WAYS; i++)
        (void)run_child((enum way)i, be_refused, "refused");
    ck_assert_int_eq(stat(path, &after), 0);
    ck_assert_int_eq(before.st_size, after.st_size);
    ck_assert_int_eq(before.st_mtim.tv_sec, after.st_mtim.tv_sec);
    ck_assert_int_eq(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
    unsetenv("LUDUS_CAPTURE");
}
END_TEST

static void *start_and_stop_always(void *argument)
{
    char path[512];
    snprintf(path, sizeof path, "%s", (const char *)argument);
    while (!atomic_load(&is_over)) {
        struct ludus_recorder_config config = fixture_config("unused");
        config.path = path;
        config.clock = LUDUS_CLOCK_MONOTONIC;
        if (ludus_recorder_start(&config, NULL) != LUDUS_OK ||
            ludus_recorder_stop(NULL, NULL) != LUDUS_OK)
            return NULL;
        unlink(path);
    }
    return argument;
}

/* A child of a process that is just starting or stopping finds every lock free. */
START_TEST(children_may_be_made_while_recordings_start_and_stop)
{
    pthread_t thread;
    void *value = NULL;
    setenv("LUDUS_CAPTURE", fixture_path("own-%p.lcap"), 1);
    begin_storm();
    ck_assert_int_eq(pthread_create(&thread, NULL, start_and_stop_always,
                                    (void *)(uintptr_t)fixture_path("restarts.lcap")),
                     0);
    for (unsigned i = 0; i < CHILDREN; i++)
        if (FORKED_MAY_RECORD)
            expect_childs_capture(run_child(BY_FORK, record_from_env, "record"));
    end_storm();
    pthread_join(thread, &value);
    ck_assert_ptr_nonnull(value);
    unsetenv("LUDUS_CAPTURE");
}
END_TEST

int main(int count, char **arguments)
{
    static char path[512];
    if (count == 2)
        return strcmp(arguments[1], "record") == 0 ? record_from_env() : be_refused();
    const ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
    if (size <= 0)
        return EXIT_FAILURE;
    self = path;
    setenv("LUDUS_CLOCK", "monotonic", 1); /* no start looks at the cores of a busy machine */
    Suite *suite = suite_create("fork");
    TCase *cases = tcase_create("fork");
    tcase_add_checked_fixture(cases, fixture_setup, fixture_teardown);
    tcase_add_test(cases, children_of_a_storm_record_to_files_of_their_own);
    tcase_add_test(cases, children_that_inherit_the_environment_leave_their_parents_file_alone);
    tcase_add_test(cases, children_may_be_made_while_recordings_start_and_stop);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
