/* A ring of frame marks: any thread reserves an entry by its ticket, fills it and publishes it; the
 * collector takes entries in the order of their tickets. */
#include "frame_ring.h"

#include "recorder_clock.h"
#include "string_table.h"

static struct ludus_frame_entry *entry_of(struct ludus_frame_ring *ring, uint64_t ticket)
{
    return &ring->entries[ticket % LUDUS_FRAME_RING_ENTRIES];
}

enum ludus_status ludus_frame_ring_prepare(_Atomic(struct ludus_frame_ring *) *ring)
{
    struct ludus_frame_ring *old = atomic_load(ring);
    /* An entry that was reserved and never published belongs to a thread that may still wake up and
     * write it. Such a ring is left to that thread for good. */
    if (old == NULL || old->has_stragglers) {
        struct ludus_frame_ring *fresh = ludus_allocate_touched(sizeof *fresh);
        if (fresh == NULL)
            return LUDUS_ERROR_MEMORY;
        atomic_store(ring, fresh);
        return LUDUS_OK;
    }
    for (uint32_t i = 0; i < LUDUS_MAX_DOMAINS; i++)
        atomic_store_explicit(&old->ordinals[i], 0, memory_order_relaxed);
    return LUDUS_OK;
}

bool ludus_frame_ring_put(struct ludus_frame_ring *ring, uint32_t generation, uint32_t domain,
                          uint32_t track)
{
    const uint64_t ordinal =
        atomic_fetch_add_explicit(&ring->ordinals[domain - 1], 1, memory_order_relaxed);
    uint64_t ticket = atomic_load_explicit(&ring->head, memory_order_relaxed);
    do {
        /* The acquire pairs with the collector's release: it has read the entry that is reused. */
        const uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
        if (ticket - tail >= LUDUS_FRAME_RING_ENTRIES && ticket >= tail)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&ring->head, &ticket, ticket + 1,
                                                    memory_order_relaxed, memory_order_relaxed));
    struct ludus_frame_entry *entry = entry_of(ring, ticket);
    entry->tick = ludus_clock_ticks();
    entry->ordinal = ordinal;
    entry->generation = generation;
    entry->domain = domain;
    entry->track = track;
    atomic_store_explicit(&entry->published, ticket + 1, memory_order_release);
    return true;
}

bool ludus_frame_ring_take(struct ludus_frame_ring *ring, uint64_t limit, uint64_t latest_tick,
                           struct ludus_frame_entry *entry)
{
    const uint64_t ticket = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    if (ticket >= limit)
        return false;
    struct ludus_frame_entry *source = entry_of(ring, ticket);
    if (atomic_load_explicit(&source->published, memory_order_acquire) != ticket + 1 ||
        source->tick > latest_tick)
        return false;
    entry->tick = source->tick;
    entry->ordinal = source->ordinal;
    entry->generation = source->generation;
    entry->domain = source->domain;
    entry->track = source->track;
    atomic_store_explicit(&ring->tail, ticket + 1, memory_order_release);
    return true;
}

uint64_t ludus_frame_ring_head(struct ludus_frame_ring *ring)
{
    return atomic_load_explicit(&ring->head, memory_order_acquire);
}

bool ludus_frame_ring_is_short(struct ludus_frame_ring *ring)
{
    const uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    return atomic_load_explicit(&ring->head, memory_order_relaxed) - tail >
           LUDUS_FRAME_RING_ENTRIES / 2;
}

bool ludus_frame_ring_is_settled(struct ludus_frame_ring *ring)
{
    const uint64_t head = ludus_frame_ring_head(ring);
    for (uint64_t ticket = atomic_load_explicit(&ring->tail, memory_order_relaxed); ticket < head;
         ticket++) {
        if (atomic_load_explicit(&entry_of(ring, ticket)->published, memory_order_acquire) !=
            ticket + 1)
            return false;
    }
    return true;
}

void ludus_frame_ring_skip(struct ludus_frame_ring *ring)
{
    const uint64_t ticket = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    ring->has_stragglers = true;
    atomic_store_explicit(&ring->tail, ticket + 1, memory_order_release);
}

uint64_t ludus_frame_ring_tail(struct ludus_frame_ring *ring)
{
    return atomic_load_explicit(&ring->tail, memory_order_relaxed);
}

void ludus_frame_ring_forget(struct ludus_frame_ring *ring)
{
    atomic_store(&ring->tail, atomic_load(&ring->head));
    ring->has_stragglers = false;
}
