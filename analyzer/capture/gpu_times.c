/* Takes GPU samples from a capture. */
#include "gpu_times.h"

#include <string.h>

#include "capture_state.h"
#include "failure.h"

/* A recorder has at most 32 queues, and counts some 20 outcomes of 3 subjects on each. More are of
 * a forged file, and left out. */
#define MOST_QUEUES 256u
#define MOST_COUNTS 65536u

uint32_t trace_gpu_queue_of(const struct trace_model *model, uint32_t track)
{
    for (uint32_t i = 0; i < model->gpu_queue_count; i++)
        if (model->gpu_queues[i].track == track)
            return i;
    return TRACE_NONE;
}

/* --- queues ---------------------------------------------------------------------------------- */

static bool add_queue(struct trace_capture *capture, const struct lcap_gpu_queue *record)
{
    struct trace_model *model = capture->model;
    struct trace_gpu_queue queue = {.period_fs = record->period_fs,
                                    .track = trace_capture_track(capture, record->track),
                                    .generation = record->generation,
                                    .valid_bits = record->valid_bits};
    if (queue.track == TRACE_NONE)
        return false;
    if (trace_gpu_queue_of(model, queue.track) != TRACE_NONE ||
        model->gpu_queue_count == MOST_QUEUES)
        return true; /* a later one has no effect */
    const struct {
        struct lcap_bytes bytes;
        struct trace_text *text;
    } texts[] = {{record->backend, &queue.backend},
                 {record->device, &queue.device},
                 {record->queue, &queue.name},
                 {record->pass_reason, &queue.pass_reason},
                 {record->calibration_reason, &queue.calibration_reason}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        capture->string_bytes += texts[i].bytes.size;
        if (capture->string_bytes > TRACE_MAX_STRING_BYTES ||
            !trace_capture_copy_bytes(capture, texts[i].bytes, texts[i].text))
            return false;
    }
    if (!trace_array_grow(&model->gpu_queues, model->gpu_queue_count, sizeof queue))
        return false;
    model->gpu_queues[model->gpu_queue_count++] = queue;
    return true;
}

/* --- counts ---------------------------------------------------------------------------------- */

static int compare_counts(const void *a, const void *b)
{
    const struct trace_gpu_count *left = a;
    const struct trace_gpu_count *right = b;
    if (left->track != right->track)
        return left->track < right->track ? -1 : 1;
    if (left->subject != right->subject)
        return left->subject < right->subject ? -1 : 1;
    return (left->outcome > right->outcome) - (left->outcome < right->outcome);
}

