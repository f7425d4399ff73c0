/* The lines of which there are few: names of the process and its tracks, frames, losses, what the
 * recorder reported, and what is known of the session. */
#include <string.h>

#include "database_names.h"
#include "frame_percentiles.h"
#include "number_text.h"
#include "perfetto.h"

/* Whose lines these are. Frames lie on tracks of their own, behind the ids of the recorded ones. */
static uint64_t domain_place(const struct trace_model *model, uint32_t domain)
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

/* Every event but the first follows another one. */
static struct trace_json start_next_event(struct trace_perfetto *perfetto, const char *phase)
{
    trace_put(&perfetto->writer, ",\n", 2);
    return start_event(perfetto, phase);
}

static void put_microseconds(struct trace_json *json, const char *key, int64_t ns)
{
    char text[TRACE_NUMBER_SIZE];

    trace_json_key(json, key);
    trace_json_raw(json, text, trace_format_microseconds(ns, text));
}

static void put_text(struct trace_json *json, const char *key, struct trace_text text)
{
    trace_json_key(json, key);
    trace_json_bytes(json, text.data, text.size);
}

static void put_string(struct trace_json *json, const char *key, const char *text)
{
    trace_json_key(json, key);
    trace_json_text(json, text);
}

static void put_count(struct trace_json *json, const char *key, uint64_t count)
{
    trace_json_key(json, key);
    trace_json_unsigned(json, count);
}

