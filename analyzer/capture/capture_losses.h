/* The search for what damage of events blocks cost each track. Private to the analyzer. */
#ifndef TRACE_CAPTURE_LOSSES_H
#define TRACE_CAPTURE_LOSSES_H

#include "capture_state.h"

/* What has been read of a track. */
struct trace_track_progress {
    uint64_t events;
    int64_t last_ns;
    uint64_t last_offset; /* of the block that holds its last segment */
    int64_t first_ns;     /* its first segment's start, when that may have lost events: */
    bool is_first_unsure; /* it has events before, of which the file's damage may have taken some */
    bool is_seen;
};

/* Starts as zeros but for the capture. */
struct trace_loss_search {
    struct trace_capture *capture;
    struct trace_track_progress *tracks; /* parallel to the model's */
    uint32_t track_capacity;
    uint64_t seen;         /* events of good blocks */
    uint64_t missing;      /* events of the capture that no good block holds, as far as known */
    uint64_t told;         /* of those: between two segments of a track */
    uint64_t base;         /* events of the recording before the capture's first block of them */
    uint64_t first_damage; /* the damage's offsets in the file */
    uint64_t last_damage;
    bool is_base_unknown;    /* more may be missing before the first good block */
    bool is_missing_unknown; /* and more behind the last block that says */
    bool is_partial;         /* it does not begin at the capture's first events block */
    bool is_torn; /* of a partial one: damage before the block may have held events of the time
                     looked at */
    struct trace_loss *told_before; /* by a repaired capture itself, sorted */
    uint32_t told_before_count;
    int64_t from_ns; /* of a partial one: what was before does not matter */
};

/* Takes the next good events block, which stands at the offset: what is missing before its segments
 * becomes losses of the model. False when there is no memory. */
bool trace_loss_search_add(struct trace_loss_search *search, const struct lcap_events *events,
                           uint64_t offset);

#endif
