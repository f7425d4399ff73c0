/* Gauges and flows arrive whole: values are the same bits, and both ends of a flow have its id.
 * Counters: test_counters.c. */
#include <check.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder_fixture.h"

START_TEST(gauges_keep_every_bit)
{
    static const uint64_t bits[] = {0,
                                    UINT64_C(1) << 63,
                                    1,
                                    UINT64_C(0x7FF0000000000000),
                                    UINT64_C(0xFFF0000000000000),
                                    UINT64_C(0x7FF8000000000123),
                                    UINT64_C(0x7FEFFFFFFFFFFFFF),
                                    UINT64_C(0xC059000000000000)};
    const struct ludus_recorder_config config = fixture_config("gauges.lcap");
    struct ludus_recorder_result result;
    fixture_start(&config);
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
        double value;
        memcpy(&value, &bits[i], sizeof value);
        LUDUS_PROFILE_GAUGE(heap/MiB, value);
    }
    LUDUS_PROFILE_GAUGE(entities, 12, LUDUS_PROFILE_CAT(Sim));
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(result.recorded.gauges, sizeof bits / sizeof bits[0] + 1);
    const struct summary_track *track = &summary->tracks[0];
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
        ck_assert_uint_eq(track->events[i].kind, LCAP_EVENT_GAUGE);
        ck_assert_uint_eq(track->events[i].value, bits[i]);
    }
    ck_assert_ptr_nonnull(summary_site(summary, "heap/MiB"));
    ck_assert_ptr_nonnull(summary_site(summary, "entities"));
    summary_free(summary);
}
END_TEST

enum { FLOW_THREADS = 4, FLOWS = 2000 };
static _Atomic uint64_t handed[FLOW_THREADS][FLOWS];

static void *send_flows(void *argument)
{
    const size_t thread = (size_t)argument;
    for (int i = 0; i < FLOWS; i++) {
        LUDUS_PROFILE_SCOPE(sending);
        atomic_store(&handed[thread][i], LUDUS_PROFILE_FLOW_OUT(job, LUDUS_PROFILE_CAT(Jobs)));
    }
    return NULL;
}

static void *receive_flows(void *argument)
{
    const size_t thread = (size_t)argument;
    for (int i = 0; i < FLOWS; i++) {
        uint64_t flow;
        while ((flow = atomic_load(&handed[thread][i])) == 0)
            sched_yield();
        LUDUS_PROFILE_SCOPE(receiving);
        LUDUS_PROFILE_FLOW_IN(flow);
        if (i % 2 == 0)
            LUDUS_PROFILE_FLOW_IN(flow); /* one out, any number of ins */
    }
    return NULL;
}

static int compare_ids(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a;
    const uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

START_TEST(flows_link_threads_by_ids_that_come_once)
{
    struct ludus_recorder_config config = fixture_config("flows.lcap");
    struct ludus_recorder_result result;
    pthread_t threads[2 * FLOW_THREADS];
    static uint64_t outs[FLOW_THREADS * FLOWS];
    config.memory_bytes = 64u << 20;
    LUDUS_PROFILE_FLOW_IN(7); /* nothing is recorded */
    ck_assert_uint_eq(LUDUS_PROFILE_FLOW_OUT(early), 0);
    fixture_start(&config);
    LUDUS_PROFILE_FLOW_IN(0); /* from a build without macros */
    for (size_t i = 0; i < FLOW_THREADS; i++) {
        ck_assert_int_eq(pthread_create(&threads[2 * i], NULL, send_flows, (void *)i), 0);
        ck_assert_int_eq(pthread_create(&threads[2 * i + 1], NULL, receive_flows, (void *)i), 0);
    }
    for (int i = 0; i < 2 * FLOW_THREADS; i++)
        pthread_join(threads[i], NULL);
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(result.recorded.flows + result.dropped.flows,
                      FLOW_THREADS * (FLOWS * 2 + FLOWS / 2));
    ck_assert_uint_eq(result.dropped.flows, 0);
    size_t out_count = 0;
    uint64_t in_count = 0;
    for (size_t t = 0; t < summary->track_count; t++)
        for (size_t e = 0; e < summary->tracks[t].count; e++) {
            const struct summary_event *event = &summary->tracks[t].events[e];
            if (event->kind == LCAP_EVENT_FLOW_OUT)
                outs[out_count++] = event->value;
        }
    qsort(outs, out_count, sizeof outs[0], compare_ids);
    ck_assert_uint_eq(out_count, FLOW_THREADS * FLOWS);
    for (size_t i = 1; i < out_count; i++)
        ck_assert_uint_lt(outs[i - 1], outs[i]);
    for (size_t t = 0; t < summary->track_count; t++)
        for (size_t e = 0; e < summary->tracks[t].count; e++) {
            const struct summary_event *event = &summary->tracks[t].events[e];
            if (event->kind != LCAP_EVENT_FLOW_IN)
                continue;
            in_count++;
            ck_assert_ptr_nonnull(
                bsearch(&event->value, outs, out_count, sizeof outs[0], compare_ids));
            ck_assert_uint_eq(event->depth, 1);
        }
    ck_assert_uint_eq(in_count, FLOW_THREADS * (FLOWS + FLOWS / 2));
    summary_free(summary);
}
END_TEST

START_TEST(events_with_values_fill_chunks_and_are_lost_whole)
{
    struct ludus_recorder_config config = fixture_config("storm.lcap");
    struct ludus_recorder_result result;
    uint64_t gauges = 0;
    uint64_t scopes = 0;
    uint64_t outs = 0;
    config.flush_interval_ms = 60000;
    fixture_start(&config);
    for (int i = 0; i < 300000; i++) {
        LUDUS_PROFILE_SCOPE(odd); /* chunks end in the middle of every kind of event */
        LUDUS_PROFILE_GAUGE(value, i);
        gauges++;
        scopes++;
        if (i % 3 == 0)
            outs += LUDUS_PROFILE_FLOW_OUT(flow) != 0;
        LUDUS_PROFILE_COUNT(steps, 1);
    }
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(result.recorded.gauges + result.dropped.gauges, gauges);
    ck_assert_uint_eq(result.recorded.scopes + result.dropped.scopes, scopes);
    ck_assert_uint_eq(result.recorded.flows, outs);
    ck_assert_uint_eq(result.recorded.flows + result.dropped.flows, 100000);
    ck_assert_uint_eq(summary->begins, summary->ends);
    ck_assert_int_eq(summary_gain(summary, "steps", 0, UINT64_MAX), 300000);
    const struct lcap_loss loss = summary_loss(summary, 0);
    ck_assert_uint_eq(loss.counts.gauges, result.dropped.gauges);
    ck_assert_uint_eq(loss.counts.flows, result.dropped.flows);
    summary_free(summary);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("values");
    TCase *cases = tcase_create("values");
    tcase_add_checked_fixture(cases, fixture_setup, fixture_teardown);
    tcase_set_timeout(cases, 120);
    tcase_add_test(cases, gauges_keep_every_bit);
    tcase_add_test(cases, flows_link_threads_by_ids_that_come_once);
    tcase_add_test(cases, events_with_values_fill_chunks_and_are_lost_whole);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
