/* What losses, and scopes that did not end, do to the numbers, worked out by hand. */
#include <check.h>
#include <stdlib.h>

#include "golden_fixture.h"

/* --- loss ------------------------------------------------------------------------------------ */

static const uint64_t even_marks[] = {0, 100, 200, 300, 400, 500}; /* five frames of 100 ns */

START_TEST(a_loss_takes_exclusive_times_and_frames_of_its_track)
{
    /* Track 1 lost three scopes that began from 220 to 260: frame 2 leaves its statistics. Track 3
     * lost one that began at 300, which is frame 3 and not frame 2. */
    static const struct expected_slice first[] = {
        {"Frame", 10, 80, 80, 80, 0, -1, false},
        {"Frame", 110, 80, 80, 50, 1, -1, false},
        {"Frame/Solve", 120, 30, 30, 30, 1, 110, false},
        {"Frame", 210, 80, 80, -1, 2, -1, true},
        {"Frame/Solve", 215, 4, 4, 4, 2, 210, false},
        {"Frame/Solve", 230, 10, 10, -1, 2, 210, true},
        {"Frame/Solve", 265, 5, 5, 5, 2, 210, false},
        {"Frame", 310, 40, 40, 40, 3, -1, false},
        {"Frame", 380, 40, 40, 40, 3, -1, false},
    };
    static const struct expected_sums rows[] = {
        /* 80 + 80 + 40 + 40; 80 + 50 + 40 + 40 */
        {"Frame", 0, TRACE_WINDOW_FRAMES, 4, {4, 4, 0, 4, 0, 0, 240, 210}},
        {"Frame", 0, TRACE_WINDOW_OUTSIDE, 0, {1, 1, 0, 0, 0, 1, 80, 0}},
        {"Frame/Solve", 0, TRACE_WINDOW_FRAMES, 4, {1, 1, 0, 1, 0, 0, 30, 30}},
        /* 4 + 10 + 5; 4 + 5 */
        {"Frame/Solve", 0, TRACE_WINDOW_OUTSIDE, 0, {3, 3, 0, 2, 0, 1, 19, 9}},
        {"Job", TRACE_NONE, TRACE_WINDOW_FRAMES, 5, {1, 1, 0, 1, 0, 0, 90, 90}},
        /* begins in frame 2, and still overlaps the loss at 300 */
        {"Job", 2, TRACE_WINDOW_FRAMES, 4, {1, 1, 0, 0, 0, 1, 60, 0}},
    };
    static const struct expected_track tracks[] = {
        {0, 500, false, 9, 0, 0, 4, 1, 400, 240},
        {0, 500, false, 1, 0, 0, 5, 0, 500, 90},
        {0, 500, false, 1, 0, 0, 4, 1, 400, 50}, /* 250 to 300 of 250 to 310 */
    };
    struct capture_builder *builder = builder_create(&golden_setup);
    struct golden_recording recording;
    builder_domain(builder, 1, "main");
    for (uint32_t track = 1; track <= 3; track++)
        golden_add_track(builder, track, track, 0, 0, "thread");
    golden_add_marks(builder, 1, even_marks, COUNT(even_marks));
    builder_loss(builder, &(struct lcap_loss){.track = 1,
                                              .cause = 1,
                                              .counts.scopes = 3,
                                              .first_tick = START + 220,
                                              .last_tick = START + 260});
    golden_emit(builder, 1,
                "(Frame 10 )90 (Frame 110 (Solve 120 )150 )190 (Frame 210 (Solve 215 )219 "
                "(Solve 230 )240 (Solve 265 )270 )290 (Frame 310 )350 (Frame 380 )420");
    golden_emit(builder, 2, "(Job 205 )295");
    golden_emit(builder, 3, "(Job 250 )310");
    builder_loss(builder, &(struct lcap_loss){.track = 3,
                                              .cause = 1,
                                              .counts.scopes = 1,
                                              .first_tick = START + 300,
                                              .last_tick = START + 300});
    builder_stop(builder, START + 500);
    builder_finish(builder);
    golden_open(&recording, builder);
    golden_check_slices(recording.model, &recording.shown, 0, first, COUNT(first));
    golden_check_rows(recording.model, true, rows, COUNT(rows));
    for (size_t i = 0; i < COUNT(tracks); i++)
        golden_check_track(recording.model, (uint32_t)i, &tracks[i]);
    ck_assert_uint_eq(recording.model->loss_count, 2);
    ck_assert_uint_eq(recording.model->losses[0].counts.scopes, 3);
    ck_assert_int_eq(recording.model->losses[0].begin_ns, 220);
    ck_assert_int_eq(recording.model->losses[0].end_ns, 260);
    golden_close(&recording);
}
END_TEST

