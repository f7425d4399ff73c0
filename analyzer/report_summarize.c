/* The summarize report: where the frames went. docs/numbers.md defines every value. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "frame_percentiles.h"
#include "input.h"
#include "recording_cost.h"
#include "report_parts.h"
#include "report_running.h"
#include "site_order.h"
#include "summarize_columns.h"

enum { SESSION, FRAMES, SITES, TRACKS, RUNNING, MACHINE, WINDOWS, LOSSES };

#define COUNT_OF(array)   (sizeof(array) / sizeof(array)[0])
#define SHORT_SITES_NAMED 5u

static const struct trace_table_type tables[] = {
    {.name = "session",
     .title = "Session",
     .columns = trace_session_columns,
     .column_count = TRACE_SESSION_COLUMNS,
     .is_record = true},
    TRACE_TABLE("frames", "Frame times", trace_summarize_frame_columns),
    TRACE_TABLE("sites", "Sites by exclusive time per frame", trace_summarize_site_columns),
    TRACE_TABLE("tracks", "Tracks, and the remainder that no scope covers",
                trace_summarize_track_columns),
    TRACE_TABLE("running", "Threads: on a processor, runnable, asleep", trace_running_columns),
    TRACE_TABLE("machine", "The machine's processors", trace_machine_columns),
    TRACE_TABLE("windows", "Inside and outside of frames", trace_summarize_window_columns),
    TRACE_TABLE("losses", "Losses", trace_loss_columns),
};

const struct trace_report_type trace_report_summarize_type = {.name = "summarize",
                                                              .version = 1,
                                                              .tables = tables,
                                                              .table_count = COUNT_OF(tables),
                                                              .main_table = SITES};

/* --- frames ---------------------------------------------------------------------------------- */

static void put_frame_times(struct trace_report *report,
                            const struct trace_frame_percentiles *times)
{
    static const enum trace_frame_rank ranks[] = {TRACE_FRAME_MIN, TRACE_FRAME_P50, TRACE_FRAME_P90,
                                                  TRACE_FRAME_P99, TRACE_FRAME_MAX};
    trace_put_quotient(report, (double)times->total_ns, times->count);
    for (size_t i = 0; i < COUNT_OF(ranks); i++) {
        if (times->count == 0)
            trace_report_null(report);
        else
            trace_report_integer(report, times->ranks[ranks[i]].value);
    }
    if (times->count == 0)
        trace_report_null(report);
    else
        trace_report_integer(report, (int64_t)times->ranks[TRACE_FRAME_MAX].source);
    trace_put_quotient(report, times->count * 1e9, (double)times->total_ns);
}

/* `first` receives the times of the default domain. */
static enum ludus_status put_domains(struct trace_report *report, const struct trace_model *model,
                                     struct trace_frame_percentiles *first,
                                     struct ludus_error *error)
{
    *first = (struct trace_frame_percentiles){0};
    for (uint32_t i = 0; i < model->domain_count; i++) {
        const struct trace_domain *domain = &model->domains[i];
        struct trace_frame_percentiles times;
        if (trace_frame_percentiles_of(domain, NULL, &times) != LUDUS_OK)
            return trace_fail_memory(error);
        trace_report_row(report, FRAMES);
        trace_report_text(report, domain->name.data, domain->name.size);
        trace_report_integer(report, domain->complete_count);
        trace_report_integer(report, domain->frame_count - domain->complete_count);
        put_frame_times(report, &times);
        if (domain->marks_missing != 0)
            trace_report_note(report, FRAMES, "%llu marks of %.*s are missing.",
                              (unsigned long long)domain->marks_missing,
                              (int)(domain->name.size < 64 ? domain->name.size : 64),
                              domain->name.data);
        if (i == 0)
            *first = times;
    }
    if (model->domain_count == 0)
        trace_report_note(report, FRAMES,
                          "The capture has no frame marks (LUDUS_PROFILE_FRAME): nothing below is "
                          "per frame.");
    return LUDUS_OK;
}

/* --- sites ----------------------------------------------------------------------------------- */

