/* Random devices under random programs, the same in every run: what is valid is the truth, what is
 * mapped lies where it was, everything has one outcome, and no slot is used too early. */
#include <check.h>
#include <stdlib.h>

#include "sim_renderer.h"

#define DEVICES (100 / TEST_SHARE)
#define FRAMES  60

struct world {
    uint64_t random;
    struct sim_device device;
    struct sim_recorder *recorder;
    struct sim_renderer renderer;
    uint32_t most_in_flight;
    uint64_t mapped; /* over all worlds */
    uint64_t valid;
};

static uint64_t choose(struct world *world, uint64_t low, uint64_t high)
{
    return sim_between(&world->random, low, high);
}

static bool happens(struct world *world, unsigned one_in)
{
    return choose(world, 1, one_in) == 1;
}

static void open_device(struct world *world, uint64_t seed, bool is_two_samples)
{
    struct sim_device *device = &world->device;
    world->random = seed;
    sim_device_open(device, seed + 1000000);
    device->valid_bits = (uint32_t)choose(world, 36, 64);
    device->period_fs = happens(world, 3) ? 1000000 : choose(world, 1000, 200000000);
    device->drift_ppb = (int64_t)choose(world, 0, 100000) - 50000;
    /* Often a wrap soon. */
    device->first_tick =
        happens(world, 2)
            ? sim_random(&world->random) >> 1
            : ludus_gpu_counter_mask((struct ludus_gpu_counter){device->valid_bits, 1}) / 2;
    if (happens(world, 2))
        device->first_tick =
            (0 - (uint64_t)sim_device_ticks(device, device->now_ns + 20000000)) & INT64_MAX;
    device->longest_reading_ns = choose(world, 50, 30000);
    device->is_two_samples = is_two_samples;
    if (happens(world, 2)) {
        device->recorder_residual_ns = choose(world, 1, 2000);
        device->recorder_error_ns = (int64_t)choose(world, 0, 2 * device->recorder_residual_ns) -
                                    (int64_t)device->recorder_residual_ns;
    }
}

static void open_world(struct world *world, uint64_t seed, bool is_two_samples)
{
    open_device(world, seed, is_two_samples);
    world->recorder = sim_recorder_new(&world->device);
    struct ludus_gpu_setup setup = sim_setup(&world->device, world->recorder);
    setup.batches = (uint32_t)choose(world, 1, LUDUS_GPU_MAX_BATCHES);
    setup.patience_frames = (uint32_t)choose(world, 1, 6);
    world->most_in_flight = (uint32_t)choose(world, 1, setup.batches + 2);
    sim_renderer_open(&world->renderer, &world->device, world->recorder, &setup);
}

static void render_frame(struct world *world)
{
    struct sim_renderer *renderer = &world->renderer;
    while (renderer->flight_count >= world->most_in_flight)
        sim_renderer_complete(renderer, (uint32_t)choose(world, 0, renderer->flight_count - 1));
    sim_renderer_begin_frame(renderer);
    const uint64_t passes = happens(world, 8) ? choose(world, 0, 80) : choose(world, 0, 12);
    for (uint64_t i = 0; i < passes; i++)
        sim_renderer_pass(renderer, (uint32_t)choose(world, 0, SIM_SITES - 1),
                          happens(world, 5) ? 0 : choose(world, 0, 400000), choose(world, 0, 5000));
    if (happens(world, 20)) {
        ludus_gpu_session_end_frame(renderer->session, LUDUS_GPU_DISCARDED);
        renderer->truth_count = renderer->first_truth;
    } else {
        (void)sim_renderer_end_frame(renderer);
    }
    world->device.now_ns += (int64_t)choose(world, 100000, 10000000);
    sim_renderer_check_counts(renderer, 1);
}

/* Within half a nanosecond of the counter's own steps, and within a step and the drift of time. */
static void check_duration(struct world *world, const struct sim_truth *truth, uint64_t duration_ns)
{
    const ludus_gpu_wide exact_fs = (truth->ticks[1] - truth->ticks[0]) * world->device.period_fs;
    const ludus_gpu_wide told_fs = (ludus_gpu_wide)duration_ns * LUDUS_GPU_FS_PER_NS;
    ck_assert(told_fs <= exact_fs + 500000 && exact_fs < told_fs + 500000);
    const int64_t true_ns = truth->times_ns[1] - truth->times_ns[0];
    const int64_t step_ns = (int64_t)ludus_gpu_counter_step_ns(
        (struct ludus_gpu_counter){world->device.valid_bits, world->device.period_fs});
    ck_assert_int_le(llabs((int64_t)duration_ns - true_ns), step_ns + 1 + true_ns / 20000 + 1);
    world->valid++;
}

