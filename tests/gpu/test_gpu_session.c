/* A session's frames from their begin to their results: what is measured, when slots are used
 * again, which recording a result is in, and how a session ends. */
#include <check.h>
#include <stdlib.h>

#include "sim_renderer.h"

static struct sim_device device;
static struct sim_recorder *recorder;
static struct sim_renderer renderer;

static void open_simulation(void)
{
    sim_device_open(&device, 1);
    recorder = sim_recorder_new(&device);
    const struct ludus_gpu_setup setup = sim_setup(&device, recorder);
    sim_renderer_open(&renderer, &device, recorder, &setup);
}

static void close_simulation(void)
{
    ck_assert_uint_eq(device.faults, 0);
    sim_renderer_close(&renderer);
    free(recorder);
}

/* Begins anew with another setup. */
static void open_again(const struct ludus_gpu_setup *setup)
{
    sim_renderer_close(&renderer);
    sim_renderer_open(&renderer, &device, recorder, setup);
}

static uint64_t frames(uint32_t outcome)
{
    return sim_recorder_count(recorder, LUDUS_GPU_FRAME, outcome);
}

static uint64_t passes(uint32_t outcome)
{
    return sim_recorder_count(recorder, LUDUS_GPU_PASS, outcome);
}

START_TEST(a_frame_and_its_passes_are_measured)
{
    sim_renderer_begin_frame(&renderer);
    sim_renderer_pass(&renderer, 0, 250000, 1000);
    sim_renderer_pass(&renderer, 1, 70000, 0);
    sim_renderer_pass(&renderer, 0, 0, 0);
    (void)sim_renderer_end_frame(&renderer);
    sim_renderer_wait(&renderer, 0);
    ck_assert(recorder->frame_count == 1 && recorder->pass_count == 3);
    const struct ludus_gpu_frame *frame = &recorder->frames[0];
    ck_assert(frame->outcome == LUDUS_GPU_VALID && frame->number == 0 &&
              frame->method == LUDUS_GPU_TIMESTAMPS && frame->duration_ns == 321000);
    static const uint64_t durations[] = {250000, 70000, 0};
    static const uint32_t ordinals[] = {0, 0, 1};
    for (int i = 0; i < 3; i++) {
        const struct ludus_gpu_pass *pass = &recorder->passes[i];
        ck_assert(pass->outcome == LUDUS_GPU_VALID && pass->duration_ns == durations[i] &&
                  pass->ordinal == ordinals[i] && pass->frame == 0 &&
                  pass->operation == LUDUS_GPU_RENDER && pass->logical_passes == 1);
        const struct sim_truth *truth = sim_renderer_truth(&renderer, 0, pass->site, ordinals[i]);
        ck_assert_int_le(llabs(pass->begin_ns - truth->times_ns[0]), pass->uncertainty_ns);
    }
    ck_assert(recorder->calibration_count == 1 &&
              recorder->calibrations[0].mapping == LUDUS_GPU_MAPPED);
    sim_renderer_check_counts(&renderer, 1);
}
END_TEST

START_TEST(all_passes_are_measured_with_three_frames_in_flight)
{
    for (int i = 0; i < 1000; i++)
        sim_renderer_frame(&renderer, 8);
    sim_renderer_wait(&renderer, 0);
    ck_assert(passes(0) == 8000 && passes(LUDUS_GPU_VALID) == 8000);
    /* One at a time: every third or so. */
    ck_assert(frames(0) == 1000 && frames(LUDUS_GPU_VALID) >= 250);
    ck_assert_uint_eq(frames(LUDUS_GPU_VALID) + frames(LUDUS_GPU_BUSY), 1000);
    ck_assert_uint_eq(recorder->calibration_count, 1000);
    /* One reading of the clocks a frame: it ends one window and begins another. */
    ck_assert_uint_le(device.clock_readings, 1004);
    sim_renderer_check_counts(&renderer, 1);
}
END_TEST

START_TEST(the_uncertainty_has_the_largest_residual_of_our_own_clock)
{
    device.longest_reading_ns = 10; /* and a step of 1 ns */
    device.residual_growth_ns = 100;
    sim_renderer_frame(&renderer, 1);
    sim_renderer_wait(&renderer, 0);
    /* One more read, for the collection, was behind those of the window. */
    ck_assert_uint_eq(recorder->calibrations[0].uncertainty_ns,
                      10 + 1 + device.recorder_residual_ns - 100);
}
END_TEST

