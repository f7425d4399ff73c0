/* What scopes and flows become which lines: held back until a scope has lasted long enough, cut
 * where a span that is shown begins or ends. */
#include <stdlib.h>

#include "perfetto.h"

/* --- ends of flows --------------------------------------------------------------------------- */

/* In the innermost scope, whose begin is written. */
static void show_flow(struct trace_perfetto *perfetto, uint32_t track,
                      const struct trace_perfetto_flow *flow)
{
    perfetto->flow_ends++;
    trace_perfetto_put_flow(perfetto, track, flow);
}

static bool hold_flow(struct trace_perfetto *perfetto, struct trace_perfetto_scope *scope,
                      const struct trace_perfetto_flow *flow)
{
    if (scope->held == NULL) {
        scope->held = malloc(sizeof *scope->held);
        if (scope->held == NULL)
            return false;
        scope->held->count = 0;
    }
    if (scope->held->count < TRACE_PERFETTO_MAX_HELD)
        scope->held->flows[scope->held->count++] = *flow;
    else
        perfetto->flow_ends_left_out++;
    return true;
}

/* What waited for the scope's begin. */
static void show_held(struct trace_perfetto *perfetto, uint32_t track,
                      struct trace_perfetto_scope *scope)
{
    for (uint32_t i = 0; i < scope->held->count; i++)
        show_flow(perfetto, track, &scope->held->flows[i]);
    free(scope->held);
    scope->held = NULL;
}

static void drop_held(struct trace_perfetto *perfetto, struct trace_perfetto_scope *scope)
{
    perfetto->flow_ends_left_out += scope->held->count;
    free(scope->held);
    scope->held = NULL;
}

/* --- begins and ends ------------------------------------------------------------------------- */

/* Where the present span begins. */
static int64_t span_from(const struct trace_perfetto *perfetto,
                         const struct trace_perfetto_track *state)
{
    return perfetto->options.spans.count == 0 ? INT64_MIN
                                              : perfetto->options.spans.spans[state->span].begin_ns;
}

/* Writes the begins of the first `count` scopes, as far as they are not there. */
static bool show_begins(struct trace_perfetto *perfetto, uint32_t track, uint32_t count)
{
    struct trace_perfetto_track *state = &perfetto->tracks[track];
    const int64_t from_ns = span_from(perfetto, state);

    for (; state->shown < count; state->shown++) {
        struct trace_perfetto_scope *scope = &state->scopes[state->shown];
        const bool is_cut = scope->begin_ns < from_ns;

        if (scope->is_hidden)
            continue;
        perfetto->edges_cut += is_cut;
        if (!trace_perfetto_put_begin(perfetto, track, scope, is_cut ? from_ns : scope->begin_ns))
            return false;
        if (scope->held != NULL)
            show_held(perfetto, track, scope);
    }
    return true;
}

/* Cuts all scopes where the present span ends. Those that were held back are shown too: how long
 * they last is not known yet. */
static bool leave_span(struct trace_perfetto *perfetto, uint32_t track)
{
    struct trace_perfetto_track *state = &perfetto->tracks[track];
    const int64_t to_ns = perfetto->options.spans.spans[state->span].end_ns;

    if (!show_begins(perfetto, track, state->depth))
        return false;
    while (state->shown > 0) {
        const struct trace_perfetto_scope *scope = &state->scopes[--state->shown];

        if (scope->is_hidden)
            continue;
        perfetto->edges_cut++;
        if (!trace_perfetto_put_end(perfetto, track, scope, to_ns, span_from(perfetto, state),
                                    true))
            return false;
    }
    state->span++;
    state->is_in_span = false;
    return true;
}

/* Moves the track to a time, at which all its scopes run still. Spans are half open: what ends
 * where one begins, or begins where it ends, is outside. */
static bool move_to(struct trace_perfetto *perfetto, uint32_t track, int64_t time_ns, bool is_end)
{
    struct trace_perfetto_track *state = &perfetto->tracks[track];
    const struct trace_perfetto_options *options = &perfetto->options;

    while (state->span < options->spans.count) {
        const struct trace_span *span = &options->spans.spans[state->span];
        const int64_t edge_ns = state->is_in_span ? span->end_ns : span->begin_ns;

        if (time_ns < edge_ns || (is_end && time_ns == edge_ns))
            break;
        if (state->is_in_span) {
            if (!leave_span(perfetto, track))
                return false;
        } else {
            state->is_in_span = true;
            if (!show_begins(perfetto, track, state->depth))
                return false;
        }
    }
    return true;
}

static bool is_long(const struct trace_perfetto *perfetto, const struct trace_perfetto_scope *scope,
                    int64_t until_ns)
{
    const int64_t min_ns = perfetto->options.min_duration_ns;

    return min_ns <= 0 || (int64_t)((uint64_t)until_ns - (uint64_t)scope->begin_ns) >= min_ns;
}