static void put_place(struct trace_json *json, const struct trace_perfetto *perfetto, uint64_t tid,
                      int64_t time_ns)
{
    put_count(json, "pid", perfetto->model->process_id);
    put_count(json, "tid", tid);
    put_microseconds(json, "ts", time_ns);
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

static struct trace_text find_fact(const struct trace_model *model, const char *key)
{
    for (uint32_t i = 0; i < model->fact_count; i++) {
        const struct trace_fact *fact = &model->facts[i];

        if (fact->key.size == strlen(key) && memcmp(fact->key.data, key, fact->key.size) == 0)
            return fact->value;
    }
    return (struct trace_text){"", 0};
}

/* The program's name without its folders. */
static struct trace_text program_of(const struct trace_model *model)
{
    struct trace_text program = find_fact(model, "program");

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
    put_string(&json, "name", "process_name");
    put_place(&json, perfetto, 0, 0);
    trace_json_key(&json, "args");
    trace_json_begin_object(&json);
    put_text(&json, "name", program.size > 0 ? program : (struct trace_text){"program", 7});
    trace_json_end_object(&json);
    trace_json_end_object(&json);
}

static void put_sort_index(struct trace_perfetto *perfetto, uint64_t tid, int64_t index)
{
    struct trace_json json = start_next_event(perfetto, "M");

    put_string(&json, "name", "thread_sort_index");
    put_place(&json, perfetto, tid, 0);
    trace_json_key(&json, "args");
    trace_json_begin_object(&json);
    trace_json_key(&json, "sort_index");
    trace_json_integer(&json, index);
    trace_json_end_object(&json);
    trace_json_end_object(&json);
}

static struct trace_json start_thread_name(struct trace_perfetto *perfetto, uint64_t tid)
{
    struct trace_json json = start_next_event(perfetto, "M");

    put_string(&json, "name", "thread_name");
    put_place(&json, perfetto, tid, 0);
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
        put_text(&json, "name", facts->name);
    else
        put_numbered(&json, "name", unnamed, facts->os_id != 0 ? facts->os_id : facts->id);
    put_string(&json, "kind", kind);
    put_count(&json, "os_id", facts->os_id);
    end_thread_name(&json);
    put_sort_index(perfetto, facts->id, track);
}

/* --- frames ---------------------------------------------------------------------------------- */

static void put_frame_line(struct trace_perfetto *perfetto, uint64_t tid, const char *phase,
                           uint64_t number, int64_t time_ns)
{
    struct trace_json json = start_next_event(perfetto, phase);

    put_string(&json, "cat", "frame");
    put_numbered(&json, "name", "Frame ", number);
    put_place(&json, perfetto, tid, time_ns);
    trace_json_end_object(&json);
}

static void put_incomplete_frame(struct trace_perfetto *perfetto, uint64_t tid,
                                 const struct trace_frame *frame)
{
    struct trace_json json = start_next_event(perfetto, "i");

    put_string(&json, "cat", "frame");
    put_numbered(&json, "name", "Incomplete frame ", frame->number);
    put_place(&json, perfetto, tid, frame->begin_ns);
    put_string(&json, "s", "t");
    trace_json_end_object(&json);
}

static void put_domain(struct trace_perfetto *perfetto, uint32_t index)
{
    const struct trace_domain *domain = &perfetto->model->domains[index];
    uint64_t tid = domain_place(perfetto->model, index);
    struct trace_json json = start_thread_name(perfetto, tid);

    put_joined(&json, "name", "Frames: ", domain->name);
    put_count(&json, "marks_missing", domain->marks_missing);
    end_thread_name(&json);
    /* Above the tracks of the program, whose indexes begin at 0. */
    put_sort_index(perfetto, tid, (int64_t)index - (int64_t)perfetto->model->domain_count);
    for (uint32_t i = 0; i < domain->frame_count; i++) {
        const struct trace_frame *frame = &domain->frames[i];

        if (trace_frame_is_complete(domain, i)) {
            put_frame_line(perfetto, tid, "B", frame->number, frame->begin_ns);
            put_frame_line(perfetto, tid, "E", frame->number, frame[1].begin_ns);
        } else {
            put_incomplete_frame(perfetto, tid, frame);
        }
    }
}

/* --- losses and reports ---------------------------------------------------------------------- */

/* An instant on a track, or on the whole process; open in its args. */
static struct trace_json start_remark(struct trace_perfetto *perfetto, const char *category,
                                      const char *first, const char *second, uint32_t track,
                                      int64_t time_ns)
{
    const struct trace_model *model = perfetto->model;
    struct trace_json json = start_next_event(perfetto, "i");

    put_string(&json, "cat", category);
    put_joined(&json, "name", first, (struct trace_text){second, strlen(second)});
    put_place(&json, perfetto, track == TRACE_NONE ? 0 : model->tracks[track].id, time_ns);
    put_string(&json, "s", track == TRACE_NONE ? "p" : "t");
    trace_json_key(&json, "args");
    trace_json_begin_object(&json);
    return json;
}

static void put_loss_counts(struct trace_json *json, const struct lcap_counts *counts)
{
    put_count(json, "scopes", counts->scopes);
    put_count(json, "instants", counts->instants);
    put_count(json, "frames", counts->frames);
    put_count(json, "flows", counts->flows);
    put_count(json, "gauges", counts->gauges);
}

static void put_loss(struct trace_perfetto *perfetto, const struct trace_loss *loss)
{
    char digits[TRACE_NAME_SIZE];
    const char *cause = trace_name_of(TRACE_NAME_LOSS_CAUSE, loss->cause, digits);
    struct trace_json json =
        start_remark(perfetto, "loss", "Loss: ", cause, loss->track, loss->begin_ns);

    put_loss_counts(&json, &loss->counts);
    put_count(&json, "events", loss->events);
    put_microseconds(&json, "until_us", loss->end_ns);
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

    put_count(&json, "count", diagnostic->count);
    put_text(&json, "text", diagnostic->text);
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
        put_text(&json, "domain", perfetto->model->domains[trigger->domain].name);
        put_count(&json, "frame", trigger->frame_number);
        put_microseconds(&json, "duration_us", trigger->duration_ns);
        put_microseconds(&json, "limit_us", trigger->limit_ns);
    }
    put_text(&json, "text", trigger->text);
    trace_json_end_object(&json);
    trace_json_end_object(&json);
}

/* Scopes that were open before keep their begins: this tells from when on the rest is there. */
static void put_window(struct trace_perfetto *perfetto)
{
    const struct trace_model *model = perfetto->model;
    struct trace_json json = start_remark(perfetto, "window", "The capture begins here", "",
                                          TRACE_NONE, model->window_begin_ns);

    put_microseconds(&json, "until_us", model->end_ns);
    trace_json_end_object(&json);
    trace_json_end_object(&json);
}

/* --- the session ----------------------------------------------------------------------------- */

static void put_facts(struct trace_json *json, const struct trace_model *model)
{
    trace_json_key(json, "facts");
    trace_json_begin_array(json);
    for (uint32_t i = 0; i < model->fact_count; i++) {
        trace_json_break(json, 1);
        trace_json_begin_object(json);
        put_text(json, "key", model->facts[i].key);
        put_text(json, "value", model->facts[i].value);
        trace_json_end_object(json);
    }
    trace_json_end_array(json);
}

