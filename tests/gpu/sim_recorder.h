/* A recorder without a file: keeps what it is told, counts as the real one does, and reads its
 * clock from a simulated device's time. */
#ifndef SIM_RECORDER_H
#define SIM_RECORDER_H

#include <ludus/gpu.h>

#include "sim_device.h"

#define SIM_SAMPLES    16384u
#define SIM_RECORDINGS 8u
#define SIM_OUTCOMES   32u

struct sim_recorder {
    struct sim_device *device;
    uint64_t admission; /* below SIM_RECORDINGS; 0: nothing is admitted */
    uint64_t latest;    /* that puts are taken for */
    uint32_t room;      /* samples that are taken until there is no room */
    uint32_t sites;     /* that were registered */
    uint32_t most_sites;
    uint32_t queues_opened;
    struct ludus_gpu_queue_facts facts; /* of the queue that was opened last */
    uint32_t frame_count;
    uint32_t pass_count;
    uint32_t calibration_count;
    struct ludus_gpu_frame frames[SIM_SAMPLES];
    struct ludus_gpu_pass passes[SIM_SAMPLES];
    struct ludus_gpu_calibration calibrations[SIM_SAMPLES];
    uint64_t counts[SIM_RECORDINGS][3][SIM_OUTCOMES]; /* by admission, subject and outcome */
};

/* A new one, which admits under 1. To be freed. */
struct sim_recorder *sim_recorder_new(struct sim_device *device);

/* Ends the recording and, unless `next` is 0, begins that one. */
void sim_recorder_switch(struct sim_recorder *recorder, uint64_t next);

struct ludus_gpu_sink sim_recorder_sink(struct sim_recorder *recorder);

/* Of the recording that is or was last. */
uint64_t sim_recorder_count(const struct sim_recorder *recorder, enum ludus_gpu_subject subject,
                            uint32_t outcome);
uint64_t sim_recorder_sum(const struct sim_recorder *recorder, uint64_t admission,
                          enum ludus_gpu_subject subject);

#endif
