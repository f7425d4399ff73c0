/* A recorder without a file. */
#include "sim_recorder.h"

#include <check.h>
#include <stdlib.h>

#define READ_NS 20 /* that a read of the clock takes */

struct sim_recorder *sim_recorder_new(struct sim_device *device)
{
    struct sim_recorder *recorder = calloc(1, sizeof *recorder);
    ck_assert_ptr_nonnull(recorder);
    recorder->device = device;
    recorder->room = UINT32_MAX;
    recorder->most_sites = UINT32_MAX;
    recorder->admission = recorder->latest = 1;
    return recorder;
}

void sim_recorder_switch(struct sim_recorder *recorder, uint64_t next)
{
    recorder->admission = next;
    if (next != 0)
        recorder->latest = next;
}

static uint64_t admission(void *context)
{
    return ((struct sim_recorder *)context)->admission;
}

static uint64_t tick(void *context)
{
    return (uint64_t)((struct sim_recorder *)context)->device->now_ns;
}

static int64_t clock_ns(void *context, uint64_t *residual_ns)
{
    struct sim_device *device = ((struct sim_recorder *)context)->device;
    device->now_ns += READ_NS;
    device->recorder_residual_ns += device->residual_growth_ns;
    *residual_ns = device->recorder_residual_ns;
    return device->now_ns + device->recorder_error_ns;
}

static uint32_t open_queue(void *context, uint64_t number,
                           const struct ludus_gpu_queue_facts *facts)
{
    struct sim_recorder *recorder = context;
    recorder->facts = *facts;
    recorder->queues_opened++;
    return number == recorder->latest ? 100 + (uint32_t)number : 0;
}

static uint32_t site(void *context, struct ludus_site *place)
{
    struct sim_recorder *recorder = context;
    if (place->id == 0 && recorder->sites < recorder->most_sites)
        place->id = ++recorder->sites;
    return place->id;
}

/* As the recorder does, counts what there is no room for. */
static int has_room(struct sim_recorder *recorder, uint64_t number, uint32_t subject)
{
    if (number != recorder->latest)
        return 0;
    if (recorder->room > 0) {
        recorder->room--;
        return 1;
    }
    recorder->counts[number][subject][LUDUS_GPU_QUEUE_FULL]++;
    return 0;
}

static void check_sample(uint64_t number, uint32_t queue, uint32_t outcome, uint64_t duration_ns,
                         uint32_t uncertainty_ns, int64_t begin_ns)
{
    ck_assert_uint_eq(queue, 100 + number);
    ck_assert(outcome > 0 && outcome < 16);
    ck_assert(outcome == LUDUS_GPU_VALID ||
              (duration_ns == 0 && uncertainty_ns == LUDUS_GPU_UNMAPPED));
    ck_assert(uncertainty_ns != LUDUS_GPU_UNMAPPED || begin_ns == 0);
}

static int put_frame(void *context, uint64_t number, const struct ludus_gpu_frame *frame)
{
    struct sim_recorder *recorder = context;
    check_sample(number, frame->queue, frame->outcome, frame->duration_ns, frame->uncertainty_ns,
                 frame->begin_ns);
    ck_assert(frame->collect_tick >= frame->submit_tick && frame->method != 0);
    if (!has_room(recorder, number, LUDUS_GPU_FRAME))
        return 0;
    ck_assert_uint_lt(recorder->frame_count, SIM_SAMPLES);
    recorder->frames[recorder->frame_count++] = *frame;
    return 1;
}

static int put_pass(void *context, uint64_t number, const struct ludus_gpu_pass *pass)
{
    struct sim_recorder *recorder = context;
    check_sample(number, pass->queue, pass->outcome, pass->duration_ns, pass->uncertainty_ns,
                 pass->begin_ns);
    ck_assert(pass->collect_tick >= pass->submit_tick && pass->site != 0 && pass->operation != 0 &&
              pass->logical_passes != 0);
    if (!has_room(recorder, number, LUDUS_GPU_PASS))
        return 0;
    ck_assert_uint_lt(recorder->pass_count, SIM_SAMPLES);
    recorder->passes[recorder->pass_count++] = *pass;
    return 1;
}

static int put_calibration(void *context, uint64_t number,
                           const struct ludus_gpu_calibration *calibration)
{
    struct sim_recorder *recorder = context;
    ck_assert(calibration->queue == 100 + number && calibration->mapping != 0);
    if (!has_room(recorder, number, 0))
        return 0;
    ck_assert_uint_lt(recorder->calibration_count, SIM_SAMPLES);
    recorder->calibrations[recorder->calibration_count++] = *calibration;
    return 1;
}

static void count(void *context, uint64_t number, uint32_t queue, uint32_t subject,
                  uint32_t outcome, uint64_t more)
{
    struct sim_recorder *recorder = context;
    ck_assert(number != 0 && queue == 100 + number && more > 0);
    if (number == recorder->latest)
        recorder->counts[number][subject][outcome] += more;
}

struct ludus_gpu_sink sim_recorder_sink(struct sim_recorder *recorder)
{
    return (struct ludus_gpu_sink){.context = recorder,
                                   .admission = admission,
                                   .tick = tick,
                                   .clock_ns = clock_ns,
                                   .open_queue = open_queue,
                                   .site = site,
                                   .put_frame = put_frame,
                                   .put_pass = put_pass,
                                   .put_calibration = put_calibration,
                                   .count = count};
}

uint64_t sim_recorder_count(const struct sim_recorder *recorder, enum ludus_gpu_subject subject,
                            uint32_t outcome)
{
    return recorder->counts[recorder->latest][subject][outcome];
}

uint64_t sim_recorder_sum(const struct sim_recorder *recorder, uint64_t number,
                          enum ludus_gpu_subject subject)
{
    uint64_t sum = 0;
    for (uint32_t outcome = 1; outcome < SIM_OUTCOMES; outcome++)
        sum += recorder->counts[number][subject][outcome];
    return sum;
}
