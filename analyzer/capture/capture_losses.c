/* Finds what damage of events blocks cost each track. A segment says how many events of its track
 * came before it, so that what is missing between two segments is known exactly. A block, and an
 * index, say how many events came before in all, so that it is known whether more is missing: then
 * the tracks that had no segment later are the ones that may have lost it. A capture of a part of a
 * recording has nothing before its window, and that is no loss. */
#include "capture_losses.h"

#include <stdlib.h>
#include <string.h>

#include "decode_ahead.h"
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

static int compare_numbers(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare_losses(const void *a, const void *b)
{
    const struct trace_loss *left = a;
    const struct trace_loss *right = b;
    int order = compare_numbers(left->track, right->track);
    if (order == 0)
        order = compare_numbers(left->begin_ns, right->begin_ns);
    if (order == 0)
        order = compare_numbers(left->end_ns, right->end_ns);
    if (order == 0)
        order = (left->events > right->events) - (left->events < right->events);
    return order != 0 ? order : compare_numbers(left->cause, right->cause);
}

/* A repaired capture that was damaged anew tells of old losses itself. False when there is no
 * memory. */
static bool note_told(struct trace_loss_search *search)
{
    const struct trace_model *model = search->capture->model;
    if (!search->capture->has_repair || model->loss_count == 0)
        return true;
    search->told_before = malloc(model->loss_count * sizeof *search->told_before);
    if (search->told_before == NULL)
        return false;
    search->told_before_count = model->loss_count;
    memcpy(search->told_before, model->losses, model->loss_count * sizeof *model->losses);
    qsort(search->told_before, model->loss_count, sizeof *search->told_before, compare_losses);
    return true;
}

static bool is_told(const struct trace_loss_search *search, const struct trace_loss *loss)
{
    return search->told_before_count != 0 &&
           bsearch(loss, search->told_before, search->told_before_count, sizeof *loss,
                   compare_losses) != NULL;
}

static bool add_loss(const struct trace_loss_search *search, uint32_t track, uint64_t events,
                     int64_t begin_ns, int64_t end_ns)
{
    struct trace_model *model = search->capture->model;
    if (!trace_array_grow(&model->losses, model->loss_count, sizeof *model->losses))
        return false;
    const struct trace_loss loss = {.events = events,
                                    .begin_ns = begin_ns,
                                    .end_ns = end_ns > begin_ns ? end_ns : begin_ns,
                                    .track = track,
                                    .cause = TRACE_LOSS_DAMAGE};
    if (!is_told(search, &loss))
        model->losses[model->loss_count++] = loss;
    return true;
}

/* The earliest time at which the capture may have something of a track. */
static int64_t earliest_ns(const struct trace_model *model, uint32_t track)
{
    int64_t begin_ns = model->tracks[track].begin_ns;
    if (!model->has_window) /* without its session, time zero may be behind the begin */
        return begin_ns;
    return begin_ns > model->window_begin_ns ? begin_ns : model->window_begin_ns;
}

/* Events of a track that come before a segment and after what was read of it are lost: but not
 * those before its first segment in a part of a recording, which may be before the part. */
static bool read_events_before(struct trace_loss_search *search, uint32_t index,
                               const struct lcap_segment *segment, uint64_t offset,
                               int64_t start_ns)
{
    struct trace_model *model = search->capture->model;
    struct trace_track_progress *track = &search->tracks[index];
    if (search->is_partial && !track->is_seen)
        /* What came before is not looked at, unless it may have been in the damage. */
        return !search->is_torn || segment->events_before == 0 || start_ns <= search->from_ns ||
               add_loss(search, index, 0, search->from_ns, start_ns);
    if (segment->events_before <= track->events)
        return true;
    if (model->has_window && !track->is_seen) {
        track->is_first_unsure = search->first_damage <= offset;
        track->first_ns = start_ns;
        return true;
    }
    uint64_t lost = segment->events_before - track->events;
    int64_t from_ns = track->is_seen ? track->last_ns : earliest_ns(model, index);
    search->told += lost;
    return add_loss(search, index, lost, from_ns < start_ns ? from_ns : start_ns, start_ns);
}

static bool read_segment(struct trace_loss_search *search, const struct lcap_events *events,
                         const struct lcap_segment *segment, uint64_t offset)
{
    struct trace_capture *capture = search->capture;
    uint32_t index = trace_capture_track(capture, segment->track);
    if (index == TRACE_NONE || !reserve_tracks(search))
        return false;
    struct trace_track_progress *track = &search->tracks[index];
    int64_t start_ns =
        trace_clock_map_ns(capture->clocks, events->header.clock, segment->start_tick);
    if (!read_events_before(search, index, segment, offset, start_ns))
        return false;
    track->last_offset = offset;
    track->events = segment->events_before + segment->event_count;
    track->is_seen = true;
    track->last_ns = start_ns;
    if (segment->event_count != 0)
        track->last_ns =
            trace_clock_map_ns(capture->clocks, events->header.clock,
                               events->ticks[segment->first_event + segment->event_count - 1]);
    return true;
}

bool trace_loss_search_add(struct trace_loss_search *search, const struct lcap_events *events,
                           uint64_t offset)
{
    for (uint32_t i = 0; i < events->header.segment_count; i++)
        if (!read_segment(search, events, &events->segments[i], offset))
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

/* How many events are missing before a place up to which the capture had `total`. */
static void note_total(struct trace_loss_search *search, uint64_t total)
{
    if (total > search->seen && total - search->seen > search->missing)
        search->missing = total - search->seen;
}

/* A part of a recording leaves out what came before it. How much that is, its first block of events
 * says. What damage in front of that held, only the index tells (note_end). */
static void note_base(struct trace_loss_search *search, const struct lcap_block *first)
{
    const struct trace_capture *capture = search->capture;
    const struct trace_index_chain *index = &capture->index;
    struct lcap_events_header header;
    if (!capture->model->has_window || lcap_read_events_header(first, &header) != LCAP_DAMAGE_NONE)
        return;
    search->base = header.first_event;
    if (search->first_damage > first->offset)
        return;
    search->is_base_unknown = index->is_broken || index->last_offset == 0;
}

static void note_damage(struct trace_loss_search *search, uint64_t offset)
{
    search->first_damage = offset < search->first_damage ? offset : search->first_damage;
    search->last_damage = offset > search->last_damage ? offset : search->last_damage;
}

/* Takes the next events block, good or not. False when there is no memory. */
static bool read_block(struct trace_loss_search *search, const struct lcap_item *item,
                       const struct lcap_events *events)
{
    if (events == NULL) {
        note_damage(search, item->offset);
        return drop_block(search->capture, item);
    }
    if (events->header.first_event > search->base)
        note_total(search, events->header.first_event - search->base);
    search->seen += events->header.event_count;
    return trace_loss_search_add(search, events, item->offset);
}

static enum ludus_status read_blocks(struct trace_loss_search *search, struct ludus_error *error)
{
    struct trace_capture *capture = search->capture;
    struct trace_decode_ahead *ahead;
    struct lcap_item item;
    const struct lcap_events *events;
    enum ludus_status status;
    uint32_t kept = 0;
    uint32_t helpers = trace_decode_ahead_helpers(capture->events.count);
    if (trace_decode_ahead_create(capture, helpers, &ahead) != LUDUS_OK)
        return trace_fail_memory(error);
    for (bool is_first = true;
         (status = trace_decode_ahead_next(ahead, &item, &events)) == LUDUS_OK; is_first = false) {
        if (is_first)
            note_base(search, &item.block);
        if (!read_block(search, &item, events)) {
            status = LUDUS_ERROR_MEMORY;
            break;
        }
        if (events != NULL)
            capture->events.items[kept++] = item.offset; /* taken before: nobody reads it */
    }
    trace_decode_ahead_destroy(ahead);
    if (status != LUDUS_END)
        return trace_capture_fail(capture, status, error);
    capture->events.count = kept;
    return LUDUS_OK;
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
    search->is_missing_unknown = search->last_damage > known_until;
}

/* Whether the track may have had events in the capture behind what was read of it. */
static bool may_lack_end(const struct trace_loss_search *search, uint32_t index)
{
    const struct trace_model *model = search->capture->model;
    const struct trace_track_progress *track = &search->tracks[index];
    if (track->is_seen)
        return track->last_offset < search->last_damage;
    return !model->has_window || model->tracks[index].end_ns >= model->window_begin_ns;
}

/* What is missing beside the gaps between segments is missing at the tracks' ends or, in a part of
 * a recording, at their begins; how much of it at which is not known. */
static bool add_losses_beside_gaps(struct trace_loss_search *search)
{
    struct trace_model *model = search->capture->model;
    uint64_t missing = search->missing > search->told ? search->missing - search->told : 0;
    bool is_begin_missing = missing != 0 || search->is_base_unknown;
    bool is_end_missing = missing != 0 || search->is_missing_unknown;
    if (!is_begin_missing && !is_end_missing)
        return true;
    if (model->track_count == 0)
        return add_loss(search, TRACE_NONE, missing, model->window_begin_ns, model->end_ns);
    if (!reserve_tracks(search))
        return false;
    for (uint32_t i = 0; i < model->track_count; i++) {
        const struct trace_track_progress *track = &search->tracks[i];
        int64_t from_ns = earliest_ns(model, i);
        if (is_begin_missing && track->is_first_unsure &&
            !add_loss(search, i, 0, from_ns < track->first_ns ? from_ns : track->first_ns,
                      track->first_ns))
            return false;
        if (is_end_missing && may_lack_end(search, i) &&
            !add_loss(search, i, 0, track->is_seen ? track->last_ns : from_ns,
                      model->tracks[i].end_ns))
            return false;
    }
    return true;
}

/* What was lost between two segments before a repair is found again, with what new damage took
 * there. */
static void forget_gaps(struct trace_model *model)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < model->loss_count; i++) {
        const struct trace_loss *loss = &model->losses[i];
        if (loss->cause != TRACE_LOSS_DAMAGE || loss->events == 0 || loss->track == TRACE_NONE ||
            loss->begin_ns < model->window_begin_ns)
            model->losses[kept++] = *loss;
    }
    model->loss_count = kept;
}

enum ludus_status trace_capture_find_losses(struct trace_capture *capture,
                                            struct ludus_error *error)
{
    struct trace_loss_search search = {.capture = capture, .first_damage = UINT64_MAX};
    for (uint32_t i = 0; i < capture->model->damage_count; i++) {
        const struct trace_damage *damage = &capture->model->damages[i];
        if (damage->offset >= LCAP_FILE_HEADER_SIZE && /* which has no events */
            !trace_damage_is_repaired(damage))
            note_damage(&search, damage->offset);
    }
    forget_gaps(capture->model);
    capture->is_decoded = true;
    enum ludus_status status =
        note_told(&search) ? read_blocks(&search, error) : trace_fail_memory(error);
    if (status == LUDUS_OK) {
        note_end(&search);
        if (!add_losses_beside_gaps(&search))
            status = trace_fail_memory(error);
    }
    free(search.tracks);
    free(search.told_before);
    return status;
}
