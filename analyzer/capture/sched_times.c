/* Takes samples of the scheduler from a capture: sums for each track and for the machine, and one
 * by one for who asks. */
#include "sched_times.h"

#include "capture_state.h"
#include "failure.h"

/* A faulty file may claim more than 2^63 ns, or times that are far apart. */
static int64_t limit(uint64_t ns)
{
    return ns < INT64_MAX ? (int64_t)ns : INT64_MAX;
}

static int64_t sampled_ns(const struct trace_sched_sample *sample)
{
    int64_t ns;
    if (__builtin_sub_overflow(sample->end_ns, sample->begin_ns, &ns) ||
        __builtin_mul_overflow(ns, (int64_t)sample->processors, &ns))
        return INT64_MAX;
    return ns;
}

/* A sleep is told when it is over: what of it was before the part of the recording that the capture
 * holds is left out. Nobody knows when in a sample a thread ran or waited, and such ones stay. */
static void leave_out_before(const struct trace_model *model, struct trace_sched_sample *sample)
{
    if (!model->has_window || sample->run_ns != 0 || sample->wait_ns != 0)
        return;
    if (sample->begin_ns < model->window_begin_ns)
        sample->begin_ns =
            sample->end_ns < model->window_begin_ns ? sample->end_ns : model->window_begin_ns;
}

static struct trace_sched_sample sample_of(const struct trace_capture *capture,
                                           const struct lcap_sched *record, uint32_t track)
{
    struct trace_sched_sample sample = {
        .begin_ns = trace_capture_ns(capture, record->clock, record->from_tick),
        .end_ns = trace_capture_ns(capture, record->clock, record->to_tick),
        .run_ns = limit(record->run_ns),
        .wait_ns = limit(record->wait_ns),
        .track = track,
        .processors = record->processors};
    leave_out_before(capture->model, &sample);
    return sample;
}

static void add_sample(struct trace_model *model, const struct trace_sched_sample *sample)
{
    struct trace_sched_sums *sums =
        sample->track == TRACE_NONE ? &model->machine : &model->tracks[sample->track].sched;
    sums->sampled_ns = trace_sum(sums->sampled_ns, sampled_ns(sample));
    sums->run_ns = trace_sum(sums->run_ns, sample->run_ns);
    sums->wait_ns = trace_sum(sums->wait_ns, sample->wait_ns);
}

bool trace_capture_load_sched(struct trace_capture *capture, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_sched record;
    while (lcap_next_sched(&records, &record)) {
        const uint32_t track = trace_capture_track(capture, record.track);
        if (track == TRACE_NONE && record.track != 0)
            return false;
        const struct trace_sched_sample sample = sample_of(capture, &record, track);
        add_sample(capture->model, &sample);
        if (sample.end_ns > capture->sampled_end_ns)
            capture->sampled_end_ns = sample.end_ns;
    }
    return true;
}

static enum ludus_status show_block(struct trace_capture *capture, const struct lcap_block *block,
                                    const struct trace_visitor *visitor)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_sched record;
    while (lcap_next_sched(&records, &record)) {
        const struct trace_sched_sample sample =
            sample_of(capture, &record, trace_capture_track(capture, record.track));
        enum ludus_status status = visitor->sched(visitor->context, capture->model, &sample);
        if (status != LUDUS_OK)
            return status;
    }
    return LUDUS_OK;
}

enum ludus_status trace_capture_show_sched(struct trace_capture *capture,
                                           const struct trace_visitor *visitor,
                                           struct ludus_error *error)
{
    for (uint32_t i = 0; i < capture->sched.count; i++) {
        struct lcap_item item;
        enum ludus_status status =
            lcap_reader_read(capture->reader, capture->sched.items[i], &item);
        if (status != LUDUS_OK)
            return trace_capture_fail(capture, status, error);
        if (item.kind == LCAP_ITEM_BLOCK)
            status = show_block(capture, &item.block, visitor);
        if (status != LUDUS_OK)
            return status;
    }
    return LUDUS_OK;
}
