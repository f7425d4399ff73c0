/* Exports an input as trace event JSON: the frame of the file, and a capture's scopes as its pass
 * shows them. */
#include "failure.h"
#include "input.h"
#include "perfetto.h"

static enum ludus_status show_begin(void *context, const struct trace_model *model, uint32_t track,
                                    uint32_t site, int64_t begin_ns)
{
    struct trace_perfetto *perfetto = context;

    (void)model;
    if (trace_perfetto_begin(perfetto, track, site, begin_ns) == NULL)
        return LUDUS_ERROR_MEMORY;
    return perfetto->writer.status;
}

static enum ludus_status show_end(void *context, const struct trace_model *model,
                                  const struct trace_slice *slice)
{
    struct trace_perfetto *perfetto = context;
    struct trace_perfetto_scope *scope = trace_perfetto_end(&perfetto->tracks[slice->track]);

    (void)model;
    scope->end_ns = trace_perfetto_known_end(slice->begin_ns, slice->known_ns);
    scope->is_incomplete = slice->is_incomplete;
    scope->has_children_lost = slice->has_children_lost;
    return LUDUS_OK;
}

static enum ludus_status show_instants(void *context, const struct trace_model *model,
                                       const struct trace_instant *instants, size_t count)
{
    struct trace_perfetto *perfetto = context;

    (void)model;
    for (size_t i = 0; i < count; i++)
        if (!trace_perfetto_instant(perfetto, instants[i].track, instants[i].site,
                                    instants[i].time_ns))
            return LUDUS_ERROR_MEMORY;
    return perfetto->writer.status;
}

/* Instants lie behind all slices, as a database gives them; the second pass costs less than keeping
 * them would. */
static enum ludus_status read_capture(struct trace_perfetto *perfetto,
                                      struct trace_capture *capture, struct ludus_error *error)
{
    const struct trace_visitor scopes = {.context = perfetto, .begin = show_begin, .end = show_end};
    const struct trace_visitor instants = {.context = perfetto, .instants = show_instants};
    enum ludus_status status = trace_capture_run(capture, NULL, &scopes, error);

    if (status == LUDUS_OK && !trace_perfetto_end_all(perfetto))
        status = trace_fail_memory(error);
    if (status == LUDUS_OK && perfetto->model->instants != 0)
        status = trace_capture_run(capture, NULL, &instants, error);
    return status;
}

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
        status = read_capture(perfetto, trace_input_capture(input), error);
    if (status == LUDUS_OK) {
        trace_perfetto_put_tail(perfetto);
        status = trace_writer_flush(&perfetto->writer);
    }
    if (perfetto->writer.status != LUDUS_OK)
        return trace_fail(error, perfetto->writer.status, "the output cannot be written");
    return status;
}

enum ludus_status trace_export_perfetto(struct trace_input *input, struct trace_output output,
                                        struct ludus_error *error)
{
    const struct trace_model *model;
    struct trace_perfetto *perfetto;
    enum ludus_status status = trace_input_model(input, TRACE_DETAIL_FACTS, &model, error);

    if (status != LUDUS_OK)
        return status;
    perfetto = trace_perfetto_create(model, output);
    if (perfetto == NULL)
        return trace_fail_memory(error);
    status = export_input(perfetto, input, error);
    trace_perfetto_destroy(perfetto);
    if (status != LUDUS_OK)
        return status;
    return trace_input_collect_warnings(input, model, error);
}
