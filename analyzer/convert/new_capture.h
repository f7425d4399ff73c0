/* Writes a new capture, block by block: blocks that an encoder makes, and whole ones of another
 * file. Private to the analyzer. */
#ifndef TRACE_NEW_CAPTURE_H
#define TRACE_NEW_CAPTURE_H

#include "byte_writer.h"
#include "lcap_chain.h"
#include "lcap_decode.h"
#include "lcap_encode.h"

struct trace_new_capture {
    struct trace_writer output;
    struct lcap_chain chain;
    struct lcap_encoder *encoder;
    enum ludus_status status; /* the first failure; nothing is written after it */
    uint8_t *block;           /* one of another file */
    size_t capacity;
};

/* Begins a capture with a random number, with room for what `config` says. NULL when there is no
 * memory. */
struct trace_new_capture *trace_new_capture_create(struct trace_output output,
                                                   const struct lcap_encoder_config *config);
void trace_new_capture_destroy(struct trace_new_capture *writer); /* NULL is allowed */

/* Appends the block that the encoder made last; `status` is what it said. An empty one is none. */
void trace_new_capture_put(struct trace_new_capture *writer, enum ludus_status status,
                           struct lcap_bytes block);

/* Appends a whole block of another file, which lies at the offset and is `size` bytes long with its
 * header. Those of events are given a number of events before them; others ignore it. */
void trace_new_capture_copy(struct trace_new_capture *writer, const struct lcap_source *source,
                            uint64_t offset, uint64_t size, const uint64_t *first_event);

/* Writes the index and the trailer. Returns the first failure there was: WRITE, MEMORY, OPEN (the
 * other file cannot be read), LIMIT (a record does not fit), ARGUMENT (a value that FORMAT.md
 * forbids). */
LUDUS_CHECKED enum ludus_status trace_new_capture_finish(struct trace_new_capture *writer);

/* Fills the error for such a status; `path` is the other file's. */
LUDUS_CHECKED enum ludus_status trace_new_capture_fail(enum ludus_status status, const char *path,
                                                       struct ludus_error *error);

#endif
