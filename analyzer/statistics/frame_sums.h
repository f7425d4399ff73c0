/* Sums by subject (a scope) and frame, of those pairs only that something is added to, in memory
 * that is set beforehand: of as many frames as fit, and the rest is for another pass. A matrix of
 * many subjects in many frames is mostly empty. Private to the analyzer. */
#ifndef TRACE_FRAME_SUMS_H
#define TRACE_FRAME_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero is none. */
struct trace_frame_sums {
    struct trace_frame_sum {
        int64_t value;
        uint32_t subject; /* plus one; 0: the place is free */
        uint32_t frame;
    } * places;
    size_t capacity; /* a power of two */
    size_t most;     /* that the budget allows */
    size_t count;
    uint32_t begin, end; /* of the frames that are added up */
};

/* Of the frames [begin, end). False when there is no memory. */
bool trace_frame_sums_create(struct trace_frame_sums *sums, size_t budget_bytes, uint32_t begin,
                             uint32_t end);
void trace_frame_sums_destroy(struct trace_frame_sums *sums);

/* Adds to a sum, unless its frame is not among those that are added up. When there is no room, the
 * later half of these is given up: `end` tells which are left, one at least, for which memory
 * beyond the budget is taken. False when there is no memory. */
bool trace_frame_sums_add(struct trace_frame_sums *sums, uint32_t subject, uint32_t frame,
                          int64_t value);

/* Forgets all sums. */
void trace_frame_sums_clear(struct trace_frame_sums *sums);

#endif
