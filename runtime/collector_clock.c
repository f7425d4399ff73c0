/* Keeps the counter and CLOCK_MONOTONIC together: calibrations at bounded intervals, and another
 * clock behind a jump. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "collector_pass.h"
#include "recorder_clock.h"
#include "recorder_core.h"

#define INTERVAL_NS      1000000000
#define LONG_NS          50000000 /* what a rate is learnt from, and compared over */
#define MAX_RESIDUAL_PPM 50.0
#define MIN_JUMP_NS      1000000.0
#define MISFITS_TOLD     3u /* in a row: there is no rate to rely on */

/* --- what is written ------------------------------------------------------------------------- */

static void put_calibrations(struct ludus_collector *collector,
                             const struct lcap_calibration *calibrations, size_t count)
{
    struct lcap_bytes block = {0};
    if (!ludus_can_put(collector)) {
        collector->watch.has_unwritten = true;
        return;
    }
    if (collector->hitch.is_on) {
        for (size_t i = 0; i < count; i++)
            ludus_clock_history_calibrate(&collector->hitch.memory->clocks, &calibrations[i]);
    }
    const enum ludus_status status = lcap_encode_calibrations(
        collector->writer.encoder, collector->clock.clock, calibrations, count, &block);
    ludus_put_block(collector, status, block, NULL);
}

/* Writes one that was taken after the last one in the file; time rises from one to the next. */
static void put_checked(struct ludus_collector *collector, const struct lcap_calibration *fresh)
{
    struct ludus_clock_watch *watch = &collector->watch;
    if (fresh->tick <= watch->written.tick || fresh->ns <= watch->written.ns)
        return;
    put_calibrations(collector, fresh, 1);
    watch->previous = watch->written;
    watch->has_previous = true;
    watch->written = *fresh;
}

static void define_clock(struct ludus_collector *collector, const struct lcap_clock *clock,
                         const char *reason)
{
    struct lcap_bytes block = {0};
    if (!ludus_can_put(collector))
        return;
    const enum ludus_status status =
        lcap_encode_clock(collector->writer.encoder, clock,
                          (struct lcap_bytes){(const uint8_t *)reason, strlen(reason)}, &block);
    ludus_put_definition(collector, status, block);
}

static void put_clock(struct ludus_collector *collector, const char *reason)
{
    if (collector->hitch.is_on)
        ludus_clock_history_add(&collector->hitch.memory->clocks, &collector->clock, reason);
    define_clock(collector, &collector->clock, reason);
}

void ludus_clock_tell(struct ludus_collector *collector)
{
    const struct ludus_clock_history *history = &collector->hitch.memory->clocks;
    for (uint32_t i = 0; i < history->count; i++) {
        const struct ludus_past_clock *past = &history->clocks[i];
        struct lcap_bytes block = {0};
        define_clock(collector, &past->clock, past->reason);
        if (past->calibration_count == 0 || !ludus_can_put(collector))
            continue;
        const enum ludus_status status =
            lcap_encode_calibrations(collector->writer.encoder, past->clock.clock,
                                     past->calibrations, past->calibration_count, &block);
        ludus_put_definition(collector, status, block);
    }
}

/* Tells threads the moment of the last check. `drift` is how far the two may come apart in a
 * nanosecond. */
static void tie_threads(const struct ludus_clock_watch *watch, double drift)
{
    const struct ludus_clock_moment moment = {.raw = watch->checked_raw,
                                              .ns = watch->checked.ns,
                                              .ticks_per_ns = watch->ticks_per_ns,
                                              .uncertainty_ns = watch->checked.uncertainty_ns,
                                              .drift = drift};
    ludus_clock_tie_set(&ludus_core.tie, &moment);
}

void ludus_clock_begin(struct ludus_collector *collector)
{
    struct ludus_clock_watch *watch = &collector->watch;
    *watch = (struct ludus_clock_watch){.latest_tick = UINT64_MAX};
    put_clock(collector, collector->chosen.reason);
    if (!ludus_clock_is_counter)
        return;
    watch->checked = ludus_clock_calibrate();
    watch->checked_raw = watch->checked.tick;
    watch->latest_tick = watch->checked.tick;
    watch->ticks_per_ns = (double)collector->clock.ticks_per_second / 1e9;
    watch->written = watch->checked;
    put_calibrations(collector, &watch->checked, 1);
    tie_threads(watch, MAX_RESIDUAL_PPM / 1e6);
}

/* Ties the clock in use by the last two calibrations. */
static void tie_clock(struct ludus_collector *collector)
{
    const struct ludus_clock_watch *watch = &collector->watch;
    const struct lcap_calibration two[] = {watch->previous, watch->written};
    if (watch->has_previous)
        put_calibrations(collector, two, 2);
    else
        put_calibrations(collector, &two[1], 1);
}

