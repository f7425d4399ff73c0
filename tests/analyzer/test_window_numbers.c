/* A capture of a part of a recording, so small that every number was worked out by hand. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "frame_percentiles.h"
#include "golden_fixture.h"

/* The part is that from 100,000 to 100,400 ns. Before it, and left out:
 *
 * main     100 Load 200, 300 Frame [400 Physics 450, 500 Render: both still open; 6 events
 * worker   150 Job 250; 2 events
 *
 * Marks: 999 at 99,950, before the part; 1000 at 100,100; 1001 at 100,200; 1002 at 100,350; 1003 at
 * 100,420, behind it. Complete are frames 1000 and 1001, of 100 and 150 ns: all of them is there.
 *
 * main     (Frame (Render) 99,980 Solve 99,990, which a block holds that reaches back before the
 * part; Render ends at 100,050; 100,110 Physics 100,150, 100,210 Physics 100,240; Frame ends at
 * 100,250 100,300 Frame [100,310 Physics 100,340, still open at the end worker   100,120 Job
 * 100,180, 100,360 Job 100,390 late     lives from 100,150 on: 100,160 Job 100,190 */
static struct capture_builder *build_start(void)
{
    struct capture_builder *builder = builder_create(&golden_setup);
    builder_domain(builder, 1, "main");
    golden_add_track(builder, 1, 70, 0, 0, "main");
    golden_add_track(builder, 2, 71, 0, 0, "worker");
    golden_add_track(builder, 3, 72, 100150, 0, "late");
    builder_leave_out(builder);
    golden_emit(builder, 1, "(Load 100 )200 (Frame 300 (Physics 400 )450 (Render 500");
    golden_emit(builder, 2, "(Job 150 )250");
    builder_window(builder, START + 100000);
    return builder;
}

static void end_capture(struct capture_builder *builder)
{
    static const uint64_t marks[] = {99950, 100100, 100200, 100350, 100420};
    for (uint64_t i = 0; i < COUNT(marks); i++)
        builder_frame(builder, 1, 999 + i, START + marks[i]);
    builder_stop(builder, START + 100400);
    builder_finish(builder);
}

static struct capture_builder *build_part(void)
{
    struct capture_builder *builder = build_start();
    golden_emit(builder, 1, "(Solve 99980 )99990 )100050 (Physics 100110 )100150");
    golden_emit(builder, 2, "(Job 100120 )100180");
    golden_emit(builder, 3, "(Job 100160 )100190");
    builder_end_block(builder);
    golden_emit(builder, 1,
                "(Physics 100210 )100240 )100250 (Frame 100300 (Physics 100310 )100340");
    golden_emit(builder, 2, "(Job 100360 )100390");
    end_capture(builder);
    return builder;
}

START_TEST(a_part_has_the_times_and_frame_numbers_of_the_recording)
{
    struct golden_recording recording;
    golden_open(&recording, build_part());
    const struct trace_model *model = recording.model;
    const struct trace_domain *domain = &model->domains[0];
    ck_assert(model->has_window);
    ck_assert_int_eq(model->window_begin_ns, 100000);
    ck_assert_int_eq(model->end_ns, 100400);
    ck_assert_uint_eq(model->loss_count, 0); /* what came before is not lost */
    ck_assert_uint_eq(model->damage_count, 0);
    ck_assert_uint_eq(domain->frame_count, 5);
    ck_assert_uint_eq(domain->frames[0].number, 999);
    ck_assert_uint_eq(domain->complete_count, 2);
    ck_assert_uint_eq(domain->marks_missing, 0);
    for (uint32_t i = 0; i < 5; i++)
        ck_assert_int_eq(trace_frame_is_complete(domain, i), i == 1 || i == 2);
    golden_close(&recording);
}
END_TEST

