/* Reads a configuration's file, and finds the lines that messages name: jansson does not keep them.
 */
#include "config_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failure.h"
#include "utf8.h"

static uint32_t line_at(const struct trace_config_text *text, size_t at)
{
    uint32_t line = 1;
    for (size_t i = 0; i < at && i < text->size; i++)
        line += text->data[i] == '\n';
    return line;
}

/* Reads until the end, or until there is one byte more than may be: a file may grow meanwhile. */
static bool read_bytes(int file, size_t limit, struct trace_config_text *text)
{
    while (text->size <= limit) {
        ssize_t count = read(file, text->data + text->size, limit + 1 - text->size);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return count == 0;
        text->size += (size_t)count;
    }
    return true;
}

static enum ludus_status check_bytes(const struct trace_config_text *text, size_t limit,
                                     struct ludus_error *error)
{
    size_t at = 0;
    if (text->size > limit)
        return trace_fail(error, LUDUS_ERROR_FORMAT,
                          "%s: is larger than %zu bytes, which no configuration is; check the name",
                          text->path, limit);
    if (text->size >= 3 && memcmp(text->data, "\xEF\xBB\xBF", 3) == 0)
        return trace_fail(error, LUDUS_ERROR_FORMAT,
                          "%s:1: begins with a byte order mark; save it as UTF-8 without one",
                          text->path);
    while (at < text->size) {
        struct trace_code_point point = trace_utf8_next(text->data + at, text->size - at);
        if (!point.is_valid)
            return trace_fail(error, LUDUS_ERROR_FORMAT,
                              "%s:%u: is not UTF-8 (byte 0x%02x); save it as UTF-8", text->path,
                              line_at(text, at), (unsigned)(unsigned char)text->data[at]);
        at += point.size;
    }
    return LUDUS_OK;
}

static enum ludus_status read_open(int file, size_t limit, struct trace_config_text *text,
                                   struct ludus_error *error)
{
    struct stat facts;
    if (fstat(file, &facts) == 0 && S_ISDIR(facts.st_mode))
        return trace_fail(error, LUDUS_ERROR_OPEN, "%s: is a folder; name a file of JSON",
                          text->path);
    text->data = malloc(limit + 1);
    if (text->data == NULL)
        return trace_fail_memory(error);
    if (!read_bytes(file, limit, text))
        return trace_fail(error, LUDUS_ERROR_OPEN, "%s: cannot be read (%s)", text->path,
                          strerror(errno));
    return check_bytes(text, limit, error);
}

enum ludus_status trace_config_text_read(const char *path, size_t limit,
                                         struct trace_config_text *text, struct ludus_error *error)
{
    *text = (struct trace_config_text){.path = path};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return trace_fail(error, LUDUS_ERROR_OPEN, "%s: cannot be opened (%s); check the name",
                          path, strerror(errno));
    enum ludus_status status = read_open(file, limit, text, error);
    close(file);
    if (status != LUDUS_OK)
        trace_config_text_release(text);
    return status;
}

void trace_config_text_release(struct trace_config_text *text)
{
    free(text->data);
    *text = (struct trace_config_text){0};
}

static char byte_at(const struct trace_config_text *text, size_t at)
{
    return at < text->size ? text->data[at] : '\0';
}

static size_t skip_space(const struct trace_config_text *text, size_t at)
{
    while (at < text->size && strchr(" \t\r\n", text->data[at]) != NULL)
        at++;
    return at;
}

/* Behind the string that begins at its quote. */
static size_t skip_string(const struct trace_config_text *text, size_t at)
{
    for (at++; at < text->size && text->data[at] != '"'; at++)
        at += text->data[at] == '\\';
    return at + 1;
}

/* Behind the comma that ends a member or element, whatever is inside of it. */
static size_t skip_item(const struct trace_config_text *text, size_t at)
{
    uint32_t depth = 0;
    while (at < text->size) {
        char byte = text->data[at];
        if (byte == '"') {
            at = skip_string(text, at);
            continue;
        }
        at++;
        if (byte == ',' && depth == 0)
            break;
        if (byte == '{' || byte == '[')
            depth++;
        else if (byte == '}' || byte == ']')
            depth--;
    }
    return at;
}

/* Into the object or list at a key, an element or the document's begin. */
static size_t go_inside(const struct trace_config_text *text, size_t at)
{
    if (byte_at(text, at) == '"')
        at = skip_space(text, skip_space(text, skip_string(text, at)) + 1);
    return at + 1;
}

static size_t find_place(const struct trace_config_text *text,
                         const struct trace_config_place *place)
{
    size_t at = skip_space(text, 0);
    for (uint32_t level = 0; level < place->depth; level++) {
        at = go_inside(text, at);
        for (uint32_t i = 0; i < place->ordinals[level]; i++)
            at = skip_item(text, at);
        at = skip_space(text, at);
    }
    return at;
}

uint32_t trace_config_line(const struct trace_config_text *text,
                           const struct trace_config_place *place)
{
    return line_at(text, find_place(text, place));
}

void trace_config_lines(const struct trace_config_text *text,
                        const struct trace_config_place *place, uint32_t *lines, size_t count)
{
    size_t at = go_inside(text, find_place(text, place));
    size_t counted = 0;
    uint32_t line = 1;
    for (size_t i = 0; i < count; i++) {
        at = skip_space(text, at);
        for (; counted < at && counted < text->size; counted++)
            line += text->data[counted] == '\n';
        lines[i] = line;
        at = skip_item(text, at);
    }
}