/* Whether the mean of the site's calls says more about recording than about the site. */
static bool is_short(const struct trace_site_total *total, const struct trace_recording_cost *cost)
{
    const struct trace_sums *sums = &total->sums;
    return cost->is_known && sums->outermost_calls != 0 &&
           (double)sums->inclusive_ns / (double)sums->outermost_calls <
               TRACE_SHORT_FACTOR * cost->scope_ns;
}

static void put_recording(struct trace_report *report, const struct trace_site_total *total,
                          const struct trace_recording_cost *cost)
{
    const struct trace_sums *sums = &total->sums;
    const double outer_ns = cost->scope_ns - cost->inner_ns;
    const double own_ns =
        cost->inner_ns * (double)sums->exclusive_calls + outer_ns * (double)total->nested_calls;
    if (!cost->is_known) {
        trace_report_null(report);
        trace_report_null(report);
        return;
    }
    trace_put_quotient(report, own_ns * 100, (double)sums->exclusive_ns);
    trace_report_string(report, is_short(total, cost) ? "yes" : "no");
}

/* Names the sites that are too short, the first few. */
static void note_short_sites(struct trace_report *report, const struct trace_model *model,
                             const struct trace_site_total *totals, uint32_t count,
                             const struct trace_recording_cost *cost)
{
    char names[256] = "";
    size_t size = 0;
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct trace_text *name = &model->sites[totals[i].site].name;
        if (!is_short(&totals[i], cost) || found++ >= SHORT_SITES_NAMED)
            continue;
        size += (size_t)snprintf(names + size, sizeof names - size, "%s%.*s", size > 0 ? ", " : "",
                                 (int)(name->size < 40 ? name->size : 40), name->data);
    }
    if (found > 0)
        trace_report_note(report, SITES,
                          "Too short to be measured well, with a mean under %d times the %.1f ns "
                          "that recording a scope costs here: %s%s.",
                          TRACE_SHORT_FACTOR, cost->scope_ns, names,
                          found > SHORT_SITES_NAMED ? ", and others" : "");
}

static void put_site(struct trace_report *report, const struct trace_model *model,
                     const struct trace_site_total *total, double mean_frame_ns,
                     const struct trace_recording_cost *cost)
{
    const struct trace_site *site = &model->sites[total->site];
    const struct trace_sums *sums = &total->sums;
    trace_report_row(report, SITES);
    trace_report_text(report, site->name.data, site->name.size);
    trace_put_category(report, model, site);
    trace_report_integer(report, (int64_t)sums->calls);
    if (total->has_frames) {
        trace_report_real(report, total->calls_per_frame);
        trace_put_known(report, total->exclusive_per_frame_ns, sums->exclusive_calls);
        trace_put_known(report, total->exclusive_per_frame_ns * 100 / mean_frame_ns,
                        sums->exclusive_calls);
        trace_put_known(report, total->inclusive_per_frame_ns, sums->outermost_calls);
    } else {
        for (int i = 0; i < 4; i++)
            trace_report_null(report);
    }
    if (sums->exclusive_calls != 0)
        trace_report_integer(report, sums->exclusive_ns);
    else
        trace_report_null(report);
    trace_put_quotient(report, (double)sums->exclusive_ns, (double)sums->exclusive_calls);
    trace_put_quotient(report, (double)sums->inclusive_ns, (double)sums->outermost_calls);
    put_recording(report, total, cost);
    trace_report_integer(report, (int64_t)sums->recursive_calls);
    trace_report_integer(report, (int64_t)sums->incomplete);
    trace_report_integer(report, (int64_t)sums->children_lost);
    trace_put_place(report, site);
}

static bool has_lost_frames(const struct trace_model *model)
{
    for (uint32_t i = 0; i < model->track_count; i++)
        if (trace_model_track_stats(model, 0, i)->frames_lost != 0 && model->tracks[i].slices != 0)
            return true;
    return false;
}

