/* Cuts a part out of a capture: notes what it needs, then writes that, and then the part. */
#include "trim.h"

#include <stdlib.h>

#include "failure.h"
#include "frame_table.h"
#include "model_facts.h"
#include "trim_state.h"

#define NS_PER_MS INT64_C(1000000)

/* When a recorder does not say it. */
#define FLUSH_INTERVAL_MS 1000u

/* --- noting ---------------------------------------------------------------------------------- */

struct trim_track *trim_track_at(struct trim *trim, uint32_t index)
{
    while (trim->track_count <= index) {
        if (!trace_array_grow(&trim->tracks, trim->track_count, sizeof *trim->tracks))
            return NULL;
        trim->tracks[trim->track_count++] = (struct trim_track){0};
    }
    return &trim->tracks[index];
}

bool trim_use_track(struct trim *trim, uint32_t id)
{
    if (id == 0)
        return true;
    const uint32_t index = trace_capture_track(trim->capture, id);
    struct trim_track *track = index == TRACE_NONE ? NULL : trim_track_at(trim, index);
    if (track == NULL)
        return false;
    track->is_used = true;
    return true;
}

static bool use(struct trace_id_map *set, uint32_t id)
{
    return id == 0 || trace_id_map_find(set, id) != TRACE_NONE || trace_id_map_add(set, id, 0);
}

bool trim_use_string(struct trim *trim, uint32_t string)
{
    return use(&trim->strings, string);
}

bool trim_use_site(struct trim *trim, uint32_t site)
{
    return use(&trim->sites, site);
}

bool trim_use_tick(struct trim *trim, uint32_t clock, uint64_t tick)
{
    return trace_clock_map_need(trim->capture->clocks, clock, tick, tick);
}

const struct trim_ticks *trim_ticks_of(const struct trim *trim, uint32_t clock)
{
    const uint32_t index = trace_clock_map_index(trim->capture->clocks, clock);
    return index < trim->model->clock_count ? &trim->ticks[index] : NULL;
}

/* --- the part -------------------------------------------------------------------------------- */

/* Where the part's frames begin: the frame that is under way then has its mark before the part. */
static void find_marks(struct trim *trim)
{
    for (uint32_t i = 0; i < trim->model->domain_count; i++) {
        const struct trace_domain *domain = &trim->model->domains[i];
        uint32_t first = 0, end = domain->frame_count;
        while (first + 1 < end && domain->frames[first + 1].begin_ns <= trim->from_ns)
            first++;
        while (end > first && !trim->is_to_end && domain->frames[end - 1].begin_ns > trim->to_ns)
            end--;
        /* A mark that lies behind says at least that the domain is there, should its definition be
         * lost. */
        if (end == first && trim->has_end && first < domain->frame_count)
            end++;
        trim->marks[i].is_there = end > first;
        if (end == first)
            continue;
        trim->marks[i].first = domain->frames[first].number;
        trim->marks[i].last = domain->frames[end - 1].number;
    }
}

/* The last moments of a capture that was not finished may lack something on each track: what a
 * thread's last flush would have told. */
static bool is_near_the_end(const struct trim *trim)
{
    uint64_t interval_ms = FLUSH_INTERVAL_MS;
    (void)trace_model_number_fact(trim->model, "recorder.flush_interval_ms", &interval_ms);
    if (interval_ms > UINT32_MAX)
        interval_ms = UINT32_MAX;
    return trim->to_ns > trim->model->end_ns - 2 * (int64_t)interval_ms * NS_PER_MS;
}

