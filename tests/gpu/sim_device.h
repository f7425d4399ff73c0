/* A device without a graphics API: its clock, its slots for timestamps and its queue are simulated,
 * with all that devices do wrong. Time passes only when the simulation says so. */
#ifndef SIM_DEVICE_H
#define SIM_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include <ludus/gpu.h>

#include "gpu_duration.h"

#define SIM_SLOTS    (LUDUS_GPU_MAX_BATCHES * LUDUS_GPU_FRAME_SLOTS)
#define SIM_COMMANDS 300u
#define SIM_NEVER    INT64_MAX

/* Numbers that are the same in every run. */
uint64_t sim_random(uint64_t *state);
/* From `low` to `high`, both included. */
uint64_t sim_between(uint64_t *state, uint64_t low, uint64_t high);

struct sim_slot {
    bool is_reset;        /* and not written since */
    bool is_written;      /* by a submission, now or in the future */
    bool was_read;        /* since it was written */
    ludus_gpu_wide ticks; /* as if the counter had no end */
    int64_t written_ns;   /* when it was, in truth */
    int64_t available_ns; /* from when on it can be read */
    int64_t in_use_until_ns;
};

struct sim_device {
    uint64_t random;
    int64_t now_ns; /* of CLOCK_MONOTONIC */
    /* The counter. */
    uint32_t valid_bits;
    uint64_t period_fs;
    int64_t drift_ppb;
    uint64_t first_tick;
    int64_t jump_at_ns; /* the counter steps then, */
    int64_t jump_ticks; /* by so many */
    /* Readings of clocks: how long one takes at most, and how far the recorder's clock is off. */
    uint64_t longest_reading_ns;
    int64_t recorder_error_ns;
    uint64_t recorder_residual_ns;
    uint64_t residual_growth_ns; /* with each read of it */
    int64_t slept_ns;            /* that the system's own clock has not counted */
    bool is_two_samples;
    uint64_t clock_readings;
    enum ludus_gpu_answer clock_answer;
    /* The queue. */
    int64_t busy_until_ns;
    uint64_t late_ns; /* by which results come after their submission is over */
    enum ludus_gpu_answer answer;
    struct sim_slot slots[SIM_SLOTS];
    unsigned faults; /* slots that were written, read or reset when that is not allowed */
};

/* Commands of a frame: work, and timestamps in between. */
struct sim_commands {
    uint32_t count;
    struct {
        uint64_t work_ns; /* before it */
        uint32_t slot;    /* or LUDUS_GPU_NO_SLOT */
    } of[SIM_COMMANDS];
};

/* A device with a period of 1 ns, 64 valid bits and no faults. */
void sim_device_open(struct sim_device *device, uint64_t seed);

/* The counter at a time, as if it had no end. */
ludus_gpu_wide sim_device_ticks(const struct sim_device *device, int64_t time_ns);

void sim_device_reset(struct sim_device *device, uint32_t first, uint32_t count);
void sim_commands_work(struct sim_commands *commands, uint64_t work_ns);
void sim_commands_write(struct sim_commands *commands, uint32_t slot);

/* Executes them after what was submitted before; returns when that is over. */
int64_t sim_device_submit(struct sim_device *device, const struct sim_commands *commands);

/* The device as the core sees it. */
struct ludus_gpu_device sim_device_interface(struct sim_device *device);

#endif
