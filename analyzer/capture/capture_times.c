/* Takes the records of a capture that have times: tracks, frame marks, losses, diagnostics and
 * triggers. By then all calibrations are known. Every function returns false when there is no
 * memory. */
#include "capture_state.h"
#include "frame_table.h"

#define NS_PER_SECOND INT64_C(1000000000)

int64_t trace_capture_ns(const struct trace_capture *capture, uint32_t clock, uint64_t tick)
{
    return trace_clock_map_ns(capture->clocks, clock, tick);
}

uint32_t trace_capture_track(struct trace_capture *capture, uint32_t id)
{
    struct trace_model *model = capture->model;
    uint32_t index = trace_id_map_find(&capture->track_ids, id);
    if (index != TRACE_NONE || id == 0)
        return index;
    if (!trace_array_grow(&model->tracks, model->track_count, sizeof *model->tracks) ||
        !trace_id_map_add(&capture->track_ids, id, model->track_count))
        return TRACE_NONE;
    model->tracks[model->track_count] = (struct trace_track){.id = id,
                                                             .kind = LCAP_TRACK_THREAD,
                                                             .name = {"", 0},
                                                             .begin_ns = model->window_begin_ns,
                                                             .end_ns = model->end_ns};
    return model->track_count++;
}

static bool load_tracks(struct trace_capture *capture, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_track record;
    while (lcap_next_track(&records, &record)) {
        uint32_t index = trace_capture_track(capture, record.track);
        if (index == TRACE_NONE)
            return false;
        struct trace_track *track = &capture->model->tracks[index];
        if (!trace_capture_text_of(capture, record.name, &track->name))
            return false;
        track->kind = record.kind;
        track->is_defined = true;
        track->os_id = record.os_id;
        track->begin_ns = trace_capture_ns(capture, record.clock, record.begin_tick);
        track->has_ended = record.end_tick != 0;
        if (track->has_ended)
            track->end_ns = trace_capture_ns(capture, record.clock, record.end_tick);
    }
    return true;
}

bool trace_capture_find_domain(struct trace_capture *capture, uint32_t id, uint32_t *index)
{
    *index = trace_id_map_find(&capture->domain_ids, id);
    if (*index != TRACE_NONE)
        return true;
    /* UINT32_MAX is no string's id in practice: the name says that it was lost. */
    if (!trace_capture_add_domain(capture, id, UINT32_MAX))
        return false;
    *index = capture->model->domain_count - 1;
    return true;
}

static bool load_frames(struct trace_capture *capture, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_frame_mark mark;
    while (lcap_next_frame_mark(&records, &mark)) {
        uint32_t index;
        uint32_t track = trace_capture_track(capture, mark.track);
        if ((track == TRACE_NONE && mark.track != 0) ||
            !trace_capture_find_domain(capture, mark.domain, &index) ||
            !trace_frame_table_add(&capture->model->domains[index], mark.ordinal,
                                   trace_capture_ns(capture, mark.clock, mark.tick), track))
            return false;
    }
    return true;
}

bool trace_capture_add_loss(struct trace_capture *capture, const struct lcap_loss *loss)
{
    struct trace_model *model = capture->model;
    uint32_t track = trace_capture_track(capture, loss->track);
    if ((track == TRACE_NONE && loss->track != 0) ||
        !trace_array_grow(&model->losses, model->loss_count, sizeof *model->losses))
        return false;
    model->losses[model->loss_count++] =
        (struct trace_loss){.counts = loss->counts,
                            .begin_ns = trace_capture_ns(capture, loss->clock, loss->first_tick),
                            .end_ns = trace_capture_ns(capture, loss->clock, loss->last_tick),
                            .track = track,
                            .cause = loss->cause};
    return true;
}

/* Enters a loss that damage has cost. */
static bool add_lost(struct trace_capture *capture, const struct lcap_lost *lost)
{
    struct trace_model *model = capture->model;
    uint32_t track = trace_capture_track(capture, lost->track);
    if ((track == TRACE_NONE && lost->track != 0) ||
        !trace_array_grow(&model->losses, model->loss_count, sizeof *model->losses))
        return false;
    model->losses[model->loss_count++] = (struct trace_loss){.events = lost->events,
                                                             .begin_ns = lost->begin_ns,
                                                             .end_ns = lost->end_ns,
                                                             .track = track,
                                                             .cause = TRACE_LOSS_DAMAGE};
    return true;
}

