/* What is said below a tree of caller contexts. */
#include <inttypes.h>
#include <stdio.h>

#include "report_tree.h"
#include "report_window.h"

static void note_window(struct trace_report *report, size_t table,
                        const struct trace_tree_source *source)
{
    const struct trace_call_tree *tree = &source->tree;
    uint32_t windows = tree->plan->windows.count, with_frames = 0;
    if (source->page.row_count == 0)
        return;
    const struct trace_text none = {"", 0};
    const struct trace_text *domain =
        tree->plan->domain == TRACE_NONE ? &none : &tree->model->domains[tree->plan->domain].name;
    for (uint32_t w = 0; w < windows; w++)
        with_frames += tree->windows[w].has_frames;
    if (with_frames != 0)
        trace_report_note(report, table,
                          "Window: slices that begin in the complete frames of %.*s in it. Per "
                          "frame: divided by those frames. Of frame: of their mean.",
                          trace_text_shown(*domain), domain->data);
    if (with_frames != windows && tree->model->domain_count == 0)
        trace_report_note(report, table,
                          "The capture has no frame marks (LUDUS_PROFILE_FRAME): times are those "
                          "of all slices that begin in the window, and nothing is per frame.");
    else if (with_frames != windows)
        trace_report_note(report, table,
                          "Where nothing begins in a complete frame that its track kept, times are "
                          "those of all slices that begin in the window, and nothing is per "
                          "frame.");
    if (tree->plan->attribution == TRACE_ATTRIBUTE_CLIP)
        trace_report_note(report, table,
                          "Attribution by clip: times are split at the edges of frames and "
                          "windows; calls count where they begin.");
}

static void note_meaning(struct trace_report *report, size_t table,
                         const struct trace_tree_source *source)
{
    if (source->page.row_count == 0)
        return;
    trace_report_note(report, table,
                      "Sums over tracks are work and can exceed the frame. Waiting is inside all "
                      "times. (unlogged) is what no scope covers of the one above, or of the "
                      "frames: not known, neither idle time nor the recorder's cost.");
}

static void note_limits(struct trace_report *report, size_t table,
                        const struct trace_tree_source *source)
{
    const struct trace_tree_page *page = &source->page;
    char limits[160] = "";
    size_t used = 0;
    if (page->limits.min_text != NULL)
        used = (size_t)snprintf(limits, sizeof limits, " --min %.40s", page->limits.min_text);
    if (page->limits.top != 0)
        used += (size_t)snprintf(limits + used, sizeof limits - used, " --top %" PRIu32,
                                 page->limits.top);
    if (page->limits.depth != 0)
        (void)snprintf(limits + used, sizeof limits - used, " --depth %" PRIu32,
                       page->limits.depth);
    if (page->nodes_shown < page->nodes_chosen && limits[0] != '\0')
        trace_report_note(report, table,
                          "%" PRIu32 " of %" PRIu32 " contexts are shown:%s. (N more), or (+N) "
                          "behind a name, are those left out there; --min 0 --top 0 shows all.",
                          page->nodes_shown, page->nodes_chosen, limits);
    if (page->roots_shown < source->tree.root_count && page->row_count != 0)
        trace_report_note(report, table,
                          "%" PRIu32 " of %" PRIu32 " tracks are shown, those with most time in "
                          "scopes.",
                          page->roots_shown, source->tree.root_count);
}

static void note_filter(struct trace_report *report, size_t table,
                        const struct trace_tree_source *source)
{
    uint32_t contexts = source->tree.node_count - source->tree.root_count;
    if (!trace_chosen_is_filtered(&source->chosen))
        return;
    trace_report_note(report, table,
                      "Contexts of the sites that were asked for: %" PRIu32 " of %" PRIu32
                      ". Nodes "
                      "with no under chosen are shown only as what calls them.",
                      source->page.nodes_chosen, contexts);
    if (source->page.row_count == 0 && contexts != 0)
        trace_report_note(report, table, "None of them has slices in the window.");
}

static void note_missing(struct trace_report *report, size_t table,
                         const struct trace_call_tree *tree)
{
    const struct trace_model *model = tree->model;
    uint64_t incomplete = 0, children_lost = 0;
    int64_t frames_lost = 0;
    for (uint32_t w = 0; w < tree->plan->windows.count; w++) {
        struct trace_sums sums = trace_model_total(model, tree->windows[w].part);
        incomplete += sums.incomplete;
        children_lost += sums.children_lost;
    }
    for (uint32_t w = 0; w < tree->plan->windows.count; w++)
        for (uint32_t track = 0; track < model->track_count; track++)
            if (tree->windows[w].has_frames && model->tracks[track].slices != 0)
                frames_lost += trace_model_track_stats(model, w, track)->frames_lost;
    if (frames_lost != 0)
        trace_report_note(report, table,
                          "Some tracks lost events: of their calls, the frames in which they did "
                          "are left out, and are not in the number that is divided by.");
    if (children_lost != 0)
        trace_report_note(report, table,
                          "Calls during which their track lost events are in no exclusive time: "
                          "%" PRIu64 ".",
                          children_lost);
    if (incomplete != 0)
        trace_report_note(report, table,
                          "Calls without an end are counted and are in no time: %" PRIu64 ".",
                          incomplete);
    if (model->slices_begun_before != 0 && tree->plan->attribution == TRACE_ATTRIBUTE_BEGIN)
        trace_report_note(report, table,
                          "Slices that began before this part of the recording: %" PRIu64
                          ". They are counted outside of frames; their times reach back before it "
                          "and are in no sum.",
                          model->slices_begun_before);
}

void trace_note_tree(struct trace_report *report, size_t table,
                     const struct trace_tree_source *source)
{
    const struct trace_chosen *chosen = &source->chosen;
    trace_note_window(report, table, source->tree.model, false);
    for (uint32_t w = 0; chosen->notes != NULL && w < chosen->plan.windows.count; w++)
        if (chosen->notes[w][0] != '\0')
            trace_report_note(report, table, "%s", chosen->notes[w]);
    if (source->tree.node_count == source->tree.root_count)
        trace_note_no_slices(report, table, source->tree.model, chosen);
    note_window(report, table, source);
    note_meaning(report, table, source);
    note_filter(report, table, source);
    note_limits(report, table, source);
    note_missing(report, table, &source->tree);
}
