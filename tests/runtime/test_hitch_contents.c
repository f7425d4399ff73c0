/* What is in a capture of a hitch: all kinds of events, and all that they name, whenever that came
 * and went. */
#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hitch_fixture.h"

static struct hitch_ledger ledger;

static void setup(void)
{
    fixture_setup();
    LUDUS_PROFILE_THREAD("main");
    hitch_ledger_init(&ledger, "main", 10000);
}

static void teardown(void)
{
    hitch_ledger_free(&ledger);
    fixture_teardown();
}

static void emit(size_t count)
{
    for (size_t i = 0; i < count; i++)
        ck_assert(hitch_ledger_emit(&ledger));
}

/* A capture of all so far, that is over when the call returns. */
static void capture(size_t number, const char *reason)
{
    hitch_trigger(reason);
    hitch_await_captures(number);
}

static void *live(void *own_ledger)
{
    struct hitch_ledger *own = own_ledger;
    ludus_thread_set_name(own->thread);
    for (int i = 0; i < 50; i++)
        hitch_ledger_emit(own);
    return NULL;
}

static void run_thread(struct hitch_ledger *own, const char *name)
{
    pthread_t thread;
    hitch_ledger_init(own, name, 50);
    ck_assert_int_eq(pthread_create(&thread, NULL, live, own), 0);
    pthread_join(thread, NULL);
}

/* --- threads, sites and names that come and go ----------------------------------------------- */

START_TEST(threads_that_ended_are_in_every_capture_of_their_time)
{
    struct ludus_recorder_config config = hitch_config("ended.lcap");
    struct hitch_ledger threads[4];
    config.hitch.after_ms = 1;
    fixture_start(&config);
    emit(1);
    run_thread(&threads[0], "before the first");
    run_thread(&threads[1], "another before the first");
    capture(1, "first");
    run_thread(&threads[2], "between them");
    capture(2, "second");
    hitch_trigger("third");
    run_thread(&threads[3], "during or after the third");
    const struct ludus_recorder_result result = fixture_stop();
    ck_assert_uint_eq(result.captures, 3);
    const int known[] = {2, 3, 3};
    for (size_t i = 0; i < 3; i++) {
        struct summary *summary = hitch_read(i);
        for (int k = 0; k < known[i]; k++) {
            ck_assert_uint_eq(hitch_ledger_check(&threads[k], summary), 50);
            const struct summary_track *track = summary_track_named(summary, threads[k].thread);
            ck_assert_uint_eq(track->record.kind, LCAP_TRACK_THREAD);
            ck_assert_uint_gt(track->record.end_tick, track->record.begin_tick);
        }
        ck_assert_ptr_nonnull(summary_track_named(summary, "main"));
        summary_free(summary);
    }
    for (int k = 0; k < 4; k++)
        hitch_ledger_free(&threads[k]);
}
END_TEST

START_TEST(what_is_new_while_a_capture_is_open_is_defined_in_it)
{
    const struct ludus_recorder_config config = hitch_config("new.lcap");
    struct hitch_ledger late;
    fixture_start(&config);
    emit(10);
    hitch_trigger("now");
    hitch_await_file();
    LUDUS_PROFILE_MARK(new mark, LUDUS_PROFILE_CAT(NewCategory));
    LUDUS_PROFILE_FRAME(NewDomain);
    LUDUS_PROFILE_THREAD("new name");
    run_thread(&late, "late thread");
    {
        LUDUS_PROFILE_SCOPE_NAMED("made at run time", "Names");
    }
    struct summary *summary = hitch_stop_and_read();
    LUDUS_PROFILE_THREAD("main");
    ck_assert_uint_eq(hitch_ledger_check(&late, summary), 50);
    ck_assert_ptr_nonnull(summary_site(summary, "new mark"));
    ck_assert_ptr_nonnull(summary_site(summary, "made at run time"));
    ck_assert_ptr_nonnull(summary_track_named(summary, "new name"));
    ck_assert_uint_eq(summary->domain_count, 1);
    ck_assert_str_eq(summary_text(summary, summary->domains[0].name), "NewDomain");
    ck_assert_uint_eq(summary->mark_count, 1);
    ck_assert_uint_eq(summary->instants, 1);
    hitch_ledger_free(&late);
    summary_free(summary);
}
END_TEST

