/* Pieces that several reports share. */
#include "report_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "lcap_decode.h"
#include "model_facts.h"
#include "report_window.h"

const struct trace_column trace_session_columns[TRACE_SESSION_COLUMNS] = {
    {.name = "program",
     .title = "program",
     .type = TRACE_TYPE_TEXT,
     .description = "The program that was recorded."},
    {.name = "build_commit",
     .title = "commit",
     .type = TRACE_TYPE_TEXT,
     .description = "The commit it was built from; null when its build did not say."},
    {.name = "build_flavor",
     .title = "build",
     .type = TRACE_TYPE_TEXT,
     .description = "The flavour of the build, such as Release."},
    {.name = "machine",
     .title = "machine",
     .type = TRACE_TYPE_TEXT,
     .description = "The model of its processor."},
    {.name = "cores",
     .title = "cores",
     .type = TRACE_TYPE_TEXT,
     .description = "The number of its cores."},
    {.name = "os",
     .title = "system",
     .type = TRACE_TYPE_TEXT,
     .description = "Its operating system."},
    {.name = "started",
     .title = "started",
     .type = TRACE_TYPE_TEXT,
     .description = "Wall clock at the start of the recording, UTC, ISO 8601."},
    {.name = "duration_ns",
     .title = "duration",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_NANOSECONDS,
     .window = "the whole capture",
     .description =
         "From the start of the recording, or of the part of it that the capture holds, to "
         "its end, or to the last time known."},
    {.name = "window_begin_ns",
     .title = "part from",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_NANOSECONDS,
     .is_position = true,
     .is_detail = true,
     .description = "When that part begins, from the start of the recording; null when the capture "
                    "holds all of it."},
    {.name = "clock",
     .title = "clock",
     .type = TRACE_TYPE_TEXT,
     .description = "The clock that times were read from, and why it was chosen."},
    {.name = "resolution_ns",
     .title = "resolution",
     .type = TRACE_TYPE_REAL,
     .unit = TRACE_UNIT_NANOSECONDS,
     .decimals = 3,
     .description = "The step of that clock: no duration is more exact."},
    {.name = "events",
     .title = "events",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_COUNT,
     .window = "the whole capture",
     .description = "Recorded events: two for a slice, one for an instant."},
    {.name = "file_bytes",
     .title = "file size",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_BYTES,
     .description = "Size of the capture file."},
    {.name = "finished",
     .title = "finished",
     .type = TRACE_TYPE_TEXT,
     .description = "yes, or no when the recording was cut short."},
    {.name = "capture_id",
     .title = "capture id",
     .type = TRACE_TYPE_TEXT,
     .is_detail = true,
     .description = "The random number of the capture, 16 hexadecimal digits."},
};

void trace_put_fact(struct trace_report *report, const struct trace_model *model, const char *key)
{
    const struct trace_text *value = trace_model_fact(model, key);
    if (value != NULL)
        trace_report_text(report, value->data, value->size);
    else
        trace_report_null(report);
}

/* The wall clock as 2026-01-31T12:34:56.789Z. */
static void put_wall_clock(struct trace_report *report, int64_t unix_ns)
{
    char text[64];
    struct tm parts;
    time_t seconds = (time_t)(unix_ns / 1000000000);
    int64_t ns = unix_ns % 1000000000;
    if (ns < 0) {
        ns += 1000000000;
        seconds--;
    }
    size_t size = gmtime_r(&seconds, &parts) == NULL
                      ? 0
                      : strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
    if (size == 0) {
        trace_report_null(report);
        return;
    }
    snprintf(text + size, sizeof text - size, ".%03dZ", (int)(ns / 1000000));
    trace_report_string(report, text);
}

static void put_clock(struct trace_report *report, const struct trace_model *model)
{
    if (model->clock_count == 0) {
        trace_report_null(report);
        trace_report_null(report);
        return;
    }
    const struct trace_clock *clock = &model->clocks[0];
    const char *source = lcap_clock_source_name(clock->source);
    char text[512];
    int reason_size = clock->reason.size < 400 ? (int)clock->reason.size : 400;
    snprintf(text, sizeof text, "%s%s%.*s", source != NULL ? source : "unknown",
             reason_size != 0 ? ": " : "", reason_size, clock->reason.data);
    trace_report_string(report, text);
    trace_report_real(report, (double)clock->step * 1e9 / (double)clock->ticks_per_second);
}

