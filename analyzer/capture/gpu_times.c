/* Takes GPU samples from a capture. */
#include "gpu_times.h"

#include "capture_state.h"
#include "failure.h"

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

bool trace_capture_note_gpu(struct trace_capture *capture, const struct lcap_block *block)
{
    struct trace_gpu_blocks *blocks = &capture->gpu;
    if (!trace_array_grow(&blocks->items, blocks->count, sizeof *blocks->items))
        return false;
    blocks->items[blocks->count++] = (struct trace_gpu_block){block->offset, block->kind};
    return true;
}

static bool load_frames(struct trace_capture *capture, struct lcap_records records)
{
    struct lcap_gpu_frame frame;
    while (lcap_next_gpu_frame(&records, &frame)) {
        if (trace_capture_track(capture, frame.track) == TRACE_NONE)
            return false;
        reach(capture, frame.clock, &frame.time);
    }
    return true;
}

static bool load_passes(struct trace_capture *capture, struct lcap_records records)
{
    struct lcap_gpu_pass pass;
    while (lcap_next_gpu_pass(&records, &pass)) {
        if (trace_capture_track(capture, pass.track) == TRACE_NONE ||
            trace_capture_site(capture, pass.site) == TRACE_NONE)
            return false;
        reach(capture, pass.clock, &pass.time);
    }
    return true;
}

/* Their tracks may be those of nothing else, when the rest was lost. */
static bool load_calibrations(struct trace_capture *capture, struct lcap_records records)
{
    struct lcap_gpu_calibration calibration;
    while (lcap_next_gpu_calibration(&records, &calibration))
        if (trace_capture_track(capture, calibration.track) == TRACE_NONE)
            return false;
    return true;
}

static uint64_t kind_of(bool is_wanted, enum lcap_block_kind kind)
{
    return is_wanted ? UINT64_C(1) << kind : 0;
}

/* What is done with a block of samples; `context` is what the look is for. */
typedef enum ludus_status (*use_block)(struct trace_capture *capture,
                                       const struct lcap_block *block, const void *context);

/* Reads the blocks of the kinds of which `kinds` has the bit: a visitor often wants frames alone.
 */
static enum ludus_status read_blocks(struct trace_capture *capture, uint64_t kinds, use_block use,
                                     const void *context, struct ludus_error *error)
{
    for (uint32_t i = 0; i < capture->gpu.count; i++) {
        const struct trace_gpu_block *block = &capture->gpu.items[i];
        struct lcap_item item;
        if ((kinds >> block->kind & 1u) == 0)
            continue;
        enum ludus_status status = lcap_reader_read(capture->reader, block->offset, &item);
        if (status != LUDUS_OK)
            return trace_capture_fail(capture, status, error);
        if (item.kind == LCAP_ITEM_BLOCK)
            status = use(capture, &item.block, context);
        if (status != LUDUS_OK)
            return status;
    }
    return LUDUS_OK;
}

static enum ludus_status load_block(struct trace_capture *capture, const struct lcap_block *block,
                                    const void *context)
{
    const struct lcap_records records = lcap_records_of(block);
    (void)context;
    const bool is_loaded = block->kind == LCAP_KIND_gpu_frames ? load_frames(capture, records)
                           : block->kind == LCAP_KIND_gpu_passes
                               ? load_passes(capture, records)
                               : load_calibrations(capture, records);
    return is_loaded ? LUDUS_OK : LUDUS_ERROR_MEMORY;
}

enum ludus_status trace_capture_load_gpu_samples(struct trace_capture *capture,
                                                 struct ludus_error *error)
{
    const enum ludus_status status = read_blocks(capture, UINT64_MAX, load_block, NULL, error);
    return status == LUDUS_ERROR_MEMORY ? trace_fail_memory(error) : status;
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
                                    const void *context)
{
    const struct lcap_records records = lcap_records_of(block);
    if (block->kind == LCAP_KIND_gpu_frames)
        return show_frames(capture, records, context);
    if (block->kind == LCAP_KIND_gpu_passes)
        return show_passes(capture, records, context);
    return show_calibrations(capture, records, context);
}

enum ludus_status trace_capture_show_gpu(struct trace_capture *capture,
                                         const struct trace_visitor *visitor,
                                         struct ludus_error *error)
{
    return read_blocks(capture,
                       kind_of(visitor->gpu_frame != NULL, LCAP_KIND_gpu_frames) |
                           kind_of(visitor->gpu_pass != NULL, LCAP_KIND_gpu_passes) |
                           kind_of(visitor->gpu_calibration != NULL, LCAP_KIND_gpu_calibrations),
                       show_block, visitor, error);
}
