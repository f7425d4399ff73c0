/* Tracks: what of their frames scopes cover, what no scope does, and what of it was work. */
#include <stdlib.h>

#include "column_kinds.h"
#include "failure.h"
#include "lcap_decode.h"
#include "report_parts.h"
#include "report_running.h"
#include "summarize.h"

#define SAMPLED   "the time between samples, in the whole capture"
#define OF_TRACK  "frames of this track"
#define BY_TRACK  "Only with --by track."
#define SCREENFUL 6u

const struct trace_column trace_summary_track_columns[] = {
    TRACE_WINDOW_COLUMN,
    TRACE_TEXT_COLUMN("track", "track", .description = "The thread, by its name or number."),
    TRACE_COUNT_COLUMN("slices", "slices", .window = "the window",
                       .description = "Slices on the track."),
    TRACE_COUNT_COLUMN("frames", "frames", .window = TRACE_SUMMARY_FRAME_WINDOW,
                       .description = "Frames that the times beside are about."),
    TRACE_COUNT_COLUMN("frames_lost", "lost", .window = TRACE_SUMMARY_FRAME_WINDOW,
                       .description = "Frames left out because the track lost events in them.",
                       .is_left_out_when_same = true),
    TRACE_TIME_COLUMN("work_ns", "work", .window = TRACE_SUMMARY_WINDOW,
                      .description = "Exclusive time of scopes that do not wait; null when it is "
                                     "known of none of them. " BY_TRACK,
                      .is_left_out_when_same = true, .stands_in_for = "work_per_frame_ns"),
    TRACE_MEAN_COLUMN("work_per_frame_ns", "work/frame", .window = TRACE_SUMMARY_FRAME_WINDOW,
                      .denominator = OF_TRACK,
                      .description = "The same in a frame. Null without frames.",
                      .is_left_out_when_same = true),
    TRACE_TIME_COLUMN("waiting_ns", "waiting", .window = TRACE_SUMMARY_WINDOW,
                      .description =
                          "Exclusive time of scopes of category wait, likewise. " BY_TRACK,
                      .is_left_out_when_same = true, .stands_in_for = "waiting_per_frame_ns"),
    TRACE_MEAN_COLUMN("waiting_per_frame_ns", "waiting/frame", .window = TRACE_SUMMARY_FRAME_WINDOW,
                      .denominator = OF_TRACK,
                      .description = "The same in a frame. Null without frames.",
                      .is_left_out_when_same = true),
    TRACE_MEAN_COLUMN("covered_per_frame_ns", "in scopes/frame",
                      .window = TRACE_SUMMARY_FRAME_WINDOW, .denominator = OF_TRACK,
                      .description =
                          "The part of the frames that a scope covers, clipped to the frames.",
                      .is_left_out_when_same = true, .stands_in_for = "work_per_frame_ns"),
    TRACE_MEAN_COLUMN("unlogged_per_frame_ns", "unlogged/frame",
                      .window = TRACE_SUMMARY_FRAME_WINDOW, .denominator = OF_TRACK,
                      .description =
                          "The part that no scope covers. What was in it is not known: not to be "
                          "taken for idle time, nor for the recorder's cost."),
    TRACE_PERCENT_COLUMN("unlogged_percent", "share", .window = TRACE_SUMMARY_FRAME_WINDOW,
                         .denominator = "time of the frames in which the track lived",
                         .description = "The same as a share."),
    TRACE_COUNT_COLUMN("incomplete", "no end", .window = "the window",
                       .description = "Slices without an end.", .is_left_out_when_same = true),
    TRACE_COUNT_COLUMN("instants", "instants", .window = "the whole capture",
                       .description = "Instants on the track.", .is_detail = true),
    TRACE_PERCENT_COLUMN(
        "run_percent", "on CPU", .window = SAMPLED, .denominator = "time between samples",
        .description = "The share of its time in which the thread ran on a processor.",
        .is_left_out_when_same = true),
    TRACE_PERCENT_COLUMN("wait_percent", "runnable", .window = SAMPLED,
                         .denominator = "time between samples",
                         .description = "The share in which it was runnable and did not run: "
                                        "something else had the processor.",
                         .is_left_out_when_same = true),
    TRACE_TEXT_COLUMN("kind", "kind", .description = "thread, fiber or gpu-queue.",
                      .is_detail = true),
    TRACE_NUMBER_COLUMN("track_number", "number",
                        .description = "The capture's own number of the track: --track '#N'.",
                        .is_detail = true),
};

