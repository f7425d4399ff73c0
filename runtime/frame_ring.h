/* Frame marks on their way to the collector: reserved room that events cannot use up. */
#ifndef LUDUS_FRAME_RING_H
#define LUDUS_FRAME_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <ludus/status.h>

#include "site_registry.h"

#define LUDUS_FRAME_RING_ENTRIES 4096u

struct ludus_frame_entry {
    _Atomic uint64_t published; /* the entry's ticket + 1 once the rest is valid */
    uint64_t tick;
    uint64_t ordinal;
    uint32_t generation; /* of the recording it belongs to */
    uint32_t domain;     /* of the registry */
    uint32_t track;
    uint32_t reserved;
};

/* Any thread puts, the collector takes. Tickets go on rising over recordings. */
struct ludus_frame_ring {
    _Atomic uint64_t head; /* the next ticket */
    _Atomic uint64_t tail; /* the first ticket that the collector has not taken */
    bool has_stragglers;   /* a thread may still write into an entry that was given up */
    _Atomic uint64_t ordinals[LUDUS_MAX_DOMAINS];
    struct ludus_frame_entry entries[LUDUS_FRAME_RING_ENTRIES];
};

/* Makes `*ring` ready for a recording: numbers start at 0. Allocates it when it is NULL.
 * Errors: MEMORY. */
LUDUS_CHECKED enum ludus_status ludus_frame_ring_prepare(_Atomic(struct ludus_frame_ring *) *ring);

/* Numbers a mark and puts it in. False when there is no room, which leaves a hole in the numbers.
 * Never waits. */
bool ludus_frame_ring_put(struct ludus_frame_ring *ring, uint32_t generation, uint32_t domain,
                          uint32_t track);

/* Takes the oldest mark below ticket `limit`. False when there is none, when its thread has not
 * finished putting it in, or when it is later than `latest_tick`. */
bool ludus_frame_ring_take(struct ludus_frame_ring *ring, uint64_t limit, uint64_t latest_tick,
                           struct ludus_frame_entry *entry);

/* Gives up the oldest mark, whose thread does not finish putting it in. The collector. */
void ludus_frame_ring_skip(struct ludus_frame_ring *ring);

/* Gives up all marks. In a forked child, in which nobody is putting one in. */
void ludus_frame_ring_forget(struct ludus_frame_ring *ring);

/* Whether more than half of the room is used, which is when the collector should come early. */
bool ludus_frame_ring_is_short(struct ludus_frame_ring *ring);

/* Whether every mark that has a ticket has been put in. */
bool ludus_frame_ring_is_settled(struct ludus_frame_ring *ring);

/* The ticket behind the newest mark. */
uint64_t ludus_frame_ring_head(struct ludus_frame_ring *ring);

/* The ticket of the oldest mark that the collector has not taken. The collector. */
uint64_t ludus_frame_ring_tail(struct ludus_frame_ring *ring);

#endif
