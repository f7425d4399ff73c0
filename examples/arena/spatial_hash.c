/* The spatial hash, built by counting sort. It is rebuilt by one thread in the order of the agents,
 * so that neighbours are always met in the same order. */
#include "spatial_hash.h"

#include <string.h>

#include <ludus/profile.h>

/* Negative coordinates are valid too; only equality matters. */
static uint32_t spatial_hash_cell(int32_t cell_x, int32_t cell_y)
{
    return ((uint32_t)cell_y & 0xffffU) << 16 | ((uint32_t)cell_x & 0xffffU);
}

static uint32_t spatial_hash_bucket(uint32_t cell)
{
    return (cell * 0x9e3779b1U ^ (cell >> 16) * 0x85ebca77U) >> 20;
}

static void spatial_hash_count(struct spatial_hash *hash, const struct crowd_motion *present,
                               uint32_t first, uint32_t last)
{
    LUDUS_PROFILE_SCOPE(Hash/Count, LUDUS_PROFILE_CAT(Simulation));
    for (uint32_t agent = first; agent < last; agent++) {
        uint32_t cell = spatial_hash_cell(arena_floor(present->x[agent] * 0.5F),
                                          arena_floor(present->y[agent] * 0.5F));
        hash->cell_of[agent] = cell;
        hash->first[spatial_hash_bucket(cell) + 1]++;
    }
}

/* Turns counts into first entries. */
static void spatial_hash_sum(struct spatial_hash *hash)
{
    LUDUS_PROFILE_SCOPE(Hash/Sum, LUDUS_PROFILE_CAT(Simulation));
    for (uint32_t bucket = 0; bucket < SPATIAL_HASH_BUCKETS; bucket++)
        hash->first[bucket + 1] += hash->first[bucket];
}

static void spatial_hash_scatter(struct spatial_hash *hash, uint32_t *next, uint32_t first,
                                 uint32_t last)
{
    LUDUS_PROFILE_SCOPE(Hash/Scatter, LUDUS_PROFILE_CAT(Simulation));
    for (uint32_t agent = first; agent < last; agent++) {
        uint32_t cell = hash->cell_of[agent];
        uint32_t entry = next[spatial_hash_bucket(cell)]++;
        hash->cell[entry] = cell;
        hash->agent[entry] = agent;
    }
}

void spatial_hash_build(struct spatial_hash *hash, struct crowd *crowd, uint32_t agents_per_chunk)
{
    LUDUS_PROFILE_SCOPE(Hash/Build, LUDUS_PROFILE_CAT(Simulation));
    const struct crowd_motion *present = crowd_present(crowd);
    uint32_t next[SPATIAL_HASH_BUCKETS];
    uint32_t count = crowd->count;

    memset(hash->first, 0, sizeof hash->first);
    for (uint32_t first = 0; first < count; first += agents_per_chunk)
        spatial_hash_count(hash, present, first,
                           count - first < agents_per_chunk ? count : first + agents_per_chunk);
    spatial_hash_sum(hash);
    memcpy(next, hash->first, sizeof next);
    for (uint32_t first = 0; first < count; first += agents_per_chunk)
        spatial_hash_scatter(hash, next, first,
                             count - first < agents_per_chunk ? count : first + agents_per_chunk);
}

uint32_t spatial_hash_near(const struct spatial_hash *hash, float x, float y,
                           uint32_t near[SPATIAL_HASH_NEAR_MAX])
{
    int32_t cell_x = arena_floor(x * 0.5F);
    int32_t cell_y = arena_floor(y * 0.5F);
    uint32_t count = 0;
    for (int32_t step = 0; step < 9; step++) {
        uint32_t cell = spatial_hash_cell(cell_x + step % 3 - 1, cell_y + step / 3 - 1);
        uint32_t bucket = spatial_hash_bucket(cell);
        for (uint32_t entry = hash->first[bucket]; entry < hash->first[bucket + 1]; entry++) {
            if (hash->cell[entry] != cell)
                continue;
            if (count == SPATIAL_HASH_NEAR_MAX)
                return count;
            near[count++] = hash->agent[entry];
        }
    }
    return count;
}