/* Own times of calls. */
struct own_time {
    int64_t ns;
    uint64_t calls, known_calls;
};

/* A track's scopes, by window. */
struct track_work {
    struct own_time work, waiting;
};

static void add_work(const struct trace_summary *summary, struct track_work *work)
{
    const struct trace_model *model = summary->model;
    for (uint32_t i = 0; i < model->site_stats_count; i++) {
        const struct trace_stats *row = &model->site_stats[i];
        uint32_t w = row->window / 2;
        if (summary->parts[w] != row->window || row->track == TRACE_NONE ||
            !trace_chosen_shows(&summary->chosen, row->subject))
            continue;
        struct track_work *own = &work[(size_t)w * model->track_count + row->track];
        struct own_time *sum =
            trace_site_is_waiting(model, row->subject) ? &own->waiting : &own->work;
        sum->ns = trace_sum(sum->ns, row->sums.exclusive_ns);
        sum->calls += row->sums.calls;
        sum->known_calls += row->sums.exclusive_calls;
    }
}

static void put_share(struct trace_report *report, int64_t part_ns, int64_t whole_ns)
{
    trace_put_quotient(report, (double)part_ns * 100, (double)whole_ns);
}

static void put_own_time(struct trace_report *report, const struct own_time *time, int64_t frames)
{
    if (time->calls != 0 && time->known_calls == 0 && time->ns == 0) {
        trace_report_null(report);
        trace_report_null(report);
        return;
    }
    trace_report_integer(report, time->ns);
    trace_put_quotient(report, (double)time->ns, (double)frames);
}

/* Both as sums and per frame; null when tracks are not apart. */
static void put_work(struct trace_report *report, const struct track_work *work, int64_t frames)
{
    for (int i = 0; work == NULL && i < 4; i++)
        trace_report_null(report);
    if (work == NULL)
        return;
    put_own_time(report, &work->work, frames);
    put_own_time(report, &work->waiting, frames);
}

static void put_track(struct trace_summary *summary, uint32_t index, uint32_t window,
                      const struct track_work *work)
{
    const struct trace_model *model = summary->model;
    struct trace_report *report = summary->report;
    const struct trace_track *track = &model->tracks[index];
    const struct trace_track_stats *stats = trace_model_track_stats(model, window, index);
    const char *kind = lcap_track_kind_name(track->kind);
    double unlogged_ns = (double)(stats->frame_ns - stats->covered_ns);
    trace_report_row(report, TRACE_SUMMARY_TRACKS);
    trace_put_window(summary, window);
    trace_put_track_name(report, model, index);
    trace_report_integer(report, (int64_t)stats->slices);
    trace_report_integer(report, stats->frames);
    trace_report_integer(report, stats->frames_lost);
    put_work(report, work == NULL ? NULL : &work[(size_t)window * model->track_count + index],
             summary->parts[window] % 2 == 0 ? stats->frames : 0);
    trace_put_quotient(report, (double)stats->covered_ns, (double)stats->frames);
    trace_put_quotient(report, unlogged_ns, (double)stats->frames);
    trace_put_quotient(report, unlogged_ns * 100, (double)stats->frame_ns);
    trace_report_integer(report, (int64_t)stats->incomplete);
    trace_report_integer(report, (int64_t)track->instants);
    put_share(report, track->sched.run_ns, track->sched.sampled_ns);
    put_share(report, track->sched.wait_ns, track->sched.sampled_ns);
    if (kind != NULL)
        trace_report_string(report, kind);
    else
        trace_report_null(report);
    trace_report_integer(report, track->id);
}

/* --- which, and in which order --------------------------------------------------------------- */

struct ordered_track {
    uint32_t track;
    uint64_t slices; /* in the window that has most of them */
    int64_t work_ns; /* likewise */
    bool is_by_work;
};

