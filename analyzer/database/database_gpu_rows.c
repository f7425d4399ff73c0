/* Shows the rows of gpu_frame, gpu_pass and gpu_calibration. */
#include "database_gpu_rows.h"

#include "lcap_layout.h"

struct gpu_rows {
    struct trace_select *select;
    const struct trace_model *model;
    const struct trace_visitor *visitor;
    int64_t track_base, site_base;
};

static void refuse(struct gpu_rows *rows)
{
    if (rows->select->status == SQLITE_OK)
        rows->select->status = SQLITE_CORRUPT;
}

static uint32_t read_index(struct gpu_rows *rows, int column, int64_t base, uint32_t count)
{
    const uint32_t index = trace_column_index(rows->select, column, base, count);

    if (index == TRACE_NONE)
        refuse(rows);
    return index;
}

static uint32_t read_track(struct gpu_rows *rows)
{
    return read_index(rows, 0, rows->track_base, rows->model->track_count);
}

/* The columns that frames and passes have in common, from `first` on. */
#define TIME_COLUMNS "validity, duration_ns, begin_ns, uncertainty_ns, submitted_ns, collected_ns"

static struct trace_gpu_time read_time(struct gpu_rows *rows, int first)
{
    struct trace_select *select = rows->select;
    struct trace_gpu_time time = {
        .duration_ns = -1,
        .submit_ns = trace_column_time(select, first + 4),
        .collect_ns = trace_column_time(select, first + 5),
        .outcome = trace_column_number(select, first, TRACE_NAME_GPU_OUTCOME),
        .has_begin = sqlite3_column_type(select->row, first + 2) != SQLITE_NULL};
    const bool has_duration = sqlite3_column_type(select->row, first + 1) != SQLITE_NULL;

    if (has_duration)
        time.duration_ns = trace_column_integer(select, first + 1);
    if (time.has_begin) {
        time.begin_ns = trace_column_time(select, first + 2);
        time.uncertainty_ns = trace_column_u32(select, first + 3);
    }
    if (has_duration != (time.outcome == LCAP_GPU_VALID) ||
        (has_duration && time.duration_ns < 0) || (time.has_begin && !has_duration))
        refuse(rows);
    return time;
}

static const char frame_sql[] = "SELECT track_id, number, method, " TIME_COLUMNS
                                " FROM gpu_frame WHERE capture_id = ?1 ORDER BY gpu_frame_id";

static enum ludus_status show_frame(struct gpu_rows *rows)
{
    struct trace_select *select = rows->select;
    const struct trace_gpu_frame frame = {
        .time = read_time(rows, 3),
        .number = trace_column_count(select, 1),
        .track = read_track(rows),
        .method = trace_column_number(select, 2, TRACE_NAME_GPU_METHOD)};

    if (select->status != SQLITE_OK)
        return LUDUS_OK;
    return rows->visitor->gpu_frame(rows->visitor->context, rows->model, &frame);
}

static const char pass_sql[] =
    "SELECT track_id, frame_number, site_id, ordinal, operation, "
    "logical_passes, " TIME_COLUMNS " FROM gpu_pass WHERE capture_id = ?1 ORDER BY gpu_pass_id";

static enum ludus_status show_pass(struct gpu_rows *rows)
{
    struct trace_select *select = rows->select;
    const struct trace_gpu_pass pass = {
        .time = read_time(rows, 6),
        .frame = trace_column_count(select, 1),
        .track = read_track(rows),
        .site = read_index(rows, 2, rows->site_base, rows->model->site_count),
        .ordinal = trace_column_u32(select, 3),
        .operation = trace_column_number(select, 4, TRACE_NAME_GPU_OPERATION),
        .logical_passes = trace_column_u32(select, 5)};

    if (select->status != SQLITE_OK)
        return LUDUS_OK;
    return rows->visitor->gpu_pass(rows->visitor->context, rows->model, &pass);
}

static const char calibration_sql[] =
    "SELECT track_id, frame_number, mapping, uncertainty_ns, begin_tick, end_tick, begin_ns, end_ns"
    " FROM gpu_calibration WHERE capture_id = ?1 ORDER BY gpu_calibration_id";

static enum ludus_status show_calibration(struct gpu_rows *rows)
{
    struct trace_select *select = rows->select;
    const struct trace_gpu_calibration calibration = {
        .frame = trace_column_count(select, 1),
        .device_ticks = {trace_column_count(select, 4), trace_column_count(select, 5)},
        .host_ns = {trace_column_time(select, 6), trace_column_time(select, 7)},
        .track = read_track(rows),
        .mapping = trace_column_number(select, 2, TRACE_NAME_GPU_MAPPING),
        .uncertainty_ns = trace_column_u32(select, 3)};

    if (select->status != SQLITE_OK)
        return LUDUS_OK;
    return rows->visitor->gpu_calibration(rows->visitor->context, rows->model, &calibration);
}

static enum ludus_status show_rows(struct gpu_rows *rows, const char *sql,
                                   enum ludus_status (*show)(struct gpu_rows *rows))
{
    struct trace_select *select = rows->select;
    enum ludus_status status = LUDUS_OK;

    if (select->status == SQLITE_OK)
        select->status = sqlite3_prepare_v2(select->connection, sql, -1, &select->row, NULL);
    if (select->status != SQLITE_OK)
        return LUDUS_OK;
    select->status = sqlite3_bind_int64(select->row, 1, select->capture);
    while (select->status == SQLITE_OK && status == LUDUS_OK &&
           sqlite3_step(select->row) == SQLITE_ROW)
        status = show(rows);
    int ended = sqlite3_finalize(select->row);
    select->row = NULL;
    if (select->status == SQLITE_OK && status == LUDUS_OK)
        select->status = ended;
    return status;
}

enum ludus_status trace_database_show_gpu(struct trace_select *select,
                                          const struct trace_model *model,
                                          const struct trace_visitor *visitor, int64_t track_base,
                                          int64_t site_base)
{
    struct gpu_rows rows = {select, model, visitor, track_base, site_base};
    enum ludus_status status = LUDUS_OK;

    if (visitor->gpu_frame != NULL)
        status = show_rows(&rows, frame_sql, show_frame);
    if (status == LUDUS_OK && visitor->gpu_pass != NULL)
        status = show_rows(&rows, pass_sql, show_pass);
    if (status == LUDUS_OK && visitor->gpu_calibration != NULL)
        status = show_rows(&rows, calibration_sql, show_calibration);
    return status;
}
