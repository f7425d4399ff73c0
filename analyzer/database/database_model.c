/* Reads a capture's model back from a database: all that reports show, equal to what was imported.
 */
#include <stdlib.h>

#include "database.h"
#include "database_connection.h"
#include "database_failure.h"
#include "database_model_loader.h"
#include "failure.h"
#include "frame_table.h"

static void read_domain(struct trace_select *select, void *element)
{
    struct trace_domain *domain = element;

    domain->name = trace_column_text(select, 0);
    domain->id = trace_column_u32(select, 1);
    domain->frame_count = trace_column_u32(select, 2);
}

/* A frame, and the track of its mark. */
struct frame_row {
    int64_t begin_ns;
    uint64_t number;
    uint32_t track;
};

static void read_frame(struct trace_select *select, void *element)
{
    struct frame_row *row = element;

    row->begin_ns = trace_column_time(select, 0);
    row->number = trace_column_count(select, 1);
    row->track = trace_column_index(select, 2, trace_model_loader_of(select)->track_base,
                                    select->model->track_count);
}

/* Gives a domain its part of all frames. */
static void take_frames(struct trace_select *select, struct trace_domain *domain,
                        const struct frame_row *rows, uint32_t count)
{
    uint32_t wanted = domain->frame_count;

    domain->frame_count = 0;
    domain->track = TRACE_NONE;
    if (wanted > count)
        select->status = SQLITE_CORRUPT;
    for (uint32_t i = 0; select->status == SQLITE_OK && i < wanted; i++)
        if (!trace_frame_table_add(domain, rows[i].number, rows[i].begin_ns, rows[i].track))
            select->status = SQLITE_NOMEM;
}

/* Frames lie in the order of their domains. */
static void load_frames(struct trace_model_loader *loader)
{
    struct trace_select *select = &loader->select;
    struct trace_model *model = select->model;
    struct frame_row *rows;
    uint32_t count;
    uint32_t used = 0;

    TRACE_LOAD_ROWS("domain", "name, recorded_id, frames", "domain_id", read_domain, model->domains,
                    model->domain_count);
    TRACE_LOAD_ROWS("frame", "begin_ns, number, track_id", "frame_id", read_frame, rows, count);
    for (uint32_t i = 0; i < model->domain_count; i++) {
        take_frames(select, &model->domains[i], rows == NULL ? NULL : rows + used, count - used);
        used += model->domains[i].frame_count;
        trace_frame_table_finish(&model->domains[i], model);
    }
    free(rows);
}

static void read_path(struct trace_select *select, void *element)
{
    struct trace_model_loader *loader = trace_model_loader_of(select);
    struct trace_path *path = element;
    uint32_t parent = trace_column_index(select, 0, loader->path_base, TRACE_NONE - 1);

    path->parent = parent == TRACE_NONE ? 0 : parent + 1;
    path->site = trace_column_index(select, 1, loader->site_base, select->model->site_count);
    path->depth = trace_column_u32(select, 2) & INT32_MAX;
    path->is_outermost = trace_column_integer(select, 3) != 0;
}

static void load_paths(struct trace_model_loader *loader)
{
    struct trace_select *select = &loader->select;
    struct trace_model *model = select->model;
    uint32_t i;

    model->paths =
        trace_select_rows(select, "path", "parent_path_id, site_id, depth, outermost", "path_id",
                          read_path, sizeof *model->paths, 1, &model->path_count);
    if (select->status != SQLITE_OK)
        return;
    model->paths[0].parent = TRACE_NONE;
    model->paths[0].site = TRACE_NONE;
    for (i = 1; i < model->path_count; i++) {
        uint32_t parent = model->paths[i].parent;
        uint32_t depth = parent == 0 || parent >= i ? 0 : model->paths[parent].depth + 1;
        if (parent >= i || model->paths[i].depth != depth || model->paths[i].site == TRACE_NONE)
            select->status = SQLITE_CORRUPT;
    }
}

enum ludus_status trace_database_model(struct trace_database *database, uint32_t capture,
                                       struct trace_model **model, struct ludus_error *error)
{
    struct trace_model_loader loader = {.select.connection = trace_database_connection(database)};
    enum ludus_status status;

    *model = NULL;
    status = trace_database_choose(database, capture, &loader.select.capture, error);
    if (status != LUDUS_OK)
        return status;
    if (trace_model_create(&loader.select.model) != LUDUS_OK)
        return trace_fail_memory(error);
    trace_model_load_definitions(&loader);
    load_frames(&loader);
    load_paths(&loader);
    trace_model_load_losses(&loader);
    trace_model_load_statistics(&loader);
    trace_model_load_gpu(&loader);
    if (loader.select.status != SQLITE_OK) {
        trace_model_destroy(loader.select.model);
        return trace_database_read_failure(trace_database_connection(database),
                                           loader.select.status, trace_database_path(database),
                                           error);
    }
    if (!trace_model_mark_shared_names(loader.select.model)) {
        trace_model_destroy(loader.select.model);
        return trace_fail_memory(error);
    }
    *model = loader.select.model;
    return LUDUS_OK;
}
