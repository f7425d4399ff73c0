/* Counters are exact: what was counted in a frame is its value, whatever threads, buffers and the
 * file do meanwhile, and nothing that was counted is lost. */
#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorder_fixture.h"
#include "write_gate.h"

/* ThreadSanitizer cannot follow a thread that is started in a child of a process with threads, and
 * not what a thread does in its last round of destructors. */
#ifdef IS_THREAD_SANITIZED
#define CHILD_MAY_RECORD  0
#define DESTRUCTOR_ROUNDS 2
#else
#define CHILD_MAY_RECORD  1
#define DESTRUCTOR_ROUNDS 4
#endif

static void count_in_frame(int64_t frame)
{
    for (int64_t i = 0; i < frame; i++)
        LUDUS_PROFILE_COUNT(calls/made, 1);
    LUDUS_PROFILE_COUNT(bytes, 1000 * frame, LUDUS_PROFILE_CAT(Net));
    LUDUS_PROFILE_COUNT(balance, frame % 2 == 0 ? -7 : 3);
}

enum { FRAMES = 50 };

static void check_frame(const struct summary *summary, int64_t frame)
{
    const uint64_t from = summary->marks[frame].tick;
    const uint64_t to = summary->marks[frame + 1].tick;
    const bool counts = frame % 5 != 4;
    const int64_t calls = summary_gain(summary, "calls/made", from, to);
    const int64_t bytes = summary_gain(summary, "bytes", from, to);
    const int64_t balance = summary_gain(summary, "balance", from, to);
    ck_assert_int_eq(calls, counts ? frame : 0);
    ck_assert_int_eq(bytes, counts ? 1000 * frame : 0);
    ck_assert_int_eq(balance, !counts ? 0 : frame % 2 == 0 ? -7 : 3);
}

static uint64_t events_of(const struct summary *summary, const char *name)
{
    const struct lcap_site *site = summary_site(summary, name);
    uint64_t count = 0;
    for (size_t t = 0; site != NULL && t < summary->track_count; t++)
        for (size_t e = 0; e < summary->tracks[t].count; e++)
            count += summary->tracks[t].events[e].kind == LCAP_EVENT_COUNT &&
                     summary->tracks[t].events[e].site == site->site;
    return count;
}

static void count_frames(const struct ludus_recorder_config *config)
{
    struct ludus_recorder_result result;
    fixture_start(config);
    for (int64_t frame = 0; frame < FRAMES; frame++) {
        LUDUS_PROFILE_FRAME();
        LUDUS_PROFILE_SCOPE(work);
        if (frame % 5 != 4) /* in others nothing is counted, which must not move to a neighbour */
            count_in_frame(frame);
        if (frame == 25)
            fixture_sleep_ms(250); /* the collector comes by */
    }
    LUDUS_PROFILE_FRAME();
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(summary->mark_count, FRAMES + 1);
    for (int64_t frame = 0; frame < FRAMES; frame++)
        check_frame(summary, frame);
    /* Without a cell, two for each call; else one for each frame, and for each flush at most. */
    if (config->max_counters == 1)
        ck_assert_uint_eq(events_of(summary, "balance"), 2 * (FRAMES - FRAMES / 5));
    const struct lcap_site *bytes = summary_site(summary, "bytes");
    ck_assert_str_eq(summary_text(summary, summary->categories[bytes->category - 1].name), "Net");
    summary_free(summary);
}

START_TEST(a_frame_has_exactly_what_was_counted_in_it)
{
    const struct ludus_recorder_config config = fixture_config("frames.lcap");
    count_frames(&config);
}
END_TEST

START_TEST(a_frame_has_exactly_what_counters_without_a_cell_counted_in_it)
{
    struct ludus_recorder_config config = fixture_config("cellless.lcap");
    config.max_counters = 1;
    count_frames(&config);
}
END_TEST

static atomic_int running;

