/* A recording so small that every number of the model was worked out by hand. The sum is written
 * beside each. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "frame_percentiles.h"
#include "golden_fixture.h"

/* --- a whole recording ----------------------------------------------------------------------- */

/* Marks of "main": 0 at 100, 1 at 200, 2 at 300, 3 at 450, 4 missing, 5 at 600, 6 at 650.
 * Complete are frames 0 [100, 200), 1 [200, 300), 2 [300, 450) and 5 [600, 650): together 400 ns.
 * Frame 3 lacks its end and frame 6 is the last. Marks of "render": 150, 250, 350. */
static const uint64_t main_marks[] = {100, 200, 300, 450, UINT64_MAX, 600, 650};
static const uint64_t render_marks[] = {150, 250, 350};

static struct capture_builder *build_recording(void)
{
    struct capture_builder *builder = builder_create(&golden_setup);
    builder_domain(builder, 1, "main");
    builder_domain(builder, 2, "render");
    golden_add_track(builder, 1, 70, 0, 0, "main");
    golden_emit(builder, 1, "(Load 10 )60");
    golden_emit(
        builder, 1,
        "(Frame 100 (Physics 110 (Solve 120 (Solve 130 )140 )150 )160 !Mark 165 (Render 170 )170 "
        ")190");
    golden_add_track(builder, 2, 77, 50, 0, "worker");
    golden_emit(builder, 2, "(Job 60 )90 (Job 120 (Solve 130 )150 )180 (Job 190");
    golden_emit(builder, 1,
                "(Frame 200 (Physics 205 )255 (Render 260 )290 )300 (Frame 310 (Render 320");
    builder_end_block(builder);
    golden_emit(builder, 1, "(Solve 460");
    golden_emit(builder, 2, ")230 (Job 250 )280");
    golden_emit(builder, 1, ")465 )470 )480");
    golden_add_track(builder, 2, 77, 50, 280, "worker");
    /* Another thread, to which the system gave the same number. */
    golden_add_track(builder, 3, 77, 290, 0, "worker");
    golden_emit(builder, 3, "(Job 290 )310 (Job 620 )640");
    golden_emit(builder, 1, "(Frame 600 (Physics 610 )640 )650 (Load 650 )655");
    golden_add_marks(builder, 2, render_marks, COUNT(render_marks));
    golden_add_marks(builder, 1, main_marks, COUNT(main_marks));
    builder_stop(builder, START + 700);
    builder_finish(builder);
    return builder;
}

