/* Writes the blocks of a synthetic capture. */
#include "synthetic_file.h"

#include <unistd.h>

static void append(struct synthetic_file *file, struct lcap_bytes bytes)
{
    for (size_t done = 0; done < bytes.size && file->status == LUDUS_OK;) {
        ssize_t written = write(file->descriptor, bytes.data + done, bytes.size - done);
        if (written <= 0)
            file->status = LUDUS_ERROR_WRITE;
        else
            done += (size_t)written;
    }
}

void synthetic_file_put(struct synthetic_file *file, enum ludus_status status,
                        struct lcap_bytes block)
{
    if (file->status == LUDUS_OK)
        file->status = status;
    if (file->status != LUDUS_OK || block.size == 0)
        return;
    lcap_chain_add_made(&file->chain, file->encoder);
    append(file, block);
    if (lcap_chain_index_is_due(&file->chain))
        append(file, lcap_chain_index(&file->chain, file->encoder));
}

void synthetic_file_start(struct synthetic_file *file, const struct synthetic_options *options,
                          int descriptor)
{
    struct lcap_encoder_config config = {.max_site = options->sites + SYNTHETIC_VALUE_SITES,
                                         .max_events = LCAP_MAX_EVENTS,
                                         .compression_level = 1};
    *file = (struct synthetic_file){.options = options,
                                    .clock = {.ticks_per_second = 1000000000,
                                              .step = 1,
                                              .clock = 1,
                                              .source = LCAP_CLOCK_MONOTONIC},
                                    .descriptor = descriptor};
    file->status = lcap_encoder_create(&config, &file->encoder);
    if (file->status == LUDUS_OK)
        append(file, lcap_chain_start(&file->chain, options->seed));
}

void synthetic_file_finish(struct synthetic_file *file, uint64_t stop_tick)
{
    if (file->status == LUDUS_OK) {
        struct lcap_bytes block = {0};
        file->totals.stop_tick = stop_tick;
        file->totals.clock = file->clock.clock;
        file->totals.reason = LCAP_END_STOPPED;
        enum ludus_status status = lcap_encode_end(file->encoder, &file->totals, &block);
        synthetic_file_put(file, status, block);
    }
    if (file->status == LUDUS_OK) {
        append(file, lcap_chain_index(&file->chain, file->encoder));
        append(file, lcap_chain_trailer(&file->chain));
    }
    lcap_encoder_destroy(file->encoder);
    file->encoder = NULL;
}