struct worker {
    pthread_t thread;
    int64_t counted;
};

static void *count_across_frames(void *argument)
{
    struct worker *worker = argument;
    while (atomic_load(&running)) {
        for (int i = 0; i < 2000; i++) {
            LUDUS_PROFILE_COUNT(shared, 3);
            worker->counted += 3;
        }
        LUDUS_PROFILE_SCOPE(between);
    }
    LUDUS_PROFILE_COUNT(shared, INT64_MAX);
    LUDUS_PROFILE_COUNT(shared, INT64_MIN + 2); /* the sum wraps around and comes back: + 1 */
    worker->counted += 1;
    return NULL;
}

START_TEST(workers_that_cross_frames_lose_nothing)
{
    enum { WORKERS = 4, MARKS = 200 };
    struct ludus_recorder_config config = fixture_config("workers.lcap");
    struct worker workers[WORKERS] = {{.counted = 0}};
    struct ludus_recorder_result result;
    config.flush_interval_ms = 5;
    fixture_start(&config);
    atomic_store(&running, 1);
    for (int i = 0; i < WORKERS; i++)
        ck_assert_int_eq(pthread_create(&workers[i].thread, NULL, count_across_frames, &workers[i]),
                         0);
    for (int frame = 0; frame < MARKS; frame++) {
        LUDUS_PROFILE_FRAME();
        fixture_sleep_ms(1);
    }
    atomic_store(&running, 0);
    int64_t counted = 0;
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(workers[i].thread, NULL);
        counted += workers[i].counted;
    }
    struct summary *summary = fixture_stop_and_read(&result);
    uint64_t sum = (uint64_t)summary_gain(summary, "shared", 0, summary->marks[0].tick);
    for (size_t i = 0; i + 1 < summary->mark_count; i++)
        sum += (uint64_t)summary_gain(summary, "shared", summary->marks[i].tick,
                                      summary->marks[i + 1].tick);
    const uint64_t last = summary->marks[summary->mark_count - 1].tick;
    sum += (uint64_t)summary_gain(summary, "shared", last, UINT64_MAX);
    ck_assert_int_eq((int64_t)sum, counted);
    ck_assert_int_eq(summary_gain(summary, "shared", 0, UINT64_MAX), counted);
    const struct lcap_site *rising = summary_site(summary, "shared"); /* the loop's */
    for (size_t t = 0; t < summary->track_count; t++)
        for (size_t e = 0; e < summary->tracks[t].count; e++)
            if (summary->tracks[t].events[e].site == rising->site)
                ck_assert_int_ge((int64_t)summary->tracks[t].events[e].value, 0);
    ck_assert_ptr_null(summary_diagnostic(summary, LCAP_DIAGNOSTIC_COUNTS_LOST));
    summary_free(summary);
}
END_TEST

START_TEST(totals_of_one_recording_are_not_in_the_next)
{
    for (int round = 0; round < 3; round++) {
        char file[32];
        snprintf(file, sizeof file, "round-%d.lcap", round);
        const struct ludus_recorder_config config = fixture_config(file);
        struct ludus_recorder_result result;
        LUDUS_PROFILE_COUNT(idle, 1); /* while nothing is recorded */
        fixture_start(&config);
        LUDUS_PROFILE_COUNT(idle, 5);
        struct summary *summary = fixture_stop_and_read(&result);
        ck_assert_int_eq(summary_gain(summary, "idle", 0, UINT64_MAX), 5);
        summary_free(summary);
    }
}
END_TEST

