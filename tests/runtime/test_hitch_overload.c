/* Captures of hitches while threads emit more than there is room for: what they say they have is in
 * them, and the rest is told. The recorder's writes can be held up. */
#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hitch_fixture.h"
#include "write_gate.h"

#define NS_PER_MS UINT64_C(1000000)

enum { PRODUCERS = 2, STEPS = 500000, CAPTURES = 6 };

static struct hitch_ledger ledgers[PRODUCERS];
static atomic_bool is_over;
static atomic_int finished; /* producers that are over, or have emitted all */
static const char *const names[PRODUCERS] = {"producer 0", "producer 1"};

static void *produce(void *ledger)
{
    struct hitch_ledger *own = ledger;
    ludus_thread_set_name(own->thread);
    while (!atomic_load(&is_over) && hitch_ledger_emit(own))
        ;
    atomic_fetch_add(&finished, 1);
    return NULL;
}

/* Threads that come and go meanwhile. */
static void *live_briefly(void *argument)
{
    LUDUS_PROFILE_THREAD("brief");
    for (int i = 0; i < 20; i++) {
        LUDUS_PROFILE_SCOPE(brief);
        LUDUS_PROFILE_FRAME(Brief);
    }
    (void)argument;
    return NULL;
}

static void *come_and_go(void *argument)
{
    while (!atomic_load(&is_over)) {
        pthread_t thread;
        ck_assert_int_eq(pthread_create(&thread, NULL, live_briefly, NULL), 0);
        pthread_join(thread, NULL);
    }
    (void)argument;
    return NULL;
}

static struct ludus_recorder_config small_config(const char *name)
{
    struct ludus_recorder_config config = hitch_config(name);
    config.memory_bytes = 4u << 20;
    config.hitch.window_bytes = 512u << 10;
    config.hitch.after_ms = 5;
    config.flush_interval_ms = 5;
    return config;
}

static pthread_t threads[PRODUCERS + 1];

static void start_threads(size_t steps)
{
    atomic_store(&is_over, false);
    atomic_store(&finished, 0);
    for (int i = 0; i < PRODUCERS; i++) {
        hitch_ledger_init(&ledgers[i], names[i], steps);
        ck_assert_int_eq(pthread_create(&threads[i], NULL, produce, &ledgers[i]), 0);
    }
    ck_assert_int_eq(pthread_create(&threads[PRODUCERS], NULL, come_and_go, NULL), 0);
}

static void end_threads(void)
{
    atomic_store(&is_over, true);
    for (int i = 0; i <= PRODUCERS; i++)
        pthread_join(threads[i], NULL);
}

static void forget_ledgers(void)
{
    for (int i = 0; i < PRODUCERS; i++)
        hitch_ledger_free(&ledgers[i]);
}

static void check_all(const struct summary *summary)
{
    for (int i = 0; i < PRODUCERS; i++) {
        if (summary_track_named(summary, names[i]) != NULL)
            hitch_ledger_check(&ledgers[i], summary);
    }
}

START_TEST(the_window_rolls_on_and_a_capture_has_what_it_says_it_has)
{
    const struct ludus_recorder_config config = small_config("rolls.lcap");
    size_t rolled = 0;
    fixture_start(&config);
    start_threads(STEPS);
    for (size_t i = 1; i <= CAPTURES; i++) {
        fixture_sleep_ms(30);
        hitch_trigger("busy");
        hitch_await_captures(i);
    }
    const struct ludus_recorder_result result = fixture_stop();
    end_threads();
    ck_assert_uint_eq(result.captures, CAPTURES);
    for (size_t i = 0; i < CAPTURES; i++) {
        struct summary *summary = hitch_read(i);
        check_all(summary);
        rolled += summary->window.from_tick > summary->session.start_tick;
        summary_free(summary);
    }
    ck_assert_uint_gt(rolled, 0);
    forget_ledgers();
}
END_TEST

/* The capture that is being written when the recording ends, and one that begins then. */
START_TEST(a_stop_under_load_finishes_the_captures)
{
    const struct ludus_recorder_config config = small_config("stop.lcap");
    fixture_start(&config);
    start_threads(STEPS);
    fixture_sleep_ms(30);
    hitch_trigger("first");
    hitch_await_file();
    fixture_sleep_ms(6);
    hitch_trigger("second");
    const struct ludus_recorder_result result = fixture_stop();
    end_threads();
    uint64_t told = 0;
    for (size_t i = 0; i < result.captures; i++) {
        struct summary *summary = hitch_read(i);
        check_all(summary);
        told += summary->trigger_count;
        summary_free(summary);
    }
    ck_assert_uint_eq(told, 2);
    forget_ledgers();
}
END_TEST

/* A disk that hangs: nothing is read meanwhile, buffers fill, and what is lost is told. */
START_TEST(what_came_before_the_trigger_survives_a_write_that_hangs)
{
    struct ludus_recorder_config config = small_config("hangs.lcap");
    config.memory_bytes = 8u << 20;
    config.hitch.window_bytes = 4u << 20;
    config.hitch.after_ms = 3600000;
    fixture_start(&config);
    write_gate_close();
    LUDUS_PROFILE_THREAD("main");
    hitch_ledger_init(&ledgers[0], "main", 1000);
    for (int i = 0; i < 1000; i++)
        hitch_ledger_emit(&ledgers[0]);
    hitch_trigger("hangs");
    write_gate_await();
    struct hitch_ledger before = ledgers[0];
    start_threads(60000); /* more than there is room for */
    while (atomic_load(&finished) < PRODUCERS)
        fixture_sleep_ms(1);
    write_gate_open();
    const struct ludus_recorder_result result = fixture_stop();
    end_threads();
    ck_assert_uint_eq(result.captures, 1);
    ck_assert_uint_gt(result.dropped.scopes, 0);
    struct summary *summary = hitch_read(0);
    ck_assert_uint_eq(hitch_ledger_check(&before, summary), 1000);
    check_all(summary);
    ck_assert_uint_gt(summary->end.dropped.scopes, 0);
    summary_free(summary);
    hitch_ledger_free(&before);
    forget_ledgers();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hitch overload");
    TCase *cases = tcase_create("hitch overload");
    tcase_add_checked_fixture(cases, fixture_setup, fixture_teardown);
    tcase_add_test(cases, the_window_rolls_on_and_a_capture_has_what_it_says_it_has);
    tcase_add_test(cases, a_stop_under_load_finishes_the_captures);
    tcase_add_test(cases, what_came_before_the_trigger_survives_a_write_that_hangs);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