/* The uncertainty is that of the mapping; a time is also not better known than the counter's step.
 */
static void check_begin(struct world *world, const struct sim_truth *truth, int64_t begin_ns,
                        uint32_t uncertainty_ns)
{
    const int64_t step_ns = (int64_t)ludus_gpu_counter_step_ns(
        (struct ludus_gpu_counter){world->device.valid_bits, world->device.period_fs});
    if (uncertainty_ns == LUDUS_GPU_UNMAPPED)
        return;
    ck_assert_int_le(llabs(begin_ns - truth->times_ns[0]), (int64_t)uncertainty_ns + step_ns + 1);
    world->mapped++;
}

static void check_samples(struct world *world)
{
    const struct sim_recorder *recorder = world->recorder;
    for (uint32_t i = 0; i < recorder->pass_count; i++) {
        const struct ludus_gpu_pass *pass = &recorder->passes[i];
        const struct sim_truth *truth =
            sim_renderer_truth(&world->renderer, pass->frame, pass->site, pass->ordinal);
        ck_assert_ptr_nonnull(truth);
        if (pass->outcome != LUDUS_GPU_VALID)
            continue;
        check_duration(world, truth, pass->duration_ns);
        check_begin(world, truth, pass->begin_ns, pass->uncertainty_ns);
    }
    for (uint32_t i = 0; i < recorder->frame_count; i++) {
        const struct ludus_gpu_frame *frame = &recorder->frames[i];
        const struct sim_truth *truth = sim_renderer_truth(&world->renderer, frame->number, 0, 0);
        ck_assert_ptr_nonnull(truth);
        if (frame->outcome != LUDUS_GPU_VALID)
            continue;
        check_duration(world, truth, frame->duration_ns);
        check_begin(world, truth, frame->begin_ns, frame->uncertainty_ns);
    }
}

static void close_world(struct world *world)
{
    ludus_gpu_session_end(world->renderer.session);
    sim_renderer_check_counts(&world->renderer, 1);
    for (enum ludus_gpu_subject subject = LUDUS_GPU_FRAME; subject <= LUDUS_GPU_PASS; subject++)
        ck_assert_uint_eq(ludus_gpu_session_in_flight(world->renderer.session, 1, subject), 0);
    sim_renderer_wait(&world->renderer, 0);
    ck_assert_uint_eq(ludus_gpu_session_held(world->renderer.session), 0);
    check_samples(world);
    sim_renderer_close(&world->renderer);
    free(world->recorder);
}

/* Nothing is ever wrong with these but that they are slow to answer. */
static void try_sound_devices(bool is_two_samples)
{
    struct world world = {0};
    for (uint64_t seed = 0; seed < DEVICES; seed++) {
        open_world(&world, seed, is_two_samples);
        for (int i = 0; i < FRAMES; i++)
            render_frame(&world);
        for (uint32_t i = 0; i < world.recorder->pass_count; i++)
            ck_assert(world.recorder->passes[i].outcome == LUDUS_GPU_VALID);
        for (uint32_t i = 0; i < world.recorder->calibration_count; i++) {
            const uint32_t mapping = world.recorder->calibrations[i].mapping;
            /* A counter of few bits and short steps goes round within a frame. */
            ck_assert(mapping == LUDUS_GPU_MAPPED || mapping == LUDUS_GPU_TOO_UNCERTAIN ||
                      (mapping == LUDUS_GPU_FULL_PERIOD && world.device.valid_bits < 50));
        }
        close_world(&world);
    }
    ck_assert_uint_gt(world.mapped, world.valid / 2);
}

START_TEST(sound_devices_are_measured_and_mapped)
{
    try_sound_devices(false);
}
END_TEST

START_TEST(two_samples_map_sound_devices)
{
    try_sound_devices(true);
}
END_TEST

