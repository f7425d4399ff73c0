/* How frames and sessions end, when their slots may be used again, and in which recording a result
 * is. */
#include <stdlib.h>
#include <string.h>

#include "sim_fixture.h"

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
    sim_open_again(&setup);
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
    const TTest *const tests[] = {a_submission_that_is_never_over_keeps_its_slots,
                                  a_session_that_ended_measures_nothing,
                                  all_in_flight_is_lost_with_the_device,
                                  a_frame_that_was_submitted_in_part_is_lost_too,
                                  a_discarded_frame_was_nothing_to_measure,
                                  a_submission_that_is_refused_has_failed,
                                  several_submissions_of_a_frame_are_measured_from_the_first_on,
                                  a_result_is_in_the_recording_that_it_was_submitted_in,
                                  frames_can_be_watched_without_a_recording,
                                  without_room_in_the_recorder_nothing_is_counted_twice,
                                  setups_that_make_no_sense_make_no_session};
    return sim_run("gpu session ends", tests, sizeof tests / sizeof tests[0]);
}
