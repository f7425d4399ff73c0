/* Writes what is beside the events: frame marks, losses, diagnostics. */
#include <string.h>

#include "collector_pass.h"
#include "recorder_clock.h"
#include "recorder_core.h"

#define LOSS_WAIT_NS 50000000u

/* The track, if its definition is in the window whenever this pass is; else 0. A thread that ends
 * between two steps of a pass may leave a mark or a report to the next one. */
static uint32_t defined_track(const struct ludus_collector *collector, uint32_t track)
{
    if (!collector->hitch.is_on)
        return track;
    for (uint32_t i = 0; i < collector->track_count; i++) {
        if (collector->tracks[i]->drain.track == track)
            return track;
    }
    return 0;
}

bool ludus_put_diagnostic(struct ludus_collector *collector, enum lcap_diagnostic_code code,
                          uint32_t track, uint64_t tick, uint64_t count, const char *text)
{
    struct ludus_capture_writer *writer = &collector->writer;
    if (!ludus_can_put(collector))
        return false;
    struct lcap_bytes block = {0};
    const struct lcap_diagnostic diagnostic = {.tick = tick,
                                               .count = count,
                                               .text = {(const uint8_t *)text, strlen(text)},
                                               .code = code,
                                               .track = defined_track(collector, track)};
    ludus_hitch_reach(&collector->hitch, tick);
    const enum ludus_status status =
        lcap_encode_diagnostic(writer->encoder, collector->clock.clock, &diagnostic, &block);
    ludus_put_block(collector, status, block, NULL);
    return true;
}

static void put_domain(struct ludus_collector *collector, uint32_t domain)
{
    struct lcap_bytes block = {0};
    const struct lcap_domain record = {.domain = collector->domain_ids[domain - 1],
                                       .name = ludus_core.registry.domains[domain - 1].name};
    if (!ludus_can_put(collector))
        return;
    const enum ludus_status status =
        lcap_encode_domains(collector->writer.encoder, &record, 1, &block);
    ludus_put_definition(collector, status, block);
}

void ludus_define_domains(struct ludus_collector *collector)
{
    for (uint32_t id = 1; id <= collector->domain_count; id++) { /* the default one first */
        for (uint32_t domain = 1; domain <= LUDUS_MAX_DOMAINS; domain++) {
            if (collector->domain_ids[domain - 1] == id)
                put_domain(collector, domain);
        }
    }
}

/* The domain's id in this capture. Domains are numbered in the order of their first marks, so that
 * the first one marked is the default. */
static uint32_t domain_in_file(struct ludus_collector *collector, uint32_t domain)
{
    uint32_t *id = &collector->domain_ids[domain - 1];
    if (*id == 0 && ludus_can_put(collector)) {
        *id = ++collector->domain_count;
        put_domain(collector, domain);
    }
    return *id;
}

static void lose_frames(struct ludus_collector *collector, const struct lcap_frame_mark *marks,
                        uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct ludus_loss loss = ludus_loss_of(LUDUS_SORT_FRAME, marks[i].tick);
        ludus_loss_merge(&collector->unwritten, &loss);
        ludus_loss_merge(&collector->dropped, &loss);
    }
}

static void put_frames(struct ludus_collector *collector, uint32_t count)
{
    struct ludus_capture_writer *writer = &collector->writer;
    struct lcap_frame_mark *marks = collector->batch.marks;
    if (count == 0)
        return;
    if (!ludus_can_put(collector)) {
        lose_frames(collector, marks, count);
        return;
    }
    struct lcap_bytes block = {0};
    const struct ludus_tally tally = {.counts.frames = count};
    const enum ludus_status status =
        lcap_encode_frames(writer->encoder, collector->clock.clock, marks, count, &block);
    ludus_put_block(collector, status, block, &tally);
}

/* With a window, marks that were stamped behind the pass's tick stay for the next one, as all that
 * a pass makes must be from before its tick. The counter's ticks are lowered to that anyway. */
static uint64_t latest_mark(const struct ludus_collector *collector)
{
    return collector->hitch.is_on && !ludus_clock_is_counter ? collector->hitch.pass_tick
                                                             : UINT64_MAX;
}

