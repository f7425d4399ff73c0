/* The text of a JSON file that somebody wrote, and where in it things stand. Private to the
 * analyzer. */
#ifndef TRACE_CONFIG_TEXT_H
#define TRACE_CONFIG_TEXT_H

#include <ludus/status.h>
#include <stddef.h>
#include <stdint.h>

struct trace_config_text {
    const char *path; /* as it was given, and belongs to whom gave it */
    char *data;       /* valid UTF-8 */
    size_t size;
};

/* Reads a file of at most `limit` bytes. Errors: OPEN (missing, not a file, unreadable), FORMAT
 * (too large, not UTF-8), MEMORY. */
LUDUS_CHECKED enum ludus_status trace_config_text_read(const char *path, size_t limit,
                                                       struct trace_config_text *text,
                                                       struct ludus_error *error);
void trace_config_text_release(struct trace_config_text *text);

/* The way from a document to a member or element in it: which one it is of each object or list on
 * the way, from 0 on, in the order of the file. */
#define TRACE_CONFIG_DEPTH 3u
struct trace_config_place {
    uint32_t ordinals[TRACE_CONFIG_DEPTH];
    uint32_t depth;
};

/* The line, from 1 on, where a member's key or an element begins, in a text that is known to be
 * JSON and to have it. */
uint32_t trace_config_line(const struct trace_config_text *text,
                           const struct trace_config_place *place);

/* The same of the first `count` members of an object. */
void trace_config_lines(const struct trace_config_text *text,
                        const struct trace_config_place *place, uint32_t *lines, size_t count);

#endif
