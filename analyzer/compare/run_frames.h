/* The frames of a run in the order of time, 8 bytes each. Private to the analyzer. */
#ifndef TRACE_RUN_FRAMES_H
#define TRACE_RUN_FRAMES_H

#include "frame_bin.h"

/* Frames that follow one another without a gap, as nearly all do. */
struct trace_run_stretch {
    uint32_t first; /* index of the first of them */
    uint64_t number;
    int64_t begin_ns;
};

/* All zero is none. */
struct trace_run_frames {
    int64_t *duration_ns;
    uint32_t count;
    struct trace_run_stretch *stretches;
    uint32_t stretch_count;
    struct trace_timed_frame next; /* what would follow the last one without a gap */
};

/* The next frame. False when there is no memory. */
bool trace_run_frames_add(struct trace_run_frames *frames, const struct trace_timed_frame *frame);
void trace_run_frames_destroy(struct trace_run_frames *frames);

/* Goes through them; a walker that is all zero but `frames` is before the first one. */
struct trace_run_walker {
    const struct trace_run_frames *frames;
    uint32_t index, stretch;        /* of the next one */
    struct trace_timed_frame frame; /* the one it has come to */
};
bool trace_run_frames_next(struct trace_run_walker *walker);

#endif
