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

static bool fill_windows(struct trace_statistics *statistics)
{
    struct trace_model *model = statistics->model;
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

/* The sums of a path in a cell; all zero when it was not seen. */
static struct trace_sums sums_of(const struct trace_statistics *statistics,
                                 const struct trace_track_group *group, uint32_t path,
                                 uint32_t cell)
{
    static const struct trace_path_cell nothing;
    static const struct trace_rare_cell nothing_rare;
    const struct trace_path_cell *counts =
        trace_statistics_find_cell(statistics, group, path, cell);
    const struct trace_rare_cell *rare =
        group->rare_pages[(size_t)(path / TRACE_PAGE_PATHS) * statistics->cell_count + cell];
    counts = counts == NULL ? &nothing : counts;
    rare = rare == NULL ? &nothing_rare : &rare[path % TRACE_PAGE_PATHS];
    return (struct trace_sums){
        .calls = counts->calls,
        .outermost_calls = counts->calls - rare->incomplete - rare->begun_before,
        .recursive_calls = statistics->model->paths[path].is_outermost ? 0 : counts->calls,
        .exclusive_calls = counts->calls - rare->without_exclusive,
        .incomplete = rare->incomplete,
        .children_lost = rare->children_lost,
        .inclusive_ns = counts->inclusive_ns,
        .exclusive_ns = counts->exclusive_ns};
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

static bool fill_paths(const struct trace_statistics *statistics,
                       const struct trace_track_group *group, struct trace_stats row,
                       struct all_site_sums *all)
{
    struct trace_model *model = statistics->model;
    uint32_t cell = row.window;
    for (uint32_t path = 1; path < model->path_count; path++) {
        uint32_t page = path / TRACE_PAGE_PATHS;
        if (page >= group->page_count)
            break;
        if (group->pages[(size_t)page * statistics->cell_count + cell] == NULL) {
            path |= TRACE_PAGE_PATHS - 1;
            continue;
        }
        const struct trace_path *place = &model->paths[path];
        row.subject = path;
        row.sums = sums_of(statistics, group, path, cell);
        add_to_site(&touch(all, place->site)->sums, &row.sums, place->is_outermost);
        if (place->parent != 0)
            touch(all, model->paths[place->parent].site)->nested_calls += row.sums.calls;
        if (statistics->plan->has_path_rows &&
            !add_row(&model->path_stats, &model->path_stats_count, &row))
            return false;
    }
    return true;
}

static bool fill_group(const struct trace_statistics *statistics,
                       const struct trace_track_group *group, uint32_t cell,
                       struct all_site_sums *all)
{
    struct trace_model *model = statistics->model;
    struct trace_stats row = {.track = group->track,
                              .window = cell,
                              .frames = cell % 2 == 0 ? group->kept[cell / 2].count : 0};
    bool is_complete = fill_paths(statistics, group, row, all);
    for (; all->touched_count != 0; all->touched_count--) {
        row.subject = all->touched[all->touched_count - 1];
        struct site_sums *site = &all->sites[row.subject];
        row.sums = site->sums;
        row.nested_calls = site->nested_calls;
        *site = (struct site_sums){0};
        is_complete = is_complete && add_row(&model->site_stats, &model->site_stats_count, &row);
    }
    return is_complete;
}

static void sort_rows(struct trace_stats *rows, uint32_t count)
{
    if (count > 1)
        qsort(rows, count, sizeof *rows, trace_stats_compare);
}

/* --- tracks ---------------------------------------------------------------------------------- */

static bool fill_tracks(struct trace_statistics *statistics)
{
    struct trace_model *model = statistics->model;
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

static bool fill_rows(struct trace_statistics *statistics)
{
    const struct trace_model *model = statistics->model;
    struct all_site_sums all = {.sites = calloc((size_t)model->site_count + 1, sizeof *all.sites),
                                .touched =
                                    malloc(((size_t)model->site_count + 1) * sizeof *all.touched)};
    bool is_complete = all.sites != NULL && all.touched != NULL;
    for (uint32_t i = 0; is_complete && i < statistics->group_count; i++)
        for (uint32_t cell = 0; is_complete && cell < statistics->cell_count; cell++)
            is_complete = fill_group(statistics, statistics->groups[i], cell, &all);
    free(all.sites);
    free(all.touched);
    return is_complete;
}

bool trace_statistics_fill(struct trace_statistics *statistics)
{
    struct trace_model *model = statistics->model;
    if (!fill_windows(statistics) || !fill_tracks(statistics) || !fill_rows(statistics))
        return false;
    sort_rows(model->site_stats, model->site_stats_count);
    sort_rows(model->path_stats, model->path_stats_count);
    model->has_statistics = true;
    return trace_model_mark_shared_names(model); /* tracks may have been added */
}
