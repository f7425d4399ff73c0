/* Says which part of a recording a capture holds, and why. */
#include "report_window.h"

#include <inttypes.h>
#include <stdio.h>

#include "lcap_decode.h"
#include "loss_remedy.h"
#include "model_facts.h"

#define TIME_SIZE      48u
#define TRIGGERS_NAMED 3u
#define NS_PER_MS      INT64_C(1000000)
#define MAX_MEMORY     (UINT64_C(4) << 30) /* of a recorder */
#define SHORT_PART_NS  (100 * NS_PER_MS)   /* of shorter parts both ends would look the same */

const struct trace_column trace_trigger_columns[TRACE_TRIGGER_COLUMNS] = {
    {.name = "cause",
     .title = "trigger",
     .type = TRACE_TYPE_TEXT,
     .description = "frame: it took longer than its limit; call: the program asked for it."},
    {.name = "domain",
     .title = "domain",
     .type = TRACE_TYPE_TEXT,
     .description = "The series of frame marks of the frame; null when none was the cause."},
    {.name = "frame",
     .title = "frame",
     .type = TRACE_TYPE_INTEGER,
     .description = "The number of the frame; null likewise."},
    {.name = "time_ns",
     .title = "at",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_NANOSECONDS,
     .is_position = true,
     .description = "When it fired, from the session's start: of a frame, its end."},
    {.name = "duration_ns",
     .title = "duration",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_NANOSECONDS,
     .description = "How long the frame was; null likewise."},
    {.name = "limit_ns",
     .title = "limit",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_NANOSECONDS,
     .description = "What it exceeded; null likewise."},
    {.name = "text",
     .title = "reason",
     .type = TRACE_TYPE_TEXT,
     .description = "The reason that the program gave; null when it gave none."},
};

void trace_put_triggers(struct trace_report *report, size_t table, const struct trace_model *model)
{
    for (uint32_t i = 0; i < model->trigger_count; i++) {
        const struct trace_trigger *trigger = &model->triggers[i];
        const char *cause = lcap_trigger_cause_name(trigger->cause);
        char number[TIME_SIZE];
        snprintf(number, sizeof number, "cause %" PRIu32, trigger->cause);
        bool is_frame = trigger->domain != TRACE_NONE;
        trace_report_row(report, table);
        trace_report_string(report, cause != NULL ? cause : number);
        if (is_frame) {
            const struct trace_text *name = &model->domains[trigger->domain].name;
            trace_report_text(report, name->data, name->size);
            trace_report_integer(report, (int64_t)trigger->frame_number);
        } else {
            trace_report_null(report);
            trace_report_null(report);
        }
        trace_report_integer(report, trigger->time_ns);
        if (is_frame) {
            trace_report_integer(report, trigger->duration_ns);
            trace_report_integer(report, trigger->limit_ns);
        } else {
            trace_report_null(report);
            trace_report_null(report);
        }
        if (trigger->text.size != 0)
            trace_report_text(report, trigger->text.data, trigger->text.size);
        else
            trace_report_null(report);
    }
}

/* Seconds with three decimals: times of a long recording must be told apart. Rounded as in the
 * tables, where the same times stand. */
static const char *seconds_of(int64_t ns, char text[TIME_SIZE])
{
    uint64_t ms = ((ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns) + 500000) / 1000000;
    snprintf(text, TIME_SIZE, "%s%" PRIu64 ".%03u s", ns < 0 && ms != 0 ? "-" : "", ms / 1000,
             (unsigned)(ms % 1000));
    return text;
}

/* The same to the nanosecond. */
static const char *exact_seconds_of(int64_t ns, char text[TIME_SIZE])
{
    uint64_t size = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    snprintf(text, TIME_SIZE, "%s%" PRIu64 ".%09u s", ns < 0 ? "-" : "", size / 1000000000,
             (unsigned)(size % 1000000000));
    return text;
}

static const char *milliseconds_of(int64_t ns, char text[TIME_SIZE])
{
    snprintf(text, TIME_SIZE, "%.3f ms", (double)ns / 1e6);
    return text;
}

static int shown_size(struct trace_text text)
{
    return (int)(text.size < 200 ? text.size : 200);
}

static bool is_cut_out(const struct trace_model *model)
{
    return trace_model_fact(model, TRACE_FACT_TRIM_WINDOW) != NULL;
}

/* By whom, of what. */
static void note_trim(struct trace_report *report, size_t table, const struct trace_model *model)
{
    const struct trace_text *window = trace_model_fact(model, TRACE_FACT_TRIM_WINDOW);
    const struct trace_text *capture = trace_model_fact(model, TRACE_FACT_TRIM_CAPTURE);
    if (window != NULL && capture != NULL)
        trace_report_note(report, table, "Cut out of the capture %.*s with `trim --window %.*s`.",
                          shown_size(*capture), capture->data, shown_size(*window), window->data);
}