START_TEST(a_window_does_not_begin_long_before_its_frame)
{
    for (int i = 0; i < 5; i++) {
        sim_renderer_frame(&renderer, 1);
        sim_renderer_wait(&renderer, 0);
        device.now_ns += 3600000000000; /* an hour in the menu */
    }
    for (uint32_t i = 0; i < 5; i++) {
        const struct ludus_gpu_calibration *calibration = &recorder->calibrations[i];
        ck_assert_int_lt(calibration->host_ns[1] - calibration->host_ns[0], 10000000);
    }
    ck_assert_uint_eq(device.clock_readings, 10);
}
END_TEST

START_TEST(what_finds_no_slots_is_busy)
{
    for (int i = 0; i < 6; i++) {
        sim_renderer_begin_frame(&renderer);
        sim_renderer_pass(&renderer, 0, 1000, 0);
        (void)sim_renderer_end_frame(&renderer);
        sim_renderer_check_counts(&renderer, 1);
    }
    ck_assert(passes(0) == 6 && passes(LUDUS_GPU_BUSY) == 2 && frames(LUDUS_GPU_BUSY) == 5);
    sim_renderer_wait(&renderer, 0);
    ck_assert(passes(LUDUS_GPU_VALID) == 4 && frames(LUDUS_GPU_VALID) == 1);
}
END_TEST

START_TEST(frames_may_be_over_in_any_order)
{
    for (int i = 0; i < 4; i++) {
        sim_renderer_begin_frame(&renderer);
        sim_renderer_pass(&renderer, 0, 1000, 0);
        (void)sim_renderer_end_frame(&renderer);
    }
    sim_renderer_complete(&renderer, 2);
    sim_renderer_complete(&renderer, 2);
    sim_renderer_complete(&renderer, 0);
    sim_renderer_complete(&renderer, 0);
    static const uint64_t order[] = {2, 3, 0, 1};
    for (int i = 0; i < 4; i++)
        ck_assert(recorder->passes[i].frame == order[i] &&
                  recorder->passes[i].outcome == LUDUS_GPU_VALID);
    /* Again, and one that never was. */
    ludus_gpu_session_complete_frame(renderer.session, 2);
    ludus_gpu_session_complete_frame(renderer.session, 1000);
    ck_assert_uint_eq(recorder->pass_count, 4);
}
END_TEST

START_TEST(results_that_are_late_are_waited_for_without_waiting)
{
    device.late_ns = 5000000;
    sim_renderer_frame(&renderer, 2);
    sim_renderer_wait(&renderer, 0);
    ck_assert_uint_eq(recorder->pass_count, 0);
    device.now_ns += 5000000;
    ludus_gpu_session_poll(renderer.session);
    ck_assert(passes(LUDUS_GPU_VALID) == 2 && frames(LUDUS_GPU_VALID) == 1);
    ludus_gpu_session_poll(renderer.session);
    ck_assert_uint_eq(recorder->pass_count, 2);
}
END_TEST

START_TEST(results_that_never_come_are_given_up_after_some_frames)
{
    device.late_ns = (uint64_t)SIM_NEVER;
    sim_renderer_frame(&renderer, 2);
    sim_renderer_wait(&renderer, 0);
    device.late_ns = 0;
    for (int i = 0; i < 7; i++) {
        sim_renderer_frame(&renderer, 1);
        sim_renderer_wait(&renderer, 0);
        ck_assert(passes(LUDUS_GPU_UNAVAILABLE) == 0 && frames(LUDUS_GPU_BUSY) == (uint64_t)i + 1);
    }
    sim_renderer_frame(&renderer, 1);
    sim_renderer_frame(&renderer, 1);
    ck_assert(passes(LUDUS_GPU_UNAVAILABLE) == 2 && frames(LUDUS_GPU_UNAVAILABLE) == 1);
    sim_renderer_check_counts(&renderer, 1);
}
END_TEST

