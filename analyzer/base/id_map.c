/* An array of the small ids, and for all others a hash map with open addressing, at most half full.
 */
#include "id_map.h"

#include <stdlib.h>
#include <string.h>

#define MOST_SMALL (1u << 28)

struct trace_id_entry {
    uint32_t id; /* 0: free */
    uint32_t index;
};

static uint32_t slot_of(const struct trace_id_map *map, uint32_t id)
{
    uint32_t slot = (uint32_t)((uint64_t)id * 0x9E3779B97F4A7C15u >> 32) & (map->capacity - 1);
    while (map->entries[slot].id != 0 && map->entries[slot].id != id)
        slot = (slot + 1) & (map->capacity - 1);
    return slot;
}

uint32_t trace_id_map_search(const struct trace_id_map *map, uint32_t id)
{
    if (map->capacity == 0 || id == 0)
        return UINT32_MAX;
    const struct trace_id_entry *entry = &map->entries[slot_of(map, id)];
    return entry->id == id ? entry->index : UINT32_MAX;
}

static bool enlarge(struct trace_id_map *map)
{
    struct trace_id_map larger = {.capacity = map->capacity == 0 ? 64 : map->capacity * 2};
    larger.entries = calloc(larger.capacity, sizeof *larger.entries);
    if (larger.entries == NULL)
        return false;
    for (uint32_t i = 0; i < map->capacity; i++)
        if (map->entries[i].id != 0)
            larger.entries[slot_of(&larger, map->entries[i].id)] = map->entries[i];
    free(map->entries);
    map->entries = larger.entries;
    map->capacity = larger.capacity;
    return true;
}

/* Small is an id that leaves no more than three quarters of the array empty. */
static bool is_small(const struct trace_id_map *map, uint32_t id)
{
    return id < map->index_count || (id / 4 <= map->count && id < MOST_SMALL);
}

static bool add_small(struct trace_id_map *map, uint32_t id, uint32_t index)
{
    if (id >= map->index_count) {
        uint32_t count = id < 64 ? 64 : id + id / 2;
        uint32_t *indexes = realloc(map->indexes, (size_t)count * sizeof *indexes);
        if (indexes == NULL)
            return false;
        memset(indexes + map->index_count, 0, (count - map->index_count) * sizeof *indexes);
        map->indexes = indexes;
        map->index_count = count;
    }
    map->indexes[id] = index + 1;
    map->count++;
    return true;
}

bool trace_id_map_add(struct trace_id_map *map, uint32_t id, uint32_t index)
{
    if (map->count >= UINT32_MAX / 4)
        return false;
    if (is_small(map, id))
        return add_small(map, id, index);
    if (map->count * 2 >= map->capacity && !enlarge(map))
        return false;
    map->entries[slot_of(map, id)] = (struct trace_id_entry){id, index};
    map->count++;
    return true;
}

void trace_id_map_clear(struct trace_id_map *map)
{
    free(map->entries);
    free(map->indexes);
    *map = (struct trace_id_map){0};
}
