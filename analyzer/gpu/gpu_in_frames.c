/* Finds the GPU time of frames by when their work was submitted. */
#include "gpu_in_frames.h"

#include <stdlib.h>

#include "failure.h"
#include "frame_table.h"

/* The frame asked for in which a time lies, or NULL. */
static struct trace_gpu_in_frame *frame_at(const struct trace_gpu_in_frames *in_frames,
                                           int64_t time_ns)
{
    const uint32_t column = trace_frame_column(
        in_frames->list, trace_frame_table_find(in_frames->list->domain, time_ns));
    uint32_t low = 0, high = in_frames->asked_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (in_frames->asked[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low < in_frames->asked_count && in_frames->asked[low] == column ? &in_frames->frames[low]
                                                                           : NULL;
}

static enum ludus_status take_frame(void *context, const struct trace_model *model,
                                    const struct trace_gpu_frame *frame)
{
    struct trace_gpu_in_frames *in_frames = context;
    (void)model;
    if (!trace_pass_plan_counts(in_frames->plan, frame->track))
        return LUDUS_OK;
    in_frames->has_samples = true;
    struct trace_gpu_in_frame *found = frame_at(in_frames, frame->time.submit_ns);
    if (found == NULL)
        return LUDUS_OK;
    const int64_t duration_ns = frame->time.duration_ns;
    found->valid += duration_ns >= 0;
    found->not_valid += duration_ns < 0;
    if (duration_ns > found->longest_ns ||
        (duration_ns >= 0 && duration_ns == found->longest_ns && frame->track < found->track)) {
        found->longest_ns = duration_ns;
        found->track = frame->track;
    }
    return LUDUS_OK;
}

enum ludus_status
trace_gpu_in_frames_create(struct trace_gpu_in_frames *in_frames, struct trace_input *input,
                           const struct trace_pass_plan *plan, const struct trace_frame_list *list,
                           const uint32_t *asked, uint32_t asked_count, struct ludus_error *error)
{
    const struct trace_visitor visitor = {.context = in_frames, .gpu_frame = take_frame};
    *in_frames = (struct trace_gpu_in_frames){
        .list = list, .plan = plan, .asked = asked, .asked_count = asked_count};
    in_frames->frames = calloc((size_t)asked_count + 1, sizeof *in_frames->frames);
    if (in_frames->frames == NULL)
        return trace_fail_memory(error);
    for (uint32_t i = 0; i < asked_count; i++)
        in_frames->frames[i] = (struct trace_gpu_in_frame){.longest_ns = -1, .track = TRACE_NONE};
    return trace_input_run_gpu(input, &visitor, error);
}

void trace_gpu_in_frames_destroy(struct trace_gpu_in_frames *in_frames)
{
    free(in_frames->frames);
    *in_frames = (struct trace_gpu_in_frames){0};
}
