/* The table of tracks as start, stop and the collector see it. */
#include <linux/membarrier.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recorder_clock.h"
#include "recorder_core.h"
#include "track.h"

#define EXTEND_WAIT_NS 100000000u

static uint32_t generation_of(struct ludus_track_table *table)
{
    return atomic_load_explicit(&table->generation, memory_order_relaxed);
}

/* Replaces the memory. The old one stays mapped for threads that still hold something of it. */
static void set_region(struct ludus_track_table *table, const struct ludus_region *region)
{
    table->region = *region;
    table->slots_seen = 0;
    table->free_slot = 0;
    for (uint32_t i = region->slot_count; i-- > 0;) {
        region->slots[i].next_free = table->free_slot;
        table->free_slot = i + 1;
    }
}

/* Empties the pool, if there is a region, and marks the chunks that slots hold. */
static void hold_chunks(struct ludus_track_table *table)
{
    if (table->region.pool != NULL)
        ludus_chunk_pool_empty(table->region.pool);
    for (uint32_t i = 0; i < table->slots_seen; i++) {
        struct ludus_track *track = &table->region.slots[i];
        const struct ludus_chunk *chunk = atomic_load_explicit(&track->chunk, memory_order_relaxed);
        if (track->is_owned && chunk != NULL)
            ludus_chunk_pool_hold(table->region.pool, chunk);
    }
}

void ludus_tracks_open(const struct ludus_region *region, uint32_t max_threads,
                       uint32_t chunk_count)
{
    struct ludus_track_table *table = &ludus_core.tracks;
    pthread_mutex_lock(&table->mutex);
    if (table->region.slots != region->slots)
        set_region(table, region);
    atomic_fetch_add_explicit(&table->generation, 1, memory_order_release);
    table->last_track = 0;
    table->live_threads = 0;
    table->ended_threads = 0;
    table->max_threads = max_threads;
    table->is_open = true;
    table->is_collected = true;
    atomic_store(&table->has_failed, false);
    atomic_store(&table->is_full, false);
    hold_chunks(table); /* again: threads may have ended since the last recording */
    ludus_chunk_pool_fill(region->pool, chunk_count);
    pthread_mutex_unlock(&table->mutex);
}

