/* Makes the model's rows of what was added up. */
#include <stdlib.h>

#include "statistics.h"

/* --- windows --------------------------------------------------------------------------------- */

/* From the window's first complete frame to its last, or the bounds of the window in the capture.
 */
static void set_bounds(const struct trace_statistics *statistics, uint32_t window, bool is_frames,
                       struct trace_stat_window *row)
{
    const struct trace_model *model = statistics->model;
    const struct trace_span_list *spans = is_frames
                                              ? &statistics->frames[window].spans
                                              : &statistics->plan->windows.items[window].spans;
    if (spans->count == 0)
        return;
    row->begin_ns = spans->spans[0].begin_ns;
    row->end_ns = spans->spans[spans->count - 1].end_ns;
    if (!is_frames && row->begin_ns < model->window_begin_ns)
        row->begin_ns = model->window_begin_ns;
    if (!is_frames && row->end_ns > model->end_ns)
        row->end_ns = model->end_ns;
}

static bool copy_spans(const struct trace_span_list *spans, struct trace_model *model,
                       struct trace_stat_window *row)
{
    size_t size = spans->count * sizeof *row->spans;
    struct trace_span *copy = trace_model_allocate(model, size == 0 ? 1 : size);
    if (copy == NULL)
        return false;
    if (size != 0)
        memcpy(copy, spans->spans, size);
    row->spans = copy;
    row->span_count = spans->count;
    return true;
}

static bool fill_windows(const struct trace_statistics *statistics, struct trace_model *model)
{
    const struct trace_windows *windows = &statistics->plan->windows;
    for (uint32_t cell = 0; cell < statistics->cell_count; cell++) {
        const struct trace_window *window = &windows->items[cell / 2];
        bool is_frames = cell % 2 == 0;
        struct trace_stat_window row = {.is_frames = is_frames, .domain = statistics->plan->domain};
        if (trace_model_copy_text(model, window->name.data, window->name.size, &row.name) !=
            LUDUS_OK)
            return false;
        set_bounds(statistics, cell / 2, is_frames, &row);
        if (is_frames)
            row.frames = statistics->frames[cell / 2].count;
        if (is_frames && !copy_spans(&window->spans, model, &row))
            return false;
        if (!trace_array_grow(&model->windows, model->window_count, sizeof row))
            return false;
        model->windows[model->window_count++] = row;
    }
    return true;
}

/* --- sites and paths ------------------------------------------------------------------------- */

static bool add_row(struct trace_stats **rows, uint32_t *count, const struct trace_stats *row)
{
    const struct trace_sums *sums = &row->sums;
    if (sums->calls == 0 && sums->inclusive_ns == 0 && sums->exclusive_ns == 0)
        return true;
    if (!trace_array_grow(rows, *count, sizeof **rows))
        return false;
    (*rows)[(*count)++] = *row;
    return true;
}

/* Of a site on the way to its row. */
struct site_sums {
    struct trace_sums sums;
    uint64_t nested_calls;
    bool is_touched;
};

/* Of all sites; those that have any are listed, since a track's are few among many. */
struct all_site_sums {
    struct site_sums *sites; /* by index */
    uint32_t *touched;
    uint32_t touched_count;
};

