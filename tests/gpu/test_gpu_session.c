/* A session's frames from their begin to their results: what is measured, when, and how long it is
 * waited for. */
#include <stdlib.h>
#include <string.h>

#include "sim_fixture.h"

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

/* A backend may leave scopes alone where they are neither timed nor counted; those of a frame
 * without slots are counted. */
START_TEST(a_frame_says_whether_it_takes_scopes)
{
    for (uint32_t i = 0; i < 6; i++) {
        sim_renderer_begin_frame(&renderer);
        ck_assert_uint_eq(renderer.plan.takes_scopes, 1);
        ck_assert_uint_eq(renderer.plan.slot_count, i < 4 ? LUDUS_GPU_FRAME_SLOTS : 0);
        (void)sim_renderer_end_frame(&renderer);
    }
    sim_recorder_switch(recorder, 0);
    sim_renderer_wait(&renderer, 0);
    ludus_gpu_session_watch(renderer.session, 1);
    sim_renderer_begin_frame(&renderer);
    ck_assert_uint_eq(renderer.plan.takes_scopes, 0);
    ck_assert_uint_eq(renderer.plan.slot_count, LUDUS_GPU_FRAME_SLOTS);
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

START_TEST(what_cannot_have_taken_so_long_is_not_valid)
{
    /* The device's clock may be faster than the host's by a thousandth, and not by two. */
    for (int thousandths = 1; thousandths <= 2; thousandths++) {
        sim_renderer_begin_frame(&renderer);
        sim_renderer_pass(&renderer, 0, 1000, 0);
        (void)sim_renderer_end_frame(&renderer);
        device.now_ns += 1000000000;
        const struct sim_truth *truth = &renderer.truths[renderer.first_truth];
        device.slots[truth->slots[1]].ticks =
            device.slots[truth->slots[0]].ticks + 1000000000 + 999000 * (uint64_t)thousandths;
        sim_renderer_wait(&renderer, 0);
    }
    ck_assert(passes(LUDUS_GPU_VALID) == 1 && passes(LUDUS_GPU_ACAUSAL) == 1);
    ck_assert_uint_eq(recorder->passes[0].duration_ns, 1000999000);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {a_frame_and_its_passes_are_measured,
                                  all_passes_are_measured_with_three_frames_in_flight,
                                  the_uncertainty_has_the_largest_residual_of_our_own_clock,
                                  a_window_does_not_begin_long_before_its_frame,
                                  what_finds_no_slots_is_busy,
                                  a_frame_says_whether_it_takes_scopes,
                                  frames_may_be_over_in_any_order,
                                  results_that_are_late_are_waited_for_without_waiting,
                                  results_that_never_come_are_given_up_after_some_frames,
                                  what_cannot_have_taken_so_long_is_not_valid};
    return sim_run("gpu session", tests, sizeof tests / sizeof tests[0]);
}
