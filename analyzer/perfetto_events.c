/* The lines of scopes and instants, of which there are many: put together from texts that are made
 * once, in place in the writer's buffer. */
#include <stdlib.h>

#include "number_text.h"
#include "perfetto.h"

/* More than any line takes whose site is kept. */
#define LINE_ROOM (TRACE_PERFETTO_SITE_SIZE + 192u)

struct trace_perfetto *trace_perfetto_create(const struct trace_model *model,
                                             struct trace_output output)
{
    struct trace_perfetto *perfetto = malloc(sizeof *perfetto);

    if (perfetto == NULL)
        return NULL;
    perfetto->model = model;
    perfetto->tracks = NULL;
    perfetto->track_count = 0;
    perfetto->times_moved = 0;
    perfetto->sites.items = NULL;
    perfetto->sites.count = 0;
    trace_writer_start(&perfetto->writer, output);
    return perfetto;
}

void trace_perfetto_destroy(struct trace_perfetto *perfetto)
{
    if (perfetto == NULL)
        return;
    for (uint32_t i = 0; i < perfetto->track_count; i++)
        free(perfetto->tracks[i].scopes);
    free(perfetto->tracks);
    trace_perfetto_sites_clear(&perfetto->sites);
    free(perfetto);
}

static char *append(char *at, const char *bytes, size_t size)
{
    memcpy(at, bytes, size);
    return at + size;
}

/* --- tracks ---------------------------------------------------------------------------------- */

/* A track is named before its first line. */
static void introduce(struct trace_perfetto *perfetto, uint32_t track)
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
        perfetto->tracks[perfetto->track_count++] =
            (struct trace_perfetto_track){.last_ns = INT64_MIN};
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

static bool put_end(struct trace_perfetto *perfetto, uint32_t track,
                    const struct trace_perfetto_scope *scope)
{
    struct trace_perfetto_track *state = &perfetto->tracks[track];
    char *at = start_line(perfetto, 'E', track, scope->site);

    if (at == NULL)
        return false;
    at += trace_format_microseconds(rising(perfetto, state, scope->end_ns), at);
    if (scope->is_incomplete || scope->has_children_lost) {
        static const char *const args[] = {"{\"incomplete\":true}", "{\"children_lost\":true}",
                                           "{\"incomplete\":true,\"children_lost\":true}"};
        const char *text = args[!scope->is_incomplete ? 1 : scope->has_children_lost ? 2 : 0];

        at = append(at, ",\"args\":", 8);
        at = append(at, text, strlen(text));
    }
    *at++ = '}';
    trace_writer_advance(&perfetto->writer, at);
    return true;
}

/* Writes the ends that wait on a track, innermost first. */
static bool put_ends(struct trace_perfetto *perfetto, uint32_t track)
{
    struct trace_perfetto_track *state = &perfetto->tracks[track];

    while (state->depth > state->open) {
        if (!put_end(perfetto, track, &state->scopes[state->depth - 1]))
            return false;
        state->depth--;
    }
    return true;
}

static struct trace_perfetto_scope *push(struct trace_perfetto_track *state, uint32_t site)
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
    state->scopes[state->depth] = (struct trace_perfetto_scope){.site = site};
    state->open = ++state->depth;
    return &state->scopes[state->depth - 1];
}

struct trace_perfetto_scope *trace_perfetto_begin(struct trace_perfetto *perfetto, uint32_t track,
                                                  uint32_t site, int64_t begin_ns)
{
    struct trace_perfetto_track *state = trace_perfetto_track(perfetto, track);
    char *at;

    if (state == NULL)
        return NULL;
    if (state->place_size == 0)
        introduce(perfetto, track);
    if (!put_ends(perfetto, track))
        return NULL;
    at = start_line(perfetto, 'B', track, site);
    if (at == NULL)
        return NULL;
    at += trace_format_microseconds(rising(perfetto, state, begin_ns), at);
    *at++ = '}';
    trace_writer_advance(&perfetto->writer, at);
    return push(state, site);
}

bool trace_perfetto_end_all(struct trace_perfetto *perfetto)
{
    for (uint32_t track = 0; track < perfetto->track_count; track++) {
        perfetto->tracks[track].open = 0;
        if (!put_ends(perfetto, track))
            return false;
    }
    for (uint32_t track = 0; track < perfetto->model->track_count; track++) {
        const struct trace_perfetto_track *state = trace_perfetto_track(perfetto, track);

        if (state == NULL)
            return false;
        if (state->place_size == 0)
            introduce(perfetto, track);
    }
    return true;
}

bool trace_perfetto_instant(struct trace_perfetto *perfetto, uint32_t track, uint32_t site,
                            int64_t time_ns)
{
    char *at = start_line(perfetto, 'i', track, site);

    if (at == NULL)
        return false;
    at += trace_format_microseconds(time_ns, at);
    at = append(at, ",\"s\":\"t\"}", 9);
    trace_writer_advance(&perfetto->writer, at);
    return true;
}
