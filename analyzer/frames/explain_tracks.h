/* What the tracks did in one frame. Private to the analyzer. */
#ifndef TRACE_EXPLAIN_TRACKS_H
#define TRACE_EXPLAIN_TRACKS_H

#include "frame_moments.h"
#include "frame_running.h"

struct trace_track_share {
    int64_t working_ns; /* of stretches in it */
    int64_t waiting_ns;
    int64_t lived_ns; /* how much of the frame it lived in */
    uint32_t track;
};

/* The tracks that had scopes or samples in the frame: that of `first`, an index or TRACE_NONE, then
 * by falling work, then by falling wait, then by index. The caller frees `*shares`. False when
 * there is no memory. */
bool trace_track_shares(const struct trace_model *model, const struct trace_frame_moments *moments,
                        const struct trace_frame_running *running, uint32_t first,
                        struct trace_track_share **shares, uint32_t *count);

/* On which track a site had most of the frame, and on how many others it had some; TRACE_NONE: on
 * none. */
void trace_site_tracks(const struct trace_frame_moments *moments, uint32_t site, uint32_t *track,
                       uint32_t *others);

#endif