START_TEST(a_scope_that_was_open_before_keeps_its_times)
{
    static const struct expected_slice slices[] = {
        /* 400 - 300, 500 - 450, 100110 - 100050, 100210 - 100150, 100250 - 100240 */
        {"Frame", 300, 99950, 99950, 280, TRACE_NONE, -1, false},
        {"Frame/Render", 500, 99550, 99550, 99540, TRACE_NONE, 300, false},
        {"Frame/Render/Solve", 99980, 10, 10, 10, 0, 500, false},
        {"Frame/Physics", 100110, 40, 40, 40, 1, 300, false},
        {"Frame/Physics", 100210, 30, 30, 30, 2, 300, false},
        {"Frame", 100300, -1, 100, -1, 2, -1, false}, /* known until the part's end */
        {"Frame/Physics", 100310, 30, 30, 30, 2, 100300, false},
    };
    struct golden_recording recording;
    golden_open(&recording, build_part());
    golden_check_slices(recording.model, &recording.shown, 0, slices, COUNT(slices));
    golden_close(&recording);
}
END_TEST

START_TEST(sums_are_of_what_begins_in_the_part)
{
    /* calls, outermost, recursive, exclusive_calls, incomplete, lost, inclusive, exclusive */
    static const struct expected_sums rows[] = {
        {"Frame", TRACE_NONE, TRACE_WINDOW_OUTSIDE, 0, {1, 0, 0, 0, 0, 0, 0, 0}},
        {"Frame", TRACE_NONE, TRACE_WINDOW_FRAMES, 2, {1, 0, 0, 0, 1, 0, 0, 0}},
        {"Frame/Render", TRACE_NONE, TRACE_WINDOW_OUTSIDE, 0, {1, 0, 0, 0, 0, 0, 0, 0}},
        {"Frame/Render/Solve", TRACE_NONE, TRACE_WINDOW_OUTSIDE, 0, {1, 0, 0, 0, 0, 0, 0, 0}},
        /* 40 + 30 + 30 */
        {"Frame/Physics", TRACE_NONE, TRACE_WINDOW_FRAMES, 2, {3, 3, 0, 3, 0, 0, 100, 100}},
        /* 60 + 30; the last one begins in frame 1002, which ends behind the part */
        {"Job", TRACE_NONE, TRACE_WINDOW_FRAMES, 2, {2, 2, 0, 2, 0, 0, 90, 90}},
        {"Job", TRACE_NONE, TRACE_WINDOW_OUTSIDE, 0, {1, 1, 0, 1, 0, 0, 30, 30}},
    };
    struct golden_recording recording;
    golden_open(&recording, build_part());
    golden_check_rows(recording.model, true, rows, COUNT(rows));
    ck_assert_uint_eq(recording.model->slices, 10);
    ck_assert_uint_eq(recording.model->slices_begun_before, 3);
    golden_close(&recording);
}
END_TEST

START_TEST(clipped_times_are_those_inside_the_part)
{
    static const struct expected_sums rows[] = {
        /* From 100,000 to the first mark, less Render; and from there to 100,250, less 40 + 30. */
        {"Frame", TRACE_NONE, TRACE_WINDOW_OUTSIDE, 0, {1, 1, 0, 1, 0, 0, 100, 50}},
        {"Frame", TRACE_NONE, TRACE_WINDOW_FRAMES, 2, {1, 0, 0, 0, 1, 0, 150, 80}},
        {"Frame/Render", TRACE_NONE, TRACE_WINDOW_OUTSIDE, 0, {1, 1, 0, 1, 0, 0, 50, 50}},
        {"Frame/Render/Solve", TRACE_NONE, TRACE_WINDOW_OUTSIDE, 0, {1, 1, 0, 1, 0, 0, 0, 0}},
        {"Frame/Physics", TRACE_NONE, TRACE_WINDOW_FRAMES, 2, {3, 3, 0, 3, 0, 0, 100, 100}},
        {"Job", TRACE_NONE, TRACE_WINDOW_FRAMES, 2, {2, 2, 0, 2, 0, 0, 90, 90}},
        {"Job", TRACE_NONE, TRACE_WINDOW_OUTSIDE, 0, {1, 1, 0, 1, 0, 0, 30, 30}},
    };
    struct golden_recording recording;
    struct trace_pass_plan plan;
    struct ludus_error error = {0};
    golden_open(&recording, build_part());
    ck_assert(trace_pass_plan_set_default(&plan, recording.model));
    plan.attribution = TRACE_ATTRIBUTE_CLIP;
    ck_assert_int_eq(trace_capture_run(recording.capture, &plan, NULL, &error), LUDUS_OK);
    golden_check_rows(recording.model, true, rows, COUNT(rows));
    trace_pass_plan_clear(&plan);
    golden_close(&recording);
}
END_TEST

