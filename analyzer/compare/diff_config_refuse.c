/* Says what a comparison's configuration has that cannot be taken: file, line, key, what is
 * allowed.
 */
#include "diff_config_refuse.h"

#include <math.h>

#include "failure.h"
#include "number_text.h"
#include "text_buffer.h"
#include "trace.h"

static void append_text(struct trace_text_buffer *buffer, const char *text)
{
    trace_text_buffer_append(buffer, text, strlen(text));
}

/* In quotes; a long one is cut between characters. */
static void append_key(struct trace_text_buffer *buffer, const char *key)
{
    size_t size = strlen(key);
    size_t shown = (size_t)trace_text_shown((struct trace_text){key, size});
    while (shown < size && ((unsigned char)key[shown] & 0xC0u) == 0x80u)
        shown--;
    append_text(buffer, "\"");
    trace_append_visible(buffer, key, shown);
    append_text(buffer, shown < size ? "...\"" : "\"");
}

/* Refuses the member that is read; `what` is released. */
static enum ludus_status refuse(const struct trace_config_reader *reader,
                                struct trace_text_buffer *what)
{
    struct trace_text_buffer where = {0};
    for (uint32_t i = 0; i < reader->place.depth; i++) {
        append_key(&where, reader->keys[i]);
        append_text(&where, ": ");
    }
    enum ludus_status status =
        where.has_failed || what->has_failed
            ? trace_fail_memory(reader->error)
            : trace_fail(reader->error, LUDUS_ERROR_FORMAT, "%s:%u: %.*s%.*s", reader->text.path,
                         trace_config_line(&reader->text, &reader->place), (int)where.size,
                         where.data, (int)what->size, what->data);
    trace_text_buffer_release(&where);
    trace_text_buffer_release(what);
    return status;
}

static void append_number(struct trace_text_buffer *buffer, double value)
{
    char digits[TRACE_NUMBER_SIZE];
    bool is_whole = value == floor(value) && fabs(value) <= 1e15;
    size_t size = is_whole ? trace_format_integer((int64_t)value, digits)
                           : trace_format_shortest(value, digits);
    trace_text_buffer_append(buffer, digits, size);
}

/* Refuses a value: "must be <wanted>, not <what it is>". */
static enum ludus_status refuse_value(const struct trace_config_reader *reader,
                                      struct trace_text_buffer *wanted, const json_t *json)
{
    static const char *const types[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "a list", [JSON_STRING] = "text",
        [JSON_TRUE] = "true",        [JSON_FALSE] = "false",  [JSON_NULL] = "null"};
    struct trace_text_buffer what = {0};
    append_text(&what, "must be ");
    trace_text_buffer_append(&what, wanted->data, wanted->size);
    what.has_failed = what.has_failed || wanted->has_failed;
    trace_text_buffer_release(wanted);
    append_text(&what, ", not ");
    if (json_is_number(json))
        append_number(&what, json_number_value(json));
    else
        append_text(&what, types[json_typeof(json)]);
    return refuse(reader, &what);
}

enum ludus_status trace_config_refuse_type(const struct trace_config_reader *reader,
                                           const char *wanted, const json_t *json)
{
    struct trace_text_buffer text = {0};
    append_text(&text, wanted);
    return refuse_value(reader, &text, json);
}

/* Appends what was meant, or all that there is. */
static void append_names(struct trace_text_buffer *what, const char *wanted,
                         const char *const *names)
{
    struct trace_nearest nearest = trace_nearest_start(wanted, strlen(wanted));
    for (size_t i = 0; names[i] != NULL; i++)
        trace_nearest_consider(&nearest, names[i]);
    if (nearest.name != NULL) {
        append_text(what, "; did you mean ");
        append_key(what, nearest.name);
        append_text(what, "?");
        return;
    }
    for (size_t i = 0; names[i] != NULL; i++) {
        append_text(what, i == 0 ? "; there are " : ", ");
        append_text(what, names[i]);
    }
}

enum ludus_status trace_config_refuse(const struct trace_config_reader *reader, const char *reason)
{
    struct trace_text_buffer what = {0};
    append_text(&what, reason);
    return refuse(reader, &what);
}

enum ludus_status trace_config_refuse_number(const struct trace_config_reader *reader,
                                             const struct trace_config_key *key, const json_t *json)
{
    struct trace_text_buffer wanted = {0};
    append_text(&wanted,
                key->kind == TRACE_CONFIG_COUNT ? "a whole number from " : "a number from ");
    append_number(&wanted, key->minimum);
    append_text(&wanted, " to ");
    append_number(&wanted, key->maximum);
    return refuse_value(reader, &wanted, json);
}

enum ludus_status trace_config_refuse_name(const struct trace_config_reader *reader,
                                           const char *reason, const char *const *names)
{
    struct trace_text_buffer what = {0};
    append_text(&what, reason);
    append_names(&what, reader->keys[reader->place.depth - 1], names);
    return refuse(reader, &what);
}

/* What jansson says of a text that is no JSON. */
enum ludus_status trace_config_refuse_syntax(const struct trace_config_reader *reader,
                                             const json_error_t *said)
{
    struct trace_text_buffer reason = {0};
    if (json_error_code(said) == json_error_out_of_memory)
        return trace_fail_memory(reader->error);
    trace_append_visible(&reason, said->text, strlen(said->text));
    enum ludus_status status =
        reason.has_failed ? trace_fail_memory(reader->error)
                          : trace_fail(reader->error, LUDUS_ERROR_FORMAT,
                                       "%s:%d: is not JSON (column %d): %.*s", reader->text.path,
                                       said->line, said->column, (int)reason.size, reason.data);
    trace_text_buffer_release(&reason);
    return status;
}
