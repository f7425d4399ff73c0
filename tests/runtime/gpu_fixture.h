/* What the tests of GPU samples share: a backend that makes numbers up, and all GPU samples that a
 * capture holds. */
#ifndef GPU_FIXTURE_H
#define GPU_FIXTURE_H

#include <ludus/gpu_samples.h>

#include "recorder_fixture.h"

/* What a capture holds of GPU samples. Records are in its order; texts are not kept. */
struct gpu_content {
    struct lcap_gpu_queue *queues;
    size_t queue_count;
    struct lcap_gpu_frame *frames;
    size_t frame_count;
    struct lcap_gpu_pass *passes;
    size_t pass_count;
    struct lcap_gpu_calibration *calibrations;
    size_t calibration_count;
    struct lcap_gpu_count *counts;
    size_t count_count;
};

/* Fails the test when a sample names a queue that was not defined before it. Free it with
 * gpu_content_free. */
struct gpu_content gpu_read(const char *path);
void gpu_content_free(struct gpu_content *content);

/* The greatest count that is told of it; 0 when none is. */
uint64_t gpu_counted(const struct gpu_content *content, uint32_t track, uint32_t subject,
                     uint32_t outcome);

/* Opens a queue of that name in the running recording, and fails the test when it cannot. */
uint32_t gpu_open_queue(const char *name);

/* A valid frame, collected now; a valid pass of it, at a site of the fixture. */
struct ludus_gpu_frame gpu_frame(uint32_t queue, uint64_t number);
struct ludus_gpu_pass gpu_pass(uint32_t queue, uint64_t frame);

#endif
