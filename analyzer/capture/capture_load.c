/* Walks a capture once without decoding events: definitions first, then, when all calibrations are
 * known, the records that have times. */
#include <stdlib.h>

#include "capture_state.h"
#include "clock_residuals.h"
#include "failure.h"
#include "frame_table.h"
#include "gpu_queues.h"
#include "gpu_times.h"
#include "sched_times.h"

bool trace_capture_add_damage(struct trace_capture *capture, uint64_t offset, uint64_t size,
                              const char *reason)
{
    struct trace_model *model = capture->model;
    if (!trace_array_grow(&model->damages, model->damage_count, sizeof *model->damages))
        return false;
    model->damages[model->damage_count++] = (struct trace_damage){offset, size, reason};
    return true;
}

/* What was left out by a repair is no damage of this file. */
static bool has_damage(const struct trace_model *model)
{
    for (uint32_t i = 0; i < model->damage_count; i++)
        if (!trace_damage_is_repaired(&model->damages[i]))
            return true;
    return false;
}

bool trace_capture_is_whole(const struct trace_capture *capture)
{
    return capture->has_trailer && !has_damage(capture->model);
}

static bool take_item(struct trace_capture *capture, const struct lcap_item *item)
{
    struct trace_model *model = capture->model;
    switch (item->kind) {
    case LCAP_ITEM_BLOCK:
        model->blocks++;
        return trace_capture_load_definitions(capture, &item->block);
    case LCAP_ITEM_SKIPPED:
        model->blocks++;
        model->blocks_skipped++;
        return true;
    case LCAP_ITEM_GAP:
        return trace_capture_add_damage(capture, item->offset, 0, "gap");
    case LCAP_ITEM_DAMAGE:
        return trace_capture_add_damage(capture, item->offset, item->size,
                                        lcap_damage_name(item->reason));
    case LCAP_ITEM_UNFINISHED:
        model->unfinished_tail = item->size;
        return true;
    case LCAP_ITEM_FINISHED:
        capture->has_trailer = true;
        return true;
    }
    return true;
}

enum ludus_status trace_capture_fail_load(const struct trace_capture *capture,
                                          struct ludus_error *error)
{
    if (capture->string_bytes > TRACE_MAX_STRING_BYTES)
        return trace_fail(error, LUDUS_ERROR_LIMIT,
                          "%s: holds more than 256 MiB of names; it was not made by a recorder",
                          capture->path);
    return trace_fail_memory(error);
}

static enum ludus_status walk(struct trace_capture *capture, struct ludus_error *error)
{
    struct lcap_item item;
    enum ludus_status status;
    while ((status = lcap_reader_next(capture->reader, false, &item)) == LUDUS_OK) {
        trace_capture_file_tell(capture->file, item.offset);
        if (!take_item(capture, &item))
            return trace_capture_fail_load(capture, error);
    }
    return status == LUDUS_END ? LUDUS_OK : trace_capture_fail(capture, status, error);
}

void trace_capture_set_clocks(struct trace_capture *capture)
{
    uint32_t clock = capture->start_clock;
    uint64_t tick = capture->start_tick;
    if (clock == 0 && capture->model->clock_count != 0) {
        clock = capture->model->clocks[0].id;
        tick = capture->ranges[0].first != UINT64_MAX ? capture->ranges[0].first : 0;
    }
    trace_clock_map_finish(capture->clocks, clock, tick);
}

/* Sets time zero: the session's start, or the first event when that was lost; and where the window
 * begins. False when there is no memory. */
static bool set_zero(struct trace_capture *capture)
{
    struct trace_model *model = capture->model;
    trace_capture_set_clocks(capture);
    for (uint32_t i = 0; i < model->calibration_count; i++)
        model->calibrations[i].time_ns =
            trace_clock_map_host_ns(capture->clocks, model->calibrations[i].time_ns);
    model->has_window = capture->window.clock != 0;
    if (model->has_window)
        model->window_begin_ns =
            trace_capture_ns(capture, capture->window.clock, capture->window.from_tick);
    return trace_clock_residuals_find(model);
}

/* The end of the recording, or the last event known. */
static void set_end(struct trace_capture *capture, const struct lcap_block *end_block)
{
    struct trace_model *model = capture->model;
    struct lcap_end end;
    if (end_block != NULL && lcap_read_end(end_block, &end) == LCAP_DAMAGE_NONE) {
        model->end_ns = trace_capture_ns(capture, end.clock, end.stop_tick);
        if (model->has_window && model->end_ns < model->window_begin_ns)
            model->end_ns = model->window_begin_ns; /* of a forged file */
        model->has_counts = true;
        model->recorded = end.recorded;
        model->dropped = end.dropped;
        capture->has_end = true;
        capture->end = end;
        return;
    }
    model->end_ns = model->window_begin_ns;
    for (uint32_t i = 0; i < model->clock_count; i++) {
        const struct trace_tick_range *range = &capture->ranges[i];
        int64_t last_ns = trace_capture_ns(capture, model->clocks[i].id, range->last);
        if (range->first != UINT64_MAX && last_ns > model->end_ns)
            model->end_ns = last_ns;
    }
}

