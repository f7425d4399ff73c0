/* The ring is as that of frame marks (frame_ring.c): a place is reserved by its ticket, filled and
 * published; the collector takes them in the order of their tickets. */
#include "gpu_table.h"

#include <string.h>

#include "string_table.h"

static struct ludus_gpu_entry *entry_of(struct ludus_gpu_table *table, uint64_t ticket)
{
    return &table->entries[ticket % LUDUS_GPU_RING_ENTRIES];
}

/* --- recordings ------------------------------------------------------------------------------ */

enum ludus_status ludus_gpu_table_prepare(_Atomic(struct ludus_gpu_table *) *table)
{
    struct ludus_gpu_table *old = atomic_load(table);
    if (old == NULL || old->has_stragglers || !ludus_gpu_table_is_settled(old)) {
        struct ludus_gpu_table *fresh = ludus_allocate_touched(sizeof *fresh);
        if (fresh == NULL)
            return LUDUS_ERROR_MEMORY;
        atomic_store(table, fresh);
        return LUDUS_OK;
    }
    atomic_store(&old->tail, atomic_load(&old->head));
    atomic_store(&old->queue_count, 0);
    atomic_store(&old->queues_refused, 0);
    old->refused_told = 0;
    memset(old->queues, 0, sizeof old->queues);
    old->queues_defined = old->frame_count = old->pass_count = old->calibration_count = 0;
    return LUDUS_OK;
}

void ludus_gpu_table_open(struct ludus_gpu_table *table, uint64_t admission)
{
    atomic_store(&table->admission, admission);
}

void ludus_gpu_table_close(struct ludus_gpu_table *table)
{
    if (table != NULL)
        atomic_store(&table->admission, 0);
}

void ludus_gpu_table_forget(struct ludus_gpu_table *table)
{
    ludus_gpu_table_close(table);
    atomic_store(&table->writers, 0);
    atomic_store(&table->tail, atomic_load(&table->head));
    table->has_stragglers = false;
    table->frame_count = table->pass_count = table->calibration_count = 0;
}

/* --- writers --------------------------------------------------------------------------------- */

/* Sequentially consistent with the close and the look for writers: who is not seen there sees that
 * it is closed. */
bool ludus_gpu_table_enter(struct ludus_gpu_table *table, uint64_t admission)
{
    if (table == NULL || admission == 0)
        return false;
    atomic_fetch_add(&table->writers, 1);
    if (atomic_load(&table->admission) == admission)
        return true;
    ludus_gpu_table_leave(table);
    return false;
}

void ludus_gpu_table_leave(struct ludus_gpu_table *table)
{
    atomic_fetch_sub(&table->writers, 1);
}

struct ludus_gpu_queue *ludus_gpu_table_queue(struct ludus_gpu_table *table, uint32_t queue)
{
    const uint32_t count = atomic_load_explicit(&table->queue_count, memory_order_acquire);
    return queue - 1 < count ? &table->queues[queue - 1] : NULL;
}

struct ludus_gpu_entry *ludus_gpu_table_reserve(struct ludus_gpu_table *table, uint64_t *ticket)
{
    uint64_t next = atomic_load_explicit(&table->head, memory_order_relaxed);
    do {
        /* The acquire pairs with the collector's release: it has read the entry that is reused. */
        const uint64_t tail = atomic_load_explicit(&table->tail, memory_order_acquire);
        if (next - tail >= LUDUS_GPU_RING_ENTRIES && next >= tail)
            return NULL;
    } while (!atomic_compare_exchange_weak_explicit(&table->head, &next, next + 1,
                                                    memory_order_relaxed, memory_order_relaxed));
    *ticket = next;
    return entry_of(table, next);
}

void ludus_gpu_table_publish(struct ludus_gpu_entry *entry, uint64_t ticket)
{
    atomic_store_explicit(&entry->published, ticket + 1, memory_order_release);
}

bool ludus_gpu_table_is_short(struct ludus_gpu_table *table)
{
    const uint64_t tail = atomic_load_explicit(&table->tail, memory_order_relaxed);
    return atomic_load_explicit(&table->head, memory_order_relaxed) - tail >
           LUDUS_GPU_RING_ENTRIES / 2;
}

/* --- the collector --------------------------------------------------------------------------- */

bool ludus_gpu_table_is_settled(struct ludus_gpu_table *table)
{
    return atomic_load(&table->writers) == 0;
}

struct ludus_gpu_entry *ludus_gpu_table_first(struct ludus_gpu_table *table, uint64_t limit,
                                              bool is_last)
{
    for (;;) {
        const uint64_t ticket = atomic_load_explicit(&table->tail, memory_order_relaxed);
        if (ticket >= limit)
            return NULL;
        struct ludus_gpu_entry *entry = entry_of(table, ticket);
        if (atomic_load_explicit(&entry->published, memory_order_acquire) == ticket + 1)
            return entry;
        if (!is_last)
            return NULL;
        table->has_stragglers = true;
        ludus_gpu_table_drop(table);
    }
}

void ludus_gpu_table_drop(struct ludus_gpu_table *table)
{
    const uint64_t ticket = atomic_load_explicit(&table->tail, memory_order_relaxed);
    atomic_store_explicit(&table->tail, ticket + 1, memory_order_release);
}

uint64_t ludus_gpu_table_full(struct ludus_gpu_table *table, enum ludus_gpu_subject subject)
{
    const uint32_t count = table != NULL ? atomic_load(&table->queue_count) : 0;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += atomic_load(&table->queues[i].counts[subject][LUDUS_GPU_QUEUE_FULL]);
    return sum;
}

uint64_t ludus_gpu_table_kept(struct ludus_gpu_table *table, enum ludus_gpu_subject subject)
{
    uint64_t sum = subject == LUDUS_GPU_FRAME ? table->frame_count : table->pass_count;
    const uint64_t head = atomic_load(&table->head);
    for (uint64_t ticket = atomic_load(&table->tail); ticket < head; ticket++) {
        const struct ludus_gpu_entry *entry = entry_of(table, ticket);
        sum += atomic_load_explicit(&entry->published, memory_order_acquire) == ticket + 1 &&
               entry->subject == (uint32_t)subject;
    }
    return sum;
}
