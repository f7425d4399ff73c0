/* How much ran at the same time, when it was asked for: of each listed subject, and of all scopes,
 * the sum over tracks beside the union. */
#include <inttypes.h>
#include <stdlib.h>

#include "column_kinds.h"
#include "failure.h"
#include "path_text.h"
#include "report_parts.h"
#include "slice_union.h"
#include "summarize_subjects.h"

const struct trace_column trace_summary_union_columns[] = {
    TRACE_WINDOW_COLUMN,
    TRACE_TEXT_COLUMN("part", "part",
                      .description = "frames: the row is about what begins in the window's "
                                     "complete frames; outside: nothing does, and it is about "
                                     "all of the window.",
                      .is_left_out_when_same = true),
    TRACE_TEXT_COLUMN("subject", "of",
                      .description = "What the row is of: site, path or category; all scopes: "
                                     "slices of any scope that is shown, inside no other one; "
                                     "all but wait: the same of those that do not wait."),
    TRACE_TEXT_COLUMN("name", "name",
                      .description = "The name of the site or category, or the names of the path; "
                                     "null for all scopes, and for sites without a category."),
    TRACE_TEXT_COLUMN("category", "category",
                      .description = "The category of the site; null when it has none, and of "
                                     "other rows.",
                      .is_detail = true),
    TRACE_COUNT_COLUMN("slices", "slices", .window = TRACE_SUMMARY_WINDOW,
                       .description = "Complete slices that begin there, and are inside no other "
                                      "one of the same row.",
                       .is_detail = true),
    TRACE_TIME_COLUMN("sum_ns", "sum", .window = TRACE_SUMMARY_WINDOW,
                      .description = "Their inclusive time, added up over tracks: work.",
                      .stands_in_for = "sum_per_frame_ns"),
    TRACE_MEAN_COLUMN("sum_per_frame_ns", "sum/frame", .window = TRACE_SUMMARY_FRAME_WINDOW,
                      .denominator = TRACE_SUMMARY_PER_FRAME, .description = "The same in a frame.",
                      .is_left_out_when_same = true),
    TRACE_TIME_COLUMN("union_ns", "union", .window = TRACE_SUMMARY_WINDOW,
                      .description = "The time in which at least one of them runs, on whatever "
                                     "track: time, counted once however many do.",
                      .stands_in_for = "union_per_frame_ns"),
    TRACE_MEAN_COLUMN("union_per_frame_ns", "union/frame", .window = TRACE_SUMMARY_FRAME_WINDOW,
                      .denominator = TRACE_SUMMARY_PER_FRAME, .description = "The same in a frame.",
                      .is_left_out_when_same = true),
    TRACE_PERCENT_COLUMN("union_share_percent", "of frame", .window = TRACE_SUMMARY_FRAME_WINDOW,
                         .denominator = "mean of these frames",
                         .description = "The union per frame as a share of the mean frame; more "
                                        "than 100 % only where slices outlast their frames.",
                         .is_left_out_when_same = true),
    {.name = "parallelism",
     .title = "parallelism",
     .type = TRACE_TYPE_REAL,
     .decimals = 2,
     .window = TRACE_SUMMARY_WINDOW,
     .denominator = "the union",
     .description = "The sum divided by the union: how many ran at the same time in the mean, "
                    "while one did; null without any time."},
    TRACE_COUNT_COLUMN("incomplete", "incomplete", .window = TRACE_SUMMARY_WINDOW,
                       .description = "Such slices without an end: in neither time, and what "
                                      "they contain is not in it for that.",
                       .is_left_out_when_same = true),
};

/* --- rows ------------------------------------------------------------------------------------ */

static void put_total_name(struct trace_report *report, enum trace_union_total total)
{
    trace_report_string(report, total == TRACE_UNION_ALL ? "all scopes" : "all but wait");
    trace_report_null(report);
    trace_report_null(report);
}

static void put_name(struct subject_rows *rows, const struct trace_subject *subject)
{
    static const char *const kinds[] = {"site", "path", "category"};
    struct trace_report *report = rows->summary->report;
    const struct trace_model *model = rows->summary->model;
    trace_report_string(report, kinds[rows->subjects.kind]);
    if (rows->subjects.kind == TRACE_SUBJECT_CATEGORY) {
        trace_put_subject_category(report, model, subject->index);
    } else if (rows->subjects.kind == TRACE_SUBJECT_PATH) {
        trace_text_buffer_clear(&rows->names);
        if (!trace_append_path(&rows->names, &rows->texts, subject->index))
            rows->names.has_failed = true;
        trace_report_text(report, rows->names.data, rows->names.size);
    } else {
        const struct trace_site *site = &model->sites[subject->index];
        trace_report_text(report, site->name.data, site->name.size);
        trace_put_category(report, model, site);
        return;
    }
    trace_report_null(report);
}

