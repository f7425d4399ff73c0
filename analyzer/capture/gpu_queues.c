/* Takes queues of GPUs, and counts of what became of their work, from a capture. */
#include "gpu_queues.h"

#include <string.h>

#include "capture_state.h"

/* A recorder has at most 32 queues, and counts some 20 outcomes of 3 subjects on each. More are of
 * a forged file, and left out. */
#define MOST_QUEUES 256u
#define MOST_COUNTS 16384u

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

bool trace_capture_load_gpu_facts(struct trace_capture *capture, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_gpu_queue queue;
    struct lcap_gpu_count count;
    bool is_taken = true;
    if (block->kind == LCAP_KIND_gpu_queues)
        while (is_taken && lcap_next_gpu_queue(&records, &queue))
            is_taken = add_queue(capture, &queue);
    else
        while (is_taken && lcap_next_gpu_count(&records, &count))
            is_taken = add_count(capture, &count);
    return is_taken;
}
