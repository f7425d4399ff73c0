/* Sites, paths or categories: what they cost in each window, those that work first. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "failure.h"
#include "recording_cost.h"
#include "report_parts.h"
#include "report_window.h"
#include "summarize.h"
#include "text_buffer.h"

#define SHORT_SITES_NAMED 5u
#define WORK_SCREENFUL    12u /* rows that fit on a screen beside all else */
#define WAIT_SCREENFUL    3u

/* What the rows are put with. */
struct subject_rows {
    struct trace_summary *summary;
    struct trace_subjects subjects;
    struct trace_recording_cost cost;
    size_t table;
    struct trace_text_buffer names; /* of a path */
};

/* --- rows ------------------------------------------------------------------------------------ */

/* Whether the mean of the calls says more about recording than about the scope. */
static bool is_short(const struct subject_rows *rows, const struct trace_total *total)
{
    const struct trace_sums *sums = &total->sums;
    return rows->cost.is_known && sums->outermost_calls != 0 &&
           (double)sums->inclusive_ns / (double)sums->outermost_calls <
               TRACE_SHORT_FACTOR * rows->cost.scope_ns;
}

static bool is_clipped(const struct trace_summary *summary)
{
    return summary->chosen.plan.attribution == TRACE_ATTRIBUTE_CLIP;
}

static void put_recording(struct subject_rows *rows, const struct trace_total *total)
{
    struct trace_report *report = rows->summary->report;
    const struct trace_sums *sums = &total->sums;
    const double outer_ns = rows->cost.scope_ns - rows->cost.inner_ns;
    const double own_ns = rows->cost.inner_ns * (double)sums->exclusive_calls +
                          outer_ns * (double)total->nested_calls;
    if (!rows->cost.is_known || is_clipped(rows->summary)) {
        trace_report_null(report);
        trace_report_null(report);
        return;
    }
    trace_put_quotient(report, own_ns * 100, (double)sums->exclusive_ns);
    trace_report_string(report, is_short(rows, total) ? "yes" : "no");
}

/* A time, or null when none is known of that it could be the sum. */
static void put_time(struct trace_report *report, int64_t time_ns, uint64_t calls)
{
    if (calls != 0 || time_ns != 0)
        trace_report_integer(report, time_ns);
    else
        trace_report_null(report);
}

static void put_per_frame(struct trace_report *report, const struct trace_total *total,
                          double value_ns, bool is_known)
{
    if (total->has_frames && is_known)
        trace_report_real(report, value_ns);
    else
        trace_report_null(report);
}

static void put_per_call(struct subject_rows *rows, int64_t time_ns, uint64_t calls)
{
    trace_put_quotient(rows->summary->report, (double)time_ns,
                       is_clipped(rows->summary) ? 0 : (double)calls);
}

/* The columns that all have. */
static void put_sums(struct subject_rows *rows, const struct trace_subject *subject,
                     uint32_t window)
{
    struct trace_report *report = rows->summary->report;
    const struct trace_frame_percentiles *frames = &rows->summary->frames[window];
    const struct trace_total *total = trace_subject_total(&rows->subjects, subject, window);
    const struct trace_sums *sums = &total->sums;
    bool has_exclusive = sums->exclusive_calls != 0 || sums->exclusive_ns != 0;
    bool has_inclusive = sums->outermost_calls != 0 || sums->inclusive_ns != 0;
    double mean_ns = frames->count == 0 ? 0 : (double)frames->total_ns / frames->count;
    trace_report_integer(report, (int64_t)sums->calls);
    if (total->has_frames || rows->subjects.parts[window] % 2 == 0)
        trace_report_real(report, total->calls_per_frame);
    else
        trace_report_null(report);
    put_time(report, sums->exclusive_ns, sums->exclusive_calls);
    put_per_frame(report, total, total->exclusive_per_frame_ns, has_exclusive);
    put_per_frame(report, total, total->exclusive_per_frame_ns * 100 / mean_ns,
                  has_exclusive && mean_ns > 0);
    put_time(report, sums->inclusive_ns, sums->outermost_calls);
    put_per_frame(report, total, total->inclusive_per_frame_ns, has_inclusive);
    put_per_call(rows, sums->exclusive_ns, sums->exclusive_calls);
    put_per_call(rows, sums->inclusive_ns, sums->outermost_calls);
    put_recording(rows, total);
    trace_report_integer(report, (int64_t)sums->recursive_calls);
    trace_report_integer(report, (int64_t)sums->incomplete);
    trace_report_integer(report, (int64_t)sums->children_lost);
    trace_report_string(report, subject->is_waiting ? "yes" : "no");
}

