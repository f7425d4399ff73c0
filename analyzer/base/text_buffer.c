/* Text that grows while it is put together. */
#include "text_buffer.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

static bool make_room(struct trace_text_buffer *buffer, size_t size)
{
    size_t capacity = buffer->capacity < 256 ? 256 : buffer->capacity;
    char *data;

    if (size <= buffer->capacity - buffer->size)
        return true;
    while (capacity - buffer->size < size) {
        if (capacity > SIZE_MAX / 2)
            return false;
        capacity *= 2;
    }
    data = realloc(buffer->data, capacity);
    if (data == NULL)
        return false;
    buffer->data = data;
    buffer->capacity = capacity;
    return true;
}

void trace_text_buffer_append(struct trace_text_buffer *buffer, const char *bytes, size_t size)
{
    if (buffer->has_failed || size == 0)
        return;
    if (!make_room(buffer, size)) {
        buffer->has_failed = true;
        return;
    }
    memcpy(buffer->data + buffer->size, bytes, size);
    buffer->size += size;
}

void trace_append_format(struct trace_text_buffer *buffer, const char *format, ...)
{
    char line[256];
    va_list arguments;

    va_start(arguments, format);
    int size = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (size > 0)
        trace_text_buffer_append(buffer, line,
                                 (size_t)size < sizeof line ? (size_t)size : sizeof line - 1);
}

void trace_text_buffer_clear(struct trace_text_buffer *buffer)
{
    buffer->size = 0;
}

void trace_text_buffer_release(struct trace_text_buffer *buffer)
{
    free(buffer->data);
    *buffer = (struct trace_text_buffer){NULL, 0, 0, false};
}

/* Line and paragraph separators, direction marks and overrides, shy and invisible characters that
 * would make two names look the same. */
static bool is_hidden(uint32_t value)
{
    return value == 0x061C || (value >= 0x200B && value <= 0x200F) ||
           (value >= 0x2028 && value <= 0x202E) || (value >= 0x2060 && value <= 0x206F) ||
           value == 0xFEFF;
}

static bool is_control(uint32_t value)
{
    return value < 0x20 || (value >= 0x7F && value <= 0x9F);
}

static void append_escape(struct trace_text_buffer *buffer, uint32_t value)
{
    char escape[16];
    int size;

    if (value == '\n' || value == '\t' || value == '\r')
        size = snprintf(escape, sizeof escape, "\\%c",
                        value == '\n'   ? 'n'
                        : value == '\t' ? 't'
                                        : 'r');
    else
        size =
            snprintf(escape, sizeof escape, value < 0x100 ? "\\x%02x" : "\\u%04x", (unsigned)value);
    trace_text_buffer_append(buffer, escape, (size_t)size);
}

void trace_append_visible(struct trace_text_buffer *buffer, const char *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        struct trace_code_point point = trace_utf8_next(bytes + at, size - at);

        if (!point.is_valid)
            trace_text_buffer_append(buffer, TRACE_REPLACEMENT_UTF8, 3);
        else if (is_control(point.value) || is_hidden(point.value))
            append_escape(buffer, point.value);
        else
            trace_text_buffer_append(buffer, bytes + at, point.size);
        at += point.size;
    }
}