static bool set_part(struct trim *trim)
{
    struct trace_model *model = trim->model;
    trim->is_to_end = trim->to_ns == model->end_ns;
    trim->has_end = trim->capture->has_end || !is_near_the_end(trim);
    trim->ticks = calloc((size_t)model->clock_count + 1, sizeof *trim->ticks);
    trim->marks = calloc((size_t)model->domain_count + 1, sizeof *trim->marks);
    trim->gpu_frames = calloc((size_t)model->gpu_queue_count + 1, sizeof *trim->gpu_frames);
    if (trim->ticks == NULL || trim->marks == NULL || trim->gpu_frames == NULL)
        return false;
    for (uint32_t i = 0; i < model->clock_count; i++) {
        const uint32_t clock = model->clocks[i].id;
        trim->ticks[i] = (struct trim_ticks){
            .from = trace_clock_map_tick(trim->capture->clocks, clock, trim->from_ns),
            .to = trace_clock_map_tick(trim->capture->clocks, clock, trim->to_ns)};
    }
    find_marks(trim);
    return true;
}

static bool note_part(struct trim *trim)
{
    struct trace_capture *capture = trim->capture;
    if (trim->clock == 0) /* the session may name a clock that is not there, or be lost itself */
        trim->clock = trim_ticks_of(trim, capture->start_clock) != NULL ? capture->start_clock
                                                                        : trim->model->clocks[0].id;
    const struct trim_ticks *part = trim_ticks_of(trim, trim->clock);
    return trim_use_tick(trim, trim->clock, part->from) &&
           trim_use_tick(trim, trim->clock, part->to) &&
           trim_use_tick(trim, capture->start_clock, capture->start_tick) &&
           (!capture->has_end || trim_use_tick(trim, capture->end.clock, capture->end.stop_tick));
}

static enum ludus_status note_all(struct trim *trim)
{
    if (!set_part(trim))
        return LUDUS_ERROR_MEMORY;
    enum ludus_status status = trim_note_events(trim);
    if (status == LUDUS_OK)
        status = trim_records(trim);
    if (status == LUDUS_OK)
        status = trim_gpu(trim);
    if (status == LUDUS_OK)
        status = trim_put_tracks(trim);
    if (status == LUDUS_OK && !note_part(trim))
        status = LUDUS_ERROR_MEMORY;
    return status;
}

/* --- writing --------------------------------------------------------------------------------- */

static void put_window(struct trim *trim)
{
    const struct lcap_window window = {.from_tick = trim_ticks_of(trim, trim->clock)->from,
                                       .clock = trim->clock};
    struct lcap_bytes block = {0};
    const enum ludus_status status = lcap_encode_window(trim->writer->encoder, &window, &block);
    trace_new_capture_put(trim->writer, status, block);
}

static void put_end(struct trim *trim)
{
    struct lcap_end end = {.stop_tick = trim_ticks_of(trim, trim->clock)->to,
                           .clock = trim->clock,
                           .reason = LCAP_END_WINDOW_OVER};
    struct lcap_bytes block = {0};
    if (!trim->has_end)
        return;
    if (trim->is_to_end)
        end = trim->capture->end;
    end.recorded = trim->recorded;
    end.dropped = trim->dropped;
    const enum ludus_status status = lcap_encode_end(trim->writer->encoder, &end, &block);
    trace_new_capture_put(trim->writer, status, block);
}

/* What the capture lacks the part may lack, too, but what only its last moments may. */
static void put_damage(struct trim *trim)
{
    struct lcap_repair facts = trace_repair_facts(trim->capture);
    if (trim->has_end) {
        facts.is_not_finished = false;
        facts.tail_bytes = 0;
    }
    trace_put_repair(trim->writer, &facts);
    trace_put_lost(trim->writer, trim->model, trim->from_ns, trim->to_ns);
}

static enum ludus_status write_all(struct trim *trim, struct ludus_error *error)
{
    trim->is_writing = true;
    enum ludus_status status = trim_put_definitions(trim, error);
    if (status != LUDUS_OK)
        return status;
    status = trim_put_tracks(trim);
    put_window(trim);
    if (status == LUDUS_OK)
        status = trim_records(trim);
    if (status == LUDUS_OK)
        status = trim_gpu(trim);
    if (status == LUDUS_OK)
        status = trim_put_events(trim);
    put_damage(trim);
    put_end(trim);
    if (status == LUDUS_OK)
        status = trace_new_capture_finish(trim->writer);
    return status == LUDUS_OK ? status : trace_new_capture_fail(status, trim->capture->path, error);
}

