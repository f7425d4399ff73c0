/* Finds what damage of events blocks cost each track: a segment says how many events of its track
 * came before it, so that what is missing between two segments is known exactly. */
#include <stdlib.h>

#include "capture_state.h"
#include "failure.h"

/* What has been read of a track. */
struct track_progress {
    uint64_t events;
    int64_t last_ns;
    bool is_seen;
};

struct loss_search {
    struct trace_capture *capture;
    struct track_progress *tracks; /* parallel to the model's */
    uint32_t track_capacity;
    int64_t last_damage_ns; /* events after the last damage begin here */
};

static bool reserve_tracks(struct loss_search *search)
{
    uint32_t count = search->capture->model->track_count;
    if (count <= search->track_capacity)
        return true;
    struct track_progress *larger = realloc(search->tracks, count * sizeof *larger);
    if (larger == NULL)
        return false;
    for (uint32_t i = search->track_capacity; i < count; i++)
        larger[i] = (struct track_progress){0};
    search->tracks = larger;
    search->track_capacity = count;
    return true;
}

static bool add_loss(struct trace_model *model, uint32_t track, uint64_t events, int64_t begin_ns,
                     int64_t end_ns)
{
    if (!trace_array_grow(&model->losses, model->loss_count, sizeof *model->losses))
        return false;
    model->losses[model->loss_count++] =
        (struct trace_loss){.events = events,
                            .begin_ns = begin_ns,
                            .end_ns = end_ns > begin_ns ? end_ns : begin_ns,
                            .track = track,
                            .cause = TRACE_LOSS_DAMAGE};
    return true;
}

static bool read_segment(struct loss_search *search, const struct lcap_events *events,
                         const struct lcap_segment *segment)
{
    struct trace_capture *capture = search->capture;
    struct trace_model *model = capture->model;
    uint32_t index = trace_capture_track(capture, segment->track);
    if (index == TRACE_NONE || !reserve_tracks(search))
        return false;
    struct track_progress *track = &search->tracks[index];
    int64_t start_ns =
        trace_clock_map_ns(capture->clocks, events->header.clock, segment->start_tick);
    if (segment->events_before > track->events) {
        int64_t from_ns = track->is_seen ? track->last_ns : model->tracks[index].begin_ns;
        if (!add_loss(model, index, segment->events_before - track->events,
                      from_ns < start_ns ? from_ns : start_ns, start_ns))
            return false;
    }
    track->events = segment->events_before + segment->event_count;
    track->is_seen = true;
    track->last_ns = start_ns;
    if (segment->event_count != 0)
        track->last_ns =
            trace_clock_map_ns(capture->clocks, events->header.clock,
                               events->ticks[segment->first_event + segment->event_count - 1]);
    return true;
}

/* Whether damage lies in the file between the two offsets. */
static bool is_damage_between(const struct trace_model *model, uint64_t from, uint64_t to)
{
    for (uint32_t i = 0; i < model->damage_count; i++)
        if (model->damages[i].offset >= from && model->damages[i].offset < to)
            return true;
    return false;
}

static enum ludus_status read_blocks(struct loss_search *search, struct ludus_error *error)
{
    struct trace_capture *capture = search->capture;
    uint64_t previous = 0;
    for (uint32_t i = 0; i < capture->events.count; i++) {
        struct lcap_item item;
        uint64_t offset = capture->events.items[i];
        enum ludus_status status = lcap_reader_read(capture->reader, offset, &item);
        if (status != LUDUS_OK)
            return trace_capture_fail(capture, status, error);
        const struct lcap_events *events = lcap_reader_events(capture->reader);
        if (events == NULL)
            continue; /* damage that the walk over the headers did not see */
        if (is_damage_between(capture->model, previous, offset)) {
            uint64_t tick = events->segments[0].start_tick;
            for (uint32_t n = 1; n < events->header.segment_count; n++)
                if (events->segments[n].start_tick < tick)
                    tick = events->segments[n].start_tick;
            search->last_damage_ns =
                trace_clock_map_ns(capture->clocks, events->header.clock, tick);
        }
        previous = offset;
        for (uint32_t n = 0; n < events->header.segment_count; n++)
            if (!read_segment(search, events, &events->segments[n]))
                return trace_fail_memory(error);
    }
    if (is_damage_between(capture->model, previous, UINT64_MAX))
        search->last_damage_ns = capture->model->end_ns;
    return LUDUS_OK;
}

/* A track without a segment behind the damage may have lost events there: nobody knows how many. */
static bool add_unknown_losses(struct loss_search *search)
{
    struct trace_model *model = search->capture->model;
    if (!reserve_tracks(search))
        return false;
    for (uint32_t i = 0; i < model->track_count; i++) {
        const struct track_progress *track = &search->tracks[i];
        int64_t from_ns = track->is_seen ? track->last_ns : model->tracks[i].begin_ns;
        int64_t to_ns = search->last_damage_ns;
        if (model->tracks[i].has_ended && model->tracks[i].end_ns < to_ns)
            to_ns = model->tracks[i].end_ns;
        if (from_ns < search->last_damage_ns && from_ns < to_ns &&
            !add_loss(model, i, 0, from_ns, to_ns))
            return false;
    }
    return true;
}

/* Finds damage that only decoding shows. */
static enum ludus_status check_blocks(struct trace_capture *capture, struct ludus_error *error)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < capture->events.count; i++) {
        struct lcap_item item;
        enum ludus_status status =
            lcap_reader_read(capture->reader, capture->events.items[i], &item);
        if (status != LUDUS_OK)
            return trace_capture_fail(capture, status, error);
        if (item.kind == LCAP_ITEM_BLOCK) {
            capture->events.items[kept++] = capture->events.items[i];
            continue;
        }
        struct lcap_events_header header;
        if (lcap_read_events_header(&item.block, &header) == LCAP_DAMAGE_NONE)
            capture->model->events -= header.event_count;
        capture->model->blocks--;
        if (!trace_capture_add_damage(capture, item.offset, item.size,
                                      lcap_damage_name(item.reason)))
            return trace_fail_memory(error);
    }
    capture->events.count = kept;
    return LUDUS_OK;
}

enum ludus_status trace_capture_find_losses(struct trace_capture *capture,
                                            struct ludus_error *error)
{
    struct loss_search search = {.capture = capture, .last_damage_ns = INT64_MIN};
    enum ludus_status status = check_blocks(capture, error);
    if (status == LUDUS_OK)
        status = read_blocks(&search, error);
    if (status == LUDUS_OK && !add_unknown_losses(&search))
        status = trace_fail_memory(error);
    free(search.tracks);
    return status;
}