/* In all and per frame; null when no slice is there that it could come from. */
static void put_time(struct subject_rows *rows, uint32_t window, int64_t time_ns, bool is_known)
{
    struct trace_report *report = rows->summary->report;
    const struct trace_stat_window *part =
        &rows->summary->model->windows[rows->subjects.parts[window]];
    if (is_known)
        trace_report_integer(report, time_ns);
    else
        trace_report_null(report);
    trace_put_quotient(report, (double)time_ns, is_known ? (double)part->frames : 0);
}

/* What a row tells, behind what it is of. */
static void put_times(struct subject_rows *rows, uint32_t window,
                      const struct trace_slice_union *found)
{
    struct trace_report *report = rows->summary->report;
    const struct trace_frame_percentiles *frames = &rows->summary->frames[window];
    bool is_frames = rows->subjects.parts[window] % 2 == 0;
    bool is_known = found->slices != 0 || found->sum_ns != 0;
    trace_report_integer(report, (int64_t)found->slices);
    put_time(rows, window, found->sum_ns, is_known);
    put_time(rows, window, found->union_ns, is_known);
    trace_put_quotient(report, (double)found->union_ns * 100,
                       is_frames && is_known ? (double)frames->total_ns : 0);
    trace_put_quotient(report, (double)found->sum_ns, (double)found->union_ns);
    trace_report_integer(report, (int64_t)found->incomplete);
}

static void start_row(struct subject_rows *rows, uint32_t window)
{
    struct trace_report *report = rows->summary->report;
    trace_report_row(report, TRACE_SUMMARY_UNIONS);
    trace_put_window(rows->summary, window);
    trace_report_string(report, rows->subjects.parts[window] % 2 == 0 ? "frames" : "outside");
}

/* Without anything that waits the totals are the same. */
static void put_rows(struct subject_rows *rows, const uint32_t *listed, uint32_t count,
                     const struct trace_slice_union *unions)
{
    uint32_t windows = rows->summary->windows;
    uint32_t totals = rows->subjects.waiting == 0 ? 1 : TRACE_UNION_TOTALS;
    for (uint32_t i = 0; i < (count + totals) * windows; i++) {
        start_row(rows, i % windows);
        if (i / windows < count)
            put_name(rows, &rows->subjects.items[listed[i / windows]]);
        else
            put_total_name(rows->summary->report, (enum trace_union_total)(i / windows - count));
        put_times(rows, i % windows, &unions[i]);
    }
}

/* --- notes ----------------------------------------------------------------------------------- */

static void put_notes(struct subject_rows *rows, const struct trace_slice_union *of_all)
{
    struct trace_report *report = rows->summary->report;
    uint64_t incomplete = 0;
    for (uint32_t w = 0; w < rows->summary->windows; w++)
        incomplete += of_all[w].incomplete;
    trace_report_note(report, TRACE_SUMMARY_UNIONS,
                      "sum: inclusive time of the outermost slices, added up over tracks. union: "
                      "the time in which at least one of them ran, on any track. parallelism: "
                      "sum / union. Waiting is in them, as in all inclusive times.");
    trace_report_note(report, TRACE_SUMMARY_UNIONS,
                      trace_is_clipped(rows->summary)
                          ? "Times are split at the edges of frames and windows (--attribute "
                            "clip)."
                          : "A slice counts with all its time where it begins; --attribute clip "
                            "splits it at the edges.");
    if (trace_summary_has_lost_frames(rows->summary))
        trace_report_note(report, TRACE_SUMMARY_UNIONS,
                          "Some tracks lost events: the frames in which they did are left out of "
                          "their sums and unions, and are in the number that is divided by, since "
                          "other tracks kept them.");
    if (incomplete != 0)
        trace_report_note(report, TRACE_SUMMARY_UNIONS,
                          "All scopes: %" PRIu64 " slices inside no other one have no end. They "
                          "are in neither time, and so is what ran inside them.",
                          incomplete);
}

/* --- all ------------------------------------------------------------------------------------- */

enum ludus_status trace_summarize_unions(struct subject_rows *rows, const uint32_t *listed,
                                         const uint32_t *indexes, uint32_t count,
                                         struct ludus_error *error)
{
    struct trace_summary *summary = rows->summary;
    uint32_t windows = summary->windows;
    if (count == 0)
        return LUDUS_OK;
    struct trace_slice_union *unions =
        calloc(((size_t)count + TRACE_UNION_TOTALS) * windows, sizeof *unions);
    if (unions == NULL)
        return trace_fail_memory(error);
    enum ludus_status status = trace_slice_unions(
        summary->input, &summary->chosen, rows->subjects.parts, rows->subjects.kind, indexes, count,
        TRACE_SLICE_UNION_LIMITS, unions, NULL, error);
    if (status == LUDUS_OK) {
        put_rows(rows, listed, count, unions);
        put_notes(rows, unions + (size_t)count * windows);
    }
    free(unions);
    return status;
}
