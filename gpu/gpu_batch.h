/* A batch: the slots of one frame, what is measured between them, and whether they may be used.
 *
 *     idle --arm--> armed --submit--> pending --complete--> complete --take--> idle
 *                     \--discard--> idle  \--give up--> held --complete--> idle
 *
 * Slots are written while armed, read while complete, and reset after arming: never while a
 * submission that names them may still run. */
#ifndef LUDUS_GPU_BATCH_H
#define LUDUS_GPU_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include <ludus/gpu.h>

#include "gpu_mapping.h"

enum ludus_gpu_batch_state {
    LUDUS_GPU_BATCH_IDLE = 0,
    LUDUS_GPU_BATCH_ARMED,    /* its frame is being recorded */
    LUDUS_GPU_BATCH_PENDING,  /* its frame was submitted */
    LUDUS_GPU_BATCH_COMPLETE, /* its frame is over; there may be results that are late */
    LUDUS_GPU_BATCH_HELD      /* given up, and the frame may not be over */
};

struct ludus_gpu_operation_record {
    uint64_t stream;
    uint32_t site;
    uint32_t ordinal;
    uint32_t operation;
    uint32_t logical_passes;
    bool is_ended;
};

struct ludus_gpu_batch {
    enum ludus_gpu_batch_state state;
    uint32_t first_slot;
    bool has_probe;     /* the first two slots are in use */
    uint32_t count;     /* of operations */
    uint64_t open;      /* a bit for each operation that has not ended */
    uint64_t serial;    /* of this use of the batch, for tokens */
    uint64_t admission; /* 0: nobody is told */
    uint32_t queue;
    uint64_t number;      /* of the frame */
    uint64_t submit_tick; /* of its first submission */
    int64_t submit_ns;
    uint64_t submit_residual_ns;
    uint64_t complete_frame; /* the frame that was recorded when it was complete */
    struct ludus_gpu_point before;
    struct ludus_gpu_window window;
    struct ludus_gpu_operation_record operations[LUDUS_GPU_FRAME_OPERATIONS];
};

void ludus_gpu_batch_arm(struct ludus_gpu_batch *batch, uint64_t serial);
void ludus_gpu_batch_discard(struct ludus_gpu_batch *batch);
void ludus_gpu_batch_submit(struct ludus_gpu_batch *batch);
void ludus_gpu_batch_complete(struct ludus_gpu_batch *batch);

/* Its results have been told, whatever they are. */
void ludus_gpu_batch_take(struct ludus_gpu_batch *batch);

/* The device is lost: nothing is in use any more. */
void ludus_gpu_batch_drop(struct ludus_gpu_batch *batch);

static inline bool ludus_gpu_batch_is_in_flight(const struct ludus_gpu_batch *batch)
{
    return batch->state == LUDUS_GPU_BATCH_PENDING || batch->state == LUDUS_GPU_BATCH_COMPLETE;
}

/* Whether a scope of that stream is open. */
bool ludus_gpu_batch_is_inside(const struct ludus_gpu_batch *batch, uint64_t stream);

/* Adds an operation to an armed batch that is not full. */
struct ludus_gpu_scope ludus_gpu_batch_begin(struct ludus_gpu_batch *batch, uint32_t site,
                                             uint64_t stream, uint32_t operation,
                                             uint32_t logical_passes);

/* What a token means to an armed batch. */
enum ludus_gpu_batch_end {
    LUDUS_GPU_END_WRITTEN = 0,  /* a timestamp is to be written into `*slot` */
    LUDUS_GPU_END_ELSEWHERE,    /* it is of another frame */
    LUDUS_GPU_END_WITHOUT_BEGIN /* it is of this one, where it is not open */
};
enum ludus_gpu_batch_end ludus_gpu_batch_end(struct ludus_gpu_batch *batch, uint64_t token,
                                             uint32_t *slot);

/* The slots of an operation's begin; its end is the next one. */
static inline uint32_t ludus_gpu_batch_slot(const struct ludus_gpu_batch *batch, uint32_t index)
{
    return batch->first_slot + 2 + 2 * index;
}

#endif
