/* Writes a differential flame graph's input: folded stacks with a number for each side. */
#include <math.h>

#include "byte_writer.h"
#include "diff_contexts.h"
#include "failure.h"
#include "number_text.h"

/* Names in a stack end at a semicolon, and the stack at its line's end. */
static void put_name(struct trace_writer *writer, struct trace_text name)
{
    for (size_t i = 0; i < name.size; i++) {
        char byte = name.data[i];
        trace_put_byte(writer, byte == ';' ? ':' : byte == '\n' || byte == '\r' ? ' ' : byte);
    }
    if (name.size == 0)
        trace_put_byte(writer, '-');
}

static void put_stack(struct trace_writer *writer, const struct trace_scope_keys *keys,
                      uint32_t key)
{
    if (keys->items[key].parent != TRACE_NONE) {
        put_stack(writer, keys, keys->items[key].parent);
        trace_put_byte(writer, ';');
    }
    put_name(writer, keys->items[key].name);
}

static void put_number(struct trace_writer *writer, double time_ns)
{
    char text[TRACE_NUMBER_SIZE];

    trace_put_byte(writer, ' ');
    trace_put(writer, text, trace_format_integer(llround(time_ns), text));
}

static enum ludus_status put_stacks(const struct trace_diff *diff,
                                    const struct trace_contexts *contexts,
                                    struct trace_output output, struct ludus_error *error)
{
    struct trace_writer writer;

    trace_writer_start(&writer, output);
    for (uint32_t i = 0; i < contexts->count; i++) {
        const struct trace_context *context = &contexts->items[i];
        if (!context->is_called)
            continue;
        if (!context->is_on_frame_track)
            trace_put_text(&writer, "(other tracks);");
        put_stack(&writer, diff->contexts, context->key);
        put_number(&writer, context->exclusive_ns[TRACE_BASE]);
        put_number(&writer, context->exclusive_ns[TRACE_CANDIDATE]);
        trace_put_byte(&writer, '\n');
    }
    if (trace_writer_flush(&writer) != LUDUS_OK)
        return trace_fail(error, LUDUS_ERROR_WRITE, "the output cannot be written");
    return LUDUS_OK;
}

enum ludus_status trace_export_diff_folded(const struct trace_diff *diff,
                                           struct trace_output output, struct ludus_error *error)
{
    struct trace_contexts contexts;

    if (!diff->is_compared)
        return trace_diff_refuse(diff, error);
    enum ludus_status status = trace_contexts_create(&contexts, diff)
                                   ? put_stacks(diff, &contexts, output, error)
                                   : trace_fail_memory(error);
    trace_contexts_destroy(&contexts);
    return status;
}
