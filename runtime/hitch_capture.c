/* Keeps the window, decides when a hitch is captured, and hands its blocks over to the file. */
#include "hitch_capture.h"

#include <stdlib.h>
#include <string.h>

#include "collector_pass.h"
#include "recorder_clock.h"
#include "recorder_core.h"

#define SAVE_BYTES      (256u * 1024u)
#define LONGEST_AFTER   10u /* times that triggers in a row may put the end of a capture off */
#define TICKS_UNBOUNDED UINT64_MAX

void ludus_hitch_release(struct ludus_hitch *hitch)
{
    free(hitch->memory);
    *hitch = (struct ludus_hitch){0};
}

void ludus_hitch_forget(struct ludus_hitch *hitch)
{
    ludus_sink_abandon(&hitch->file.sink);
    hitch->is_open = false;
}

void ludus_hitch_begin(struct ludus_hitch *hitch, uint64_t tick)
{
    ludus_block_window_start(&hitch->window, hitch->memory->window, hitch->window_bytes, tick);
    hitch->pass_tick = tick;
    hitch->latest_tick = tick;
}

/* CLOCK_MONOTONIC itself may be faulty and step back; passes do not. */
void ludus_hitch_begin_pass(struct ludus_hitch *hitch, uint64_t begin_tick, uint64_t pass_tick)
{
    hitch->begin_tick = begin_tick;
    ludus_hitch_reach(hitch, pass_tick);
    hitch->pass_tick = hitch->latest_tick;
}

void ludus_hitch_reach(struct ludus_hitch *hitch, uint64_t tick)
{
    if (tick > hitch->latest_tick)
        hitch->latest_tick = tick;
}

/* --- the window ------------------------------------------------------------------------------ */

void ludus_hitch_put(struct ludus_hitch *hitch, struct lcap_bytes block,
                     const struct ludus_tally *tally)
{
    static const struct ludus_tally nothing;
    if (hitch->is_defining) {
        if (hitch->is_open)
            ludus_writer_put(&hitch->file, LUDUS_OK, block, tally);
        return;
    }
    if (ludus_block_window_fits(&hitch->window, block.size))
        ludus_block_window_add(&hitch->window, block.data, block.size, hitch->latest_tick,
                               tally == NULL ? &nothing : tally);
    else /* whoever puts a block has made room; should one not, nothing is hidden */
        hitch->window.from_tick = hitch->latest_tick + 1;
}

static bool is_definition(enum lcap_block_kind kind)
{
    return kind == LCAP_KIND_strings || kind == LCAP_KIND_tracks;
}

/* Writes the block at `saved` into the capture. */
static void save_next(struct ludus_hitch *hitch, struct ludus_kept_block *kept)
{
    uint8_t *bytes = ludus_kept_bytes(kept);
    if (hitch->saved >= hitch->defined || !is_definition(lcap_chain_kind(bytes)))
        ludus_writer_put_kept(&hitch->file, bytes, kept->size, &kept->tally);
    hitch->saved += kept->room;
}

/* The next block that the open capture is to have; NULL: it has them all, so far. */
static struct ludus_kept_block *next_to_save(struct ludus_hitch *hitch)
{
    if (!hitch->is_open)
        return NULL;
    struct ludus_kept_block *kept = ludus_block_window_at(&hitch->window, &hitch->saved);
    return hitch->is_ending && hitch->saved >= hitch->end_position ? NULL : kept;
}

void ludus_hitch_make_room(struct ludus_hitch *hitch)
{
    while (hitch->window.tail != hitch->window.head &&
           !ludus_block_window_fits(&hitch->window, hitch->block_bytes)) {
        struct ludus_kept_block *kept = next_to_save(hitch);
        if (kept != NULL && hitch->saved == hitch->window.tail)
            save_next(hitch, kept);
        ludus_block_window_drop(&hitch->window);
    }
}

bool ludus_hitch_has_backlog(const struct ludus_hitch *hitch)
{
    return hitch->is_open && (hitch->is_ending || hitch->saved < hitch->window.head);
}

