/* Opens inputs and gives their models. */
#include "input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "database_pass.h"
#include "failure.h"
#include "gpu_times.h"
#include "input_warnings.h"

struct trace_input {
    char *path;
    struct trace_capture *capture;
    struct trace_database *database;
    struct trace_model *database_model;
    struct trace_warnings warnings;
    uint32_t capture_number;
    bool is_default; /* the model's statistics are those of everything */
    bool is_counted; /* of a database: no pass has changed the counts that were read from it */
};

/* Captures up to this size are verified in a tenth of a second. */
#define MAX_VERIFIED_BYTES (UINT64_C(64) << 20)

/* A capture cut or damaged so early that nothing is left of it has no answers, rather than empty
 * ones. One that was recorded empty has. */
static enum ludus_status expect_blocks(const struct trace_capture *capture, const char *path,
                                       struct ludus_error *error)
{
    const struct trace_model *model = trace_capture_model(capture);
    if (model->blocks != 0 || (model->unfinished_tail == 0 && model->damage_count == 0))
        return LUDUS_OK;
    return trace_fail(error, LUDUS_ERROR_DAMAGED,
                      "%s: no block of it is whole, and nothing can be shown; "
                      "`ludus-trace check` says what is wrong with it",
                      path);
}

static enum ludus_status open_input(const char *path, uint32_t capture,
                                    const struct trace_watch *watch, uint64_t max_verified_bytes,
                                    struct trace_input **out, struct ludus_error *error)
{
    enum trace_input_kind kind;
    *out = NULL;
    enum ludus_status status = trace_input_kind_of(path, &kind, error);
    if (status != LUDUS_OK)
        return status;
    if (kind == TRACE_INPUT_CAPTURE && capture > 1)
        return trace_fail(error, LUDUS_ERROR_ARGUMENT,
                          "%s: is one capture; only a database holds several", path);
    struct trace_input *input = calloc(1, sizeof *input);
    if (input == NULL)
        return trace_fail_memory(error);
    input->capture_number = capture;
    input->path = strdup(path);
    if (input->path == NULL)
        status = trace_fail_memory(error);
    else if (kind == TRACE_INPUT_CAPTURE)
        status =
            trace_capture_open_unverified(path, watch, max_verified_bytes, &input->capture, error);
    else
        status = trace_database_open(path, &input->database, error);
    if (status == LUDUS_OK && input->capture != NULL)
        status = expect_blocks(input->capture, path, error);
    if (status != LUDUS_OK) {
        trace_close(input);
        return status;
    }
    *out = input;
    return LUDUS_OK;
}

enum ludus_status trace_open(const char *path, uint32_t capture, struct trace_input **input,
                             struct ludus_error *error)
{
    return trace_open_watched(path, capture, NULL, input, error);
}

enum ludus_status trace_open_watched(const char *path, uint32_t capture,
                                     const struct trace_watch *watch, struct trace_input **input,
                                     struct ludus_error *error)
{
    return open_input(path, capture, watch, UINT64_MAX, input, error);
}

enum ludus_status trace_open_for_info(const char *path, uint32_t capture,
                                      struct trace_input **input, struct ludus_error *error)
{
    return open_input(path, capture, NULL, MAX_VERIFIED_BYTES, input, error);
}

void trace_close(struct trace_input *input)
{
    if (input == NULL)
        return;
    trace_warnings_destroy(&input->warnings);
    trace_capture_close(input->capture);
    trace_model_destroy(input->database_model);
    trace_database_close(input->database);
    free(input->path);
    free(input);
}

/* The model as far as it is there without a pass. */
static enum ludus_status load_model(struct trace_input *input, const struct trace_model **model,
                                    struct ludus_error *error)
{
    if (input->capture != NULL) {
        *model = trace_capture_model(input->capture);
        return LUDUS_OK;
    }
    enum ludus_status status = LUDUS_OK;
    if (input->database_model == NULL) {
        status = trace_database_model(input->database, input->capture_number,
                                      &input->database_model, error);
        input->is_default = input->is_counted = status == LUDUS_OK;
    }
    *model = input->database_model;
    return status;
}

