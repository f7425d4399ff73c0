/* Adds up sites, paths and categories. */
#include "subject_totals.h"

#include <stdlib.h>

#include "path_rows.h"
#include "subject_order.h"

/* Rows to add up: of sites, of paths, or of categories that are made of those. */
struct row_list {
    const struct trace_stats *rows;
    uint32_t count;
    struct trace_stats *owned; /* to be freed */
};

void trace_choose_parts(const struct trace_model *model, uint32_t parts[TRACE_MAX_WINDOWS])
{
    for (uint32_t w = 0; w < model->window_count / 2; w++)
        parts[w] = 2 * w + 1;
    for (uint32_t i = 0; i < model->site_stats_count; i++)
        if (model->site_stats[i].window % 2 == 0)
            parts[model->site_stats[i].window / 2] = model->site_stats[i].window;
}

static bool is_part(const struct trace_subjects *subjects, uint32_t window)
{
    return subjects->parts[window / 2] == window;
}

uint32_t trace_subject_category(const struct trace_model *model, uint32_t site)
{
    uint32_t category = model->sites[site].category;
    return category == TRACE_NONE ? model->category_count : category;
}

/* --- rows of categories ---------------------------------------------------------------------- */

bool trace_is_outermost_in_category(const struct trace_model *model,
                                    const struct trace_chosen *chosen, uint32_t path)
{
    uint32_t category = trace_subject_category(model, model->paths[path].site);
    for (uint32_t up = model->paths[path].parent; up != 0; up = model->paths[up].parent) {
        uint32_t site = model->paths[up].site;
        if (trace_subject_category(model, site) == category && trace_chosen_shows(chosen, site))
            return false;
    }
    return true;
}

/* What a path is of its category. */
static struct trace_stats category_row(const struct trace_model *model,
                                       const struct trace_chosen *chosen,
                                       const struct trace_stats *path)
{
    struct trace_stats row = *path;
    row.subject = trace_subject_category(model, model->paths[path->subject].site);
    row.sums.recursive_calls = 0;
    if (!trace_is_outermost_in_category(model, chosen, path->subject)) {
        row.sums.outermost_calls = 0;
        row.sums.inclusive_ns = 0;
        row.sums.recursive_calls = row.sums.calls;
    }
    return row;
}

/* The calls of a path's own slices, as what lies directly inside of its parent's category. */
static bool nested_row(const struct trace_model *model, const struct trace_chosen *chosen,
                       const struct trace_stats *path, struct trace_stats *row)
{
    uint32_t parent = model->paths[path->subject].parent;
    if (parent == 0 || !trace_chosen_shows(chosen, model->paths[parent].site))
        return false;
    *row = *path;
    row->subject = trace_subject_category(model, model->paths[parent].site);
    row->nested_calls = path->sums.calls;
    row->sums = (struct trace_sums){0};
    return true;
}

static bool put_row(struct row_list *list, const struct trace_stats *row)
{
    if (!trace_array_grow(&list->owned, list->count, sizeof *row))
        return false;
    list->owned[list->count++] = *row;
    return true;
}

static bool list_categories(const struct trace_subjects *subjects,
                            const struct trace_chosen *chosen, struct row_list *list)
{
    const struct trace_model *model = subjects->model;
    struct trace_path_rows rows;
    bool is_done = trace_path_rows_open(&rows, model);
    while (is_done && trace_path_rows_next(&rows)) {
        struct trace_stats row;
        if (!is_part(subjects, rows.row.window))
            continue;
        if (trace_chosen_shows(chosen, model->paths[rows.row.subject].site)) {
            row = category_row(model, chosen, &rows.row);
            is_done = put_row(list, &row);
        }
        if (is_done && nested_row(model, chosen, &rows.row, &row))
            is_done = put_row(list, &row);
    }
    trace_path_rows_close(&rows);
    list->count = trace_stats_merge(list->owned, list->count);
    list->rows = list->owned;
    return is_done;
}

static bool list_paths(const struct trace_subjects *subjects, struct row_list *list)
{
    bool is_done = trace_path_rows_list(subjects->model, &list->owned, &list->count);
    list->rows = list->owned;
    return is_done;
}

/* --- totals ---------------------------------------------------------------------------------- */

static void add_row(struct trace_total *total, const struct trace_stats *row)
{
    total->nested_calls += row->nested_calls;
    trace_sums_add(&total->sums, &row->sums);
    if (row->frames > 0) {
        double frames = (double)row->frames;
        total->has_frames = true;
        total->calls_per_frame += (double)row->sums.calls / frames;
        total->exclusive_per_frame_ns += (double)row->sums.exclusive_ns / frames;
        total->inclusive_per_frame_ns += (double)row->sums.inclusive_ns / frames;
    }
}

static bool is_waiting(const struct trace_subjects *subjects, uint32_t index)
{
    const struct trace_model *model = subjects->model;
    if (subjects->kind == TRACE_SUBJECT_PATH)
        return trace_site_is_waiting(model, model->paths[index].site);
    if (subjects->kind == TRACE_SUBJECT_SITE)
        return trace_site_is_waiting(model, index);
    return index != model->category_count && model->categories[index].is_waiting;
}

