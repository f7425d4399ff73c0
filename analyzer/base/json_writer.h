/* Writes JSON as a stream: no document is held in memory. The caller gives the structure; commas,
 * escapes and number formats are seen to here. Private to the analyzer. */
#ifndef TRACE_JSON_WRITER_H
#define TRACE_JSON_WRITER_H

#include "byte_writer.h"

#define TRACE_JSON_MAX_DEPTH 63u

struct trace_json {
    struct trace_writer *writer;
    uint64_t replaced;    /* broken UTF-8 sequences that U+FFFD stands for, so far */
    uint64_t has_members; /* bit d: the object or array at depth d has something in it */
    unsigned depth;
    int break_indent; /* the next item starts a line with this indent; -1: it does not */
    bool is_after_key;
};

/* Starts at the place where one value goes. `writer` is started, and outlives the JSON writer;
 * failures are those of the writer. */
void trace_json_start(struct trace_json *json, struct trace_writer *writer);

void trace_json_begin_object(struct trace_json *json);
void trace_json_end_object(struct trace_json *json);
void trace_json_begin_array(struct trace_json *json);
void trace_json_end_array(struct trace_json *json);

/* Makes the next item, or the next closing bracket, start a line of its own, indented by `indent`
 * spaces. For people who read the file; it means nothing in JSON. */
void trace_json_break(struct trace_json *json, int indent);

/* `key` needs no escape: it is a literal of this program. */
void trace_json_key(struct trace_json *json, const char *key);

/* A key that may hold any bytes. */
void trace_json_key_bytes(struct trace_json *json, const char *bytes, size_t size);

/* Values. A text may hold any bytes: valid UTF-8 is read back as it was, each maximal subpart of a
 * broken sequence becomes U+FFFD and is counted. Reals have fixed decimals (0 to 9), or as many
 * digits as it takes (trace_json_real); those that are not finite become null. */
void trace_json_bytes(struct trace_json *json, const char *bytes, size_t size);
void trace_json_text(struct trace_json *json, const char *text); /* NULL: null */
void trace_json_integer(struct trace_json *json, int64_t value);
void trace_json_unsigned(struct trace_json *json, uint64_t value);
void trace_json_fixed(struct trace_json *json, double value, int decimals);
void trace_json_real(struct trace_json *json, double value);
void trace_json_bool(struct trace_json *json, bool value);
void trace_json_null(struct trace_json *json);

/* A value that the caller has formatted: microseconds from integer nanoseconds, a string that was
 * escaped before. */
void trace_json_raw(struct trace_json *json, const char *bytes, size_t size);

/* Puts the inside of a JSON string, without quotes; returns how many sequences were replaced. For
 * exporters that keep escaped names. */
uint64_t trace_json_escape(struct trace_writer *writer, const char *bytes, size_t size);

#endif
