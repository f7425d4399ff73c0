/* Counters, gauges and flows: the events that have a value. */
#include <string.h>

#include <ludus/profile.h>

#include "emission.h"
#include "recorder_clock.h"
#include "recorder_core.h"

#define FLOWS_PER_BLOCK 65536u

/* Writes the event, for which there is room. */
static void write_value(struct ludus_track *track, uint64_t tick, uint32_t site, uint32_t kind,
                        struct ludus_event_value value)
{
    track->room -= 2;
    ludus_track_write_value(track, tick, site, kind, value);
}

/* --- counters -------------------------------------------------------------------------------- */

/* There is no room to tell a total in its frame: the next event that tells it will seem to tell of
 * the frame before. Once for each epoch, as every call comes by here meanwhile. */
static void report_late_total(struct ludus_track *track, uint32_t epoch)
{
    if (track->late_epoch == epoch)
        return;
    track->late_epoch = epoch;
    ludus_report_diagnostic(&ludus_core.reports, LCAP_DIAGNOSTIC_COUNTS_LATE,
                            ludus_token_track(ludus_token_of(track)), ludus_clock_ticks(),
                            "buffers (memory_bytes) were full as a frame began: what was counted "
                            "in it may be told of an earlier one");
}

/* Tells what was counted up to here, as another frame or another pass has begun. Without room for
 * that, it is told later. */
static void tell_total(struct ludus_track *track, const struct ludus_counter *counter,
                       struct ludus_counter_cell *cell, uint32_t epoch)
{
    if (track->room < 2 && !ludus_track_extend(track)) {
        report_late_total(track, epoch);
        return;
    }
    const struct ludus_event_value value = {
        .value = (uint64_t)atomic_load_explicit(&cell->total, memory_order_relaxed),
        .cell = counter->cell,
        .epoch = epoch};
    /* What follows counts from this tick on: it must not be read before the epoch was, or it could
     * lie before the mark that has raised that. */
    write_value(track, ludus_clock_ticks_ordered(), counter->site.id, LCAP_EVENT_COUNT, value);
    atomic_store_explicit(&cell->told_epoch, epoch, memory_order_release);
}

static void add_to_cell(struct ludus_track *track, const struct ludus_counter *counter,
                        struct ludus_counter_cell *cell, int64_t amount)
{
    /* Pairs with the release of a frame mark, whose tick was read before. */
    const uint32_t epoch = atomic_load_explicit(&ludus_core.epoch, memory_order_acquire);
    if (LUDUS_UNLIKELY(epoch != atomic_load_explicit(&cell->told_epoch, memory_order_relaxed)))
        tell_total(track, counter, cell, epoch);
    const uint64_t total = (uint64_t)atomic_load_explicit(&cell->total, memory_order_relaxed);
    atomic_store_explicit(&cell->total, (int64_t)(total + (uint64_t)amount), memory_order_release);
}

/* A counter without a cell tells each of its increments, and when there is no room for one, nobody
 * is left to tell it. */
static void add_without_cell(struct ludus_track *track, uint32_t site, int64_t amount)
{
    if (track->room < 2 && !ludus_track_extend(track)) {
        ludus_report_diagnostic(&ludus_core.reports, LCAP_DIAGNOSTIC_COUNTS_LOST,
                                ludus_token_track(ludus_token_of(track)), ludus_clock_ticks(),
                                "increments of counters beyond max_counters");
        return;
    }
    write_value(track, ludus_clock_ticks_ordered(), site, LCAP_EVENT_COUNT,
                (struct ludus_event_value){.value = (uint64_t)amount});
}

__attribute__((noinline, cold)) static void
add_slowly(struct ludus_track *track, struct ludus_counter *counter, int64_t amount)
{
    uint32_t site = ludus_site_id(&counter->site);
    if (__atomic_load_n(&counter->cell, __ATOMIC_ACQUIRE) == 0) {
        site = ludus_registry_add_counter(&ludus_core.registry, counter);
        if (ludus_emission_is_off(&counter->site))
            return;
    }
    track = ludus_emission_counting_track(track);
    if (track == NULL)
        return;
    if (counter->cell <= track->cell_count)
        add_to_cell(track, counter, &track->cells[counter->cell - 1], amount);
    else
        add_without_cell(track, site, amount);
}

void ludus_counter_add(struct ludus_counter *counter, int64_t amount)
{
    struct ludus_track *track = ludus_this_track;
    const uint32_t index = __atomic_load_n(&counter->cell, __ATOMIC_ACQUIRE) - 1;
    if (LUDUS_UNLIKELY(index >= track->cell_count || ludus_token_of(track) == 0)) {
        add_slowly(track, counter, amount);
        return;
    }
    add_to_cell(track, counter, &track->cells[index], amount);
}

/* --- gauges and flows ------------------------------------------------------------------------ */

void ludus_gauge_emit(struct ludus_site *site, double value)
{
    const uint32_t id = ludus_emission_site(site);
    struct ludus_event_value bits = {0};
    if (id == 0)
        return;
    struct ludus_track *track = ludus_emission_room(ludus_this_track, LUDUS_SORT_GAUGE, 2);
    if (track == NULL)
        return;
    memcpy(&bits.value, &value, sizeof bits.value);
    write_value(track, ludus_clock_ticks(), id, LCAP_EVENT_GAUGE, bits);
}

/* Ids come in blocks, so that threads seldom meet; 0 is none. */
static uint64_t next_flow(struct ludus_track *track)
{
    if (track->next_flow == track->behind_flows) {
        const uint64_t block =
            atomic_fetch_add_explicit(&ludus_core.flow_blocks, 1, memory_order_relaxed);
        track->next_flow = block * FLOWS_PER_BLOCK + (block == 0);
        track->behind_flows = (block + 1) * FLOWS_PER_BLOCK;
    }
    return track->next_flow++;
}

/* Both ends read the clock in order with what is around them, so that what arrives does so after it
 * left. */
static void write_flow(struct ludus_track *track, uint32_t site, uint32_t kind, uint64_t flow)
{
    write_value(track, ludus_clock_ticks_ordered(), site, kind,
                (struct ludus_event_value){.value = flow});
}

uint64_t ludus_flow_out_emit(struct ludus_site *site)
{
    const uint32_t id = ludus_emission_site(site);
    if (id == 0)
        return 0;
    struct ludus_track *track = ludus_emission_room(ludus_this_track, LUDUS_SORT_FLOW, 2);
    if (track == NULL)
        return 0;
    const uint64_t flow = next_flow(track);
    write_flow(track, id, LCAP_EVENT_FLOW_OUT, flow);
    return flow;
}

void ludus_flow_in_emit(uint64_t flow)
{
    struct ludus_track *track = ludus_emission_room(ludus_this_track, LUDUS_SORT_FLOW, 2);
    if (track != NULL)
        write_flow(track, 0, LCAP_EVENT_FLOW_IN, flow);
}
