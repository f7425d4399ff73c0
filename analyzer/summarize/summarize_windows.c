/* What each window is: how many frames and slices are in it, inside and outside of its frames. */
#include <inttypes.h>
#include <string.h>

#include "column_kinds.h"
#include "report_parts.h"
#include "summarize.h"

const struct trace_column trace_summary_window_columns[] = {
    TRACE_TEXT_COLUMN("window", "window",
                      .description = "The name of the window; capture: all of it."),
    TRACE_TEXT_COLUMN("part", "part",
                      .description =
                          "frames: what begins in complete frames that lie in the window, less "
                          "those that a slice's track lost; outside: everything else in it."),
    TRACE_COUNT_COLUMN("frames", "frames",
                       .description = "Complete frames of the chosen domain in the window; null "
                                      "outside."),
    TRACE_POSITION_COLUMN("begin_ns", "from",
                          .description =
                              "Where the first of these frames begins, or the window; null "
                              "without such frames."),
    TRACE_POSITION_COLUMN("end_ns", "to",
                          .description =
                              "Where the last one ends, or the window; not all between is "
                              "in it when it has several pieces."),
    TRACE_COUNT_COLUMN("slices", "slices", .description = "Slices that begin there."),
    TRACE_TIME_COLUMN("exclusive_ns", "work",
                      .description = "Exclusive time over all tracks, without that of scopes of "
                                     "category wait."),
    TRACE_TIME_COLUMN("waiting_ns", "waiting",
                      .description = "The same of scopes of category wait."),
    TRACE_COUNT_COLUMN("incomplete", "no end",
                       .description = "Slices without an end: counted, in no time.",
                       .is_left_out_when_same = true),
    TRACE_COUNT_COLUMN("children_lost", "children lost",
                       .description = "Slices during which their track lost events: in no "
                                      "exclusive time.",
                       .is_left_out_when_same = true),
};

void trace_put_window(struct trace_summary *summary, uint32_t window)
{
    const struct trace_text *name = &summary->chosen.plan.windows.items[window].name;
    trace_report_text(summary->report, name->data, name->size);
}

void trace_put_frame_number(struct trace_summary *summary, uint32_t frame)
{
    if (frame == TRACE_NONE)
        trace_report_null(summary->report);
    else
        trace_report_integer(
            summary->report,
            (int64_t)summary->model->domains[summary->chosen.plan.domain].frames[frame].number);
}

/* The sums of all sites in one part, those that wait apart. */
struct part_sums {
    struct trace_sums all;
    int64_t waiting_ns;
};

static struct part_sums add_up(const struct trace_model *model, uint32_t part)
{
    struct part_sums sums = {0};
    for (uint32_t i = 0; i < model->site_stats_count; i++) {
        const struct trace_stats *row = &model->site_stats[i];
        if (row->window != part)
            continue;
        sums.all.calls += row->sums.calls;
        sums.all.exclusive_calls += row->sums.exclusive_calls;
        sums.all.incomplete += row->sums.incomplete;
        sums.all.children_lost += row->sums.children_lost;
        sums.all.exclusive_ns = trace_sum(sums.all.exclusive_ns, row->sums.exclusive_ns);
        if (trace_site_is_waiting(model, row->subject))
            sums.waiting_ns = trace_sum(sums.waiting_ns, row->sums.exclusive_ns);
    }
    return sums;
}

static void put_bounds(struct trace_report *report, const struct trace_stat_window *part)
{
    bool is_known = part->begin_ns != 0 || part->end_ns != 0;
    if (part->is_frames)
        trace_report_integer(report, part->frames);
    else
        trace_report_null(report);
    if (is_known && (!part->is_frames || part->frames != 0)) {
        trace_report_integer(report, part->begin_ns);
        trace_report_integer(report, part->end_ns);
    } else {
        trace_report_null(report);
        trace_report_null(report);
    }
}

static void put_part(struct trace_summary *summary, uint32_t part)
{
    struct trace_report *report = summary->report;
    const struct trace_stat_window *row = &summary->model->windows[part];
    struct part_sums sums = add_up(summary->model, part);
    trace_report_row(report, TRACE_SUMMARY_WINDOWS);
    trace_put_window(summary, part / 2);
    trace_report_string(report, row->is_frames ? "frames" : "outside");
    put_bounds(report, row);
    trace_report_integer(report, (int64_t)sums.all.calls);
    if (sums.all.calls != 0 && sums.all.exclusive_calls == 0 && sums.all.exclusive_ns == 0) {
        trace_report_null(report);
        trace_report_null(report);
    } else {
        trace_report_integer(report, sums.all.exclusive_ns - sums.waiting_ns);
        trace_report_integer(report, sums.waiting_ns);
    }
    trace_report_integer(report, (int64_t)sums.all.incomplete);
    trace_report_integer(report, (int64_t)sums.all.children_lost);
}

static uint32_t count_tracks(const struct trace_summary *summary)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < summary->model->track_count; i++)
        count += trace_pass_plan_counts(&summary->chosen.plan, i);
    return count;
}

static void note_selection(struct trace_summary *summary)
{
    const struct trace_chosen *chosen = &summary->chosen;
    for (uint32_t w = 0; chosen->notes != NULL && w < summary->windows; w++)
        if (chosen->notes[w][0] != '\0')
            trace_report_note(summary->report, TRACE_SUMMARY_WINDOWS, "%.*s: %s.",
                              trace_text_shown(chosen->plan.windows.items[w].name),
                              chosen->plan.windows.items[w].name.data, chosen->notes[w]);
    if (chosen->plan.tracks != NULL)
        trace_report_note(summary->report, TRACE_SUMMARY_WINDOWS,
                          "%u of %u tracks count (--track).", count_tracks(summary),
                          summary->model->track_count);
    if (chosen->plan.attribution == TRACE_ATTRIBUTE_CLIP)
        trace_report_note(summary->report, TRACE_SUMMARY_WINDOWS,
                          "Times are split at the edges of frames and windows (--attribute clip); "
                          "a slice counts as a call where it begins.");
    else if (chosen->notes != NULL)
        trace_report_note(summary->report, TRACE_SUMMARY_WINDOWS,
                          "A slice counts with all its time where it begins; --attribute clip "
                          "splits it at the edges.");
}

void trace_summarize_windows(struct trace_summary *summary)
{
    const struct trace_model *model = summary->model;
    for (uint32_t part = 0; part < model->window_count; part++)
        put_part(summary, part);
    note_selection(summary);
    if (model->slices_begun_before != 0)
        trace_report_note(summary->report, TRACE_SUMMARY_WINDOWS,
                          "Slices that began before this part of the recording: %" PRIu64
                          ". They are counted outside of frames; their times reach back before it "
                          "and are in no sum.",
                          model->slices_begun_before);
}