START_TEST(a_submission_that_is_never_over_keeps_its_slots)
{
    for (int i = 0; i < 40; i++) {
        sim_renderer_begin_frame(&renderer);
        sim_renderer_pass(&renderer, 0, 1000, 0);
        (void)sim_renderer_end_frame(&renderer);
        if (i > 0)
            sim_renderer_complete(&renderer, 1);
    }
    ck_assert(passes(LUDUS_GPU_VALID) == 39 && frames(LUDUS_GPU_BUSY) == 39);
    ck_assert_uint_eq(ludus_gpu_session_held(renderer.session), 1);
    ludus_gpu_session_end(renderer.session);
    ck_assert(passes(LUDUS_GPU_UNRESOLVED) == 1 && frames(LUDUS_GPU_UNRESOLVED) == 1);
    /* Query pools are still in use, until it is. */
    ck_assert_uint_eq(ludus_gpu_session_held(renderer.session), 1);
    sim_renderer_wait(&renderer, 0);
    ck_assert_uint_eq(ludus_gpu_session_held(renderer.session), 0);
    ck_assert_uint_eq(recorder->pass_count, 40);
    sim_renderer_check_counts(&renderer, 1);
}
END_TEST

START_TEST(a_session_that_ended_measures_nothing)
{
    sim_renderer_frame(&renderer, 1);
    sim_renderer_begin_frame(&renderer);
    const struct ludus_gpu_scope scope =
        ludus_gpu_session_begin_scope(renderer.session, &renderer.sites[0], 1, 1, 1);
    ludus_gpu_session_end(renderer.session);
    ck_assert_uint_eq(ludus_gpu_session_end_scope(renderer.session, scope.token),
                      LUDUS_GPU_NO_SLOT);
    sim_renderer_begin_frame(&renderer);
    ck_assert(renderer.plan.slot_count == 0 && renderer.plan.begin_slot == LUDUS_GPU_NO_SLOT);
    sim_renderer_pass(&renderer, 0, 1000, 0);
    (void)sim_renderer_end_frame(&renderer);
    ck_assert(frames(0) == 1 && frames(LUDUS_GPU_UNRESOLVED) == 1 && passes(0) == 1);
    sim_renderer_check_counts(&renderer, 1);
}
END_TEST

START_TEST(all_in_flight_is_lost_with_the_device)
{
    for (int i = 0; i < 3; i++)
        sim_renderer_frame(&renderer, 2);
    sim_renderer_wait(&renderer, 2);
    device.answer = LUDUS_GPU_ANSWER_LOST;
    sim_renderer_begin_frame(&renderer);
    sim_renderer_pass(&renderer, 0, 1000, 0);
    sim_renderer_complete(&renderer, 0); /* where it shows */
    ck_assert(passes(LUDUS_GPU_VALID) == 2 && passes(LUDUS_GPU_DEVICE_LOST) == 4);
    ck_assert_uint_eq(ludus_gpu_session_held(renderer.session), 0);
    (void)sim_renderer_end_frame(&renderer); /* which was never submitted as far as we know */
    ck_assert_uint_eq(passes(0), 6);
    sim_renderer_check_counts(&renderer, 1);
    /* The next session has another generation, and nothing of this one. */
    const uint32_t generation = ludus_gpu_session_generation(renderer.session);
    device.answer = LUDUS_GPU_ANSWERED;
    sim_device_open(&device, 2);
    const struct ludus_gpu_setup setup = sim_setup(&device, recorder);
    open_again(&setup);
    ck_assert_uint_eq(ludus_gpu_session_generation(renderer.session), generation + 1);
    sim_renderer_frame(&renderer, 1);
    sim_renderer_wait(&renderer, 0);
    ck_assert(recorder->facts.generation == generation + 1 && recorder->queues_opened == 2);
    ck_assert_uint_eq(recorder->passes[recorder->pass_count - 1].frame, 0);
}
END_TEST

START_TEST(a_frame_that_was_submitted_in_part_is_lost_too)
{
    sim_renderer_begin_frame(&renderer);
    sim_renderer_pass(&renderer, 0, 1000, 0);
    ludus_gpu_session_submit_frame(renderer.session);
    ludus_gpu_session_lose(renderer.session);
    ck_assert(passes(LUDUS_GPU_DEVICE_LOST) == 1 && frames(LUDUS_GPU_DEVICE_LOST) == 1);
    ludus_gpu_session_lose(renderer.session);
    ludus_gpu_session_end(renderer.session);
    ck_assert_uint_eq(recorder->pass_count, 1);
    sim_renderer_check_counts(&renderer, 1);
}
END_TEST