START_TEST(every_capture_defines_all_by_itself_and_has_an_id_of_its_own)
{
    struct ludus_recorder_config config = hitch_config("each.lcap");
    enum { CAPTURES = 4 };
    struct summary *summaries[CAPTURES];
    uint64_t ids[CAPTURES];
    config.hitch.after_ms = 1;
    fixture_start(&config);
    for (size_t i = 0; i < CAPTURES; i++) {
        char name[32];
        snprintf(name, sizeof name, "level %zu", i);
        LUDUS_PROFILE_FRAME(First);
        LUDUS_PROFILE_FRAME(Second);
        {
            LUDUS_PROFILE_SCOPE_NAMED(name, "Levels");
            emit(100);
        }
        capture(i + 1, name);
    }
    const struct ludus_recorder_result result = fixture_stop();
    static struct hitch_files files;
    ck_assert_uint_eq(result.captures, CAPTURES);
    hitch_find_files(&files);
    for (size_t i = 0; i < CAPTURES; i++) {
        FILE *file = fopen(files.paths[i], "rb");
        uint64_t header[4];
        ck_assert_ptr_nonnull(file);
        ck_assert_uint_eq(fread(header, sizeof header, 1, file), 1);
        fclose(file);
        ids[i] = header[2];
        for (size_t k = 0; k < i; k++)
            ck_assert_uint_ne(ids[i], ids[k]);
        summaries[i] = hitch_read(i);
        /* Each has all of those before it in it, as much as is asked for. */
        ck_assert_uint_eq(hitch_ledger_check(&ledger, summaries[i]), 100 * (i + 1));
        ck_assert_uint_eq(summaries[i]->mark_count, 2 * (i + 1));
        ck_assert_uint_eq(summaries[i]->domains[0].domain, 1);
        ck_assert_str_eq(summary_text(summaries[i], summaries[i]->domains[0].name), "First");
    }
    ck_assert_ptr_nonnull(summary_site(summaries[3], "level 0"));
    ck_assert_ptr_null(summary_site(summaries[0], "level 3"));
    for (size_t i = 0; i < CAPTURES; i++)
        summary_free(summaries[i]);
}
END_TEST

/* --- scopes ---------------------------------------------------------------------------------- */

START_TEST(a_scope_that_is_open_throughout_is_open_at_the_beginning_and_at_the_end)
{
    struct ludus_recorder_config config = hitch_config("open.lcap");
    config.hitch.before_ms = 1000; /* the first capture is done by then, however slow it goes */
    config.hitch.after_ms = 1;
    fixture_start(&config);
    const uint64_t before = fixture_now_ns();
    LUDUS_PROFILE_BEGIN(level, Level);
    const uint64_t after = fixture_now_ns();
    emit(100);
    capture(1, "pass");
    struct summary *first = hitch_read(0);
    hitch_outlast(1000);
    emit(100);
    capture(2, "late");
    LUDUS_PROFILE_END(level);
    (void)fixture_stop();
    struct summary *second = hitch_read(1);
    const struct summary_track *track = summary_track_named(second, "main");
    ck_assert_uint_ge(track->events_before, 1 + 100 * 3);
    ck_assert_uint_ge(track->open_at_start, 1);
    ck_assert_uint_eq(track->outermost_site, summary_site(second, "Level")->site);
    ck_assert_uint_ge(track->outermost_tick, before);
    ck_assert_uint_le(track->outermost_tick, after);
    ck_assert_uint_ge(track->depth, 1);
    hitch_ledger_check(&ledger, second);
    ck_assert(!hitch_ledger_has(&ledger, second, 0));
    ck_assert(hitch_ledger_has(&ledger, second, 199));
    track = summary_track_named(first, "main");
    ck_assert_uint_eq(track->events_before, 0);
    ck_assert_uint_eq(track->events[0].kind, LCAP_EVENT_BEGIN);
    summary_free(first);
    summary_free(second);
}
END_TEST

static void nest(int depth)
{
    if (depth == 0)
        return;
    LUDUS_PROFILE_SCOPE(nested);
    nest(depth - 1);
}

START_TEST(losses_within_the_window_are_counted_at_its_end)
{
    struct ludus_recorder_config config = hitch_config("losses.lcap");
    config.hitch.before_ms = 5;
    config.hitch.after_ms = 1;
    fixture_start(&config);
    nest(300); /* 256 may be open */
    capture(1, "with them");
    struct summary *first = hitch_read(0);
    hitch_outlast(5);
    emit(10);
    capture(2, "without them");
    const struct ludus_recorder_result result = fixture_stop();
    struct summary *second = hitch_read(1);
    ck_assert_uint_eq(result.dropped.scopes, 44);
    ck_assert_uint_eq(result.recorded.scopes, 256 + 10);
    ck_assert_uint_eq(first->end.dropped.scopes, 44);
    ck_assert_uint_eq(summary_loss(first, LCAP_LOSS_TOO_DEEP).counts.scopes, 44);
    ck_assert_uint_eq(second->end.dropped.scopes, 0);
    ck_assert_uint_eq(second->loss_count, 0);
    summary_free(first);
    summary_free(second);
}
END_TEST

/* --- fibers, flows, counters ----------------------------------------------------------------- */

