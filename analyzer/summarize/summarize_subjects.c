/* Sites, paths or categories: what they cost in each window, those that work first. */
#include <stdlib.h>

#include "failure.h"
#include "path_text.h"
#include "report_parts.h"
#include "summarize_subjects.h"

#define WORK_SCREENFUL 12u /* rows that fit on a screen beside all else */
#define WAIT_SCREENFUL 3u

/* --- rows ------------------------------------------------------------------------------------ */

static void put_recording(struct subject_rows *rows, const struct trace_total *total)
{
    struct trace_report *report = rows->summary->report;
    const struct trace_sums *sums = &total->sums;
    const double outer_ns = rows->cost.scope_ns - rows->cost.inner_ns;
    const double own_ns = rows->cost.inner_ns * (double)sums->exclusive_calls +
                          outer_ns * (double)total->nested_calls;
    if (!rows->cost.is_known || trace_is_clipped(rows->summary)) {
        trace_report_null(report);
        trace_report_null(report);
        return;
    }
    trace_put_quotient(report, own_ns * 100, (double)sums->exclusive_ns);
    trace_report_string(report, trace_is_short(rows, total) ? "yes" : "no");
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
                       trace_is_clipped(rows->summary) ? 0 : (double)calls);
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

void trace_put_subject_category(struct trace_report *report, const struct trace_model *model,
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
    trace_report_string(report, rows->subjects.parts[window] % 2 == 0 ? "frames" : "all");
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
        trace_put_subject_category(report, model, subject->index);
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
        trace_text_buffer_clear(&rows->names);
        if (rows->subjects.kind == TRACE_SUBJECT_PATH &&
            !trace_append_path(&rows->names, &rows->texts, subject->index))
            rows->names.has_failed = true;
        for (uint32_t w = 0; w < rows->subjects.windows; w++)
            put_row(rows, subject, w);
    }
}

/* Of the subjects that are listed, in their order, what takes more passes. */
static enum ludus_status put_more(struct subject_rows *rows, uint32_t work, uint32_t waits,
                                  struct ludus_error *error)
{
    const struct trace_summarize_options *options = rows->summary->options;
    uint32_t count = work + waits;
    uint32_t skipped = rows->subjects.count - rows->subjects.waiting - work;
    uint32_t *listed = malloc(((size_t)count * 2 + 1) * sizeof *listed);
    if (listed == NULL)
        return trace_fail_memory(error);
    uint32_t *indexes = listed + count;
    for (uint32_t i = 0; i < count; i++) {
        listed[i] = i < work ? i : i + skipped;
        indexes[i] = rows->subjects.items[listed[i]].index;
    }
    enum ludus_status status = LUDUS_OK;
    if (options->has_percentiles && rows->subjects.kind == TRACE_SUBJECT_SITE)
        status = trace_summarize_percentiles(rows->summary, indexes, count, error);
    if (status == LUDUS_OK && options->has_union)
        status = trace_summarize_unions(rows, listed, indexes, count, error);
    free(listed);
    return status;
}

enum ludus_status trace_summarize_subjects(struct trace_summary *summary,
                                           enum trace_subject_kind kind, struct ludus_error *error)
{
    static const enum trace_summary_table tables[] = {TRACE_SUMMARY_SITES, TRACE_SUMMARY_PATHS,
                                                      TRACE_SUMMARY_CATEGORIES};
    struct subject_rows rows = {
        .summary = summary, .cost = trace_recording_cost_of(summary->model), .table = tables[kind]};
    enum ludus_status status = LUDUS_OK;
    bool is_done = trace_path_texts_create(&rows.texts, summary->model) &&
                   trace_subjects_create(summary->model, &summary->chosen, kind,
                                         summary->options->sort, &rows.subjects);
    if (is_done) {
        uint32_t working = rows.subjects.count - rows.subjects.waiting;
        uint32_t work = trace_summary_shown(summary, working, WORK_SCREENFUL);
        uint32_t waits = trace_summary_shown(summary, rows.subjects.waiting, WAIT_SCREENFUL);
        trace_report_set_main(summary->report, rows.table);
        put_subjects(&rows, 0, work);
        put_subjects(&rows, working, waits);
        trace_note_subjects(&rows, work, waits);
        status = put_more(&rows, work, waits, error);
        is_done = !rows.names.has_failed;
    }
    trace_path_texts_destroy(&rows.texts);
    trace_text_buffer_release(&rows.names);
    trace_subjects_destroy(&rows.subjects);
    return is_done ? status : trace_fail_memory(error);
}