static bool load_lost(struct trace_capture *capture, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_lost lost;
    while (lcap_next_lost(&records, &lost))
        if (!add_lost(capture, &lost))
            return false;
    return true;
}

static bool load_losses(struct trace_capture *capture, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_loss loss;
    while (lcap_next_loss(&records, &loss))
        if (!trace_capture_add_loss(capture, &loss))
            return false;
    return true;
}

static bool load_diagnostics(struct trace_capture *capture, const struct lcap_block *block)
{
    struct trace_model *model = capture->model;
    struct lcap_records records = lcap_records_of(block);
    struct lcap_diagnostic diagnostic;
    while (lcap_next_diagnostic(&records, &diagnostic)) {
        struct trace_diagnostic copy = {
            .count = diagnostic.count,
            .time_ns = trace_capture_ns(capture, diagnostic.clock, diagnostic.tick),
            .code = diagnostic.code,
            .track = trace_capture_track(capture, diagnostic.track)};
        if (!trace_capture_copy_bytes(capture, diagnostic.text, &copy.text) ||
            !trace_array_grow(&model->diagnostics, model->diagnostic_count,
                              sizeof *model->diagnostics))
            return false;
        model->diagnostics[model->diagnostic_count++] = copy;
    }
    return true;
}

/* How long so many ticks are that end at the tick. */
static int64_t span_ns(const struct trace_capture *capture, uint32_t clock, uint64_t tick,
                       uint64_t ticks)
{
    uint64_t begin_tick = ticks < tick ? tick - ticks : 0;
    return trace_capture_ns(capture, clock, tick) - trace_capture_ns(capture, clock, begin_tick);
}

/* So many ticks at the clock's nominal rate, with which a recorder makes ticks of a setting. */
static int64_t nominal_ns(const struct trace_capture *capture, uint32_t clock, uint64_t ticks)
{
    const struct lcap_clock *facts = lcap_reader_clock(capture->reader, clock);
    if (facts == NULL)
        return 0;
    uint64_t seconds = ticks / facts->ticks_per_second;
    if (seconds >= INT64_MAX / NS_PER_SECOND)
        return INT64_MAX;
    double rest = (double)(ticks % facts->ticks_per_second) / (double)facts->ticks_per_second;
    return (int64_t)seconds * NS_PER_SECOND + (int64_t)(rest * (double)NS_PER_SECOND + 0.5);
}

static bool load_triggers(struct trace_capture *capture, const struct lcap_block *block)
{
    struct trace_model *model = capture->model;
    struct lcap_records records = lcap_records_of(block);
    struct lcap_trigger trigger;
    while (lcap_next_trigger(&records, &trigger)) {
        struct trace_trigger copy = {
            .frame_number = trigger.ordinal,
            .duration_ns = span_ns(capture, trigger.clock, trigger.tick, trigger.duration_ticks),
            .limit_ns = nominal_ns(capture, trigger.clock, trigger.limit_ticks),
            .time_ns = trace_capture_ns(capture, trigger.clock, trigger.tick),
            .cause = trigger.cause,
            .domain = trigger.domain};
        if (!trace_capture_copy_bytes(capture, trigger.text, &copy.text) ||
            !trace_array_grow(&model->triggers, model->trigger_count, sizeof *model->triggers))
            return false;
        uint32_t index; /* the domain is there; domains are sorted later: resolve_triggers */
        if (trigger.domain != 0 && !trace_capture_find_domain(capture, trigger.domain, &index))
            return false;
        model->triggers[model->trigger_count++] = copy;
    }
    return true;
}

bool trace_capture_load_times(struct trace_capture *capture, const struct lcap_block *block)
{
    switch (block->kind) {
    case LCAP_KIND_tracks:
        return load_tracks(capture, block);
    case LCAP_KIND_frames:
        return load_frames(capture, block);
    case LCAP_KIND_losses:
        return load_losses(capture, block);
    case LCAP_KIND_diagnostics:
        return load_diagnostics(capture, block);
    case LCAP_KIND_triggers:
        return load_triggers(capture, block);
    case LCAP_KIND_lost:
        return load_lost(capture, block);
    default: /* the end is read before the others */
        return true;
    }
}
