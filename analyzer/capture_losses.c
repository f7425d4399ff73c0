/* Finds what damage of events blocks cost each track. A segment says how many events of its track
 * came before it, so that what is missing between two segments is known exactly. A block, and an
 * index, say how many events came before in all, so that it is known whether more is missing: then
 * the tracks that had no segment later are the ones that may have lost it. */
#include "capture_losses.h"

#include <stdlib.h>

#include "failure.h"

static bool reserve_tracks(struct trace_loss_search *search)
{
    uint32_t count = search->capture->model->track_count;
    if (count <= search->track_capacity)
        return true;
    struct trace_track_progress *larger = realloc(search->tracks, count * sizeof *larger);
    if (larger == NULL)
        return false;
    for (uint32_t i = search->track_capacity; i < count; i++)
        larger[i] = (struct trace_track_progress){0};
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

static bool read_segment(struct trace_loss_search *search, const struct lcap_events *events,
                         const struct lcap_segment *segment)
{
    struct trace_capture *capture = search->capture;
    struct trace_model *model = capture->model;
    uint32_t index = trace_capture_track(capture, segment->track);
    if (index == TRACE_NONE || !reserve_tracks(search))
        return false;
    struct trace_track_progress *track = &search->tracks[index];
    int64_t start_ns =
        trace_clock_map_ns(capture->clocks, events->header.clock, segment->start_tick);
    if (search->is_partial && !track->is_seen) {
        /* What came before is not looked at, unless it may have been in the damage. */
        if (search->is_torn && segment->events_before != 0 && start_ns > search->from_ns &&
            !add_loss(model, index, 0, search->from_ns, start_ns))
            return false;
    } else if (segment->events_before > track->events) {
        uint64_t lost = segment->events_before - track->events;
        int64_t from_ns = track->is_seen ? track->last_ns : model->tracks[index].begin_ns;
        search->told += lost;
        if (!add_loss(model, index, lost, from_ns < start_ns ? from_ns : start_ns, start_ns))
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

bool trace_loss_search_add(struct trace_loss_search *search, const struct lcap_events *events)
{
    for (uint32_t i = 0; i < events->header.segment_count; i++)
        if (!read_segment(search, events, &events->segments[i]))
            return false;
    return true;
}

/* Damage that only decoding shows: the block is no longer one of the capture's. */
static bool drop_block(struct trace_capture *capture, const struct lcap_item *item)
{
    struct lcap_events_header header;
    if (lcap_read_events_header(&item->block, &header) == LCAP_DAMAGE_NONE)
        capture->model->events -= header.event_count;
    capture->model->blocks--;
    return trace_capture_add_damage(capture, item->offset, item->size,
                                    lcap_damage_name(item->reason));
}

/* How many events are missing before a place up to which there were `total`. */
static void note_total(struct trace_loss_search *search, uint64_t total)
{
    if (total > search->seen && total - search->seen > search->missing)
        search->missing = total - search->seen;
}

static enum ludus_status read_blocks(struct trace_loss_search *search, struct ludus_error *error)
{
    struct trace_capture *capture = search->capture;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < capture->events.count; i++) {
        struct lcap_item item;
        uint64_t offset = capture->events.items[i];
        enum ludus_status status = lcap_reader_read(capture->reader, offset, &item);
        if (status != LUDUS_OK)
            return trace_capture_fail(capture, status, error);
        const struct lcap_events *events = lcap_reader_events(capture->reader);
        if (events == NULL) {
            if (!drop_block(capture, &item))
                return trace_fail_memory(error);
            continue;
        }
        capture->events.items[kept++] = offset;
        note_total(search, events->header.first_event);
        search->seen += events->header.event_count;
        if (!trace_loss_search_add(search, events))
            return trace_fail_memory(error);
    }
    capture->events.count = kept;
    return LUDUS_OK;
}

/* Whether damage lies in the file behind the offset. */
static bool is_damage_behind(const struct trace_model *model, uint64_t offset)
{
    for (uint32_t i = 0; i < model->damage_count; i++)
        if (model->damages[i].offset > offset)
            return true;
    return false;
}

/* What lies behind the last events block is told by the index, when it is whole. */
static void note_end(struct trace_loss_search *search)
{
    const struct trace_capture *capture = search->capture;
    const struct trace_index_chain *index = &capture->index;
    bool is_indexed = !index->is_broken && index->last_offset != 0;
    uint64_t known_until =
        capture->events.count == 0 ? 0 : capture->events.items[capture->events.count - 1];
    if (is_indexed) {
        note_total(search, index->events);
        if (index->last_offset > known_until)
            known_until = index->last_offset;
    }
    search->is_missing_unknown = is_damage_behind(capture->model, known_until);
}

/* What is missing beside the gaps between segments is missing at the tracks' ends; how much of it
 * at which is not known. */
static bool add_losses_at_ends(struct trace_loss_search *search)
{
    struct trace_model *model = search->capture->model;
    uint64_t missing = search->missing > search->told ? search->missing - search->told : 0;
    if (missing == 0 && !search->is_missing_unknown)
        return true;
    if (model->track_count == 0)
        return add_loss(model, TRACE_NONE, missing, 0, model->end_ns);
    if (!reserve_tracks(search))
        return false;
    for (uint32_t i = 0; i < model->track_count; i++) {
        const struct trace_track_progress *track = &search->tracks[i];
        int64_t from_ns = track->is_seen ? track->last_ns : model->tracks[i].begin_ns;
        if (!add_loss(model, i, 0, from_ns, model->tracks[i].end_ns))
            return false;
    }
    return true;
}

enum ludus_status trace_capture_find_losses(struct trace_capture *capture,
                                            struct ludus_error *error)
{
    struct trace_loss_search search = {.capture = capture};
    capture->is_decoded = true;
    enum ludus_status status = read_blocks(&search, error);
    if (status == LUDUS_OK) {
        note_end(&search);
        if (!add_losses_at_ends(&search))
            status = trace_fail_memory(error);
    }
    free(search.tracks);
    return status;
}
