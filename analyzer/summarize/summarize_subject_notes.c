/* What must be said of sites, paths and categories. */
#include <inttypes.h>
#include <stdio.h>

#include "report_window.h"
#include "summarize_subjects.h"

#define SHORT_SITES_NAMED 5u

/* The sites that are too short and were called most, most calls first: recording them costs most.
 */
struct short_sites {
    struct {
        uint32_t subject;
        uint64_t calls;
    } named[SHORT_SITES_NAMED];
    uint32_t count; /* of all of them */
};

/* In the window in which it was called most of those in which it is short; 0: in none. */
static uint64_t short_calls(const struct subject_rows *rows, const struct trace_subject *subject)
{
    uint64_t calls = 0;
    for (uint32_t w = 0; w < rows->subjects.windows; w++) {
        const struct trace_total *total = trace_subject_total(&rows->subjects, subject, w);
        if (trace_is_short(rows, total) && total->sums.calls > calls)
            calls = total->sums.calls;
    }
    return calls;
}

static void add_short(struct short_sites *sites, uint32_t subject, uint64_t calls)
{
    uint32_t at = sites->count < SHORT_SITES_NAMED ? sites->count : SHORT_SITES_NAMED;
    sites->count++;
    for (; at > 0 && sites->named[at - 1].calls < calls; at--)
        if (at < SHORT_SITES_NAMED)
            sites->named[at] = sites->named[at - 1];
    if (at == SHORT_SITES_NAMED)
        return;
    sites->named[at].subject = subject;
    sites->named[at].calls = calls;
}

static void note_short(struct subject_rows *rows)
{
    const struct trace_model *model = rows->summary->model;
    struct short_sites sites = {.count = 0};
    char names[320] = "", others[32] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < rows->subjects.count; i++) {
        uint64_t calls = short_calls(rows, &rows->subjects.items[i]);
        if (calls != 0)
            add_short(&sites, i, calls);
    }
    for (uint32_t i = 0; i < sites.count && i < SHORT_SITES_NAMED; i++) {
        const struct trace_subject *subject = &rows->subjects.items[sites.named[i].subject];
        const struct trace_text *name = &model->sites[subject->index].name;
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%.*s", i > 0 ? ", " : "",
                                 (int)(name->size < 40 ? name->size : 40), name->data);
    }
    if (sites.count > SHORT_SITES_NAMED)
        (void)snprintf(others, sizeof others, " and %u more", sites.count - SHORT_SITES_NAMED);
    if (sites.count != 0)
        trace_report_note(rows->summary->report, rows->table,
                          "Too short to be measured well, with a mean under %d times the %.1f ns "
                          "that recording a scope costs here, most calls first: %s%s. Time what "
                          "calls them, or count them (LUDUS_PROFILE_COUNT).",
                          TRACE_SHORT_FACTOR, rows->cost.scope_ns, names, others);
}

static void note_recording(struct subject_rows *rows)
{
    if (!rows->cost.is_known || trace_is_clipped(rows->summary) || rows->subjects.count == 0)
        return;
    if (rows->subjects.kind == TRACE_SUBJECT_SITE)
        note_short(rows);
    trace_report_note(rows->summary->report, rows->table,
                      "rec.: the part of the exclusive time that recording takes, estimated.");
}

bool trace_summary_has_lost_frames(const struct trace_summary *summary)
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
            trace_report_note(
                summary->report, rows->table,
                "Of what begins in the complete frames of %.*s%s%.*s (%u), divided by "
                "their number. Sums over tracks are work and can exceed the frame "
                "(share: of its mean). Waiting (category wait) is listed last.",
                trace_text_shown(*domain), domain->data,
                summary->chosen.notes == NULL ? "" : " in ",
                summary->chosen.notes == NULL
                    ? 0
                    : trace_text_shown(summary->chosen.plan.windows.items[0].name),
                summary->chosen.plan.windows.items[0].name.data, summary->frames[0].count);
        else
            trace_report_note(summary->report, rows->table,
                              "Of what begins in the complete frames of %.*s that lie in the "
                              "window, divided by their number. Sums over tracks are work and can "
                              "exceed the frame (share: of its mean in the window). Waiting "
                              "(category wait) is listed last.",
                              trace_text_shown(*domain), domain->data);
    }
    if (with_frames != 0 && trace_summary_has_lost_frames(summary))
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

void trace_note_subjects(struct subject_rows *rows, uint32_t work, uint32_t waits)
{
    static const char *const names[] = {"sites", "paths", "categories"};
    struct trace_summary *summary = rows->summary;
    uint64_t incomplete = 0;
    if (work + waits < rows->subjects.count)
        trace_report_note(summary->report, rows->table, "%u of %u %s are shown; --top 0 lists all.",
                          work + waits, rows->subjects.count, names[rows->subjects.kind]);
    if (rows->subjects.kind == TRACE_SUBJECT_SITE)
        trace_report_note(
            summary->report, rows->table,
            "Other rows: --by path, category, track, counter (and gauge), mark or flow.");
    else if (rows->subjects.kind == TRACE_SUBJECT_PATH && rows->subjects.count != 0)
        trace_report_note(summary->report, rows->table, "`ludus-trace tree` shows them as a tree.");
    if (trace_chosen_is_filtered(&summary->chosen))
        trace_report_note(summary->report, rows->table,
                          "Only what --site and --category choose is in it.");
    if (rows->subjects.count != 0)
        note_window(rows);
    else
        trace_note_no_slices(summary->report, rows->table, summary->model, &summary->chosen);
    note_recording(rows);
    for (uint32_t i = 0; i < rows->subjects.count; i++)
        for (uint32_t w = 0; w < rows->subjects.windows; w++)
            incomplete +=
                trace_subject_total(&rows->subjects, &rows->subjects.items[i], w)->sums.incomplete;
    if (incomplete != 0)
        trace_report_note(summary->report, rows->table,
                          "Calls without an end are counted and are in no time: %" PRIu64 ".",
                          incomplete);
}
