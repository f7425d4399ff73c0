/* Kills a recording program at random instants, a few hundred times: the file opens, each track in
 * it is the beginning of what its thread emitted, and what is older than twice the flush interval
 * and a pass of the collector is there.
 *
 * The test does not depend on the machine's speed: it measures how long the collector's passes took
 * and how much later than it asked for it was woken, and allows for these. */
#include <check.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "recorder_fixture.h"

#if defined(IS_THREAD_SANITIZED)
#define RUNS 20
#elif defined(IS_ADDRESS_SANITIZED)
#define RUNS 60
#else
#define RUNS 250
#endif

#define FLUSH_NS UINT64_C(10000000)
#define MOST_NS  UINT64_C(70000000) /* that a child lives after its first events */

/* A processor may read its clock before others see what it has stored. */
#define SETTLE_NS UINT64_C(100000)

enum { THREADS = 3, BURST = 7, NOTES = 4096, TURNS = 4096 };

/* What the child tells its parent, in memory that outlives it. A count is raised after what it
 * counts was written. */
struct told {
    struct told_thread {
        _Atomic uint32_t count;
        struct told_note {
            uint64_t time_ns; /* all of these rounds had been emitted by then */
            uint64_t rounds;
        } notes[NOTES];
    } threads[THREADS];
    _Atomic uint32_t waits; /* of the collector; a pass is the time between two */
    _Atomic uint32_t wakes;
    struct told_turn {
        uint64_t wait_ns; /* when it began to wait, and until when it wanted to */
        uint64_t until_ns;
        uint64_t wake_ns;
    } turns[TURNS];
};

static struct told *told;

/* The linker's names for the collector's wait and for what it would have called. */
int __real_sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline);
int __wrap_sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline);

int __wrap_sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline)
{
    const uint32_t number = atomic_load(&told->waits) % TURNS;
    struct told_turn *turn = &told->turns[number];
    turn->wait_ns = fixture_now_ns();
    turn->until_ns = (uint64_t)deadline->tv_sec * 1000000000u + (uint64_t)deadline->tv_nsec;
    atomic_fetch_add(&told->waits, 1);
    const int result = __real_sem_clockwait(semaphore, clock, deadline);
    turn->wake_ns = fixture_now_ns();
    atomic_fetch_add(&told->wakes, 1);
    return result;
}

/* --- the child ------------------------------------------------------------------------------- */

static void emit_round(uint64_t number)
{
    LUDUS_PROFILE_SCOPE(round);
    LUDUS_PROFILE_COUNT(rounds, 1);
    LUDUS_PROFILE_GAUGE(number, (double)number);
}

/* Emits and tells for good. The first thread also marks a frame for each of its notes. */
static void *emit_always(void *argument)
{
    struct told_thread *own = argument;
    uint64_t rounds = 0;
    if (own != told->threads)
        LUDUS_PROFILE_THREAD(own == told->threads + 1 ? "second" : "third");
    else
        LUDUS_PROFILE_THREAD("first");
    for (uint32_t count = 0; count < NOTES; count++) {
        for (int i = 0; i < BURST; i++)
            emit_round(rounds++);
        if (own == told->threads)
            LUDUS_PROFILE_FRAME();
        own->notes[count] = (struct told_note){fixture_now_ns(), rounds};
        atomic_store(&own->count, count + 1);
        usleep(150);
    }
    for (;;)
        pause();
    return NULL;
}

static void record_until_killed(const char *path)
{
    struct ludus_recorder_config config = fixture_config("unused");
    pthread_t thread;
    config.path = path;
    config.flush_interval_ms = (uint32_t)(FLUSH_NS / 1000000);
    /* With either clock; a look at the counter takes a busy machine 200 ms. */
    config.clock = getpid() % 4 == 0 ? LUDUS_CLOCK_AUTO : LUDUS_CLOCK_MONOTONIC;
    if (ludus_recorder_start(&config, NULL) != LUDUS_OK)
        _exit(1);
    for (int i = 1; i < THREADS; i++)
        if (pthread_create(&thread, NULL, emit_always, &told->threads[i]) != 0)
            _exit(2);
    emit_always(&told->threads[0]);
}

/* --- the parent ------------------------------------------------------------------------------ */

static uint64_t random_below(uint64_t limit)
{
    static uint64_t state;
    if (state == 0)
        state = fixture_now_ns();
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % limit;
}