/* Fills `names` with those from the outermost site to the path's. */
static void name_path(struct subject_rows *rows, uint32_t path)
{
    const struct trace_model *model = rows->summary->model;
    uint32_t depth = model->paths[path].depth;
    trace_text_buffer_clear(&rows->names);
    for (uint32_t level = 0; level <= depth; level++) {
        uint32_t at = path;
        for (uint32_t up = depth; up > level; up--)
            at = model->paths[at].parent;
        const struct trace_text *name = &model->sites[model->paths[at].site].name;
        if (level != 0)
            trace_text_buffer_append(&rows->names, " > ", 3);
        trace_text_buffer_append(&rows->names, name->data, name->size);
    }
}

static void put_category_name(struct trace_report *report, const struct trace_model *model,
                              uint32_t category)
{
    if (category == model->category_count)
        trace_report_null(report);
    else
        trace_put_known_text(report, model->categories[category].name);
}

static void put_row(struct subject_rows *rows, const struct trace_subject *subject, uint32_t window)
{
    struct trace_report *report = rows->summary->report;
    const struct trace_model *model = rows->summary->model;
    const struct trace_site *site = NULL;
    trace_report_row(report, rows->table);
    trace_put_window(rows->summary, window);
    trace_report_string(report, rows->subjects.parts[window] % 2 == 0 ? "frames" : "outside");
    switch (rows->subjects.kind) {
    case TRACE_SUBJECT_SITE:
        site = &model->sites[subject->index];
        break;
    case TRACE_SUBJECT_PATH:
        site = &model->sites[model->paths[subject->index].site];
        trace_report_text(report, rows->names.data, rows->names.size);
        trace_report_integer(report, model->paths[subject->index].depth);
        break;
    case TRACE_SUBJECT_CATEGORY:
        put_category_name(report, model, subject->index);
        trace_report_integer(report, subject->sites);
        break;
    }
    if (site != NULL) {
        trace_report_text(report, site->name.data, site->name.size);
        trace_put_category(report, model, site);
    }
    put_sums(rows, subject, window);
    if (site != NULL)
        trace_put_place(report, site);
}

static void put_subjects(struct subject_rows *rows, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; i++) {
        const struct trace_subject *subject = &rows->subjects.items[i];
        if (rows->subjects.kind == TRACE_SUBJECT_PATH)
            name_path(rows, subject->index);
        for (uint32_t w = 0; w < rows->subjects.windows; w++)
            put_row(rows, subject, w);
    }
}

/* --- notes ----------------------------------------------------------------------------------- */

/* Names the sites that are too short, the first few. */
static void note_short(struct subject_rows *rows, uint32_t first, uint32_t count, char *names,
                       size_t room, uint32_t *found)
{
    const struct trace_model *model = rows->summary->model;
    for (uint32_t i = first; i < first + count; i++) {
        const struct trace_subject *subject = &rows->subjects.items[i];
        bool has_short = false;
        for (uint32_t w = 0; w < rows->subjects.windows; w++)
            has_short =
                has_short || is_short(rows, trace_subject_total(&rows->subjects, subject, w));
        if (!has_short || (*found)++ >= SHORT_SITES_NAMED)
            continue;
        const struct trace_text *name = &model->sites[subject->index].name;
        size_t used = 0;
        while (names[used] != '\0')
            used++;
        (void)snprintf(names + used, room - used, "%s%.*s", used > 0 ? ", " : "",
                       (int)(name->size < 40 ? name->size : 40), name->data);
    }
}

static void note_recording(struct subject_rows *rows, uint32_t work, uint32_t waits)
{
    struct trace_report *report = rows->summary->report;
    char names[256] = "";
    uint32_t found = 0;
    if (!rows->cost.is_known || is_clipped(rows->summary) || rows->subjects.count == 0)
        return;
    if (rows->subjects.kind == TRACE_SUBJECT_SITE) {
        note_short(rows, 0, work, names, sizeof names, &found);
        note_short(rows, rows->subjects.count - rows->subjects.waiting, waits, names, sizeof names,
                   &found);
    }
    if (found > 0)
        trace_report_note(report, rows->table,
                          "Too short to be measured well, with a mean under %d times the %.1f ns "
                          "that recording a scope costs here: %s%s.",
                          TRACE_SHORT_FACTOR, rows->cost.scope_ns, names,
                          found > SHORT_SITES_NAMED ? ", and others" : "");
    trace_report_note(report, rows->table,
                      "rec.: the part of the exclusive time that recording takes, estimated.");
}

static bool has_lost_frames(const struct trace_summary *summary)
{
    const struct trace_model *model = summary->model;
    for (uint32_t w = 0; w < summary->windows; w++)
        for (uint32_t i = 0; i < model->track_count; i++)
            if (trace_model_track_stats(model, w, i)->frames_lost != 0 &&
                trace_model_track_stats(model, w, i)->slices != 0)
                return true;
    return false;
}

