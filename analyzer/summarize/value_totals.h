/* Counters, gauges and marks (instants) by window: totals of all of them, and of counters the sum
 * in each frame. Private to the analyzer. */
#ifndef TRACE_VALUE_TOTALS_H
#define TRACE_VALUE_TOTALS_H

#include "frame_matrix.h"
#include "selection.h"
#include "value_sums.h"

/* Bounds of memory: all sums by frame together. What does not fit takes another pass. */
#define TRACE_VALUE_BUDGET_BYTES ((size_t)16 << 20)

/* All zero is none. */
struct trace_value_totals {
    const struct trace_chosen *chosen;
    struct trace_value_sums sums; /* the row of a counter is that in the matrix, or TRACE_NONE */
    struct trace_frame_matrix matrix;
    uint32_t rows;     /* of the matrix that are taken */
    bool has_all_rows; /* every counter has one */
    bool is_again;     /* a further pass: only the matrix is filled */
};

/* Collects what the filters let through. One pass over the input. Errors: MEMORY, those of
 * trace_input_run. Release it all the same. */
LUDUS_CHECKED enum ludus_status trace_value_totals_create(struct trace_input *input,
                                                          const struct trace_chosen *chosen,
                                                          size_t budget_bytes,
                                                          struct trace_value_totals *totals,
                                                          struct ludus_error *error);
void trace_value_totals_destroy(struct trace_value_totals *totals);

/* Fills the matrix with other counters, at most matrix.subjects of them, by another pass. */
LUDUS_CHECKED enum ludus_status trace_value_totals_hold(struct trace_value_totals *totals,
                                                        struct trace_input *input,
                                                        const uint32_t *indexes, uint32_t count,
                                                        struct ludus_error *error);

#endif
