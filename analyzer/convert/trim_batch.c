/* Puts records of a part into blocks. */
#include "trim_batch.h"

static enum ludus_status encode(struct lcap_encoder *encoder, const struct trim_batch *batch,
                                struct lcap_bytes *block)
{
    const uint32_t clock = batch->clock, count = batch->count;
    switch (batch->kind) {
    case LCAP_KIND_tracks:
        return lcap_encode_tracks(encoder, clock, batch->records.tracks, count, block);
    case LCAP_KIND_frames:
        return lcap_encode_frames(encoder, clock, batch->records.marks, count, block);
    case LCAP_KIND_losses:
        return lcap_encode_losses(encoder, clock, batch->records.losses, count, block);
    case LCAP_KIND_gpu_frames:
        return lcap_encode_gpu_frames(encoder, clock, batch->records.gpu_frames, count, block);
    case LCAP_KIND_gpu_passes:
        return lcap_encode_gpu_passes(encoder, clock, batch->records.gpu_passes, count, block);
    case LCAP_KIND_gpu_counts:
        return lcap_encode_gpu_counts(encoder, batch->records.gpu_counts, count, block);
    case LCAP_KIND_gpu_calibrations:
        return lcap_encode_gpu_calibrations(encoder, batch->records.gpu_calibrations, count, block);
    default:
        return lcap_encode_sched(encoder, clock, batch->records.samples, count, block);
    }
}

void trim_batch_flush(struct trim *trim, struct trim_batch *batch)
{
    struct lcap_bytes block = {0};
    if (batch->count == 0)
        return;
    const enum ludus_status status = encode(trim->writer->encoder, batch, &block);
    trace_new_capture_put(trim->writer, status, block);
    batch->count = 0;
}

uint32_t trim_batch_next(struct trim *trim, struct trim_batch *batch, uint32_t kind, uint32_t clock)
{
    if (batch->kind != kind || batch->clock != clock || batch->count == LCAP_ENCODE_MAX_RECORDS)
        trim_batch_flush(trim, batch);
    batch->kind = kind;
    batch->clock = clock;
    return batch->count++;
}
