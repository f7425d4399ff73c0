/* What a comparison keeps of a run. */
#include "run_digest.h"

#include <stdlib.h>

#include "clock_warning.h"
#include "failure.h"
#include "frame_percentiles.h"
#include "frame_table.h"
#include "lcap_decode.h"
#include "model_facts.h"
#include "path_rows.h"
#include "selection.h"

/* A run while it is read. */
struct reading {
    const struct trace_digest_options *options;
    const struct trace_chosen *chosen;
    const struct trace_model *model;
    struct trace_scope_keys *keys;
    struct trace_run *run;
    uint32_t marker;  /* index of the track, or TRACE_NONE */
    uint32_t *places; /* by key and measure: index of the cell plus one; or 0 */
    uint32_t place_count;
    uint32_t *path_keys; /* by path: its key, or TRACE_NONE where it is not known yet */
};

/* --- who made it ------------------------------------------------------------------------------ */

static bool copy_text(const struct reading *reading, struct trace_text text,
                      struct trace_text *copy)
{
    return trace_model_copy_text(reading->keys->texts, text.data, text.size, copy) == LUDUS_OK;
}

static bool copy_string(const struct reading *reading, const char *text, struct trace_text *copy)
{
    return copy_text(reading, (struct trace_text){text, strlen(text)}, copy);
}

static bool copy_fact(const struct reading *reading, const char *key, struct trace_text *copy)
{
    const struct trace_text *value = trace_model_fact(reading->model, key);

    return value == NULL || copy_text(reading, *value, copy);
}

static bool read_session(const struct reading *reading)
{
    const struct trace_model *model = reading->model;
    struct trace_run *run = reading->run;
    const char *clock =
        model->clock_count == 0 ? NULL : lcap_clock_source_name(model->clocks[0].source);
    char warning[TRACE_CLOCK_WARNING_SIZE];

    run->capture_id = model->capture_id;
    run->start_unix_ns = model->start_unix_ns;
    run->is_finished = model->is_finished;
    run->is_damaged = model->damage_count != 0;
    return copy_fact(reading, "program", &run->program) &&
           copy_fact(reading, "build.commit", &run->commit) &&
           copy_fact(reading, "build.flavor", &run->flavor) &&
           copy_fact(reading, "cpu.model", &run->cpu) &&
           copy_fact(reading, "cpu.cores", &run->cores) &&
           copy_fact(reading, "cpu.governor", &run->governor) &&
           copy_fact(reading, "os", &run->os) &&
           (clock == NULL || copy_string(reading, clock, &run->clock)) &&
           (!trace_clock_fell_back(model) ||
            copy_string(reading, trace_clock_warning(model, warning), &run->clock_warning));
}

/* A scope is two events. */
static uint64_t events_of(const struct lcap_counts *counts)
{
    return 2 * counts->scopes + counts->instants + counts->frames + counts->flows + counts->gauges;
}

static void count_events(const struct reading *reading)
{
    const struct trace_model *model = reading->model;

    reading->run->recorded = model->events;
    for (uint32_t i = 0; i < model->loss_count; i++)
        reading->run->lost += events_of(&model->losses[i].counts) + model->losses[i].events;
}

/* --- frames ----------------------------------------------------------------------------------- */

static int compare_times(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

    return (a > b) - (a < b);
}

static bool read_frames(const struct reading *reading, const struct trace_domain *domain)
{
    const struct trace_span_list *spans = &reading->chosen->plan.windows.items[0].spans;
    struct trace_run *run = reading->run;

    run->frame_ns = calloc((size_t)domain->frame_count + 1, sizeof *run->frame_ns);
    if (run->frame_ns == NULL)
        return false;
    for (uint32_t i = 0; i < domain->frame_count; i++) {
        if (!trace_frame_is_complete_in(domain, i, spans))
            continue;
        int64_t duration_ns = domain->frames[i + 1].begin_ns - domain->frames[i].begin_ns;
        run->total_ns = trace_sum(run->total_ns, duration_ns);
        run->frame_ns[run->frames++] = duration_ns;
    }
    qsort(run->frame_ns, run->frames, sizeof *run->frame_ns, compare_times);
    return copy_text(reading, domain->name, &run->domain);
}

static bool read_marker(struct reading *reading, const struct trace_domain *domain)
{
    struct trace_run *run = reading->run;

    if (!trace_domain_find_marker(domain, &reading->marker))
        return false;
    if (reading->marker == TRACE_NONE ||
        !trace_pass_plan_counts(&reading->chosen->plan, reading->marker))
        return true;
    run->has_marker = true;
    run->running = reading->model->tracks[reading->marker].sched;
    return copy_text(reading, reading->model->tracks[reading->marker].name, &run->marker);
}

/* --- scopes ----------------------------------------------------------------------------------- */