/* Writes blocks of about so many bytes, and closes the file when it has its last one. */
static void save(struct ludus_collector *collector, size_t bytes)
{
    struct ludus_hitch *hitch = &collector->hitch;
    struct ludus_kept_block *kept;
    size_t done = 0;
    while (done < bytes && !hitch->file.has_failed && (kept = next_to_save(hitch)) != NULL) {
        save_next(hitch, kept);
        done += kept->size;
    }
    const bool is_whole = hitch->is_ending && next_to_save(hitch) == NULL;
    if (hitch->is_open && (hitch->file.has_failed || is_whole))
        ludus_hitch_close(collector);
}

void ludus_hitch_save_some(struct ludus_collector *collector)
{
    save(collector, SAVE_BYTES);
}

/* --- triggers -------------------------------------------------------------------------------- */

static uint64_t ticks_of_ns(const struct ludus_collector *collector, uint64_t ns)
{
    return ludus_clock_is_counter ? (uint64_t)((double)ns * collector->watch.ticks_per_ns) : ns;
}

static uint64_t ticks_of_ms(const struct ludus_collector *collector, uint64_t ms)
{
    return ticks_of_ns(collector, ms * 1000000u);
}

static uint64_t later_by(uint64_t tick, uint64_t ticks)
{
    return ticks > TICKS_UNBOUNDED - tick ? TICKS_UNBOUNDED : tick + ticks;
}

/* Puts the end of the open capture behind the trigger. */
static void extend(struct ludus_collector *collector, const struct ludus_trigger *trigger)
{
    struct ludus_hitch *hitch = &collector->hitch;
    const uint64_t end = later_by(trigger->tick, ticks_of_ms(collector, hitch->after_ms));
    if (end > hitch->end_tick)
        hitch->end_tick = end < hitch->last_end_tick ? end : hitch->last_end_tick;
}

void ludus_hitch_fire(struct ludus_collector *collector, const struct ludus_trigger *trigger)
{
    struct ludus_hitch *hitch = &collector->hitch;
    if (!hitch->is_on) {
        ludus_hitch_put_trigger(collector, trigger);
    } else if (hitch->is_open && !hitch->is_ending) {
        ludus_hitch_put_trigger(collector, trigger);
        extend(collector, trigger);
    } else if (hitch->pending_count < LUDUS_MAX_TRIGGERS &&
               hitch->files + hitch->is_open < hitch->max_captures) {
        hitch->pending[hitch->pending_count++] = *trigger;
    } else {
        hitch->missed++;
    }
}

static bool is_watched(struct ludus_hitch *hitch, uint32_t domain)
{
    if (hitch->domain == 0) {
        const struct ludus_site_registry *registry = &ludus_core.registry;
        uint32_t size;
        const char *name =
            ludus_string_table_get(&registry->strings, registry->domains[domain - 1].name, &size);
        if (hitch->domain_name[0] == '\0' ||
            (size == strlen(hitch->domain_name) && memcmp(name, hitch->domain_name, size) == 0))
            hitch->domain = domain;
    }
    return hitch->domain == domain;
}

void ludus_hitch_see_mark(struct ludus_collector *collector, uint32_t domain, uint64_t ordinal,
                          uint64_t tick)
{
    struct ludus_hitch *hitch = &collector->hitch;
    if (!hitch->is_on || hitch->frame_limit_us == 0 || !is_watched(hitch, domain))
        return;
    const uint64_t limit = ticks_of_ns(collector, (uint64_t)hitch->frame_limit_us * 1000u);
    /* Next to each other: a mark that is missing between two makes no long frame of them. */
    if (hitch->has_mark && ordinal == hitch->mark_ordinal + 1 && tick > hitch->mark_tick &&
        tick - hitch->mark_tick > limit) {
        const struct ludus_trigger trigger = {.tick = tick,
                                              .ordinal = hitch->mark_ordinal,
                                              .duration_ticks = tick - hitch->mark_tick,
                                              .limit_ticks = limit,
                                              .cause = LCAP_TRIGGER_FRAME,
                                              .domain = collector->domain_ids[domain - 1]};
        ludus_hitch_fire(collector, &trigger);
    }
    hitch->has_mark = true;
    hitch->mark_ordinal = ordinal;
    hitch->mark_tick = tick;
}

/* --- captures -------------------------------------------------------------------------------- */

