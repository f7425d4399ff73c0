/* Makes the model's rows of the sums that were added up by path. */
#include <stdlib.h>

#include "track_state.h"

static bool add_row(struct trace_stats **rows, uint32_t *count, const struct trace_stats *row)
{
    if (row->sums.calls == 0)
        return true;
    if (!trace_array_grow(rows, *count, sizeof **rows))
        return false;
    (*rows)[(*count)++] = *row;
    return true;
}

static int64_t frames_of(const struct track_group *group, uint32_t window)
{
    return window == TRACE_WINDOW_FRAMES ? group->spans.frames : 0;
}

/* Completes the sums of a path, of which the walk only kept what it had to. */
static struct trace_sums path_sums_of(const struct trace_model *model,
                                      const struct track_group *group, uint32_t path,
                                      uint32_t window)
{
    struct trace_sums sums = {0};
    if (path < group->sums_count)
        sums = group->sums[path].windows[window];
    uint64_t begun_before = 0;
    if (path < group->sums_count && window == TRACE_WINDOW_OUTSIDE) /* they are in no whole frame */
        begun_before = group->sums[path].begun_before;
    sums.outermost_calls = sums.calls - sums.incomplete - begun_before;
    sums.recursive_calls = model->paths[path].is_outermost ? 0 : sums.calls;
    return sums;
}

static void add_to_site(struct trace_sums *site, const struct trace_sums *path, bool is_outermost)
{
    site->calls += path->calls;
    site->recursive_calls += path->recursive_calls;
    site->exclusive_calls += path->exclusive_calls;
    site->incomplete += path->incomplete;
    site->children_lost += path->children_lost;
    site->exclusive_ns = trace_sum(site->exclusive_ns, path->exclusive_ns);
    if (is_outermost) {
        site->outermost_calls += path->outermost_calls;
        site->inclusive_ns = trace_sum(site->inclusive_ns, path->inclusive_ns);
    }
}

static bool fill_group(struct trace_nesting *nesting, const struct track_group *group,
                       uint32_t window, struct trace_sums *sites)
{
    struct trace_model *model = nesting->model;
    struct trace_stats row = {.track = group->track,
                              .window = (enum trace_window_kind)window,
                              .frames = frames_of(group, window)};
    for (uint32_t site = 0; site < model->site_count; site++)
        sites[site] = (struct trace_sums){0};
    for (uint32_t path = 1; path < model->path_count; path++) {
        row.subject = path;
        row.sums = path_sums_of(model, group, path, window);
        add_to_site(&sites[model->paths[path].site], &row.sums, model->paths[path].is_outermost);
        if (!add_row(&model->path_stats, &model->path_stats_count, &row))
            return false;
    }
    for (uint32_t site = 0; site < model->site_count; site++) {
        row.subject = site;
        row.sums = sites[site];
        model->slices += row.sums.calls;
        if (!add_row(&model->site_stats, &model->site_stats_count, &row))
            return false;
    }
    return true;
}

static int compare_rows(const void *a, const void *b)
{
    const struct trace_stats *left = a;
    const struct trace_stats *right = b;
    if (left->subject != right->subject)
        return left->subject < right->subject ? -1 : 1;
    /* The common row comes first. */
    if (left->track != right->track)
        return left->track + 1 < right->track + 1 ? -1 : 1;
    return (left->window > right->window) - (left->window < right->window);
}

static void fill_track(const struct trace_nesting *nesting, uint32_t track)
{
    struct trace_track *facts = &nesting->model->tracks[track];
    const struct trace_frame_spans *spans = &nesting->tracks[track].group->spans;
    uint32_t cursor = 0;
    facts->frames = spans->frames;
    facts->frames_lost = spans->frames_lost;
    facts->frame_ns = trace_frame_spans_overlap(spans, &cursor, facts->begin_ns, facts->end_ns);
}

bool trace_nesting_fill_statistics(struct trace_nesting *nesting)
{
    struct trace_model *model = nesting->model;
    struct trace_sums *sites = calloc((size_t)model->site_count + 1, sizeof *sites);
    bool is_complete = sites != NULL;
    for (uint32_t i = 0; is_complete && i < nesting->group_count; i++)
        for (uint32_t window = 0; is_complete && window < TRACE_WINDOW_COUNT; window++)
            is_complete = fill_group(nesting, nesting->groups[i], window, sites);
    free(sites);
    if (!is_complete)
        return false;
    if (model->site_stats_count > 1)
        qsort(model->site_stats, model->site_stats_count, sizeof *model->site_stats, compare_rows);
    if (model->path_stats_count > 1)
        qsort(model->path_stats, model->path_stats_count, sizeof *model->path_stats, compare_rows);
    for (uint32_t track = 0; track < model->track_count; track++)
        fill_track(nesting, track);
    model->has_statistics = true;
    return trace_model_mark_shared_names(model); /* tracks may have been added */
}
