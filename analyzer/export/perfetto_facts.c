/* The lines of which there are few: names of the process and its tracks, frames, losses, and what
 * the recorder reported. */
#include <string.h>

#include "database_names.h"
#include "frame_percentiles.h"
#include "model_facts.h"
#include "number_text.h"
#include "perfetto.h"

/* Whose lines these are. Frames lie on tracks of their own, behind the ids of the recorded ones. */
uint64_t trace_perfetto_domain_tid(const struct trace_model *model, uint32_t domain)
{
    uint64_t largest = 0;

    for (uint32_t i = 0; i < model->track_count; i++)
        if (model->tracks[i].id > largest)
            largest = model->tracks[i].id;
    return largest + 1 + domain;
}

/* --- parts of a line ------------------------------------------------------------------------- */

static struct trace_json start_event(struct trace_perfetto *perfetto, const char *phase)
{
    struct trace_json json;

    trace_json_start(&json, &perfetto->writer);
    trace_json_begin_object(&json);
    trace_json_key(&json, "ph");
    trace_json_text(&json, phase);
    return json;
}

struct trace_json trace_perfetto_start_event(struct trace_perfetto *perfetto, const char *phase)
{
    perfetto->has_content = perfetto->has_content || phase[0] != 'M';
    trace_put(&perfetto->writer, ",\n", 2);
    return start_event(perfetto, phase);
}

void trace_perfetto_put_microseconds(struct trace_json *json, const char *key, int64_t ns)
{
    char text[TRACE_NUMBER_SIZE];

    trace_json_key(json, key);
    trace_json_raw(json, text, trace_format_microseconds(ns, text));
}

void trace_perfetto_put_text(struct trace_json *json, const char *key, struct trace_text text)
{
    trace_json_key(json, key);
    trace_json_bytes(json, text.data, text.size);
}

void trace_perfetto_put_string(struct trace_json *json, const char *key, const char *text)
{
    trace_json_key(json, key);
    trace_json_text(json, text);
}

void trace_perfetto_put_count(struct trace_json *json, const char *key, uint64_t count)
{
    trace_json_key(json, key);
    trace_json_unsigned(json, count);
}

void trace_perfetto_put_place(struct trace_json *json, const struct trace_perfetto *perfetto,
                              uint64_t tid, int64_t time_ns)
{
    trace_perfetto_put_count(json, "pid", perfetto->model->process_id);
    trace_perfetto_put_count(json, "tid", tid);
    trace_perfetto_put_microseconds(json, "ts", time_ns);
}

/* A text that is put together of two. */
static void put_joined(struct trace_json *json, const char *key, const char *first,
                       struct trace_text second)
{
    trace_json_key(json, key);
    trace_json_raw(json, "\"", 1);
    (void)trace_json_escape(json->writer, first, strlen(first));
    (void)trace_json_escape(json->writer, second.data, second.size);
    trace_put_byte(json->writer, '"');
}

static void put_numbered(struct trace_json *json, const char *key, const char *first,
                         uint64_t number)
{
    char digits[TRACE_NUMBER_SIZE];

    put_joined(json, key, first,
               (struct trace_text){digits, trace_format_unsigned(number, digits)});
}

/* --- names ----------------------------------------------------------------------------------- */

/* The program's name without its folders. */
static struct trace_text program_of(const struct trace_model *model)
{
    const struct trace_text *fact = trace_model_fact(model, "program");
    const struct trace_text program = fact != NULL ? *fact : (struct trace_text){"", 0};

    for (size_t i = program.size; i > 0; i--)
        if (program.data[i - 1] == '/')
            return (struct trace_text){program.data + i, program.size - i};
    return program;
}

