/* The inside of a trim: what is known of the part that is cut out, shared by the files that find
 * and write it. Private to them.
 *
 * Two passes over the records of the part: the first notes all that it needs (names, tracks, the
 * calibrations that convert its ticks), the second writes it behind these. */
#ifndef TRACE_TRIM_STATE_H
#define TRACE_TRIM_STATE_H

#include "capture_state.h"
#include "counter_times.h"
#include "new_capture.h"
#include "repair_blocks.h"

/* A track of the capture, by its index in the model. */
struct trim_track {
    struct lcap_track record; /* the last one; its track is 0 when the definition was lost */
    bool is_used;
    bool is_in_part;  /* a segment of it is */
    bool is_resolved; /* what was open on it when the part began is known: */
    struct lcap_open_scope *open;
    uint64_t events; /* of the track, before the part */
    uint32_t depth;
    uint32_t clock;
    int64_t torn_ns;     /* until when damage may have taken events of it from before the part */
    uint32_t last_block; /* that has a segment of it, by index + 1; 0: none has */
    uint32_t last_segment;
    uint64_t followed;                  /* trim_counts.c: events of it that were before */
    uint32_t gaps;                      /* how often some were missing */
    uint32_t first_amount, last_amount; /* by index + 1, or 0 */
};

/* What a counter counted in the part and told behind it. */
struct trim_amount {
    uint64_t bits;
    uint32_t site;
    uint32_t clock;
    uint32_t next; /* of the same track, by index + 1, or 0 */
};

/* A block of events of the part. */
struct trim_block {
    uint64_t offset;
    uint64_t size; /* with its header */
    uint32_t events;
    uint32_t clock;
    uint32_t max_site; /* that it names */
    bool is_cut;       /* encoded anew: it is over an edge, or something is added to it */
};

/* Ticks of the part on one clock: from `from` on, before `to`. */
struct trim_ticks {
    uint64_t from;
    uint64_t to;
};

/* Numbers of submitted frames of a queue. */
struct trim_gpu_range {
    uint64_t first;
    uint64_t last;
    bool is_there;
};

struct trim {
    struct trace_capture *capture;
    struct trace_model *model; /* the capture's */
    struct trace_new_capture *writer;
    struct lcap_source source;
    const char *window; /* as asked for */

    int64_t from_ns;
    int64_t to_ns;             /* before it; when the part reaches the capture's end, that */
    bool is_to_end;            /* it does: nothing is cut off there */
    bool has_end;              /* it is known up to where the part is whole */
    bool is_writing;           /* the second pass */
    struct trim_ticks *ticks;  /* by index of the clock */
    struct trim_track *tracks; /* by index of the track */
    uint32_t track_count;
    int64_t torn_ns;             /* the same of any track */
    uint32_t known_tracks;       /* those that the capture named before its events were looked at */
    struct trace_id_map strings; /* sets of those that the part uses */
    struct trace_id_map sites;
    struct trace_id_map categories;
    struct {
        uint64_t first; /* marks of the domain that are in the part, by number */
        uint64_t last;
        bool is_there;
    } * marks;                         /* by index of the domain */
    struct trim_gpu_range *gpu_frames; /* of the part, by index of the queue */
    uint32_t max_site;                 /* of what is encoded anew */
    uint32_t clock;                    /* that the part's begin is told in; 0: not chosen yet */
    uint64_t first_event; /* of the recording, before the part's next block of events */
    struct trim_block *blocks;
    uint32_t block_count;
    struct trace_counter_times counters;
    uint32_t waiting; /* counters that told something in the part and nothing behind it yet */
    struct trim_amount *amounts;
    uint32_t amount_count;
    struct lcap_counts recorded; /* in the part */
    struct lcap_counts dropped;
};

/* The state of a track; NULL when there is no memory. Valid until the next call. */
struct trim_track *trim_track_at(struct trim *trim, uint32_t index);

/* Note what the part uses. False when there is no memory. 0 is nothing. */
bool trim_use_track(struct trim *trim, uint32_t id);
bool trim_use_string(struct trim *trim, uint32_t string);
bool trim_use_site(struct trim *trim, uint32_t site);
bool trim_use_tick(struct trim *trim, uint32_t clock, uint64_t tick);

