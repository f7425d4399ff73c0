/* Reads what a run has of scopes, counters and GPU work. */
#include "run_cells.h"

#include <stdlib.h>
#include <string.h>

#include "lcap_decode.h"
#include "path_rows.h"

/* --- scopes ----------------------------------------------------------------------------------- */

/* Keys come in their order or nearly so: room for one place is room for many. */
static bool make_places(struct trace_cell_reader *reader, uint32_t place)
{
    if (place < reader->place_count)
        return true;
    size_t count = 2 * (size_t)place + TRACE_MEASURES;
    uint32_t *places = realloc(reader->places, count * sizeof *places);
    if (places == NULL)
        return false;
    memset(places + reader->place_count, 0, (count - reader->place_count) * sizeof *places);
    reader->places = places;
    reader->place_count = count;
    return true;
}

/* The cell of a key, made when it is new; NULL when there is no memory. */
static struct trace_run_cell *cell_of(struct trace_cell_reader *reader, uint32_t key,
                                      enum trace_measure measure)
{
    uint32_t place = key * TRACE_MEASURES + (uint32_t)measure;

    if (!make_places(reader, place))
        return NULL;
    if (reader->places[place] == 0) {
        if (!trace_array_grow(&reader->cells, reader->count, sizeof *reader->cells))
            return NULL;
        reader->cells[reader->count++] =
            (struct trace_run_cell){.key = key, .measure = measure, .frames = -1};
        reader->places[place] = reader->count;
    }
    return &reader->cells[reader->places[place] - 1];
}

static bool add_row(struct trace_cell_reader *reader, uint32_t key, const struct trace_stats *row)
{
    bool is_marker = row->track != TRACE_NONE && row->track == reader->marker;
    struct trace_run_cell *cell =
        cell_of(reader, key, is_marker ? TRACE_MEASURE_FRAME_TRACK : TRACE_MEASURE_WORK);
    double frames = (double)row->frames;

    if (cell == NULL)
        return false;
    cell->calls += row->sums.calls;
    if (row->frames <= 0)
        return true;
    cell->rate.calls += (double)row->sums.calls / frames;
    cell->rate.time_ns += (double)row->sums.exclusive_ns / frames;
    cell->inclusive_ns += (double)row->sums.inclusive_ns / frames;
    cell->frames = cell->frames == -1 || cell->frames == row->frames ? row->frames : 0;
    return true;
}

bool trace_read_site_cells(struct trace_cell_reader *reader)
{
    const struct trace_model *model = reader->model;

    for (uint32_t i = 0; i < model->site_stats_count; i++) {
        const struct trace_stats *row = &model->site_stats[i];
        if (row->window != 0 || !trace_chosen_shows(reader->chosen, row->subject))
            continue;
        uint32_t key = trace_scope_keys_put_site(reader->keys, model, row->subject);
        if (key == TRACE_NONE || !add_row(reader, key, row) ||
            !trace_scope_keys_note_line(reader->keys, key, model->sites[row->subject].line,
                                        reader->side))
            return false;
    }
    return true;
}

/* The key of a path's site without callers, looked for once for each site. */
static uint32_t scope_of(struct trace_cell_reader *reader, uint32_t site)
{
    uint32_t *scope = &reader->site_scopes[site];

    if (*scope == TRACE_NONE)
        *scope = trace_scope_keys_put_site(reader->keys, reader->model, site);
    return *scope;
}

/* Parents come before their children. */
static bool key_paths(struct trace_cell_reader *reader)
{
    const struct trace_model *model = reader->model;

    reader->path_keys = calloc((size_t)model->path_count + 1, sizeof *reader->path_keys);
    reader->site_scopes = malloc(((size_t)model->site_count + 1) * sizeof *reader->site_scopes);
    if (reader->path_keys == NULL || reader->site_scopes == NULL)
        return false;
    memset(reader->site_scopes, 0xFF, model->site_count * sizeof *reader->site_scopes);
    reader->path_keys[0] = TRACE_NONE;
    for (uint32_t i = 1; i < model->path_count; i++) {
        const struct trace_path *path = &model->paths[i];
        reader->path_keys[i] = trace_scope_keys_put_below(
            reader->keys, scope_of(reader, path->site), reader->path_keys[path->parent]);
        if (reader->path_keys[i] == TRACE_NONE)
            return false;
    }
    return true;
}

