/* How long the frames of each domain were, in each window. */
#include "column_kinds.h"
#include "failure.h"
#include "report_parts.h"
#include "summarize.h"

#define RANK(column, heading, words)                                                               \
    TRACE_TIME_COLUMN(column "_ns", heading, .window = TRACE_SUMMARY_FRAME_WINDOW,                 \
                      .description = words)
#define HIDDEN_RANK(column, heading, words)                                                        \
    TRACE_TIME_COLUMN(column "_ns", heading, .window = TRACE_SUMMARY_FRAME_WINDOW,                 \
                      .description = words, .is_detail = true)
#define RANK_FRAME(column)                                                                         \
    TRACE_NUMBER_COLUMN(column "_frame", "frame", .window = TRACE_SUMMARY_FRAME_WINDOW,            \
                        .description = "The number of the frame that " column "_ns is from; of "   \
                                       "the first one when several are as long.",                  \
                        .is_detail = true)

const struct trace_column trace_summary_frame_columns[] = {
    TRACE_WINDOW_COLUMN,
    TRACE_TEXT_COLUMN("domain", "domain",
                      .description =
                          "The series of frame marks; the first one is the default domain."),
    TRACE_COUNT_COLUMN("frames", "frames", .window = TRACE_SUMMARY_FRAME_WINDOW,
                       .description =
                           "Frames of which both marks are there, and that lie in the window as a "
                           "whole; the others are left out."),
    TRACE_COUNT_COLUMN("frames_incomplete", "partial", .window = "the window",
                       .description =
                           "Frames left out though they reach into the window: those that cross "
                           "its edge, and those with a mark at one end only, which are the last "
                           "one and those beside a lost mark."),
    {.name = "mean_ns",
     .title = "mean",
     .type = TRACE_TYPE_REAL,
     .unit = TRACE_UNIT_NANOSECONDS,
     .decimals = 1,
     .window = TRACE_SUMMARY_FRAME_WINDOW,
     .denominator = "frames",
     .description = "The time of these frames divided by their number."},
    HIDDEN_RANK("min", "min", "The shortest frame."),
    RANK_FRAME("min"),
    RANK("p50", "p50", "The median frame (nearest rank, as all percentiles)."),
    RANK_FRAME("p50"),
    RANK("p90", "p90", "90 % of the frames are no longer."),
    RANK_FRAME("p90"),
    HIDDEN_RANK("p95", "p95", "95 % of the frames are no longer."),
    RANK_FRAME("p95"),
    RANK("p99", "p99", "99 % of the frames are no longer."),
    RANK_FRAME("p99"),
    HIDDEN_RANK("p999", "p99.9", "99.9 % of the frames are no longer."),
    RANK_FRAME("p999"),
    RANK("max", "max", "The longest frame."),
    TRACE_NUMBER_COLUMN("max_frame", "frame", .window = TRACE_SUMMARY_FRAME_WINDOW,
                        .description =
                            "The number of the longest frame; of the first one when several are "
                            "as long."),
    {.name = "frames_per_second",
     .title = "frames/s",
     .type = TRACE_TYPE_REAL,
     .decimals = 1,
     .window = TRACE_SUMMARY_FRAME_WINDOW,
     .denominator = "the time of the frames",
     .description = "Frames divided by their time."},
    TRACE_COUNT_COLUMN("marks_missing", "marks missing", .window = "the whole capture",
                       .description = "Marks between the first and the last that were lost.",
                       .is_detail = true),
};

static void put_ranks(struct trace_report *report, const struct trace_frame_percentiles *times)
{
    for (size_t i = 0; i < TRACE_FRAME_RANKS; i++) {
        if (times->count == 0) {
            trace_report_null(report);
            trace_report_null(report);
            continue;
        }
        trace_report_integer(report, times->ranks[i].value);
        trace_report_integer(report, (int64_t)times->ranks[i].source);
    }
}

