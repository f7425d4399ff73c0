/* Random but reproducible captures, and what was put into them. */
#ifndef RANDOM_CAPTURE_H
#define RANDOM_CAPTURE_H

#include "capture_builder.h"
#include "model_reference.h"
#include "random_stream.h"

#define RANDOM_SITES 9u

struct random_capture {
    struct builder_setup setup;
    struct lcap_calibration calibrations[4];
    struct capture_builder *builder;
    struct reference_track tracks[BUILDER_MAX_TRACKS];
    struct stream_event *events[BUILDER_MAX_TRACKS]; /* of tracks; ticks are nanoseconds */
    struct trace_frame frames[64];                   /* of "main", the default domain */
    struct trace_frame other_frames[64];             /* of "render" */
    uint32_t other_frame_count;
    struct reference_loss losses[8];
    struct reference_view view; /* of all of the above, with slices */
    int64_t last_mark_ns;       /* of any domain */
    int64_t end_ns;
    bool is_finished;
};

/* Makes a capture. `has_plain_clock`: ticks are nanoseconds; else any clock. */
void random_capture_create(struct random_capture *capture, uint64_t seed, bool has_plain_clock);
void random_capture_destroy(struct random_capture *capture);

#endif
