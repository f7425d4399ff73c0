/* What a session consists of, and what its files do for each other. */
#ifndef LUDUS_GPU_SESSION_H
#define LUDUS_GPU_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include <ludus/gpu.h>

#include "gpu_batch.h"
#include "gpu_capability.h"
#include "gpu_mapping.h"
#include "gpu_probe.h"

#define LUDUS_GPU_OUTCOMES 32u /* numbers of outcomes are below it */

/* The frame that is being recorded. What is counted of it is counted when it is submitted. */
struct ludus_gpu_frame_in_work {
    bool is_begun;
    uint64_t admission; /* of the recording that it was begun in; 0: of none */
    uint64_t number;
    uint32_t submissions;
    uint32_t outcome;                    /* why it has no measurement of its own; 0: it has */
    struct ludus_gpu_batch *batch;       /* NULL: nothing is measured */
    uint64_t passes[LUDUS_GPU_OUTCOMES]; /* that are not measured, by why */
};

struct ludus_gpu_session {
    struct ludus_gpu_device device;
    struct ludus_gpu_sink sink;
    struct ludus_gpu_capability capability;
    uint32_t frame_method;
    uint32_t patience_frames;
    uint32_t batch_count;
    bool is_over;
    bool is_watched;
    uint64_t admission; /* of the latest recording that was seen; 0: none */
    uint32_t queue;     /* in it; 0: it has no room for one */
    uint64_t next_number;
    uint64_t next_serial;
    uint64_t frames_begun;
    struct ludus_gpu_point point; /* the latest */
    struct ludus_gpu_probe probe;
    struct ludus_gpu_frame_in_work frame;
    struct ludus_gpu_batch batches[LUDUS_GPU_MAX_BATCHES];
};

/* Looks which recording admits now, and opens the queue in it. */
void ludus_gpu_session_follow(struct ludus_gpu_session *session);

/* Ends a frame that nobody ended: what was submitted in part was submitted. */
void ludus_gpu_session_leave_frame(struct ludus_gpu_session *session);

/* Reads both clocks; a few times when the reading was disturbed. */
struct ludus_gpu_point ludus_gpu_session_read_point(struct ludus_gpu_session *session);

/* A point for the begin of a window: the latest one when it is recent, which it is behind a frame
 * that was completed just now. */
struct ludus_gpu_point ludus_gpu_session_first_point(struct ludus_gpu_session *session);

/* Tells all of a batch in flight as having that outcome, and takes it. */
void ludus_gpu_session_give_up(struct ludus_gpu_session *session, struct ludus_gpu_batch *batch,
                               enum ludus_gpu_outcome outcome);

/* Measurements that were submitted under that admission and not told yet. */
uint64_t ludus_gpu_session_in_flight(const struct ludus_gpu_session *session, uint64_t admission,
                                     enum ludus_gpu_subject subject);

#endif
