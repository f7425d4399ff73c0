/* Adds up samples of the scheduler by frame. */
#include "frame_running.h"

#include <stdlib.h>

bool trace_frame_running_create(struct trace_frame_running *running,
                                const struct trace_model *model, const struct trace_pass_plan *plan,
                                const struct trace_frame_list *list, const uint32_t *asked,
                                uint32_t asked_count, bool is_by_track)
{
    size_t count = (size_t)asked_count + 1;
    *running = (struct trace_frame_running){.list = list,
                                            .plan = plan,
                                            .asked = asked,
                                            .asked_count = asked_count,
                                            .track_count = model->track_count};
    running->marking = calloc(count, sizeof *running->marking);
    running->machine = calloc(count, sizeof *running->machine);
    if (is_by_track)
        running->tracks = calloc((size_t)model->track_count + 1, sizeof *running->tracks);
    return running->marking != NULL && running->machine != NULL &&
           (!is_by_track || running->tracks != NULL);
}

void trace_frame_running_destroy(struct trace_frame_running *running)
{
    free(running->marking);
    free(running->machine);
    free(running->tracks);
    *running = (struct trace_frame_running){0};
}

/* `ns` times `part_ns` of `whole_ns`, rounded down: the sum does not depend on the order. */
static int64_t part_of(int64_t ns, int64_t part_ns, int64_t whole_ns)
{
    int64_t product;
    if (!__builtin_mul_overflow(ns, part_ns, &product))
        return product / whole_ns;
    return (int64_t)((long double)ns * (long double)part_ns / (long double)whole_ns);
}

static void add_part(struct trace_running *sum, const struct trace_sched_sample *sample,
                     int64_t part_ns, int64_t whole_ns)
{
    int64_t sampled_ns;
    if (__builtin_mul_overflow(part_ns, (int64_t)sample->processors, &sampled_ns))
        sampled_ns = INT64_MAX; /* of a forged file */
    sum->sampled_ns = trace_sum(sum->sampled_ns, sampled_ns);
    sum->run_ns = trace_sum(sum->run_ns, part_of(sample->run_ns, part_ns, whole_ns));
    sum->wait_ns = trace_sum(sum->wait_ns, part_of(sample->wait_ns, part_ns, whole_ns));
    if (whole_ns > sum->longest_ns)
        sum->longest_ns = whole_ns;
}

/* The first of the frames asked for that ends behind a time. */
static uint32_t first_behind(const struct trace_frame_running *running, int64_t time_ns)
{
    uint32_t low = 0, high = running->asked_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (trace_frame_end(running->list, running->asked[middle]) <= time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A sample of the machine, or of a track, in the frame with this place among those asked for. */
static void add_to_frame(struct trace_frame_running *running,
                         const struct trace_sched_sample *sample, uint32_t asked)
{
    const struct trace_frame_list *list = running->list;
    int64_t begin_ns = trace_frame_begin(list, running->asked[asked]);
    int64_t end_ns = trace_frame_end(list, running->asked[asked]);
    int64_t whole_ns = sample->end_ns - sample->begin_ns;
    begin_ns = begin_ns > sample->begin_ns ? begin_ns : sample->begin_ns;
    end_ns = end_ns < sample->end_ns ? end_ns : sample->end_ns;
    if (begin_ns >= end_ns)
        return;
    if (sample->track == TRACE_NONE)
        add_part(&running->machine[asked], sample, end_ns - begin_ns, whole_ns);
    else if (sample->track ==
             trace_domain_mark_track(list->domain, list->frames[running->asked[asked]]))
        add_part(&running->marking[asked], sample, end_ns - begin_ns, whole_ns);
    if (sample->track != TRACE_NONE && running->tracks != NULL && asked == 0)
        add_part(&running->tracks[sample->track], sample, end_ns - begin_ns, whole_ns);
}

struct trace_running trace_running_of_track(const struct trace_running *sum)
{
    struct trace_running limited = *sum;
    if (limited.run_ns > limited.sampled_ns)
        limited.run_ns = limited.sampled_ns;
    if (limited.wait_ns > limited.sampled_ns - limited.run_ns)
        limited.wait_ns = limited.sampled_ns - limited.run_ns;
    return limited;
}

void trace_frame_running_add(struct trace_frame_running *running,
                             const struct trace_sched_sample *sample)
{
    if (sample->end_ns <= sample->begin_ns ||
        (sample->track != TRACE_NONE && !trace_pass_plan_counts(running->plan, sample->track)))
        return;
    for (uint32_t i = first_behind(running, sample->begin_ns); i < running->asked_count; i++) {
        if (trace_frame_begin(running->list, running->asked[i]) >= sample->end_ns)
            return;
        add_to_frame(running, sample, i);
    }
}
