/* Writes a differential flame graph's input: folded stacks with a number for each side. */
#include <math.h>

#include "byte_writer.h"
#include "diff.h"
#include "diff_words.h"
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

/* What of an item is on other tracks than the one that marks frames has a root of its own. */
static void put_item(struct trace_writer *writer, const struct trace_comparison *comparison,
                     const struct trace_compared *item)
{
    bool is_on_frame_track = item->measure == TRACE_MEASURE_FRAME_TRACK;

    if (!is_on_frame_track)
        trace_put_text(writer, "(other tracks);");
    put_stack(writer, comparison->keys, item->key);
    put_number(writer, item->change.base_ns - item->part_ns[TRACE_BASE]);
    put_number(writer, item->change.candidate_ns - item->part_ns[TRACE_CANDIDATE]);
    trace_put_byte(writer, '\n');
}

static void put_stacks(struct trace_writer *writer, const struct trace_comparison *comparison)
{
    for (uint32_t i = 0; i < comparison->count; i++)
        if (comparison->items[i].measure <= TRACE_MEASURE_ALL_TRACKS)
            put_item(writer, comparison, &comparison->items[i]);
}

enum ludus_status trace_export_diff(const struct trace_diff_options *options,
                                    struct trace_listener *listener, struct trace_output output,
                                    struct ludus_error *error)
{
    struct trace_diff diff;
    struct trace_writer writer;
    enum ludus_status status =
        trace_diff_create(options, true, listener == NULL ? NULL : listener->watch, &diff, error);

    if (status == LUDUS_OK)
        trace_diff_tell(&diff, listener);
    if (status == LUDUS_OK && !diff.is_compared)
        status = trace_fail(error, LUDUS_ERROR_UNAVAILABLE, "cannot be compared: %s",
                            diff.found.reasons.lines[0]);
    if (status == LUDUS_OK) {
        trace_writer_start(&writer, output);
        put_stacks(&writer, &diff.comparison);
        if (trace_writer_flush(&writer) != LUDUS_OK)
            status = trace_fail(error, LUDUS_ERROR_WRITE, "the output cannot be written");
    }
    trace_diff_destroy(&diff);
    return status;
}
