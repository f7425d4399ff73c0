/* Piecewise linear conversion in exact integers. */
#include "clock_map.h"

#include <stdlib.h>
#include <string.h>

#define NS_PER_SECOND 1000000000

/* Wide enough for a product of two 64-bit numbers. */
__extension__ typedef __int128 wide;

struct clock_entry {
    struct lcap_clock clock;
    struct lcap_calibration *calibrations; /* by tick */
    size_t count;
    size_t capacity;
};

struct trace_clock_map {
    struct clock_entry *clocks;
    size_t count;
    wide zero_ns; /* of the host's clock, at the session's start */
};

struct trace_clock_map *trace_clock_map_create(void)
{
    return calloc(1, sizeof(struct trace_clock_map));
}

void trace_clock_map_destroy(struct trace_clock_map *map)
{
    if (map == NULL)
        return;
    for (size_t i = 0; i < map->count; i++)
        free(map->clocks[i].calibrations);
    free(map->clocks);
    free(map);
}

static struct clock_entry *find_clock(const struct trace_clock_map *map, uint32_t clock)
{
    for (size_t i = 0; i < map->count; i++)
        if (map->clocks[i].clock.clock == clock)
            return &map->clocks[i];
    return NULL;
}

bool trace_clock_map_add_clock(struct trace_clock_map *map, const struct lcap_clock *clock)
{
    if (find_clock(map, clock->clock) != NULL)
        return true;
    struct clock_entry *larger = realloc(map->clocks, (map->count + 1) * sizeof *larger);
    if (larger == NULL)
        return false;
    map->clocks = larger;
    map->clocks[map->count++] = (struct clock_entry){.clock = *clock};
    return true;
}

bool trace_clock_map_add_calibration(struct trace_clock_map *map,
                                     const struct lcap_calibration *calibration)
{
    struct clock_entry *entry = find_clock(map, calibration->clock);
    if (entry == NULL)
        return true;
    if (entry->count == entry->capacity) {
        size_t capacity = entry->capacity == 0 ? 16 : entry->capacity * 2;
        struct lcap_calibration *larger =
            realloc(entry->calibrations, capacity * sizeof *entry->calibrations);
        if (larger == NULL)
            return false;
        entry->calibrations = larger;
        entry->capacity = capacity;
    }
    entry->calibrations[entry->count++] = *calibration;
    return true;
}

static int compare_ticks(const void *a, const void *b)
{
    const struct lcap_calibration *left = a;
    const struct lcap_calibration *right = b;
    return (left->tick > right->tick) - (left->tick < right->tick);
}

/* Two calibrations at one tick would have no slope between them. */
static void drop_equal_ticks(struct clock_entry *entry)
{
    size_t kept = 0;
    for (size_t i = 0; i < entry->count; i++)
        if (kept == 0 || entry->calibrations[i].tick != entry->calibrations[kept - 1].tick)
            entry->calibrations[kept++] = entry->calibrations[i];
    entry->count = kept;
}

/* Nothing happens this long before a session (104 days), nor so near to the end of the numbers that
 * the difference of two times overflows, but in a forged file. */
#define MAX_NS_BEFORE_START (INT64_C(1) << 53)
#define MAX_NS              (INT64_MAX - MAX_NS_BEFORE_START)

static int64_t clamp(wide value)
{
    if (value > MAX_NS)
        return MAX_NS;
    return value < -MAX_NS_BEFORE_START ? -MAX_NS_BEFORE_START : (int64_t)value;
}

static wide divide_down(wide numerator, wide denominator)
{
    wide quotient = numerator / denominator;
    return quotient - (numerator % denominator != 0 && (numerator < 0) != (denominator < 0));
}

/* The last calibration at or before `tick` that has a successor; the first for earlier ticks. */
static size_t find_piece(const struct clock_entry *entry, uint64_t tick)
{
    size_t low = 0, high = entry->count - 1; /* pieces low .. high - 1 */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (entry->calibrations[middle].tick <= tick)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The host's time; not yet relative to the session's start. */
static wide host_ns(const struct clock_entry *entry, uint64_t tick)
{
    if (entry->clock.source == LCAP_CLOCK_MONOTONIC)
        return (wide)tick;
    if (entry->count == 0)
        return divide_down((wide)tick * NS_PER_SECOND, (wide)entry->clock.ticks_per_second);
    const struct lcap_calibration *from = entry->calibrations;
    if (entry->count == 1)
        return from->ns + divide_down(((wide)tick - (wide)from->tick) * NS_PER_SECOND,
                                      (wide)entry->clock.ticks_per_second);
    from += find_piece(entry, tick);
    wide ticks = (wide)from[1].tick - (wide)from[0].tick;
    wide ns = (wide)from[1].ns - (wide)from[0].ns;
    /* The product can exceed 128 bits only when both factors are absurd. */
    wide product;
    if (__builtin_mul_overflow((wide)tick - (wide)from->tick, ns, &product))
        return from->ns;
    return from->ns + divide_down(product, ticks);
}

void trace_clock_map_finish(struct trace_clock_map *map, uint32_t start_clock, uint64_t start_tick)
{
    for (size_t i = 0; i < map->count; i++) {
        struct clock_entry *entry = &map->clocks[i];
        if (entry->count > 1)
            qsort(entry->calibrations, entry->count, sizeof *entry->calibrations, compare_ticks);
        drop_equal_ticks(entry);
    }
    const struct clock_entry *start = find_clock(map, start_clock);
    map->zero_ns = start == NULL ? 0 : host_ns(start, start_tick);
}

int64_t trace_clock_map_ns(const struct trace_clock_map *map, uint32_t clock, uint64_t tick)
{
    const struct clock_entry *entry = find_clock(map, clock);
    return entry == NULL ? 0 : clamp(host_ns(entry, tick) - map->zero_ns);
}

void trace_clock_map_all_ns(const struct trace_clock_map *map, uint32_t clock,
                            const uint64_t *ticks, int64_t *ns, size_t count)
{
    const struct clock_entry *entry = find_clock(map, clock);
    if (entry != NULL && entry->clock.source == LCAP_CLOCK_MONOTONIC &&
        map->zero_ns == (wide)(uint64_t)map->zero_ns) {
        /* Times from 0 to 2^62 need no clamp; others take the slow way. */
        uint64_t zero = (uint64_t)map->zero_ns;
        uint64_t all = 0;
        for (size_t i = 0; i < count; i++) {
            uint64_t difference = ticks[i] - zero;
            ns[i] = (int64_t)difference;
            all |= difference;
        }
        if (all >> 62 == 0)
            return;
    }
    for (size_t i = 0; i < count; i++)
        ns[i] = trace_clock_map_ns(map, clock, ticks[i]);
}
