/* Captures of hitches: the last seconds are kept in memory, encoded, and a trigger makes a capture
 * of what came before it and of what comes after. */
#ifndef LUDUS_HITCH_CAPTURE_H
#define LUDUS_HITCH_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ludus/recorder.h>

#include "block_window.h"
#include "capture_writer.h"
#include "clock_history.h"
#include "report_box.h"

#define LUDUS_HITCH_DOMAIN_BYTES 128u

struct ludus_collector;

/* What a recording with a window allocates. */
struct ludus_hitch_memory {
    struct ludus_clock_history clocks;
    _Alignas(LUDUS_KEPT_ALIGN) uint8_t window[];
};

struct ludus_hitch {
    /* Set by start. */
    bool is_on;                        /* a window is kept; else a stream is written */
    struct ludus_hitch_memory *memory; /* NULL: none */
    size_t window_bytes;
    size_t block_bytes; /* of the largest block */
    uint32_t frame_limit_us;
    uint32_t before_ms;
    uint32_t after_ms;
    uint32_t max_captures;
    char domain_name[LUDUS_HITCH_DOMAIN_BYTES]; /* empty: the first domain marked */
    char path[LUDUS_PATH_BYTES];                /* what captures are called after */

    /* The collector's. */
    struct ludus_block_window window;
    uint64_t begin_tick;  /* when the present pass began: it reads all that happened before, */
    uint64_t pass_tick;   /* and nothing that happened after this */
    uint64_t latest_tick; /* nothing in the window happened later, but for the ends of samples of
                             who ran, which are taken within the pass */

    struct ludus_trigger pending[LUDUS_MAX_TRIGGERS]; /* of a capture that is to begin */
    uint32_t pending_count;
    uint32_t domain; /* of the registry, whose frames have the limit; 0: not known yet */
    bool has_mark;   /* the last mark of that domain: */
    uint64_t mark_ordinal;
    uint64_t mark_tick;

    struct ludus_capture_writer file; /* the capture that is being written, */
    bool is_open;                     /* if one is */
    bool is_defining;                 /* blocks go into it, and not into the window */
    uint64_t saved;                   /* position in the window up to which it has the blocks */
    uint64_t defined;                 /* and up to which it has their definitions */
    uint64_t end_tick;                /* it lasts until the pass at or after this, */
    uint64_t last_end_tick;           /* which further triggers may put off, to here at most */
    bool is_ending;                   /* that pass is over: */
    uint64_t end_position;            /* where its blocks end, */
    uint64_t stop_tick;               /* when it began, */
    enum lcap_end_reason end_reason;  /* and why it is the last one */
    uint32_t triggers;                /* that belong to the capture */

    uint32_t files;           /* that there are of captures, whole or not */
    uint32_t captures;        /* that were finished */
    uint32_t failed;          /* that could not be */
    uint64_t missed;          /* triggers that are in no capture; also without a window */
    uint64_t written_bytes;   /* also of those that failed */
    struct ludus_error error; /* of the last one that failed */
};

/* Memory that a window of so many bytes takes in all. */
static inline size_t ludus_hitch_memory_bytes(uint64_t window_bytes)
{
    return sizeof(struct ludus_hitch_memory) + (size_t)window_bytes;
}

/* Forgets the last recording, and frees its memory. */
void ludus_hitch_release(struct ludus_hitch *hitch);

/* In a forked child: leaves the parent's file alone. */
void ludus_hitch_forget(struct ludus_hitch *hitch);

/* --- the collector's ------------------------------------------------------------------------- */

/* Empties the window. */
void ludus_hitch_begin(struct ludus_hitch *hitch, uint64_t tick);

/* Says from what time is what a pass puts, before it puts anything: all from before `begin_tick`,
 * nothing from after `pass_tick`. */
void ludus_hitch_begin_pass(struct ludus_hitch *hitch, uint64_t begin_tick, uint64_t pass_tick);

/* What is put next happened at `tick`, which may be behind the pass. */
void ludus_hitch_reach(struct ludus_hitch *hitch, uint64_t tick);

/* Puts a block into the window, or into the capture that it helps to define. */
void ludus_hitch_put(struct ludus_hitch *hitch, struct lcap_bytes block,
                     const struct ludus_tally *tally);

/* Makes room in the window for any block. What the capture being written needs is written first. */
void ludus_hitch_make_room(struct ludus_hitch *hitch);

/* Looks whether a frame of the domain is over its limit. Marks come in the order of their ticks. */
void ludus_hitch_see_mark(struct ludus_collector *collector, uint32_t domain, uint64_t ordinal,
                          uint64_t tick);

/* A trigger: begins a capture at the end of the pass, or belongs to the one that is open. In a
 * stream it is written where it stands. */
void ludus_hitch_fire(struct ludus_collector *collector, const struct ludus_trigger *trigger);

/* Ends a pass: begins a capture that a trigger has asked for, or sees that the one that is open is
 * over. The last time, all captures are finished. */
void ludus_hitch_end_pass(struct ludus_collector *collector, bool is_last);

/* Whether there is something to save, and saves a bounded part of it: a large write at once could
 * be the next hitch. */
bool ludus_hitch_has_backlog(const struct ludus_hitch *hitch);
void ludus_hitch_save_some(struct ludus_collector *collector);

/* --- hitch_file.c: its file ------------------------------------------------------------------ */

/* Begins a capture: its file, named after time and reason, and all definitions. */
void ludus_hitch_open(struct ludus_collector *collector);

/* Writes the capture's trigger. */
void ludus_hitch_put_trigger(struct ludus_collector *collector,
                             const struct ludus_trigger *trigger);

/* Finishes the capture, or gives it up when it could not be written. */
void ludus_hitch_close(struct ludus_collector *collector);

#endif