enum ludus_status trace_input_list_windows(struct trace_input *input, char *list, size_t size,
                                           struct ludus_error *error)
{
    const struct trace_model *model;
    struct trace_text *names;
    uint32_t count;
    size_t used = 0;
    enum ludus_status status = load_model(input, &model, error);
    if (status == LUDUS_OK)
        status = trace_database_window_names(input->database, input->capture_number,
                                             input->database_model, &names, &count, error);
    if (status != LUDUS_OK)
        return status;
    list[0] = '\0';
    for (uint32_t i = 0; i < count && used < size; i++) {
        int more = snprintf(list + used, size - used, "%s%.*s", i == 0 ? "" : ", ",
                            trace_text_shown(names[i]), names[i].data);
        used += more < 0 ? 0 : (size_t)more;
    }
    free(names);
    return LUDUS_OK;
}

/* Why a database of statistics alone has no answer. */
static enum ludus_status refuse_pass(struct trace_input *input, struct ludus_error *error)
{
    char list[200];
    enum ludus_status status = trace_input_list_windows(input, list, sizeof list, error);
    if (status != LUDUS_OK)
        return status;
    return trace_fail(
        error, LUDUS_ERROR_UNAVAILABLE,
        "%s: holds statistics alone, of the windows: %s; info, query and diff take "
        "it; for this, import the capture without --stats-only or, if only a window is "
        "missing, with that --window",
        input->path, list);
}

enum ludus_status trace_input_expect_events(struct trace_input *input, struct ludus_error *error)
{
    const struct trace_model *model;
    enum ludus_status status = load_model(input, &model, error);
    return status == LUDUS_OK && model->is_of_statistics ? refuse_pass(input, error) : status;
}

enum ludus_status trace_input_expect_marks(struct trace_input *input, struct ludus_error *error)
{
    const struct trace_model *model;
    enum ludus_status status = load_model(input, &model, error);
    if (status != LUDUS_OK || !model->is_of_statistics)
        return status;
    return trace_fail(error, LUDUS_ERROR_UNAVAILABLE,
                      "%s: holds statistics alone, and no marks; say which window is meant by its "
                      "frames or its time, also when the capture is imported with it",
                      input->path);
}

static enum ludus_status run_database(struct trace_input *input, const struct trace_pass_plan *plan,
                                      const struct trace_visitor *visitor,
                                      struct ludus_error *error)
{
    struct trace_pass_plan everything = {0};
    const struct trace_model *model;
    enum ludus_status status = load_model(input, &model, error);
    if (status == LUDUS_OK && plan == NULL && !trace_pass_plan_set_default(&everything, model))
        status = trace_fail_memory(error);
    if (status == LUDUS_OK)
        status = trace_database_run(input->database, input->capture_number, input->database_model,
                                    plan == NULL ? &everything : plan, visitor, error);
    trace_pass_plan_clear(&everything);
    return status;
}

enum ludus_status trace_input_run(struct trace_input *input, const struct trace_pass_plan *plan,
                                  const struct trace_visitor *visitor, struct ludus_error *error)
{
    enum ludus_status status =
        input->capture != NULL ? LUDUS_OK : trace_input_expect_events(input, error);
    if (status != LUDUS_OK)
        return status;
    input->is_default = plan == NULL;
    input->is_counted = false;
    return input->capture != NULL ? trace_capture_run(input->capture, plan, visitor, error)
                                  : run_database(input, plan, visitor, error);
}

enum ludus_status trace_input_run_gpu(struct trace_input *input,
                                      const struct trace_visitor *visitor,
                                      struct ludus_error *error)
{
    if (input->capture != NULL)
        return trace_capture_show_gpu(input->capture, visitor, error);
    const struct trace_model *model;
    enum ludus_status status = load_model(input, &model, error);
    /* A capture without GPU work has nothing to show, whatever its database holds. */
    if (status == LUDUS_OK && model->is_of_statistics &&
        (model->gpu_stats_count != 0 || model->gpu_count_count != 0))
        return refuse_pass(input, error);
    return status == LUDUS_OK ? trace_database_run_gpu(input->database, input->capture_number,
                                                       input->database_model, visitor, error)
                              : status;
}