START_TEST(fibers_that_were_destroyed_are_tracks_of_the_capture)
{
    struct ludus_recorder_config config = hitch_config("fibers.lcap");
    config.hitch.after_ms = 1;
    fixture_start(&config);
    for (size_t i = 0; i < 2; i++) {
        struct ludus_fiber *fiber = LUDUS_PROFILE_FIBER_CREATE(i == 0 ? "gone" : "goes");
        LUDUS_PROFILE_FIBER_SWITCH(fiber);
        LUDUS_PROFILE_BEGIN(job, Job);
        LUDUS_PROFILE_FIBER_SWITCH(NULL);
        if (i == 1)
            capture(1, "while it is suspended");
        LUDUS_PROFILE_FIBER_SWITCH(fiber);
        LUDUS_PROFILE_END(job);
        LUDUS_PROFILE_FIBER_SWITCH(NULL);
        LUDUS_PROFILE_FIBER_DESTROY(fiber);
    }
    hitch_trigger("at the end");
    (void)fixture_stop();
    struct summary *first = hitch_read(0);
    struct summary *second = hitch_read(1);
    ck_assert_uint_eq(summary_track_named(first, "gone")->ends, 1);
    ck_assert_uint_eq(summary_track_named(first, "goes")->depth, 1);
    ck_assert_uint_eq(summary_track_named(second, "gone")->ends, 1);
    ck_assert_uint_eq(summary_track_named(second, "goes")->ends, 1);
    ck_assert_uint_eq(summary_track_named(second, "goes")->record.kind, LCAP_TRACK_FIBER);
    summary_free(first);
    summary_free(second);
}
END_TEST

static void *receive(void *flow)
{
    LUDUS_PROFILE_THREAD("receiver");
    LUDUS_PROFILE_SCOPE(receive);
    LUDUS_PROFILE_FLOW_IN(*(const uint64_t *)flow);
    return NULL;
}

START_TEST(flows_arrive_with_their_ids)
{
    const struct ludus_recorder_config config = hitch_config("flows.lcap");
    pthread_t thread;
    uint64_t flow;
    fixture_start(&config);
    {
        LUDUS_PROFILE_SCOPE(send);
        flow = LUDUS_PROFILE_FLOW_OUT(Job);
    }
    ck_assert_int_eq(pthread_create(&thread, NULL, receive, &flow), 0);
    pthread_join(thread, NULL);
    hitch_trigger("flows");
    struct summary *summary = hitch_stop_and_read();
    const struct summary_event *out = &summary_track_named(summary, "main")->events[1];
    const struct summary_event *in = &summary_track_named(summary, "receiver")->events[1];
    ck_assert_uint_eq(out->kind, LCAP_EVENT_FLOW_OUT);
    ck_assert_uint_eq(in->kind, LCAP_EVENT_FLOW_IN);
    ck_assert_uint_eq(out->value, flow);
    ck_assert_uint_eq(in->value, flow);
    ck_assert_uint_eq(summary->end.recorded.flows, 2);
    summary_free(summary);
}
END_TEST

/* A frame's counts are told when something is counted in the next one, or by the last pass. */
static void check_frame_sums(const struct summary *summary)
{
    size_t checked = 0;
    const bool is_cut = summary->end.reason == LCAP_END_STOPPED;
    for (size_t i = 0; i + (is_cut ? 1 : 2) < summary->mark_count; i++) {
        const struct lcap_frame_mark *mark = &summary->marks[i];
        if (mark->tick < summary->window.from_tick)
            continue;
        ck_assert_uint_eq(mark[1].ordinal, mark->ordinal + 1);
        ck_assert_int_eq(summary_gain(summary, "counted", mark->tick, mark[1].tick),
                         3 * ((int64_t)mark->ordinal + 1));
        checked++;
    }
    ck_assert_uint_gt(checked, 0);
}

static void count_frames(uint64_t *frame, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        LUDUS_PROFILE_FRAME();
        ++*frame;
        for (int k = 0; k < 3; k++)
            LUDUS_PROFILE_COUNT(counted, (int64_t)*frame);
        if (i % 10 == 0)
            fixture_sleep_ms(1);
    }
}

START_TEST(counters_add_up_in_every_frame_of_the_window)
{
    struct ludus_recorder_config config = hitch_config("counters.lcap");
    uint64_t frame = 0;
    config.hitch.before_ms = 20;
    config.hitch.after_ms = 5;
    config.flush_interval_ms = 3;
    fixture_start(&config);
    count_frames(&frame, 300);
    hitch_trigger("first");
    count_frames(&frame, 300);
    hitch_await_captures(1);
    struct summary *first = hitch_read(0);
    hitch_outlast(20);
    count_frames(&frame, 300);
    hitch_trigger("second");
    count_frames(&frame, 100);
    (void)fixture_stop();
    struct summary *second = hitch_read(1);
    ck_assert_uint_gt(second->window.from_tick, second->session.start_tick);
    check_frame_sums(first);
    check_frame_sums(second);
    summary_free(first);
    summary_free(second);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hitch contents");
    TCase *cases = tcase_create("hitch contents");
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, threads_that_ended_are_in_every_capture_of_their_time);
    tcase_add_test(cases, what_is_new_while_a_capture_is_open_is_defined_in_it);
    tcase_add_test(cases, every_capture_defines_all_by_itself_and_has_an_id_of_its_own);
    tcase_add_test(cases, a_scope_that_is_open_throughout_is_open_at_the_beginning_and_at_the_end);
    tcase_add_test(cases, losses_within_the_window_are_counted_at_its_end);
    tcase_add_test(cases, fibers_that_were_destroyed_are_tracks_of_the_capture);
    tcase_add_test(cases, flows_arrive_with_their_ids);
    tcase_add_test(cases, counters_add_up_in_every_frame_of_the_window);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
