/* Reads queues of GPUs back from a database, and how their measurements came out. */
#include "database_model_loader.h"

static uint32_t read_gpu_track(struct trace_select *select, int column)
{
    const uint32_t track = trace_column_index(
        select, column, trace_model_loader_of(select)->track_base, select->model->track_count);

    if (track == TRACE_NONE)
        select->status = SQLITE_CORRUPT;
    return track;
}

static void read_gpu_queue(struct trace_select *select, void *element)
{
    struct trace_gpu_queue *queue = element;

    queue->track = read_gpu_track(select, 0);
    queue->backend = trace_column_text(select, 1);
    queue->device = trace_column_text(select, 2);
    queue->name = trace_column_text(select, 3);
    queue->generation = trace_column_u32(select, 4);
    queue->valid_bits = trace_column_u32(select, 5);
    queue->period_fs = trace_column_count(select, 6);
    queue->pass_reason = trace_column_text(select, 7);
    queue->calibration_reason = trace_column_text(select, 8);
}

static void read_gpu_count(struct trace_select *select, void *element)
{
    struct trace_gpu_count *count = element;

    count->track = read_gpu_track(select, 0);
    count->subject = trace_column_number(select, 1, TRACE_NAME_GPU_SUBJECT);
    count->outcome = trace_column_number(select, 2, TRACE_NAME_GPU_OUTCOME);
    count->count = trace_column_count(select, 3);
}

void trace_model_load_gpu(struct trace_model_loader *loader)
{
    struct trace_select *select = &loader->select;
    struct trace_model *model = select->model;

    TRACE_LOAD_ROWS(
        "gpu_queue",
        "track_id, backend, device, name, generation, valid_bits, period_fs, pass_reason, "
        "calibration_reason",
        "gpu_queue_id", read_gpu_queue, model->gpu_queues, model->gpu_queue_count);
    TRACE_LOAD_ROWS("gpu_count", "track_id, subject, outcome, count", "rowid", read_gpu_count,
                    model->gpu_counts, model->gpu_count_count);
}
