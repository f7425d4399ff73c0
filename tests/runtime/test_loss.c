/* Loss is exact: what the program emitted is what was recorded and what was dropped, per track and
 * within the time told. */
#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "recorder_fixture.h"
#include "write_gate.h"

/* Its ticks are the nanoseconds that the test itself can read. */
static struct ludus_recorder_config monotonic_config(struct ludus_recorder_config config)
{
    config.clock = LUDUS_CLOCK_MONOTONIC;
    return config;
}

/* Half of them, from each of four threads, fill a small memory and the block that the collector has
 * taken out of it before it is held up. */
#define BURST_SCOPES 100000u

/* The collector cannot write, so that what is recorded finds no room, whatever the machine. */
static void stall_collector(void)
{
    write_gate_close();
}

static void let_collector_go_on(void)
{
    write_gate_open();
}

static struct ludus_recorder_config tiny_config(const char *name)
{
    struct ludus_recorder_config config = monotonic_config(fixture_config(name));
    config.memory_bytes = 4u << 20;
    config.max_sites = 64;
    config.max_threads = 4;
    config.flush_interval_ms = 1000;
    return config;
}

static atomic_uint half_done; /* threads that are */

struct emitter {
    uint64_t scopes;
    uint64_t instants;
    uint64_t first_ns;
    uint64_t last_ns;
};

static void *burst(void *argument)
{
    struct emitter *emitter = argument;
    emitter->first_ns = fixture_now_ns();
    for (unsigned i = 0; i < BURST_SCOPES; i++) {
        if (i == BURST_SCOPES / 2)
            atomic_fetch_add(&half_done, 1);
        LUDUS_PROFILE_SCOPE(outer);
        {
            LUDUS_PROFILE_SCOPE(inner);
            emitter->scopes += 2;
            if (i % 3 == 0) {
                LUDUS_PROFILE_MARK(mark);
                emitter->instants++;
            }
        }
    }
    emitter->last_ns = fixture_now_ns();
    return NULL;
}

static void check_ranges(const struct summary *summary, uint64_t first_ns, uint64_t last_ns)
{
    uint64_t wrong = 0;
    for (size_t i = 0; i < summary->loss_count; i++) {
        const struct lcap_loss *loss = &summary->losses[i];
        wrong += loss->first_tick < first_ns || loss->last_tick > last_ns ||
                 loss->first_tick > loss->last_tick;
    }
    ck_assert_uint_eq(wrong, 0);
}

START_TEST(emitted_is_recorded_plus_dropped_in_an_overload)
{
    const struct ludus_recorder_config config = tiny_config("overload.lcap");
    struct ludus_recorder_result result;
    struct emitter emitters[4] = {{0}};
    pthread_t threads[4];
    atomic_store(&half_done, 0);
    fixture_start(&config);
    stall_collector();
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, burst, &emitters[i]), 0);
    while (atomic_load(&half_done) < 4)
        fixture_sleep_ms(1);
    let_collector_go_on(); /* so that the other half is lost in part, or not at all */
    struct emitter sum = {.first_ns = UINT64_MAX};
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        sum.scopes += emitters[i].scopes;
        sum.instants += emitters[i].instants;
        sum.first_ns = sum.first_ns < emitters[i].first_ns ? sum.first_ns : emitters[i].first_ns;
        sum.last_ns = sum.last_ns > emitters[i].last_ns ? sum.last_ns : emitters[i].last_ns;
    }
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(result.recorded.scopes + result.dropped.scopes, sum.scopes);
    ck_assert_uint_eq(result.recorded.instants + result.dropped.instants, sum.instants);
    ck_assert_msg(result.dropped.scopes > 0, "the burst was no overload");
    ck_assert_uint_eq(result.scopes_open, 0);
    const struct lcap_loss loss = summary_loss(summary, LCAP_LOSS_BUFFERS_FULL);
    ck_assert_uint_eq(loss.counts.scopes, result.dropped.scopes);
    ck_assert_uint_eq(loss.counts.instants, result.dropped.instants);
    check_ranges(summary, sum.first_ns, sum.last_ns);
    /* Exact for each thread, too: tracks are told apart by what they lost and kept together. */
    for (size_t i = 0; i < summary->track_count; i++) {
        uint64_t lost = 0;
        for (size_t l = 0; l < summary->loss_count; l++)
            lost += summary->losses[l].track == summary->tracks[i].record.track
                        ? summary->losses[l].counts.scopes
                        : 0;
        ck_assert_uint_eq(summary->tracks[i].begins + lost, 2 * BURST_SCOPES);
    }
    summary_free(summary);
}
END_TEST

static atomic_int attached;
static atomic_bool may_leave;

static void *hold_a_slot(void *argument)
{
    struct emitter *emitter = argument;
    {
        LUDUS_PROFILE_SCOPE(held);
        emitter->scopes++;
    }
    atomic_fetch_add(&attached, 1);
    while (!atomic_load(&may_leave))
        fixture_sleep_ms(1);
    for (int i = 0; i < 10; i++) {
        LUDUS_PROFILE_SCOPE(again);
        LUDUS_PROFILE_MARK(again);
        emitter->scopes++;
        emitter->instants++;
    }
    return NULL;
}

