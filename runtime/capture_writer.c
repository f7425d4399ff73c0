/* Appends encoded blocks to the capture, and stops at the first that does not fit: the encoder
 * counts offsets and sequence numbers on the promise that all of its blocks are written. */
#include "capture_writer.h"

static void count(struct ludus_tally *sum, const struct ludus_tally *more)
{
    lcap_counts_add(&sum->counts, &more->counts);
    sum->ends += more->ends;
}

bool ludus_writer_is_ready(struct ludus_capture_writer *writer)
{
    if (!writer->has_failed && lcap_encode_index_is_due(writer->encoder))
        ludus_writer_put(writer, LUDUS_OK, lcap_encode_index(writer->encoder), NULL);
    return !writer->has_failed;
}

void ludus_writer_put(struct ludus_capture_writer *writer, enum ludus_status status,
                      struct lcap_bytes block, const struct ludus_tally *tally)
{
    static const struct ludus_tally nothing;
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
    if (ludus_sink_append(&writer->sink, block, &writer->error) == LUDUS_OK) {
        count(&writer->recorded, tally);
        return;
    }
    writer->has_failed = true;
    writer->pending = block;
    writer->in_pending = *tally;
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
