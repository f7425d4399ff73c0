/* Writes levels as text and reads them back: rows of walls, spawn points and thousands of props. */
#include "level.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena_math.h"

enum {
    LEVEL_PROP_COUNT = 20000, /* in each sector; they make the files big enough to be a hitch */
    LEVEL_WALL_COUNT = 14,
    LEVEL_LINE_SIZE_BYTES = 80
};

struct sector_writer {
    char *text;
    size_t size_bytes;
    size_t capacity_bytes;
};

/* Draws straight walls, one to three cells thick, and frames the world. */
static void sector_walls_draw(struct arena_random *random, uint32_t sector,
                              char rows[LEVEL_SECTOR_SIDE][LEVEL_SECTOR_SIDE])
{
    memset(rows, '.', (size_t)LEVEL_SECTOR_SIDE * LEVEL_SECTOR_SIDE);
    for (uint32_t wall = 0; wall < LEVEL_WALL_COUNT; wall++) {
        uint32_t along = 4 + arena_random_below(random, 14);
        uint32_t across = 1 + arena_random_below(random, 2);
        bool upright = arena_random_below(random, 2) != 0;
        uint32_t width = upright ? across : along;
        uint32_t height = upright ? along : across;
        uint32_t left = arena_random_below(random, LEVEL_SECTOR_SIDE - width);
        uint32_t top = arena_random_below(random, LEVEL_SECTOR_SIDE - height);
        for (uint32_t y = top; y < top + height; y++)
            memset(&rows[y][left], '#', width);
    }
    uint32_t edge_x = sector % 2 == 0 ? 0 : LEVEL_SECTOR_SIDE - 1;
    uint32_t edge_y = sector / 2 == 0 ? 0 : LEVEL_SECTOR_SIDE - 1;
    for (uint32_t i = 0; i < LEVEL_SECTOR_SIDE; i++) {
        rows[i][edge_x] = '#';
        rows[edge_y][i] = '#';
    }
}

/* The buffer was made for the greatest number of lines, so a line always fits. */
static void sector_line_add(struct sector_writer *writer, const char *word, uint32_t x_hundredths,
                            uint32_t y_hundredths, uint32_t kind)
{
    int length =
        snprintf(writer->text + writer->size_bytes, writer->capacity_bytes - writer->size_bytes,
                 "%s %u.%02u %u.%02u %u\n", word, (unsigned)(x_hundredths / 100),
                 (unsigned)(x_hundredths % 100), (unsigned)(y_hundredths / 100),
                 (unsigned)(y_hundredths % 100), (unsigned)kind);
    if (length > 0)
        writer->size_bytes += (size_t)length;
}

static void sector_rows_add(struct sector_writer *writer, uint32_t top,
                            char rows[LEVEL_SECTOR_SIDE][LEVEL_SECTOR_SIDE])
{
    for (uint32_t y = 0; y < LEVEL_SECTOR_SIDE; y++) {
        int length =
            snprintf(writer->text + writer->size_bytes, writer->capacity_bytes - writer->size_bytes,
                     "row %u %.*s\n", (unsigned)(top + y), (int)LEVEL_SECTOR_SIDE, rows[y]);
        if (length > 0)
            writer->size_bytes += (size_t)length;
    }
}

char *level_text_make(uint64_t seed, uint32_t number, uint32_t sector, size_t *size_bytes)
{
    char rows[LEVEL_SECTOR_SIDE][LEVEL_SECTOR_SIDE];
    struct arena_random random = {arena_mix(seed ^ (number * 64U + sector + 1U))};
    struct sector_writer writer = {0};
    uint32_t left = sector % 2 * LEVEL_SECTOR_SIDE;
    uint32_t top = sector / 2 * LEVEL_SECTOR_SIDE;

    writer.capacity_bytes =
        (size_t)(1 + LEVEL_SECTOR_SIDE + LEVEL_SPAWNS_PER_SECTOR + LEVEL_PROP_COUNT) *
        LEVEL_LINE_SIZE_BYTES;
    writer.text = malloc(writer.capacity_bytes);
    if (!writer.text)
        return NULL;
    sector_walls_draw(&random, sector, rows);
    sector_line_add(&writer, "sector", left * 100, top * 100, sector);
    sector_rows_add(&writer, top, rows);
    for (uint32_t placed = 0; placed < LEVEL_SPAWNS_PER_SECTOR;) {
        uint32_t x = arena_random_below(&random, LEVEL_SECTOR_SIDE);
        uint32_t y = arena_random_below(&random, LEVEL_SECTOR_SIDE);
        if (rows[y][x] == '#')
            continue;
        sector_line_add(&writer, "spawn", (left + x) * 100 + 50, (top + y) * 100 + 50, placed++);
    }
    for (uint32_t prop = 0; prop < LEVEL_PROP_COUNT; prop++) {
        /* One after the other: the order in which arguments are evaluated is the compiler's. */
        uint32_t x = arena_random_below(&random, LEVEL_SECTOR_SIDE * 100);
        uint32_t y = arena_random_below(&random, LEVEL_SECTOR_SIDE * 100);
        uint32_t kind = arena_random_below(&random, 24);
        sector_line_add(&writer, "prop", left * 100 + x, top * 100 + y, kind);
    }
    *size_bytes = writer.size_bytes;
    return writer.text;
}

