/* Decompresses zstd frames, and refuses what zstd takes and the capture format does not. */
#include "lcap_frame.h"

#include "lcap_wire.h"

#define SINGLE_SEGMENT 0x20u      /* of the byte behind the magic: no window is named */
#define MAX_WINDOW     (17u << 3) /* the byte that names 2^(10 + 17) bytes */

/* zstd itself would also take frames that are to be skipped, and those of its early versions; and a
 * reader that decompresses in steps would have to allocate the window that the frame names. */
static bool is_allowed(const uint8_t *stored, size_t stored_size)
{
    return stored_size >= 6 && lcap_load_u32(stored) == ZSTD_MAGICNUMBER &&
           ((stored[4] & SINGLE_SEGMENT) != 0 || stored[5] <= MAX_WINDOW);
}

bool lcap_decompress(ZSTD_DCtx *zstd, const uint8_t *stored, size_t stored_size, uint8_t *raw,
                     size_t raw_size)
{
    return is_allowed(stored, stored_size) &&
           ZSTD_findFrameCompressedSize(stored, stored_size) == stored_size &&
           ZSTD_decompressDCtx(zstd, raw, raw_size, stored, stored_size) == raw_size;
}