START_TEST(counters_beyond_the_cells_are_as_exact)
{
    struct ludus_recorder_config config = fixture_config("cells.lcap");
    struct ludus_recorder_result result;
    static struct ludus_counter many[400];
    static char labels[400][24];
    fixture_start(&config);
    for (int i = 0; i < 400; i++) {
        snprintf(labels[i], sizeof labels[i], "counter %d, n", i);
        many[i] = (struct ludus_counter){
            {labels[i], "many.c", "f", (uint32_t)i + 1, LUDUS_SITE_VALUED, 0, 0}, 0};
        for (int n = 0; n < 3; n++)
            ludus_counter_add(&many[i], i);
    }
    struct summary *summary = fixture_stop_and_read(&result);
    for (int i = 0; i < 60; i++) { /* the fixture's registry has no room for all */
        char name[24];
        snprintf(name, sizeof name, "counter %d", i);
        if (summary_site(summary, name) != NULL)
            ck_assert_int_eq(summary_gain(summary, name, 0, UINT64_MAX), 3 * i);
    }
    int64_t sum = 0;
    for (size_t s = 0; s < summary->site_count; s++)
        sum += summary_gain(summary, summary_text(summary, summary->sites[s].name), 0, UINT64_MAX);
    ck_assert_int_eq(sum, 3 * 400 * 399 / 2);
    summary_free(summary);
}
END_TEST

#define BURST_SCOPES 300000 /* take more places than there are in 4 MiB */

START_TEST(counts_without_room_are_kept_and_told_as_late)
{
    struct ludus_recorder_config config = fixture_config("starved.lcap");
    struct ludus_recorder_result result;
    config.memory_bytes = 4u << 20;
    config.max_sites = 64;
    config.max_threads = 4;
    fixture_start(&config);
    LUDUS_PROFILE_COUNT(first, 1);
    write_gate_close();
    for (int i = 0; i < BURST_SCOPES; i++) {
        LUDUS_PROFILE_SCOPE(burst);
    }
    for (int frame = 0; frame < 2; frame++) {
        LUDUS_PROFILE_FRAME();
        for (int i = 0; i < 1000; i++)
            LUDUS_PROFILE_COUNT(starved, 1 + frame);
    }
    write_gate_open();
    while (LUDUS_PROFILE_FLOW_OUT(probe) == 0)
        fixture_sleep_ms(1);
    LUDUS_PROFILE_FRAME();
    LUDUS_PROFILE_COUNT(fed, 11);
    LUDUS_PROFILE_COUNT(first, 2);
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_gt(result.dropped.scopes, 0);
    ck_assert_int_eq(summary_gain(summary, "starved", 0, UINT64_MAX), 3000);
    ck_assert_int_eq(summary_gain(summary, "fed", summary->marks[2].tick, UINT64_MAX), 11);
    ck_assert_int_eq(summary_gain(summary, "first", summary->marks[2].tick, UINT64_MAX), 2);
    ck_assert_int_eq(summary_gain(summary, "first", 0, summary->marks[0].tick), 1);
    const struct lcap_diagnostic *late = summary_diagnostic(summary, LCAP_DIAGNOSTIC_COUNTS_LATE);
    ck_assert_ptr_nonnull(late);
    const uint64_t times = summary_told(summary, LCAP_DIAGNOSTIC_COUNTS_LATE);
    ck_assert_uint_ge(times, 2); /* once in each frame at least, and not for every call */
    ck_assert_uint_le(times, 100);
    ck_assert_uint_eq(late->track, summary->tracks[0].record.track);
    ck_assert_ptr_null(summary_diagnostic(summary, LCAP_DIAGNOSTIC_COUNTS_LOST));
    summary_free(summary);
}
END_TEST

enum { DENSE_COUNTERS = 100, DENSE_FRAMES = 400 };

static struct ludus_counter dense[DENSE_COUNTERS];

static void count_densely(void)
{
    static char labels[DENSE_COUNTERS][16];
    for (int i = 0; i < DENSE_COUNTERS; i++) {
        snprintf(labels[i], sizeof labels[i], "dense %d, n", i);
        if (dense[i].site.label == NULL)
            dense[i].site =
                (struct ludus_site){labels[i], "dense.c", "f", 1, LUDUS_SITE_VALUED, 0, 0};
    }
    for (int64_t frame = 0; frame < DENSE_FRAMES; frame++) {
        LUDUS_PROFILE_FRAME();
        for (int i = 0; i < DENSE_COUNTERS; i++)
            ludus_counter_add(&dense[i], frame + 1);
    }
    LUDUS_PROFILE_FRAME();
}