static void sleep_until(uint64_t time_ns)
{
    const struct timespec time = {(time_t)(time_ns / 1000000000), (long)(time_ns % 1000000000)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) != 0)
        ;
}

/* Forks a child that records and kills it; it has begun to emit, unless it is to die `early`.
 * Returns when it was killed. */
static uint64_t record_and_kill(const char *path, bool early)
{
    memset((void *)told, 0, sizeof *told);
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0)
        record_until_killed(path);
    for (int i = 0; i < THREADS && !early; i++)
        while (atomic_load(&told->threads[i].count) == 0)
            usleep(100);
    sleep_until(fixture_now_ns() + random_below(MOST_NS));
    const uint64_t kill_ns = fixture_now_ns();
    int status;
    ck_assert_int_eq(kill(child, SIGKILL), 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFSIGNALED(status), "the child ended by itself, %d", WEXITSTATUS(status));
    return kill_ns;
}

/* Checks that the track is the beginning of what its thread emitted, and returns its whole rounds.
 */
static uint64_t rounds_of(const struct summary_track *track)
{
    static const uint32_t kinds[] = {LCAP_EVENT_BEGIN, LCAP_EVENT_GAUGE, LCAP_EVENT_END};
    uint64_t place = 0;
    uint64_t wrong = 0;
    for (size_t i = 0; i < track->count; i++) {
        const struct summary_event *event = &track->events[i];
        if (event->kind == LCAP_EVENT_COUNT)
            continue;
        double number = (double)(place / 3);
        uint64_t bits;
        memcpy(&bits, &number, sizeof bits);
        wrong += event->kind != kinds[place % 3] ||
                 (event->kind == LCAP_EVENT_GAUGE && event->value != bits);
        place++;
    }
    ck_assert_uint_eq(wrong, 0);
    return place / 3;
}

struct loss {
    uint64_t age_ns; /* of the oldest note of which something is missing, at the kill */
    uint64_t rounds;
};

/* What the collector did last before the kill. */
struct last_pass {
    uint64_t begin_ns;   /* of the last one that came to its end; 0: none did */
    uint64_t earlier_ns; /* of the one before */
    uint64_t allowed_ns; /* age of what may be missing */
};

static struct last_pass last_pass(uint64_t kill_ns)
{
    const uint32_t waits = atomic_load(&told->waits);
    const uint32_t wakes = atomic_load(&told->wakes);
    struct last_pass last = {.allowed_ns = UINT64_MAX};
    ck_assert_uint_lt(waits, TURNS);
    ck_assert_uint_le(waits - wakes, 1);
    if (waits < 2)
        return last;
    /* One pass has come to its end, the collector has waited behind it, and another may be under
     * way. Were its waits longer than the flush interval, more would be missing than is allowed. */
    const struct told_turn *before = &told->turns[waits - 2];
    const struct told_turn *after = &told->turns[waits - 1];
    const uint64_t woken_ns = wakes == waits ? after->wake_ns : UINT64_MAX;
    const uint64_t waited_ns = woken_ns < kill_ns ? woken_ns : kill_ns;
    last.begin_ns = before->wake_ns - SETTLE_NS;
    if (waits > 2)
        last.earlier_ns = told->turns[waits - 3].wake_ns - SETTLE_NS;
    last.allowed_ns = 2 * FLUSH_NS + (after->wait_ns - before->wake_ns);
    if (waited_ns > after->until_ns)
        last.allowed_ns += waited_ns - after->until_ns;
    if (woken_ns < kill_ns)
        last.allowed_ns += kill_ns - woken_ns;
    return last;
}

/* The rounds that the thread had emitted by then. */
static uint64_t rounds_before(const struct told_thread *thread, uint64_t time_ns)
{
    uint64_t rounds = 0;
    const uint32_t count = atomic_load(&thread->count);
    for (uint32_t i = 0; i < count && thread->notes[i].time_ns < time_ns; i++)
        rounds = thread->notes[i].rounds;
    return rounds;
}