/* Where the count is, or belongs: they are in order. */
static uint32_t find_count(const struct trace_model *model, const struct trace_gpu_count *count)
{
    uint32_t low = 0, high = model->gpu_count_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (compare_counts(&model->gpu_counts[middle], count) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint64_t trace_gpu_count_of(const struct trace_model *model, uint32_t track, uint32_t subject,
                            uint32_t outcome)
{
    const struct trace_gpu_count key = {.track = track, .subject = subject, .outcome = outcome};
    const uint32_t at = find_count(model, &key);
    return at < model->gpu_count_count && compare_counts(&model->gpu_counts[at], &key) == 0
               ? model->gpu_counts[at].count
               : 0;
}

/* The greatest of all that the capture tells holds. */
static bool add_count(struct trace_capture *capture, const struct lcap_gpu_count *record)
{
    struct trace_model *model = capture->model;
    const struct trace_gpu_count count = {.count = record->count,
                                          .track = trace_capture_track(capture, record->track),
                                          .subject = record->subject,
                                          .outcome = record->outcome};
    if (count.track == TRACE_NONE)
        return false;
    const uint32_t at = find_count(model, &count);
    if (count.count == 0)
        return true;
    if (at < model->gpu_count_count && compare_counts(&model->gpu_counts[at], &count) == 0) {
        if (count.count > model->gpu_counts[at].count)
            model->gpu_counts[at].count = count.count;
        return true;
    }
    if (model->gpu_count_count == MOST_COUNTS)
        return true;
    if (!trace_array_grow(&model->gpu_counts, model->gpu_count_count, sizeof count))
        return false;
    memmove(&model->gpu_counts[at + 1], &model->gpu_counts[at],
            (model->gpu_count_count++ - at) * sizeof count);
    model->gpu_counts[at] = count;
    return true;
}

/* --- samples --------------------------------------------------------------------------------- */

static struct trace_gpu_time time_of(const struct trace_capture *capture, uint32_t clock,
                                     const struct lcap_gpu_time *record)
{
    const bool is_mapped = record->uncertainty_ns != LCAP_GPU_UNMAPPED;
    return (struct trace_gpu_time){
        .duration_ns =
            record->outcome == LCAP_GPU_VALID ? (int64_t)record->duration_ns : INT64_C(-1),
        .begin_ns = is_mapped ? trace_clock_map_host_ns(capture->clocks, record->begin_ns) : 0,
        .submit_ns = trace_capture_ns(capture, clock, record->submit_tick),
        .collect_ns = trace_capture_ns(capture, clock, record->collect_tick),
        .uncertainty_ns = is_mapped ? record->uncertainty_ns : 0,
        .outcome = record->outcome,
        .has_begin = is_mapped};
}

/* Without an end block the recording lasted at least until the last result came. */
static void reach(struct trace_capture *capture, uint32_t clock, const struct lcap_gpu_time *time)
{
    const int64_t collect_ns = trace_capture_ns(capture, clock, time->collect_tick);
    if (collect_ns > capture->sampled_end_ns)
        capture->sampled_end_ns = collect_ns;
}

bool trace_capture_load_gpu(struct trace_capture *capture, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_gpu_queue queue;
    struct lcap_gpu_count count;
    struct lcap_gpu_frame frame;
    struct lcap_gpu_pass pass;
    bool is_taken = true;
    switch (block->kind) {
    case LCAP_KIND_gpu_queues:
        while (is_taken && lcap_next_gpu_queue(&records, &queue))
            is_taken = add_queue(capture, &queue);
        break;
    case LCAP_KIND_gpu_counts:
        while (is_taken && lcap_next_gpu_count(&records, &count))
            is_taken = add_count(capture, &count);
        break;
    case LCAP_KIND_gpu_frames:
        while (is_taken && lcap_next_gpu_frame(&records, &frame)) {
            is_taken = trace_capture_track(capture, frame.track) != TRACE_NONE;
            reach(capture, frame.clock, &frame.time);
        }
        break;
    case LCAP_KIND_gpu_passes:
        while (is_taken && lcap_next_gpu_pass(&records, &pass)) {
            is_taken = trace_capture_track(capture, pass.track) != TRACE_NONE &&
                       trace_capture_site(capture, pass.site) != TRACE_NONE;
            reach(capture, pass.clock, &pass.time);
        }
        break;
    default: /* calibrations */
        break;
    }
    return is_taken;
}

/* --- shown ----------------------------------------------------------------------------------- */

static enum ludus_status show_frames(struct trace_capture *capture, struct lcap_records records,
                                     const struct trace_visitor *visitor)
{
    enum ludus_status status = LUDUS_OK;
    struct lcap_gpu_frame record;
    while (status == LUDUS_OK && lcap_next_gpu_frame(&records, &record)) {
        const struct trace_gpu_frame frame = {.time = time_of(capture, record.clock, &record.time),
                                              .number = record.number,
                                              .track = trace_capture_track(capture, record.track),
                                              .method = record.method};
        status = visitor->gpu_frame(visitor->context, capture->model, &frame);
    }
    return status;
}

static enum ludus_status show_passes(struct trace_capture *capture, struct lcap_records records,
                                     const struct trace_visitor *visitor)
{
    enum ludus_status status = LUDUS_OK;
    struct lcap_gpu_pass record;
    while (status == LUDUS_OK && lcap_next_gpu_pass(&records, &record)) {
        const struct trace_gpu_pass pass = {.time = time_of(capture, record.clock, &record.time),
                                            .frame = record.frame,
                                            .track = trace_capture_track(capture, record.track),
                                            .site = trace_capture_site(capture, record.site),
                                            .ordinal = record.ordinal,
                                            .operation = record.operation,
                                            .logical_passes = record.logical_passes};
        status = visitor->gpu_pass(visitor->context, capture->model, &pass);
    }
    return status;
}

static enum ludus_status show_calibrations(struct trace_capture *capture,
                                           struct lcap_records records,
                                           const struct trace_visitor *visitor)
{
    enum ludus_status status = LUDUS_OK;
    struct lcap_gpu_calibration record;
    while (status == LUDUS_OK && lcap_next_gpu_calibration(&records, &record)) {
        const struct trace_gpu_calibration calibration = {
            .frame = record.frame,
            .device_ticks = {record.device_ticks[0], record.device_ticks[1]},
            .host_ns = {trace_clock_map_host_ns(capture->clocks, record.host_ns[0]),
                        trace_clock_map_host_ns(capture->clocks, record.host_ns[1])},
            .track = trace_capture_track(capture, record.track),
            .mapping = record.mapping,
            .uncertainty_ns = record.uncertainty_ns};
        status = visitor->gpu_calibration(visitor->context, capture->model, &calibration);
    }
    return status;
}

static enum ludus_status show_block(struct trace_capture *capture, const struct lcap_block *block,
                                    const struct trace_visitor *visitor)
{
    const struct lcap_records records = lcap_records_of(block);
    if (block->kind == LCAP_KIND_gpu_frames && visitor->gpu_frame != NULL)
        return show_frames(capture, records, visitor);
    if (block->kind == LCAP_KIND_gpu_passes && visitor->gpu_pass != NULL)
        return show_passes(capture, records, visitor);
    if (block->kind == LCAP_KIND_gpu_calibrations && visitor->gpu_calibration != NULL)
        return show_calibrations(capture, records, visitor);
    return LUDUS_OK;
}

enum ludus_status trace_capture_show_gpu(struct trace_capture *capture,
                                         const struct trace_visitor *visitor,
                                         struct ludus_error *error)
{
    if (visitor->gpu_frame == NULL && visitor->gpu_pass == NULL && visitor->gpu_calibration == NULL)
        return LUDUS_OK;
    for (uint32_t i = 0; i < capture->gpu.count; i++) {
        struct lcap_item item;
        enum ludus_status status = lcap_reader_read(capture->reader, capture->gpu.items[i], &item);
        if (status != LUDUS_OK)
            return trace_capture_fail(capture, status, error);
        if (item.kind == LCAP_ITEM_BLOCK)
            status = show_block(capture, &item.block, visitor);
        if (status != LUDUS_OK)
            return status;
    }
    return LUDUS_OK;
}
