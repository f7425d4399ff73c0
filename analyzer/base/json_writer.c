/* Writes JSON as a stream. */
#include "json_writer.h"

#include <assert.h>
#include <math.h>

#include "number_text.h"
#include "utf8.h"

void trace_json_start(struct trace_json *json, struct trace_writer *writer)
{
    json->writer = writer;
    json->replaced = 0;
    json->has_members = 0;
    json->depth = 0;
    json->break_indent = -1;
    json->is_after_key = false;
}

static void put_break(struct trace_json *json)
{
    if (json->break_indent < 0)
        return;
    trace_put_byte(json->writer, '\n');
    trace_put_repeated(json->writer, ' ', (size_t)json->break_indent);
    json->break_indent = -1;
}

/* What stands between the item that comes and the one before it. */
static void put_separator(struct trace_json *json)
{
    uint64_t bit = UINT64_C(1) << json->depth;

    if (json->is_after_key) {
        json->is_after_key = false;
        return;
    }
    if ((json->has_members & bit) != 0)
        trace_put_byte(json->writer, ',');
    json->has_members |= bit;
    put_break(json);
}

static void begin(struct trace_json *json, char bracket)
{
    put_separator(json);
    assert(json->depth < TRACE_JSON_MAX_DEPTH);
    json->depth++;
    json->has_members &= ~(UINT64_C(1) << json->depth);
    trace_put_byte(json->writer, bracket);
}

static void end(struct trace_json *json, char bracket)
{
    assert(json->depth > 0 && !json->is_after_key);
    put_break(json);
    json->depth--;
    trace_put_byte(json->writer, bracket);
}

void trace_json_begin_object(struct trace_json *json)
{
    begin(json, '{');
}

void trace_json_end_object(struct trace_json *json)
{
    end(json, '}');
}

void trace_json_begin_array(struct trace_json *json)
{
    begin(json, '[');
}

void trace_json_end_array(struct trace_json *json)
{
    end(json, ']');
}

void trace_json_break(struct trace_json *json, int indent)
{
    json->break_indent = indent;
}

void trace_json_key(struct trace_json *json, const char *key)
{
    put_separator(json);
    trace_put_byte(json->writer, '"');
    trace_put_text(json->writer, key);
    trace_put(json->writer, "\":", 2);
    json->is_after_key = true;
}

void trace_json_key_bytes(struct trace_json *json, const char *bytes, size_t size)
{
    trace_json_bytes(json, bytes, size);
    trace_put_byte(json->writer, ':');
    json->is_after_key = true;
}

/* Whether the byte stands for itself in a string without a look at its neighbours. */
static bool is_plain(unsigned char byte)
{
    return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

static size_t plain_run(const char *bytes, size_t size)
{
    size_t at = 0;

    while (at < size && is_plain((unsigned char)bytes[at]))
        at++;
    return at;
}

static void put_escaped_byte(struct trace_writer *writer, unsigned char byte)
{
    static const char digits[] = "0123456789abcdef";
    char escape[6] = {'\\', 'u', '0', '0', digits[byte >> 4], digits[byte & 15]};

    if (byte == '"' || byte == '\\') {
        escape[1] = (char)byte;
        trace_put(writer, escape, 2);
    } else {
        trace_put(writer, escape, 6);
    }
}

uint64_t trace_json_escape(struct trace_writer *writer, const char *bytes, size_t size)
{
    uint64_t replaced = 0;

    for (;;) {
        size_t run = plain_run(bytes, size);
        struct trace_code_point point;

        trace_put(writer, bytes, run);
        if (run == size)
            return replaced;
        bytes += run;
        size -= run;
        point = trace_utf8_next(bytes, size);
        if (!point.is_valid) {
            trace_put_text(writer, TRACE_REPLACEMENT_UTF8);
            replaced++;
        } else if (point.size == 1) {
            put_escaped_byte(writer, (unsigned char)bytes[0]);
        } else {
            trace_put(writer, bytes, point.size);
        }
        bytes += point.size;
        size -= point.size;
    }
}

void trace_json_bytes(struct trace_json *json, const char *bytes, size_t size)
{
    put_separator(json);
    trace_put_byte(json->writer, '"');
    json->replaced += trace_json_escape(json->writer, bytes, size);
    trace_put_byte(json->writer, '"');
}

void trace_json_text(struct trace_json *json, const char *text)
{
    if (text == NULL)
        trace_json_null(json);
    else
        trace_json_bytes(json, text, strlen(text));
}

void trace_json_raw(struct trace_json *json, const char *bytes, size_t size)
{
    put_separator(json);
    trace_put(json->writer, bytes, size);
}

void trace_json_integer(struct trace_json *json, int64_t value)
{
    char text[TRACE_NUMBER_SIZE];

    trace_json_raw(json, text, trace_format_integer(value, text));
}

void trace_json_unsigned(struct trace_json *json, uint64_t value)
{
    char text[TRACE_NUMBER_SIZE];

    trace_json_raw(json, text, trace_format_unsigned(value, text));
}

void trace_json_fixed(struct trace_json *json, double value, int decimals)
{
    char text[TRACE_NUMBER_SIZE];

    if (isfinite(value))
        trace_json_raw(json, text, trace_format_fixed(value, decimals, text));
    else
        trace_json_null(json);
}

void trace_json_real(struct trace_json *json, double value)
{
    char text[TRACE_NUMBER_SIZE];

    if (isfinite(value))
        trace_json_raw(json, text, trace_format_shortest(value, text));
    else
        trace_json_null(json);
}

void trace_json_bool(struct trace_json *json, bool value)
{
    trace_json_raw(json, value ? "true" : "false", value ? 4 : 5);
}

void trace_json_null(struct trace_json *json)
{
    trace_json_raw(json, "null", 4);
}
