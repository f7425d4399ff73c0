/* Queues of GPUs, and counts of what became of all that there was to measure on them, which the
 * model keeps. Private to the analyzer. */
#ifndef TRACE_GPU_QUEUES_H
#define TRACE_GPU_QUEUES_H

#include "capture.h"
#include "lcap_decode.h"

/* The index of the queue that the track is, or TRACE_NONE. */
uint32_t trace_gpu_queue_of(const struct trace_model *model, uint32_t track);

/* How many measurements of that subject on that track came out so. */
uint64_t trace_gpu_count_of(const struct trace_model *model, uint32_t track, uint32_t subject,
                            uint32_t outcome);

/* Takes a block of queues or of counts. The tracks are known. False when there is no memory. */
bool trace_capture_load_gpu_facts(struct trace_capture *capture, const struct lcap_block *block);

#endif
