/* What one thread could not record for one reason: written by the thread, read by the collector. */
#ifndef LUDUS_LOSS_CELL_H
#define LUDUS_LOSS_CELL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "lcap_records.h"

/* What is counted apart. */
enum ludus_sort {
    LUDUS_SORT_SCOPE = 0,
    LUDUS_SORT_INSTANT = 1,
    LUDUS_SORT_FRAME = 2,
    LUDUS_SORT_FLOW = 3,
    LUDUS_SORT_GAUGE = 4,
    LUDUS_SORTS = 5
};

/* Only the thread writes, all but `acknowledged`, which is the collector's. */
struct ludus_loss_cell {
    _Atomic uint32_t sequence;            /* odd while the thread is changing the fields below */
    _Atomic uint64_t counts[LUDUS_SORTS]; /* since the cell was reset */
    _Atomic uint64_t first_tick;          /* of the losses that had not been read by then */
    _Atomic uint64_t last_tick;
    _Atomic uint64_t acknowledged; /* sum of the counts that the collector has read */
};

/* A number of losses, all at or between two ticks. */
struct ludus_loss {
    struct lcap_counts counts;
    uint64_t first_tick;
    uint64_t last_tick;
};

/* The collector's memory of what it has read from a cell. */
struct ludus_loss_reader {
    uint64_t counts[LUDUS_SORTS];
    uint64_t last_tick;
};

void ludus_loss_cell_reset(struct ludus_loss_cell *cell);

/* Counts a loss at `tick`. The owning thread only; never waits. */
void ludus_loss_cell_add(struct ludus_loss_cell *cell, enum ludus_sort sort, uint64_t tick);

/* What was added since the reader's last call. False when that is nothing, or when the thread is
 * changing the cell this very moment; nothing is forgotten then. */
bool ludus_loss_cell_read(struct ludus_loss_cell *cell, struct ludus_loss_reader *reader,
                          struct ludus_loss *loss);

/* The same, but waits for a change to be finished until CLOCK_MONOTONIC shows `deadline_ns`, and
 * then reads what it finds. Exact for every add that had returned before
 * the call, also when the thread is stuck inside another; only the ticks may then be that one's. */
bool ludus_loss_cell_read_all(struct ludus_loss_cell *cell, struct ludus_loss_reader *reader,
                              uint64_t deadline_ns, struct ludus_loss *loss);

/* Adds losses to a sum of them and widens its range. */
void ludus_loss_merge(struct ludus_loss *sum, const struct ludus_loss *more);

static inline bool ludus_loss_is_none(const struct ludus_loss *loss)
{
    return lcap_counts_are_zero(&loss->counts);
}

/* The count of one sort. */
static inline uint64_t *ludus_count_of(struct lcap_counts *counts, enum ludus_sort sort)
{
    switch (sort) {
    case LUDUS_SORT_SCOPE:
        return &counts->scopes;
    case LUDUS_SORT_INSTANT:
        return &counts->instants;
    case LUDUS_SORT_FRAME:
        return &counts->frames;
    case LUDUS_SORT_FLOW:
        return &counts->flows;
    case LUDUS_SORT_GAUGE:
    case LUDUS_SORTS:
        break;
    }
    return &counts->gauges;
}

/* One event of a sort, lost at `tick`. */
static inline struct ludus_loss ludus_loss_of(enum ludus_sort sort, uint64_t tick)
{
    struct ludus_loss loss = {.first_tick = tick, .last_tick = tick};
    *ludus_count_of(&loss.counts, sort) = 1;
    return loss;
}

#endif
