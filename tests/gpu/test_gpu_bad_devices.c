/* What drivers and devices do wrong, or cannot do: each is counted apart, none is drawn, and none
 * is a zero. */
#include <stdlib.h>
#include <string.h>

#include "sim_fixture.h"

/* Of a device: the slots of a pass are made to hold what it wrote. */
static void finish_with(uint64_t begin_tick, uint64_t end_tick, uint32_t outcome)
{
    const uint64_t before = passes(outcome);
    sim_renderer_begin_frame(&renderer);
    sim_renderer_pass(&renderer, 0, 1000, 0);
    sim_renderer_pass(&renderer, 1, 1000, 0);
    (void)sim_renderer_end_frame(&renderer);
    const struct sim_truth *truth = &renderer.truths[renderer.first_truth];
    device.slots[truth->slots[0]].ticks = begin_tick;
    device.slots[truth->slots[1]].ticks = end_tick;
    sim_renderer_wait(&renderer, 0);
    sim_renderer_check_counts(&renderer, 1);
    ck_assert_uint_eq(passes(outcome), before + 1);
    const struct ludus_gpu_pass *pass = &recorder->passes[recorder->pass_count - 2];
    ck_assert(pass->outcome == outcome && pass->duration_ns == 0 &&
              pass->uncertainty_ns == LUDUS_GPU_UNMAPPED);
    /* The other one is not to blame. */
    ck_assert_uint_eq(recorder->passes[recorder->pass_count - 1].outcome, LUDUS_GPU_VALID);
    ck_assert_uint_eq(recorder->passes[recorder->pass_count - 1].duration_ns, 1000);
}

START_TEST(timestamps_that_cannot_be)
{
    finish_with(5000, 4000, LUDUS_GPU_REVERSED);
    finish_with(5000, 0, LUDUS_GPU_NO_END);
    finish_with(0, 0, LUDUS_GPU_UNAVAILABLE);
    finish_with(5000, UINT64_C(1) << 60, LUDUS_GPU_ACAUSAL);
    ck_assert(passes(LUDUS_GPU_VALID) == 4 && recorder->pass_count == 8);
}
END_TEST

/* A frame of two passes, the first of which the device says to have been at these times. */
static void finish_at(int64_t behind_ns, int64_t begin_ns, int64_t end_ns)
{
    recorder->pass_count = recorder->calibration_count = recorder->frame_count = 0;
    sim_renderer_begin_frame(&renderer);
    const int64_t begun_ns = device.now_ns;
    sim_renderer_pass(&renderer, 0, 1000, 0);
    sim_renderer_pass(&renderer, 1, 1000, 0);
    device.now_ns += 5000000; /* then it is submitted, */
    (void)sim_renderer_end_frame(&renderer);
    device.now_ns += behind_ns; /* and then it is over */
    const struct sim_truth *truth = &renderer.truths[renderer.first_truth];
    device.slots[truth->slots[0]].ticks = sim_device_ticks(&device, begun_ns + begin_ns);
    device.slots[truth->slots[1]].ticks = sim_device_ticks(&device, begun_ns + end_ns);
    sim_renderer_wait(&renderer, 0);
    ck_assert_uint_eq(recorder->pass_count, 2);
}

static void expect_outside(void)
{
    ck_assert_uint_eq(recorder->calibrations[0].mapping, LUDUS_GPU_OUTSIDE);
    for (int i = 0; i < 2; i++)
        ck_assert(recorder->passes[i].outcome == LUDUS_GPU_VALID &&
                  recorder->passes[i].uncertainty_ns == LUDUS_GPU_UNMAPPED);
    ck_assert_uint_eq(recorder->frames[0].uncertainty_ns, LUDUS_GPU_UNMAPPED);
}

START_TEST(times_that_cannot_be_take_the_mapping_along)
{
    finish_at(5000000, 6000000, 6001000);
    ck_assert_uint_eq(recorder->calibrations[0].mapping, LUDUS_GPU_MAPPED);
    finish_at(5000000, -100000000, -99000000); /* before the window */
    expect_outside();
    finish_at(5000000, 2000000, 2001000); /* in it, and before the submission */
    expect_outside();
    finish_at(5000000, 900000000, 900001000); /* behind it */
    expect_outside();
}
END_TEST