static bool has_calls_in_frames(const struct trace_model *model)
{
    for (uint32_t i = 0; i < model->site_stats_count; i++)
        if (model->site_stats[i].window == TRACE_WINDOW_FRAMES)
            return true;
    return false;
}

static enum ludus_status put_sites(struct trace_report *report, const struct trace_model *model,
                                   const struct trace_frame_percentiles *frames, uint32_t top,
                                   struct ludus_error *error)
{
    struct trace_site_total *totals;
    uint32_t count;
    bool has_frames = has_calls_in_frames(model);
    double mean_frame_ns = has_frames ? (double)frames->total_ns / frames->count : 0;
    if (!trace_site_totals(model, has_frames ? TRACE_WINDOW_FRAMES : TRACE_WINDOW_OUTSIDE, &totals,
                           &count))
        return trace_fail_memory(error);
    const struct trace_recording_cost cost = trace_recording_cost_of(model);
    uint32_t shown = top == 0 || top > count ? count : top;
    for (uint32_t i = 0; i < shown; i++)
        put_site(report, model, &totals[i], mean_frame_ns, &cost);
    uint64_t incomplete = 0;
    for (uint32_t i = 0; i < count; i++)
        incomplete += totals[i].sums.incomplete;
    if (shown < count)
        trace_report_note(report, SITES, "%u of %u sites are shown; --top 0 lists all.", shown,
                          count);
    note_short_sites(report, model, totals, shown, &cost);
    free(totals);
    if (has_frames)
        trace_report_note(report, SITES,
                          "Window: slices that begin in the %u complete frames of %.*s. Per frame: "
                          "divided by those frames. Share: of the mean frame. Sums over tracks are "
                          "work and can exceed the frame. Waiting is inside all times.",
                          frames->count, (int)model->domains[0].name.size,
                          model->domains[0].name.data);
    if (cost.is_known && count != 0)
        trace_report_note(report, SITES,
                          "Recording: the part of the exclusive time that recording takes, "
                          "estimated.");
    if (has_frames && has_lost_frames(model))
        trace_report_note(report, SITES,
                          "Some tracks lost events: of their calls, the frames in which they did "
                          "are left out, and are not in the number that is divided by.");
    if (!has_frames)
        trace_report_note(report, SITES,
                          "Window: the whole capture, since no slice begins in a complete frame "
                          "that its track kept. Waiting is inside all times.");
    if (incomplete != 0)
        trace_report_note(report, SITES,
                          "Calls without an end are counted and are in no time: %" PRIu64 ".",
                          incomplete);
    return LUDUS_OK;
}

/* --- tracks and windows ---------------------------------------------------------------------- */

static int compare_falling(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left < right) - (left > right);
}

static void put_track(struct trace_report *report, const struct trace_model *model, uint32_t index)
{
    const struct trace_track *track = &model->tracks[index];
    const struct trace_track_stats *stats = trace_model_track_stats(model, 0, index);
    double unlogged_ns = (double)(stats->frame_ns - stats->covered_ns);
    trace_report_row(report, TRACKS);
    trace_put_track_name(report, model, index);
    trace_report_integer(report, (int64_t)track->slices);
    trace_report_integer(report, stats->frames);
    trace_report_integer(report, stats->frames_lost);
    trace_put_quotient(report, (double)stats->covered_ns, (double)stats->frames);
    trace_put_quotient(report, unlogged_ns, (double)stats->frames);
    trace_put_quotient(report, unlogged_ns * 100, (double)stats->frame_ns);
    trace_report_integer(report, (int64_t)track->incomplete);
    trace_report_integer(report, (int64_t)track->instants);
}

/* The least number of slices of the `top` tracks that have most, and how many of these have just so
 * many. */
static bool find_least_slices(const struct trace_model *model, uint32_t top, uint64_t *least,
                              uint32_t *with_least)
{
    uint64_t *slices = malloc(((size_t)model->track_count + 1) * sizeof *slices);
    if (slices == NULL)
        return false;
    for (uint32_t i = 0; i < model->track_count; i++)
        slices[i] = model->tracks[i].slices;
    qsort(slices, model->track_count, sizeof *slices, compare_falling);
    *least = slices[top - 1];
    *with_least = 0;
    for (uint32_t i = top; i-- > 0 && slices[i] == *least;)
        ++*with_least;
    free(slices);
    return true;
}

