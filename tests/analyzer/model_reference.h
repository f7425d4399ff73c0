/* A slow and plain way to the numbers of a model, to compare the fast one with. Everything is
 * searched from the start each time; nothing is carried along. */
#ifndef MODEL_REFERENCE_H
#define MODEL_REFERENCE_H

#include "model.h"

#define REFERENCE_SPANS 8u

/* What was emitted on one track; ids as in the capture. */
struct reference_track {
    const struct stream_event *events;
    uint32_t event_count;
    uint32_t id;
    int64_t begin_ns;
    int64_t end_ns;
    int64_t open_until_ns; /* slices without an end are known to have run until then */
};

struct reference_slice {
    int64_t begin_ns;
    int64_t duration_ns; /* -1: no end */
    int64_t known_ns;
    int64_t exclusive_ns; /* with no regard to losses; -1 without an end */
    size_t parent;        /* index, or SIZE_MAX */
    uint32_t track;       /* id */
    uint32_t site;        /* id */
    bool is_lost;         /* a loss overlaps it */
};

struct reference_loss {
    int64_t begin_ns;
    int64_t end_ns;
    uint32_t track; /* id, or 0 */
    bool has_scopes;
    bool has_frames_only;
};

/* Disjoint, in rising order, apart from each other. */
struct reference_window {
    struct reference_span {
        int64_t begin_ns;
        int64_t end_ns;
    } spans[REFERENCE_SPANS];
    uint32_t span_count;
};

/* What statistics are made of, and which are asked for. */
struct reference_view {
    struct reference_slice *slices;
    size_t slice_count;
    const struct reference_track *tracks;
    uint32_t track_count;
    const struct trace_frame *frames; /* of the default domain, by number */
    uint32_t frame_count;
    const struct reference_loss *losses;
    uint32_t loss_count;
    const struct reference_window *windows;
    uint32_t window_count; /* 0: one of all time */
    const bool *left_out;  /* by id of a track, those that do not count; NULL: none */
    bool is_clipped;
    bool are_tracks_apart;
    uint32_t marker;                /* id of a track that is apart; 0: none */
    struct reference_place *places; /* by slice and cell: reference_place_slices */
};

/* What of a slice counts in a cell: 2 * window is of the frames of a window, the one behind it of
 * its rest. */
struct reference_place {
    bool has_begin;
    int64_t inclusive_ns; /* of what is known of its time */
    int64_t exclusive_ns;
};

/* Finds the slices of the tracks' events, whose ticks are nanoseconds. The caller frees them. */
void reference_find_slices(struct reference_view *view);

/* Whether a loss of scopes of the slice's track overlaps it. */
bool reference_is_lost(const struct reference_view *view, const struct reference_slice *slice);

/* The frame in which a time lies, or TRACE_NONE. */
uint32_t reference_frame(const struct reference_view *view, int64_t time_ns);

/* Whether slices of an id of track count at all. */
bool reference_counts(const struct reference_view *view, uint32_t track);

/* Whether a time lies in a window. */
bool reference_is_inside(const struct reference_view *view, uint32_t window, int64_t time_ns);

/* Finds where the slices count, after what is asked for was set. The caller frees the places. */
void reference_place_slices(struct reference_view *view);

/* Whether a time within a slice, in which no frame or window begins or ends, counts in a cell. */
bool reference_has_time(const struct reference_view *view, uint32_t cell,
                        const struct reference_slice *slice, int64_t begin_ns, int64_t end_ns);

/* Whether no slice of the same site is around it. */
bool reference_is_outermost(const struct reference_view *view, const struct reference_slice *slice);

/* The slices of a row in a cell: of a site (id), or of one slice's path. They must be placed. */
struct reference_query {
    uint32_t site;
    size_t path_of; /* index of a slice, or SIZE_MAX to ask for the site */
    uint32_t track; /* id; 0: all that have no row of their own */
    uint32_t cell;
};
struct trace_sums reference_sums(const struct reference_view *view,
                                 const struct reference_query *query);

/* Slices of any track directly inside those of a site, that begin in the cell. */
uint64_t reference_nested_calls(const struct reference_view *view,
                                const struct reference_query *query);

bool reference_same_path(const struct reference_view *view, size_t left, size_t right);

/* Complete frames of a window that a track (0: one that lost nothing) keeps, and those it lost. */
void reference_count_frames(const struct reference_view *view, uint32_t window, uint32_t track,
                            int64_t *kept, int64_t *lost);

/* The id of track of the row that a track's slices are in. */
uint32_t reference_row(const struct reference_view *view, uint32_t track);

/* The track's part of its frames of a window, and what of that its top-level slices cover. */
void reference_cover(const struct reference_view *view, uint32_t window,
                     const struct reference_track *track, int64_t *frame_ns, int64_t *covered_ns);

#endif
