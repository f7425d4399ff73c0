/* Sums by subject (a scope, a counter) and frame, in memory that is set beforehand. What does not
 * fit is for another pass. Private to the analyzer. */
#ifndef TRACE_FRAME_MATRIX_H
#define TRACE_FRAME_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model.h"
#include "nearest_rank.h"

/* All zero is none. */
struct trace_frame_matrix {
    int64_t *values;             /* by subject, frame */
    struct trace_ranked *sorted; /* of one subject: trace_frame_matrix_sort */
    uint32_t subjects, frames;
    uint32_t sorted_count;
};

/* How many subjects fit into `budget_bytes`; at least one. */
uint32_t trace_frame_matrix_room(uint32_t frames, size_t budget_bytes);

/* All values are 0. It holds 8 bytes for each subject and frame, and 16 for each frame. False when
 * there is no memory. */
bool trace_frame_matrix_create(struct trace_frame_matrix *matrix, uint32_t subjects,
                               uint32_t frames);
/* Makes all values 0 again, for the next subjects. */
void trace_frame_matrix_clear(struct trace_frame_matrix *matrix);
void trace_frame_matrix_destroy(struct trace_frame_matrix *matrix);

static inline int64_t trace_frame_matrix_value(const struct trace_frame_matrix *matrix,
                                               uint32_t subject, uint32_t frame)
{
    return matrix->values[(size_t)subject * matrix->frames + frame];
}

/* Sums that no real capture reaches stop growing. */
static inline void trace_frame_matrix_add(struct trace_frame_matrix *matrix, uint32_t subject,
                                          uint32_t frame, int64_t value)
{
    int64_t *sum = &matrix->values[(size_t)subject * matrix->frames + frame];
    *sum = trace_sum(*sum, value);
}

/* Sorts the values of a subject in the frames whose `is_counted` is set (NULL: in all), with which
 * trace_frame_matrix_rank answers until the next call. Returns how many frames these are. */
uint32_t trace_frame_matrix_sort(struct trace_frame_matrix *matrix, uint32_t subject,
                                 const bool *is_counted);

/* Nearest rank, 500 is the median, and the first frame (its index is the source) that has the
 * value. Only while the count that was sorted is not 0. */
static inline struct trace_ranked trace_frame_matrix_rank(const struct trace_frame_matrix *matrix,
                                                          uint32_t per_mille)
{
    return trace_ranked_at(matrix->sorted, matrix->sorted_count, per_mille);
}

#endif
