/* A backend and the program that uses it: renders frames on a simulated device, with several in
 * flight, and keeps what was true of each timed operation. */
#ifndef SIM_RENDERER_H
#define SIM_RENDERER_H

#include "gpu_session.h"
#include "sim_device.h"
#include "sim_recorder.h"

#define SIM_SITES  12u
#define SIM_TRUTHS 16384u

/* What was true of an operation, or of a frame (site 0). */
struct sim_truth {
    uint64_t frame;
    uint32_t site; /* its number in the recorder */
    uint32_t ordinal;
    uint32_t slots[2];
    int64_t times_ns[2];
    ludus_gpu_wide ticks[2];
};

struct sim_flight {
    uint64_t number;
    int64_t over_ns;
};

struct sim_renderer {
    struct sim_device *device;
    struct sim_recorder *recorder;
    struct ludus_gpu_session *session;
    struct ludus_site sites[SIM_SITES]; /* called P0, P1, ... */
    struct ludus_gpu_frame_plan plan;
    struct sim_commands commands;
    uint32_t flight_count;
    struct sim_flight flights[64];
    uint32_t truth_count;
    uint32_t first_truth; /* of the frame in work */
    struct sim_truth *truths;
};

/* Calibrated, of a 64-bit device with 1 ns, unless the setup says otherwise. */
struct ludus_gpu_setup sim_setup(struct sim_device *device, struct sim_recorder *recorder);
void sim_renderer_open(struct sim_renderer *renderer, struct sim_device *device,
                       struct sim_recorder *recorder, const struct ludus_gpu_setup *setup);
void sim_renderer_close(struct sim_renderer *renderer);

void sim_renderer_begin_frame(struct sim_renderer *renderer);
/* A timed operation, and time between it and the next. */
void sim_renderer_pass(struct sim_renderer *renderer, uint32_t site, uint64_t work_ns,
                       uint64_t gap_ns);
/* Submits the frame; returns its number. */
uint64_t sim_renderer_end_frame(struct sim_renderer *renderer);
/* Says that a frame is over that is, the one of that index in flight. */
void sim_renderer_complete(struct sim_renderer *renderer, uint32_t index);
/* Waits, as a program does, until at most so many frames are in flight. */
void sim_renderer_wait(struct sim_renderer *renderer, uint32_t most);
/* A frame of so many passes of 100 us, with at most 3 in flight. */
void sim_renderer_frame(struct sim_renderer *renderer, uint32_t passes);

/* NULL when there is none. */
const struct sim_truth *sim_renderer_truth(const struct sim_renderer *renderer, uint64_t frame,
                                           uint32_t site, uint32_t ordinal);

/* Every measurement that was to be made has one outcome, or is in flight; no slot was misused. */
void sim_renderer_check_counts(const struct sim_renderer *renderer, uint64_t admission);

#endif