void trace_perfetto_put_head(struct trace_perfetto *perfetto)
{
    struct trace_text program = program_of(perfetto->model);
    struct trace_json json;

    trace_put_text(&perfetto->writer, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
    json = start_event(perfetto, "M");
    trace_perfetto_put_string(&json, "name", "process_name");
    trace_perfetto_put_place(&json, perfetto, 0, 0);
    trace_json_key(&json, "args");
    trace_json_begin_object(&json);
    trace_perfetto_put_text(&json, "name",
                            program.size > 0 ? program : (struct trace_text){"program", 7});
    trace_json_end_object(&json);
    trace_json_end_object(&json);
}

static void put_sort_index(struct trace_perfetto *perfetto, uint64_t tid, int64_t index)
{
    struct trace_json json = trace_perfetto_start_event(perfetto, "M");

    trace_perfetto_put_string(&json, "name", "thread_sort_index");
    trace_perfetto_put_place(&json, perfetto, tid, 0);
    trace_json_key(&json, "args");
    trace_json_begin_object(&json);
    trace_json_key(&json, "sort_index");
    trace_json_integer(&json, index);
    trace_json_end_object(&json);
    trace_json_end_object(&json);
}

static struct trace_json start_thread_name(struct trace_perfetto *perfetto, uint64_t tid)
{
    struct trace_json json = trace_perfetto_start_event(perfetto, "M");

    trace_perfetto_put_string(&json, "name", "thread_name");
    trace_perfetto_put_place(&json, perfetto, tid, 0);
    trace_json_key(&json, "args");
    trace_json_begin_object(&json);
    return json;
}

static void end_thread_name(struct trace_json *json)
{
    trace_json_end_object(json);
    trace_json_end_object(json);
}

void trace_perfetto_put_track(struct trace_perfetto *perfetto, uint32_t track)
{
    const struct trace_track *facts = &perfetto->model->tracks[track];
    struct trace_json json = start_thread_name(perfetto, facts->id);
    char digits[TRACE_NAME_SIZE];
    const char *kind = trace_name_of(TRACE_NAME_TRACK_KIND, facts->kind, digits);
    char unnamed[TRACE_NAME_SIZE + 32];
    size_t size = strlen(kind);

    memcpy(unnamed, kind, size);
    memcpy(unnamed + size, " ", 2);
    if (facts->name.size > 0)
        trace_perfetto_put_text(&json, "name", facts->name);
    else
        put_numbered(&json, "name", unnamed, facts->os_id != 0 ? facts->os_id : facts->id);
    trace_perfetto_put_string(&json, "kind", kind);
    trace_perfetto_put_count(&json, "os_id", facts->os_id);
    end_thread_name(&json);
    put_sort_index(perfetto, facts->id, track);
}

/* --- frames ---------------------------------------------------------------------------------- */

/* `marks`, that are true, stand in its args; NULL: there are none. */
static void put_frame_line(struct trace_perfetto *perfetto, uint64_t tid, const char *phase,
                           uint64_t number, int64_t time_ns, const char *const marks[2])
{
    struct trace_json json = trace_perfetto_start_event(perfetto, phase);

    trace_perfetto_put_string(&json, "cat", "frame");
    put_numbered(&json, "name", "Frame ", number);
    trace_perfetto_put_place(&json, perfetto, tid, time_ns);
    if (marks[0] != NULL || marks[1] != NULL) {
        trace_json_key(&json, "args");
        trace_json_begin_object(&json);
        for (size_t i = 0; i < 2; i++)
            if (marks[i] != NULL) {
                trace_json_key(&json, marks[i]);
                trace_json_bool(&json, true);
            }
        trace_json_end_object(&json);
    }
    trace_json_end_object(&json);
}

static void put_frame(struct trace_perfetto *perfetto, uint64_t tid,
                      const struct trace_frame *frame, struct trace_span span)
{
    const int64_t begin_ns = frame->begin_ns;
    const int64_t end_ns = frame[1].begin_ns; /* it is complete */
    const bool is_begun_before = begin_ns < span.begin_ns;
    const bool is_cut = end_ns > span.end_ns;
    const char *const no_marks[] = {NULL, NULL};
    const char *const marks[] = {is_begun_before ? "begun_before" : NULL, is_cut ? "cut" : NULL};

    if (begin_ns >= span.end_ns || (is_begun_before && end_ns <= span.begin_ns))
        return;
    put_frame_line(perfetto, tid, "B", frame->number, is_begun_before ? span.begin_ns : begin_ns,
                   no_marks);
    put_frame_line(perfetto, tid, "E", frame->number, is_cut ? span.end_ns : end_ns, marks);
}

static void put_incomplete_frame(struct trace_perfetto *perfetto, uint64_t tid,
                                 const struct trace_frame *frame)
{
    struct trace_json json = trace_perfetto_start_event(perfetto, "i");

    trace_perfetto_put_string(&json, "cat", "frame");
    put_numbered(&json, "name", "Incomplete frame ", frame->number);
    trace_perfetto_put_place(&json, perfetto, tid, frame->begin_ns);
    trace_perfetto_put_string(&json, "s", "t");
    trace_json_end_object(&json);
}

/* Frames come one after another; so do their pieces, when there are several spans in one. */
static void put_frames(struct trace_perfetto *perfetto, uint64_t tid,
                       const struct trace_domain *domain)
{
    const struct trace_perfetto_options *options = &perfetto->options;
    const struct trace_span everything = {INT64_MIN, INT64_MAX, 0};
    uint32_t first = 0; /* spans before it end before the frame */

    for (uint32_t i = 0; i < domain->frame_count; i++) {
        const struct trace_frame *frame = &domain->frames[i];

        if (!trace_frame_is_complete(domain, i)) {
            if (trace_perfetto_shows(perfetto, frame->begin_ns))
                put_incomplete_frame(perfetto, tid, frame);
        } else if (options->spans.count == 0) {
            put_frame(perfetto, tid, frame, everything);
        }
        while (first < options->spans.count &&
               options->spans.spans[first].end_ns <= frame->begin_ns)
            first++;
        for (uint32_t s = first; s < options->spans.count && trace_frame_is_complete(domain, i) &&
                                 options->spans.spans[s].begin_ns <= frame[1].begin_ns;
             s++)
            put_frame(perfetto, tid, frame, options->spans.spans[s]);
    }
}

static void put_domain(struct trace_perfetto *perfetto, uint32_t index)
{
    const struct trace_domain *domain = &perfetto->model->domains[index];
    uint64_t tid = trace_perfetto_domain_tid(perfetto->model, index);
    struct trace_json json = start_thread_name(perfetto, tid);

    put_joined(&json, "name", "Frames: ", domain->name);
    trace_perfetto_put_count(&json, "marks_missing", domain->marks_missing);
    end_thread_name(&json);
    /* Above the tracks of the program, whose indexes begin at 0. */
    put_sort_index(perfetto, tid, (int64_t)index - (int64_t)perfetto->model->domain_count);
    put_frames(perfetto, tid, domain);
}

/* --- losses and reports ---------------------------------------------------------------------- */

/* An instant on a track, or on the whole process; open in its args. */
static struct trace_json start_remark(struct trace_perfetto *perfetto, const char *category,
                                      const char *first, const char *second, uint32_t track,
                                      int64_t time_ns)
{
    const struct trace_model *model = perfetto->model;
    struct trace_json json = trace_perfetto_start_event(perfetto, "i");

    trace_perfetto_put_string(&json, "cat", category);
    put_joined(&json, "name", first, (struct trace_text){second, strlen(second)});
    trace_perfetto_put_place(&json, perfetto, track == TRACE_NONE ? 0 : model->tracks[track].id,
                             time_ns);
    trace_perfetto_put_string(&json, "s", track == TRACE_NONE ? "p" : "t");
    trace_json_key(&json, "args");
    trace_json_begin_object(&json);
    return json;
}

void trace_perfetto_put_loss_counts(struct trace_json *json, const struct lcap_counts *counts)
{
    trace_perfetto_put_count(json, "scopes", counts->scopes);
    trace_perfetto_put_count(json, "instants", counts->instants);
    trace_perfetto_put_count(json, "frames", counts->frames);
    trace_perfetto_put_count(json, "flows", counts->flows);
    trace_perfetto_put_count(json, "gauges", counts->gauges);
}

/* What is told of the whole process is always shown. */
static bool shows_place(const struct trace_perfetto *perfetto, uint32_t track)
{
    return track == TRACE_NONE || trace_perfetto_shows_track(perfetto, track);
}

/* Whether any of it lies in a span that is shown. */
static bool is_loss_shown(const struct trace_perfetto *perfetto, const struct trace_loss *loss)
{
    const struct trace_span_list *spans = &perfetto->options.spans;
    bool is_shown = spans->count == 0 || trace_perfetto_shows(perfetto, loss->end_ns) ||
                    trace_span_list_overlap(spans, loss->begin_ns, loss->end_ns) > 0;

    return is_shown && shows_place(perfetto, loss->track);
}

static void put_loss(struct trace_perfetto *perfetto, const struct trace_loss *loss)
{
    char digits[TRACE_NAME_SIZE];
    const char *cause = trace_name_of(TRACE_NAME_LOSS_CAUSE, loss->cause, digits);
    struct trace_json json =
        start_remark(perfetto, "loss", "Loss: ", cause, loss->track, loss->begin_ns);

    trace_perfetto_put_loss_counts(&json, &loss->counts);
    trace_perfetto_put_count(&json, "events", loss->events);
    trace_perfetto_put_microseconds(&json, "until_us", loss->end_ns);
    trace_json_end_object(&json);
    trace_json_end_object(&json);
}

static void put_diagnostic(struct trace_perfetto *perfetto,
                           const struct trace_diagnostic *diagnostic)
{
    char digits[TRACE_NAME_SIZE];
    const char *code = trace_name_of(TRACE_NAME_DIAGNOSTIC, diagnostic->code, digits);
    struct trace_json json = start_remark(perfetto, "diagnostic", "Diagnostic: ", code,
                                          diagnostic->track, diagnostic->time_ns);

    trace_perfetto_put_count(&json, "count", diagnostic->count);
    trace_perfetto_put_text(&json, "text", diagnostic->text);
    trace_json_end_object(&json);
    trace_json_end_object(&json);
}

static void put_trigger(struct trace_perfetto *perfetto, const struct trace_trigger *trigger)
{
    char digits[TRACE_NAME_SIZE];
    const char *cause = trace_name_of(TRACE_NAME_TRIGGER_CAUSE, trigger->cause, digits);
    struct trace_json json =
        start_remark(perfetto, "trigger", "Trigger: ", cause, TRACE_NONE, trigger->time_ns);

    if (trigger->domain != TRACE_NONE) {
        trace_perfetto_put_text(&json, "domain", perfetto->model->domains[trigger->domain].name);
        trace_perfetto_put_count(&json, "frame", trigger->frame_number);
        trace_perfetto_put_microseconds(&json, "duration_us", trigger->duration_ns);
        trace_perfetto_put_microseconds(&json, "limit_us", trigger->limit_ns);
    }
    trace_perfetto_put_text(&json, "text", trigger->text);
    trace_json_end_object(&json);
    trace_json_end_object(&json);
}

/* Scopes that were open before keep their begins: this tells from when on the rest is there. */
static void put_window(struct trace_perfetto *perfetto)
{
    const struct trace_model *model = perfetto->model;
    struct trace_json json = start_remark(perfetto, "window", "The capture begins here", "",
                                          TRACE_NONE, model->window_begin_ns);

    trace_perfetto_put_microseconds(&json, "until_us", model->end_ns);
    trace_json_end_object(&json);
    trace_json_end_object(&json);
}

/* --- all of them ---------------------------------------------------------------------------- */

void trace_perfetto_put_tail(struct trace_perfetto *perfetto)
{
    const struct trace_model *model = perfetto->model;

    for (uint32_t i = 0; i < model->domain_count; i++)
        put_domain(perfetto, i);
    for (uint32_t i = 0; i < model->loss_count; i++)
        if (is_loss_shown(perfetto, &model->losses[i]))
            put_loss(perfetto, &model->losses[i]);
    for (uint32_t i = 0; i < model->diagnostic_count; i++)
        if (trace_perfetto_shows(perfetto, model->diagnostics[i].time_ns) &&
            shows_place(perfetto, model->diagnostics[i].track))
            put_diagnostic(perfetto, &model->diagnostics[i]);
    if (model->has_window && trace_perfetto_shows(perfetto, model->window_begin_ns))
        put_window(perfetto);
    for (uint32_t i = 0; i < model->trigger_count; i++)
        if (trace_perfetto_shows(perfetto, model->triggers[i].time_ns))
            put_trigger(perfetto, &model->triggers[i]);
    trace_put_text(&perfetto->writer, "\n],\"otherData\":");
    trace_perfetto_put_session(perfetto);
    trace_put_text(&perfetto->writer, "}\n");
}
