/* The running total of one counter on one track. */
#ifndef LUDUS_COUNTER_CELL_H
#define LUDUS_COUNTER_CELL_H

#include <stdatomic.h>
#include <stdint.h>

#include "lcap_layout.h"

#define LUDUS_NO_CELL UINT32_MAX /* of a counter for which there is no room */

/* A thread adds to its totals, and tells a total in an event of its own when a new epoch has begun:
 * with each frame mark and with each pass of the collector. What it has not told yet when it stops
 * counting, the collector reads from the cell.
 *
 * The thread writes an event that tells, then `told_epoch`, then `total`, each with a release. So a
 * collector that reads a total which belongs behind an event reads, after that, the epoch of that
 * event at least; when it finds the epoch of the last event that it has read, the total belongs
 * between that event and the next one. */
struct ludus_counter_cell {
    /* The thread. */
    _Atomic int64_t total; /* modulo 2^64 */
    _Atomic uint32_t told_epoch;

    /* The collector. */
    uint32_t read_epoch;   /* of the last event that it has read */
    int64_t written_total; /* as far as it is in the capture */
};

/* What follows an event in a chunk: its value, and for a count whose it is. */
struct ludus_event_value {
    uint64_t value;
    uint32_t cell;  /* index + 1: `value` is its total; 0: `value` is an increment */
    uint32_t epoch; /* in which the total was told */
};

/* How many places of a chunk an event takes, by its kind: those with a value are the last ones. */
static inline uint32_t ludus_event_places(uint32_t kind)
{
    return kind >= LCAP_EVENT_FLOW_OUT ? 2 : 1;
}

#endif
