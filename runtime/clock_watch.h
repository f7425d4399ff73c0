/* What the collector knows of the clock in use: how it is tied to CLOCK_MONOTONIC, and what is
 * added to the counter so that ticks go on where a jump of it has left them. */
#ifndef LUDUS_CLOCK_WATCH_H
#define LUDUS_CLOCK_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "lcap_encode.h"
#include "loss_cell.h"

/* Ticks are the file's, but for those called raw, which are what the counter shows. With
 * CLOCK_MONOTONIC the two are the same, and nothing is ever checked. */
struct ludus_clock_watch {
    struct lcap_calibration previous; /* the last one in the file but for one, and */
    struct lcap_calibration written;  /* the last one, both of the clock in use */
    struct lcap_calibration checked;  /* the last one that was taken */
    uint64_t checked_raw;
    double ticks_per_ns;   /* of the last long piece; as measured at start before there is one */
    uint64_t latest_tick;  /* what is read now happened before */
    uint64_t added;        /* to raw ticks, modulo 2^64 */
    uint64_t added_before; /* to those from before the last jump: */
    uint64_t before_first; /* `before_count` raw ticks from here on */
    uint64_t before_count;
    uint32_t misfits;   /* calibrations in a row that did not fit the one before */
    bool has_previous;  /* `previous` is set */
    bool has_unwritten; /* calibrations were not written, as nothing could be */
    bool has_long_rate; /* ticks_per_ns is not that of the start any more */
};

/* A tick in the file, of a raw one. */
static inline uint64_t ludus_watch_convert(const struct ludus_clock_watch *watch, uint64_t raw)
{
    const bool is_before = raw - watch->before_first < watch->before_count;
    return raw + (is_before ? watch->added_before : watch->added);
}

/* The same for what happened before the last check, and is not later in the file either. */
static inline uint64_t ludus_watch_tick(const struct ludus_clock_watch *watch, uint64_t raw)
{
    const uint64_t tick = ludus_watch_convert(watch, raw);
    return tick < watch->latest_tick ? tick : watch->latest_tick;
}

/* The same for a run of them: those from before a jump are not in it. */
struct lcap_run_ticks ludus_watch_run(const struct ludus_clock_watch *watch, bool is_on_grid);

/* The same for losses, which may be later than the check. */
struct ludus_loss ludus_watch_loss(const struct ludus_clock_watch *watch,
                                   const struct ludus_loss *loss);

#endif