START_TEST(what_tracks_did_before_the_part_does_not_count)
{
    static const struct expected_track tracks[] = {
        /* of 100,100 to 100,350: Frame until 100,250, and from 100,300 on */
        {0, 100400, false, 7, 0, 1, 2, 0, 250, 200},
        {0, 100400, false, 2, 0, 0, 2, 0, 250, 60},
        {100150, 100400, false, 1, 0, 0, 2, 0, 200, 30},
    };
    struct golden_recording recording;
    golden_open(&recording, build_part());
    for (size_t i = 0; i < COUNT(tracks); i++)
        golden_check_track(recording.model, (uint32_t)i, &tracks[i]);
    golden_close(&recording);
}
END_TEST

START_TEST(without_an_end_the_part_reaches_as_far_as_it_tells)
{
    struct golden_recording recording;
    struct capture_builder *builder = build_start();
    golden_emit(builder, 2, "(Job 100120 )100180");
    builder_frame(builder, 1, 1000, START + 100100);
    builder_frame(builder, 1, 1001, START + 100420);
    golden_open(&recording, builder);
    ck_assert_int_eq(recording.model->end_ns, 100420);
    ck_assert_uint_eq(recording.model->domains[0].complete_count, 1);
    ck_assert_uint_eq(recording.model->loss_count, 0);
    golden_close(&recording);
}
END_TEST

START_TEST(a_part_that_holds_nothing_has_a_begin_and_an_end)
{
    struct golden_recording recording;
    golden_open(&recording, build_start());
    ck_assert_int_eq(recording.model->window_begin_ns, 100000);
    ck_assert_int_eq(recording.model->end_ns, 100000);
    golden_close(&recording);
}
END_TEST

START_TEST(triggers_name_their_frames_in_the_order_of_time)
{
    struct golden_recording recording;
    struct capture_builder *builder = build_start();
    builder_trigger(builder, &(struct lcap_trigger){.tick = START + 100350,
                                                    .ordinal = 1001,
                                                    .duration_ticks = 150,
                                                    .limit_ticks = 120,
                                                    .cause = LCAP_TRIGGER_FRAME,
                                                    .domain = 1});
    builder_trigger(builder, &(struct lcap_trigger){.tick = START + 100360,
                                                    .text = {(const uint8_t *)"why", 3},
                                                    .cause = LCAP_TRIGGER_CALL});
    builder_trigger(builder, &(struct lcap_trigger){.tick = 1, .cause = 99, .domain = 7});
    end_capture(builder);
    golden_open(&recording, builder);
    const struct trace_model *model = recording.model;
    ck_assert_uint_eq(model->trigger_count, 3);
    ck_assert_uint_eq(model->triggers[1].cause, LCAP_TRIGGER_FRAME);
    ck_assert_uint_eq(model->triggers[1].domain, 0);
    ck_assert_uint_eq(model->triggers[1].frame_number, 1001);
    ck_assert_int_eq(model->triggers[1].time_ns, 100350);
    ck_assert_int_eq(model->triggers[1].duration_ns, 150);
    ck_assert_int_eq(model->triggers[1].limit_ns, 120);
    ck_assert_uint_eq(model->triggers[2].domain, TRACE_NONE);
    ck_assert_uint_eq(model->triggers[2].text.size, 3);
    ck_assert_uint_eq(model->triggers[0].cause, 99);
    ck_assert_uint_eq(model->triggers[0].domain, 1); /* entered, as its definition was lost */
    ck_assert_uint_eq(model->domains[1].id, 7);
    golden_close(&recording);
}
END_TEST

/* --- damage ---------------------------------------------------------------------------------- */