START_TEST(every_slice_has_its_times_its_frame_and_its_parent)
{
    /* Frames by index: 0, 1, 2, 3, 4 (number 5), 5 (number 6). */
    static const struct expected_slice main_slices[] = {
        {"Load", 10, 50, 50, 50, TRACE_NONE, -1, false},
        {"Frame", 100, 90, 90, 40, 0, -1, false}, /* 90 - Physics 50 - Render 0 */
        {"Frame/Physics", 110, 50, 50, 20, 0, 100, false},
        {"Frame/Physics/Solve", 120, 30, 30, 20, 0, 110, false},
        {"Frame/Physics/Solve/Solve", 130, 10, 10, 10, 0, 120, false},
        {"Frame/Render", 170, 0, 0, 0, 0, 100, false},
        {"Frame", 200, 100, 100, 20, 1, -1, false}, /* 100 - 50 - 30; ends on mark 2 */
        {"Frame/Physics", 205, 50, 50, 50, 1, 200, false},
        {"Frame/Render", 260, 30, 30, 30, 1, 200, false},
        {"Frame", 310, 170, 170, 20, 2, -1, false}, /* goes over mark 3 */
        {"Frame/Render", 320, 150, 150, 145, 2, 310, false},
        {"Frame/Render/Solve", 460, 5, 5, 5, 3, 320, false},
        {"Frame", 600, 50, 50, 20, 4, -1, false},
        {"Frame/Physics", 610, 30, 30, 30, 4, 600, false},
        {"Load", 650, 5, 5, 5, 5, -1, false},
    };
    static const struct expected_slice worker_slices[] = {
        {"Job", 60, 30, 30, 30, TRACE_NONE, -1, false}, {"Job", 120, 60, 60, 40, 0, -1, false},
        {"Job/Solve", 130, 20, 20, 20, 0, 120, false},  {"Job", 190, 40, 40, 40, 0, -1, false},
        {"Job", 250, 30, 30, 30, 1, -1, false},
    };
    static const struct expected_slice other_slices[] = {
        {"Job", 290, 20, 20, 20, 1, -1, false},
        {"Job", 620, 20, 20, 20, 4, -1, false},
    };
    struct golden_recording recording;
    golden_open(&recording, build_recording());
    golden_check_slices(recording.model, &recording.shown, 0, main_slices, COUNT(main_slices));
    golden_check_slices(recording.model, &recording.shown, 1, worker_slices, COUNT(worker_slices));
    golden_check_slices(recording.model, &recording.shown, 2, other_slices, COUNT(other_slices));
    ck_assert_uint_eq(recording.model->slices, 22);
    ck_assert_uint_eq(recording.shown.instant_count, 1);
    const struct trace_instant *instant = recording.shown.instants;
    ck_assert_int_eq(instant->time_ns, 165);
    ck_assert_uint_eq(instant->frame, 0);
    ck_assert_int_eq(slice_collector_find(&recording.shown, instant->slice_id)->begin_ns, 100);
    golden_close(&recording);
}
END_TEST

/* calls, outermost, recursive, exclusive_calls, incomplete, lost, inclusive, exclusive */
static const struct expected_sums path_rows[] = {
    /* 90 + 100 + 170 + 50; 40 + 20 + 20 + 20 */
    {"Frame", TRACE_NONE, TRACE_WINDOW_FRAMES, 4, {4, 4, 0, 4, 0, 0, 410, 100}},
    /* 50 + 50 + 30; 20 + 50 + 30 */
    {"Frame/Physics", TRACE_NONE, TRACE_WINDOW_FRAMES, 4, {3, 3, 0, 3, 0, 0, 130, 100}},
    {"Frame/Physics/Solve", TRACE_NONE, TRACE_WINDOW_FRAMES, 4, {1, 1, 0, 1, 0, 0, 30, 20}},
    {"Frame/Physics/Solve/Solve", TRACE_NONE, TRACE_WINDOW_FRAMES, 4, {1, 1, 1, 1, 0, 0, 10, 10}},
    /* 0 + 30 + 150; 0 + 30 + 145 */
    {"Frame/Render", TRACE_NONE, TRACE_WINDOW_FRAMES, 4, {3, 3, 0, 3, 0, 0, 180, 175}},
    /* begins in frame 3, which is incomplete */
    {"Frame/Render/Solve", TRACE_NONE, TRACE_WINDOW_OUTSIDE, 0, {1, 1, 0, 1, 0, 0, 5, 5}},
    /* 50 before the first mark, 5 in the last frame */
    {"Load", TRACE_NONE, TRACE_WINDOW_OUTSIDE, 0, {2, 2, 0, 2, 0, 0, 55, 55}},
    /* 60 + 40 + 30 of one thread, 20 + 20 of the other; less 20 of Solve */
    {"Job", TRACE_NONE, TRACE_WINDOW_FRAMES, 4, {5, 5, 0, 5, 0, 0, 170, 150}},
    {"Job", TRACE_NONE, TRACE_WINDOW_OUTSIDE, 0, {1, 1, 0, 1, 0, 0, 30, 30}},
    {"Job/Solve", TRACE_NONE, TRACE_WINDOW_FRAMES, 4, {1, 1, 0, 1, 0, 0, 20, 20}},
};

