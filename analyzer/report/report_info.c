/* The info report: what is in an input, without decoding its events. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "clock_residuals.h"
#include "column_kinds.h"
#include "count_text.h"
#include "failure.h"
#include "frame_percentiles.h"
#include "input.h"
#include "lcap_decode.h"
#include "report_categories.h"
#include "report_gpu.h"
#include "report_parts.h"
#include "report_running.h"
#include "report_window.h"

enum {
    SESSION,
    TRIGGERS,
    SOURCES,
    FACTS,
    EVENTS,
    CLOCKS,
    TRACKS,
    GPU_QUEUES,
    GPU_COVERAGE,
    DOMAINS,
    CATEGORIES,
    LOSSES,
    DIAGNOSTICS,
    DAMAGE
};

#define TEXT(column, heading, words)                                                               \
    {                                                                                              \
        .name = column, .title = heading, .type = TRACE_TYPE_TEXT, .description = words            \
    }
#define COUNT(column, heading, words)                                                              \
    {                                                                                              \
        .name = column, .title = heading, .type = TRACE_TYPE_INTEGER, .unit = TRACE_UNIT_COUNT,    \
        .description = words                                                                       \
    }
/* When. */
#define POSITION(column, heading, words)                                                           \
    TRACE_POSITION_COLUMN(column, heading, .description = words)
#define TIME(column, heading, words)                                                               \
    {                                                                                              \
        .name = column, .title = heading, .type = TRACE_TYPE_INTEGER,                              \
        .unit = TRACE_UNIT_NANOSECONDS, .description = words                                       \
    }

static const struct trace_column fact_columns[] = {
    TEXT("key", "fact", "The name of the fact."),
    TEXT("value", "value", "What the recorder knew."),
};

static const struct trace_column event_columns[] = {
    TEXT("events", "events", "What was emitted."),
    COUNT("recorded", "recorded", "How many are in the capture, by the recorder's own count."),
    COUNT("dropped", "dropped", "How many are not; the table of losses says where."),
};

static const struct trace_column clock_columns[] = {
    TEXT("source", "clock", "monotonic (CLOCK_MONOTONIC), tsc or generic-timer."),
    COUNT("ticks_per_second", "ticks/s", "Its nominal rate."),
    {.name = "step_ticks",
     .title = "step",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_TICKS,
     .description = "It moves in steps of so many ticks."},
    {.name = "resolution_ns",
     .title = "resolution",
     .type = TRACE_TYPE_REAL,
     .unit = TRACE_UNIT_NANOSECONDS,
     .decimals = 3,
     .description = "How long such a step is: no duration is more exact."},
    COUNT("calibrations", "calibrations", "Pairs of ticks and nanoseconds in the capture."),
    TIME("max_uncertainty_ns", "uncertainty",
         "The largest uncertainty of one of them; null when there are none."),
    TIME("max_residual_ns", "residual",
         "How far a calibration was at most from the line through the two before it; null when "
         "there are fewer than three."),
    {.name = "max_residual_ppm",
     .title = "ppm",
     .type = TRACE_TYPE_REAL,
     .decimals = 3,
     .description = "The same beyond what is uncertain, in millionths of the time between; null "
                    "likewise."},
    TEXT("quality", "quality",
         "exact (it is the time), calibrated, nominal (fewer than two calibrations: at the rate "
         "measured at start) or uneven (a residual of more than 50 ppm)."),
    {.name = "reason",
     .title = "reason",
     .type = TRACE_TYPE_TEXT,
     .is_detail = true,
     .description = "Why the recorder chose it."},
};

static const struct trace_column track_columns[] = {
    TEXT("track", "track", "Its name, or its kind and number when it has none."),
    TEXT("kind", "kind", "thread, fiber or gpu-queue."),
    COUNT("os_id", "system id", "The system's number of the thread, which may be reused."),
    POSITION("begin_ns", "from", "When it was first seen, from the session's start."),
    POSITION("end_ns", "to", "When it ended, or the capture did."),
    TIME("sampled_ns", "sampled",
         "For how long it is known whether it ran, by samples; null when it was not sampled."),
};

static const struct trace_column domain_columns[] = {
    TEXT("domain", "domain", "The name of the series of frame marks."),
    COUNT("marks", "marks", "Marks in the capture."),
    COUNT("complete_frames", "complete frames", "Frames of which both marks are there."),
    COUNT("marks_missing", "marks missing", "Marks between the first and the last that were lost."),
};