void ludus_tracks_close(bool has_failed)
{
    struct ludus_track_table *table = &ludus_core.tracks;
    pthread_mutex_lock(&table->mutex);
    table->is_open = false;
    if (has_failed)
        atomic_store(&table->has_failed, true);
    for (uint32_t i = 0; i < table->slots_seen; i++)
        atomic_store_explicit(&table->region.slots[i].token, 0, memory_order_relaxed);
    pthread_cond_broadcast(&table->freed);
    pthread_mutex_unlock(&table->mutex);
    /* Has every thread of the process pass a full barrier: what they wrote before is visible to the
     * collector's last pass, and the cleared tokens are visible to them. Without the call both are
     * only a matter of time. */
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

void ludus_track_free_slot(struct ludus_track_table *table, struct ludus_track *track)
{
    track->is_owned = false;
    track->next_free = table->free_slot;
    table->free_slot = (uint32_t)(track - table->region.slots) + 1;
    atomic_store_explicit(&track->chunk, NULL, memory_order_relaxed);
    atomic_store_explicit(&table->is_full, false, memory_order_relaxed);
    if (table->waiting_threads > 0)
        pthread_cond_signal(&table->freed);
}

/* Waits a moment for threads that are changing chunks. False: one is stuck there. */
static bool await_extending(struct ludus_track_table *table)
{
    const uint64_t deadline_ns = ludus_clock_monotonic_ns() + EXTEND_WAIT_NS;
    for (uint32_t i = 0; i < table->slots_seen; i++) {
        struct ludus_track *track = &table->region.slots[i];
        while (atomic_load_explicit(&track->is_extending, memory_order_acquire)) {
            if (ludus_clock_monotonic_ns() >= deadline_ns)
                return false;
            sched_yield();
        }
    }
    return true;
}

void ludus_tracks_settle(void)
{
    struct ludus_track_table *table = &ludus_core.tracks;
    pthread_mutex_lock(&table->mutex);
    table->is_collected = false;
    table->ended_threads = 0;
    for (uint32_t i = 0; i < table->slots_seen; i++) {
        struct ludus_track *track = &table->region.slots[i];
        if (track->is_owned && track->end_tick != 0)
            ludus_track_free_slot(table, track);
    }
    ludus_chunk_pool_empty(table->region.pool); /* from here on nobody gets a chunk */
    if (await_extending(table)) {
        hold_chunks(table);
    } else {
        static const struct ludus_region none;
        set_region(table, &none);
    }
    pthread_mutex_unlock(&table->mutex);
}

/* Prepares the collector's side of a track that it sees for the first time. */
static void begin_drain(struct ludus_track *track)
{
    struct ludus_track_drain *drain = &track->drain;
    drain->stream = (struct lcap_track_stream){
        .open = drain->open, .open_capacity = LUDUS_MAX_DEPTH, .track = track->track};
    drain->chunk = NULL;
    drain->position = NULL;
    memset(drain->readers, 0, sizeof drain->readers);
    memset(&drain->unwritten, 0, sizeof drain->unwritten);
    drain->clamped = 0;
    for (uint32_t i = 0; i < track->cell_count; i++) {
        track->cells[i].read_epoch = 0;
        track->cells[i].written_total = 0;
    }
    drain->track = track->track;
    drain->generation = track->generation;
    drain->kind = track->kind;
    drain->name_string = 0;
    drain->begin_tick = track->begin_tick;
    drain->is_begin_raw = true;
    drain->is_changed = true;
}

uint32_t ludus_tracks_scan(struct ludus_track **tracks)
{
    struct ludus_track_table *table = &ludus_core.tracks;
    uint32_t count = 0;
    pthread_mutex_lock(&table->mutex);
    const uint32_t generation = generation_of(table);
    for (uint32_t i = 0; i < table->slots_seen; i++) {
        struct ludus_track *track = &table->region.slots[i];
        struct ludus_track_drain *drain = &track->drain;
        if (!track->is_owned || track->generation != generation)
            continue;
        if (drain->track != track->track || drain->generation != generation)
            begin_drain(track);
        if (track->is_named) {
            memcpy(drain->name, track->name, sizeof drain->name);
            track->is_named = false;
            drain->is_renamed = true;
            drain->is_changed = true;
        }
        drain->os_id = track->os_id;
        drain->end_tick = track->end_tick;
        drain->is_changed = drain->is_changed || track->end_tick != 0;
        /* Pairs with the release of each event. */
        drain->limit = atomic_load_explicit(&track->cursor, memory_order_acquire);
        tracks[count++] = track;
    }
    pthread_mutex_unlock(&table->mutex);
    return count;
}

void ludus_track_release(struct ludus_track *track)
{
    struct ludus_track_table *table = &ludus_core.tracks;
    pthread_mutex_lock(&table->mutex);
    struct ludus_chunk *chunk = atomic_load_explicit(&track->chunk, memory_order_relaxed);
    if (chunk != NULL)
        ludus_chunk_pool_put(track->pool, chunk);
    table->live_threads--;
    table->ended_threads--;
    ludus_track_free_slot(table, track);
    pthread_mutex_unlock(&table->mutex);
}

void ludus_tracks_forget(void)
{
    struct ludus_track_table *table = &ludus_core.tracks;
    table->is_open = false;
    table->is_collected = false;
    table->waiting_threads = 0;
    (void)pthread_cond_init(&table->freed, NULL); /* others may have been waiting */
    atomic_store(&table->has_failed, false);
    for (uint32_t i = 0; i < table->slots_seen; i++) {
        struct ludus_track *track = &table->region.slots[i];
        atomic_store_explicit(&track->token, 0, memory_order_relaxed);
        atomic_store_explicit(&track->is_extending, false, memory_order_relaxed);
        if (track->is_owned)
            ludus_track_free_slot(table, track);
    }
    if (table->region.pool != NULL)
        ludus_chunk_pool_empty(table->region.pool);
    ludus_track_detach();
}
