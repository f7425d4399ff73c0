/* A thread that records meets no page fault, from its first event on: all memory that it touches
 * for that is brought in by the start of the recording. A program of its own, as any earlier
 * recording would bring in what this one finds missing. */
#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "recorder_fixture.h"

/* 1: of a recording of hitches, which is then the first of its process. */
#ifndef KEEPS_HITCHES
#define KEEPS_HITCHES 0
#endif

#define EVENTS 100000 /* several chunks of every thread */

extern const char __executable_start;
extern const char etext;

static struct ludus_site scope_site;
static struct ludus_site instant_site;
static struct ludus_site gauge_site;
static struct ludus_site flow_site;
static struct ludus_counter counter;

static struct ludus_site describe(const char *label)
{
    return (struct ludus_site){.label = label, .file = __FILE__, .function = __func__};
}

/* The program's own pages: its sites, which its own data are, and its code. */
static void touch_program(void)
{
    scope_site = describe("Scope");
    instant_site = describe("Instant");
    gauge_site = describe("Gauge");
    flow_site = describe("Flow");
    counter.site = describe("Count");
    for (const volatile char *byte = &__executable_start; byte < &etext; byte += 4096)
        (void)*byte;
}

__attribute__((noinline)) static void touch_stack(void)
{
    volatile char stack[65536];
    for (size_t i = 0; i < sizeof stack; i += 1024)
        stack[i] = 1;
}

static long faults(void)
{
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_minflt + usage.ru_majflt;
}

static void *emit(void *result)
{
    touch_stack();
    const long before = faults();
    for (int i = 0; i < EVENTS; i++) {
        struct ludus_scope scope = ludus_scope_begin(&scope_site);
        ludus_instant(&instant_site);
        ludus_gauge(&gauge_site, i);
        ludus_flow_in(ludus_flow_out(&flow_site));
        if (ludus_site_is_admitted(&counter.site))
            ludus_counter_add(&counter, i);
        ludus_scope_end(&scope);
    }
    *(long *)result = faults() - before;
    return NULL;
}

/* The first recording of the process is the one of interest. */
static void expect_no_fault(const struct ludus_recorder_config *config)
{
    pthread_t thread;
    long met = -1;
    touch_program();
    touch_stack();
    fixture_start(config);
    if (config->retention == LUDUS_RETAIN_HITCHES) /* while a capture is written */
        ck_assert_int_eq(ludus_recorder_trigger("faults", NULL), LUDUS_OK);
    ck_assert_int_eq(pthread_create(&thread, NULL, emit, &met), 0);
    pthread_join(thread, NULL);
    const struct ludus_recorder_result result = fixture_stop();
    ck_assert_uint_eq(result.recorded.scopes + result.dropped.scopes, EVENTS);
    ck_assert_uint_eq(result.captures, config->retention == LUDUS_RETAIN_HITCHES);
    ck_assert_int_eq(met, 0);
}

START_TEST(a_thread_that_records_meets_no_page_fault)
{
    struct ludus_recorder_config config = fixture_config("faults.lcap");
    config.retention = KEEPS_HITCHES ? LUDUS_RETAIN_HITCHES : LUDUS_RETAIN_ALL;
    expect_no_fault(&config);
}
END_TEST

/* Something new for the window, and a capture of it. */
static void capture_some(int times)
{
    for (int i = 0; i < times; i++) {
        for (int k = 0; k < EVENTS / 5; k++) {
            struct ludus_scope scope = ludus_scope_begin(&scope_site);
            ludus_scope_end(&scope);
        }
        ck_assert_int_eq(ludus_recorder_trigger("memory", NULL), LUDUS_OK);
        fixture_sleep_ms(20);
    }
}

/* Once the window has been gone round, captures and their files take no memory that stays. */
START_TEST(memory_stays_what_it_was_while_captures_are_written)
{
    struct ludus_recorder_config config = fixture_config("memory.lcap");
    config.retention = LUDUS_RETAIN_HITCHES;
    config.hitch.before_ms = 1;
    config.hitch.after_ms = 1;
    config.hitch.max_captures = 1000;
    fixture_start(&config);
    capture_some(20);
    const uint64_t before = fixture_resident_bytes();
    capture_some(80);
    const uint64_t after = fixture_resident_bytes();
    const struct ludus_recorder_result result = fixture_stop();
    ck_assert_uint_ge(result.captures, 2);
    ck_assert_uint_le(after, before + (256u << 10));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("page faults");
    TCase *tests = tcase_create("page faults");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, a_thread_that_records_meets_no_page_fault);
    tcase_add_test(tests, memory_stays_what_it_was_while_captures_are_written);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
