/* What one thread could not record for one reason: written by the thread, read by the collector. */
#ifndef LUDUS_LOSS_CELL_H
#define LUDUS_LOSS_CELL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Only the thread writes, all but `acknowledged`, which is the collector's. */
struct ludus_loss_cell {
    _Atomic uint32_t sequence; /* odd while the thread is changing the fields below */
    _Atomic uint64_t scopes;   /* since the cell was reset */
    _Atomic uint64_t instants;
    _Atomic uint64_t first_tick; /* of the losses that had not been read by then */
    _Atomic uint64_t last_tick;
    _Atomic uint64_t acknowledged; /* scopes + instants that the collector has read */
};

/* A number of losses, all at or between two ticks. */
struct ludus_loss {
    uint64_t scopes;
    uint64_t instants;
    uint64_t frames;
    uint64_t first_tick;
    uint64_t last_tick;
};

/* The collector's memory of what it has read from a cell. */
struct ludus_loss_reader {
    uint64_t scopes;
    uint64_t instants;
    uint64_t last_tick;
};

void ludus_loss_cell_reset(struct ludus_loss_cell *cell);

/* Counts losses at `tick`. The owning thread only; never waits. */
void ludus_loss_cell_add(struct ludus_loss_cell *cell, uint32_t scopes, uint32_t instants,
                         uint64_t tick);

/* What was added since the reader's last call. False when that is nothing, or when the thread is
 * changing the cell this very moment; nothing is forgotten then. */
bool ludus_loss_cell_read(struct ludus_loss_cell *cell, struct ludus_loss_reader *reader,
                          struct ludus_loss *loss);

/* The same for the last time, after which the cell is not read again: waits for a change to be
 * finished until the clock shows `deadline_tick`. Exact for every add that had returned before the
 * call, also when the thread is stuck inside another; only the ticks may then be that one's. */
bool ludus_loss_cell_read_last(struct ludus_loss_cell *cell, struct ludus_loss_reader *reader,
                               uint64_t deadline_tick, struct ludus_loss *loss);

/* Adds losses to a sum of them and widens its range. */
void ludus_loss_merge(struct ludus_loss *sum, const struct ludus_loss *more);

static inline bool ludus_loss_is_none(const struct ludus_loss *loss)
{
    return loss->scopes == 0 && loss->instants == 0 && loss->frames == 0;
}

#endif
