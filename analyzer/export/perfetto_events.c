/* The lines of scopes, flows and instants, of which there are many: put together from texts that
 * are made once, in place in the writer's buffer. */
#include <stdlib.h>

#include "number_text.h"
#include "perfetto.h"

/* More than any line takes whose site is kept. */
#define LINE_ROOM (TRACE_PERFETTO_SITE_SIZE + 192u)

struct trace_perfetto *trace_perfetto_create(const struct trace_model *model,
                                             const struct trace_perfetto_options *options,
                                             struct trace_output output)
{
    struct trace_perfetto *perfetto = calloc(1, sizeof *perfetto);

    if (perfetto == NULL)
        return NULL;
    perfetto->model = model;
    perfetto->options = *options;
    trace_writer_start(&perfetto->writer, output);
    return perfetto;
}

void trace_perfetto_destroy(struct trace_perfetto *perfetto)
{
    if (perfetto == NULL)
        return;
    for (uint32_t i = 0; i < perfetto->track_count; i++) {
        for (uint32_t level = 0; level < perfetto->tracks[i].depth; level++)
            free(perfetto->tracks[i].scopes[level].held);
        free(perfetto->tracks[i].scopes);
    }
    free(perfetto->tracks);
    trace_perfetto_sites_clear(&perfetto->sites);
    trace_perfetto_gpu_close(&perfetto->gpu);
    free(perfetto);
}

static char *append(char *at, const char *bytes, size_t size)
{
    memcpy(at, bytes, size);
    return at + size;
}

/* --- tracks ---------------------------------------------------------------------------------- */

void trace_perfetto_introduce(struct trace_perfetto *perfetto, uint32_t track)
{
    struct trace_perfetto_track *state = &perfetto->tracks[track];
    char digits[TRACE_NUMBER_SIZE];
    size_t size = trace_format_unsigned(perfetto->model->tracks[track].id, digits);

    memcpy(state->place, digits, size);
    memcpy(state->place + size, ",\"ts\":", 6);
    state->place_size = (uint32_t)size + 6;
    trace_perfetto_put_track(perfetto, track);
}

struct trace_perfetto_track *trace_perfetto_track(struct trace_perfetto *perfetto, uint32_t track)
{
    while (perfetto->track_count <= track) {
        if (!trace_array_grow(&perfetto->tracks, perfetto->track_count, sizeof *perfetto->tracks))
            return NULL;
        perfetto->tracks[perfetto->track_count++] = (struct trace_perfetto_track){
            .last_ns = INT64_MIN, .is_in_span = perfetto->options.spans.count == 0};
    }
    return &perfetto->tracks[track];
}

/* Times on a track never fall, whatever a forged file says of them: then slices that begin and end
 * in the order of a stack cannot partly overlap. */
static int64_t rising(struct trace_perfetto *perfetto, struct trace_perfetto_track *state,
                      int64_t time_ns)
{
    if (time_ns < state->last_ns)
        perfetto->times_moved++;
    else
        state->last_ns = time_ns;
    return state->last_ns;
}

/* --- lines ----------------------------------------------------------------------------------- */

/* Starts a line up to the value of "ts"; returns where to go on in the writer's buffer, which has
 * room for the rest. NULL when there is no memory. */
static char *start_line(struct trace_perfetto *perfetto, char phase, uint32_t track, uint32_t site)
{
    static const char opening[] = ",\n{\"ph\":\"?\",";
    const struct trace_perfetto_track *state = &perfetto->tracks[track];
    const struct trace_perfetto_site *text =
        trace_perfetto_site(&perfetto->sites, perfetto->model, site);
    bool is_end = phase == 'E';
    char *at = trace_writer_room(&perfetto->writer, LINE_ROOM);

    if (text == NULL)
        return NULL;
    perfetto->has_content = true;
    at = append(at, opening, sizeof opening - 1);
    at[-3] = phase;
    if (text->text != NULL && is_end) {
        at = append(at, text->text + text->name_at, (size_t)(text->size - text->name_at));
    } else if (text->text != NULL) {
        at = append(at, text->text, text->size);
    } else {
        trace_writer_advance(&perfetto->writer, at);
        trace_perfetto_put_site(&perfetto->writer, perfetto->model, site, !is_end);
        at = trace_writer_room(&perfetto->writer, LINE_ROOM);
    }
    return append(at, state->place, state->place_size);
}

