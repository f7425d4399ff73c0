/* The zstd frames of a capture. Private to format/. */
#ifndef LCAP_FRAME_H
#define LCAP_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include <zstd.h>

/* Decompresses a frame into `raw_size` bytes at `raw`. False when `stored` is not exactly one frame
 * as FORMAT.md allows it, or when it does not hold exactly so many bytes. */
bool lcap_decompress(ZSTD_DCtx *zstd, const uint8_t *stored, size_t stored_size, uint8_t *raw,
                     size_t raw_size);

#endif
