/* Exports an input as trace event JSON. */
#include <stdlib.h>

#include "empty_export.h"
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
    if (status == LUDUS_OK)
        (void)trace_perfetto_put_gpu(perfetto);
    if (perfetto->gpu.insert.status != SQLITE_OK)
        return trace_fail(error, LUDUS_ERROR_WRITE, "GPU samples cannot be sorted: %s",
                          sqlite3_errstr(perfetto->gpu.insert.status));
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
    enum ludus_status status = trace_input_expect_events(input, error);

    if (status == LUDUS_OK)
        status = trace_input_model(input, TRACE_DETAIL_FACTS, &model, error);
    if (status != LUDUS_OK)
        return status;
    perfetto = trace_perfetto_create(model, options, output);
    if (perfetto == NULL)
        return trace_fail_memory(error);
    status = export_input(perfetto, input, error);
    if (status == LUDUS_OK)
        status = trace_input_collect_warnings(input, model, error);
    if (status == LUDUS_OK && !perfetto->has_content)
        status = trace_warn_of_empty_export(input, model, options->selection,
                                            perfetto->slices_short != 0 ? TRACE_EXPORT_LONG_SLICES
                                                                        : TRACE_EXPORT_EVERYTHING,
                                            error);
    trace_perfetto_destroy(perfetto);
    return status;
}

static int compare_spans(const void *a, const void *b)
{
    const struct trace_span *left = a;
    const struct trace_span *right = b;

    return (left->begin_ns > right->begin_ns) - (left->begin_ns < right->begin_ns);
}

/* The time that is in any window: windows may overlap. */
static bool unite_windows(const struct trace_windows *windows, struct trace_span_list *united)
{
    uint32_t count = 0;
    uint32_t next = 0;
    bool is_done = true;

    for (uint32_t i = 0; i < windows->count; i++)
        count += windows->items[i].spans.count;
    struct trace_span *spans = calloc((size_t)count + 1, sizeof *spans);
    if (spans == NULL)
        return false;
    for (uint32_t i = 0; i < windows->count; i++)
        for (uint32_t s = 0; s < windows->items[i].spans.count; s++)
            spans[next++] = windows->items[i].spans.spans[s];
    qsort(spans, count, sizeof *spans, compare_spans);
    for (uint32_t i = 0; i < count && is_done; i++) {
        const int64_t last_ns =
            united->count == 0 ? INT64_MIN : united->spans[united->count - 1].end_ns;
        const int64_t begin_ns = spans[i].begin_ns > last_ns ? spans[i].begin_ns : last_ns;

        if (spans[i].end_ns > begin_ns)
            is_done = trace_span_list_add(united, begin_ns, spans[i].end_ns);
    }
    free(spans);
    return is_done;
}

static enum ludus_status export_chosen(struct trace_input *input,
                                       const struct trace_export_options *options,
                                       const struct trace_chosen *chosen,
                                       struct trace_output output, struct ludus_error *error)
{
    struct trace_perfetto_options shown = {.min_duration_ns = options->min_duration_ns,
                                           .selection = options->selection,
                                           .chosen = chosen};
    enum ludus_status status;

    if (options->selection->window_count != 0 &&
        !unite_windows(&chosen->plan.windows, &shown.spans))
        status = trace_fail_memory(error);
    else
        status = trace_perfetto_export(input, &shown, output, error);
    trace_span_list_clear(&shown.spans);
    return status;
}

enum ludus_status trace_export_perfetto(struct trace_input *input,
                                        const struct trace_export_options *options,
                                        struct trace_output output, struct ludus_error *error)
{
    const struct trace_perfetto_options everything = {.min_duration_ns = options->min_duration_ns};
    struct trace_chosen chosen;
    enum ludus_status status;

    if (options->selection == NULL)
        return trace_perfetto_export(input, &everything, output, error);
    status = trace_chosen_create(input, options->selection, &chosen, error);
    if (status != LUDUS_OK)
        return status;
    status = export_chosen(input, options, &chosen, output, error);
    trace_chosen_destroy(&chosen);
    return status;
}
