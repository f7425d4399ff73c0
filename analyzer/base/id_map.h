/* A map from the ids of a capture to indexes. Ids are any numbers but 0. Private to the analyzer.
 */
#ifndef TRACE_ID_MAP_H
#define TRACE_ID_MAP_H

#include <stdbool.h>
#include <stdint.h>

/* All zero is an empty map. */
struct trace_id_map {
    struct trace_id_entry *entries;
    uint32_t capacity; /* a power of two, or 0 */
    uint32_t count;
};

/* The index of `id`, or UINT32_MAX. */
uint32_t trace_id_map_find(const struct trace_id_map *map, uint32_t id);

/* Enters an id that is not in the map. False when there is no memory. */
bool trace_id_map_add(struct trace_id_map *map, uint32_t id, uint32_t index);

/* Releases the memory and leaves an empty map. */
void trace_id_map_clear(struct trace_id_map *map);

#endif
