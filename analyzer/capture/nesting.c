/* Walks over events blocks, segment by segment. */
#include "nesting.h"

#include <stdlib.h>

#include "capture_state.h"
#include "track_state.h"

enum ludus_status trace_nesting_create(struct trace_capture *capture,
                                       const struct trace_pass_plan *plan,
                                       const struct trace_visitor *visitor,
                                       struct trace_nesting **out)
{
    *out = NULL;
    struct trace_nesting *nesting = calloc(1, sizeof *nesting);
    if (nesting == NULL)
        return LUDUS_ERROR_MEMORY;
    nesting->capture = capture;
    nesting->model = capture->model;
    nesting->visitor = visitor;
    nesting->is_of_own =
        visitor != NULL && visitor->own != NULL && plan != NULL && plan->is_without_sums;
    nesting->times = malloc((LCAP_MAX_EVENTS + 1) * sizeof *nesting->times);
    nesting->sites = malloc((LCAP_MAX_SYMBOLS + 1) * sizeof *nesting->sites);
    nesting->begins = malloc((LCAP_MAX_SYMBOLS + 1) * sizeof *nesting->begins);
    bool is_planned =
        plan != NULL || trace_pass_plan_set_default(&nesting->own_plan, nesting->model);
    if (nesting->times == NULL || nesting->sites == NULL || nesting->begins == NULL ||
        !is_planned ||
        !trace_statistics_create(&nesting->statistics, nesting->model,
                                 plan != NULL ? plan : &nesting->own_plan) ||
        !trace_path_tree_create(&nesting->paths, nesting->model)) {
        trace_nesting_destroy(nesting);
        return LUDUS_ERROR_MEMORY;
    }
    *out = nesting;
    return LUDUS_OK;
}

void trace_nesting_destroy(struct trace_nesting *nesting)
{
    if (nesting == NULL)
        return;
    for (uint32_t i = 0; i < nesting->track_count; i++)
        free(nesting->tracks[i].stack);
    trace_statistics_destroy(&nesting->statistics);
    trace_pass_plan_clear(&nesting->own_plan);
    trace_path_tree_destroy(&nesting->paths);
    trace_batch_destroy(&nesting->batch);
    trace_counter_times_clear(&nesting->counter_times);
    free(nesting->tracks);
    free(nesting->times);
    free(nesting->sites);
    free(nesting->begins);
    trace_path_memos_destroy(&nesting->memos);
    free(nesting);
}

struct track_state *trace_track_state(struct trace_nesting *nesting, uint32_t track)
{
    while (nesting->track_count <= track) {
        if (!trace_array_grow(&nesting->tracks, nesting->track_count, sizeof *nesting->tracks))
            return NULL;
        nesting->tracks[nesting->track_count++] = (struct track_state){.last_ns = INT64_MIN};
    }
    return trace_statistics_track(&nesting->statistics, track) == NULL ? NULL
                                                                       : &nesting->tracks[track];
}

/* --- where events are missing ---------------------------------------------------------------- */

static int64_t ns_of(const struct trace_nesting *nesting, uint32_t clock, uint64_t tick)
{
    return trace_clock_map_ns(nesting->capture->clocks, clock, tick);
}

/* How many of the open slices the segment names too. */
static uint32_t count_common(const struct trace_nesting *nesting, const struct track_state *state,
                             const struct lcap_events *events, const struct lcap_segment *segment)
{
    uint32_t common = 0;
    for (; common < state->depth && common < segment->open_count; common++) {
        const struct lcap_open_scope *open = &events->open[segment->first_open + common];
        const struct open_slice *slice = &state->stack[common];
        if (slice->begin_ns != ns_of(nesting, events->header.clock, open->begin_tick) ||
            nesting->model->sites[trace_open_site(nesting, slice)].id != open->site)
            break;
    }
    return common;
}

/* Makes the open slices those that the segment starts with. Ends that are missing leave incomplete
 * slices; begins that are missing are known from the segment. */