/* Opens the capture with one byte of a block changed. */
static void open_damaged(struct golden_recording *recording, struct capture_builder *builder,
                         uint32_t block)
{
    struct lcap_bytes bytes = builder_bytes(builder);
    struct ludus_error error = {0};
    uint32_t count;
    const uint64_t *offsets = builder_offsets(builder, &count);
    uint8_t *copy = malloc(bytes.size);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, bytes.data, bytes.size);
    ck_assert_uint_lt(block, count);
    copy[offsets[block] + LCAP_BLOCK_HEADER_SIZE] ^= 1;
    enum ludus_status status =
        builder_try_open((struct lcap_bytes){copy, bytes.size}, &recording->capture, &error);
    free(copy);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    recording->builder = builder;
    recording->model = trace_capture_model(recording->capture);
    recording->shown = (struct slice_collector){0};
    slice_collector_run(&recording->shown, recording->capture);
    ck_assert_uint_eq(recording->model->damage_count, 1);
}

static void check_loss(const struct trace_model *model, uint32_t index, uint32_t track,
                       uint64_t events, int64_t begin_ns, int64_t end_ns)
{
    ck_assert_uint_lt(index, model->loss_count);
    const struct trace_loss *loss = &model->losses[index];
    ck_assert_uint_eq(loss->cause, TRACE_LOSS_DAMAGE);
    ck_assert_uint_eq(loss->track, track);
    ck_assert_uint_eq(loss->events, events);
    ck_assert_int_eq(loss->begin_ns, begin_ns);
    ck_assert_int_eq(loss->end_ns, end_ns);
}

static uint32_t end_block(struct capture_builder *builder)
{
    uint32_t count;
    builder_end_block(builder);
    (void)builder_offsets(builder, &count);
    return count;
}

START_TEST(damage_at_the_parts_begin_may_have_been_of_tracks_with_events_before)
{
    /* The lost block held events of main. The worker's segment has events before, too, which might
     * have been in it; that of late has none. How many main lost is not told: 6 came before the
     * part. */
    struct golden_recording recording;
    struct capture_builder *builder = build_start();
    uint32_t lost = end_block(builder);
    golden_emit(builder, 1, "(Solve 99980 )99990 )100050");
    builder_end_block(builder);
    golden_emit(builder, 1, "(Physics 100110 )100150");
    golden_emit(builder, 2, "(Job 100120 )100180");
    golden_emit(builder, 3, "(Job 100160 )100190");
    end_capture(builder);
    open_damaged(&recording, builder, lost);
    ck_assert_uint_eq(recording.model->loss_count, 2);
    check_loss(recording.model, 0, 0, 0, 100000, 100110);
    check_loss(recording.model, 1, 1, 0, 100000, 100120);
    golden_close(&recording);
}
END_TEST

START_TEST(damage_between_two_segments_is_counted)
{
    /* The lost block held two events of main and nothing else: the worker's, which begins behind
     * it, has lost none. */
    struct golden_recording recording;
    struct capture_builder *builder = build_start();
    golden_emit(builder, 1, "(Solve 100010 )100020");
    uint32_t lost = end_block(builder);
    golden_emit(builder, 1, ")100050 (Physics 100110");
    builder_end_block(builder);
    golden_emit(builder, 1, ")100150");
    golden_emit(builder, 2, "(Job 100120 )100180");
    end_capture(builder);
    open_damaged(&recording, builder, lost);
    ck_assert_uint_eq(recording.model->loss_count, 1);
    check_loss(recording.model, 0, 0, 2, 100020, 100150);
    golden_close(&recording);
}
END_TEST

START_TEST(damage_at_the_end_took_nothing_from_the_begin)
{
    /* Main's last events are lost; the worker and late may have had some in the lost block, too. */
    struct golden_recording recording;
    struct capture_builder *builder = build_start();
    golden_emit(builder, 1, "(Solve 100010 )100020");
    golden_emit(builder, 2, "(Job 100120 )100180");
    uint32_t lost = end_block(builder);
    golden_emit(builder, 1, ")100050 (Physics 100110 )100150");
    end_capture(builder);
    open_damaged(&recording, builder, lost);
    ck_assert_uint_eq(recording.model->loss_count, 3);
    check_loss(recording.model, 0, 0, 0, 100020, 100400);
    check_loss(recording.model, 1, 1, 0, 100180, 100400);
    check_loss(recording.model, 2, 2, 0, 100150, 100400);
    golden_close(&recording);
}
END_TEST

