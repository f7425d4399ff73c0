/* A map from the ids of a capture to indexes. Ids are any numbers but 0; those that a recorder
 * gives, which count from 1 on, are found without a search. Private to the analyzer. */
#ifndef TRACE_ID_MAP_H
#define TRACE_ID_MAP_H

#include <stdbool.h>
#include <stdint.h>

/* All zero is an empty map. */
struct trace_id_map {
    struct trace_id_entry *entries;
    uint32_t capacity; /* a power of two, or 0 */
    uint32_t count;    /* of all ids */
    uint32_t *indexes; /* plus one, by small ids; 0: it is not there, or in `entries` */
    uint32_t index_count;
};

/* The same for one that is not small. */
uint32_t trace_id_map_search(const struct trace_id_map *map, uint32_t id);

/* The index of `id`, or UINT32_MAX. */
static inline uint32_t trace_id_map_find(const struct trace_id_map *map, uint32_t id)
{
    if (id < map->index_count && map->indexes[id] != 0)
        return map->indexes[id] - 1;
    return trace_id_map_search(map, id);
}

/* Enters an id that is not in the map. False when there is no memory. */
bool trace_id_map_add(struct trace_id_map *map, uint32_t id, uint32_t index);

/* Releases the memory and leaves an empty map. */
void trace_id_map_clear(struct trace_id_map *map);

#endif
