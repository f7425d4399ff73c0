/* Finds the percentiles and the unions of GPU times, in as many looks at the samples as it takes.
 */
#include "gpu_measure.h"

#include <stdlib.h>

#include "failure.h"
#include "time_union.h"

/* Passes of a queue come frame by frame, those of other queues up to some frames later. */
#define UNION_STRIDE 1024u

/* One round: some of the subjects. */
struct measure_round {
    struct trace_input *input;
    struct trace_gpu_totals *totals;
    uint32_t *places; /* by index of a subject: its place in the round plus one; or 0 */
    struct trace_rank_search search;
    struct trace_time_union all;
    bool are_ranks_known, is_union_known;
};

static void add(struct measure_round *round, uint32_t subject, uint32_t track,
                const struct trace_gpu_time *time, struct trace_gpu_place place)
{
    const uint32_t windows = round->totals->windows;
    if (subject == TRACE_NONE || round->places[subject] == 0 || time->duration_ns < 0)
        return;
    const struct trace_duration_sample sample = {time->duration_ns, time->submit_ns, track,
                                                 place.frame};
    for (uint32_t w = 0; w < windows; w++) {
        const uint32_t pair = (round->places[subject] - 1) * windows + w;
        if ((place.windows >> w & 1u) == 0)
            continue;
        if (!round->are_ranks_known)
            trace_rank_search_add(&round->search, pair, &sample);
        if (!round->is_union_known && time->has_begin)
            trace_time_union_add(&round->all, pair, time->begin_ns,
                                 trace_sum(time->begin_ns, time->duration_ns));
    }
}

static void pass_time(struct measure_round *round, const struct trace_gpu_time *time)
{
    if (!round->is_union_known && time->has_begin)
        trace_time_union_pass(&round->all, time->begin_ns);
}

static enum ludus_status take_frame(void *context, const struct trace_model *model,
                                    const struct trace_gpu_frame *frame)
{
    struct measure_round *round = context;
    (void)model;
    pass_time(round, &frame->time);
    add(round, trace_gpu_find(round->totals, TRACE_GPU_FRAMES, frame->track, TRACE_NONE, 0),
        frame->track, &frame->time,
        trace_gpu_place_at(&round->totals->places, frame->time.submit_ns));
    return LUDUS_OK;
}

static enum ludus_status take_pass(void *context, const struct trace_model *model,
                                   const struct trace_gpu_pass *pass)
{
    struct measure_round *round = context;
    (void)model;
    if (!trace_pass_plan_counts(round->totals->plan, pass->track))
        return LUDUS_OK;
    const struct trace_gpu_pass_subjects subjects = trace_gpu_subjects_of(round->totals, pass);
    const struct trace_gpu_place place =
        trace_gpu_place_at(&round->totals->places, pass->time.submit_ns);
    pass_time(round, &pass->time);
    for (size_t i = 0; i < sizeof subjects.index / sizeof subjects.index[0]; i++)
        add(round, subjects.index[i], pass->track, &pass->time, place);
    return LUDUS_OK;
}

/* Looks only at what the subjects are of. */
static struct trace_visitor visitor_of(struct measure_round *round)
{
    struct trace_visitor visitor = {.context = round};
    for (uint32_t i = 0; i < round->totals->count; i++) {
        if (round->places[i] != 0 && round->totals->subjects[i].kind == TRACE_GPU_FRAMES)
            visitor.gpu_frame = take_frame;
        else if (round->places[i] != 0)
            visitor.gpu_pass = take_pass;
    }
    return visitor;
}

static enum ludus_status run_passes(struct measure_round *round, struct ludus_error *error)
{
    const struct trace_visitor visitor = visitor_of(round);
    while (!round->are_ranks_known || !round->is_union_known) {
        if (!round->is_union_known)
            trace_time_union_begin(&round->all);
        const enum ludus_status status = trace_input_run_gpu(round->input, &visitor, error);
        if (status != LUDUS_OK)
            return status;
        if (!round->is_union_known)
            round->is_union_known = trace_time_union_end(&round->all);
        if (!round->are_ranks_known &&
            !trace_rank_search_end(&round->search, &round->are_ranks_known))
            return trace_fail_memory(error);
    }
    return LUDUS_OK;
}

/* How many durations there are of each pair of a subject and a window; NULL: there is no memory. */
static uint64_t *counts_of(const struct trace_gpu_totals *totals, const uint32_t *subjects,
                           uint32_t count)
{
    uint64_t *counts = calloc((size_t)count * totals->windows + 1, sizeof *counts);
    for (uint32_t i = 0; counts != NULL && i < count; i++)
        for (uint32_t w = 0; w < totals->windows; w++)
            counts[(size_t)i * totals->windows + w] = totals->subjects[subjects[i]].sums[w].valid;
    return counts;
}

static enum ludus_status run_round(struct trace_input *input, struct trace_gpu_totals *totals,
                                   const uint32_t *subjects, uint32_t count, size_t budget_bytes,
                                   struct trace_gpu_measure *measures, struct ludus_error *error)
{
    const struct trace_union_limits limits = {.budget_bytes = budget_bytes / 4,
                                              .stride = UNION_STRIDE};
    const uint32_t pairs = count * totals->windows;
    struct measure_round round = {.input = input, .totals = totals};
    uint64_t *counts = counts_of(totals, subjects, count);
    round.places = calloc((size_t)totals->count + 1, sizeof *round.places);
    bool has_memory = counts != NULL && trace_rank_search_create(&round.search, pairs, counts) &&
                      round.places != NULL;
    has_memory = trace_time_union_create(&round.all, pairs, &limits) && has_memory;
    for (uint32_t i = 0; has_memory && i < count; i++)
        round.places[subjects[i]] = i + 1;
    enum ludus_status status = trace_fail_memory(error);
    if (has_memory)
        status = run_passes(&round, error);
    for (uint32_t i = 0; status == LUDUS_OK && i < pairs; i++)
        measures[i] = (struct trace_gpu_measure){trace_rank_search_found(&round.search, i),
                                                 round.all.length_ns[i]};
    trace_rank_search_destroy(&round.search);
    trace_time_union_destroy(&round.all);
    free(round.places);
    free(counts);
    return status;
}

enum ludus_status trace_gpu_measure(struct trace_input *input, struct trace_gpu_totals *totals,
                                    const uint32_t *subjects, uint32_t count, size_t budget_bytes,
                                    struct trace_gpu_measure *measures, struct ludus_error *error)
{
    const size_t room = budget_bytes / TRACE_RANK_SUBJECT_BYTES / totals->windows;
    const uint32_t step = room == 0 ? 1 : room < count ? (uint32_t)room : count;
    enum ludus_status status = LUDUS_OK;
    for (uint32_t first = 0; status == LUDUS_OK && first < count; first += step)
        status =
            run_round(input, totals, subjects + first, count - first < step ? count - first : step,
                      budget_bytes, measures + (size_t)first * totals->windows, error);
    return status;
}

enum ludus_status trace_gpu_look(struct trace_input *input, const struct trace_model *model,
                                 const struct trace_pass_plan *plan, bool has_passes,
                                 struct trace_gpu_totals *totals, struct ludus_error *error)
{
    if (!trace_gpu_totals_create(totals, model, plan))
        return trace_fail_memory(error);
    const struct trace_visitor visitor = trace_gpu_totals_visitor(totals, has_passes);
    const enum ludus_status status = trace_input_run_gpu(input, &visitor, error);
    return status == LUDUS_ERROR_MEMORY ? trace_fail_memory(error) : status;
}