/* Goes on with the clock under another id. */
static void change_clock(struct ludus_collector *collector, const char *reason)
{
    const struct ludus_clock_watch *watch = &collector->watch;
    collector->clock.clock++;
    if (watch->has_long_rate)
        collector->clock.ticks_per_second = (uint64_t)(watch->ticks_per_ns * 1e9 + 0.5);
    put_clock(collector, reason);
    if (!ludus_clock_is_counter)
        return;
    collector->hitch.is_defining = true; /* wherever the clock is, the tie is, too */
    tie_clock(collector);
    collector->hitch.is_defining = false;
}

/* --- jumps ----------------------------------------------------------------------------------- */

/* Which raw ticks are from before a jump that was found at `raw`: those on the other side of the
 * middle, for the jump is longer than the time since the check before. */
static void divide_raw_ticks(struct ludus_clock_watch *watch, uint64_t raw)
{
    const bool is_forward = raw > watch->checked_raw;
    const uint64_t low = is_forward ? watch->checked_raw : raw;
    const uint64_t middle = low + ((raw ^ watch->checked_raw ^ low) - low) / 2;
    watch->before_first = is_forward ? 0 : middle;
    watch->before_count = is_forward ? middle : UINT64_MAX - middle;
}

/* The counter was `off_ticks` ahead of where it had to be, a whole number of the clock's steps:
 * from now on so many less are added to it. */
static void follow_jump(struct ludus_collector *collector, uint64_t raw, int64_t off_ticks,
                        struct lcap_calibration *fresh)
{
    struct ludus_clock_watch *watch = &collector->watch;
    const double off_s = (double)off_ticks / watch->ticks_per_ns / 1e9;
    char text[LUDUS_DIAGNOSTIC_TEXT];
    put_checked(collector, &watch->checked);
    divide_raw_ticks(watch, raw);
    watch->added_before = watch->added;
    watch->added -= (uint64_t)off_ticks;
    fresh->tick -= (uint64_t)off_ticks;
    watch->previous = watch->checked;
    watch->has_previous = watch->checked.tick < fresh->tick;
    watch->written = *fresh;
    snprintf(text, sizeof text,
             "the counter jumped %s by %.6f s against CLOCK_MONOTONIC within %.0f ms; its ticks go "
             "on where they were",
             off_s > 0 ? "ahead" : "back", fabs(off_s),
             (double)(fresh->ns - watch->checked.ns) / 1e6);
    watch->latest_tick = fresh->tick;
    /* While nothing can be written, and behind many jumps, the clock keeps its id. */
    if (collector->clock.clock < LUDUS_MAX_JUMPED_CLOCKS && ludus_can_put(collector))
        change_clock(collector, text);
    else if (watch->has_previous)
        put_calibrations(collector, fresh, 1);
    ludus_put_diagnostic(collector, LCAP_DIAGNOSTIC_CLOCK_JUMPED, 0, fresh->tick, 1, text);
}

static void tell_misfit(struct ludus_collector *collector, const struct lcap_calibration *fresh,
                        double off_ns)
{
    struct ludus_clock_watch *watch = &collector->watch;
    char text[LUDUS_DIAGNOSTIC_TEXT];
    watch->misfits++;
    if (watch->misfits > MISFITS_TOLD)
        return;
    snprintf(text, sizeof text,
             "the counter and CLOCK_MONOTONIC came apart by %.1f us within %.0f ms: times in "
             "between are uncertain by that much%s",
             off_ns / 1e3, (double)(fresh->ns - watch->checked.ns) / 1e6,
             watch->misfits == MISFITS_TOLD
                 ? "; so it was the last times, too: the counter keeps no rate, record with "
                   "LUDUS_CLOCK=monotonic"
                 : "");
    ludus_put_diagnostic(collector, LCAP_DIAGNOSTIC_CLOCK_JUMPED, 0, fresh->tick, 1, text);
}

/* --- the check ------------------------------------------------------------------------------- */

/* Where the two are by now must follow from where they were and from the rate. */
static bool is_misfit(const struct ludus_clock_watch *watch, const struct lcap_calibration *fresh,
                      double off_ns)
{
    const double elapsed_ns = (double)(fresh->ns - watch->checked.ns);
    const double unknown_ns = (double)fresh->uncertainty_ns + (double)watch->checked.uncertainty_ns;
    return watch->has_long_rate && off_ns > unknown_ns + elapsed_ns * MAX_RESIDUAL_PPM / 1e6;
}

/* From a long piece between calibrations in the file; a short one would be all uncertainty. */
static void learn_rate(struct ludus_clock_watch *watch)
{
    const struct lcap_calibration *from = &watch->previous;
    const struct lcap_calibration *to = &watch->written;
    if (!watch->has_previous || to->ns - from->ns < LONG_NS)
        return;
    watch->ticks_per_ns = (double)(to->tick - from->tick) / (double)(to->ns - from->ns);
    watch->has_long_rate = true;
}

