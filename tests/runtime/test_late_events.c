/* Events at the very moment at which the recorder looks away: they are recorded, or told as late.
 */
#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "recorder_core.h"
#include "recorder_fixture.h"

/* The linker's names for the recorder's own calls and for what they would have called. */
enum ludus_attach __real_ludus_track_attach(void);
enum ludus_attach __wrap_ludus_track_attach(void);
void __real_ludus_collector_finish(struct ludus_collector *collector);
void __wrap_ludus_collector_finish(struct ludus_collector *collector);
uint32_t __real_ludus_tracks_scan(struct ludus_track **tracks);
uint32_t __wrap_ludus_tracks_scan(struct ludus_track **tracks);

static _Thread_local bool is_slow;
static atomic_int waiting; /* threads in front of attaching */
static atomic_bool may_attach;

enum ludus_attach __wrap_ludus_track_attach(void)
{
    if (is_slow) {
        atomic_fetch_add(&waiting, 1);
        while (!atomic_load(&may_attach))
            fixture_sleep_ms(1);
    }
    return __real_ludus_track_attach();
}

static pthread_t late_threads[2];
static bool has_late_threads;

/* Admission is closed here and the last pass has not begun. */
void __wrap_ludus_collector_finish(struct ludus_collector *collector)
{
    atomic_store(&may_attach, true);
    for (int i = 0; has_late_threads && i < 2; i++)
        pthread_join(late_threads[i], NULL);
    __real_ludus_collector_finish(collector);
}

static void *be_late(void *argument)
{
    is_slow = true;
    if (argument != NULL) {
        LUDUS_PROFILE_MARK(late);
    } else {
        LUDUS_PROFILE_SCOPE(late);
    }
    return NULL;
}

START_TEST(events_that_come_while_a_recording_is_being_stopped_are_told_as_late)
{
    const struct ludus_recorder_config config = fixture_config("late.lcap");
    struct ludus_recorder_result result;
    int something;
    fixture_start(&config);
    LUDUS_PROFILE_MARK(in time);
    ck_assert_int_eq(pthread_create(&late_threads[0], NULL, be_late, NULL), 0);
    ck_assert_int_eq(pthread_create(&late_threads[1], NULL, be_late, &something), 0);
    has_late_threads = true;
    while (atomic_load(&waiting) < 2)
        fixture_sleep_ms(1);
    struct summary *summary = fixture_stop_and_read(&result);
    has_late_threads = false;
    ck_assert_uint_eq(summary_told(summary, LCAP_DIAGNOSTIC_LATE_EVENTS), 2);
    ck_assert_uint_eq(result.recorded.instants, 1);
    ck_assert_uint_eq(result.recorded.scopes, 0);
    ck_assert_uint_eq(result.dropped.instants + result.dropped.scopes, 0);
    summary_free(summary);
}
END_TEST

static struct ludus_scope moved;
static atomic_bool is_armed;
static atomic_bool is_reported;

static void *begin_elsewhere(void *argument)
{
    static struct ludus_site site = {"moved", __FILE__, "begin_elsewhere", __LINE__, 0, 0, 0};
    moved = ludus_scope_begin(&site);
    return argument;
}

static void *end_elsewhere(void *argument)
{
    ludus_scope_end(&moved);
    return argument;
}

static void run(void *(*body)(void *))
{
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, body, NULL), 0);
    pthread_join(thread, NULL);
}

/* The pass has just looked which tracks there are; now there is another, and a report about it. */
uint32_t __wrap_ludus_tracks_scan(struct ludus_track **tracks)
{
    const uint32_t count = __real_ludus_tracks_scan(tracks);
    if (atomic_exchange(&is_armed, false)) {
        run(begin_elsewhere);
        run(end_elsewhere);
        atomic_store(&is_reported, true);
    }
    return count;
}

START_TEST(a_report_about_a_new_track_comes_after_its_definition)
{
    const struct ludus_recorder_config config = fixture_config("report.lcap");
    struct ludus_recorder_result result;
    fixture_start(&config);
    atomic_store(&is_armed, true);
    while (!atomic_load(&is_reported))
        fixture_sleep_ms(1);
    fixture_sleep_ms(50); /* several passes */
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_ptr_nonnull(summary_diagnostic(summary, LCAP_DIAGNOSTIC_WRONG_THREAD));
    ck_assert_uint_eq(summary->track_count, 1);
    summary_free(summary);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("late events");
    TCase *cases = tcase_create("late events");
    tcase_add_checked_fixture(cases, fixture_setup, fixture_teardown);
    tcase_add_test(cases, events_that_come_while_a_recording_is_being_stopped_are_told_as_late);
    tcase_add_test(cases, a_report_about_a_new_track_comes_after_its_definition);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