/* With half the period between them, the end could as well be behind the begin; not in the window.
 */
START_TEST(a_long_window_tells_that_an_end_is_before_its_begin)
{
    device.valid_bits = 36;
    const struct ludus_gpu_setup setup = sim_setup(&device, recorder);
    sim_open_again(&setup);
    sim_recorder_switch(recorder, 1);
    finish_at(60000000000, 59500000000, 24000000000);
    ck_assert_uint_eq(recorder->calibrations[0].mapping, LUDUS_GPU_OUTSIDE);
    for (int i = 0; i < 2; i++)
        ck_assert_uint_eq(recorder->passes[i].uncertainty_ns, LUDUS_GPU_UNMAPPED);
}
END_TEST

START_TEST(answers_that_are_none)
{
    device.answer = LUDUS_GPU_ANSWER_DISJOINT;
    sim_renderer_frame(&renderer, 2);
    sim_renderer_wait(&renderer, 0);
    device.answer = LUDUS_GPU_ANSWER_FAILED;
    sim_renderer_frame(&renderer, 3);
    sim_renderer_wait(&renderer, 0);
    ck_assert(passes(LUDUS_GPU_DISJOINT) == 2 && frames(LUDUS_GPU_DISJOINT) == 1);
    ck_assert(passes(LUDUS_GPU_FAILED) == 3 && frames(LUDUS_GPU_FAILED) == 1);
    device.answer = LUDUS_GPU_ANSWERED;
    sim_renderer_frame(&renderer, 1);
    sim_renderer_wait(&renderer, 0);
    ck_assert_uint_eq(passes(LUDUS_GPU_VALID), 1);
    sim_renderer_check_counts(&renderer, 1);
}
END_TEST

START_TEST(clocks_that_cannot_be_read)
{
    device.clock_answer = LUDUS_GPU_ANSWER_FAILED;
    sim_renderer_frame(&renderer, 1);
    device.clock_answer = LUDUS_GPU_ANSWERED;
    sim_renderer_wait(&renderer, 0);
    ck_assert(recorder->calibrations[0].mapping == LUDUS_GPU_READ_FAILED &&
              recorder->passes[0].outcome == LUDUS_GPU_VALID &&
              recorder->passes[0].uncertainty_ns == LUDUS_GPU_UNMAPPED);
}
END_TEST

START_TEST(clocks_that_are_always_disturbed_are_read_three_times)
{
    device.longest_reading_ns = 60000;
    for (int i = 0; i < 200; i++) {
        const uint64_t readings = device.clock_readings;
        sim_renderer_frame(&renderer, 1);
        sim_renderer_wait(&renderer, 0);
        ck_assert_uint_le(device.clock_readings - readings, 6);
    }
    uint64_t mapped = 0;
    for (uint32_t i = 0; i < recorder->calibration_count; i++) {
        const struct ludus_gpu_calibration *calibration = &recorder->calibrations[i];
        mapped += calibration->mapping == LUDUS_GPU_MAPPED;
        ck_assert(calibration->mapping == LUDUS_GPU_MAPPED
                      ? calibration->uncertainty_ns <= 50000
                      : calibration->mapping == LUDUS_GPU_TOO_UNCERTAIN);
    }
    ck_assert(mapped > 150 && recorder->calibration_count == 200);
    ck_assert_uint_eq(passes(LUDUS_GPU_VALID), 200);
}
END_TEST

START_TEST(a_host_clock_that_is_not_ours)
{
    device.recorder_error_ns = 5000000;
    sim_renderer_frame(&renderer, 1);
    sim_renderer_wait(&renderer, 0);
    ck_assert_uint_eq(recorder->calibrations[0].mapping, LUDUS_GPU_WRONG_DOMAIN);
    ck_assert(passes(LUDUS_GPU_VALID) == 1 && frames(LUDUS_GPU_VALID) == 1);
}
END_TEST

