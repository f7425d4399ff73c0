/* The hot path: what the macros call while a recording admits events.
 *
 * A Begin takes one branch here: room in the chunk, depth, a registered site and a token that is
 * not 0 are folded into the sign of one number. Whatever is not the usual case is sorted out behind
 * that branch.
 *
 * Reading CLOCK_MONOTONIC is a call, for which a function saves registers on every way through it.
 * It is therefore made in functions of its own, so that the counter's way needs none. */
#include <stdio.h>

#include <ludus/profile.h>

#include "category_gates.h"
#include "emission.h"
#include "recorder_clock.h"
#include "recorder_core.h"

/* Writes a Begin, for which there is room; returns the scope's token. The clock is read last. */
static inline uint64_t open_scope(struct ludus_track *track, uint64_t token, uint32_t id,
                                  bool by_counter)
{
    const uint64_t opened = token | (uint64_t)track->depth << LUDUS_TOKEN_DEPTH_SHIFT;
    track->room -= 2;
    track->depth++;
    ludus_track_prepare(track, id, LCAP_EVENT_BEGIN);
    ludus_track_write_tick(track, by_counter ? ludus_clock_counter() : ludus_clock_monotonic_ns());
    return opened;
}

__attribute__((noinline)) static uint64_t open_monotonic(struct ludus_track *track, uint64_t token,
                                                         uint32_t id)
{
    return open_scope(track, token, id, false);
}

/* Not inlined, so that the usual way needs no registers for this one. */
__attribute__((noinline, cold)) static uint64_t open_slowly(struct ludus_track *track,
                                                            struct ludus_site *site)
{
    const uint32_t id = ludus_emission_site(site);
    track = id != 0 ? ludus_emission_track(track, LUDUS_SORT_SCOPE) : NULL;
    if (track == NULL)
        return 0;
    if (track->depth >= LUDUS_MAX_DEPTH) {
        ludus_emission_lose(track, LUDUS_TRACK_LOSS_DEPTH, LUDUS_SORT_SCOPE);
        return 0;
    }
    track = ludus_emission_room(track, LUDUS_SORT_SCOPE, 2);
    return track != NULL ? open_scope(track, ludus_token_of(track), id, ludus_clock_uses_counter())
                         : 0;
}

uint64_t ludus_scope_open(struct ludus_site *site)
{
    struct ludus_track *track = ludus_this_track;
    const uint64_t token = ludus_token_of(track);
    const uint32_t id = ludus_site_id(site);
    /* A Begin takes the place of its End, too, so that a recorded scope always has room to end. */
    const int64_t spare = (track->room - 2) | (LUDUS_MAX_DEPTH - 1 - track->depth) |
                          ((int64_t)id - 1) | ((int64_t)token - 1);
    if (LUDUS_UNLIKELY(spare < 0))
        return open_slowly(track, site);
    if (!ludus_clock_uses_counter())
        return open_monotonic(track, token, id);
    return open_scope(track, token, id, true);
}

/* Ends a scope of this track inside which others were left open: ended on another thread, jumped
 * over by longjmp, or begun and ended out of order. They end with it, or every later End would
 * close the scope before its own. */
static void close_with_inner(struct ludus_track *track, uint64_t token, uint64_t tick)
{
    const int64_t depth = ludus_token_depth(token);
    if (depth >= track->depth)
        return; /* it has ended, with a scope around it or by its copy */
    ludus_report_diagnostic(&ludus_core.reports, LCAP_DIAGNOSTIC_LEFT_OPEN,
                            ludus_token_track(token), tick,
                            "scopes that were not ended, or in another order than they began");
    for (; track->depth > depth; track->depth--)
        ludus_track_write(track, tick, 0, LCAP_EVENT_END);
}

static void report_wrong_thread(uint64_t token, uint64_t tick)
{
    char owner[LUDUS_TRACK_TEXT];
    char own[LUDUS_TRACK_TEXT];
    char text[LUDUS_DIAGNOSTIC_TEXT];
    ludus_track_describe(ludus_token_track(token), owner);
    ludus_track_describe_own(own);
    snprintf(text, sizeof text, "a scope begun by %.110s was ended by %.110s", owner, own);
    ludus_report_diagnostic(&ludus_core.reports, LCAP_DIAGNOSTIC_WRONG_THREAD,
                            ludus_token_track(token), tick, text);
}

