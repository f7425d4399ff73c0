/* What nesting knows of a track while it walks over the events. Private to the nesting_ files. */
#ifndef TRACE_TRACK_STATE_H
#define TRACE_TRACK_STATE_H

#include "nesting.h"
#include "slice_batch.h"
#include "track_losses.h"

/* The sums of one path in both windows. */
struct path_sums {
    struct trace_sums windows[TRACE_WINDOW_COUNT];
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

struct track_state {
    struct open_slice *stack;
    uint32_t depth;
    uint32_t capacity;
    struct track_group *group; /* NULL before the track's first segment */
    uint64_t events;
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
    struct trace_slice_batch batch;
};

/* Makes room for a track's state, and puts it into its group. NULL when there is no memory. */
struct track_state *trace_track_state(struct trace_nesting *nesting, uint32_t track);

/* Opens and closes slices. False when there is no memory, or when the visitor failed
 * (nesting->shown). `site` is an index. */
bool trace_slice_open(struct trace_nesting *nesting, uint32_t track, uint32_t site,
                      int64_t begin_ns);
bool trace_slice_close(struct trace_nesting *nesting, uint32_t track, int64_t end_ns);

/* Closes the innermost slice without an end: it is known to have run until `known_end_ns`. */
bool trace_slice_abandon(struct trace_nesting *nesting, uint32_t track, int64_t known_end_ns);

/* Makes rows of the sums: nesting_statistics.c. False when there is no memory. */
bool trace_nesting_fill_statistics(struct trace_nesting *nesting);

#endif