/* Takes the statistics of a plan from the tables of a database, if it has them. */
static enum ludus_status load_stored(struct trace_input *input, const struct trace_pass_plan *plan,
                                     bool *is_there, struct ludus_error *error)
{
    uint32_t window;
    *is_there = false;
    if (input->database == NULL || !input->is_counted)
        return LUDUS_OK;
    enum ludus_status status = trace_database_find_window(
        input->database, input->capture_number, input->database_model, plan, &window, error);
    if (status != LUDUS_OK || window == TRACE_NONE)
        return status;
    input->is_default = window == 0 && plan->apart == TRACE_APART_LOSSES;
    *is_there = true;
    return trace_database_load_window(input->database, input->capture_number, input->database_model,
                                      window, plan->apart, error);
}

enum ludus_status trace_input_statistics(struct trace_input *input,
                                         const struct trace_pass_plan *plan,
                                         const struct trace_model **model,
                                         struct ludus_error *error)
{
    enum ludus_status status = load_model(input, model, error);
    if (status != LUDUS_OK)
        return status;
    /* The model of a capture has no rows of values, and that of a database always. */
    bool is_there = plan->is_default && plan->apart == TRACE_APART_LOSSES && input->is_default &&
                    (*model)->has_statistics && (!plan->has_value_rows || input->is_counted);
    if (!is_there)
        status = load_stored(input, plan, &is_there, error);
    if (status == LUDUS_OK && !is_there) {
        status = trace_input_run(input, plan, NULL, error);
        input->is_default = false; /* rows of paths may be missing */
    }
    return status == LUDUS_OK ? trace_input_collect_warnings(input, *model, error) : status;
}

/* The statistics of everything. */
static enum ludus_status make_default(struct trace_input *input, struct ludus_error *error)
{
    if (input->database == NULL || !input->is_counted)
        return trace_input_run(input, NULL, NULL, error);
    input->is_default = true;
    return trace_database_load_window(input->database, input->capture_number, input->database_model,
                                      0, TRACE_APART_LOSSES, error);
}

enum ludus_status trace_input_model(struct trace_input *input, enum trace_detail detail,
                                    const struct trace_model **model, struct ludus_error *error)
{
    enum ludus_status status = load_model(input, model, error);
    if (status != LUDUS_OK)
        return status;
    bool is_there = input->is_default && (*model)->has_statistics;
    if (detail == TRACE_DETAIL_STATISTICS && !is_there)
        status = make_default(input, error);
    return status == LUDUS_OK ? trace_input_collect_warnings(input, *model, error) : status;
}

struct trace_capture *trace_input_capture(struct trace_input *input)
{
    return input->capture;
}

struct trace_database *trace_input_database(struct trace_input *input)
{
    return input->database;
}

const char *trace_input_path(const struct trace_input *input)
{
    return input->path;
}

enum ludus_status trace_input_capture_count(struct trace_input *input, uint32_t *count,
                                            struct ludus_error *error)
{
    *count = 1;
    return input->database == NULL ? LUDUS_OK : trace_database_count(input->database, count, error);
}

uint32_t trace_input_capture_number(const struct trace_input *input)
{
    return input->capture_number;
}

enum ludus_status trace_input_collect_warnings(struct trace_input *input,
                                               const struct trace_model *model,
                                               struct ludus_error *error)
{
    trace_warnings_destroy(&input->warnings);
    return trace_warnings_collect(&input->warnings, input->path, model) ? LUDUS_OK
                                                                        : trace_fail_memory(error);
}

enum ludus_status trace_input_warn(struct trace_input *input, const char *what, const char *why,
                                   struct ludus_error *error)
{
    return trace_warnings_add(&input->warnings, "%s: %s: %s", input->path, what, why)
               ? LUDUS_OK
               : trace_fail_memory(error);
}

const char *trace_warning(const struct trace_input *input, size_t index)
{
    return index < input->warnings.count ? input->warnings.lines[index] : NULL;
}

bool trace_has_loss(const struct trace_input *input)
{
    return input->warnings.has_loss;
}
