/* A slow and plain way to the numbers of a model, to compare the fast one with. Everything is
 * searched from the start each time; nothing is carried along. */
#ifndef MODEL_REFERENCE_H
#define MODEL_REFERENCE_H

#include "model.h"

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

/* What statistics are made of. */
struct reference_view {
    struct reference_slice *slices;
    size_t slice_count;
    const struct reference_track *tracks;
    uint32_t track_count;
    const struct trace_frame *frames; /* of the default domain, by number */
    uint32_t frame_count;
    const struct reference_loss *losses;
    uint32_t loss_count;
};

/* Finds the slices of the tracks' events, whose ticks are nanoseconds. The caller frees them. */
void reference_find_slices(struct reference_view *view);

/* Whether a loss of scopes of the slice's track overlaps it. */
bool reference_is_lost(const struct reference_view *view, const struct reference_slice *slice);

/* The frame in which a time lies, or TRACE_NONE. */
uint32_t reference_frame(const struct reference_view *view, int64_t time_ns);

/* The slices of an id of track that count in the statistics' frames, or outside: of a site (id), or
 * of one slice's path. */
struct reference_query {
    uint32_t site;
    size_t path_of; /* index of a slice, or SIZE_MAX to ask for the site */
    uint32_t track; /* id; 0: all that lost nothing */
    uint32_t window;
};
struct trace_sums reference_sums(const struct reference_view *view,
                                 const struct reference_query *query);

bool reference_same_path(const struct reference_view *view, size_t left, size_t right);

/* Complete frames that a track (0: one that lost nothing) keeps, and those it lost. */
void reference_count_frames(const struct reference_view *view, uint32_t track, int64_t *kept,
                            int64_t *lost);

/* Whether some loss makes the track's frames fewer, or may do so. */
bool reference_track_has_loss(const struct reference_view *view, uint32_t track);

/* The track's part of its frames, and what of that its top-level slices cover. */
void reference_cover(const struct reference_view *view, const struct reference_track *track,
                     int64_t *frame_ns, int64_t *covered_ns);

#endif