static bool is_shown(const struct trace_subjects *subjects, const struct trace_chosen *chosen,
                     const struct trace_stats *row)
{
    uint32_t site = subjects->kind == TRACE_SUBJECT_PATH ? subjects->model->paths[row->subject].site
                                                         : row->subject;
    return is_part(subjects, row->window) &&
           (subjects->kind == TRACE_SUBJECT_CATEGORY || trace_chosen_shows(chosen, site));
}

/* Rows of one subject stand together. */
static void add_up(struct trace_subjects *subjects, const struct trace_chosen *chosen,
                   const struct row_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const struct trace_stats *row = &list->rows[i];
        if (!is_shown(subjects, chosen, row))
            continue;
        if (subjects->count == 0 || subjects->items[subjects->count - 1].index != row->subject) {
            bool waits = is_waiting(subjects, row->subject);
            subjects->items[subjects->count] =
                (struct trace_subject){.index = row->subject,
                                       .is_waiting = waits,
                                       .first = subjects->count * subjects->windows};
            subjects->count++;
            subjects->waiting += waits;
        }
        add_row(
            &subjects->totals[(size_t)(subjects->count - 1) * subjects->windows + row->window / 2],
            row);
    }
}

static bool count_sites(struct trace_subjects *subjects, const struct trace_chosen *chosen)
{
    const struct trace_model *model = subjects->model;
    uint32_t last = TRACE_NONE;
    uint32_t *places = calloc((size_t)model->category_count + 1, sizeof *places); /* plus one */
    if (places == NULL)
        return false;
    for (uint32_t i = 0; i < subjects->count; i++)
        places[subjects->items[i].index] = i + 1;
    for (uint32_t i = 0; i < model->site_stats_count; i++) {
        const struct trace_stats *row = &model->site_stats[i];
        if (row->subject == last || !is_part(subjects, row->window) ||
            !trace_chosen_shows(chosen, row->subject))
            continue;
        last = row->subject;
        uint32_t place = places[trace_subject_category(model, last)];
        if (place != 0)
            subjects->items[place - 1].sites++;
    }
    free(places);
    return true;
}

/* Adds the calls directly inside of the slices of each path. */
static bool add_nested(struct trace_subjects *subjects, const struct row_list *list)
{
    const struct trace_model *model = subjects->model;
    uint32_t *places = calloc((size_t)model->path_count + 1, sizeof *places); /* plus one */
    if (places == NULL)
        return false;
    for (uint32_t i = 0; i < subjects->count; i++)
        places[subjects->items[i].index] = i + 1;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct trace_stats *row = &list->rows[i];
        uint32_t place = places[model->paths[row->subject].parent];
        if (place != 0 && is_part(subjects, row->window))
            subjects->totals[(size_t)(place - 1) * subjects->windows + row->window / 2]
                .nested_calls += row->sums.calls;
    }
    free(places);
    return true;
}

static bool fill(struct trace_subjects *subjects, const struct trace_chosen *chosen,
                 const struct row_list *list)
{
    subjects->items = calloc((size_t)list->count + 1, sizeof *subjects->items);
    subjects->totals =
        calloc((size_t)list->count * subjects->windows + 1, sizeof *subjects->totals);
    if (subjects->items == NULL || subjects->totals == NULL)
        return false;
    add_up(subjects, chosen, list);
    if (subjects->kind == TRACE_SUBJECT_CATEGORY)
        return count_sites(subjects, chosen);
    return subjects->kind != TRACE_SUBJECT_PATH || add_nested(subjects, list);
}

bool trace_subjects_create(const struct trace_model *model, const struct trace_chosen *chosen,
                           enum trace_subject_kind kind, enum trace_summarize_sort sort,
                           struct trace_subjects *subjects)
{
    struct row_list list = {0};
    bool is_done = true;
    *subjects = (struct trace_subjects){
        .model = model, .kind = kind, .windows = model->window_count / 2, .is_by_frame = true};
    trace_choose_parts(model, subjects->parts);
    for (uint32_t w = 0; w < subjects->windows; w++)
        subjects->is_by_frame = subjects->is_by_frame && subjects->parts[w] % 2 == 0;
    if (kind == TRACE_SUBJECT_PATH)
        is_done = list_paths(subjects, &list);
    else if (kind == TRACE_SUBJECT_CATEGORY)
        is_done = list_categories(subjects, chosen, &list);
    else
        list = (struct row_list){.rows = model->site_stats, .count = model->site_stats_count};
    is_done = is_done && fill(subjects, chosen, &list) && trace_subjects_sort(subjects, sort);
    free(list.owned);
    return is_done;
}

void trace_subjects_destroy(struct trace_subjects *subjects)
{
    free(subjects->items);
    free(subjects->totals);
    *subjects = (struct trace_subjects){0};
}