static struct site_sums *touch(struct all_site_sums *all, uint32_t site)
{
    if (!all->sites[site].is_touched)
        all->touched[all->touched_count++] = site;
    all->sites[site].is_touched = true;
    return &all->sites[site];
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

static void add_paths(const struct trace_model *model, const struct trace_path_sums *paths,
                      uint32_t cell, struct all_site_sums *all)
{
    struct trace_path_walk walk = {.sums = paths, .cell = cell};
    while (trace_path_walk_next(&walk)) {
        const struct trace_path *place = &model->paths[walk.path];
        struct trace_sums sums = trace_path_walk_sums(&walk, model);
        add_to_site(&touch(all, place->site)->sums, &sums, place->is_outermost);
        if (place->parent != 0)
            touch(all, model->paths[place->parent].site)->nested_calls += sums.calls;
    }
}

static int compare_indexes(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

/* Lists what was touched in its order: of many by a look at all. */
static void sort_touched(struct all_site_sums *all, uint32_t site_count)
{
    if (all->touched_count < site_count / 16) {
        qsort(all->touched, all->touched_count, sizeof *all->touched, compare_indexes);
        return;
    }
    all->touched_count = 0;
    for (uint32_t site = 0; site < site_count; site++)
        if (all->sites[site].is_touched)
            all->touched[all->touched_count++] = site;
}

static bool fill_group(struct trace_model *model, const struct trace_path_sums *paths,
                       uint32_t cell, struct all_site_sums *all)
{
    struct trace_stats row = {.track = paths->track, .window = cell, .frames = paths->frames[cell]};
    bool is_complete = true;
    add_paths(model, paths, cell, all);
    sort_touched(all, model->site_count);
    for (uint32_t i = 0; i < all->touched_count; i++) {
        row.subject = all->touched[i];
        struct site_sums *site = &all->sites[row.subject];
        row.sums = site->sums;
        row.nested_calls = site->nested_calls;
        *site = (struct site_sums){0};
        is_complete = is_complete && add_row(&model->site_stats, &model->site_stats_count, &row);
    }
    all->touched_count = 0;
    return is_complete;
}

/* Those of one group and cell are in order, and mostly they are nearly all that there are. */
static void sort_rows(struct trace_stats *rows, uint32_t count)
{
    uint32_t i = 1;
    while (i < count && trace_stats_compare(&rows[i - 1], &rows[i]) < 0)
        i++;
    if (i < count)
        qsort(rows, count, sizeof *rows, trace_stats_compare);
}

/* Gives the model the sums of a group. */
static bool hand_over(struct trace_model *model, struct trace_path_sums *paths)
{
    if (!trace_array_grow(&model->path_sums, model->path_sums_count, sizeof *paths))
        return false;
    model->path_sums[model->path_sums_count++] = *paths;
    *paths = (struct trace_path_sums){0};
    return true;
}

/* --- tracks ---------------------------------------------------------------------------------- */

static bool fill_tracks(struct trace_statistics *statistics, struct trace_model *model)
{
    uint32_t windows = statistics->plan->windows.count;
    free(model->track_stats);
    model->track_stats =
        calloc((size_t)windows * model->track_count + 1, sizeof *model->track_stats);
    if (model->track_stats == NULL)
        return false;
    for (uint32_t track = 0; track < model->track_count; track++) {
        struct trace_track *facts = &model->tracks[track];
        if (!trace_pass_plan_counts(statistics->plan, track))
            continue;
        struct trace_track_counts *counts = trace_statistics_track(statistics, track);
        if (counts == NULL)
            return false;
        trace_statistics_note_opened(counts);
        facts->slices = counts->total;
        model->slices += counts->total;
        for (uint32_t w = 0; w < windows; w++) {
            const struct trace_kept_frames *kept = &counts->group->kept[w];
            model->track_stats[(size_t)w * model->track_count + track] = (struct trace_track_stats){
                .slices = counts->slices[2 * w] + counts->slices[2 * w + 1],
                .incomplete = counts->incomplete[2 * w] + counts->incomplete[2 * w + 1],
                .frames = kept->count,
                .frames_lost = kept->lost,
                .frame_ns = trace_kept_frames_overlap(kept, facts->begin_ns, facts->end_ns),
                .covered_ns = counts->covered_ns[w]};
        }
    }
    return true;
}

static bool fill_rows(struct trace_statistics *statistics, struct trace_model *model)
{
    struct all_site_sums all = {.sites = calloc((size_t)model->site_count + 1, sizeof *all.sites),
                                .touched =
                                    malloc(((size_t)model->site_count + 1) * sizeof *all.touched)};
    bool is_complete = all.sites != NULL && all.touched != NULL;
    for (uint32_t i = 0; is_complete && i < statistics->group_count; i++) {
        struct trace_track_group *group = statistics->groups[i];
        trace_path_sums_sort(&group->sums);
        for (uint32_t cell = 0; is_complete && cell < statistics->cell_count; cell++) {
            group->sums.frames[cell] = cell % 2 == 0 ? group->kept[cell / 2].count : 0;
            is_complete = fill_group(model, &group->sums, cell, &all);
        }
        if (is_complete && statistics->plan->has_path_rows)
            is_complete = hand_over(model, &group->sums);
    }
    free(all.sites);
    free(all.touched);
    return is_complete;
}

bool trace_statistics_fill(struct trace_statistics *statistics, struct trace_model *model)
{
    if (!fill_windows(statistics, model) || !fill_tracks(statistics, model))
        return false;
    if (!statistics->plan->is_without_sums && !fill_rows(statistics, model))
        return false;
    if (statistics->plan->has_value_rows && !trace_value_sums_fill(&statistics->values, model))
        return false;
    sort_rows(model->site_stats, model->site_stats_count);
    trace_model_sort_path_sums(model);
    model->has_statistics = !statistics->plan->is_without_sums;
    return trace_model_mark_shared_names(model); /* tracks may have been added */
}