void trim_note_encoded(struct trim *trim, uint32_t site); /* in a block that is encoded anew */

/* The part's ticks of a clock, or NULL for a clock that is not defined. */
const struct trim_ticks *trim_ticks_of(const struct trim *trim, uint32_t clock);

static inline bool trim_is_before_end(const struct trim *trim, const struct trim_ticks *part,
                                      uint64_t tick)
{
    return trim->is_to_end || tick < part->to;
}

static inline int64_t trim_ns(const struct trim *trim, uint32_t clock, uint64_t tick)
{
    return trace_capture_ns(trim->capture, clock, tick);
}

/* --- trim_records.c: what has a time and is no event ------------------------------------------ */

/* Notes, or writes, the records of the part. Errors: OPEN, MEMORY. */
LUDUS_CHECKED enum ludus_status trim_records(struct trim *trim);

/* --- trim_gpu.c: GPU samples, their queues and counts ----------------------------------------- */

/* Notes, or writes, them. Errors: OPEN, MEMORY. */
LUDUS_CHECKED enum ludus_status trim_gpu(struct trim *trim);

/* Writes the tracks that the part uses, and notes their times and names before that. */
LUDUS_CHECKED enum ludus_status trim_put_tracks(struct trim *trim);

/* --- trim_names.c: definitions ---------------------------------------------------------------- */

/* Writes the session, the clocks, and the names, categories, sites and domains that the part uses,
 * with the calibrations. */
LUDUS_CHECKED enum ludus_status trim_put_definitions(struct trim *trim, struct ludus_error *error);

/* --- trim_events.c -----------------------------------------------------------------------------
 */

/* Notes what the part's events use, and what is open on tracks that have none in it. Errors: OPEN,
 * MEMORY, DAMAGED (a block is faulty, and has become damage of the capture: to be noted anew). */
LUDUS_CHECKED enum ludus_status trim_note_events(struct trim *trim);

/* A segment cut to the part. */
struct trim_cut {
    uint32_t first; /* of the block's events, indexes: from here on, */
    uint32_t end;   /* before this one */
    uint32_t first_value;
    uint32_t depth; /* scopes open there, in the caller's memory */
    bool is_kept;
};

/* Cuts a segment; `*value` is the index of its first value, and is moved behind its last one.
 * `open` has room for the segment's open scopes and one more for each of its events. */
struct trim_cut trim_cut_segment(const struct trim *trim, const struct lcap_events *events,
                                 const struct lcap_segment *segment, uint32_t *value,
                                 struct lcap_open_scope *open);

/* Room for the scopes of all segments of a block; NULL when there is no memory. */
struct lcap_open_scope *trim_allocate_scopes(void);

/* Decodes a block. Errors: OPEN, MEMORY, DAMAGED. */
LUDUS_CHECKED enum ludus_status trim_read_events(const struct trim *trim, uint64_t offset,
                                                 struct lcap_item *item,
                                                 const struct lcap_events **events);

/* --- trim_counts.c ---------------------------------------------------------------------------- */

/* Follows the counters of a segment, and notes what they counted in the part and tell behind it.
 * `*value` is the index of its first value, and is moved behind its last one when the block has
 * counts. False when there is no memory. */
bool trim_counts_take(struct trim *trim, const struct lcap_events *events,
                      const struct lcap_segment *segment, uint32_t *value);

/* The same for all segments of a block. Errors: OPEN, MEMORY, DAMAGED. */
LUDUS_CHECKED enum ludus_status trim_counts_follow(struct trim *trim, uint64_t offset);

/* Until when threads that began in the part may tell a counter's first amount. */
int64_t trim_counts_until(const struct trim *trim);

/* Notes what is needed to write the amounts. False when there is no memory. */
bool trim_note_amounts(struct trim *trim);

/* When they are written: as late in the part as the clock's grid allows, and not before `least`. */
uint64_t trim_amounts_tick(const struct trim *trim, const struct lcap_clock *clock, uint64_t least);

/* --- trim_blocks.c -----------------------------------------------------------------------------
 */

/* Writes them. Errors: OPEN, MEMORY. */
LUDUS_CHECKED enum ludus_status trim_put_events(struct trim *trim);

#endif