static const struct trace_column diagnostic_columns[] = {
    TEXT("diagnostic", "diagnostic", "What the recorder saw; docs/recorder.md explains each."),
    TEXT("track", "track", "Where; null when it concerns no single track."),
    COUNT("count", "count", "How often."),
    POSITION("time_ns", "at", "When, the first time."),
    TEXT("text", "detail", "More about it."),
};

static const struct trace_column damage_columns[] = {
    {.name = "offset",
     .title = "offset",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_NONE,
     .description = "Where in the file it begins, in bytes."},
    {.name = "size_bytes",
     .title = "size",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_BYTES,
     .description = "How much of the file it is; 0 for missing blocks."},
    TEXT("reason", "reason",
         "What is wrong there: format/FORMAT.md, section 1.4; or repaired: so much was left out "
         "when "
         "this capture was made of a damaged one, which is told there."),
};

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static const struct trace_table_type tables[] = {
    {.name = "session",
     .title = "Session",
     .columns = trace_session_columns,
     .column_count = TRACE_SESSION_COLUMNS,
     .is_record = true},
    TRACE_TABLE("triggers", "Triggers", trace_trigger_columns),
    {.name = "sources",
     .title = "Sources",
     .columns = trace_source_columns,
     .column_count = TRACE_SOURCE_COLUMNS,
     .is_left_out_when_empty = true},
    TRACE_TABLE("facts", "Program, build and machine", fact_columns),
    TRACE_TABLE("events", "Events by the recorder's count", event_columns),
    TRACE_TABLE("clocks", "Clocks", clock_columns),
    TRACE_TABLE("tracks", "Tracks", track_columns),
    {.name = "gpu_queues",
     .title = "GPU queues",
     .columns = trace_gpu_queue_columns,
     .column_count = TRACE_GPU_QUEUE_COLUMNS,
     .is_left_out_when_empty = true},
    {.name = "gpu_coverage",
     .title = "Coverage of GPU work",
     .columns = trace_gpu_coverage_columns,
     .column_count = TRACE_GPU_COVERAGE_COLUMNS,
     .is_left_out_when_empty = true},
    TRACE_TABLE("domains", "Frame domains", domain_columns),
    TRACE_TABLE("categories", "Categories", trace_category_columns),
    TRACE_TABLE("losses", "Losses", trace_loss_columns),
    TRACE_TABLE("diagnostics", "Diagnostics of the recorder", diagnostic_columns),
    TRACE_TABLE("damage", "Damage of the file", damage_columns),
};

const struct trace_report_type trace_report_info_type = {.name = "info",
                                                         .version = 1,
                                                         .tables = tables,
                                                         .table_count = COUNT_OF(tables),
                                                         .main_table = SESSION,
                                                         .width = TRACE_SCREEN_WIDTH};

static void put_bytes(struct trace_report *report, struct trace_text text)
{
    trace_report_text(report, text.data, text.size);
}

static void put_name(struct trace_report *report, const char *name, uint32_t number)
{
    char text[16];
    if (name == NULL)
        snprintf(text, sizeof text, "%" PRIu32, number);
    trace_report_string(report, name != NULL ? name : text);
}

static void put_event_counts(struct trace_report *report, const struct trace_model *model)
{
    for (size_t sort = 0; model->has_counts && sort < TRACE_COUNT_SORTS; sort++) {
        trace_report_row(report, EVENTS);
        trace_report_string(report, trace_count_name(sort));
        trace_report_integer(report, (int64_t)trace_count_of(&model->recorded, sort));
        trace_report_integer(report, (int64_t)trace_count_of(&model->dropped, sort));
    }
    if (!model->has_counts)
        trace_report_note(report, EVENTS,
                          "The recorder tells them at its end, which is not in the capture.");
}

static void put_residual(struct trace_report *report, const struct trace_clock *clock)
{
    if (clock->max_residual_ns < 0) {
        trace_report_null(report);
        trace_report_null(report);
        return;
    }
    trace_report_integer(report, clock->max_residual_ns);
    trace_report_real(report, (double)clock->max_residual_ppb / 1e3);
}

static void put_facts_and_clocks(struct trace_report *report, const struct trace_model *model)
{
    for (uint32_t i = 0; i < model->fact_count; i++) {
        trace_report_row(report, FACTS);
        put_bytes(report, model->facts[i].key);
        put_bytes(report, model->facts[i].value);
    }
    for (uint32_t i = 0; i < model->clock_count; i++) {
        const struct trace_clock *clock = &model->clocks[i];
        trace_report_row(report, CLOCKS);
        put_name(report, lcap_clock_source_name(clock->source), clock->source);
        trace_report_integer(report, (int64_t)clock->ticks_per_second);
        trace_report_integer(report, (int64_t)clock->step);
        trace_report_real(report, (double)clock->step * 1e9 / (double)clock->ticks_per_second);
        trace_report_integer(report, clock->calibrations);
        if (clock->calibrations != 0)
            trace_report_integer(report, clock->max_uncertainty_ns);
        else
            trace_report_null(report);
        put_residual(report, clock);
        trace_report_string(report, trace_clock_quality(clock));
        put_bytes(report, clock->reason);
    }
}

