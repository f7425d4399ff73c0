/* Gives threads their slots, keeps track of which thread owns which, and lets the collector see
 * them. Everything here is off the hot path and, but for ludus_track_extend, under the table's
 * lock. */
#include "track.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fiber.h"
#include "recorder_clock.h"
#include "recorder_core.h"
#include "site_label.h"

struct ludus_track ludus_track_none;
struct ludus_track ludus_track_departed;

_Thread_local struct ludus_track *ludus_this_track = &ludus_track_none;

/* The name given by ludus_thread_set_name, and how often this thread's end was told so far. */
static _Thread_local char given_name[LUDUS_THREAD_NAME_BYTES];
static _Thread_local uint32_t exit_rounds;

static pthread_key_t exit_key;

static bool is_in_region(const struct ludus_track_table *table, const struct ludus_track *track)
{
    const uintptr_t first = (uintptr_t)table->region.slots;
    const uintptr_t behind = first + table->region.slot_count * sizeof *table->region.slots;
    return (uintptr_t)track >= first && (uintptr_t)track < behind;
}

static struct ludus_track *take_slot(struct ludus_track_table *table)
{
    if (table->free_slot == 0)
        return NULL;
    struct ludus_track *track = &table->region.slots[table->free_slot - 1];
    if (ludus_this_fiber == NULL && pthread_setspecific(exit_key, track) != 0)
        return NULL;
    if (table->slots_seen < table->free_slot)
        table->slots_seen = table->free_slot;
    table->free_slot = track->next_free;
    track->is_owned = true;
    atomic_store_explicit(&track->chunk, NULL, memory_order_relaxed);
    if (ludus_this_fiber == NULL)
        exit_rounds = 0;
    return track;
}

/* Starts the track of the calling thread afresh. It keeps the chunk that it holds. */
static void begin_track(struct ludus_track_table *table, struct ludus_track *track)
{
    const uint32_t generation = atomic_load_explicit(&table->generation, memory_order_relaxed);
    struct ludus_chunk *chunk = atomic_load_explicit(&track->chunk, memory_order_relaxed);
    if (chunk == NULL)
        chunk = ludus_chunk_pool_take(track->pool);
    if (chunk != NULL) {
        atomic_store_explicit(&chunk->next, NULL, memory_order_relaxed);
        chunk->count = 0;
    }
    track->room = chunk != NULL ? LUDUS_CHUNK_EVENTS : 0;
    track->depth = 0;
    for (int i = 0; i < LUDUS_TRACK_LOSSES; i++)
        ludus_loss_cell_reset(&track->losses[i]);
    for (uint32_t i = 0; i < track->cell_count; i++) {
        atomic_store_explicit(&track->cells[i].total, 0, memory_order_relaxed);
        atomic_store_explicit(&track->cells[i].told_epoch, 0, memory_order_relaxed);
    }
    track->late_epoch = 0;
    const bool is_fiber = ludus_this_fiber != NULL;
    track->kind = is_fiber ? LCAP_TRACK_FIBER : LCAP_TRACK_THREAD;
    track->os_id = is_fiber ? 0 : (uint64_t)syscall(SYS_gettid);
    track->begin_tick = ludus_clock_ticks();
    track->end_tick = 0;
    track->generation = generation;
    track->track = ++table->last_track;
    if (is_fiber)
        memcpy(track->name, ludus_this_fiber->name, LUDUS_THREAD_NAME_BYTES);
    else
        ludus_track_own_name(track->name);
    track->is_named = true;
    atomic_store_explicit(&track->chunk, chunk, memory_order_relaxed);
    atomic_store_explicit(&track->head, chunk, memory_order_relaxed);
    atomic_store_explicit(&track->cursor, chunk != NULL ? chunk->events : NULL,
                          memory_order_release);
    atomic_store_explicit(&track->token, ludus_token_make(generation, track->track),
                          memory_order_relaxed);
    table->live_threads++;
    ludus_this_track = track;
}

/* Whether a thread would find no slot, or no chunk for it, though threads have ended that hold one
 * of each. */
static bool is_worth_waiting(const struct ludus_track_table *table, const struct ludus_track *track)
{
    const bool has_slot = is_in_region(table, track);
    const bool has_chunk =
        has_slot && atomic_load_explicit(&track->chunk, memory_order_relaxed) != NULL;
    if (!table->is_open || table->ended_threads == 0)
        return false;
    return table->live_threads >= table->max_threads || (!has_slot && table->free_slot == 0) ||
           (!has_chunk && ludus_chunk_pool_is_empty(table->region.pool));
}