static int compare_size(const void *a, const void *b)
{
    const struct ordered_track *left = a;
    const struct ordered_track *right = b;
    if (left->is_by_work && left->work_ns != right->work_ns)
        return left->work_ns < right->work_ns ? 1 : -1;
    if (left->slices != right->slices)
        return left->slices < right->slices ? 1 : -1;
    return left->track < right->track ? -1 : 1;
}

static int compare_index(const void *a, const void *b)
{
    const struct ordered_track *left = a;
    const struct ordered_track *right = b;
    return left->track < right->track ? -1 : 1;
}

/* A queue of a GPU has no scopes, and its frames no time that a scope could cover. */
static bool is_empty_queue(const struct trace_track *track)
{
    return track->kind == LCAP_TRACK_GPU_QUEUE && track->slices == 0 && track->instants == 0;
}

/* The tracks that count: those with most in them first, when not all are shown. */
static uint32_t order_tracks(const struct trace_summary *summary, const struct track_work *work,
                             struct ordered_track *order)
{
    const struct trace_model *model = summary->model;
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->track_count; i++) {
        struct ordered_track *row = &order[count];
        if (!trace_pass_plan_counts(&summary->chosen.plan, i) || is_empty_queue(&model->tracks[i]))
            continue;
        *row = (struct ordered_track){.track = i, .is_by_work = work != NULL};
        for (uint32_t w = 0; w < summary->windows; w++) {
            uint64_t slices = trace_model_track_stats(model, w, i)->slices;
            int64_t work_ns = work == NULL ? 0 : work[(size_t)w * model->track_count + i].work.ns;
            row->slices = slices > row->slices ? slices : row->slices;
            row->work_ns = work_ns > row->work_ns ? work_ns : row->work_ns;
        }
        /* A queue of a GPU has no scopes: its time is not unlogged, but told elsewhere. */
        if (model->tracks[i].kind != LCAP_TRACK_GPU_QUEUE || row->slices != 0)
            count++;
    }
    qsort(order, count, sizeof *order, compare_size);
    return count;
}

static void note_tracks(struct trace_summary *summary, uint32_t shown, uint32_t count)
{
    struct trace_report *report = summary->report;
    if (shown < count)
        trace_report_note(report, TRACE_SUMMARY_TRACKS,
                          "%u of %u tracks are shown, those with the most %s; --top 0 lists all.",
                          shown, count, summary->options->by == TRACE_BY_TRACK ? "work" : "slices");
    if (count != 0)
        trace_report_note(report, TRACE_SUMMARY_TRACKS,
                          "Unlogged: what of the frames no scope covers; neither idle time nor the "
                          "recorder's cost.");
    if (summary->options->by == TRACE_BY_TRACK && trace_chosen_is_filtered(&summary->chosen))
        trace_report_note(report, TRACE_SUMMARY_TRACKS,
                          "Work and waiting are those of the chosen sites alone.");
}

enum ludus_status trace_summarize_tracks(struct trace_summary *summary, struct ludus_error *error)
{
    const struct trace_model *model = summary->model;
    bool is_apart = summary->chosen.plan.apart == TRACE_APART_ALL;
    struct ordered_track *order = calloc((size_t)model->track_count + 1, sizeof *order);
    struct track_work *work = NULL;
    if (is_apart)
        work = calloc((size_t)summary->windows * model->track_count + 1, sizeof *work);
    if (order == NULL || (is_apart && work == NULL)) {
        free(order);
        free(work);
        return trace_fail_memory(error);
    }
    if (is_apart)
        add_work(summary, work);
    uint32_t count = order_tracks(summary, work, order);
    uint32_t shown = trace_summary_shown(summary, count, SCREENFUL);
    if (!is_apart)
        qsort(order, shown, sizeof *order, compare_index);
    for (uint32_t i = 0; i < shown; i++)
        for (uint32_t w = 0; w < summary->windows; w++)
            put_track(summary, order[i].track, w, work);
    note_tracks(summary, shown, count);
    free(order);
    free(work);
    return LUDUS_OK;
}
