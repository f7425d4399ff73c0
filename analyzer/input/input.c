/* Opens inputs and gives their models. */
#include "input.h"

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

static enum ludus_status open_input(const char *path, uint32_t capture, uint64_t max_verified_bytes,
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
        status = trace_capture_open_unverified(path, max_verified_bytes, &input->capture, error);
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
    return open_input(path, capture, UINT64_MAX, input, error);
}

enum ludus_status trace_open_for_info(const char *path, uint32_t capture,
                                      struct trace_input **input, struct ludus_error *error)
{
    return open_input(path, capture, MAX_VERIFIED_BYTES, input, error);
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
        input->is_default = status == LUDUS_OK;
    }
    *model = input->database_model;
    return status;
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
    input->is_default = plan == NULL;
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
    return status == LUDUS_OK ? trace_database_run_gpu(input->database, input->capture_number,
                                                       input->database_model, visitor, error)
                              : status;
}

enum ludus_status trace_input_statistics(struct trace_input *input,
                                         const struct trace_pass_plan *plan,
                                         const struct trace_model **model,
                                         struct ludus_error *error)
{
    enum ludus_status status = load_model(input, model, error);
    if (status != LUDUS_OK)
        return status;
    bool is_there = plan->is_default && plan->apart == TRACE_APART_LOSSES && input->is_default &&
                    (*model)->has_statistics;
    if (!is_there) {
        status = trace_input_run(input, plan, NULL, error);
        input->is_default = false; /* rows of paths may be missing */
    }
    return status == LUDUS_OK ? trace_input_collect_warnings(input, *model, error) : status;
}

enum ludus_status trace_input_model(struct trace_input *input, enum trace_detail detail,
                                    const struct trace_model **model, struct ludus_error *error)
{
    enum ludus_status status = load_model(input, model, error);
    if (status != LUDUS_OK)
        return status;
    bool is_there = input->is_default && (*model)->has_statistics;
    if (detail == TRACE_DETAIL_STATISTICS && !is_there)
        status = trace_input_run(input, NULL, NULL, error);
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
