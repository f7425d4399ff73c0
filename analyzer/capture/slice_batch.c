/* Collects slices, instants and values and hands them over. */
#include "slice_batch.h"

#include <stdlib.h>

/* The arrays keep their capacity over flushes: it is the power of two above the largest count so
 * far, which trace_array_grow would forget. */
static bool grow(void *array, uint32_t *count, uint32_t *most, size_t size)
{
    if (*count == *most) {
        if (!trace_array_grow(array, *most, size))
            return false;
        ++*most;
    }
    ++*count;
    return true;
}

bool trace_batch_reserve_slot(struct trace_slice_batch *batch, uint32_t *slot)
{
    *slot = batch->slice_count;
    if (!grow(&batch->slices, &batch->slice_count, &batch->slice_most, sizeof *batch->slices))
        return false;
    batch->slices[*slot].slice_id = 0;
    return true;
}

bool trace_batch_add_carried(struct trace_slice_batch *batch, const struct trace_slice *slice)
{
    if (!grow(&batch->carried, &batch->carried_count, &batch->carried_most, sizeof *batch->carried))
        return false;
    batch->carried[batch->carried_count - 1] = *slice;
    return true;
}

bool trace_batch_add_instant(struct trace_slice_batch *batch, const struct trace_instant *instant)
{
    if (!grow(&batch->instants, &batch->instant_count, &batch->instant_most,
              sizeof *batch->instants))
        return false;
    batch->instants[batch->instant_count - 1] = *instant;
    return true;
}

bool trace_batch_add_value(struct trace_slice_batch *batch, const struct trace_value *value)
{
    if (!grow(&batch->values, &batch->value_count, &batch->value_most, sizeof *batch->values))
        return false;
    batch->values[batch->value_count - 1] = *value;
    return true;
}

static void close_holes(struct trace_slice_batch *batch)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < batch->slice_count; i++) {
        if (batch->slices[i].slice_id == 0)
            continue;
        if (kept != i)
            batch->slices[kept] = batch->slices[i];
        kept++;
    }
    batch->slice_count = kept;
}

static int compare_ids(const void *a, const void *b)
{
    const struct trace_slice *left = a;
    const struct trace_slice *right = b;
    return (left->slice_id > right->slice_id) - (left->slice_id < right->slice_id);
}

enum ludus_status trace_batch_flush(struct trace_slice_batch *batch,
                                    const struct trace_visitor *visitor,
                                    const struct trace_model *model)
{
    enum ludus_status status = LUDUS_OK;
    close_holes(batch);
    if (batch->carried_count > 1)
        qsort(batch->carried, batch->carried_count, sizeof *batch->carried, compare_ids);
    if (visitor->slices != NULL && batch->carried_count != 0)
        status = visitor->slices(visitor->context, model, batch->carried, batch->carried_count);
    if (status == LUDUS_OK && visitor->slices != NULL && batch->slice_count != 0)
        status = visitor->slices(visitor->context, model, batch->slices, batch->slice_count);
    if (status == LUDUS_OK && visitor->instants != NULL && batch->instant_count != 0)
        status = visitor->instants(visitor->context, model, batch->instants, batch->instant_count);
    if (status == LUDUS_OK && visitor->values != NULL && batch->value_count != 0)
        status = visitor->values(visitor->context, model, batch->values, batch->value_count);
    batch->slice_count = 0;
    batch->carried_count = 0;
    batch->instant_count = 0;
    batch->value_count = 0;
    return status;
}

void trace_batch_destroy(struct trace_slice_batch *batch)
{
    free(batch->slices);
    free(batch->carried);
    free(batch->instants);
    free(batch->values);
    *batch = (struct trace_slice_batch){0};
}