static enum ludus_status put_domain(struct trace_summary *summary, uint32_t index, uint32_t window,
                                    struct ludus_error *error)
{
    struct trace_report *report = summary->report;
    const struct trace_domain *domain = &summary->model->domains[index];
    const struct trace_span_list *spans = &summary->chosen.plan.windows.items[window].spans;
    struct trace_frame_percentiles times;
    if (trace_frame_percentiles_of(domain, spans, &times) != LUDUS_OK)
        return trace_fail_memory(error);
    trace_report_row(report, TRACE_SUMMARY_FRAMES);
    trace_put_window(summary, window);
    trace_report_text(report, domain->name.data, domain->name.size);
    trace_report_integer(report, times.count);
    trace_report_integer(report, trace_frames_reaching(domain, spans, summary->model->end_ns) -
                                     times.count);
    trace_put_quotient(report, (double)times.total_ns, times.count);
    put_ranks(report, &times);
    trace_put_quotient(report, times.count * 1e9, (double)times.total_ns);
    trace_report_integer(report, (int64_t)domain->marks_missing);
    if (index == summary->chosen.plan.domain)
        summary->frames[window] = times;
    return LUDUS_OK;
}

static void note_domains(struct trace_summary *summary)
{
    const struct trace_model *model = summary->model;
    uint32_t chosen = summary->chosen.plan.domain;
    for (uint32_t i = 0; i < model->domain_count; i++)
        if (model->domains[i].marks_missing != 0)
            trace_report_note(
                summary->report, TRACE_SUMMARY_FRAMES, "%llu marks of %.*s are missing.",
                (unsigned long long)model->domains[i].marks_missing,
                trace_text_shown(model->domains[i].name), model->domains[i].name.data);
    if (chosen != TRACE_NONE && chosen != 0)
        trace_report_note(
            summary->report, TRACE_SUMMARY_FRAMES, "Below, frames are those of %.*s (--domain).",
            trace_text_shown(model->domains[chosen].name), model->domains[chosen].name.data);
    if (model->domain_count == 0)
        trace_report_note(summary->report, TRACE_SUMMARY_FRAMES,
                          "The capture has no frame marks (LUDUS_PROFILE_FRAME): nothing below is "
                          "per frame.");
}

/* How to ask why the longest frame of the windows is so long, unless most are as long. */
static void note_longest(const struct trace_summary *summary)
{
    uint32_t domain = summary->chosen.plan.domain;
    struct trace_ranked longest = {0};
    if (domain == TRACE_NONE)
        return;
    const struct trace_text *name = &summary->model->domains[domain].name;
    for (uint32_t w = 0; w < summary->windows; w++) {
        const struct trace_frame_percentiles *frames = &summary->frames[w];
        const struct trace_ranked *max = &frames->ranks[TRACE_FRAME_MAX];
        bool is_long = frames->count == 1 || max->value > frames->ranks[TRACE_FRAME_P50].value;
        if (frames->count != 0 && is_long && max->value > longest.value)
            longest = *max;
    }
    if (longest.value != 0)
        trace_report_note(summary->report, TRACE_SUMMARY_FRAMES,
                          "Why the longest took so long: `ludus-trace frames CAPTURE %s%.*s%s"
                          "--explain %llu`.",
                          domain == 0 ? "" : "--domain '",
                          domain == 0 ? 0 : trace_text_shown(*name), name->data,
                          domain == 0 ? "" : "' ", (unsigned long long)longest.source);
}

enum ludus_status trace_summarize_frames(struct trace_summary *summary, struct ludus_error *error)
{
    enum ludus_status status = LUDUS_OK;
    for (uint32_t i = 0; i < summary->model->domain_count; i++)
        for (uint32_t w = 0; status == LUDUS_OK && w < summary->windows; w++)
            status = put_domain(summary, i, w, error);
    note_domains(summary);
    if (status == LUDUS_OK)
        note_longest(summary);
    return status;
}
