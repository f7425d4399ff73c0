/* The spatial hash: which agents are near a place. */
#ifndef SPATIAL_HASH_H
#define SPATIAL_HASH_H

#include <stdint.h>

#include "crowd.h"

enum { SPATIAL_HASH_BUCKETS = 4096, SPATIAL_HASH_NEAR_MAX = 96 };

/* Agents sorted by the bucket of their cell, and in a bucket by number. */
struct spatial_hash {
    uint32_t first[SPATIAL_HASH_BUCKETS + 1]; /* entry of each bucket, and the end of the last */
    uint32_t cell[CROWD_CAPACITY];            /* by entry; tells cells of one bucket apart */
    uint32_t agent[CROWD_CAPACITY];           /* by entry */
    uint32_t cell_of[CROWD_CAPACITY];         /* by agent */
};

/* Sorts the crowd anew, in passes over `agents_per_chunk` agents. */
void spatial_hash_build(struct spatial_hash *hash, struct crowd *crowd, uint32_t agents_per_chunk);

/* Writes up to SPATIAL_HASH_NEAR_MAX agents of the nine cells round (x, y) and returns how many. A
 * cell is two units wide. */
uint32_t spatial_hash_near(const struct spatial_hash *hash, float x, float y,
                           uint32_t near[SPATIAL_HASH_NEAR_MAX]);

#endif
