/* The slow ways of emitting: a site or a thread that is new, no room, nothing being recorded. */
#include "emission.h"

#include "category_gates.h"
#include "recorder_clock.h"
#include "recorder_core.h"

uint32_t ludus_emission_site(struct ludus_site *site)
{
    const uint32_t id = ludus_site_id(site);
    if (id != 0)
        return id;
    const uint32_t fresh = ludus_registry_add_site(&ludus_core.registry, site);
    return ludus_emission_is_off(site) ? 0 : fresh;
}

bool ludus_emission_is_off(const struct ludus_site *site)
{
    return ludus_gate_is_open(LUDUS_GATE_RECORDING) && !ludus_site_is_admitted(site);
}

void ludus_emission_lose_trackless(enum lcap_loss_cause cause, enum ludus_sort sort)
{
    const struct ludus_loss loss = ludus_loss_of(sort, ludus_clock_ticks());
    ludus_report_loss(&ludus_core.reports, cause, &loss);
}

void ludus_emission_lose(struct ludus_track *track, enum ludus_track_loss why, enum ludus_sort sort)
{
    ludus_loss_cell_add(&track->losses[why], sort, ludus_clock_ticks());
}

static void report(enum lcap_diagnostic_code code, const char *text)
{
    ludus_report_diagnostic(&ludus_core.reports, code, 0, ludus_clock_ticks(), text);
}

static void report_late(enum ludus_attach attach)
{
    report(LCAP_DIAGNOSTIC_LATE_EVENTS,
           attach == LUDUS_ATTACH_LATE
               ? "emitted while the recording was being stopped"
               : "emitted by threads that had given up their tracks as they ended");
}

static bool belongs_to_recording(const struct ludus_track *track)
{
    return track->generation ==
           atomic_load_explicit(&ludus_core.tracks.generation, memory_order_relaxed);
}

static enum ludus_attach attach(const struct ludus_track *track)
{
    struct ludus_track_table *table = &ludus_core.tracks;
    if (track == &ludus_track_departed)
        return LUDUS_ATTACH_DEPARTED;
    if (atomic_load_explicit(&table->has_failed, memory_order_acquire))
        return LUDUS_ATTACH_FAILED;
    if (track == &ludus_track_none && atomic_load_explicit(&table->is_full, memory_order_relaxed))
        return LUDUS_ATTACH_FULL;
    return ludus_track_attach();
}

/* Attaches the thread when need be, and tells of what came too late. */
static enum ludus_attach ensure_attached(const struct ludus_track *track)
{
    if (ludus_token_of(track) != 0)
        return LUDUS_ATTACH_OK;
    const enum ludus_attach result = attach(track);
    if (result == LUDUS_ATTACH_LATE || result == LUDUS_ATTACH_DEPARTED)
        report_late(result);
    return result;
}

struct ludus_track *ludus_emission_track(struct ludus_track *track, enum ludus_sort sort)
{
    const enum ludus_attach result = ensure_attached(track);
    if (result == LUDUS_ATTACH_OK)
        return ludus_this_track;
    if (result == LUDUS_ATTACH_FULL)
        ludus_emission_lose_trackless(LCAP_LOSS_TOO_MANY_THREADS, sort);
    else if (result == LUDUS_ATTACH_FAILED && track->generation != 0 && belongs_to_recording(track))
        ludus_emission_lose(track, LUDUS_TRACK_LOSS_WRITE, sort);
    else if (result == LUDUS_ATTACH_FAILED)
        ludus_emission_lose_trackless(LCAP_LOSS_WRITE_FAILED, sort);
    return NULL;
}

struct ludus_track *ludus_emission_counting_track(struct ludus_track *track)
{
    const enum ludus_attach result = ensure_attached(track);
    if (result == LUDUS_ATTACH_OK)
        return ludus_this_track;
    if (result == LUDUS_ATTACH_FULL)
        report(LCAP_DIAGNOSTIC_COUNTS_LOST, "calls of counters by threads beyond max_threads");
    else if (result == LUDUS_ATTACH_FAILED)
        report(LCAP_DIAGNOSTIC_COUNTS_LOST,
               "calls of counters after the capture could not be written");
    return NULL;
}

struct ludus_track *ludus_emission_room(struct ludus_track *track, enum ludus_sort sort,
                                        int64_t places)
{
    track = ludus_emission_track(track, sort);
    if (track != NULL && track->room < places && !ludus_track_extend(track)) {
        ludus_emission_lose(track, LUDUS_TRACK_LOSS_BUFFERS, sort);
        return NULL;
    }
    return track;
}