/* An End that is not that of this track's innermost scope. One that is late, or of an earlier
 * recording, does nothing. */
__attribute__((noinline, cold)) static void close_slowly(struct ludus_track *track, uint64_t token,
                                                         uint64_t tick)
{
    struct ludus_track_table *table = &ludus_core.tracks;
    const uint32_t generation = atomic_load_explicit(&table->generation, memory_order_acquire);
    if (!ludus_gate_is_open(0) || !ludus_token_is_of(token, generation) ||
        atomic_load_explicit(&table->has_failed, memory_order_relaxed) ||
        track == &ludus_track_departed)
        return;
    if ((token & ~LUDUS_TOKEN_DEPTH_MASK) == ludus_token_of(track))
        close_with_inner(track, token, tick);
    else
        report_wrong_thread(token, tick);
}

static inline void close_scope(uint64_t token, uint64_t tick)
{
    struct ludus_track *track = ludus_this_track;
    const uint64_t innermost = (uint64_t)(track->depth - 1) << LUDUS_TOKEN_DEPTH_SHIFT;
    if (LUDUS_UNLIKELY(token != (ludus_token_of(track) ^ innermost))) {
        close_slowly(track, token, tick);
        return;
    }
    track->depth--;
    ludus_track_write(track, tick, 0, LCAP_EVENT_END);
}

__attribute__((noinline)) static void close_monotonic(uint64_t token)
{
    close_scope(token, ludus_clock_monotonic_ns());
}

/* The clock is read first. */
void ludus_scope_close(uint64_t token)
{
    if (ludus_clock_uses_counter())
        close_scope(token, ludus_clock_counter());
    else
        close_monotonic(token);
}

__attribute__((noinline, cold)) static void instant_slowly(struct ludus_track *track,
                                                           struct ludus_site *site)
{
    const uint32_t id = ludus_emission_site(site);
    track = id != 0 ? ludus_emission_room(track, LUDUS_SORT_INSTANT, 1) : NULL;
    if (track == NULL)
        return;
    track->room--;
    ludus_track_write(track, ludus_clock_ticks(), id, LCAP_EVENT_INSTANT);
}

void ludus_instant_emit(struct ludus_site *site)
{
    struct ludus_track *track = ludus_this_track;
    const uint32_t id = ludus_site_id(site);
    const int64_t spare =
        (track->room - 1) | ((int64_t)id - 1) | ((int64_t)ludus_token_of(track) - 1);
    if (LUDUS_UNLIKELY(spare < 0)) {
        instant_slowly(track, site);
        return;
    }
    track->room--;
    ludus_track_write(track, ludus_clock_ticks(), id, LCAP_EVENT_INSTANT);
}

void ludus_frame_emit(struct ludus_domain *domain)
{
    struct ludus_track_table *table = &ludus_core.tracks;
    const uint32_t generation = atomic_load_explicit(&table->generation, memory_order_acquire);
    uint32_t id = __atomic_load_n(&domain->id, __ATOMIC_ACQUIRE);
    if (id == 0)
        id = ludus_registry_add_domain(&ludus_core.registry, domain);
    if (atomic_load_explicit(&table->has_failed, memory_order_relaxed)) {
        ludus_emission_lose_trackless(LCAP_LOSS_WRITE_FAILED, LUDUS_SORT_FRAME);
        return;
    }
    struct ludus_frame_ring *ring = atomic_load_explicit(&ludus_core.frames, memory_order_acquire);
    const uint64_t token = ludus_token_of(ludus_this_track);
    const uint32_t track = ludus_token_is_of(token, generation) ? ludus_token_track(token) : 0;
    if (id == LUDUS_REFUSED_DOMAIN || !ludus_frame_ring_put(ring, generation, id, track))
        ludus_emission_lose_trackless(LCAP_LOSS_FRAME_MARKS_FULL, LUDUS_SORT_FRAME);
    /* The release orders the mark's tick, which has been read, before what is counted from now on.
     */
    atomic_fetch_add_explicit(&ludus_core.epoch, 1, memory_order_release);
    if (ludus_frame_ring_is_short(ring))
        ludus_collector_wake(&ludus_core.collector);
}