/* Of which part the rows are and what they are divided by. */
static void note_window(struct subject_rows *rows)
{
    struct trace_summary *summary = rows->summary;
    uint32_t with_frames = 0;
    for (uint32_t w = 0; w < summary->windows; w++)
        with_frames += summary->parts[w] % 2 == 0;
    if (with_frames != 0) {
        const struct trace_text *domain =
            &summary->model->domains[summary->chosen.plan.domain].name;
        if (summary->windows == 1)
            trace_report_note(summary->report, rows->table,
                              "Of what begins in the %u complete frames of %.*s%s%.*s, divided by "
                              "these frames. Sums over tracks are work and can exceed the frame "
                              "(share: of its mean). Waiting (category wait) is listed last.",
                              summary->frames[0].count, trace_text_shown(*domain), domain->data,
                              summary->chosen.notes == NULL ? "" : " in ",
                              summary->chosen.notes == NULL
                                  ? 0
                                  : trace_text_shown(summary->chosen.plan.windows.items[0].name),
                              summary->chosen.plan.windows.items[0].name.data);
        else
            trace_report_note(summary->report, rows->table,
                              "Of what begins in the complete frames of %.*s that lie in the "
                              "window, divided by these frames. Sums over tracks are work and can "
                              "exceed the frame (share: of its mean in the window). Waiting "
                              "(category wait) is listed last.",
                              trace_text_shown(*domain), domain->data);
    }
    if (with_frames != 0 && has_lost_frames(summary))
        trace_report_note(summary->report, rows->table,
                          "Some tracks lost events: of their calls, the frames in which they did "
                          "are left out, and are not in the number that is divided by.");
    if (with_frames < summary->windows)
        trace_report_note(summary->report, rows->table,
                          "%s, since no slice begins in a complete frame that its track kept: "
                          "totals are of all of it, and nothing is per frame.",
                          summary->windows == 1 && summary->chosen.notes == NULL
                              ? "Of the whole capture"
                              : "Rows of part outside are of all of the window");
}

static void note_rows(struct subject_rows *rows, uint32_t work, uint32_t waits)
{
    static const char *const names[] = {"sites", "paths", "categories"};
    struct trace_summary *summary = rows->summary;
    uint64_t incomplete = 0;
    if (work + waits < rows->subjects.count)
        trace_report_note(summary->report, rows->table, "%u of %u %s are shown; --top 0 lists all.",
                          work + waits, rows->subjects.count, names[rows->subjects.kind]);
    if (trace_chosen_is_filtered(&summary->chosen))
        trace_report_note(summary->report, rows->table,
                          "Only what --site and --category choose is in it.");
    if (rows->subjects.count != 0)
        note_window(rows);
    else
        trace_note_no_slices(summary->report, rows->table, summary->model, &summary->chosen);
    note_recording(rows, work, waits);
    for (uint32_t i = 0; i < rows->subjects.count; i++)
        for (uint32_t w = 0; w < rows->subjects.windows; w++)
            incomplete +=
                trace_subject_total(&rows->subjects, &rows->subjects.items[i], w)->sums.incomplete;
    if (incomplete != 0)
        trace_report_note(summary->report, rows->table,
                          "Calls without an end are counted and are in no time: %" PRIu64 ".",
                          incomplete);
}

enum ludus_status trace_summarize_subjects(struct trace_summary *summary,
                                           enum trace_subject_kind kind, struct ludus_error *error)
{
    static const enum trace_summary_table tables[] = {TRACE_SUMMARY_SITES, TRACE_SUMMARY_PATHS,
                                                      TRACE_SUMMARY_CATEGORIES};
    struct subject_rows rows = {
        .summary = summary, .cost = trace_recording_cost_of(summary->model), .table = tables[kind]};
    bool is_done = trace_subjects_create(summary->model, &summary->chosen, kind,
                                         summary->options->sort, &rows.subjects);
    if (is_done) {
        uint32_t working = rows.subjects.count - rows.subjects.waiting;
        uint32_t work = trace_summary_shown(summary, working, WORK_SCREENFUL);
        uint32_t waits = trace_summary_shown(summary, rows.subjects.waiting, WAIT_SCREENFUL);
        trace_report_set_main(summary->report, rows.table);
        put_subjects(&rows, 0, work);
        put_subjects(&rows, working, waits);
        note_rows(&rows, work, waits);
        is_done = !rows.names.has_failed;
    }
    trace_text_buffer_release(&rows.names);
    trace_subjects_destroy(&rows.subjects);
    return is_done ? LUDUS_OK : trace_fail_memory(error);
}