void trace_put_session(struct trace_report *report, size_t table, const struct trace_model *model,
                       bool has_lists)
{
    char id[32];
    snprintf(id, sizeof id, "%016" PRIx64, model->capture_id);
    trace_report_row(report, table);
    trace_put_fact(report, model, "program");
    trace_put_fact(report, model, "build.commit");
    trace_put_fact(report, model, "build.flavor");
    trace_put_fact(report, model, "cpu.model");
    trace_put_fact(report, model, "cpu.cores");
    trace_put_fact(report, model, "os");
    if (model->start_unix_ns != 0)
        put_wall_clock(report, model->start_unix_ns);
    else
        trace_report_null(report); /* no session was found: no date rather than 1970 */
    trace_report_integer(report, model->end_ns - model->window_begin_ns);
    if (model->has_window)
        trace_report_integer(report, model->window_begin_ns);
    else
        trace_report_null(report);
    put_clock(report, model);
    trace_report_integer(report, (int64_t)model->events);
    trace_report_integer(report, (int64_t)model->file_bytes);
    trace_report_string(report, model->is_finished ? "yes" : "no");
    if (model->capture_id != 0)
        trace_report_string(report, id);
    else
        trace_report_null(report);
    if (model->clock_count > 1)
        trace_report_note(report, table, "%u clocks were used one after the other; %s lists them.",
                          model->clock_count,
                          has_lists ? "the table of clocks" : "`ludus-trace info`");
    trace_note_window(report, table, model, has_lists);
}

void trace_put_track_name(struct trace_report *report, const struct trace_model *model,
                          uint32_t track)
{
    if (track == TRACE_NONE) {
        trace_report_null(report);
        return;
    }
    const struct trace_track *facts = &model->tracks[track];
    char text[TRACE_TRACK_NAME_SIZE];
    if (facts->name.size != 0 && !facts->is_name_shared) {
        trace_report_text(report, facts->name.data, facts->name.size);
        return;
    }
    trace_track_name(model, track, text);
    trace_report_string(report, text);
}

void trace_put_diagnostic(struct trace_report *report, size_t table,
                          const struct trace_model *model,
                          const struct trace_diagnostic *diagnostic)
{
    const char *name = lcap_diagnostic_name(diagnostic->code);
    char number[16];
    snprintf(number, sizeof number, "%" PRIu32, diagnostic->code);
    trace_report_row(report, table);
    trace_report_string(report, name != NULL ? name : number);
    trace_put_track_name(report, model, diagnostic->track);
    trace_report_integer(report, (int64_t)diagnostic->count);
    trace_report_integer(report, diagnostic->time_ns);
    trace_report_text(report, diagnostic->text.data, diagnostic->text.size);
}

void trace_put_known_text(struct trace_report *report, struct trace_text text)
{
    if (text.size == 0)
        trace_report_null(report);
    else
        trace_report_text(report, text.data, text.size);
}

void trace_put_category(struct trace_report *report, const struct trace_model *model,
                        const struct trace_site *site)
{
    if (site->category == TRACE_NONE)
        trace_report_null(report);
    else
        trace_put_known_text(report, model->categories[site->category].name);
}

void trace_put_place(struct trace_report *report, const struct trace_site *site)
{
    trace_put_known_text(report, site->file);
    trace_report_integer(report, site->line);
    trace_put_known_text(report, site->function);
}

void trace_put_quotient(struct trace_report *report, double numerator, double denominator)
{
    if (denominator > 0)
        trace_report_real(report, numerator / denominator);
    else
        trace_report_null(report);
}

void trace_put_known(struct trace_report *report, double value, uint64_t calls)
{
    if (calls != 0)
        trace_report_real(report, value);
    else
        trace_report_null(report);
}