bool trace_perfetto_put_begin(struct trace_perfetto *perfetto, uint32_t track,
                              const struct trace_perfetto_scope *scope, int64_t time_ns)
{
    struct trace_perfetto_track *state = &perfetto->tracks[track];
    char *at = start_line(perfetto, 'B', track, scope->site);

    if (at == NULL)
        return false;
    at += trace_format_microseconds(rising(perfetto, state, time_ns), at);
    *at++ = '}';
    trace_writer_advance(&perfetto->writer, at);
    return true;
}

/* All marks stand in the args of the end, which viewers take for the slice's: some are known no
 * sooner, and speedscope makes a begin's args a part of its name. */
static char *append_marks(char *at, const struct trace_perfetto_scope *scope, int64_t from_ns,
                          bool is_cut)
{
    static const char opening[] = ",\"args\":{";
    static const char begun_before[] = "\"begun_before\":true,\"begin_us\":";

    at = append(at, opening, sizeof opening - 1);
    if (scope->begin_ns < from_ns) {
        at = append(at, begun_before, sizeof begun_before - 1);
        at += trace_format_microseconds(scope->begin_ns, at);
        *at++ = ',';
    }
    if (is_cut)
        at = append(at, "\"cut\":true,", 11);
    if (!is_cut && scope->is_incomplete)
        at = append(at, "\"incomplete\":true,", 18);
    if (!is_cut && scope->has_children_lost)
        at = append(at, "\"children_lost\":true,", 21);
    at[-1] = '}'; /* for the last comma */
    return at;
}

bool trace_perfetto_put_end(struct trace_perfetto *perfetto, uint32_t track,
                            const struct trace_perfetto_scope *scope, int64_t time_ns,
                            int64_t from_ns, bool is_cut)
{
    struct trace_perfetto_track *state = &perfetto->tracks[track];
    char *at = start_line(perfetto, 'E', track, scope->site);

    if (at == NULL)
        return false;
    at += trace_format_microseconds(rising(perfetto, state, time_ns), at);
    if (is_cut || scope->is_incomplete || scope->has_children_lost || scope->begin_ns < from_ns)
        at = append_marks(at, scope, from_ns, is_cut);
    *at++ = '}';
    trace_writer_advance(&perfetto->writer, at);
    return true;
}

void trace_perfetto_put_flow(struct trace_perfetto *perfetto, uint32_t track,
                             const struct trace_perfetto_flow *flow)
{
    static const char opening[] = ",\n{\"ph\":\"?\",\"cat\":\"flow\",\"name\":\"flow\",\"id\":\"";
    static const char digits[] = "0123456789abcdef";
    struct trace_perfetto_track *state = &perfetto->tracks[track];
    char *at = append(trace_writer_room(&perfetto->writer, LINE_ROOM), opening, sizeof opening - 1);

    at[-(int)sizeof opening + 10] = flow->is_in ? 'f' : 's';
    for (unsigned i = 0; i < 16; i++)
        *at++ = digits[flow->flow >> (60 - 4 * i) & 15];
    at = append(at, "\",\"pid\":", 8);
    at += trace_format_unsigned(perfetto->model->process_id, at);
    at = append(at, ",\"tid\":", 7);
    at = append(at, state->place, state->place_size);
    at += trace_format_microseconds(rising(perfetto, state, flow->time_ns), at);
    if (flow->is_in)
        at = append(at, ",\"bp\":\"e\"", 9); /* it arrives in the scope around it */
    *at++ = '}';
    trace_writer_advance(&perfetto->writer, at);
}

bool trace_perfetto_shows(const struct trace_perfetto *perfetto, int64_t time_ns)
{
    const struct trace_span_list *spans = &perfetto->options.spans;
    int64_t from_ns = INT64_MIN;
    int64_t until_ns = INT64_MAX;

    return spans->count == 0 || trace_span_list_contains(spans, time_ns, &from_ns, &until_ns);
}

bool trace_perfetto_instant(struct trace_perfetto *perfetto, uint32_t track, uint32_t site,
                            int64_t time_ns)
{
    char *at;

    if (!trace_perfetto_shows(perfetto, time_ns) || !trace_perfetto_shows_track(perfetto, track) ||
        !trace_perfetto_shows_site(perfetto, site))
        return true;
    at = start_line(perfetto, 'i', track, site);
    if (at == NULL)
        return false;
    at += trace_format_microseconds(time_ns, at);
    at = append(at, ",\"s\":\"t\"}", 9);
    trace_writer_advance(&perfetto->writer, at);
    return true;
}