/* Writes the end of the innermost scope, or leaves the scope out. */
static bool finish_innermost(struct trace_perfetto *perfetto, uint32_t track)
{
    struct trace_perfetto_track *state = &perfetto->tracks[track];
    struct trace_perfetto_scope *scope = &state->scopes[state->depth - 1];

    if (perfetto->options.spans.count != 0 && !move_to(perfetto, track, scope->end_ns, true))
        return false;
    if (state->shown < state->depth && state->is_in_span) {
        if (!scope->is_incomplete && !is_long(perfetto, scope, scope->end_ns))
            perfetto->slices_short += !scope->is_hidden;
        else if (!show_begins(perfetto, track, state->depth))
            return false;
    }
    if (scope->held != NULL)
        drop_held(perfetto, scope);
    state->depth--;
    if (state->shown <= state->depth)
        return true;
    state->shown = state->depth;
    return scope->is_hidden || trace_perfetto_put_end(perfetto, track, scope, scope->end_ns,
                                                      span_from(perfetto, state), false);
}

/* Finishes what has ended on a track, innermost first. */
static bool finish_ended(struct trace_perfetto *perfetto, uint32_t track)
{
    const struct trace_perfetto_track *state = &perfetto->tracks[track];

    while (state->depth > state->open)
        if (!finish_innermost(perfetto, track))
            return false;
    return true;
}

/* Begins that have waited, and whose scopes have lasted long enough by now. Outer scopes have
 * lasted longer. */
static bool show_long(struct trace_perfetto *perfetto, uint32_t track, int64_t time_ns)
{
    const struct trace_perfetto_track *state = &perfetto->tracks[track];
    uint32_t count = state->depth;

    if (!state->is_in_span || state->shown == count)
        return true;
    while (count > state->shown && !is_long(perfetto, &state->scopes[count - 1], time_ns))
        count--;
    return show_begins(perfetto, track, count);
}

/* Brings the track to the time of an event that is no end. */
static bool come_to(struct trace_perfetto *perfetto, uint32_t track, int64_t time_ns)
{
    return finish_ended(perfetto, track) &&
           (perfetto->options.spans.count == 0 || move_to(perfetto, track, time_ns, false)) &&
           show_long(perfetto, track, time_ns);
}

static struct trace_perfetto_scope *push(struct trace_perfetto_track *state)
{
    if (state->depth == state->capacity) {
        uint32_t capacity = state->capacity == 0 ? 32 : state->capacity * 2;
        struct trace_perfetto_scope *larger =
            realloc(state->scopes, capacity * sizeof *state->scopes);

        if (larger == NULL)
            return NULL;
        state->scopes = larger;
        state->capacity = capacity;
    }
    state->open = ++state->depth;
    return &state->scopes[state->depth - 1];
}

/* --- what is fed ----------------------------------------------------------------------------- */

static struct trace_perfetto_track *find_track(struct trace_perfetto *perfetto, uint32_t track)
{
    struct trace_perfetto_track *state = trace_perfetto_track(perfetto, track);

    if (state != NULL && state->place_size == 0)
        trace_perfetto_introduce(perfetto, track);
    return state;
}

struct trace_perfetto_scope *trace_perfetto_begin(struct trace_perfetto *perfetto, uint32_t track,
                                                  uint32_t site, int64_t begin_ns)
{
    struct trace_perfetto_track *state = find_track(perfetto, track);
    struct trace_perfetto_scope *scope;

    if (state == NULL || !come_to(perfetto, track, begin_ns))
        return NULL;
    scope = push(state);
    if (scope == NULL)
        return NULL;
    *scope = (struct trace_perfetto_scope){.begin_ns = begin_ns,
                                           .site = site,
                                           .is_hidden = !trace_perfetto_shows_site(perfetto, site)};
    return show_long(perfetto, track, begin_ns) ? scope : NULL;
}

bool trace_perfetto_flow(struct trace_perfetto *perfetto, uint32_t track,
                         struct trace_perfetto_flow flow)
{
    struct trace_perfetto_track *state = find_track(perfetto, track);

    if (state == NULL || !come_to(perfetto, track, flow.time_ns))
        return false;
    if (state->depth == 0)
        perfetto->flow_ends_outside_slices++;
    else if (!state->is_in_span || state->scopes[state->depth - 1].is_hidden)
        perfetto->flow_ends_left_out++;
    else if (state->shown < state->depth)
        return hold_flow(perfetto, &state->scopes[state->depth - 1], &flow);
    else
        show_flow(perfetto, track, &flow);
    return true;
}

/* Names a track that had nothing; one of GPU samples stands in a process of its own. */
static bool name_idle(struct trace_perfetto *perfetto, uint32_t track)
{
    const struct trace_perfetto_track *state = trace_perfetto_track(perfetto, track);

    return state != NULL && (state->is_gpu_queue || find_track(perfetto, track) != NULL);
}

bool trace_perfetto_end_all(struct trace_perfetto *perfetto)
{
    for (uint32_t track = 0; track < perfetto->track_count; track++) {
        perfetto->tracks[track].open = 0;
        if (!finish_ended(perfetto, track))
            return false;
    }
    for (uint32_t track = 0; track < perfetto->model->track_count; track++)
        if (trace_perfetto_shows_track(perfetto, track) && !name_idle(perfetto, track))
            return false;
    return true;
}
