/* Appends encoded blocks to the capture, and stops at the first that does not fit: the chain counts
 * offsets and sequence numbers on the promise that all of its blocks are written. */
#include "capture_writer.h"

#include <unistd.h>

#include "recorder_clock.h"

/* Appends what `tally` counts. Bytes that do not get into the file are kept, for there may be room
 * again. */
static void append(struct ludus_capture_writer *writer, struct lcap_bytes bytes,
                   const struct ludus_tally *tally)
{
    if (ludus_sink_append(&writer->sink, bytes, &writer->error) == LUDUS_OK) {
        ludus_tally_add(&writer->recorded, tally);
        return;
    }
    writer->has_failed = true;
    writer->pending = bytes;
    writer->in_pending = *tally;
}

static const struct ludus_tally nothing;

static uint64_t make_capture_id(void)
{
    uint64_t id = 0;
    if (getentropy(&id, sizeof id) != 0)
        id = ludus_clock_monotonic_ns() * 0x9E3779B97F4A7C15u ^ (uint64_t)getpid();
    return id;
}

void ludus_writer_begin(struct ludus_capture_writer *writer)
{
    append(writer, lcap_chain_start(&writer->chain, make_capture_id()), &nothing);
}

/* Appends a block that the chain has taken, and the index that it makes due. */
static void append_block(struct ludus_capture_writer *writer, struct lcap_bytes block,
                         const struct ludus_tally *tally)
{
    append(writer, block, tally == NULL ? &nothing : tally);
    if (lcap_chain_index_is_due(&writer->chain))
        ludus_writer_put_index(writer);
}

void ludus_writer_put(struct ludus_capture_writer *writer, enum ludus_status status,
                      struct lcap_bytes block, const struct ludus_tally *tally)
{
    if (writer->has_failed)
        return;
    if (status != LUDUS_OK) {
        writer->has_failed = true;
        writer->is_broken = true;
        writer->in_pending = tally == NULL ? nothing : *tally;
        (void)ludus_error_set(&writer->error, status,
                              "%.300s: a block could not be encoded (status %d): what was written "
                              "before is kept",
                              writer->sink.path, (int)status);
        return;
    }
    lcap_chain_add_made(&writer->chain, writer->encoder);
    append_block(writer, block, tally);
}

void ludus_writer_put_kept(struct ludus_capture_writer *writer, uint8_t *block, size_t size,
                           const struct ludus_tally *tally)
{
    if (writer->has_failed)
        return;
    lcap_chain_add(&writer->chain, block, size);
    append_block(writer, (struct lcap_bytes){block, size}, tally);
}

void ludus_writer_put_index(struct ludus_capture_writer *writer)
{
    if (!writer->has_failed)
        append(writer, lcap_chain_index(&writer->chain, writer->encoder), &nothing);
}

void ludus_writer_put_trailer(struct ludus_capture_writer *writer)
{
    if (!writer->has_failed)
        append(writer, lcap_chain_trailer(&writer->chain), &nothing);
}

bool ludus_writer_resume(struct ludus_capture_writer *writer)
{
    struct ludus_error failure;
    if (writer->is_broken)
        return false;
    if (ludus_sink_append(&writer->sink, writer->pending, &failure) != LUDUS_OK) {
        writer->error = failure;
        return false;
    }
    ludus_tally_add(&writer->recorded, &writer->in_pending);
    writer->in_pending = (struct ludus_tally){0};
    writer->pending = (struct lcap_bytes){0};
    writer->has_failed = false;
    if (lcap_chain_index_is_due(&writer->chain))
        ludus_writer_put_index(writer);
    return !writer->has_failed;
}