START_TEST(a_loss_of_an_unknown_track_concerns_all)
{
    static const struct expected_sums rows[] = {
        {"Job", TRACE_NONE, TRACE_WINDOW_OUTSIDE, 0, {1, 1, 0, 0, 0, 1, 30, 0}},
        {"Job", TRACE_NONE, TRACE_WINDOW_FRAMES, 4, {1, 1, 0, 1, 0, 0, 30, 30}},
    };
    struct capture_builder *builder = builder_create(&golden_setup);
    struct golden_recording recording;
    builder_domain(builder, 1, "main");
    golden_add_track(builder, 1, 1, 0, 0, "thread");
    golden_add_track(builder, 2, 2, 0, 0, "thread");
    golden_add_marks(builder, 1, even_marks, COUNT(even_marks));
    builder_loss(builder, &(struct lcap_loss){.cause = 1,
                                              .counts.scopes = 1,
                                              .first_tick = START + 110,
                                              .last_tick = START + 120});
    golden_emit(builder, 1, "(Job 115 )145");
    golden_emit(builder, 2, "(Job 215 )245");
    builder_stop(builder, START + 500);
    builder_finish(builder);
    golden_open(&recording, builder);
    golden_check_rows(recording.model, true, rows, COUNT(rows));
    golden_close(&recording);
}
END_TEST

START_TEST(a_thread_without_a_track_takes_nothing_from_others)
{
    static const struct expected_sums rows[] = {
        {"Job", TRACE_NONE, TRACE_WINDOW_FRAMES, 5, {2, 2, 0, 2, 0, 0, 60, 60}},
    };
    struct capture_builder *builder = builder_create(&golden_setup);
    struct golden_recording recording;
    builder_domain(builder, 1, "main");
    golden_add_track(builder, 1, 1, 0, 0, "thread");
    golden_add_track(builder, 2, 2, 0, 0, "thread");
    golden_add_marks(builder, 1, even_marks, COUNT(even_marks));
    builder_loss(builder, &(struct lcap_loss){.cause = 2,
                                              .counts.scopes = 1,
                                              .first_tick = START + 110,
                                              .last_tick = START + 120});
    golden_emit(builder, 1, "(Job 115 )145");
    golden_emit(builder, 2, "(Job 215 )245");
    builder_stop(builder, START + 500);
    builder_finish(builder);
    golden_open(&recording, builder);
    golden_check_rows(recording.model, true, rows, COUNT(rows));
    golden_close(&recording);
}
END_TEST

START_TEST(lost_frame_marks_and_instants_take_no_exclusive_time)
{
    static const struct expected_slice expected[] = {{"Job", 110, 30, 30, 30, 1, -1, false}};
    struct capture_builder *builder = builder_create(&golden_setup);
    struct golden_recording recording;
    builder_domain(builder, 1, "main");
    golden_add_track(builder, 1, 1, 0, 0, "thread");
    golden_add_marks(builder, 1, even_marks, COUNT(even_marks));
    builder_loss(builder, &(struct lcap_loss){.track = 1,
                                              .cause = 5,
                                              .counts.frames = 2,
                                              .counts.instants = 1,
                                              .first_tick = START + 110,
                                              .last_tick = START + 120});
    golden_emit(builder, 1, "(Job 110 )140");
    builder_stop(builder, START + 500);
    builder_finish(builder);
    golden_open(&recording, builder);
    golden_check_slices(recording.model, &recording.shown, 0, expected, COUNT(expected));
    golden_close(&recording);
}
END_TEST

/* --- what was still open --------------------------------------------------------------------- */

static struct capture_builder *build_open_slices(void)
{
    static const uint64_t marks[] = {100, 200, 300};
    struct capture_builder *builder = builder_create(&golden_setup);
    builder_domain(builder, 1, "main");
    golden_add_track(builder, 1, 1, 0, 0, "main");
    golden_add_track(builder, 2, 2, 0, 0, "worker");
    golden_add_marks(builder, 1, marks, COUNT(marks));
    golden_emit(builder, 1, "(Frame 100 (Physics 150 )180 (Solve 200");
    golden_emit(builder, 2, "(Job 220");
    return builder;
}