/* The first event of a counter tells of what was before frame 0, each one more of a frame. */
static void check_densely(const struct summary *summary)
{
    int64_t told[DENSE_COUNTERS] = {0};
    int numbers[1024]; /* by site */
    uint64_t wrong = 0;
    for (int i = 0; i < 1024; i++)
        numbers[i] = -1;
    for (size_t s = 0; s < summary->site_count; s++)
        if (summary->sites[s].site < 1024)
            sscanf(summary_text(summary, summary->sites[s].name), "dense %d",
                   &numbers[summary->sites[s].site]);
    const struct summary_track *track = &summary->tracks[0];
    for (size_t e = 0; e < track->count; e++) {
        const struct summary_event *event = &track->events[e];
        const int number = event->kind == LCAP_EVENT_COUNT ? numbers[event->site % 1024] : -1;
        if (number >= 0)
            wrong += (int64_t)event->value != told[number]++;
    }
    for (int i = 0; i < DENSE_COUNTERS; i++)
        wrong += told[i] != DENSE_FRAMES + 1; /* the last one's was read from the cell */
    ck_assert_uint_eq(wrong, 0);
}

/* All is written in the last pass, of which write `number` fails. False: there is no such write. */
static bool count_with_a_failure(unsigned number)
{
    struct ludus_recorder_config config = fixture_config("failed.lcap");
    config.flush_interval_ms = 60000;
    config.clock = LUDUS_CLOCK_MONOTONIC; /* needs no calibration at the beginning */
    fixture_start(&config);
    count_densely();
    write_gate_fail(number);
    enum ludus_status status = ludus_recorder_stop(NULL, NULL);
    const bool has_failed = write_gate_has_failed();
    write_gate_fail(0);
    if (status != LUDUS_OK) {
        unlink(config.path);
        config.path = fixture_path("retried.lcap");
        status = ludus_recorder_retry(config.path, NULL, NULL);
    }
    ck_assert_int_eq(status, LUDUS_OK);
    struct summary *summary = summary_read(config.path);
    summary_check_whole(summary);
    ck_assert_uint_gt(summary->event_blocks, 2);
    check_densely(summary);
    summary_free(summary);
    unlink(config.path);
    return has_failed;
}

START_TEST(frames_are_as_exact_after_a_failed_write_and_a_retry)
{
    unsigned number = 1;
    while (number < 100 && count_with_a_failure(number))
        number++;
    ck_assert_uint_gt(number, 5);
    ck_assert_uint_lt(number, 100);
}
END_TEST

static pthread_barrier_t start_line;

static void *count_at_once(void *argument)
{
    pthread_barrier_wait(&start_line);
    LUDUS_PROFILE_COUNT(met at once, 5);
    return argument;
}

START_TEST(threads_may_meet_a_new_counter_at_once)
{
    enum { THREADS = 8 };
    const struct ludus_recorder_config config = fixture_config("once.lcap");
    struct ludus_recorder_result result;
    pthread_t threads[THREADS];
    pthread_barrier_init(&start_line, NULL, THREADS);
    fixture_start(&config);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, count_at_once, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_int_eq(summary_gain(summary, "met at once", 0, UINT64_MAX), 5 * THREADS);
    summary_free(summary);
    pthread_barrier_destroy(&start_line);
}
END_TEST

static pthread_key_t end_key;
static int end_rounds;

static void count_at_end(void *value)
{
    LUDUS_PROFILE_COUNT(at the end, 1);
    if (++end_rounds < DESTRUCTOR_ROUNDS)
        pthread_setspecific(end_key, value);
}