static enum ludus_status
load_blocks(struct trace_capture *capture, const struct trace_offsets *offsets,
            bool (*load)(struct trace_capture *capture, const struct lcap_block *block),
            struct ludus_error *error)
{
    for (uint32_t i = 0; i < offsets->count; i++) {
        struct lcap_item item;
        enum ludus_status status = lcap_reader_read(capture->reader, offsets->items[i], &item);
        if (status != LUDUS_OK)
            return trace_capture_fail(capture, status, error);
        if (item.kind == LCAP_ITEM_BLOCK && !load(capture, &item.block))
            return trace_fail_memory(error);
    }
    return LUDUS_OK;
}

/* Reads the blocks with times again; the end, the last of them when it is there, first. */
static enum ludus_status load_all_timed(struct trace_capture *capture, struct ludus_error *error)
{
    struct lcap_item item;
    enum ludus_status status;
    bool has_end = false;
    for (uint32_t i = capture->timed.count; i-- > 0 && !has_end;) {
        status = lcap_reader_read(capture->reader, capture->timed.items[i], &item);
        if (status != LUDUS_OK)
            return trace_capture_fail(capture, status, error);
        has_end = item.kind == LCAP_ITEM_BLOCK && item.block.kind == LCAP_KIND_end;
        if (item.block.kind != LCAP_KIND_end)
            break;
    }
    set_end(capture, has_end ? &item.block : NULL);
    status = load_blocks(capture, &capture->timed, trace_capture_load_times, error);
    if (status == LUDUS_OK)
        status = load_blocks(capture, &capture->sched, trace_capture_load_sched, error);
    if (status == LUDUS_OK)
        status = load_blocks(capture, &capture->gpu_facts, trace_capture_load_gpu_facts, error);
    if (status == LUDUS_OK)
        status = trace_capture_load_gpu_samples(capture, error);
    if (status == LUDUS_OK)
        status = load_blocks(capture, &capture->lost, trace_capture_load_times, error);
    return status;
}

static int compare_domains(const void *a, const void *b)
{
    const struct trace_domain *left = a;
    const struct trace_domain *right = b;
    return (left->id > right->id) - (left->id < right->id);
}

/* Without an end block the recording lasted at least as long as its marks, its threads and its
 * samples say. */
static void extend_end(struct trace_capture *capture)
{
    struct trace_model *model = capture->model;
    if (capture->sampled_end_ns > model->end_ns)
        model->end_ns = capture->sampled_end_ns;
    for (uint32_t i = 0; i < model->domain_count; i++) {
        const struct trace_domain *domain = &model->domains[i];
        if (domain->frame_count != 0 &&
            domain->frames[domain->frame_count - 1].begin_ns > model->end_ns)
            model->end_ns = domain->frames[domain->frame_count - 1].begin_ns;
    }
    for (uint32_t i = 0; i < model->track_count; i++)
        if (model->tracks[i].has_ended && model->tracks[i].end_ns > model->end_ns)
            model->end_ns = model->tracks[i].end_ns;
}

static int compare_triggers(const void *a, const void *b)
{
    const struct trace_trigger *left = a;
    const struct trace_trigger *right = b;
    if (left->time_ns != right->time_ns)
        return left->time_ns < right->time_ns ? -1 : 1;
    return (left->frame_number > right->frame_number) - (left->frame_number < right->frame_number);
}

/* By name of id, as the reports show them. False when there is no memory. */
static bool sort_domains(struct trace_capture *capture)
{
    struct trace_model *model = capture->model;
    if (model->domain_count > 1)
        qsort(model->domains, model->domain_count, sizeof *model->domains, compare_domains);
    trace_id_map_clear(&capture->domain_ids);
    for (uint32_t i = 0; i < model->domain_count; i++) {
        if (!trace_id_map_add(&capture->domain_ids, model->domains[i].id, i))
            return false;
        trace_frame_table_finish(&model->domains[i], model);
    }
    return true;
}

/* Until the domains are sorted, triggers name them by their ids in the file. In the file a frame,
 * which is over when it is seen, may stand behind a later call. */
static void resolve_triggers(struct trace_capture *capture)
{
    struct trace_model *model = capture->model;
    for (uint32_t i = 0; i < model->trigger_count; i++) {
        uint32_t id = model->triggers[i].domain;
        model->triggers[i].domain = trace_id_map_find(&capture->domain_ids, id);
    }
    if (model->trigger_count > 1)
        qsort(model->triggers, model->trigger_count, sizeof *model->triggers, compare_triggers);
}

enum ludus_status trace_capture_load(struct trace_capture *capture, struct ludus_error *error)
{
    struct trace_model *model = capture->model;
    model->capture_id = lcap_reader_capture_id(capture->reader);
    model->file_bytes = trace_capture_file_source(capture->file).size;
    enum ludus_status status = walk(capture, error);
    if (status != LUDUS_OK)
        return status;
    if (!set_zero(capture))
        return trace_fail_memory(error);
    status = load_all_timed(capture, error);
    if (status != LUDUS_OK)
        return status;
    if (!sort_domains(capture))
        return trace_fail_memory(error);
    resolve_triggers(capture);
    if (!capture->has_end)
        extend_end(capture);
    for (uint32_t i = 0; i < model->track_count; i++)
        if (!model->tracks[i].has_ended)
            model->tracks[i].end_ns = model->end_ns;
    model->is_finished = capture->has_trailer && !capture->repair.is_not_finished;
    model->unfinished_tail += capture->repair.tail_bytes;
    model->names_replaced = trace_model_count_broken_texts(model);
    if (!trace_model_mark_shared_names(model))
        return trace_fail_memory(error);
    return has_damage(model) && !capture->is_unverified ? trace_capture_find_losses(capture, error)
                                                        : LUDUS_OK;
}
