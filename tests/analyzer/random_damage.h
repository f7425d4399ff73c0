/* Random but reproducible damage of captures. */
#ifndef RANDOM_DAMAGE_H
#define RANDOM_DAMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "random_stream.h"

struct file_bytes {
    uint8_t *data;
    size_t size;
};

/* Damages a capture in place, or leaves it as it is. Its blocks are at the offsets. Keeps the file
 * header: a file without it is refused, which other tests show. */
void random_damage_bytes(struct file_bytes *file, struct random *random, const uint64_t *offsets,
                         uint32_t count);

#endif