static void *end_counting(void *argument)
{
    LUDUS_PROFILE_COUNT(before the end, 7);
    pthread_setspecific(end_key, &end_rounds);
    return argument;
}

START_TEST(a_thread_counts_until_it_has_given_up_its_track)
{
    const struct ludus_recorder_config config = fixture_config("end.lcap");
    struct ludus_recorder_result result;
    pthread_t thread;
    ck_assert_int_eq(pthread_key_create(&end_key, count_at_end), 0);
    fixture_start(&config);
    ck_assert_int_eq(pthread_create(&thread, NULL, end_counting, NULL), 0);
    pthread_join(thread, NULL);
    struct summary *summary = fixture_stop_and_read(&result);
    const int64_t told = summary_gain(summary, "at the end", 0, UINT64_MAX);
    const uint64_t late = summary_told(summary, LCAP_DIAGNOSTIC_LATE_EVENTS);
    ck_assert_int_eq(end_rounds, DESTRUCTOR_ROUNDS);
    ck_assert_int_ge(told, 1);
    ck_assert_uint_eq((uint64_t)told + late,
                      DESTRUCTOR_ROUNDS); /* nothing goes without being told */
    ck_assert_int_eq(summary_gain(summary, "before the end", 0, UINT64_MAX), 7);
    summary_free(summary);
    pthread_key_delete(end_key);
}
END_TEST

static void count_around_a_fork(int64_t amount)
{
    LUDUS_PROFILE_COUNT(around a fork, amount);
}

static int count_in_child(void)
{
    const struct ludus_recorder_config config = fixture_config("child.lcap");
    count_around_a_fork(100); /* nothing is recorded here */
    if (!CHILD_MAY_RECORD)
        return 0;
    if (ludus_recorder_start(&config, NULL) != LUDUS_OK)
        return 1;
    count_around_a_fork(7);
    return ludus_recorder_stop(NULL, NULL) == LUDUS_OK ? 0 : 2;
}

START_TEST(a_forked_child_counts_for_itself)
{
    const struct ludus_recorder_config config = fixture_config("parent.lcap");
    struct ludus_recorder_result result;
    int status = -1;
    fixture_start(&config);
    count_around_a_fork(5);
    const pid_t child = fork();
    if (child == 0)
        _exit(count_in_child());
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    count_around_a_fork(6);
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_int_eq(summary_gain(summary, "around a fork", 0, UINT64_MAX), 11);
    summary_free(summary);
    if (!CHILD_MAY_RECORD)
        return;
    summary = summary_read(fixture_path("child.lcap"));
    summary_check_whole(summary);
    ck_assert_int_eq(summary_gain(summary, "around a fork", 0, UINT64_MAX), 7);
    summary_free(summary);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("counters");
    TCase *cases = tcase_create("counters");
    tcase_add_checked_fixture(cases, fixture_setup, fixture_teardown);
    tcase_set_timeout(cases, 120);
    /* Tests may share a process, and cells are given out for its life: first what needs that there
     * is but one, last what takes all. */
    tcase_add_test(cases, a_frame_has_exactly_what_counters_without_a_cell_counted_in_it);
    tcase_add_test(cases, a_frame_has_exactly_what_was_counted_in_it);
    tcase_add_test(cases, workers_that_cross_frames_lose_nothing);
    tcase_add_test(cases, totals_of_one_recording_are_not_in_the_next);
    tcase_add_test(cases, counts_without_room_are_kept_and_told_as_late);
    tcase_add_test(cases, frames_are_as_exact_after_a_failed_write_and_a_retry);
    tcase_add_test(cases, threads_may_meet_a_new_counter_at_once);
    tcase_add_test(cases, a_thread_counts_until_it_has_given_up_its_track);
    tcase_add_test(cases, a_forked_child_counts_for_itself);
    tcase_add_test(cases, counters_beyond_the_cells_are_as_exact);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
