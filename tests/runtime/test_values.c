/* Counters, gauges and flows arrive whole: sums per frame are exact, values are the same bits, and
 * both ends of a flow have its id. */
#include <check.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder_fixture.h"

/* What a counter gained on a track from one tick on and before another. An event tells what was
 * added since the event of the same site before it. */
static int64_t gain_of_track(const struct summary_track *track, uint32_t site, uint64_t from,
                             uint64_t to)
{
    uint64_t sum = 0;
    uint64_t since = track->record.begin_tick;
    for (size_t i = 0; i < track->count; i++) {
        const struct summary_event *event = &track->events[i];
        if (event->kind != LCAP_EVENT_COUNT || event->site != site)
            continue;
        if (since >= from && since < to)
            sum += event->value;
        since = event->tick;
    }
    return (int64_t)sum;
}

/* Of all places with this name. */
static int64_t gain(const struct summary *summary, const char *name, uint64_t from, uint64_t to)
{
    uint64_t sum = 0; /* modulo 2^64, as a counter is */
    for (size_t s = 0; s < summary->site_count; s++) {
        const char *text = summary_text(summary, summary->sites[s].name);
        if (text == NULL || strcmp(text, name) != 0)
            continue;
        for (size_t i = 0; i < summary->track_count; i++)
            sum += (uint64_t)gain_of_track(&summary->tracks[i], summary->sites[s].site, from, to);
    }
    return (int64_t)sum;
}

static void count_in_frame(int64_t frame)
{
    for (int64_t i = 0; i < frame; i++)
        LUDUS_PROFILE_COUNT(calls/made, 1);
    LUDUS_PROFILE_COUNT(bytes, 1000 * frame, LUDUS_PROFILE_CAT(Net));
    LUDUS_PROFILE_COUNT(balance, frame % 2 == 0 ? -7 : 3);
}

START_TEST(a_frame_has_exactly_what_was_counted_in_it)
{
    enum { FRAMES = 50 };
    const struct ludus_recorder_config config = fixture_config("frames.lcap");
    struct ludus_recorder_result result;
    fixture_start(&config);
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
    for (int64_t frame = 0; frame < FRAMES; frame++) {
        const uint64_t from = summary->marks[frame].tick;
        const uint64_t to = summary->marks[frame + 1].tick;
        const bool counts = frame % 5 != 4;
        ck_assert_int_eq(gain(summary, "calls/made", from, to), counts ? frame : 0);
        ck_assert_int_eq(gain(summary, "bytes", from, to), counts ? 1000 * frame : 0);
        ck_assert_int_eq(gain(summary, "balance", from, to), !counts ? 0 : frame % 2 == 0 ? -7 : 3);
    }
    const struct lcap_site *bytes = summary_site(summary, "bytes");
    ck_assert_str_eq(summary_text(summary, summary->categories[bytes->category - 1].name), "Net");
    summary_free(summary);
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
        for (int i = 0; i < 100; i++) {
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
    enum { WORKERS = 4, FRAMES = 200 };
    struct ludus_recorder_config config = fixture_config("workers.lcap");
    struct worker workers[WORKERS] = {{.counted = 0}};
    struct ludus_recorder_result result;
    config.flush_interval_ms = 5;
    fixture_start(&config);
    atomic_store(&running, 1);
    for (int i = 0; i < WORKERS; i++)
        ck_assert_int_eq(pthread_create(&workers[i].thread, NULL, count_across_frames, &workers[i]),
                         0);
    for (int frame = 0; frame < FRAMES; frame++) {
        LUDUS_PROFILE_FRAME();
        if (frame % 20 == 0)
            fixture_sleep_ms(2);
        sched_yield();
    }
    atomic_store(&running, 0);
    int64_t counted = 0;
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(workers[i].thread, NULL);
        counted += workers[i].counted;
    }
    struct summary *summary = fixture_stop_and_read(&result);
    uint64_t sum = (uint64_t)gain(summary, "shared", 0, summary->marks[0].tick);
    for (size_t i = 0; i + 1 < summary->mark_count; i++)
        sum +=
            (uint64_t)gain(summary, "shared", summary->marks[i].tick, summary->marks[i + 1].tick);
    sum +=
        (uint64_t)gain(summary, "shared", summary->marks[summary->mark_count - 1].tick, UINT64_MAX);
    ck_assert_int_eq((int64_t)sum, counted);
    ck_assert_int_eq(gain(summary, "shared", 0, UINT64_MAX), counted);
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
        ck_assert_int_eq(gain(summary, "idle", 0, UINT64_MAX), 5);
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
            ck_assert_int_eq(gain(summary, name, 0, UINT64_MAX), 3 * i);
    }
    int64_t sum = 0;
    for (size_t s = 0; s < summary->site_count; s++)
        for (size_t t = 0; t < summary->track_count; t++)
            sum += gain_of_track(&summary->tracks[t], summary->sites[s].site, 0, UINT64_MAX);
    ck_assert_int_eq(sum, 3 * 400 * 399 / 2);
    summary_free(summary);
}
END_TEST

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
    ck_assert_int_eq(gain(summary, "steps", 0, UINT64_MAX), 300000);
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
    tcase_add_test(cases, a_frame_has_exactly_what_was_counted_in_it);
    tcase_add_test(cases, workers_that_cross_frames_lose_nothing);
    tcase_add_test(cases, totals_of_one_recording_are_not_in_the_next);
    tcase_add_test(cases, gauges_keep_every_bit);
    tcase_add_test(cases, flows_link_threads_by_ids_that_come_once);
    tcase_add_test(cases, events_with_values_fill_chunks_and_are_lost_whole);
    tcase_add_test(cases, counters_beyond_the_cells_are_as_exact);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
