/* The way of blocks from the encoder into the file, and the count of what has arrived there. */
#ifndef LUDUS_CAPTURE_WRITER_H
#define LUDUS_CAPTURE_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "capture_sink.h"
#include "lcap_chain.h"
#include "lcap_encode.h"
#include "tally.h"

struct ludus_capture_writer {
    struct lcap_encoder *encoder;
    struct lcap_chain chain; /* of the blocks in the sink */
    struct ludus_capture_sink sink;
    bool has_failed;
    bool is_complete;          /* the trailer is written: nothing follows */
    uint32_t end_blocks;       /* of end, index and trailer, how many were given to the writer */
    bool is_broken;            /* a block could not be made: nothing can follow */
    struct ludus_error error;  /* the last failure */
    struct lcap_bytes pending; /* the block that could not be written; the encoder's */
    struct ludus_tally in_pending; /* what it holds */
    struct ludus_tally recorded;   /* what is in the file */
};

/* Begins the file in the open sink: its header. */
void ludus_writer_begin(struct ludus_capture_writer *writer);

/* Takes the result of the encoder's last call: makes the block the file's next, appends it, and
 * counts what it holds (`tally` may be NULL). An index that is due then follows. Any failure is
 * remembered in the writer, which writes nothing more then. */
void ludus_writer_put(struct ludus_capture_writer *writer, enum ludus_status status,
                      struct lcap_bytes block, const struct ludus_tally *tally);

/* The same for a whole block in other memory, whose header is written to. */
void ludus_writer_put_kept(struct ludus_capture_writer *writer, uint8_t *block, size_t size,
                           const struct ludus_tally *tally);

/* What a file ends with. */
void ludus_writer_put_index(struct ludus_capture_writer *writer);
void ludus_writer_put_trailer(struct ludus_capture_writer *writer);

/* Tries once more to write the block that failed, if any, for there may be room again, or another
 * sink. True: the writer works again, and nothing is missing between its blocks. */
bool ludus_writer_resume(struct ludus_capture_writer *writer);

#endif
