/* A level: which cells of the world are blocked, how the ground is tinted, where agents appear. */
#ifndef LEVEL_H
#define LEVEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LEVEL_SIDE = 96, /* cells; a cell is one unit wide */
    LEVEL_CELLS = LEVEL_SIDE * LEVEL_SIDE,
    LEVEL_SECTOR_SIDE = LEVEL_SIDE / 2,
    LEVEL_SECTORS = 4, /* a quarter each, and a file each */
    LEVEL_SPAWNS_PER_SECTOR = 8,
    LEVEL_SPAWN_MAX = LEVEL_SECTORS * LEVEL_SPAWNS_PER_SECTOR
};

struct level {
    uint8_t blocked[LEVEL_CELLS]; /* 0 or 1 */
    uint8_t tint[LEVEL_CELLS];
    float spawn_x[LEVEL_SPAWN_MAX];
    float spawn_y[LEVEL_SPAWN_MAX];
    uint32_t spawn_count;
};

/* Whether a cell is blocked; all outside the world is. */
static inline bool level_is_blocked(const struct level *level, int32_t cell_x, int32_t cell_y)
{
    if (cell_x < 0 || cell_y < 0 || cell_x >= LEVEL_SIDE || cell_y >= LEVEL_SIDE)
        return true;
    return level->blocked[cell_y * LEVEL_SIDE + cell_x] != 0;
}

/* The text of one sector, made from the seed. The caller frees it; NULL when memory ran out. */
char *level_text_make(uint64_t seed, uint32_t number, uint32_t sector, size_t *size_bytes);

/* Adds a sector's text to `level`, which starts as zeros. False when the text is malformed. */
bool level_text_parse(struct level *level, const char *text, size_t size_bytes);

/* A checksum over all of the level. */
uint64_t level_checksum(const struct level *level);

#endif
