/* Level streaming: real files, read, parsed and packed on the main thread. It is the arena's hitch.
 */
#ifndef STREAMING_H
#define STREAMING_H

#include <stdbool.h>
#include <stdint.h>

#include "level.h"

enum { STREAMING_LEVELS = 3 }; /* different ones; the game goes round them */

struct streaming;

/* Writes the files of all levels into the folder for temporary files. NULL on failure, and
 * `message` then says why in one line. */
struct streaming *streaming_create(uint64_t seed, char *message, uint32_t message_size_bytes);

/* NULL is allowed. */
void streaming_destroy(struct streaming *streaming);

/* Makes `level` the level of that number (modulo STREAMING_LEVELS). False on failure, and `message`
 * then says why. */
bool streaming_load(struct streaming *streaming, uint32_t number, struct level *level,
                    char *message, uint32_t message_size_bytes);

/* Totals since the beginning. */
uint64_t streaming_read_bytes(const struct streaming *streaming);
uint64_t streaming_packed_bytes(const struct streaming *streaming);

#endif