bool trace_read_path_cells(struct trace_cell_reader *reader)
{
    const struct trace_model *model = reader->model;
    struct trace_path_rows rows;
    bool is_done = trace_path_rows_open(&rows, model) && key_paths(reader);

    while (is_done && trace_path_rows_next(&rows)) {
        uint32_t site = model->paths[rows.row.subject].site;
        uint32_t key = reader->path_keys[rows.row.subject];
        if (rows.row.window != 0 || !trace_chosen_shows(reader->chosen, site))
            continue;
        is_done =
            add_row(reader, key, &rows.row) &&
            trace_scope_keys_note_line(reader->keys, key, model->sites[site].line, reader->side);
    }
    trace_path_rows_close(&rows);
    return is_done;
}

/* --- counters and GPU work -------------------------------------------------------------------- */

static bool read_value(struct trace_cell_reader *reader, const struct trace_value_stats *row)
{
    const struct trace_model *model = reader->model;
    uint64_t values = row->count - row->not_finite;
    uint32_t key = trace_scope_keys_put_site(reader->keys, model, row->site);
    int64_t frames = model->windows[0].frames;

    if (key == TRACE_NONE)
        return false;
    if (row->is_gauge ? values == 0 : frames == 0)
        return true;
    struct trace_run_cell *cell =
        cell_of(reader, key, row->is_gauge ? TRACE_MEASURE_GAUGE : TRACE_MEASURE_COUNTER);
    if (cell == NULL)
        return false;
    /* Places of one name in a file are one: counters add up, of gauges it is the mean of all. */
    if (row->is_gauge)
        cell->rate.time_ns =
            (cell->rate.time_ns * (double)cell->calls + row->sum) / (double)(cell->calls + values);
    else
        cell->rate.time_ns += (double)(row->total - row->outside) / (double)frames;
    cell->calls += row->is_gauge ? values : row->count;
    return true;
}

/* The key of a queue's frames, or of a pass. */
static uint32_t key_gpu(const struct trace_cell_reader *reader, const struct trace_gpu_stats *row)
{
    const struct trace_model *model = reader->model;
    struct trace_scope_key key = {.parent = TRACE_NONE};

    if (row->site == TRACE_NONE) {
        key.name = model->tracks[row->track].name;
        return trace_scope_keys_put(reader->keys, &key);
    }
    const char *operation = lcap_gpu_operation_name(row->operation);
    key.name = model->sites[row->site].name;
    key.file = model->sites[row->site].file;
    if (operation != NULL)
        key.category = (struct trace_text){operation, strlen(operation)};
    return trace_scope_keys_put(reader->keys, &key);
}

static bool read_gpu(struct trace_cell_reader *reader, const struct trace_gpu_stats *row)
{
    uint32_t key = key_gpu(reader, row);

    if (key == TRACE_NONE)
        return false;
    if (row->frames == 0)
        return true;
    struct trace_run_cell *cell = cell_of(
        reader, key, row->site == TRACE_NONE ? TRACE_MEASURE_GPU_FRAME : TRACE_MEASURE_GPU_PASS);
    if (cell == NULL)
        return false;
    cell->calls += row->valid;
    cell->rate.calls += (double)row->valid / (double)row->frames;
    cell->rate.time_ns += (double)row->sum_ns / (double)row->frames;
    cell->inclusive_ns = cell->rate.time_ns;
    return true;
}

bool trace_read_value_cells(struct trace_cell_reader *reader)
{
    const struct trace_model *model = reader->model;
    bool is_done = true;

    for (uint32_t i = 0; is_done && i < model->value_stats_count; i++)
        if (model->value_stats[i].window == 0 &&
            trace_chosen_shows(reader->chosen, model->value_stats[i].site))
            is_done = read_value(reader, &model->value_stats[i]);
    for (uint32_t i = 0; is_done && i < model->gpu_stats_count; i++) {
        const struct trace_gpu_stats *row = &model->gpu_stats[i];
        if (row->window == 0 &&
            (row->site == TRACE_NONE || trace_chosen_shows(reader->chosen, row->site)))
            is_done = read_gpu(reader, row);
    }
    return is_done;
}

/* --- their order ------------------------------------------------------------------------------ */

void trace_take_cells(struct trace_cell_reader *reader, struct trace_run_cell **cells,
                      uint32_t *count)
{
    if (reader->count != 0)
        qsort(reader->cells, reader->count, sizeof *reader->cells, trace_run_cells_compare);
    *cells = reader->cells;
    *count = reader->count;
    reader->cells = NULL;
}

void trace_cell_reader_release(struct trace_cell_reader *reader)
{
    free(reader->cells);
    free(reader->places);
    free(reader->path_keys);
    free(reader->site_scopes);
}