static const struct expected_sums site_rows[] = {
    {"Frame", TRACE_NONE, TRACE_WINDOW_FRAMES, 4, {4, 4, 0, 4, 0, 0, 410, 100}},
    {"Physics", TRACE_NONE, TRACE_WINDOW_FRAMES, 4, {3, 3, 0, 3, 0, 0, 130, 100}},
    /* three calls; the one inside another Solve adds nothing to 30 + 20, but to 20 + 10 + 20 */
    {"Solve", TRACE_NONE, TRACE_WINDOW_FRAMES, 4, {3, 2, 1, 3, 0, 0, 50, 50}},
    {"Solve", TRACE_NONE, TRACE_WINDOW_OUTSIDE, 0, {1, 1, 0, 1, 0, 0, 5, 5}},
    {"Render", TRACE_NONE, TRACE_WINDOW_FRAMES, 4, {3, 3, 0, 3, 0, 0, 180, 175}},
    {"Job", TRACE_NONE, TRACE_WINDOW_FRAMES, 4, {5, 5, 0, 5, 0, 0, 170, 150}},
    {"Job", TRACE_NONE, TRACE_WINDOW_OUTSIDE, 0, {1, 1, 0, 1, 0, 0, 30, 30}},
    {"Load", TRACE_NONE, TRACE_WINDOW_OUTSIDE, 0, {2, 2, 0, 2, 0, 0, 55, 55}},
};

START_TEST(paths_and_sites_add_up)
{
    struct golden_recording recording;
    golden_open(&recording, build_recording());
    golden_check_rows(recording.model, true, path_rows, COUNT(path_rows));
    golden_check_rows(recording.model, false, site_rows, COUNT(site_rows));
    golden_close(&recording);
}
END_TEST

START_TEST(the_sums_are_the_same_without_a_visitor)
{
    struct capture_builder *builder = build_recording();
    struct trace_capture *capture = builder_open(builder);
    struct ludus_error error;
    ck_assert(!trace_capture_model(capture)->has_statistics);
    ck_assert_int_eq(trace_capture_run(capture, NULL, NULL, &error), LUDUS_OK);
    ck_assert(trace_capture_model(capture)->has_statistics);
    golden_check_rows(trace_capture_model(capture), true, path_rows, COUNT(path_rows));
    golden_check_rows(trace_capture_model(capture), false, site_rows, COUNT(site_rows));
    /* A second pass does not add to the first. */
    ck_assert_int_eq(trace_capture_run(capture, NULL, NULL, &error), LUDUS_OK);
    golden_check_rows(trace_capture_model(capture), true, path_rows, COUNT(path_rows));
    golden_check_rows(trace_capture_model(capture), false, site_rows, COUNT(site_rows));
    trace_capture_close(capture);
    builder_destroy(builder);
}
END_TEST

START_TEST(each_track_has_its_remainder)
{
    /* main: lived through all 400 ns; covered 90 + 100 + 140 (310 to 450 of 310 to 480) + 50.
     * worker: lived until 280, which is 180 ns of frames; covered 60 + 40 + 30.
     * the other: from 290 on, 160 + 50 ns of frames; covered 20 + 20. */
    static const struct expected_track expected[] = {
        {0, 700, false, 15, 1, 0, 4, 0, 400, 380},
        {50, 280, true, 5, 0, 0, 4, 0, 180, 130},
        {290, 700, false, 2, 0, 0, 4, 0, 210, 40},
    };
    struct golden_recording recording;
    golden_open(&recording, build_recording());
    ck_assert_uint_eq(recording.model->track_count, COUNT(expected));
    for (size_t i = 0; i < COUNT(expected); i++)
        golden_check_track(recording.model, (uint32_t)i, &expected[i]);
    ck_assert_uint_eq(recording.model->tracks[1].os_id, recording.model->tracks[2].os_id);
    golden_close(&recording);
}
END_TEST

