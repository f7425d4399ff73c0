/* A hash map with linear probing, at most half full. */
#include "counter_times.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define FIRST_CAPACITY 64u

static struct trace_counter_time *place_of(const struct trace_counter_times *times, uint64_t key)
{
    uint32_t place = (uint32_t)((key * 0x9E3779B97F4A7C15u) >> 32) & (times->capacity - 1);
    while (times->entries[place].key != 0 && times->entries[place].key != key)
        place = (place + 1) & (times->capacity - 1);
    return &times->entries[place];
}

static bool grow(struct trace_counter_times *times)
{
    struct trace_counter_times wide = {.count = times->count};
    if (times->capacity > UINT32_MAX / 4)
        return false;
    wide.capacity = times->capacity == 0 ? FIRST_CAPACITY : times->capacity * 2;
    wide.entries = calloc(wide.capacity, sizeof *wide.entries);
    if (wide.entries == NULL)
        return false;
    for (uint32_t i = 0; i < times->capacity; i++)
        if (times->entries[i].key != 0)
            *place_of(&wide, times->entries[i].key) = times->entries[i];
    free(times->entries);
    *times = wide;
    return true;
}

struct trace_counter_time *trace_counter_times_get(struct trace_counter_times *times,
                                                   uint32_t track, uint32_t site,
                                                   struct trace_counter_time fresh)
{
    if (times->count >= times->capacity / 2 && !grow(times))
        return NULL;
    fresh.key = ((uint64_t)track << 32 | site) + 1;
    struct trace_counter_time *entry = place_of(times, fresh.key);
    if (entry->key == 0) {
        *entry = fresh;
        times->count++;
    }
    return entry;
}

void trace_counter_times_clear(struct trace_counter_times *times)
{
    free(times->entries);
    *times = (struct trace_counter_times){0};
}