START_TEST(slices_open_at_stop_are_known_until_then)
{
    static const struct expected_slice main_slices[] = {
        {"Frame", 100, -1, 200, -1, 0, -1, false},
        {"Frame/Physics", 150, 30, 30, 30, 0, 100, false},
        {"Frame/Solve", 200, -1, 100, -1, 1, 100, false},
    };
    /* Its thread ended at 250, before the recording did. */
    static const struct expected_slice worker_slices[] = {{"Job", 220, -1, 30, -1, 1, -1, false}};
    static const struct expected_sums rows[] = {
        {"Frame", TRACE_NONE, TRACE_WINDOW_FRAMES, 2, {1, 0, 0, 0, 1, 0, 0, 0}},
        {"Physics", TRACE_NONE, TRACE_WINDOW_FRAMES, 2, {1, 1, 0, 1, 0, 0, 30, 30}},
        {"Solve", TRACE_NONE, TRACE_WINDOW_FRAMES, 2, {1, 0, 0, 0, 1, 0, 0, 0}},
        {"Job", TRACE_NONE, TRACE_WINDOW_FRAMES, 2, {1, 0, 0, 0, 1, 0, 0, 0}},
    };
    /* main: 100 to 300 is covered. worker: lived 150 of the frames' 200 ns, and covers 220 to 250.
     */
    static const struct expected_track tracks[] = {
        {0, 300, false, 3, 0, 2, 2, 0, 200, 200},
        {0, 250, true, 1, 0, 1, 2, 0, 150, 30},
    };
    struct capture_builder *builder = build_open_slices();
    struct golden_recording recording;
    golden_add_track(builder, 2, 2, 0, 250, "worker");
    builder_stop(builder, START + 300);
    builder_finish(builder);
    golden_open(&recording, builder);
    golden_check_slices(recording.model, &recording.shown, 0, main_slices, COUNT(main_slices));
    golden_check_slices(recording.model, &recording.shown, 1, worker_slices, COUNT(worker_slices));
    golden_check_rows(recording.model, false, rows, COUNT(rows));
    for (size_t i = 0; i < COUNT(tracks); i++)
        golden_check_track(recording.model, (uint32_t)i, &tracks[i]);
    golden_close(&recording);
}
END_TEST

START_TEST(slices_open_at_a_crash_are_known_until_their_tracks_last_event)
{
    /* main was seen alive at 240, worker only at 220. The marks reach to 300. */
    static const struct expected_slice main_slices[] = {
        {"Frame", 100, -1, 140, -1, 0, -1, false},
        {"Frame/Physics", 150, 30, 30, 30, 0, 100, false},
        {"Frame/Solve", 200, -1, 40, -1, 1, 100, false},
    };
    static const struct expected_slice worker_slices[] = {{"Job", 220, -1, 0, -1, 1, -1, false}};
    struct capture_builder *builder = build_open_slices();
    struct golden_recording recording;
    builder_still_open(builder, 1, START + 240);
    golden_open(&recording, builder);
    golden_check_slices(recording.model, &recording.shown, 0, main_slices, COUNT(main_slices));
    golden_check_slices(recording.model, &recording.shown, 1, worker_slices, COUNT(worker_slices));
    ck_assert(!recording.model->is_finished);
    ck_assert_int_eq(recording.model->end_ns, 300);
    ck_assert_int_eq(trace_model_track_stats(recording.model, 0, 0)->covered_ns, 140);
    golden_close(&recording);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("golden losses");
    TCase *cases = tcase_create("golden losses");
    tcase_set_timeout(cases, 0);
    tcase_add_test(cases, a_loss_takes_exclusive_times_and_frames_of_its_track);
    tcase_add_test(cases, a_loss_of_an_unknown_track_concerns_all);
    tcase_add_test(cases, a_thread_without_a_track_takes_nothing_from_others);
    tcase_add_test(cases, lost_frame_marks_and_instants_take_no_exclusive_time);
    tcase_add_test(cases, slices_open_at_stop_are_known_until_then);
    tcase_add_test(cases, slices_open_at_a_crash_are_known_until_their_tracks_last_event);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
