/* The complete frames that lie in a window, and which of them a track keeps: all but those in which
 * it lost something. What a track lost itself is kept apart from what the window has, and from what
 * may be any track's, so that a track costs what it lost, however many frames and other losses
 * there are. Private to the analyzer. */
#ifndef TRACE_KEPT_FRAMES_H
#define TRACE_KEPT_FRAMES_H

#include "span_list.h"
#include "track_losses.h"

/* Frames that follow each other, indexes: complete ones that lie in the window as a whole. */
struct trace_frame_run {
    uint32_t first;
    uint32_t end;
    uint32_t before; /* how many frames are in the runs before this one */
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

/* Finds those of them that no loss overlaps. Likewise. */
bool trace_window_frames_leave_out(const struct trace_window_frames *frames,
                                   const struct trace_track_losses *losses,
                                   struct trace_window_frames *left);

void trace_window_frames_clear(struct trace_window_frames *frames);

/* Frames that follow each other and are left out, from the first one's begin to the last one's end.
 */
struct trace_frame_gap {
    int64_t begin_ns;
    int64_t end_ns;
    int64_t before_ns; /* time of the window's frames in the gaps before this one */
};

/* All zero keeps none. */
struct trace_kept_frames {
    const struct trace_window_frames *frames; /* must outlive it */
    struct trace_frame_gap *gaps;             /* in their order */
    uint32_t gap_count;
    int64_t lost_ns; /* time of the window's frames in the gaps */
    int64_t count;
    int64_t lost; /* left out */
};

/* Leaves out of `frames` what overlaps one of the track's own losses, and not of the common ones:
 * for these, `lost` frames have been left out already. False when there is no memory; release it
 * all the same. */
bool trace_kept_frames_find(const struct trace_window_frames *frames, int64_t lost,
                            const struct trace_track_losses *losses,
                            struct trace_kept_frames *kept);
void trace_kept_frames_clear(struct trace_kept_frames *kept);

/* Whether a time lies in a frame that is kept. */
bool trace_kept_frames_contain(const struct trace_kept_frames *kept, int64_t time_ns);

/* The part of [begin, end) that lies in frames that are kept. */
int64_t trace_kept_frames_overlap(const struct trace_kept_frames *kept, int64_t begin_ns,
                                  int64_t end_ns);

#endif
