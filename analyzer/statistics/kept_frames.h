/* The complete frames that lie in a window, and which of them a track keeps: all but those in which
 * it lost something. What a track lost is kept apart from what the window has, so that a track
 * costs what it lost, however many frames there are. Private to the analyzer. */
#ifndef TRACE_KEPT_FRAMES_H
#define TRACE_KEPT_FRAMES_H

#include "span_list.h"
#include "track_losses.h"

/* Frames that follow each other, indexes: complete ones that lie in the window as a whole. */
struct trace_frame_run {
    uint32_t first;
    uint32_t end;
};

/* All zero is none. */
struct trace_window_frames {
    const struct trace_domain *domain;
    struct trace_span_list spans;
    struct trace_frame_run *runs; /* in their order */
    uint32_t run_count;
    int64_t count; /* of frames */
};

/* Finds the frames of a domain (NULL: there are none) in the spans of a window. False when there is
 * no memory; release it all the same. */
bool trace_window_frames_find(const struct trace_domain *domain,
                              const struct trace_span_list *spans,
                              struct trace_window_frames *frames);
void trace_window_frames_clear(struct trace_window_frames *frames);

/* All zero keeps none. */
struct trace_kept_frames {
    const struct trace_window_frames *frames; /* must outlive it */
    struct trace_span_list lost_spans;        /* those of the frames that are left out */
    int64_t count;
    int64_t lost; /* left out */
};

/* Leaves out what overlaps one of the losses. False when there is no memory; release it all the
 * same. */
bool trace_kept_frames_find(const struct trace_window_frames *frames,
                            const struct trace_track_losses *losses,
                            struct trace_kept_frames *kept);
void trace_kept_frames_clear(struct trace_kept_frames *kept);

/* Whether a time lies in a frame that is kept. */
bool trace_kept_frames_contain(const struct trace_kept_frames *kept, int64_t time_ns);

/* The part of [begin, end) that lies in frames that are kept. */
int64_t trace_kept_frames_overlap(const struct trace_kept_frames *kept, int64_t begin_ns,
                                  int64_t end_ns);

#endif