/* There was no jump since the last check. */
static void follow_rate(struct ludus_collector *collector, const struct lcap_calibration *fresh,
                        double off_ns, bool is_last)
{
    struct ludus_clock_watch *watch = &collector->watch;
    const int64_t interval_ns = watch->has_previous ? INTERVAL_NS : LONG_NS;
    const bool is_long = fresh->ns - watch->checked.ns >= LONG_NS;
    const bool has_come_apart = is_long && is_misfit(watch, fresh, off_ns);
    watch->latest_tick = fresh->tick;
    if (has_come_apart) {
        put_checked(collector, &watch->checked); /* keeps the misfit to one piece */
        tell_misfit(collector, fresh, off_ns);
    } else if (is_long) {
        watch->misfits = 0;
    }
    if (has_come_apart || is_last || fresh->ns - watch->written.ns >= interval_ns) {
        put_checked(collector, fresh);
        learn_rate(watch);
    }
}

void ludus_clock_check(struct ludus_collector *collector, bool is_last)
{
    struct ludus_clock_watch *watch = &collector->watch;
    if (!ludus_clock_is_counter)
        return;
    if (watch->has_unwritten && ludus_can_put(collector)) {
        watch->has_unwritten = false; /* such as after a retry */
        tie_clock(collector);
    }
    struct lcap_calibration fresh = ludus_clock_calibrate();
    const uint64_t raw = fresh.tick;
    const double elapsed_ns = (double)(fresh.ns - watch->checked.ns);
    if (elapsed_ns <= 0)
        return;
    if (raw - watch->before_first < watch->before_count)
        watch->before_count = 0; /* time has brought the counter to where it jumped from */
    fresh.tick += watch->added;
    const uint64_t expected = watch->checked.tick + (uint64_t)(elapsed_ns * watch->ticks_per_ns);
    const int64_t off_ticks = (int64_t)(fresh.tick - expected);
    const double off_ns = fabs((double)off_ticks) / watch->ticks_per_ns;
    const int64_t step = (int64_t)collector->clock.step;
    const bool is_jump = off_ns > elapsed_ns + MIN_JUMP_NS;
    if (is_jump) {
        follow_jump(collector, raw, off_ticks / step * step, &fresh);
    } else {
        follow_rate(collector, &fresh, off_ns, is_last);
        if (fresh.ns - watch->checked.ns < LONG_NS)
            return; /* the next check compares over a longer time */
    }
    watch->checked = fresh;
    watch->checked_raw = raw;
    tie_threads(watch,
                is_jump || !watch->has_long_rate ? MAX_RESIDUAL_PPM / 1e6 : off_ns / elapsed_ns);
}

/* --- ticks ----------------------------------------------------------------------------------- */

struct lcap_run_ticks ludus_watch_run(const struct ludus_clock_watch *watch, bool is_on_grid)
{
    struct lcap_run_ticks ticks = {
        .added = watch->added, .last = watch->latest_tick - watch->added, .is_on_grid = is_on_grid};
    if (watch->before_count != 0 && watch->before_first == 0)
        ticks.first = watch->before_count; /* it jumped ahead */
    else if (watch->before_count != 0 && ticks.last >= watch->before_first)
        ticks.last = watch->before_first - 1;
    return ticks;
}

struct ludus_loss ludus_watch_loss(const struct ludus_clock_watch *watch,
                                   const struct ludus_loss *loss)
{
    struct ludus_loss converted = *loss;
    if (watch->latest_tick == UINT64_MAX)
        return converted;
    const uint64_t limit = watch->latest_tick + (uint64_t)(watch->ticks_per_ns * INTERVAL_NS);
    converted.first_tick = ludus_watch_convert(watch, loss->first_tick);
    converted.last_tick = ludus_watch_convert(watch, loss->last_tick);
    if (converted.last_tick > limit)
        converted.last_tick = limit;
    if (converted.first_tick > limit)
        converted.first_tick = limit;
    if (converted.last_tick < converted.first_tick)
        converted.last_tick = converted.first_tick;
    return converted;
}

void ludus_clock_convert_tracks(struct ludus_collector *collector)
{
    for (uint32_t i = 0; i < collector->track_count; i++) {
        struct ludus_track_drain *drain = &collector->tracks[i]->drain;
        if (drain->is_begin_raw)
            drain->begin_tick = ludus_watch_tick(&collector->watch, drain->begin_tick);
        drain->is_begin_raw = false;
        if (drain->end_tick != 0)
            drain->end_tick = ludus_watch_tick(&collector->watch, drain->end_tick);
    }
}

void ludus_clock_refine(struct ludus_collector *collector, uint64_t tick)
{
    struct lcap_clock *clock = &collector->clock;
    if (!ludus_can_put(collector))
        return;
    const uint64_t apart = tick > clock->offset ? tick - clock->offset : clock->offset - tick;
    const uint64_t step = ludus_common_divisor(clock->step, apart);
    char text[LUDUS_DIAGNOSTIC_TEXT];
    snprintf(text, sizeof text, "it was seen to move in steps of %" PRIu64 " ticks, not %" PRIu64,
             step, clock->step);
    clock->offset %= step;
    clock->step = step;
    change_clock(collector, text);
}
