/* The inside of a live look, shared by the files live_*.c and its report. Private to them.
 *
 * A look keeps what the file defines, a row for each site and track, and what the window needs: the
 * frame marks, the losses and the decoded events blocks that reach into it. Blocks are read and
 * decoded once. What the report says is derived from these anew each time, with all that is known
 * by then of clocks and losses, so that it does not depend on how often the file was looked at. */
#ifndef TRACE_LIVE_H
#define TRACE_LIVE_H

#include "capture_state.h"
#include "trace.h"

/* Marks, losses and blocks are kept so much longer than the window: a later calibration may move
 * its begin a little. */
#define TRACE_LIVE_SLACK_NS INT64_C(1000000000)

/* An events block. */
struct trace_live_block {
    uint64_t offset;
    uint64_t last_tick; /* not verified before it is decoded */
    uint32_t clock;
    struct lcap_events *events; /* NULL: not decoded; one piece of memory */
    size_t size_bytes;          /* of that */
};

/* The last ones of the file, in its order. */
struct trace_live_blocks {
    struct trace_live_block *items;
    uint32_t count;
    uint32_t first;        /* of those that reach into the window */
    int64_t known_from_ns; /* older ones were given up for want of room; INT64_MIN: none was */
};

/* The marks of one domain. */
struct trace_live_marks {
    struct lcap_frame_mark *items;
    uint32_t count;
    uint32_t limit; /* old ones are looked for when there are so many */
};

struct trace_live_losses {
    struct lcap_loss *sums; /* by track, cause and clock, behind them those not yet added up */
    uint32_t count;
    uint32_t limit;           /* they are added up when there are so many */
    struct lcap_loss *recent; /* those that reach into the window */
    uint32_t recent_count;
    uint32_t recent_limit;
};

/* What the window holds of a site. */
struct trace_live_site {
    uint64_t calls;           /* slices that begin in it */
    uint64_t slices;          /* that have a part in it */
    uint64_t exclusive_calls; /* of those: exclusive time is known */
    uint64_t children_lost;   /* of those: it is not */
    uint64_t open;            /* of those: no end is known */
    int64_t exclusive_ns;
    int64_t inclusive_ns; /* of outermost slices */
    uint64_t counts;      /* count events */
    int64_t total;        /* of their increments */
    int64_t total_in_frames;
    uint64_t gauges; /* gauge events */
    uint64_t gauge_bits;
    int64_t gauge_ns; /* of the last one */
};

struct trace_live {
    struct trace_capture *capture;
    int64_t length_ns; /* of the window, as asked for */
    bool is_followed;
    bool is_clock_set; /* since the last block about clocks */
    bool has_ended;    /* `end` was read */
    bool is_derived;   /* nothing was read since */
    struct lcap_end end;
    uint8_t header[LCAP_FILE_HEADER_SIZE];
    uint64_t damage_places, damage_bytes;
    struct trace_live_blocks blocks;
    struct trace_live_marks *marks; /* parallel to the model's domains, */
    struct lcap_track *tracks;      /* and tracks: times in ticks; track 0: not defined */
    uint32_t marks_count, track_count;
    struct trace_live_losses losses;
    /* The window, derived by trace_live_derive. */
    int64_t begin_ns, end_ns;
    int64_t first_ns; /* where the capture begins: later in a part of a recording */
    int64_t first_mark_ns, last_mark_ns; /* in the window, of the default domain */
    int64_t frames;                      /* complete ones between them */
    uint32_t default_domain;             /* index, or TRACE_NONE */
    struct trace_live_site *sites;       /* parallel to the model's, but for the last ones */
    uint32_t site_count;
};

/* The time of a tick, as far as clocks are known. */
int64_t trace_live_ns(struct trace_live *live, uint32_t clock, uint64_t tick);

/* Keeps a place that could not be used. False when there is no memory. */
bool trace_live_add_damage(struct trace_live *live, uint64_t offset, uint64_t size,
                           const char *reason);

/* Each takes a block of its kind. False when there is no memory. */
bool trace_live_take_events(struct trace_live *live, const struct lcap_block *block);
bool trace_live_take_frames(struct trace_live *live, const struct lcap_block *block);
bool trace_live_take_losses(struct trace_live *live, const struct lcap_block *block);

/* Finds the window's end, decodes the blocks that reach into it, and forgets those before. Errors:
 * OPEN, MEMORY. */
LUDUS_CHECKED enum ludus_status trace_live_load_window(struct trace_live *live,
                                                       struct ludus_error *error);

/* The greatest time of a mark; INT64_MIN without one. */
int64_t trace_live_last_mark(struct trace_live *live);

/* Makes the marks that the window needs the frames of the model. False when there is no memory. */
bool trace_live_set_frames(struct trace_live *live);

/* Makes the losses that reach into the window, or all of the capture, those of the model; what
 * damage cost the blocks of the window comes to them, when there was any. False when there is no
 * memory. */
bool trace_live_set_losses(struct trace_live *live, bool is_window);

/* Follows the window's events: fills `sites`. Errors: MEMORY. */
LUDUS_CHECKED enum ludus_status trace_live_follow_events(struct trace_live *live,
                                                         struct ludus_error *error);

/* All of the above: derives what the report says. Errors: OPEN, MEMORY. */
LUDUS_CHECKED enum ludus_status trace_live_derive(struct trace_live *live,
                                                  struct ludus_error *error);

void trace_live_release_blocks(struct trace_live_blocks *blocks);

#endif