/* When the first of what the pending triggers are about began. */
static uint64_t earliest_begin(const struct ludus_hitch *hitch)
{
    uint64_t earliest = UINT64_MAX;
    for (uint32_t i = 0; i < hitch->pending_count; i++) {
        const struct ludus_trigger *trigger = &hitch->pending[i];
        const uint64_t begin = trigger->tick - trigger->duration_ticks;
        earliest = begin < earliest ? begin : earliest;
    }
    return earliest;
}

/* Leaves out what happened longer before the triggers than is asked for, and what is left of a pass
 * of which the window has dropped a part: the part may have defined the tracks of the rest. Returns
 * the tick from which on nothing is left out. */
static uint64_t choose_begin(struct ludus_collector *collector)
{
    struct ludus_hitch *hitch = &collector->hitch;
    const uint64_t begin = earliest_begin(hitch);
    const uint64_t before = ticks_of_ms(collector, hitch->before_ms);
    const uint64_t wanted = begin > before ? begin - before : 0;
    uint64_t from_tick = hitch->window.from_tick;
    const struct ludus_kept_block *kept;
    hitch->saved = hitch->window.tail;
    while ((kept = ludus_block_window_at(&hitch->window, &hitch->saved)) != NULL &&
           (kept->latest_tick < wanted || kept->latest_tick < from_tick)) {
        from_tick = kept->latest_tick < from_tick ? from_tick : kept->latest_tick + 1;
        hitch->saved += kept->room;
    }
    return from_tick;
}

/* Definitions in the window go in front of all else: a track that has ended is in no table any
 * more. */
static void save_definitions(struct ludus_hitch *hitch)
{
    struct ludus_kept_block *kept;
    uint64_t position = hitch->saved;
    while ((kept = ludus_block_window_at(&hitch->window, &position)) != NULL) {
        uint8_t *bytes = ludus_kept_bytes(kept);
        if (is_definition(lcap_chain_kind(bytes)))
            ludus_writer_put_kept(&hitch->file, bytes, kept->size, &kept->tally);
        position += kept->room;
    }
    hitch->defined = hitch->window.head;
}

static void put_window(struct ludus_collector *collector, uint64_t from_tick)
{
    struct lcap_bytes block = {0};
    const struct lcap_window window = {.from_tick = from_tick, .clock = collector->clock.clock};
    const enum ludus_status status = lcap_encode_window(collector->writer.encoder, &window, &block);
    ludus_put_definition(collector, status, block);
}

/* Begins the capture that the pending triggers ask for. Room is made first: the definitions, which
 * do not take it, then drop nothing, and so save nothing that would stand in front of them. */
static void begin_capture(struct ludus_collector *collector)
{
    struct ludus_hitch *hitch = &collector->hitch;
    ludus_hitch_make_room(hitch);
    const uint64_t from_tick = choose_begin(collector);
    ludus_hitch_open(collector);
    if (hitch->is_open) {
        save_definitions(hitch);
        put_window(collector, from_tick);
        hitch->end_tick = 0;
        hitch->last_end_tick = later_by(hitch->pending[0].tick,
                                        LONGEST_AFTER * ticks_of_ms(collector, hitch->after_ms));
        for (uint32_t i = 0; i < hitch->pending_count; i++)
            ludus_hitch_fire(collector, &hitch->pending[i]);
    }
    hitch->pending_count = 0;
}

/* Looks whether the open capture ends with this pass. */
static void see_end(struct ludus_hitch *hitch, bool is_last)
{
    const bool is_over = hitch->begin_tick >= hitch->end_tick;
    if (!hitch->is_open || hitch->is_ending || !(is_over || is_last))
        return;
    hitch->is_ending = true;
    hitch->end_position = hitch->window.head;
    hitch->stop_tick = hitch->begin_tick;
    hitch->end_reason = is_over ? LCAP_END_WINDOW_OVER : LCAP_END_STOPPED;
}

void ludus_hitch_end_pass(struct ludus_collector *collector, bool is_last)
{
    struct ludus_hitch *hitch = &collector->hitch;
    if (!hitch->is_on)
        return;
    const size_t most_bytes = is_last ? SIZE_MAX : SAVE_BYTES;
    see_end(hitch, is_last);
    save(collector, most_bytes);
    if (hitch->pending_count == 0 || hitch->is_open)
        return;
    begin_capture(collector);
    see_end(hitch, is_last);
    save(collector, most_bytes);
}