/* Checks how old what is missing of a thread is, of whose rounds so many are in the file. */
static void check_age(const struct told_thread *thread, uint64_t held, uint64_t kill_ns,
                      const struct last_pass *last, struct loss *largest)
{
    const uint32_t count = atomic_load(&thread->count);
    uint32_t first = 0;
    while (first < count && thread->notes[first].rounds <= held)
        first++;
    if (first == count || thread->notes[first].time_ns >= kill_ns)
        return;
    const uint64_t age_ns = kill_ns - thread->notes[first].time_ns;
    ck_assert_msg(age_ns <= last->allowed_ns, "what is %.1f ms old is missing, allowed are %.1f",
                  (double)age_ns / 1e6, (double)last->allowed_ns / 1e6);
    const uint64_t rounds = thread->notes[count - 1].rounds - held;
    largest->age_ns = largest->age_ns > age_ns ? largest->age_ns : age_ns;
    largest->rounds = largest->rounds > rounds ? largest->rounds : rounds;
}

/* Frames are in it without a gap from the first on. */
static void check_frames(const struct summary *summary, const struct last_pass *last)
{
    ck_assert_uint_ge(summary->mark_count,
                      rounds_before(&told->threads[0], last->begin_ns) / BURST);
    for (size_t i = 0; i < summary->mark_count; i++)
        if (summary->marks[i].ordinal != i)
            ck_abort_msg("frame %zu is not number %zu", (size_t)summary->marks[i].ordinal, i);
}

/* Returns how many rounds had to be there. */
static uint64_t check_file(const char *path, uint64_t kill_ns, struct loss *largest)
{
    static const char *const names[THREADS] = {"first", "second", "third"};
    const struct last_pass last = last_pass(kill_ns);
    struct summary *summary = summary_read(path); /* checks order, nesting and numbering, too */
    uint64_t due = 0;
    uint64_t counted = 0;
    ck_assert(!summary->is_finished);
    ck_assert_uint_eq(summary->damages, 0);
    ck_assert_uint_eq(summary->undefined, 0);
    ck_assert_uint_eq(summary_loss(summary, 0).counts.scopes, 0);
    for (int i = 0; i < THREADS; i++) {
        const struct told_thread *thread = &told->threads[i];
        const struct summary_track *track = summary_track_named(summary, names[i]);
        const uint64_t held = track != NULL ? rounds_of(track) : 0;
        /* What was emitted before the last whole pass began. */
        ck_assert_uint_ge(held, rounds_before(thread, last.begin_ns));
        check_age(thread, held, kill_ns, &last, largest);
        due += rounds_before(thread, last.begin_ns);
        counted += rounds_before(thread, last.earlier_ns);
    }
    check_frames(summary, &last);
    /* A thread that goes on counting tells of a pass what the next one reads. */
    ck_assert_int_ge(summary_gain(summary, "rounds", 0, UINT64_MAX), (int64_t)counted);
    summary_free(summary);
    return due;
}

START_TEST(a_killed_programs_file_holds_all_but_the_last_moment)
{
    struct loss largest = {0};
    unsigned demanding = 0;
    for (int run = 0; run < RUNS; run++) {
        const char *path = fixture_path("killed.lcap");
        const uint64_t kill_ns = record_and_kill(path, false);
        demanding += check_file(path, kill_ns, &largest) > 0;
        unlink(path);
    }
    printf("killed %d times, every %u ms flushed: at most %.1f ms and %llu rounds of a thread were "
           "missing\n",
           RUNS, (unsigned)(FLUSH_NS / 1000000), (double)largest.age_ns / 1e6,
           (unsigned long long)largest.rounds);
    /* A test that demands nothing proves nothing. */
    ck_assert_uint_gt(demanding, RUNS / 4);
}
END_TEST

START_TEST(a_program_killed_while_it_starts_leaves_no_file_or_one_that_opens)
{
    for (int run = 0; run < RUNS / 5; run++) {
        const char *path = fixture_path("early.lcap");
        struct stat facts;
        struct loss ignored = {0};
        const uint64_t kill_ns = record_and_kill(path, true);
        /* Between its creation and its first bytes it is empty. */
        if (stat(path, &facts) == 0 && facts.st_size > 0)
            (void)check_file(path, kill_ns, &ignored);
        unlink(path);
    }
}
END_TEST

int main(void)
{
    told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (told == MAP_FAILED)
        return EXIT_FAILURE;
    Suite *suite = suite_create("crash");
    TCase *cases = tcase_create("crash");
    tcase_add_checked_fixture(cases, fixture_setup, fixture_teardown);
    tcase_add_test(cases, a_killed_programs_file_holds_all_but_the_last_moment);
    tcase_add_test(cases, a_program_killed_while_it_starts_leaves_no_file_or_one_that_opens);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
