/* How threads ran and waited for a processor in frames, by the samples of the scheduler that
 * overlap them. Of a sample that lies in a frame only in part, so much of its times counts as of
 * its length: nobody knows when in it the thread ran. Private to the analyzer. */
#ifndef TRACE_FRAME_RUNNING_H
#define TRACE_FRAME_RUNNING_H

#include "frame_list.h"
#include "visitor.h"

/* Of one track, or of the machine, in one frame. */
struct trace_running {
    int64_t sampled_ns; /* of the frame that samples cover; of the machine: of all processors */
    int64_t run_ns;
    int64_t wait_ns;    /* runnable and not running; of the machine: stolen */
    int64_t longest_ns; /* the longest of the samples */
};

/* All zero is of no frames. */
struct trace_frame_running {
    const struct trace_frame_list *list;
    const struct trace_pass_plan *plan; /* whose tracks count */
    const uint32_t *asked;              /* columns, rising */
    uint32_t asked_count;
    struct trace_running *marking; /* by frame: of the track that set its mark */
    struct trace_running *machine; /* by frame */
    struct trace_running *tracks;  /* of the first frame, by track; NULL: not wanted */
    uint32_t track_count;
};

/* `is_by_track`: those of single tracks are wanted. False when there is no memory; release it all
 * the same. */
bool trace_frame_running_create(struct trace_frame_running *running,
                                const struct trace_model *model, const struct trace_pass_plan *plan,
                                const struct trace_frame_list *list, const uint32_t *asked,
                                uint32_t asked_count, bool is_by_track);
void trace_frame_running_destroy(struct trace_frame_running *running);

void trace_frame_running_add(struct trace_frame_running *running,
                             const struct trace_sched_sample *sample);

/* Of one track, what may be shown: no more than the time that samples cover. A sample may tell of a
 * run or a wait that lies before it, and so of more than it is long. Such a wait is what is cut,
 * since the system tells of runs more often. */
struct trace_running trace_running_of_track(const struct trace_running *sum);

#endif
