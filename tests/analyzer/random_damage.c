/* Cuts, flips, zeros, and blocks that are missing. */
#include "random_damage.h"

#include <string.h>

#include "lcap_layout.h"

static void drop_blocks(struct file_bytes *file, struct random *random, const uint64_t *offsets,
                        uint32_t count)
{
    uint32_t first = random_below(random, count);
    uint32_t last = first + 1 + random_below(random, 3);
    size_t from = (size_t)offsets[first];
    size_t to = last < count ? (size_t)offsets[last] : file->size;
    if (to > file->size)
        return;
    memmove(file->data + from, file->data + to, file->size - to);
    file->size -= to - from;
}

static void zero_bytes(struct file_bytes *file, struct random *random)
{
    size_t from = random_below(random, (uint32_t)file->size);
    size_t count = 1 + random_below(random, 400);
    count = count < file->size - from ? count : file->size - from;
    memset(file->data + from, 0, count);
}

static void flip_bits(struct file_bytes *file, struct random *random)
{
    for (uint32_t count = 1 + random_below(random, 6); count != 0; count--)
        file->data[random_below(random, (uint32_t)file->size)] ^=
            (uint8_t)(1u << random_below(random, 8));
}

void random_damage_bytes(struct file_bytes *file, struct random *random, const uint64_t *offsets,
                         uint32_t count)
{
    uint8_t header[LCAP_FILE_HEADER_SIZE];
    memcpy(header, file->data, sizeof header);
    uint32_t kind = random_below(random, 6);
    if (kind == 0 || kind == 5)
        drop_blocks(file, random, offsets, count);
    if (kind == 1 || kind == 5)
        flip_bits(file, random);
    if (kind == 2)
        zero_bytes(file, random);
    if (kind == 3 || kind == 4)
        file->size = sizeof header + random_below(random, (uint32_t)(file->size - sizeof header));
    if (kind == 4 && file->size > sizeof header)
        flip_bits(file, random);
    memcpy(file->data, header, sizeof header);
}