static void put_clocks(struct trace_json *json, const struct trace_model *model)
{
    trace_json_key(json, "clocks");
    trace_json_begin_array(json);
    for (uint32_t i = 0; i < model->clock_count; i++) {
        const struct trace_clock *clock = &model->clocks[i];
        char digits[TRACE_NAME_SIZE];

        trace_json_break(json, 1);
        trace_json_begin_object(json);
        put_string(json, "source", trace_name_of(TRACE_NAME_CLOCK_SOURCE, clock->source, digits));
        put_count(json, "ticks_per_second", clock->ticks_per_second);
        put_count(json, "step_ticks", clock->step);
        put_count(json, "max_uncertainty_ns", clock->max_uncertainty_ns);
        put_text(json, "reason", clock->reason);
        trace_json_end_object(json);
    }
    trace_json_end_array(json);
}

static void put_lost(struct trace_json *json, const struct trace_model *model)
{
    struct trace_loss sum = {0};
    uint64_t damaged_bytes = 0;

    for (uint32_t i = 0; i < model->loss_count; i++) {
        lcap_counts_add(&sum.counts, &model->losses[i].counts);
        sum.events += model->losses[i].events;
    }
    for (uint32_t i = 0; i < model->damage_count; i++)
        damaged_bytes += model->damages[i].size;
    trace_json_key(json, "lost");
    trace_json_begin_object(json);
    put_loss_counts(json, &sum.counts);
    put_count(json, "events", sum.events);
    put_count(json, "damaged_places", model->damage_count);
    put_count(json, "damaged_bytes", damaged_bytes);
    trace_json_end_object(json);
}

static void put_counts(struct trace_json *json, const struct trace_perfetto *perfetto)
{
    const struct trace_model *model = perfetto->model;
    uint64_t incomplete = 0;

    for (uint32_t i = 0; i < model->track_count; i++)
        incomplete += model->tracks[i].incomplete;
    put_count(json, "slices", model->slices);
    put_count(json, "incomplete_slices", incomplete);
    put_count(json, "instants", model->instants);
    put_count(json, "names_replaced", model->names_replaced);
    put_count(json, "times_moved", perfetto->times_moved);
}

static void put_session(struct trace_json *json, const struct trace_model *model)
{
    static const char digits[] = "0123456789abcdef";
    char identity[16];

    for (unsigned i = 0; i < sizeof identity; i++)
        identity[i] = digits[model->capture_id >> (60 - 4 * i) & 15];
    put_text(json, "capture", (struct trace_text){identity, sizeof identity});
    trace_json_key(json, "base_unix_ns"); /* the wall clock at ts 0 */
    trace_json_integer(json, model->start_unix_ns);
    trace_json_key(json, "window_begin_ns");
    if (model->has_window)
        trace_json_integer(json, model->window_begin_ns);
    else
        trace_json_null(json);
    trace_json_key(json, "end_ns");
    trace_json_integer(json, model->end_ns);
    trace_json_key(json, "is_finished");
    trace_json_bool(json, model->is_finished);
}

void trace_perfetto_put_tail(struct trace_perfetto *perfetto)
{
    const struct trace_model *model = perfetto->model;
    struct trace_json json;

    for (uint32_t i = 0; i < model->domain_count; i++)
        put_domain(perfetto, i);
    for (uint32_t i = 0; i < model->loss_count; i++)
        put_loss(perfetto, &model->losses[i]);
    for (uint32_t i = 0; i < model->diagnostic_count; i++)
        put_diagnostic(perfetto, &model->diagnostics[i]);
    if (model->has_window)
        put_window(perfetto);
    for (uint32_t i = 0; i < model->trigger_count; i++)
        put_trigger(perfetto, &model->triggers[i]);
    trace_put_text(&perfetto->writer, "\n],\"otherData\":");
    trace_json_start(&json, &perfetto->writer);
    trace_json_begin_object(&json);
    put_session(&json, model);
    put_counts(&json, perfetto);
    put_lost(&json, model);
    put_clocks(&json, model);
    put_facts(&json, model);
    trace_json_end_object(&json);
    trace_put_text(&perfetto->writer, "}\n");
}