START_TEST(without_an_index_damage_at_the_begin_may_have_held_events)
{
    /* The lost block held a mark. */
    struct golden_recording recording;
    struct capture_builder *builder = build_start();
    uint32_t lost = end_block(builder);
    builder_frame(builder, 1, 1000, START + 100100);
    golden_emit(builder, 2, "(Job 100120 )100180");
    golden_emit(builder, 3, "(Job 100160 )100190");
    builder_end_block(builder);
    open_damaged(&recording, builder, lost);
    ck_assert_uint_eq(recording.model->loss_count, 1);
    check_loss(recording.model, 0, 1, 0, 100000, 100120);
    golden_close(&recording);
}
END_TEST

START_TEST(with_an_index_damage_without_events_loses_none)
{
    struct golden_recording recording;
    struct capture_builder *builder = build_start();
    uint32_t lost = end_block(builder);
    builder_frame(builder, 1, 998, START + 99900);
    golden_emit(builder, 2, "(Job 100120 )100180");
    end_capture(builder);
    open_damaged(&recording, builder, lost);
    ck_assert_uint_eq(recording.model->loss_count, 0);
    golden_close(&recording);
}
END_TEST

/* A sleep is told when it is over: what of it was before the part is not in the part. When a thread
 * ran that did not sleep all the time, nobody knows. */
START_TEST(a_sleep_that_began_before_the_part_counts_from_its_begin)
{
    static const struct lcap_sched samples[] = {
        {.track = 1, .processors = 1, .from_tick = START + 1000, .to_tick = START + 100100},
        {.track = 1,
         .processors = 1,
         .from_tick = START + 100100,
         .to_tick = START + 100300,
         .run_ns = 50},
        {.track = 2,
         .processors = 1,
         .from_tick = START + 99900,
         .to_tick = START + 100200,
         .run_ns = 40,
         .wait_ns = 10},
        {.track = 3, .processors = 1, .from_tick = START + 1000, .to_tick = START + 99000},
    };
    struct golden_recording recording;
    struct capture_builder *builder = build_start();
    builder_sched(builder, samples, COUNT(samples));
    end_capture(builder);
    golden_open(&recording, builder);
    const struct trace_model *model = recording.model;
    ck_assert_int_eq(model->tracks[0].sched.sampled_ns, 300);
    ck_assert_int_eq(model->tracks[0].sched.run_ns, 50);
    ck_assert_int_eq(model->tracks[1].sched.sampled_ns, 300);
    ck_assert_int_eq(model->tracks[1].sched.wait_ns, 10);
    ck_assert_int_eq(model->tracks[2].sched.sampled_ns, 0);
    golden_close(&recording);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("window numbers");
    TCase *cases = tcase_create("window numbers");
    tcase_add_test(cases, a_part_has_the_times_and_frame_numbers_of_the_recording);
    tcase_add_test(cases, a_scope_that_was_open_before_keeps_its_times);
    tcase_add_test(cases, sums_are_of_what_begins_in_the_part);
    tcase_add_test(cases, clipped_times_are_those_inside_the_part);
    tcase_add_test(cases, what_tracks_did_before_the_part_does_not_count);
    tcase_add_test(cases, without_an_end_the_part_reaches_as_far_as_it_tells);
    tcase_add_test(cases, a_part_that_holds_nothing_has_a_begin_and_an_end);
    tcase_add_test(cases, triggers_name_their_frames_in_the_order_of_time);
    tcase_add_test(cases, damage_at_the_parts_begin_may_have_been_of_tracks_with_events_before);
    tcase_add_test(cases, damage_between_two_segments_is_counted);
    tcase_add_test(cases, damage_at_the_end_took_nothing_from_the_begin);
    tcase_add_test(cases, without_an_index_damage_at_the_begin_may_have_held_events);
    tcase_add_test(cases, with_an_index_damage_without_events_loses_none);
    tcase_add_test(cases, a_sleep_that_began_before_the_part_counts_from_its_begin);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
