/* Opens inputs and gives their models. */
#include "input.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "input_warnings.h"

struct trace_input {
    char *path;
    struct trace_capture *capture;
    struct trace_database *database;
    struct trace_model *database_model;
    struct trace_warnings warnings;
    uint32_t capture_number;
    bool has_run;
};

enum ludus_status trace_open(const char *path, uint32_t capture, struct trace_input **out,
                             struct ludus_error *error)
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
        status = trace_capture_open(path, &input->capture, error);
    else
        status = trace_database_open(path, &input->database, error);
    if (status != LUDUS_OK) {
        trace_close(input);
        return status;
    }
    *out = input;
    return LUDUS_OK;
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

enum ludus_status trace_input_model(struct trace_input *input, enum trace_detail detail,
                                    const struct trace_model **model, struct ludus_error *error)
{
    enum ludus_status status = LUDUS_OK;
    if (input->database != NULL && input->database_model == NULL)
        status = trace_database_model(input->database, input->capture_number,
                                      &input->database_model, error);
    if (input->capture != NULL && detail == TRACE_DETAIL_STATISTICS && !input->has_run) {
        input->has_run = true;
        status = trace_capture_run(input->capture, NULL, NULL, error);
    }
    if (status != LUDUS_OK)
        return status;
    *model = input->capture != NULL ? trace_capture_model(input->capture) : input->database_model;
    return trace_input_collect_warnings(input, *model, error);
}

struct trace_capture *trace_input_capture(struct trace_input *input)
{
    return input->capture;
}

struct trace_database *trace_input_database(struct trace_input *input)
{
    return input->database;
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

const char *trace_warning(const struct trace_input *input, size_t index)
{
    return index < input->warnings.count ? input->warnings.lines[index] : NULL;
}

bool trace_has_loss(const struct trace_input *input)
{
    return input->warnings.has_loss;
}