static void expect_unsupported(const struct ludus_gpu_setup *setup, const char *reason)
{
    const uint64_t before = passes(LUDUS_GPU_UNSUPPORTED);
    const uint32_t samples = recorder->frame_count;
    sim_open_again(setup);
    sim_renderer_frame(&renderer, 2);
    sim_renderer_wait(&renderer, 0);
    ck_assert(renderer.plan.slot_count == 0 && renderer.truth_count == 0);
    ck_assert_uint_eq(passes(LUDUS_GPU_UNSUPPORTED), before + 2);
    ck_assert_uint_eq(frames(LUDUS_GPU_UNSUPPORTED), before / 2 + 1);
    ck_assert(recorder->frame_count == samples && recorder->pass_count == 0);
    ck_assert_str_eq(recorder->facts.pass_reason, reason);
    sim_renderer_check_counts(&renderer, 1);
    sim_recorder_switch(recorder, 1);
}

START_TEST(queues_without_timestamps)
{
    struct ludus_gpu_setup setup = sim_setup(&device, recorder);
    setup.facts.valid_bits = 0;
    expect_unsupported(&setup, "the queue has no timestamps");
    setup.facts.valid_bits = 35;
    expect_unsupported(&setup, "the queue's timestamps do not have 36 to 64 valid bits");
    setup.facts.valid_bits = 65;
    expect_unsupported(&setup, "the queue's timestamps do not have 36 to 64 valid bits");
    setup.facts.valid_bits = 64;
    setup.facts.period_fs = 0;
    expect_unsupported(&setup, "the step of the queue's timestamps is not known");
}
END_TEST

START_TEST(a_backend_without_pass_timing)
{
    struct ludus_gpu_setup setup = sim_setup(&device, recorder);
    setup.facts.pass_reason = "no counters at stage boundaries";
    setup.frame_method = LUDUS_GPU_COMMAND_BUFFER;
    sim_open_again(&setup);
    sim_renderer_frame(&renderer, 3);
    sim_renderer_wait(&renderer, 0);
    ck_assert(passes(0) == 3 && passes(LUDUS_GPU_UNSUPPORTED) == 3);
    ck_assert(frames(LUDUS_GPU_VALID) == 1 &&
              recorder->frames[0].method == LUDUS_GPU_COMMAND_BUFFER);
    /* A command buffer's times are the system's: no mapping of the device's clock is theirs. */
    ck_assert_uint_eq(recorder->frames[0].uncertainty_ns, LUDUS_GPU_UNMAPPED);
    ck_assert_str_eq(recorder->facts.pass_reason, "no counters at stage boundaries");
}
END_TEST

START_TEST(a_borrowed_device_without_the_extension)
{
    struct ludus_gpu_setup setup = sim_setup(&device, recorder);
    setup.policy = LUDUS_GPU_UNCALIBRATED;
    sim_open_again(&setup);
    sim_renderer_frame(&renderer, 1);
    sim_renderer_wait(&renderer, 0);
    ck_assert_str_eq(recorder->facts.calibration_reason, "the backend reads no clocks");
    setup.facts.calibration_reason = "the device was borrowed without the extension";
    setup.policy = LUDUS_GPU_CALIBRATED;
    sim_open_again(&setup);
    sim_recorder_switch(recorder, 1);
    sim_renderer_frame(&renderer, 1);
    sim_renderer_wait(&renderer, 0);
    ck_assert_str_eq(recorder->facts.calibration_reason,
                     "the device was borrowed without the extension");
    ck_assert(recorder->calibration_count == 0 && device.clock_readings == 0);
    ck_assert(passes(LUDUS_GPU_VALID) == 2 && frames(LUDUS_GPU_VALID) == 2);
    for (int i = 0; i < 2; i++)
        ck_assert_uint_eq(recorder->passes[i].uncertainty_ns, LUDUS_GPU_UNMAPPED);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {timestamps_that_cannot_be,
                                  times_that_cannot_be_take_the_mapping_along,
                                  a_long_window_tells_that_an_end_is_before_its_begin,
                                  answers_that_are_none,
                                  clocks_that_cannot_be_read,
                                  clocks_that_are_always_disturbed_are_read_three_times,
                                  a_host_clock_that_is_not_ours,
                                  queues_without_timestamps,
                                  a_backend_without_pass_timing,
                                  a_borrowed_device_without_the_extension};
    return sim_run("gpu bad devices", tests, sizeof tests / sizeof tests[0]);
}