/* Threads that follow each other faster than the collector makes its passes would otherwise find no
 * room, although there are never many at a time. The lock is held, and given up meanwhile. */
static void wait_for_ended(struct ludus_track_table *table, const struct ludus_track *track)
{
    const struct timespec deadline = ludus_clock_after_ms(LUDUS_ATTACH_WAIT_MS);
    int result = 0;
    int cancel_state;
    /* An emitting call is no place where a thread is cancelled, least of all with the lock. */
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
    table->waiting_threads++;
    while (result == 0 && is_worth_waiting(table, track)) {
        ludus_collector_wake(&ludus_core.collector);
        result = pthread_cond_clockwait(&table->freed, &table->mutex, CLOCK_MONOTONIC, &deadline);
    }
    table->waiting_threads--;
    (void)pthread_setcancelstate(cancel_state, NULL);
}

enum ludus_attach ludus_track_attach(void)
{
    struct ludus_track_table *table = &ludus_core.tracks;
    enum ludus_attach result = LUDUS_ATTACH_OK;
    if (!atomic_load_explicit(&table->admits_events, memory_order_relaxed))
        return LUDUS_ATTACH_OFF;
    pthread_mutex_lock(&table->mutex);
    struct ludus_track *track = ludus_this_track;
    if (is_worth_waiting(table, track))
        wait_for_ended(table, track);
    if (!table->is_open) {
        result = atomic_load(&table->has_failed) ? LUDUS_ATTACH_FAILED : LUDUS_ATTACH_LATE;
    } else if (table->live_threads >= table->max_threads) {
        result = LUDUS_ATTACH_FULL;
    } else {
        if (!is_in_region(table, track))
            track = take_slot(table);
        if (track != NULL)
            begin_track(table, track);
        else
            result = LUDUS_ATTACH_FULL;
    }
    if (result == LUDUS_ATTACH_FULL)
        atomic_store_explicit(&table->is_full, true, memory_order_relaxed);
    pthread_mutex_unlock(&table->mutex);
    return result;
}

/* Makes `fresh` the chunk that the track writes into. */
static void link_chunk(struct ludus_track *track, struct ludus_chunk *fresh)
{
    struct ludus_chunk *full = atomic_load_explicit(&track->chunk, memory_order_relaxed);
    /* The link is published before the cursor leaves the chunk: a collector that sees the cursor
     * elsewhere finds the way. */
    if (full != NULL) {
        struct lcap_event *cursor = atomic_load_explicit(&track->cursor, memory_order_relaxed);
        full->count = (uint32_t)(cursor - full->events);
        atomic_store_explicit(&full->next, fresh, memory_order_release);
    } else {
        atomic_store_explicit(&track->head, fresh, memory_order_release);
    }
    atomic_store_explicit(&track->chunk, fresh, memory_order_relaxed);
    track->room = (int64_t)LUDUS_CHUNK_EVENTS - track->depth;
    atomic_store_explicit(&track->cursor, fresh->events, memory_order_release);
}

bool ludus_track_extend(struct ludus_track *track)
{
    /* A stop that finds the flag set does not know which chunk is this thread's. The exchange in
     * the pool orders the flag before the taking; the release orders `chunk` before the clearing.
     */
    atomic_store_explicit(&track->is_extending, true, memory_order_relaxed);
    struct ludus_chunk *fresh = ludus_chunk_pool_take(track->pool);
    if (fresh != NULL)
        link_chunk(track, fresh);
    atomic_store_explicit(&track->is_extending, false, memory_order_release);
    if (fresh == NULL || ludus_chunk_pool_is_short(track->pool))
        ludus_collector_wake(&ludus_core.collector);
    return fresh != NULL;
}

void ludus_track_own_name(char name[LUDUS_THREAD_NAME_BYTES])
{
    memcpy(name, given_name, LUDUS_THREAD_NAME_BYTES);
    if (name[0] == '\0' && pthread_getname_np(pthread_self(), name, LUDUS_THREAD_NAME_BYTES) != 0)
        name[0] = '\0';
}

void ludus_thread_set_name(const char *name)
{
    struct ludus_track_table *table = &ludus_core.tracks;
    if (name == NULL)
        name = "";
    const size_t size =
        ludus_label_cut(name, strnlen(name, LUDUS_THREAD_NAME_BYTES), LUDUS_THREAD_NAME_BYTES - 1);
    memcpy(given_name, name, size);
    given_name[size] = '\0';
    pthread_mutex_lock(&table->mutex);
    struct ludus_track *track = ludus_this_fiber != NULL ? ludus_own_track : ludus_this_track;
    if (is_in_region(table, track)) {
        ludus_track_own_name(track->name);
        track->is_named = true;
    }
    pthread_mutex_unlock(&table->mutex);
}

