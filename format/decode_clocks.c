/* The clocks that a reader knows, found by their ids however many a file defines: a hash table with
 * open addressing, at most half full. */
#include <stdlib.h>

#include "lcap_reader.h"

#define FIRST_CAPACITY 16u

/* The place of a clock in the table, or the free one where it belongs. */
static uint32_t *place_of(const struct lcap_clock_table *table, uint32_t clock)
{
    uint32_t at = (uint32_t)(clock * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (table->capacity - 1);
    while (table->places[at] != 0 && table->clocks[table->places[at] - 1].clock != clock)
        at = (at + 1) & (table->capacity - 1);
    return &table->places[at];
}

const struct lcap_clock *lcap_clock_table_find(const struct lcap_clock_table *table, uint32_t clock)
{
    if (table->count == 0)
        return NULL;
    const uint32_t place = *place_of(table, clock);
    return place == 0 ? NULL : &table->clocks[place - 1];
}

/* Makes room for `capacity` / 2 clocks. */
static bool resize(struct lcap_clock_table *table, uint32_t capacity)
{
    struct lcap_clock *clocks = realloc(table->clocks, capacity / 2 * sizeof *clocks);
    if (clocks == NULL)
        return false;
    table->clocks = clocks;
    uint32_t *places = calloc(capacity, sizeof *places);
    if (places == NULL)
        return false;
    free(table->places);
    table->places = places;
    table->capacity = capacity;
    for (uint32_t i = 0; i < table->count; i++)
        *place_of(table, table->clocks[i].clock) = i + 1;
    return true;
}

bool lcap_clock_table_add(struct lcap_clock_table *table, const struct lcap_clock *clock)
{
    if (lcap_clock_table_find(table, clock->clock) != NULL)
        return true;
    if (table->count > UINT32_MAX / 8)
        return false;
    if (table->count == table->capacity / 2 &&
        !resize(table, table->capacity == 0 ? FIRST_CAPACITY : table->capacity * 2))
        return false;
    table->clocks[table->count++] = *clock;
    *place_of(table, clock->clock) = table->count;
    return true;
}

bool lcap_clock_table_copy(struct lcap_clock_table *table, const struct lcap_clock_table *from)
{
    for (uint32_t i = 0; i < from->count; i++)
        if (!lcap_clock_table_add(table, &from->clocks[i]))
            return false;
    return true;
}

void lcap_clock_table_clear(struct lcap_clock_table *table)
{
    free(table->clocks);
    free(table->places);
    *table = (struct lcap_clock_table){0};
}