static enum ludus_status write_part(struct trim *trim, struct trace_output output,
                                    struct ludus_error *error)
{
    const struct lcap_encoder_config config = {
        .max_site = trim->max_site, .max_events = LCAP_MAX_EVENTS, .compression_level = 3};
    if (lcap_encoder_memory_bytes(&config) == 0)
        return trace_new_capture_fail(LUDUS_ERROR_LIMIT, trim->capture->path, error);
    trim->writer = trace_new_capture_create(output, &config);
    if (trim->writer == NULL)
        return trace_fail_memory(error);
    enum ludus_status status = write_all(trim, error);
    trace_new_capture_destroy(trim->writer);
    return status;
}

static void release(struct trim *trim)
{
    for (uint32_t i = 0; i < trim->track_count; i++)
        free(trim->tracks[i].open);
    trace_id_map_clear(&trim->strings);
    trace_id_map_clear(&trim->sites);
    trace_id_map_clear(&trim->categories);
    trace_counter_times_clear(&trim->counters);
    free(trim->tracks);
    free(trim->amounts);
    free(trim->blocks);
    free(trim->ticks);
    free(trim->marks);
    free(trim->gpu_frames);
}

static bool has_events(const struct trim *trim)
{
    bool has_any = trim->block_count != 0;
    for (uint32_t i = 0; i < trim->track_count && !has_any; i++)
        has_any = trim->tracks[i].open != NULL || trim->tracks[i].first_amount != 0;
    for (uint32_t i = 0; trim->gpu_frames != NULL && i < trim->model->gpu_queue_count; i++)
        has_any = has_any || trim->gpu_frames[i].is_there;
    return has_any;
}

static enum ludus_status cut(const struct trim *part, struct trace_output output, bool *has_any,
                             struct ludus_error *error)
{
    struct trim trim = *part;
    enum ludus_status status = note_all(&trim);
    if (status == LUDUS_OK)
        status = write_part(&trim, output, error);
    else if (status != LUDUS_ERROR_DAMAGED)
        status = trace_capture_fail(trim.capture, status, error);
    *has_any = has_events(&trim);
    release(&trim);
    return status;
}

enum ludus_status trace_trim_capture(struct trace_capture *capture, int64_t from_ns, int64_t to_ns,
                                     const char *window, struct trace_output output, bool *has_any,
                                     struct ludus_error *error)
{
    const struct trim part = {
        .capture = capture,
        .model = capture->model,
        .source = trace_capture_file_source(capture->file),
        .window = window,
        .from_ns =
            from_ns > capture->model->window_begin_ns ? from_ns : capture->model->window_begin_ns,
        .to_ns = to_ns < capture->model->end_ns ? to_ns : capture->model->end_ns};
    if (capture->model->clock_count == 0)
        return trace_fail(error, LUDUS_ERROR_ARGUMENT,
                          "%s: has no clock, so that nothing in it has a time", capture->path);
    if (part.to_ns <= part.from_ns)
        return trace_fail(error, LUDUS_ERROR_ARGUMENT,
                          "%s: window %s: no time of it is in the capture", capture->path, window);
    enum ludus_status status = cut(&part, output, has_any, error);
    if (status != LUDUS_ERROR_DAMAGED)
        return status;
    /* A block is faulty, which only decoding shows: it is damage like any other. */
    if (!capture->is_decoded)
        status = trace_capture_find_losses(capture, error);
    else
        return trace_capture_fail(capture, LUDUS_ERROR_OPEN, error); /* it changes meanwhile */
    if (status == LUDUS_OK)
        status = cut(&part, output, has_any, error);
    return status != LUDUS_ERROR_DAMAGED ? status
                                         : trace_capture_fail(capture, LUDUS_ERROR_OPEN, error);
}