static bool take_frame(struct ludus_collector *collector, uint64_t limit, bool is_last,
                       struct ludus_frame_entry *entry)
{
    if (!ludus_can_put(collector))
        return false; /* they stay where they are */
    struct ludus_frame_ring *ring = atomic_load(&ludus_core.frames);
    while (
        !ludus_frame_ring_take(ring, limit, is_last ? UINT64_MAX : latest_mark(collector), entry)) {
        if (!is_last || ludus_frame_ring_tail(ring) >= limit)
            return false;
        ludus_frame_ring_skip(ring);
        const struct lcap_frame_mark lost = {.tick = ludus_clock_ticks() + collector->watch.added};
        lose_frames(collector, &lost, 1);
    }
    return true;
}

void ludus_drain_frames(struct ludus_collector *collector, uint64_t limit, bool is_last)
{
    const uint32_t generation = atomic_load(&ludus_core.tracks.generation);
    struct ludus_frame_entry entry;
    uint32_t count = 0;
    while (take_frame(collector, limit, is_last, &entry)) {
        if (entry.generation != generation)
            continue; /* of a thread that was held up since an earlier recording */
        const uint64_t tick =
            ludus_clock_round(&collector->clock, ludus_watch_tick(&collector->watch, entry.tick));
        collector->batch.marks[count++] =
            (struct lcap_frame_mark){.ordinal = entry.ordinal,
                                     .tick = tick,
                                     .domain = domain_in_file(collector, entry.domain),
                                     .track = defined_track(collector, entry.track)};
        ludus_hitch_see_mark(collector, entry.domain, entry.ordinal, tick);
        if (count == LUDUS_BATCH) {
            put_frames(collector, count);
            count = 0;
        }
    }
    put_frames(collector, count);
}

/* Keeps the batch's losses, which could not be written, for when the writer resumes. */
static void keep_losses(struct ludus_collector *collector, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct lcap_loss *unwritten = &collector->batch.losses[i];
        const struct ludus_loss loss = {unwritten->counts, unwritten->first_tick,
                                        unwritten->last_tick};
        ludus_loss_merge(&collector->unwritten, &loss);
    }
}

static void put_losses(struct ludus_collector *collector)
{
    struct ludus_capture_writer *writer = &collector->writer;
    const uint32_t count = collector->batch_count;
    collector->batch_count = 0;
    if (count == 0)
        return;
    if (!ludus_can_put(collector)) {
        keep_losses(collector, count);
        return;
    }
    struct lcap_bytes block = {0};
    struct ludus_tally tally = {0};
    for (uint32_t i = 0; i < count; i++)
        lcap_counts_add(&tally.dropped, &collector->batch.losses[i].counts);
    const enum ludus_status status = lcap_encode_losses(writer->encoder, collector->clock.clock,
                                                        collector->batch.losses, count, &block);
    ludus_put_block(collector, status, block, &tally);
}

static void add_loss(struct ludus_collector *collector, uint32_t track, enum lcap_loss_cause cause,
                     const struct ludus_loss *loss)
{
    if (ludus_loss_is_none(loss))
        return;
    collector->batch.losses[collector->batch_count++] = (struct lcap_loss){
        .counts = loss->counts,
        .first_tick = loss->first_tick,
        .last_tick = loss->last_tick,
        .track = track,
        .cause = cause,
    };
    if (collector->batch_count == LUDUS_BATCH)
        put_losses(collector);
}

static void read_track_losses(struct ludus_track *track, bool reads_all, uint64_t deadline_ns)
{
    struct ludus_track_drain *drain = &track->drain;
    for (int i = 0; i < LUDUS_TRACK_LOSSES; i++) {
        struct ludus_loss_cell *cell = &track->losses[i];
        struct ludus_loss *lost = &drain->lost[i];
        const bool is_more =
            reads_all ? ludus_loss_cell_read_all(cell, &drain->readers[i], deadline_ns, lost)
                      : ludus_loss_cell_read(cell, &drain->readers[i], lost);
        if (!is_more)
            *lost = (struct ludus_loss){0};
    }
}