/* The cell of a key, made when it is new; NULL when there is no memory. */
static struct trace_run_cell *cell_of(struct reading *reading, uint32_t key,
                                      enum trace_measure measure)
{
    struct trace_run *run = reading->run;
    uint32_t place = key * TRACE_MEASURES + (uint32_t)measure;

    while (reading->place_count <= place) {
        if (!trace_array_grow(&reading->places, reading->place_count, sizeof *reading->places))
            return NULL;
        reading->places[reading->place_count++] = 0;
    }
    if (reading->places[place] == 0) {
        if (!trace_array_grow(&run->cells, run->cell_count, sizeof *run->cells))
            return NULL;
        run->cells[run->cell_count++] =
            (struct trace_run_cell){.key = key, .measure = measure, .frames = -1};
        reading->places[place] = run->cell_count;
    }
    return &run->cells[reading->places[place] - 1];
}

static bool add_row(struct reading *reading, uint32_t key, const struct trace_stats *row)
{
    bool is_marker = row->track != TRACE_NONE && row->track == reading->marker;
    struct trace_run_cell *cell =
        cell_of(reading, key, is_marker ? TRACE_MEASURE_FRAME_TRACK : TRACE_MEASURE_WORK);
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

static bool read_sites(struct reading *reading)
{
    const struct trace_model *model = reading->model;

    for (uint32_t i = 0; i < model->site_stats_count; i++) {
        const struct trace_stats *row = &model->site_stats[i];
        if (row->window != 0 || !trace_chosen_shows(reading->chosen, row->subject))
            continue;
        uint32_t key = trace_scope_keys_put_site(reading->keys, model, row->subject, TRACE_NONE);
        if (key == TRACE_NONE || !add_row(reading, key, row) ||
            !trace_scope_keys_note_line(reading->keys, key, model->sites[row->subject].line,
                                        reading->run->side))
            return false;
    }
    return true;
}

/* Parents come before their children. */
static bool key_paths(struct reading *reading)
{
    const struct trace_model *model = reading->model;

    reading->path_keys = calloc((size_t)model->path_count + 1, sizeof *reading->path_keys);
    if (reading->path_keys == NULL)
        return false;
    reading->path_keys[0] = TRACE_NONE;
    for (uint32_t i = 1; i < model->path_count; i++) {
        const struct trace_path *path = &model->paths[i];
        reading->path_keys[i] = trace_scope_keys_put_site(reading->keys, model, path->site,
                                                          reading->path_keys[path->parent]);
        if (reading->path_keys[i] == TRACE_NONE)
            return false;
    }
    return true;
}

static bool read_paths(struct reading *reading)
{
    const struct trace_model *model = reading->model;
    struct trace_path_rows rows;
    bool is_done = trace_path_rows_open(&rows, model) && key_paths(reading);

    while (is_done && trace_path_rows_next(&rows)) {
        uint32_t site = model->paths[rows.row.subject].site;
        uint32_t key = reading->path_keys[rows.row.subject];
        if (rows.row.window != 0 || !trace_chosen_shows(reading->chosen, site))
            continue;
        is_done = add_row(reading, key, &rows.row) &&
                  trace_scope_keys_note_line(reading->keys, key, model->sites[site].line,
                                             reading->run->side);
    }
    trace_path_rows_close(&rows);
    return is_done;
}

/* --- counters and GPU work -------------------------------------------------------------------- */

static bool read_value(struct reading *reading, const struct trace_value_stats *row)
{
    const struct trace_model *model = reading->model;
    uint64_t values = row->count - row->not_finite;
    uint32_t key = trace_scope_keys_put_site(reading->keys, model, row->site, TRACE_NONE);
    int64_t frames = model->windows[0].frames;

    if (key == TRACE_NONE)
        return false;
    if (row->is_gauge ? values == 0 : frames == 0)
        return true;
    struct trace_run_cell *cell =
        cell_of(reading, key, row->is_gauge ? TRACE_MEASURE_GAUGE : TRACE_MEASURE_COUNTER);
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
static uint32_t key_gpu(const struct reading *reading, const struct trace_gpu_stats *row)
{
    const struct trace_model *model = reading->model;
    struct trace_scope_key key = {.parent = TRACE_NONE};

    if (row->site == TRACE_NONE) {
        key.name = model->tracks[row->track].name;
        return trace_scope_keys_put(reading->keys, &key);
    }
    const char *operation = lcap_gpu_operation_name(row->operation);
    key.name = model->sites[row->site].name;
    key.file = model->sites[row->site].file;
    if (operation != NULL)
        key.category = (struct trace_text){operation, strlen(operation)};
    return trace_scope_keys_put(reading->keys, &key);
}

static bool read_gpu(struct reading *reading, const struct trace_gpu_stats *row)
{
    uint32_t key = key_gpu(reading, row);

    if (key == TRACE_NONE)
        return false;
    if (row->frames == 0)
        return true;
    struct trace_run_cell *cell = cell_of(
        reading, key, row->site == TRACE_NONE ? TRACE_MEASURE_GPU_FRAME : TRACE_MEASURE_GPU_PASS);
    if (cell == NULL)
        return false;
    cell->calls += row->valid;
    cell->rate.calls += (double)row->valid / (double)row->frames;
    cell->rate.time_ns += (double)row->sum_ns / (double)row->frames;
    cell->inclusive_ns = cell->rate.time_ns;
    return true;
}

static bool read_values(struct reading *reading)
{
    const struct trace_model *model = reading->model;
    bool is_done = true;

    for (uint32_t i = 0; is_done && i < model->value_stats_count; i++)
        if (model->value_stats[i].window == 0 &&
            trace_chosen_shows(reading->chosen, model->value_stats[i].site))
            is_done = read_value(reading, &model->value_stats[i]);
    for (uint32_t i = 0; is_done && i < model->gpu_stats_count; i++) {
        const struct trace_gpu_stats *row = &model->gpu_stats[i];
        if (row->window == 0 &&
            (row->site == TRACE_NONE || trace_chosen_shows(reading->chosen, row->site)))
            is_done = read_gpu(reading, row);
    }
    return is_done;
}

/* --- all of it -------------------------------------------------------------------------------- */

int trace_run_cells_compare(const void *left, const void *right)
{
    const struct trace_run_cell *a = left, *b = right;

    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->measure > b->measure) - (a->measure < b->measure);
}

static bool read_all(struct reading *reading)
{
    uint32_t domain = reading->chosen->plan.domain;
    struct trace_run *run = reading->run;

    count_events(reading);
    if (!read_session(reading))
        return false;
    if (domain != TRACE_NONE && (!read_frames(reading, &reading->model->domains[domain]) ||
                                 !read_marker(reading, &reading->model->domains[domain])))
        return false;
    if (!(reading->options->is_by_path ? read_paths(reading) : read_sites(reading)) ||
        !read_values(reading))
        return false;
    if (run->cell_count != 0)
        qsort(run->cells, run->cell_count, sizeof *run->cells, trace_run_cells_compare);
    return true;
}

/* A window that a run lacks is a matter of the runs, and not of how it was asked for. */
static enum ludus_status refuse_window(struct ludus_error *error)
{
    struct ludus_error reason = *error;

    return trace_fail(error, LUDUS_ERROR_UNAVAILABLE,
                      "%s; the sides cannot be compared over this window", reason.message);
}

enum ludus_status trace_run_read(struct trace_input *input, const char *label, enum trace_side side,
                                 const struct trace_digest_options *options,
                                 struct trace_scope_keys *keys, struct trace_run *run,
                                 struct ludus_error *error)
{
    struct trace_chosen chosen;
    struct reading reading = {
        .options = options, .chosen = &chosen, .keys = keys, .run = run, .marker = TRACE_NONE};

    *run = (struct trace_run){.side = side};
    if (!copy_string(&reading, label, &run->label))
        return trace_fail_memory(error);
    enum ludus_status status = trace_chosen_create(input, options->selection, &chosen, error);
    if (chosen.lacks_window)
        status = refuse_window(error);
    chosen.plan.apart = TRACE_APART_MARKER;
    chosen.plan.has_value_rows = true;
    chosen.plan.has_path_rows = options->is_by_path;
    if (status == LUDUS_OK)
        status = trace_input_statistics(input, &chosen.plan, &reading.model, error);
    if (status == LUDUS_OK && !read_all(&reading))
        status = trace_fail_memory(error);
    free(reading.places);
    free(reading.path_keys);
    trace_chosen_destroy(&chosen);
    return status;
}

void trace_run_destroy(struct trace_run *run)
{
    free(run->frame_ns);
    free(run->cells);
    *run = (struct trace_run){0};
}

const struct trace_run_cell *trace_run_find(const struct trace_run *run, uint32_t key,
                                            enum trace_measure measure)
{
    struct trace_run_cell wanted = {.key = key, .measure = measure};

    return run->cell_count == 0 ? NULL
                                : bsearch(&wanted, run->cells, run->cell_count, sizeof wanted,
                                          trace_run_cells_compare);
}

int64_t trace_run_percentile(const struct trace_run *run, uint32_t per_mille)
{
    return run->frames == 0 ? 0 : run->frame_ns[trace_nearest_index(run->frames, per_mille)];
}

uint32_t trace_run_longer(const struct trace_run *run, double limit_ns)
{
    uint32_t low = 0, high = run->frames;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if ((double)run->frame_ns[middle] <= limit_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return run->frames - low;
}