START_TEST(threads_beyond_the_limit_are_counted_as_loss)
{
    const struct ludus_recorder_config config = tiny_config("threads.lcap");
    struct ludus_recorder_result result;
    struct emitter emitters[7] = {{0}};
    pthread_t threads[7];
    fixture_start(&config);
    const uint64_t first_ns = fixture_now_ns();
    for (int i = 0; i < 7; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, hold_a_slot, &emitters[i]), 0);
    while (atomic_load(&attached) < 7)
        fixture_sleep_ms(1);
    atomic_store(&may_leave, true);
    struct emitter sum = {0};
    for (int i = 0; i < 7; i++) {
        pthread_join(threads[i], NULL);
        sum.scopes += emitters[i].scopes;
        sum.instants += emitters[i].instants;
    }
    const uint64_t last_ns = fixture_now_ns();
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(sum.scopes, 77);
    ck_assert_uint_eq(result.recorded.scopes + result.dropped.scopes, sum.scopes);
    ck_assert_uint_eq(result.recorded.instants + result.dropped.instants, sum.instants);
    const struct lcap_loss loss = summary_loss(summary, LCAP_LOSS_TOO_MANY_THREADS);
    ck_assert_uint_eq(loss.counts.scopes, result.dropped.scopes);
    ck_assert_uint_ge(loss.counts.scopes, 3);
    for (size_t i = 0; i < summary->loss_count; i++)
        ck_assert_uint_eq(summary->losses[i].track, 0);
    check_ranges(summary, first_ns, last_ns);
    summary_free(summary);
}
END_TEST

static uint64_t descend(unsigned levels)
{
    if (levels == 0)
        return 0;
    LUDUS_PROFILE_SCOPE(deeper);
    return 1 + descend(levels - 1);
}

START_TEST(scopes_too_deep_are_counted_and_the_others_are_whole)
{
    const struct ludus_recorder_config config = tiny_config("deep.lcap");
    struct ludus_recorder_result result;
    fixture_start(&config);
    const uint64_t first_ns = fixture_now_ns();
    uint64_t emitted = 0;
    for (int i = 0; i < 20; i++)
        emitted += descend(300);
    const uint64_t last_ns = fixture_now_ns();
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(emitted, 20 * 300);
    ck_assert_uint_eq(result.recorded.scopes, 20 * 256);
    ck_assert_uint_eq(result.dropped.scopes, 20 * 44);
    ck_assert_uint_eq(summary_loss(summary, LCAP_LOSS_TOO_DEEP).counts.scopes, 20 * 44);
    ck_assert_uint_eq(result.scopes_open, 0);
    check_ranges(summary, first_ns, last_ns);
    summary_free(summary);
}
END_TEST

START_TEST(lost_frame_marks_leave_holes_that_are_counted)
{
    struct ludus_recorder_config config = tiny_config("marks.lcap");
    struct ludus_recorder_result result;
    const uint64_t emitted = 200000;
    fixture_start(&config);
    stall_collector();
    const uint64_t first_ns = fixture_now_ns();
    for (uint64_t i = 0; i < emitted; i++) {
        if (i == emitted / 2)
            let_collector_go_on();
        LUDUS_PROFILE_FRAME(Burst);
    }
    const uint64_t last_ns = fixture_now_ns();
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(result.recorded.frames + result.dropped.frames, emitted);
    ck_assert_uint_gt(result.dropped.frames, 0);
    ck_assert_uint_eq(summary_loss(summary, LCAP_LOSS_FRAME_MARKS_FULL).counts.frames,
                      result.dropped.frames);
    check_ranges(summary, first_ns, last_ns);
    /* From one thread the numbers rise with the time, and the marks at the beginning are there. */
    uint64_t disorder = 0;
    for (size_t i = 1; i < summary->mark_count; i++)
        disorder += summary->marks[i].ordinal <= summary->marks[i - 1].ordinal ||
                    summary->marks[i].tick < summary->marks[i - 1].tick;
    ck_assert_uint_eq(disorder, 0);
    ck_assert_uint_eq(summary->marks[4000].ordinal, 4000);
    summary_free(summary);
}
END_TEST

START_TEST(events_do_not_take_the_room_of_frame_marks)
{
    const struct ludus_recorder_config config = tiny_config("reserved.lcap");
    struct ludus_recorder_result result;
    struct emitter emitter = {0};
    fixture_start(&config);
    stall_collector();
    for (int i = 0; i < 5; i++) {
        burst(&emitter);
        LUDUS_PROFILE_FRAME();
    }
    let_collector_go_on();
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_gt(result.dropped.scopes, 0);
    ck_assert_uint_eq(result.recorded.frames, 5);
    ck_assert_uint_eq(result.recorded.scopes + result.dropped.scopes, emitter.scopes);
    summary_free(summary);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("loss");
    TCase *cases = tcase_create("loss");
    tcase_add_checked_fixture(cases, fixture_setup, fixture_teardown);
    tcase_add_test(cases, emitted_is_recorded_plus_dropped_in_an_overload);
    tcase_add_test(cases, threads_beyond_the_limit_are_counted_as_loss);
    tcase_add_test(cases, scopes_too_deep_are_counted_and_the_others_are_whole);
    tcase_add_test(cases, lost_frame_marks_leave_holes_that_are_counted);
    tcase_add_test(cases, events_do_not_take_the_room_of_frame_marks);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
