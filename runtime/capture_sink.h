/* The capture's file: created, appended to in whole blocks, closed. */
#ifndef LUDUS_CAPTURE_SINK_H
#define LUDUS_CAPTURE_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ludus/status.h>

#include "error_message.h"
#include "lcap_records.h"

#define LUDUS_PATH_BYTES 1024u

struct ludus_capture_sink {
    int fd;                      /* -1: closed */
    uint64_t size_bytes;         /* of what has been written whole */
    uint64_t device;             /* which file it is: the descriptor may be closed by the host, */
    uint64_t inode;              /* and its number be used for another one, */
    uint64_t born_ns;            /* as may the inode's */
    char path[LUDUS_PATH_BYTES]; /* "%p" replaced */
};

/* Copies `path` with "%p" replaced by the process id. False when it does not fit. */
bool ludus_sink_expand_path(const char *path, char *expanded, size_t capacity);

/* Creates the file, which must not exist. Errors: ARGUMENT (no path, or too long), EXISTS, WRITE.
 */
LUDUS_CHECKED enum ludus_status ludus_sink_open(struct ludus_capture_sink *sink, const char *path,
                                                struct ludus_error *error);

/* Appends all bytes or none: after a failure the file is as long as before. Errors: WRITE. */
LUDUS_CHECKED enum ludus_status ludus_sink_append(struct ludus_capture_sink *sink,
                                                  struct lcap_bytes bytes,
                                                  struct ludus_error *error);

/* Appends what another sink has written, read through its descriptor or, when the host has closed
 * that, from its path. Errors: WRITE (of either). */
LUDUS_CHECKED enum ludus_status ludus_sink_copy(struct ludus_capture_sink *sink,
                                                const struct ludus_capture_sink *from,
                                                struct ludus_error *error);

/* Whether the file is still there under some name, and as long as what was written. Errors: WRITE.
 */
LUDUS_CHECKED enum ludus_status ludus_sink_verify(const struct ludus_capture_sink *sink,
                                                  struct ludus_error *error);

/* Errors: WRITE. A closed sink may be closed again; a descriptor that is not the file's any more is
 * left alone. */
LUDUS_CHECKED enum ludus_status ludus_sink_close(struct ludus_capture_sink *sink,
                                                 struct ludus_error *error);

/* The same, when nobody needs what the file holds. */
void ludus_sink_abandon(struct ludus_capture_sink *sink);

/* Closes and removes the file that ludus_sink_open has created. */
void ludus_sink_discard(struct ludus_capture_sink *sink);

#endif
