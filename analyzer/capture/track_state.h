/* What nesting knows of a track while it walks over the events. Private to the nesting_ files. */
#ifndef TRACE_TRACK_STATE_H
#define TRACE_TRACK_STATE_H

#include "counter_times.h"
#include "nesting.h"
#include "own_times.h"
#include "path_memos.h"
#include "slice_batch.h"
#include "statistics.h"

/* An open scope. */
struct open_slice {
    int64_t begin_ns;
    int64_t children_ns; /* of its finished direct children */
    uint64_t slice_id;
    uint32_t path; /* of a pass that adds up own times: the site, and not more is known */
    uint32_t frame;
    uint32_t slot; /* in the batch, or TRACE_NONE when it began in an earlier one */
    union {
        struct trace_placed placed;
        struct trace_own_sums *own[2]; /* trace_own_target_find */
    };
};

struct track_state {
    struct open_slice *stack;
    uint32_t depth;
    uint32_t capacity;
    uint64_t events;
    uint32_t gaps;   /* how often events were missing so far */
    int64_t last_ns; /* of its last event */
};

struct trace_nesting {
    struct trace_capture *capture;
    struct trace_model *model;
    const struct trace_visitor *visitor; /* or NULL */
    enum ludus_status shown;             /* what the visitor's begin and end returned */
    struct trace_path_tree paths;
    struct track_state *tracks; /* parallel to the model's */
    uint32_t track_count;
    struct trace_statistics statistics;
    struct trace_pass_plan own_plan; /* when none was given */
    uint64_t next_slice;
    int64_t *times;                  /* of a block's events */
    uint32_t *sites;                 /* site index of a block's symbols */
    struct trace_path_memo **begins; /* of those that begin a scope what is noted of their site, of
                                        others NULL */
    uint32_t value;                  /* of a block, how many were passed */
    struct trace_counter_times counter_times;
    struct trace_slice_batch batch;
    struct trace_path_memos memos;
    bool is_of_own; /* the visitor has own times added up */
};

/* Makes room for what is known of a track. NULL when there is no memory. */
struct track_state *trace_track_state(struct trace_nesting *nesting, uint32_t track);

/* The frame in which a time of the track lies; most lie where the one before did. */
static inline uint32_t trace_track_frame(struct trace_nesting *nesting, uint32_t track,
                                         int64_t time_ns)
{
    struct trace_track_counts *counts = &nesting->statistics.tracks[track];
    trace_statistics_go(&nesting->statistics, counts, time_ns);
    return counts->frame;
}

/* Opens and closes slices. False when there is no memory, or when the visitor failed
 * (nesting->shown). `site` is an index. */
bool trace_slice_open(struct trace_nesting *nesting, uint32_t track, uint32_t site,
                      int64_t begin_ns);
bool trace_slice_close(struct trace_nesting *nesting, uint32_t track, int64_t end_ns);

/* Whether nobody is shown the track's slices, and all that they do is add to sums of known places.
 */
bool trace_slices_are_plain(const struct trace_nesting *nesting, uint32_t track);

/* Then: follows the begins and ends of events [first, end) as fast as it can, up to the first event
 * that takes more than that; returns its index, or `end`. */
uint32_t trace_slices_follow(struct trace_nesting *nesting, const struct lcap_events *events,
                             uint32_t track, uint32_t first, uint32_t end);

/* The same where own times are added up: nesting_own.c. */
void trace_slice_place_own(struct trace_nesting *nesting, uint32_t track, struct open_slice *slice);
uint32_t trace_slices_follow_own(struct trace_nesting *nesting, const struct lcap_events *events,
                                 uint32_t track, uint32_t first, uint32_t end);

/* The site of an open slice. */
static inline uint32_t trace_open_site(const struct trace_nesting *nesting,
                                       const struct open_slice *slice)
{
    return nesting->is_of_own ? slice->path : nesting->model->paths[slice->path].site;
}

/* Closes the innermost slice without an end: it is known to have run until `known_end_ns`. */
bool trace_slice_abandon(struct trace_nesting *nesting, uint32_t track, int64_t known_end_ns);

/* Shows a value, of which kind, track, site, bits and own time are known: nesting_values.c. False
 * when there is no memory. */
bool trace_value_add(struct trace_nesting *nesting, struct trace_value value);

#endif