/* A capture of a hitch may end with any pass. */
void ludus_read_losses(struct ludus_collector *collector, bool is_last)
{
    const uint64_t deadline_ns = is_last ? ludus_clock_monotonic_ns() + LOSS_WAIT_NS : 0;
    for (uint32_t i = 0; i < collector->track_count; i++)
        read_track_losses(collector->tracks[i], is_last || collector->hitch.is_on, deadline_ns);
}

static void drain_track_losses(struct ludus_collector *collector, struct ludus_track *track)
{
    static const enum lcap_loss_cause causes[LUDUS_TRACK_LOSSES] = {
        LCAP_LOSS_BUFFERS_FULL, LCAP_LOSS_TOO_DEEP, LCAP_LOSS_WRITE_FAILED};
    struct ludus_track_drain *drain = &track->drain;
    for (int i = 0; i < LUDUS_TRACK_LOSSES; i++) {
        if (ludus_loss_is_none(&drain->lost[i]))
            continue;
        const struct ludus_loss loss = ludus_watch_loss(&collector->watch, &drain->lost[i]);
        ludus_loss_merge(&collector->dropped, &loss);
        if (collector->writer.has_failed)
            ludus_loss_merge(&drain->unwritten, &loss);
        else
            add_loss(collector, drain->track, causes[i], &loss);
    }
    if (!collector->writer.has_failed) {
        add_loss(collector, drain->track, LCAP_LOSS_WRITE_FAILED, &drain->unwritten);
        drain->unwritten = (struct ludus_loss){0};
    } else if (drain->end_tick != 0) {
        ludus_loss_merge(&collector->unwritten, &drain->unwritten);
        drain->unwritten = (struct ludus_loss){0};
    }
}

void ludus_drain_losses(struct ludus_collector *collector)
{
    collector->batch_count = 0;
    for (uint32_t i = 0; i < collector->track_count; i++)
        drain_track_losses(collector, collector->tracks[i]);
    for (int cause = 1; cause < (int)LUDUS_LOSS_CAUSES; cause++) {
        struct ludus_loss *loss = &collector->reports.losses[cause];
        if (ludus_loss_is_none(loss))
            continue;
        *loss = ludus_watch_loss(&collector->watch, loss);
        ludus_loss_merge(&collector->dropped, loss);
        if (collector->writer.has_failed)
            ludus_loss_merge(&collector->unwritten, loss);
        else
            add_loss(collector, 0, (enum lcap_loss_cause)cause, loss);
        *loss = (struct ludus_loss){0};
    }
    if (!collector->writer.has_failed) {
        add_loss(collector, 0, LCAP_LOSS_WRITE_FAILED, &collector->unwritten);
        collector->unwritten = (struct ludus_loss){0};
    }
    put_losses(collector);
}

/* Ticks in reports are raw. */
static void fire_triggers(struct ludus_collector *collector)
{
    struct ludus_reports *reports = &collector->reports;
    for (uint32_t i = 0; i < reports->trigger_count; i++) {
        struct ludus_trigger trigger = reports->triggers[i];
        trigger.tick = ludus_watch_tick(&collector->watch, trigger.tick);
        ludus_hitch_fire(collector, &trigger);
    }
    collector->hitch.missed += reports->triggers_missed;
    reports->trigger_count = 0;
    reports->triggers_missed = 0;
}

void ludus_put_reports(struct ludus_collector *collector)
{
    const struct ludus_reports *reports = &collector->reports;
    for (; collector->reports_told < reports->diagnostic_count; collector->reports_told++) {
        const struct ludus_diagnostic *diagnostic = &reports->diagnostics[collector->reports_told];
        if (!ludus_can_put(collector))
            return;
        ludus_put_diagnostic(collector, (enum lcap_diagnostic_code)diagnostic->code,
                             diagnostic->track,
                             ludus_watch_tick(&collector->watch, diagnostic->tick),
                             diagnostic->count, diagnostic->text);
    }
    fire_triggers(collector);
}