static bool restore_open(struct trace_nesting *nesting, uint32_t track,
                         const struct lcap_events *events, const struct lcap_segment *segment)
{
    uint32_t clock = events->header.clock;
    uint32_t common = count_common(nesting, &nesting->tracks[track], events, segment);
    while (nesting->tracks[track].depth > common)
        if (!trace_slice_abandon(nesting, track, nesting->tracks[track].last_ns))
            return false;
    for (uint32_t level = 0; level < segment->open_count; level++) {
        const struct lcap_open_scope *open = &events->open[segment->first_open + level];
        int64_t begin_ns = ns_of(nesting, clock, open->begin_tick);
        if (level >= common) {
            uint32_t site = trace_capture_site(nesting->capture, open->site);
            if (site == TRACE_NONE || !trace_slice_open(nesting, track, site, begin_ns))
                return false;
        }
        nesting->tracks[track].stack[level].children_ns =
            ns_of(nesting, clock, open->begin_tick + open->children_ticks) - begin_ns;
    }
    return true;
}

/* --- the walk -------------------------------------------------------------------------------- */

static bool add_instant(struct trace_nesting *nesting, uint32_t track, uint32_t site,
                        int64_t time_ns)
{
    struct track_state *state = &nesting->tracks[track];
    nesting->model->tracks[track].instants++;
    nesting->model->instants++;
    if (nesting->visitor == NULL || nesting->visitor->instants == NULL)
        return true;
    struct trace_instant instant = {
        .time_ns = time_ns,
        .slice_id = state->depth == 0 ? 0 : state->stack[state->depth - 1].slice_id,
        .track = track,
        .site = site,
        .frame = trace_track_frame(nesting, track, time_ns)};
    return trace_batch_add_instant(&nesting->batch, &instant);
}

/* Time does not run backwards on a track, not even in a forged file. */
static void keep_rising(struct trace_nesting *nesting, const struct track_state *state,
                        uint32_t begin, uint32_t end)
{
    for (uint32_t i = begin; i < end && nesting->times[i] < state->last_ns; i++)
        nesting->times[i] = state->last_ns;
}

static bool walk_event(struct trace_nesting *nesting, const struct lcap_events *events,
                       uint32_t track, uint32_t index)
{
    uint32_t symbol = events->symbols[index];
    uint32_t kind = events->table[symbol].kind;
    int64_t time_ns = nesting->times[index];
    uint32_t site = nesting->sites[symbol];
    if (kind == LCAP_EVENT_END)
        return trace_slice_close(nesting, track, time_ns);
    if (kind == LCAP_EVENT_BEGIN)
        return trace_slice_open(nesting, track, site, time_ns);
    if (kind == LCAP_EVENT_INSTANT)
        return add_instant(nesting, track, site, time_ns);
    return trace_value_add(nesting, (struct trace_value){.time_ns = time_ns,
                                                         .bits = events->values[nesting->value++],
                                                         .track = track,
                                                         .site = site,
                                                         .kind = kind});
}

static void release_stack(struct track_state *state)
{
    free(state->stack);
    state->stack = NULL;
    state->capacity = 0;
}

static bool walk_segment(struct trace_nesting *nesting, const struct lcap_events *events,
                         const struct lcap_segment *segment, uint32_t track)
{
    struct track_state *state = &nesting->tracks[track];
    state->gaps += segment->events_before != state->events;
    if (segment->events_before != state->events || segment->open_count != state->depth)
        if (!restore_open(nesting, track, events, segment))
            return false;
    uint32_t end = segment->first_event + segment->event_count;
    keep_rising(nesting, state, segment->first_event, end);
    for (uint32_t i = segment->first_event; i < end; i++) {
        if (nesting->is_of_own)
            i = trace_slices_follow_own(nesting, events, track, i, end);
        else if (trace_slices_are_plain(nesting, track))
            i = trace_slices_follow(nesting, events, track, i, end);
        if (i < end && !walk_event(nesting, events, track, i))
            return false;
    }
    state = &nesting->tracks[track];
    state->events = segment->events_before + segment->event_count;
    if (state->depth == 0 && nesting->model->tracks[track].has_ended)
        release_stack(state); /* of tens of thousands of short threads few are alive at one time */
    int64_t last_ns = segment->event_count != 0
                          ? nesting->times[end - 1]
                          : ns_of(nesting, events->header.clock, segment->start_tick);
    if (last_ns > state->last_ns)
        state->last_ns = last_ns;
    return true;
}

