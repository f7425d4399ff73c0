/* A batch: the slots of one frame, what is measured between them, and whether they may be used. */
#include "gpu_batch.h"

/* A token is the batch's serial number, and in its lowest bits the operation's index. */
#define INDEX_BITS 6u
#define INDEX_MASK (LUDUS_GPU_FRAME_OPERATIONS - 1)

static void move(struct ludus_gpu_batch *batch, enum ludus_gpu_batch_state from,
                 enum ludus_gpu_batch_state to)
{
    if (batch->state == from)
        batch->state = to;
}

void ludus_gpu_batch_arm(struct ludus_gpu_batch *batch, uint64_t serial)
{
    if (batch->state != LUDUS_GPU_BATCH_IDLE)
        return;
    batch->state = LUDUS_GPU_BATCH_ARMED;
    batch->has_probe = false;
    batch->count = 0;
    batch->open = 0;
    batch->serial = serial;
    batch->before = ludus_gpu_point_failed();
}

void ludus_gpu_batch_discard(struct ludus_gpu_batch *batch)
{
    move(batch, LUDUS_GPU_BATCH_ARMED, LUDUS_GPU_BATCH_IDLE);
}

void ludus_gpu_batch_submit(struct ludus_gpu_batch *batch)
{
    move(batch, LUDUS_GPU_BATCH_ARMED, LUDUS_GPU_BATCH_PENDING);
}

void ludus_gpu_batch_complete(struct ludus_gpu_batch *batch)
{
    if (batch->state == LUDUS_GPU_BATCH_HELD)
        batch->state = LUDUS_GPU_BATCH_IDLE;
    else
        move(batch, LUDUS_GPU_BATCH_PENDING, LUDUS_GPU_BATCH_COMPLETE);
}

void ludus_gpu_batch_take(struct ludus_gpu_batch *batch)
{
    if (batch->state == LUDUS_GPU_BATCH_COMPLETE)
        batch->state = LUDUS_GPU_BATCH_IDLE;
    else
        move(batch, LUDUS_GPU_BATCH_PENDING, LUDUS_GPU_BATCH_HELD);
}

void ludus_gpu_batch_drop(struct ludus_gpu_batch *batch)
{
    batch->state = LUDUS_GPU_BATCH_IDLE;
}

bool ludus_gpu_batch_is_inside(const struct ludus_gpu_batch *batch, uint64_t stream)
{
    uint32_t index = 0;
    for (uint64_t open = batch->open; open != 0; open >>= 1, index++) {
        if ((open & 1) != 0 && batch->operations[index].stream == stream)
            return true;
    }
    return false;
}

static uint32_t count_of_site(const struct ludus_gpu_batch *batch, uint32_t site)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < batch->count; i++)
        count += batch->operations[i].site == site;
    return count;
}

struct ludus_gpu_scope ludus_gpu_batch_begin(struct ludus_gpu_batch *batch, uint32_t site,
                                             uint64_t stream, uint32_t operation,
                                             uint32_t logical_passes)
{
    const uint32_t index = batch->count;
    batch->operations[index] = (struct ludus_gpu_operation_record){
        .stream = stream,
        .site = site,
        .ordinal = count_of_site(batch, site),
        .operation = operation != 0 ? operation : LUDUS_GPU_MIXED,
        .logical_passes = logical_passes != 0 ? logical_passes : 1};
    batch->open |= UINT64_C(1) << index;
    batch->count++;
    return (struct ludus_gpu_scope){batch->serial << INDEX_BITS | index,
                                    ludus_gpu_batch_slot(batch, index)};
}

enum ludus_gpu_batch_end ludus_gpu_batch_end(struct ludus_gpu_batch *batch, uint64_t token,
                                             uint32_t *slot)
{
    const uint32_t index = (uint32_t)(token & INDEX_MASK);
    if (batch->state != LUDUS_GPU_BATCH_ARMED || token >> INDEX_BITS != batch->serial)
        return LUDUS_GPU_END_ELSEWHERE;
    if ((batch->open >> index & 1) == 0)
        return LUDUS_GPU_END_WITHOUT_BEGIN;
    batch->open &= ~(UINT64_C(1) << index);
    batch->operations[index].is_ended = true;
    *slot = ludus_gpu_batch_slot(batch, index) + 1;
    return LUDUS_GPU_END_WRITTEN;
}
