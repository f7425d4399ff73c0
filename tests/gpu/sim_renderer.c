/* A backend and the program that uses it, on a simulated device. */
#include "sim_renderer.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

struct ludus_gpu_setup sim_setup(struct sim_device *device, struct sim_recorder *recorder)
{
    return (struct ludus_gpu_setup){.facts = {"simulation", "device", "queue", "", "", 0,
                                              device->valid_bits, device->period_fs},
                                    .policy = device->is_two_samples ? LUDUS_GPU_TWO_SAMPLES
                                                                     : LUDUS_GPU_CALIBRATED,
                                    .device = sim_device_interface(device),
                                    .sink = sim_recorder_sink(recorder)};
}

void sim_renderer_open(struct sim_renderer *renderer, struct sim_device *device,
                       struct sim_recorder *recorder, const struct ludus_gpu_setup *setup)
{
    static const char *const names[SIM_SITES] = {"P0", "P1", "P2", "P3", "P4",  "P5",
                                                 "P6", "P7", "P8", "P9", "P10", "P11"};
    memset(renderer, 0, sizeof *renderer);
    renderer->device = device;
    renderer->recorder = recorder;
    renderer->session = ludus_gpu_session_create(setup);
    ck_assert_ptr_nonnull(renderer->session);
    renderer->truths = calloc(SIM_TRUTHS, sizeof *renderer->truths);
    ck_assert_ptr_nonnull(renderer->truths);
    for (uint32_t i = 0; i < SIM_SITES; i++)
        renderer->sites[i] =
            (struct ludus_site){names[i], "sim.c", "Render", i + 1, LUDUS_SITE_PLAIN, 0, 0};
}

void sim_renderer_close(struct sim_renderer *renderer)
{
    ludus_gpu_session_destroy(renderer->session);
    free(renderer->truths);
    renderer->session = NULL;
}

static void add_truth(struct sim_renderer *renderer, uint32_t site, uint32_t begin, uint32_t end)
{
    ck_assert_uint_lt(renderer->truth_count, SIM_TRUTHS);
    uint32_t ordinal = 0;
    for (uint32_t i = renderer->first_truth; i < renderer->truth_count; i++)
        ordinal += renderer->truths[i].site == site;
    renderer->truths[renderer->truth_count++] = (struct sim_truth){
        .frame = renderer->plan.number, .site = site, .ordinal = ordinal, .slots = {begin, end}};
}

void sim_renderer_begin_frame(struct sim_renderer *renderer)
{
    renderer->commands.count = 0;
    renderer->first_truth = renderer->truth_count;
    ludus_gpu_session_begin_frame(renderer->session, &renderer->plan);
    sim_device_reset(renderer->device, renderer->plan.first_slot, renderer->plan.slot_count);
    sim_commands_write(&renderer->commands, renderer->plan.begin_slot);
}

void sim_renderer_pass(struct sim_renderer *renderer, uint32_t site, uint64_t work_ns,
                       uint64_t gap_ns)
{
    const struct ludus_gpu_scope scope = ludus_gpu_session_begin_scope(
        renderer->session, &renderer->sites[site], 1, LUDUS_GPU_RENDER, 1);
    sim_commands_write(&renderer->commands, scope.slot);
    sim_commands_work(&renderer->commands, work_ns);
    const uint32_t end = ludus_gpu_session_end_scope(renderer->session, scope.token);
    sim_commands_write(&renderer->commands, end);
    sim_commands_work(&renderer->commands, gap_ns);
    if (scope.token != 0)
        add_truth(renderer, renderer->sites[site].id, scope.slot, end);
}

static void keep_truth(struct sim_renderer *renderer)
{
    for (uint32_t i = renderer->first_truth; i < renderer->truth_count; i++) {
        struct sim_truth *truth = &renderer->truths[i];
        for (int end = 0; end < 2; end++) {
            truth->times_ns[end] = renderer->device->slots[truth->slots[end]].written_ns;
            truth->ticks[end] = renderer->device->slots[truth->slots[end]].ticks;
        }
    }
}

uint64_t sim_renderer_end_frame(struct sim_renderer *renderer)
{
    sim_commands_write(&renderer->commands, renderer->plan.end_slot);
    if (renderer->plan.end_slot != LUDUS_GPU_NO_SLOT)
        add_truth(renderer, 0, renderer->plan.begin_slot, renderer->plan.end_slot);
    ludus_gpu_session_submit_frame(renderer->session);
    const int64_t over_ns = sim_device_submit(renderer->device, &renderer->commands);
    ludus_gpu_session_end_frame(renderer->session, LUDUS_GPU_SUBMITTED);
    keep_truth(renderer);
    ck_assert_uint_lt(renderer->flight_count, 64);
    renderer->flights[renderer->flight_count++] =
        (struct sim_flight){renderer->plan.number, over_ns};
    return renderer->plan.number;
}

void sim_renderer_complete(struct sim_renderer *renderer, uint32_t index)
{
    const struct sim_flight flight = renderer->flights[index];
    ck_assert_uint_lt(index, renderer->flight_count);
    if (renderer->device->now_ns < flight.over_ns)
        renderer->device->now_ns = flight.over_ns;
    memmove(&renderer->flights[index], &renderer->flights[index + 1],
            (renderer->flight_count - index - 1) * sizeof renderer->flights[0]);
    renderer->flight_count--;
    ludus_gpu_session_complete_frame(renderer->session, flight.number);
}

void sim_renderer_wait(struct sim_renderer *renderer, uint32_t most)
{
    while (renderer->flight_count > most)
        sim_renderer_complete(renderer, 0);
}

void sim_renderer_frame(struct sim_renderer *renderer, uint32_t passes)
{
    sim_renderer_wait(renderer, 2);
    sim_renderer_begin_frame(renderer);
    for (uint32_t i = 0; i < passes; i++)
        sim_renderer_pass(renderer, i % SIM_SITES, 100000, 1000);
    (void)sim_renderer_end_frame(renderer);
    renderer->device->now_ns += 1000000;
}

const struct sim_truth *sim_renderer_truth(const struct sim_renderer *renderer, uint64_t frame,
                                           uint32_t site, uint32_t ordinal)
{
    for (uint32_t i = 0; i < renderer->truth_count; i++) {
        const struct sim_truth *truth = &renderer->truths[i];
        if (truth->frame == frame && truth->site == site && truth->ordinal == ordinal)
            return truth;
    }
    return NULL;
}

void sim_renderer_check_counts(const struct sim_renderer *renderer, uint64_t admission)
{
    for (enum ludus_gpu_subject subject = LUDUS_GPU_FRAME; subject <= LUDUS_GPU_PASS; subject++) {
        const uint64_t in_flight =
            ludus_gpu_session_in_flight(renderer->session, admission, subject);
        ck_assert_uint_eq(renderer->recorder->counts[admission][subject][0],
                          sim_recorder_sum(renderer->recorder, admission, subject) + in_flight);
    }
    ck_assert_uint_eq(renderer->device->faults, 0);
}