static void put_tracks_and_domains(struct trace_report *report, const struct trace_model *model)
{
    for (uint32_t i = 0; i < model->track_count; i++) {
        const struct trace_track *track = &model->tracks[i];
        if (!track->is_defined) /* of a capture, only decoded events would name all of these */
            continue;
        trace_report_row(report, TRACKS);
        trace_put_track_name(report, model, i);
        put_name(report, lcap_track_kind_name(track->kind), track->kind);
        trace_report_integer(report, (int64_t)track->os_id);
        trace_report_integer(report, track->begin_ns);
        trace_report_integer(report, track->end_ns);
        if (track->sched.sampled_ns != 0)
            trace_report_integer(report, track->sched.sampled_ns);
        else
            trace_report_null(report);
    }
    trace_note_not_sampled(report, TRACKS, model);
    for (uint32_t i = 0; i < model->domain_count; i++) {
        const struct trace_domain *domain = &model->domains[i];
        trace_report_row(report, DOMAINS);
        put_bytes(report, domain->name);
        trace_report_integer(report, domain->frame_count);
        trace_report_integer(report, domain->complete_count);
        trace_report_integer(report, (int64_t)domain->marks_missing);
    }
}

static void put_oddities(struct trace_report *report, const struct trace_model *model,
                         bool is_unverified)
{
    for (uint32_t i = 0; i < model->diagnostic_count; i++)
        trace_put_diagnostic(report, DIAGNOSTICS, model, &model->diagnostics[i]);
    for (uint32_t i = 0; i < model->damage_count; i++) {
        trace_report_row(report, DAMAGE);
        trace_report_integer(report, (int64_t)model->damages[i].offset);
        trace_report_integer(report, (int64_t)model->damages[i].size);
        trace_report_string(report, model->damages[i].reason);
    }
    if (is_unverified)
        trace_report_note(report, DAMAGE,
                          "Blocks of events were not verified, for the file is large; "
                          "`ludus-trace check` does that.");
    if (!model->is_finished)
        trace_report_note(report, DAMAGE,
                          "The recording was not finished; %" PRIu64
                          " bytes follow the last whole block.",
                          model->unfinished_tail);
}

/* What cannot be asked of a database that holds statistics alone. */
static enum ludus_status put_statistics_note(struct trace_report *report, struct trace_input *input,
                                             const struct trace_model *model,
                                             struct ludus_error *error)
{
    char list[200];
    if (!model->is_of_statistics)
        return LUDUS_OK;
    enum ludus_status status = trace_input_list_windows(input, list, sizeof list, error);
    if (status == LUDUS_OK)
        trace_report_note(report, SESSION,
                          "The database holds statistics alone (import --stats-only), of the "
                          "windows: %s. Events were counted, and left out.",
                          list);
    return status;
}

enum ludus_status trace_report_info(struct trace_input *input, struct trace_report **out,
                                    struct ludus_error *error)
{
    const struct trace_model *model;
    struct trace_report *report;
    *out = NULL;
    enum ludus_status status = trace_input_model(input, TRACE_DETAIL_FACTS, &model, error);
    if (status == LUDUS_OK)
        status = trace_report_create(&trace_report_info_type, &report, error);
    if (status != LUDUS_OK)
        return status;
    trace_put_session(report, SESSION, model, true);
    trace_note_short_window(report, SESSION, model);
    status = put_statistics_note(report, input, model, error);
    trace_put_triggers(report, TRIGGERS, model);
    trace_put_sources(report, SOURCES, model);
    put_event_counts(report, model);
    put_facts_and_clocks(report, model);
    put_tracks_and_domains(report, model);
    trace_put_gpu_queues(report, GPU_QUEUES, model);
    trace_put_gpu_coverage(report, GPU_COVERAGE, model, NULL);
    if (status == LUDUS_OK && !trace_put_categories(report, CATEGORIES, model))
        status = trace_fail_memory(error);
    trace_put_losses(report, LOSSES, model);
    const struct trace_capture *capture = trace_input_capture(input);
    put_oddities(report, model, capture != NULL && trace_capture_is_unverified(capture));
    return trace_report_deliver(report, status, out, error);
}