/* Leaves a segment's events out, and with them their values. */
static void pass_over(struct trace_nesting *nesting, const struct lcap_events *events,
                      const struct lcap_segment *segment)
{
    if ((events->header.kinds >> LCAP_EVENT_FLOW_OUT) == 0)
        return;
    for (uint32_t i = 0; i < segment->event_count; i++) {
        uint32_t symbol = events->symbols[segment->first_event + i];
        nesting->value += lcap_event_has_value(events->table[symbol].kind);
    }
}

/* Slices that stay open must not be looked for in the next block's batch. */
static void forget_slots(struct trace_nesting *nesting, const struct lcap_events *events)
{
    for (uint32_t i = 0; i < events->header.segment_count; i++) {
        uint32_t track = trace_capture_track(nesting->capture, events->segments[i].track);
        if (!trace_pass_plan_counts(nesting->statistics.plan, track))
            continue;
        struct track_state *state = &nesting->tracks[track];
        for (uint32_t level = 0; level < state->depth; level++)
            state->stack[level].slot = TRACE_NONE;
    }
}

/* Why a walk stopped. */
static enum ludus_status failure_of(const struct trace_nesting *nesting)
{
    return nesting->shown != LUDUS_OK ? nesting->shown : LUDUS_ERROR_MEMORY;
}

enum ludus_status trace_nesting_add(struct trace_nesting *nesting, const struct lcap_events *events)
{
    const struct lcap_events_header *header = &events->header;
    trace_clock_map_all_ns(nesting->capture->clocks, header->clock, events->ticks, nesting->times,
                           header->event_count);
    for (uint32_t i = 1; i <= header->symbol_count; i++) {
        uint32_t site = events->table[i].site;
        nesting->sites[i] = site == 0 ? TRACE_NONE : trace_capture_site(nesting->capture, site);
        if (site != 0 && nesting->sites[i] == TRACE_NONE)
            return LUDUS_ERROR_MEMORY;
    }
    if (!trace_path_memos_reserve(&nesting->memos, nesting->model->site_count))
        return LUDUS_ERROR_MEMORY;
    nesting->begins[0] = NULL;
    for (uint32_t i = 1; i <= header->symbol_count; i++)
        nesting->begins[i] = events->table[i].kind == LCAP_EVENT_BEGIN
                                 ? trace_path_memos_of(&nesting->memos, nesting->sites[i])
                                 : NULL;
    nesting->value = 0;
    for (uint32_t i = 0; i < header->segment_count; i++) {
        const struct lcap_segment *segment = &events->segments[i];
        uint32_t track = trace_capture_track(nesting->capture, segment->track);
        if (track != TRACE_NONE && !trace_pass_plan_counts(nesting->statistics.plan, track)) {
            pass_over(nesting, events, segment);
            continue;
        }
        if (track == TRACE_NONE || trace_track_state(nesting, track) == NULL ||
            !walk_segment(nesting, events, segment, track))
            return failure_of(nesting);
    }
    if (nesting->visitor == NULL)
        return LUDUS_OK;
    forget_slots(nesting, events);
    return trace_batch_flush(&nesting->batch, nesting->visitor, nesting->model);
}

enum ludus_status trace_nesting_finish(struct trace_nesting *nesting)
{
    struct trace_model *model = nesting->model;
    for (uint32_t track = 0; track < model->track_count; track++) {
        if (!trace_pass_plan_counts(nesting->statistics.plan, track))
            continue;
        struct track_state *state = trace_track_state(nesting, track);
        if (state == NULL)
            return LUDUS_ERROR_MEMORY;
        /* A finished recording saw the scope open until the thread's end, or its own; what follows
         * a crash, or is damaged, is not known. */
        bool is_whole = nesting->capture->has_end && model->damage_count == 0;
        int64_t known_end_ns = state->last_ns;
        if (is_whole && model->tracks[track].end_ns > known_end_ns)
            known_end_ns = model->tracks[track].end_ns;
        while (nesting->tracks[track].depth != 0)
            if (!trace_slice_abandon(nesting, track, known_end_ns))
                return failure_of(nesting);
    }
    if (!trace_statistics_fill(&nesting->statistics, model))
        return LUDUS_ERROR_MEMORY;
    return nesting->visitor == NULL
               ? LUDUS_OK
               : trace_batch_flush(&nesting->batch, nesting->visitor, nesting->model);
}
