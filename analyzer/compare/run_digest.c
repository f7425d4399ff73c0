/* What a comparison keeps of a run. */
#include "run_digest.h"

#include <stdlib.h>

#include "clock_warning.h"
#include "failure.h"
#include "frame_percentiles.h"
#include "frame_table.h"
#include "lcap_decode.h"
#include "model_facts.h"
#include "run_cells.h"

/* A run while it is read. */
struct reading {
    const struct trace_digest_options *options;
    const struct trace_chosen *chosen;
    const struct trace_model *model;
    struct trace_scope_keys *keys;
    struct trace_run *run;
    uint32_t marker; /* index of the track, or TRACE_NONE */
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

static bool keep_in_time(const struct reading *reading, const struct trace_frame *frame,
                         int64_t duration_ns)
{
    const struct trace_timed_frame kept = {frame->number, frame->begin_ns, duration_ns};

    return !reading->options->has_frames_in_time ||
           trace_run_frames_add(&reading->run->in_time, &kept);
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
        if (!keep_in_time(reading, &domain->frames[i], duration_ns))
            return false;
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

/* --- all of it -------------------------------------------------------------------------------- */

int trace_run_cells_compare(const void *left, const void *right)
{
    const struct trace_run_cell *a = left, *b = right;

    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->measure > b->measure) - (a->measure < b->measure);
}

static struct trace_cell_reader read_into(const struct reading *reading,
                                          struct trace_scope_keys *keys)
{
    return (struct trace_cell_reader){.chosen = reading->chosen,
                                      .model = reading->model,
                                      .keys = keys,
                                      .marker = reading->marker,
                                      .side = reading->run->side};
}

static bool read_cells(const struct reading *reading)
{
    struct trace_cell_reader cells = read_into(reading, reading->keys);
    bool is_done = (reading->options->is_by_path ? trace_read_path_cells(&cells)
                                                 : trace_read_site_cells(&cells)) &&
                   trace_read_value_cells(&cells);

    if (is_done)
        trace_take_cells(&cells, &reading->run->cells, &reading->run->cell_count);
    trace_cell_reader_release(&cells);
    return is_done;
}

static bool read_contexts(const struct reading *reading)
{
    struct trace_cell_reader cells = read_into(reading, reading->options->contexts);
    bool is_done = trace_read_path_cells(&cells);

    if (is_done)
        trace_take_cells(&cells, &reading->run->contexts, &reading->run->context_count);
    trace_cell_reader_release(&cells);
    return is_done;
}

static bool read_all(struct reading *reading)
{
    uint32_t domain = reading->chosen->plan.domain;

    count_events(reading);
    if (!read_session(reading))
        return false;
    if (domain != TRACE_NONE && (!read_frames(reading, &reading->model->domains[domain]) ||
                                 !read_marker(reading, &reading->model->domains[domain])))
        return false;
    return read_cells(reading) && (reading->options->contexts == NULL || read_contexts(reading));
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
    chosen.plan.has_path_rows = options->is_by_path || options->contexts != NULL;
    if (status == LUDUS_OK)
        status = trace_input_statistics(input, &chosen.plan, &reading.model, error);
    if (status == LUDUS_OK && !read_all(&reading))
        status = trace_fail_memory(error);
    trace_chosen_destroy(&chosen);
    return status;
}

void trace_run_destroy(struct trace_run *run)
{
    free(run->frame_ns);
    free(run->cells);
    free(run->contexts);
    trace_run_frames_destroy(&run->in_time);
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
