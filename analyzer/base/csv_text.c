/* Fields of comma-separated values, RFC 4180. */
#include "csv_text.h"

#include "utf8.h"

static bool needs_quotes(const char *bytes, size_t size)
{
    if (size == 0 || bytes[0] == ' ' || bytes[size - 1] == ' ')
        return true;
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)bytes[i];

        if (byte < 0x20 || byte == '"' || byte == ',')
            return true;
    }
    return false;
}

/* Bytes that stand for themselves without a look at their neighbours. */
static size_t plain_run(const char *bytes, size_t size)
{
    size_t at = 0;

    while (at < size && (unsigned char)bytes[at] < 0x80 && bytes[at] != '"')
        at++;
    return at;
}

static void put_inside(struct trace_writer *writer, const char *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        size_t run = plain_run(bytes + at, size - at);
        trace_put(writer, bytes + at, run);
        at += run;
        if (at == size)
            break;
        struct trace_code_point point = trace_utf8_next(bytes + at, size - at);

        if (!point.is_valid)
            trace_put_text(writer, TRACE_REPLACEMENT_UTF8);
        else
            trace_put(writer, bytes + at, point.size);
        if (point.value == '"')
            trace_put_byte(writer, '"');
        at += point.size;
    }
}

void trace_csv_put_field(struct trace_writer *writer, const char *bytes, size_t size)
{
    bool has_quotes = needs_quotes(bytes, size);

    if (has_quotes)
        trace_put_byte(writer, '"');
    put_inside(writer, bytes, size);
    if (has_quotes)
        trace_put_byte(writer, '"');
}