START_TEST(domains_count_their_frames_and_missing_marks)
{
    struct golden_recording recording;
    golden_open(&recording, build_recording());
    ck_assert_uint_eq(recording.model->domain_count, 2);
    const struct trace_domain *domain = &recording.model->domains[0];
    ck_assert_uint_eq(domain->frame_count, 6);
    ck_assert_uint_eq(domain->complete_count, 4);
    ck_assert_uint_eq(domain->marks_missing, 1);
    struct trace_frame_percentiles ranks;
    /* 50 (5), 100 (0), 100 (1), 150 (2). Rank 2 of 4 is the median; 4 of 4 all above 75 %. */
    ck_assert_int_eq(trace_frame_percentiles_of(domain, NULL, &ranks), LUDUS_OK);
    ck_assert_uint_eq(ranks.count, 4);
    ck_assert_int_eq(ranks.total_ns, 400);
    ck_assert_int_eq(ranks.ranks[TRACE_FRAME_MIN].value, 50);
    ck_assert_uint_eq(ranks.ranks[TRACE_FRAME_MIN].source, 5);
    ck_assert_int_eq(ranks.ranks[TRACE_FRAME_P50].value, 100);
    ck_assert_uint_eq(ranks.ranks[TRACE_FRAME_P50].source, 0);
    for (uint32_t rank = TRACE_FRAME_P90; rank <= TRACE_FRAME_MAX; rank++) {
        ck_assert_int_eq(ranks.ranks[rank].value, 150);
        ck_assert_uint_eq(ranks.ranks[rank].source, 2);
    }
    domain = &recording.model->domains[1];
    ck_assert_uint_eq(domain->complete_count, 2);
    ck_assert_uint_eq(domain->marks_missing, 0);
    ck_assert_int_eq(trace_frame_percentiles_of(domain, NULL, &ranks), LUDUS_OK);
    ck_assert_int_eq(ranks.total_ns, 200);
    golden_close(&recording);
}
END_TEST

START_TEST(percentiles_are_measured_values_by_nearest_rank)
{
    /* Frame n lasts 1 + 7 n mod 1,000 ns: each of 1 to 1,000 once. Rank ceil(1,000 p). */
    static const struct {
        enum trace_frame_rank rank;
        int64_t duration_ns;
    } expected[] = {{TRACE_FRAME_MIN, 1},   {TRACE_FRAME_P50, 500}, {TRACE_FRAME_P90, 900},
                    {TRACE_FRAME_P95, 950}, {TRACE_FRAME_P99, 990}, {TRACE_FRAME_P999, 999},
                    {TRACE_FRAME_MAX, 1000}};
    struct capture_builder *builder = builder_create(&golden_setup);
    struct trace_frame_percentiles ranks;
    uint64_t time_ns = 0;
    builder_domain(builder, 1, "main");
    for (uint64_t n = 0; n <= 1000; n++) {
        builder_frame(builder, 1, n, START + time_ns);
        time_ns += 1 + 7 * n % 1000;
    }
    struct trace_capture *capture = builder_open(builder);
    const struct trace_domain *domain = &trace_capture_model(capture)->domains[0];
    ck_assert_int_eq(trace_frame_percentiles_of(domain, NULL, &ranks), LUDUS_OK);
    ck_assert_int_eq(ranks.total_ns, 500500);
    for (size_t i = 0; i < COUNT(expected); i++) {
        const struct trace_ranked *found = &ranks.ranks[expected[i].rank];
        ck_assert_int_eq(found->value, expected[i].duration_ns);
        ck_assert_int_eq((int64_t)(1 + 7 * found->source % 1000), expected[i].duration_ns);
    }
    trace_capture_close(capture);
    builder_destroy(builder);
}
END_TEST