START_TEST(a_discarded_frame_was_nothing_to_measure)
{
    for (int i = 0; i < 10; i++) {
        sim_renderer_begin_frame(&renderer);
        ck_assert_uint_eq(renderer.plan.number, 0);
        sim_renderer_pass(&renderer, 0, 1000, 0);
        if (i % 2 == 0) /* otherwise the next begin does */
            ludus_gpu_session_end_frame(renderer.session, LUDUS_GPU_DISCARDED);
    }
    ck_assert(frames(0) == 0 && passes(0) == 0);
    renderer.truth_count = 0;
    sim_renderer_frame(&renderer, 1);
    sim_renderer_wait(&renderer, 0);
    ck_assert(frames(LUDUS_GPU_VALID) == 1 && passes(LUDUS_GPU_VALID) == 1);
}
END_TEST

START_TEST(a_submission_that_is_refused_has_failed)
{
    for (int submissions = 1; submissions <= 2; submissions++) {
        sim_renderer_begin_frame(&renderer);
        sim_renderer_pass(&renderer, 0, 1000, 0);
        for (int i = 0; i < submissions; i++)
            ludus_gpu_session_submit_frame(renderer.session);
        ludus_gpu_session_end_frame(renderer.session, LUDUS_GPU_REFUSED);
        ck_assert(passes(LUDUS_GPU_FAILED) == (uint64_t)submissions &&
                  frames(LUDUS_GPU_FAILED) == (uint64_t)submissions);
        /* What was submitted before may still run. */
        ck_assert_uint_eq(ludus_gpu_session_held(renderer.session), submissions == 2);
    }
    ludus_gpu_session_complete_frame(renderer.session, 1);
    ck_assert_uint_eq(ludus_gpu_session_held(renderer.session), 0);
    sim_renderer_check_counts(&renderer, 1);
}
END_TEST

START_TEST(several_submissions_of_a_frame_are_measured_from_the_first_on)
{
    sim_renderer_begin_frame(&renderer);
    ludus_gpu_session_submit_frame(renderer.session);
    const uint64_t first = (uint64_t)device.now_ns - 20; /* the clock is read behind the tick */
    device.now_ns += 1000000;
    sim_renderer_pass(&renderer, 0, 1000, 0);
    (void)sim_renderer_end_frame(&renderer);
    sim_renderer_wait(&renderer, 0);
    ck_assert(recorder->passes[0].submit_tick == first && recorder->frames[0].submit_tick == first);
    ck_assert_uint_eq(passes(LUDUS_GPU_VALID), 1);
}
END_TEST

/* Every way in which a frame may lie at the boundary of a recording. */
START_TEST(a_result_is_in_the_recording_that_it_was_submitted_in)
{
    sim_renderer_frame(&renderer, 1);
    sim_recorder_switch(recorder, 0); /* draining: results are still taken, */
    sim_renderer_wait(&renderer, 0);
    ck_assert(passes(LUDUS_GPU_VALID) == 1 && frames(LUDUS_GPU_VALID) == 1);
    sim_renderer_frame(&renderer, 1); /* and nothing new is measured */
    ck_assert_uint_eq(renderer.plan.slot_count, 0);
    sim_renderer_wait(&renderer, 0);
    ck_assert(frames(0) == 1 && passes(0) == 1);

    sim_renderer_begin_frame(&renderer); /* begun in none */
    sim_recorder_switch(recorder, 2);
    sim_renderer_pass(&renderer, 0, 1000, 0);
    (void)sim_renderer_end_frame(&renderer);
    ck_assert(frames(0) == 1 && frames(LUDUS_GPU_NOT_ADMITTED) == 1 && passes(0) == 0);

    sim_renderer_frame(&renderer, 1); /* submitted in 2, late */
    sim_renderer_begin_frame(&renderer);
    sim_renderer_pass(&renderer, 0, 1000, 0);
    sim_recorder_switch(recorder, 3);
    (void)sim_renderer_end_frame(&renderer); /* begun in 2, submitted in 3 */
    sim_renderer_wait(&renderer, 0);
    ck_assert_uint_eq(recorder->pass_count, 1);
    ck_assert(frames(0) == 1 && frames(LUDUS_GPU_NOT_ADMITTED) == 1);
    ck_assert(passes(0) == 1 && passes(LUDUS_GPU_NOT_ADMITTED) == 1);
    ck_assert_uint_eq(sim_recorder_sum(recorder, 2, LUDUS_GPU_PASS), 0);
    sim_renderer_frame(&renderer, 1);
    sim_renderer_wait(&renderer, 0);
    ck_assert(passes(LUDUS_GPU_VALID) == 1 && recorder->queues_opened == 3);
    sim_renderer_check_counts(&renderer, 3);
}
END_TEST