void ludus_track_describe(uint32_t track, char text[LUDUS_TRACK_TEXT])
{
    struct ludus_track_table *table = &ludus_core.tracks;
    snprintf(text, LUDUS_TRACK_TEXT, "thread \"track %u\"", (unsigned)track);
    pthread_mutex_lock(&table->mutex);
    const uint32_t generation = atomic_load_explicit(&table->generation, memory_order_relaxed);
    for (uint32_t i = 0; i < table->slots_seen; i++) {
        const struct ludus_track *slot = &table->region.slots[i];
        if (slot->is_owned && slot->generation == generation && slot->track == track)
            snprintf(text, LUDUS_TRACK_TEXT, "%s \"%.63s\"",
                     slot->kind == LCAP_TRACK_FIBER ? "fiber" : "thread", slot->name);
    }
    pthread_mutex_unlock(&table->mutex);
}

void ludus_track_describe_own(char text[LUDUS_TRACK_TEXT])
{
    char name[LUDUS_THREAD_NAME_BYTES];
    ludus_track_own_name(name);
    if (ludus_this_fiber != NULL)
        snprintf(text, LUDUS_TRACK_TEXT, "fiber \"%.63s\" on thread \"%.63s\"",
                 ludus_this_fiber->name, name);
    else
        snprintf(text, LUDUS_TRACK_TEXT, "thread \"%.63s\"", name);
}

void ludus_track_slot_name(const struct ludus_track *track, char name[LUDUS_THREAD_NAME_BYTES])
{
    struct ludus_track_table *table = &ludus_core.tracks;
    snprintf(name, LUDUS_THREAD_NAME_BYTES, "?");
    pthread_mutex_lock(&table->mutex);
    if (is_in_region(table, track) && track->is_owned)
        memcpy(name, track->name, LUDUS_THREAD_NAME_BYTES);
    pthread_mutex_unlock(&table->mutex);
}

/* Takes the slot back from a thread that has ended. The lock is held. */
static void end_track(struct ludus_track_table *table, struct ludus_track *track)
{
    atomic_store_explicit(&track->token, 0, memory_order_relaxed);
    const uint32_t generation = atomic_load_explicit(&table->generation, memory_order_relaxed);
    if (table->is_collected && track->generation == generation) {
        track->end_tick = ludus_clock_ticks(); /* the collector frees it, once it has read all */
        table->ended_threads++;
        if (table->live_threads > table->max_threads / 2)
            ludus_collector_wake(&ludus_core.collector);
        return;
    }
    struct ludus_chunk *chunk = atomic_load_explicit(&track->chunk, memory_order_relaxed);
    if (table->is_collected && chunk != NULL)
        ludus_chunk_pool_put(track->pool, chunk);
    ludus_track_free_slot(table, track);
}

/* Runs when a thread that owns a slot ends. Other destructors may still emit; as they run in
 * rounds, waiting for the next one lets those of this round be recorded. */
static void thread_ends(void *slot)
{
    struct ludus_track_table *table = &ludus_core.tracks;
    if (exit_rounds++ == 0 && pthread_setspecific(exit_key, slot) == 0)
        return;
    ludus_fiber_leave();
    pthread_mutex_lock(&table->mutex);
    ludus_this_track = &ludus_track_departed;
    if (is_in_region(table, slot))
        end_track(table, slot);
    pthread_mutex_unlock(&table->mutex);
}

void ludus_track_end(struct ludus_track *track)
{
    struct ludus_track_table *table = &ludus_core.tracks;
    pthread_mutex_lock(&table->mutex);
    if (is_in_region(table, track))
        end_track(table, track);
    pthread_mutex_unlock(&table->mutex);
}

void ludus_track_watch_exit(void)
{
    if (pthread_getspecific(exit_key) == NULL)
        (void)pthread_setspecific(exit_key, &ludus_track_none);
}

void ludus_track_detach(void)
{
    ludus_this_track = &ludus_track_none;
    ludus_own_track = &ludus_track_none;
    pthread_setspecific(exit_key, NULL);
}

bool ludus_tracks_init(void)
{
    /* Nobody writes to these; without a look at them, a thread's first event meets a page fault. */
    (void)atomic_load_explicit(&ludus_track_none.token, memory_order_relaxed);
    (void)atomic_load_explicit(&ludus_track_departed.token, memory_order_relaxed);
    return pthread_key_create(&exit_key, thread_ends) == 0;
}