START_TEST(zero_length_slices_keep_their_depth)
{
    static const struct expected_slice expected[] = {
        {"Frame", 100, 0, 0, 0, TRACE_NONE, -1, false},
        {"Frame/Frame", 100, 0, 0, 0, TRACE_NONE, 100, false},
        {"Frame/Frame/Solve", 100, 0, 0, 0, TRACE_NONE, 100, false},
        {"Frame/Frame/Solve", 100, 0, 0, 0, TRACE_NONE, 100, false},
        {"Solve", 100, 7, 7, 7, TRACE_NONE, -1, false},
    };
    struct capture_builder *builder = builder_create(&golden_setup);
    struct golden_recording recording;
    golden_add_track(builder, 1, 1, 0, 0, "main");
    golden_emit(builder, 1,
                "(Frame 100 (Frame 100 (Solve 100 )100 (Solve 100 )100 )100 )100 (Solve 100");
    golden_emit(builder, 1, ")107");
    builder_stop(builder, START + 200);
    builder_finish(builder);
    golden_open(&recording, builder);
    golden_check_slices(recording.model, &recording.shown, 0, expected, COUNT(expected));
    golden_close(&recording);
}
END_TEST

START_TEST(marks_of_two_threads_that_cross_make_no_negative_frame)
{
    /* Mark 1 was made at 90 on one thread, after mark 0 at 100 on another: frame 0 lasts 0 ns. */
    static const uint64_t marks[] = {100, 90, 200};
    struct capture_builder *builder = builder_create(&golden_setup);
    builder_domain(builder, 1, "main");
    golden_add_marks(builder, 1, marks, COUNT(marks));
    struct trace_capture *capture = builder_open(builder);
    const struct trace_domain *domain = &trace_capture_model(capture)->domains[0];
    ck_assert_uint_eq(domain->complete_count, 2);
    ck_assert_int_eq(domain->frames[0].begin_ns, 100);
    ck_assert_int_eq(domain->frames[1].begin_ns, 100);
    ck_assert_int_eq(domain->frames[2].begin_ns, 200);
    trace_capture_close(capture);
    builder_destroy(builder);
}
END_TEST

START_TEST(a_capture_cut_out_of_a_longer_one_has_whole_slices)
{
    /* Frame began at 10 and Physics in it at 30; Frame had spent 15 in finished children, Physics
     * 5. Frame: 90 - 15 - Physics 60 - Render 5. Physics: 60 - 5 - Solve 10. */
    static const struct expected_slice expected[] = {
        {"Frame", 10, 90, 90, 10, TRACE_NONE, -1, false},
        {"Frame/Physics", 30, 60, 60, 45, TRACE_NONE, 10, false},
        {"Frame/Physics/Solve", 60, 10, 10, 10, TRACE_NONE, 30, false},
        {"Frame/Render", 92, 5, 5, 5, TRACE_NONE, 10, false},
    };
    struct capture_builder *builder = builder_create(&golden_setup);
    struct golden_recording recording;
    golden_add_track(builder, 1, 1, 0, 0, "main");
    builder_open_before(builder, 1, 1, START + 10, 15);
    builder_open_before(builder, 1, 2, START + 30, 5);
    golden_emit(builder, 1, "(Solve 60 )70 )90 (Render 92 )97 )100");
    builder_stop(builder, START + 200);
    builder_finish(builder);
    golden_open(&recording, builder);
    golden_check_slices(recording.model, &recording.shown, 0, expected, COUNT(expected));
    golden_close(&recording);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("golden numbers");
    TCase *cases = tcase_create("golden numbers");
    tcase_set_timeout(cases, 0);
    tcase_add_test(cases, every_slice_has_its_times_its_frame_and_its_parent);
    tcase_add_test(cases, paths_and_sites_add_up);
    tcase_add_test(cases, the_sums_are_the_same_without_a_visitor);
    tcase_add_test(cases, each_track_has_its_remainder);
    tcase_add_test(cases, domains_count_their_frames_and_missing_marks);
    tcase_add_test(cases, percentiles_are_measured_values_by_nearest_rank);
    tcase_add_test(cases, zero_length_slices_keep_their_depth);
    tcase_add_test(cases, marks_of_two_threads_that_cross_make_no_negative_frame);
    tcase_add_test(cases, a_capture_cut_out_of_a_longer_one_has_whole_slices);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