/* All tracks in their order, or of many those with the most slices. */
static bool put_tracks(struct trace_report *report, const struct trace_model *model, uint32_t top)
{
    uint64_t least = 0;
    uint32_t with_least = model->track_count;
    uint32_t shown = top == 0 || top > model->track_count ? model->track_count : top;
    if (shown < model->track_count && !find_least_slices(model, shown, &least, &with_least))
        return false;
    for (uint32_t i = 0; i < model->track_count; i++) {
        uint64_t slices = model->tracks[i].slices;
        if (slices > least || (slices == least && with_least > 0))
            put_track(report, model, i);
        if (slices == least && with_least > 0)
            with_least--;
    }
    if (shown < model->track_count)
        trace_report_note(report, TRACKS,
                          "%u of %u tracks are shown, those with the most slices; --top 0 lists "
                          "all.",
                          shown, model->track_count);
    trace_report_note(report, TRACKS,
                      "Unlogged is the part of the frames that no scope covers. What was in it is "
                      "not known: do not take it for idle time, nor for the recorder's cost.");
    return true;
}

static void put_windows(struct trace_report *report, const struct trace_model *model)
{
    static const char *const names[2] = {"frames", "outside"};
    struct trace_sums sums[2] = {0};
    for (uint32_t i = 0; i < model->site_stats_count; i++) {
        const struct trace_stats *row = &model->site_stats[i];
        struct trace_sums *sum = &sums[row->window];
        sum->calls += row->sums.calls;
        sum->exclusive_ns += row->sums.exclusive_ns;
        sum->exclusive_calls += row->sums.exclusive_calls;
        sum->incomplete += row->sums.incomplete;
        sum->children_lost += row->sums.children_lost;
    }
    for (uint32_t window = 0; window < 2; window++) {
        trace_report_row(report, WINDOWS);
        trace_report_string(report, names[window]);
        trace_report_integer(report, (int64_t)sums[window].calls);
        if (sums[window].calls != 0 && sums[window].exclusive_calls == 0)
            trace_report_null(report);
        else
            trace_report_integer(report, sums[window].exclusive_ns);
        trace_report_integer(report, (int64_t)sums[window].incomplete);
        trace_report_integer(report, (int64_t)sums[window].children_lost);
    }
    if (model->slices_begun_before != 0)
        trace_report_note(report, WINDOWS,
                          "Slices that began before this part of the recording: %" PRIu64
                          ". They are counted outside of frames; their times reach back before it "
                          "and are in no sum.",
                          model->slices_begun_before);
}

enum ludus_status trace_report_summarize(struct trace_input *input,
                                         const struct trace_summarize_options *options,
                                         struct trace_report **out, struct ludus_error *error)
{
    const struct trace_model *model;
    struct trace_report *report;
    struct trace_frame_percentiles frames;
    *out = NULL;
    enum ludus_status status = trace_input_model(input, TRACE_DETAIL_STATISTICS, &model, error);
    if (status == LUDUS_OK)
        status = trace_report_create(&trace_report_summarize_type, &report, error);
    if (status != LUDUS_OK)
        return status;
    trace_put_session(report, SESSION, model);
    status = put_domains(report, model, &frames, error);
    if (status == LUDUS_OK)
        status = put_sites(report, model, &frames, options->top, error);
    if (status == LUDUS_OK && !put_tracks(report, model, options->top))
        status = trace_fail_memory(error);
    if (status == LUDUS_OK && !trace_put_running(report, RUNNING, model, options->top))
        status = trace_fail_memory(error);
    trace_put_machine(report, MACHINE, model);
    put_windows(report, model);
    if (status == LUDUS_OK && !trace_put_loss_sums(report, LOSSES, model))
        status = trace_fail_memory(error);
    return trace_report_deliver(report, status, out, error);
}