/* What is left of the text. */
struct sector_reader {
    const char *next;
    const char *end;
};

static bool sector_word_is(struct sector_reader *reader, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(reader->end - reader->next) < length || memcmp(reader->next, word, length) != 0)
        return false;
    reader->next += length;
    return true;
}

/* Reads a number of at most six digits and the one byte behind it, which must be `after`. */
static bool sector_number(struct sector_reader *reader, char after, uint32_t *value)
{
    uint32_t digits = 0;
    *value = 0;
    while (reader->next < reader->end && *reader->next >= '0' && *reader->next <= '9') {
        if (++digits > 6)
            return false;
        *value = *value * 10 + (uint32_t)(*reader->next++ - '0');
    }
    return digits != 0 && reader->next < reader->end && *reader->next++ == after;
}

/* Reads "X.XX Y.YY K\n", the end of all lines but those of rows. */
static bool sector_place(struct sector_reader *reader, float *x, float *y, uint32_t *kind)
{
    uint32_t part[4];
    if (!sector_number(reader, '.', &part[0]) || !sector_number(reader, ' ', &part[1]) ||
        !sector_number(reader, '.', &part[2]) || !sector_number(reader, ' ', &part[3]) ||
        !sector_number(reader, '\n', kind))
        return false;
    *x = (float)part[0] + (float)part[1] * 0.01F;
    *y = (float)part[2] + (float)part[3] * 0.01F;
    return *x < (float)LEVEL_SIDE && *y < (float)LEVEL_SIDE;
}

static bool sector_row(struct sector_reader *reader, struct level *level, uint32_t left)
{
    uint32_t y = 0;
    if (!sector_number(reader, ' ', &y) || y >= LEVEL_SIDE || left > LEVEL_SECTOR_SIDE ||
        reader->end - reader->next < LEVEL_SECTOR_SIDE + 1)
        return false;
    for (uint32_t x = 0; x < LEVEL_SECTOR_SIDE; x++)
        level->blocked[y * LEVEL_SIDE + left + x] = reader->next[x] == '#';
    reader->next += LEVEL_SECTOR_SIDE;
    return *reader->next++ == '\n';
}

bool level_text_parse(struct level *level, const char *text, size_t size_bytes)
{
    struct sector_reader reader = {text, text + size_bytes};
    float left = 0.0F, top = 0.0F, x = 0.0F, y = 0.0F;
    uint32_t kind = 0;

    if (!sector_word_is(&reader, "sector ") || !sector_place(&reader, &left, &top, &kind))
        return false;
    while (reader.next < reader.end) {
        if (sector_word_is(&reader, "prop ")) {
            if (!sector_place(&reader, &x, &y, &kind))
                return false;
            uint32_t cell = (uint32_t)y * LEVEL_SIDE + (uint32_t)x;
            level->tint[cell] = (uint8_t)(level->tint[cell] + kind);
        } else if (sector_word_is(&reader, "row ")) {
            if (!sector_row(&reader, level, (uint32_t)left))
                return false;
        } else if (sector_word_is(&reader, "spawn ")) {
            if (level->spawn_count == LEVEL_SPAWN_MAX || !sector_place(&reader, &x, &y, &kind))
                return false;
            level->spawn_x[level->spawn_count] = x;
            level->spawn_y[level->spawn_count++] = y;
        } else {
            return false;
        }
    }
    return true;
}

uint64_t level_checksum(const struct level *level)
{
    uint64_t sum = level->spawn_count;
    for (uint32_t cell = 0; cell < LEVEL_CELLS; cell++)
        sum = arena_fold(sum, (uint64_t)level->blocked[cell] << 8 | level->tint[cell]);
    return sum;
}