static void note_trigger(struct trace_report *report, size_t table, const struct trace_model *model,
                         const struct trace_trigger *trigger)
{
    char time[TIME_SIZE], duration[TIME_SIZE], limit[TIME_SIZE];
    /* A capture that was cut out was kept because somebody wanted that part. */
    const char *lead = is_cut_out(model) ? "A trigger in it:" : "Kept because";
    seconds_of(trigger->time_ns, time);
    if (trigger->domain != TRACE_NONE)
        trace_report_note(report, table,
                          "%s frame %" PRIu64 " of %.*s took %s, more than its limit of "
                          "%s: it ended at %s.",
                          lead, trigger->frame_number,
                          shown_size(model->domains[trigger->domain].name),
                          model->domains[trigger->domain].name.data,
                          milliseconds_of(trigger->duration_ns, duration),
                          milliseconds_of(trigger->limit_ns, limit), time);
    else if (trigger->text.size != 0)
        trace_report_note(report, table, "%s the program asked for it at %s: %.*s", lead, time,
                          shown_size(trigger->text), trigger->text.data);
    else if (trigger->cause == LCAP_TRIGGER_CALL)
        trace_report_note(report, table, "%s the program asked for it at %s.", lead, time);
    else
        trace_report_note(report, table, "%s cause %" PRIu32 " at %s.", lead, trigger->cause, time);
}

void trace_note_window(struct trace_report *report, size_t table, const struct trace_model *model,
                       bool has_list)
{
    char from[TIME_SIZE], to[TIME_SIZE];
    if (!model->has_window)
        return;
    bool is_short = model->end_ns - model->window_begin_ns < SHORT_PART_NS;
    const char *(*shown)(int64_t, char[TIME_SIZE]) = is_short ? exact_seconds_of : seconds_of;
    trace_report_note(report, table,
                      "A part of its recording: from %s to %s of it. Times and frame numbers are "
                      "those of the recording.",
                      shown(model->window_begin_ns, from), shown(model->end_ns, to));
    note_trim(report, table, model);
    uint32_t named = model->trigger_count <= TRIGGERS_NAMED ? model->trigger_count : TRIGGERS_NAMED;
    for (uint32_t i = 0; i < named; i++)
        note_trigger(report, table, model, &model->triggers[i]);
    if (model->trigger_count > named)
        trace_report_note(report, table, "And %u more triggers; %s lists them.",
                          model->trigger_count - named,
                          has_list ? "the table of triggers" : "`ludus-trace info`");
}

/* Where the time before a trigger ends: a frame's is that before its beginning. */
static int64_t begin_of(const struct trace_trigger *trigger)
{
    return trigger->domain != TRACE_NONE ? trigger->time_ns - trigger->duration_ns
                                         : trigger->time_ns;
}

/* A window that holds all that was wanted, if as much happened at all times; twice as large when it
 * held nothing. */
static uint64_t larger_window(uint64_t window_bytes, int64_t wanted_ns, int64_t kept_ns)
{
    double times = kept_ns > 0 ? (double)wanted_ns / (double)kept_ns : 2;
    double bytes = (double)window_bytes * times;
    return trace_whole_mib(bytes < (double)MAX_MEMORY ? (uint64_t)bytes : MAX_MEMORY);
}

void trace_note_short_window(struct trace_report *report, size_t table,
                             const struct trace_model *model)
{
    uint64_t before_ms, window_bytes;
    char asked[TIME_SIZE], kept[TIME_SIZE];
    if (!model->has_window || model->trigger_count == 0 || is_cut_out(model) ||
        !trace_model_number_fact(model, "recorder.hitch_before_ms", &before_ms))
        return;
    int64_t first_ns = begin_of(&model->triggers[0]);
    for (uint32_t i = 1; i < model->trigger_count; i++)
        if (begin_of(&model->triggers[i]) < first_ns)
            first_ns = begin_of(&model->triggers[i]);
    int64_t before_ns = (int64_t)before_ms * NS_PER_MS;
    int64_t wanted_ns = first_ns > before_ns ? first_ns - before_ns : 0;
    /* A window begins with a pass of the collector: within that it is as long as was asked for. */
    uint64_t pass_ms = 0;
    (void)trace_model_number_fact(model, "recorder.flush_interval_ms", &pass_ms);
    if (pass_ms > before_ms)
        pass_ms = before_ms;
    if (model->window_begin_ns - wanted_ns <= (int64_t)pass_ms * NS_PER_MS)
        return;
    int64_t kept_ns = first_ns > model->window_begin_ns ? first_ns - model->window_begin_ns : 0;
    seconds_of(before_ns, asked);
    seconds_of(kept_ns, kept);
    if (trace_model_number_fact(model, "recorder.hitch_window_bytes", &window_bytes))
        trace_report_note(
            report, table,
            "Of the %s before the trigger, or its frame, that were asked for, %s are "
            "in it: the memory of the window (hitch.window_bytes) was %" PRIu64
            " bytes, and held no more. Try %" PRIu64 ", with as much more memory_bytes.",
            asked, kept, window_bytes, larger_window(window_bytes, first_ns - wanted_ns, kept_ns));
    else
        trace_report_note(
            report, table,
            "Of the %s before the trigger, or its frame, that were asked for, %s are "
            "in it. Raise the memory of the window (hitch.window_bytes) to keep more.",
            asked, kept);
}

void trace_note_no_slices(struct trace_report *report, size_t table,
                          const struct trace_model *model, const struct trace_chosen *chosen)
{
    const char *which = trace_chosen_is_filtered(chosen) ? " of these" : "";
    if (model->track_count == 0)
        trace_report_note(report, table,
                          "There are no slices, and no track: are scopes compiled out "
                          "(LUDUS_PROFILE_ENABLED=0)?");
    else if (model->slices == 0)
        trace_report_note(report, table,
                          "There are no slices: of the tracks that count, none has a scope.");
    else if (chosen->plan.attribution == TRACE_ATTRIBUTE_CLIP)
        trace_report_note(report, table, "No slice%s runs in the window.", which);
    else
        trace_report_note(report, table,
                          "No slice%s begins in the window; --attribute clip counts those that run "
                          "in it.",
                          which);
}
