/* Appends encoded blocks to the capture, and stops at the first that does not fit: the chain counts
 * offsets and sequence numbers on the promise that all of its blocks are written. */
#include "capture_writer.h"

static void count(struct ludus_tally *sum, const struct ludus_tally *more)
{
    lcap_counts_add(&sum->counts, &more->counts);
    sum->ends += more->ends;
}

/* Appends what `tally` counts. Bytes that do not get into the file are kept, for there may be room
 * again. */
static void append(struct ludus_capture_writer *writer, struct lcap_bytes bytes,
                   const struct ludus_tally *tally)
{
    if (ludus_sink_append(&writer->sink, bytes, &writer->error) == LUDUS_OK) {
        count(&writer->recorded, tally);
        return;
    }
    writer->has_failed = true;
    writer->pending = bytes;
    writer->in_pending = *tally;
}

static const struct ludus_tally nothing;

void ludus_writer_begin(struct ludus_capture_writer *writer, uint64_t capture_id)
{
    append(writer, lcap_chain_start(&writer->chain, capture_id), &nothing);
}

bool ludus_writer_is_ready(struct ludus_capture_writer *writer)
{
    if (!writer->has_failed && lcap_chain_index_is_due(&writer->chain))
        ludus_writer_put_index(writer);
    return !writer->has_failed;
}

void ludus_writer_put(struct ludus_capture_writer *writer, enum ludus_status status,
                      struct lcap_bytes block, const struct ludus_tally *tally)
{
    if (tally == NULL)
        tally = &nothing;
    if (writer->has_failed)
        return;
    if (status != LUDUS_OK) {
        writer->has_failed = true;
        writer->is_broken = true;
        writer->in_pending = *tally;
        (void)ludus_error_set(&writer->error, status,
                              "%.300s: a block could not be encoded (status %d): what was written "
                              "before is kept",
                              writer->sink.path, (int)status);
        return;
    }
    lcap_chain_add_made(&writer->chain, writer->encoder);
    append(writer, block, tally);
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
    count(&writer->recorded, &writer->in_pending);
    writer->in_pending = (struct ludus_tally){0};
    writer->pending = (struct lcap_bytes){0};
    writer->has_failed = false;
    return true;
}
