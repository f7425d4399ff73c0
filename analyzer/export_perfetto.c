/* Exports an input as trace event JSON. */
#include "failure.h"
#include "input.h"
#include "perfetto.h"

static enum ludus_status export_input(struct trace_perfetto *perfetto, struct trace_input *input,
                                      struct ludus_error *error)
{
    struct trace_database *database = trace_input_database(input);
    enum ludus_status status;

    trace_perfetto_put_head(perfetto);
    if (database != NULL)
        status = trace_perfetto_read_database(perfetto, database, trace_input_capture_number(input),
                                              error);
    else
        status = trace_perfetto_read_capture(perfetto, trace_input_capture(input), error);
    if (status == LUDUS_OK) {
        trace_perfetto_put_tail(perfetto);
        status = trace_writer_flush(&perfetto->writer);
    }
    if (perfetto->writer.status != LUDUS_OK)
        return trace_fail(error, perfetto->writer.status, "the output cannot be written");
    return status;
}

enum ludus_status trace_perfetto_export(struct trace_input *input,
                                        const struct trace_perfetto_options *options,
                                        struct trace_output output, struct ludus_error *error)
{
    const struct trace_model *model;
    struct trace_perfetto *perfetto;
    enum ludus_status status = trace_input_model(input, TRACE_DETAIL_FACTS, &model, error);

    if (status != LUDUS_OK)
        return status;
    perfetto = trace_perfetto_create(model, options, output);
    if (perfetto == NULL)
        return trace_fail_memory(error);
    status = export_input(perfetto, input, error);
    trace_perfetto_destroy(perfetto);
    if (status != LUDUS_OK)
        return status;
    return trace_input_collect_warnings(input, model, error);
}

enum ludus_status trace_export_perfetto(struct trace_input *input,
                                        const struct trace_export_options *options,
                                        struct trace_output output, struct ludus_error *error)
{
    const struct trace_perfetto_options shown = {.min_duration_ns = options->min_duration_ns};

    return trace_perfetto_export(input, &shown, output, error);
}
