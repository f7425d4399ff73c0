/* Shows a report in the format that was asked for. */
#include "render.h"

#include "failure.h"
#include "text_buffer.h"

const char *trace_unit_name(enum trace_unit unit)
{
    switch (unit) {
    case TRACE_UNIT_NONE:
        return NULL;
    case TRACE_UNIT_COUNT:
        return "count";
    case TRACE_UNIT_NANOSECONDS:
        return "ns";
    case TRACE_UNIT_BYTES:
        return "bytes";
    case TRACE_UNIT_PERCENT:
        return "percent";
    case TRACE_UNIT_PER_FRAME:
        return "per frame";
    case TRACE_UNIT_TICKS:
        return "ticks";
    }
    return NULL;
}

/* Names of a report's tables, for a message. */
static enum ludus_status fail_no_table(const struct trace_report_type *type, const char *wanted,
                                       struct ludus_error *error)
{
    struct trace_text_buffer names = {NULL, 0, 0, false};
    enum ludus_status status;

    for (size_t i = 0; i < type->table_count; i++) {
        if (i > 0)
            trace_text_buffer_append(&names, ", ", 2);
        trace_text_buffer_append(&names, type->tables[i].name, strlen(type->tables[i].name));
    }
    status = trace_fail(error, LUDUS_ERROR_ARGUMENT, "%s has no table '%s'; it has: %.*s",
                        type->name, wanted, (int)names.size, names.data);
    trace_text_buffer_release(&names);
    return status;
}

static enum ludus_status find_table(const struct trace_report *report, const char *wanted,
                                    size_t *table, struct ludus_error *error)
{
    const struct trace_report_type *type = trace_report_get_type(report);

    *table = trace_report_main(report);
    if (wanted == NULL)
        return LUDUS_OK;
    for (size_t i = 0; i < type->table_count; i++) {
        if (strcmp(type->tables[i].name, wanted) == 0) {
            *table = i;
            return LUDUS_OK;
        }
    }
    return fail_no_table(type, wanted, error);
}

static enum ludus_status dispatch(const struct trace_report *report,
                                  const struct trace_render_options *options,
                                  struct trace_writer *writer, struct ludus_error *error)
{
    enum ludus_status status = LUDUS_OK;
    size_t table;

    switch (options->format) {
    case TRACE_FORMAT_TABLE:
        status = trace_render_table(report, options, writer);
        break;
    case TRACE_FORMAT_MARKDOWN:
        status = trace_render_markdown(report, writer);
        break;
    case TRACE_FORMAT_JSON:
        trace_render_json(report, writer);
        break;
    case TRACE_FORMAT_CSV:
        status = find_table(report, options->table, &table, error);
        if (status == LUDUS_OK)
            trace_render_csv(report, table, writer);
        return status;
    }
    return status == LUDUS_OK ? LUDUS_OK : trace_fail_memory(error);
}

enum ludus_status trace_render(const struct trace_report *report,
                               const struct trace_render_options *options,
                               struct trace_output output, struct ludus_error *error)
{
    struct trace_writer writer;
    enum ludus_status status;

    trace_writer_start(&writer, output);
    status = dispatch(report, options, &writer, error);
    if (status == LUDUS_OK && !trace_report_is_whole(report))
        status = trace_fail_memory(error);
    if (status == LUDUS_OK && trace_writer_flush(&writer) != LUDUS_OK)
        status = trace_fail(error, LUDUS_ERROR_WRITE, "the output cannot be written");
    return status;
}