START_TEST(frames_can_be_watched_without_a_recording)
{
    struct ludus_gpu_frame latest;
    sim_recorder_switch(recorder, 0);
    sim_renderer_frame(&renderer, 1);
    sim_renderer_wait(&renderer, 0);
    ck_assert(!ludus_gpu_session_latest_frame(renderer.session, &latest));
    ludus_gpu_session_watch(renderer.session, 1);
    sim_renderer_frame(&renderer, 1);
    sim_recorder_switch(recorder, 2);
    sim_renderer_wait(&renderer, 0); /* of before this recording */
    ck_assert(ludus_gpu_session_latest_frame(renderer.session, &latest));
    ck_assert(latest.outcome == LUDUS_GPU_VALID && latest.number == 1 && latest.queue == 0);
    ck_assert(recorder->frame_count == 0 && recorder->pass_count == 0 &&
              recorder->calibration_count == 0);
    sim_renderer_frame(&renderer, 1);
    sim_renderer_wait(&renderer, 0); /* to both, once */
    for (int i = 0; i < 2; i++) {
        ck_assert(ludus_gpu_session_latest_frame(renderer.session, &latest));
        ck_assert(latest.number == 2 && recorder->frame_count == 1);
    }
    sim_renderer_check_counts(&renderer, 2);
}
END_TEST

START_TEST(without_room_in_the_recorder_nothing_is_counted_twice)
{
    recorder->room = 3;
    for (int i = 0; i < 3; i++) {
        sim_renderer_frame(&renderer, 2);
        sim_renderer_wait(&renderer, 0);
    }
    ck_assert(passes(0) == 6 && passes(LUDUS_GPU_VALID) + passes(LUDUS_GPU_QUEUE_FULL) == 6);
    ck_assert(frames(LUDUS_GPU_VALID) + frames(LUDUS_GPU_QUEUE_FULL) == 3);
    sim_renderer_check_counts(&renderer, 1);
}
END_TEST

START_TEST(setups_that_make_no_sense_make_no_session)
{
    const struct ludus_gpu_setup good = sim_setup(&device, recorder);
    struct ludus_gpu_setup setup = good;
    setup.batches = LUDUS_GPU_MAX_BATCHES + 1;
    ck_assert_ptr_null(ludus_gpu_session_create(&setup));
    setup = good;
    setup.policy = LUDUS_GPU_TWO_SAMPLES + 1;
    ck_assert_ptr_null(ludus_gpu_session_create(&setup));
    setup = good;
    setup.device.read_slots = NULL;
    ck_assert_ptr_null(ludus_gpu_session_create(&setup));
    setup = good;
    setup.sink.count = NULL;
    ck_assert_ptr_null(ludus_gpu_session_create(&setup));
    ludus_gpu_session_destroy(NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gpu session");
    TCase *cases = tcase_create("gpu session");
    tcase_add_checked_fixture(cases, open_simulation, close_simulation);
    tcase_add_test(cases, a_frame_and_its_passes_are_measured);
    tcase_add_test(cases, all_passes_are_measured_with_three_frames_in_flight);
    tcase_add_test(cases, the_uncertainty_has_the_largest_residual_of_our_own_clock);
    tcase_add_test(cases, a_window_does_not_begin_long_before_its_frame);
    tcase_add_test(cases, what_finds_no_slots_is_busy);
    tcase_add_test(cases, frames_may_be_over_in_any_order);
    tcase_add_test(cases, results_that_are_late_are_waited_for_without_waiting);
    tcase_add_test(cases, results_that_never_come_are_given_up_after_some_frames);
    tcase_add_test(cases, a_submission_that_is_never_over_keeps_its_slots);
    tcase_add_test(cases, a_session_that_ended_measures_nothing);
    tcase_add_test(cases, all_in_flight_is_lost_with_the_device);
    tcase_add_test(cases, a_frame_that_was_submitted_in_part_is_lost_too);
    tcase_add_test(cases, a_discarded_frame_was_nothing_to_measure);
    tcase_add_test(cases, a_submission_that_is_refused_has_failed);
    tcase_add_test(cases, several_submissions_of_a_frame_are_measured_from_the_first_on);
    tcase_add_test(cases, a_result_is_in_the_recording_that_it_was_submitted_in);
    tcase_add_test(cases, frames_can_be_watched_without_a_recording);
    tcase_add_test(cases, without_room_in_the_recorder_nothing_is_counted_twice);
    tcase_add_test(cases, setups_that_make_no_sense_make_no_session);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
