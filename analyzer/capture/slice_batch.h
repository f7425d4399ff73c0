/* The slices, instants and values of one events block on their way to a visitor: in order of begin,
 * with holes for those that are still open. Private to the nesting_ files. */
#ifndef TRACE_SLICE_BATCH_H
#define TRACE_SLICE_BATCH_H

#include "capture.h"

/* All zero is an empty batch. */
struct trace_slice_batch {
    struct trace_slice *slices;  /* slice_id 0: a hole */
    struct trace_slice *carried; /* began in an earlier block */
    struct trace_instant *instants;
    struct trace_value *values;
    uint32_t slice_count;
    uint32_t carried_count;
    uint32_t instant_count;
    uint32_t value_count;
    uint32_t slice_most, carried_most, instant_most, value_most; /* counts so far at most */
};

/* Each returns false when there is no memory. */
bool trace_batch_reserve_slot(struct trace_slice_batch *batch, uint32_t *slot);
bool trace_batch_add_carried(struct trace_slice_batch *batch, const struct trace_slice *slice);
bool trace_batch_add_instant(struct trace_slice_batch *batch, const struct trace_instant *instant);
bool trace_batch_add_value(struct trace_slice_batch *batch, const struct trace_value *value);

/* Shows everything to the visitor and empties the batch. */
LUDUS_CHECKED enum ludus_status trace_batch_flush(struct trace_slice_batch *batch,
                                                  const struct trace_visitor *visitor,
                                                  const struct trace_model *model);
void trace_batch_destroy(struct trace_slice_batch *batch);

#endif
