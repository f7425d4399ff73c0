/* Finds and reads the statistics of the windows that a database holds. */
#include <stdlib.h>

#include "database.h"
#include "database_connection.h"
#include "database_failure.h"
#include "database_model_loader.h"
#include "failure.h"
#include "path_sums.h"

/* A row of the spans of all windows, in order. */
struct span_row {
    uint32_t window;
    int64_t begin_ns, end_ns;
};

static void read_span(struct trace_select *select, void *element)
{
    struct span_row *row = element;

    row->window =
        trace_column_index(select, 0, trace_model_loader_of(select)->window_base, TRACE_NONE - 1) /
        2;
    row->begin_ns = trace_column_integer(select, 1);
    row->end_ns = trace_column_integer(select, 2);
}

static void prepare_loader(struct trace_model_loader *loader)
{
    struct trace_select *select = &loader->select;

    loader->site_base = trace_select_base(select, "site", "site_id");
    loader->track_base = trace_select_base(select, "track", "track_id");
    loader->path_base = trace_select_base(select, "path", "path_id");
    loader->domain_base = trace_select_base(select, "domain", "domain_id");
    loader->window_base = trace_select_base(select, "stat_window", "window_id");
}

static bool is_same(const struct span_row *rows, uint32_t count,
                    const struct trace_span_list *spans)
{
    if (count != spans->count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (rows[i].begin_ns != spans->spans[i].begin_ns ||
            rows[i].end_ns != spans->spans[i].end_ns)
            return false;
    return true;
}

static uint32_t find(const struct span_row *rows, uint32_t count,
                     const struct trace_span_list *spans)
{
    for (uint32_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && rows[end].window == rows[first].window; end++)
            continue;
        if (is_same(&rows[first], end - first, spans))
            return rows[first].window;
    }
    return TRACE_NONE;
}

/* The statistics are of all tracks, by begin, and of the default domain. */
static bool may_be_stored(const struct trace_pass_plan *plan, const struct trace_model *model)
{
    return plan->windows.count == 1 && plan->tracks == NULL &&
           plan->attribution == TRACE_ATTRIBUTE_BEGIN && plan->apart != TRACE_APART_ALL &&
           !plan->is_without_sums && plan->domain == (model->domain_count == 0 ? TRACE_NONE : 0);
}

static enum ludus_status finish(const struct trace_model_loader *loader,
                                struct trace_database *database, struct ludus_error *error)
{
    return loader->select.status == SQLITE_OK
               ? LUDUS_OK
               : trace_database_read_failure(loader->select.connection, loader->select.status,
                                             trace_database_path(database), error);
}

enum ludus_status trace_database_find_window(struct trace_database *database, uint32_t capture,
                                             struct trace_model *model,
                                             const struct trace_pass_plan *plan, uint32_t *window,
                                             struct ludus_error *error)
{
    struct trace_model_loader loader = {
        .select = {.connection = trace_database_connection(database), .model = model}};
    struct trace_select *select = &loader.select;
    struct span_row *rows;
    uint32_t count;

    *window = TRACE_NONE;
    if (!may_be_stored(plan, model))
        return LUDUS_OK;
    enum ludus_status status =
        trace_database_choose(database, capture, &loader.select.capture, error);
    if (status != LUDUS_OK)
        return status;
    prepare_loader(&loader);
    TRACE_LOAD_ROWS("window_span", "window_id, begin_ns, end_ns", "window_id, begin_ns", read_span,
                    rows, count);
    if (select->status == SQLITE_OK)
        *window = find(rows, count, &plan->windows.items[0].spans);
    free(rows);
    return finish(&loader, database, error);
}

static void forget(struct trace_model *model)
{
    free(model->windows);
    free(model->track_stats);
    free(model->site_stats);
    free(model->value_stats);
    free(model->gpu_stats);
    model->windows = NULL;
    model->track_stats = NULL;
    model->site_stats = NULL;
    model->value_stats = NULL;
    model->gpu_stats = NULL;
    model->window_count = model->site_stats_count = 0;
    model->value_stats_count = model->gpu_stats_count = 0;
    trace_model_clear_path_sums(model);
}

enum ludus_status trace_database_load_window(struct trace_database *database, uint32_t capture,
                                             struct trace_model *model, uint32_t window,
                                             enum trace_apart apart, struct ludus_error *error)
{
    struct trace_model_loader loader = {
        .select = {.connection = trace_database_connection(database), .model = model},
        .window = window,
        .apart = apart};
    enum ludus_status status =
        trace_database_choose(database, capture, &loader.select.capture, error);
    if (status != LUDUS_OK)
        return status;
    prepare_loader(&loader);
    forget(model);
    trace_model_load_statistics(&loader);
    return finish(&loader, database, error);
}

/* --- which there are ------------------------------------------------------------------------- */

static void read_name(struct trace_select *select, void *element)
{
    struct trace_text *name = element;

    *name = trace_column_text(select, 0);
}

enum ludus_status trace_database_window_names(struct trace_database *database, uint32_t capture,
                                              struct trace_model *model, struct trace_text **names,
                                              uint32_t *count, struct ludus_error *error)
{
    struct trace_model_loader loader = {
        .select = {.connection = trace_database_connection(database), .model = model}};
    struct trace_select *select = &loader.select;
    enum ludus_status status =
        trace_database_choose(database, capture, &loader.select.capture, error);

    *names = NULL;
    *count = 0;
    if (status != LUDUS_OK)
        return status;
    select->condition = " AND part = 'frames'";
    TRACE_LOAD_ROWS("stat_window", "name", "window_id", read_name, *names, *count);
    return finish(&loader, database, error);
}
