/* How long a track worked between two times in a frame, told at once however many scopes lie
 * between them. Private to the analyzer. */
#ifndef TRACE_TRACK_WORK_H
#define TRACE_TRACK_WORK_H

#include "frame_moments.h"

/* A stretch, in the order of tracks, sites and times. */
struct trace_own_stretch;

struct trace_track_work {
    const struct trace_frame_moments *moments; /* borrowed, as the model is */
    const struct trace_model *model;
    uint64_t *before_ns; /* by stretch: the work in all stretches in front of it, modulo 2^64 */
    struct trace_own_stretch *own;
};

/* False when there is no memory; destroy it all the same. */
bool trace_track_work_create(struct trace_track_work *work, const struct trace_model *model,
                             const struct trace_frame_moments *moments);
void trace_track_work_destroy(struct trace_track_work *work);

/* The time in scopes of which no category is one of waiting, without the own time of the scope that
 * the track is in at the end: it may be what waited until then. Time in no scope is no work. */
int64_t trace_track_work_ns(const struct trace_track_work *work, uint32_t track, int64_t begin_ns,
                            int64_t end_ns);

#endif