/* Late, lost, given up, refused, with jumps of the counter and sleep of the system in between. */
static void trouble(struct world *world, bool is_two_samples)
{
    struct sim_device *device = &world->device;
    if (happens(world, 6))
        device->late_ns = happens(world, 3) ? (uint64_t)SIM_NEVER : choose(world, 1, 30000000);
    else if (happens(world, 2))
        device->late_ns = 0;
    device->clock_answer = happens(world, 10) ? LUDUS_GPU_ANSWER_FAILED : LUDUS_GPU_ANSWERED;
    device->answer = happens(world, 12)
                         ? (happens(world, 2) ? LUDUS_GPU_ANSWER_FAILED : LUDUS_GPU_ANSWER_DISJOINT)
                         : LUDUS_GPU_ANSWERED;
    if (is_two_samples && happens(world, 10)) {
        const int64_t sleep_ns = (int64_t)choose(world, 10000000, 1000000000);
        device->now_ns += sleep_ns;
        device->slept_ns += sleep_ns;
    }
    if (happens(world, 200))
        ludus_gpu_session_lose(world->renderer.session);
    if (happens(world, 50))
        ludus_gpu_session_poll(world->renderer.session);
}

static void try_troubled_devices(bool is_two_samples)
{
    struct world world = {0};
    for (uint64_t seed = 0; seed < DEVICES; seed++) {
        open_world(&world, seed + 1000, is_two_samples);
        if (happens(&world, 3))
            world.recorder->room = (uint32_t)choose(&world, 0, 500);
        for (int i = 0; i < FRAMES; i++) {
            trouble(&world, is_two_samples);
            render_frame(&world);
        }
        close_world(&world);
    }
    ck_assert_uint_gt(world.mapped, 3000);
}

START_TEST(troubled_devices_tell_nothing_that_is_not_so)
{
    try_troubled_devices(false);
}
END_TEST

START_TEST(nor_do_they_with_two_samples)
{
    try_troubled_devices(true);
}
END_TEST

/* A jump larger than a thousandth of the window is found wherever it lies. Only what was under way
 * when it happened has a wrong duration, or none. */
START_TEST(no_time_is_mapped_across_a_jump)
{
    struct world world = {0};
    for (uint64_t seed = 0; seed < DEVICES; seed++) {
        open_world(&world, seed + 2000, seed % 2 == 0);
        struct sim_device *device = &world.device;
        device->jump_at_ns = device->now_ns + (int64_t)choose(&world, 10000000, 200000000);
        const uint64_t jump_ns = choose(&world, 500000000, 2000000000);
        device->jump_ticks =
            (int64_t)((ludus_gpu_wide)jump_ns * LUDUS_GPU_FS_PER_NS / device->period_fs);
        if (happens(&world, 2))
            device->jump_ticks = -device->jump_ticks;
        for (int i = 0; i < FRAMES; i++)
            render_frame(&world);
        const struct sim_recorder *recorder = world.recorder;
        for (uint32_t i = 0; i < recorder->pass_count; i++) {
            const struct ludus_gpu_pass *pass = &recorder->passes[i];
            const struct sim_truth *truth =
                sim_renderer_truth(&world.renderer, pass->frame, pass->site, pass->ordinal);
            const bool is_across =
                truth->times_ns[0] < device->jump_at_ns && truth->times_ns[1] >= device->jump_at_ns;
            ck_assert(pass->outcome == LUDUS_GPU_VALID || is_across);
            if (!is_across)
                check_duration(&world, truth, pass->duration_ns);
            check_begin(&world, truth, pass->begin_ns, pass->uncertainty_ns);
        }
        sim_renderer_check_counts(&world.renderer, 1);
        sim_renderer_close(&world.renderer);
        free(world.recorder);
    }
    ck_assert_uint_gt(world.mapped, 3000);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gpu random");
    TCase *cases = tcase_create("gpu random");
    tcase_add_test(cases, sound_devices_are_measured_and_mapped);
    tcase_add_test(cases, two_samples_map_sound_devices);
    tcase_add_test(cases, troubled_devices_tell_nothing_that_is_not_so);
    tcase_add_test(cases, nor_do_they_with_two_samples);
    tcase_add_test(cases, no_time_is_mapped_across_a_jump);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
