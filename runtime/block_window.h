/* Encoded blocks that are kept in memory for a while: as many as fit, the newest. */
#ifndef LUDUS_BLOCK_WINDOW_H
#define LUDUS_BLOCK_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tally.h"

#define LUDUS_KEPT_ALIGN 16u

/* A block in the window, and what is known of it. The block's bytes follow. */
struct ludus_kept_block {
    _Alignas(LUDUS_KEPT_ALIGN) uint64_t latest_tick; /* nothing that it holds happened later */
    struct ludus_tally tally;
    uint32_t size; /* of the block */
    uint32_t room; /* that all of this takes */
};

/* A ring. Positions in it only grow. The collector's. */
struct ludus_block_window {
    uint8_t *memory;
    size_t capacity;    /* a multiple of LUDUS_KEPT_ALIGN */
    uint64_t head;      /* where the next block goes */
    uint64_t tail;      /* the oldest one */
    uint64_t from_tick; /* all that happened from here on is in the window */
};

/* Empties the window, which takes `capacity` bytes at `memory`, aligned for any type. */
void ludus_block_window_start(struct ludus_block_window *window, void *memory, size_t capacity,
                              uint64_t from_tick);

/* Adds a copy of a block at the head, which must fit. `latest_tick` is not before that of the last
 * one. */
void ludus_block_window_add(struct ludus_block_window *window, const void *block, size_t size,
                            uint64_t latest_tick, const struct ludus_tally *tally);

/* Whether another block fits now. */
bool ludus_block_window_fits(const struct ludus_block_window *window, size_t size);

/* The first block at or behind `*position`, which is moved to it; NULL: there is none. It belongs
 * to the window and is valid until it is dropped. */
struct ludus_kept_block *ludus_block_window_at(const struct ludus_block_window *window,
                                               uint64_t *position);
static inline uint8_t *ludus_kept_bytes(struct ludus_kept_block *kept)
{
    return (uint8_t *)(kept + 1);
}

/* Takes the oldest block out: the window is whole only behind its latest tick. There must be one.
 */
void ludus_block_window_drop(struct ludus_block_window *window);

#endif
