/* The frames of a run in the order of time. */
#include "run_frames.h"

#include <stdlib.h>

#include "model.h"

bool trace_run_frames_add(struct trace_run_frames *frames, const struct trace_timed_frame *frame)
{
    bool has_gap = frames->count == 0 || frame->number != frames->next.number ||
                   frame->begin_ns != frames->next.begin_ns;

    if (has_gap) {
        if (!trace_array_grow(&frames->stretches, frames->stretch_count, sizeof *frames->stretches))
            return false;
        frames->stretches[frames->stretch_count++] =
            (struct trace_run_stretch){frames->count, frame->number, frame->begin_ns};
    }
    if (!trace_array_grow(&frames->duration_ns, frames->count, sizeof *frames->duration_ns))
        return false;
    frames->duration_ns[frames->count++] = frame->duration_ns;
    frames->next.number = frame->number + 1;
    frames->next.begin_ns = frame->begin_ns + frame->duration_ns;
    return true;
}

void trace_run_frames_destroy(struct trace_run_frames *frames)
{
    free(frames->duration_ns);
    free(frames->stretches);
    *frames = (struct trace_run_frames){0};
}

bool trace_run_frames_next(struct trace_run_walker *walker)
{
    const struct trace_run_frames *frames = walker->frames;
    struct trace_timed_frame *frame = &walker->frame;

    if (walker->index == frames->count)
        return false;
    if (walker->stretch < frames->stretch_count &&
        frames->stretches[walker->stretch].first == walker->index) {
        frame->number = frames->stretches[walker->stretch].number;
        frame->begin_ns = frames->stretches[walker->stretch].begin_ns;
        walker->stretch++;
    } else {
        frame->number++;
        frame->begin_ns += frame->duration_ns;
    }
    frame->duration_ns = frames->duration_ns[walker->index++];
    return true;
}
