/* What nesting knows of a track while it walks over the events. Private to the nesting_ files. */
#ifndef TRACE_TRACK_STATE_H
#define TRACE_TRACK_STATE_H

#include "counter_times.h"
#include "nesting.h"
#include "slice_batch.h"
#include "track_losses.h"

/* The sums of one path in both windows. */
struct path_sums {
    struct trace_sums windows[TRACE_WINDOW_COUNT];
    uint64_t begun_before; /* complete slices that began before the capture's window: in no time */
};

/* Tracks whose statistics have the same frames: all that lost nothing, or one that did. */
struct track_group {
    struct trace_frame_spans spans;
    struct trace_track_losses losses; /* of scopes */
    struct path_sums *sums;           /* by path */
    uint32_t sums_count;
    uint32_t track; /* index, or TRACE_NONE for the common group */
};

/* An open scope. */
struct open_slice {
    int64_t begin_ns;
    int64_t children_ns; /* of its finished direct children */
    uint64_t slice_id;
    uint32_t path;
    uint32_t frame;
    uint32_t slot; /* in the batch, or TRACE_NONE when it began in an earlier one */
    enum trace_window_kind window;
};

/* Where a time counts: all times from `from_ns` on, before `until_ns`. */
struct track_place {
    int64_t from_ns;
    int64_t until_ns;
    uint32_t frame; /* index into the default domain's frames, or TRACE_NONE */
    enum trace_window_kind window;
};

struct track_state {
    struct open_slice *stack;
    uint32_t depth;
    uint32_t capacity;
    struct track_group *group; /* NULL before the track's first segment */
    struct track_place place;  /* of the time that was asked for last */
    uint64_t events;
    uint32_t gaps;                          /* how often events were missing so far */
    int64_t last_ns;                        /* of its last event */
    uint32_t begin_span, cover_span, frame; /* cursors */
};

struct trace_nesting {
    struct trace_capture *capture;
    struct trace_model *model;
    const struct trace_visitor *visitor; /* or NULL */
    enum ludus_status shown;             /* what the visitor's begin and end returned */
    struct trace_path_tree paths;
    struct track_state *tracks; /* parallel to the model's */
    uint32_t track_count;
    struct track_group *common;
    struct track_group **groups; /* the common one first */
    uint32_t group_count;
    uint64_t next_slice;
    int64_t *times;  /* of a block's events */
    uint32_t *sites; /* site index of a block's symbols */
    uint32_t value;  /* of a block, how many were passed */
    struct trace_counter_times counter_times;
    struct trace_slice_batch batch;
};

/* Makes room for a track's state, and puts it into its group. NULL when there is no memory. */
struct track_state *trace_track_state(struct trace_nesting *nesting, uint32_t track);

/* Moves state->place to another time. */
void trace_track_move(const struct trace_nesting *nesting, struct track_state *state,
                      int64_t time_ns);

/* Where a time of the track counts; most lie where the one before did. */
static inline const struct track_place *
trace_track_place(const struct trace_nesting *nesting, struct track_state *state, int64_t time_ns)
{
    if (time_ns < state->place.from_ns || time_ns >= state->place.until_ns)
        trace_track_move(nesting, state, time_ns);
    return &state->place;
}

/* Opens and closes slices. False when there is no memory, or when the visitor failed
 * (nesting->shown). `site` is an index. */
bool trace_slice_open(struct trace_nesting *nesting, uint32_t track, uint32_t site,
                      int64_t begin_ns);
bool trace_slice_close(struct trace_nesting *nesting, uint32_t track, int64_t end_ns);

/* Closes the innermost slice without an end: it is known to have run until `known_end_ns`. */
bool trace_slice_abandon(struct trace_nesting *nesting, uint32_t track, int64_t known_end_ns);

/* Shows a value, of which kind, track, site, bits and own time are known: nesting_values.c. False
 * when there is no memory. */
bool trace_value_add(struct trace_nesting *nesting, struct trace_value value);

/* Makes rows of the sums: nesting_statistics.c. False when there is no memory. */
bool trace_nesting_fill_statistics(struct trace_nesting *nesting);

#endif
