/* Piecewise linear conversion in exact integers. */
#include "clock_map.h"

#include <stdlib.h>
#include <string.h>

#include "id_map.h"

#define NS_PER_SECOND 1000000000

/* Wide enough for a product of two 64-bit numbers. */
__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;
#define WIDE_MAX ((wide)((unsigned_wide)-1 >> 1))

struct clock_entry {
    struct lcap_clock clock;
    struct lcap_calibration *calibrations; /* by tick */
    bool *are_needed;                      /* likewise; NULL: none is */
    size_t count;
    size_t capacity;
};

struct trace_clock_map {
    struct clock_entry *clocks;
    size_t count;
    struct trace_id_map ids;
    size_t last;  /* the clock of the last calibration: the next one is mostly of the same */
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
    for (size_t i = 0; i < map->count; i++) {
        free(map->clocks[i].calibrations);
        free(map->clocks[i].are_needed);
    }
    trace_id_map_clear(&map->ids);
    free(map->clocks);
    free(map);
}

uint32_t trace_clock_map_index(const struct trace_clock_map *map, uint32_t clock)
{
    return trace_id_map_find(&map->ids, clock);
}

static struct clock_entry *find_clock(const struct trace_clock_map *map, uint32_t clock)
{
    const uint32_t index = trace_clock_map_index(map, clock);
    return index == UINT32_MAX ? NULL : &map->clocks[index];
}

bool trace_clock_map_add_clock(struct trace_clock_map *map, const struct lcap_clock *clock)
{
    if (find_clock(map, clock->clock) != NULL)
        return true;
    struct clock_entry *larger = realloc(map->clocks, (map->count + 1) * sizeof *larger);
    if (larger == NULL)
        return false;
    map->clocks = larger;
    if (!trace_id_map_add(&map->ids, clock->clock, (uint32_t)map->count))
        return false;
    map->clocks[map->count++] = (struct clock_entry){.clock = *clock};
    return true;
}

bool trace_clock_map_add_calibration(struct trace_clock_map *map,
                                     const struct lcap_calibration *calibration)
{
    struct clock_entry *entry = map->last < map->count ? &map->clocks[map->last] : NULL;
    if (entry == NULL || entry->clock.clock != calibration->clock)
        entry = find_clock(map, calibration->clock);
    if (entry == NULL)
        return true;
    map->last = (size_t)(entry - map->clocks);
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

/* Time rises with every calibration. One that does not, in a faulty file, would make ends come
 * before their begins; it has no effect. */
static void drop_backward_steps(struct clock_entry *entry)
{
    size_t kept = 0;
    for (size_t i = 0; i < entry->count; i++) {
        const struct lcap_calibration *calibration = &entry->calibrations[i];
        if (kept == 0 || (calibration->tick != entry->calibrations[kept - 1].tick &&
                          calibration->ns > entry->calibrations[kept - 1].ns))
            entry->calibrations[kept++] = *calibration;
    }
    entry->count = kept;
}

static int64_t clamp(wide value)
{
    if (value > TRACE_LAST_NS)
        return TRACE_LAST_NS;
    return value < TRACE_FIRST_NS ? TRACE_FIRST_NS : (int64_t)value;
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

/* Ticks from first_tick to last_tick are nanoseconds on a straight line through (tick, ns). */
struct line {
    uint64_t first_tick;
    uint64_t last_tick;
    uint64_t tick;
    int64_t ns; /* of the host's clock */
    uint64_t rise_ns;
    uint64_t run_ticks;
};

static struct line find_line(const struct clock_entry *entry, uint64_t tick)
{
    const struct lcap_calibration *from = entry->calibrations;
    struct line line = {.last_tick = UINT64_MAX,
                        .rise_ns = NS_PER_SECOND,
                        .run_ticks = entry->clock.ticks_per_second};
    if (entry->count == 0)
        return line;
    size_t piece = entry->count == 1 ? 0 : find_piece(entry, tick);
    from += piece;
    line.tick = from->tick;
    line.ns = from->ns;
    line.first_tick = piece == 0 ? 0 : from->tick;
    if (entry->count == 1)
        return line;
    line.rise_ns = (uint64_t)from[1].ns - (uint64_t)from[0].ns;
    line.run_ticks = from[1].tick - from[0].tick;
    if (piece + 2 < entry->count)
        line.last_tick = from[1].tick - 1;
    return line;
}

/* The host's time; not yet relative to the session's start. */
static wide host_ns(const struct clock_entry *entry, uint64_t tick)
{
    if (entry->clock.source == LCAP_CLOCK_MONOTONIC)
        return (wide)tick;
    struct line line = find_line(entry, tick);
    wide product;
    if (__builtin_mul_overflow((wide)tick - (wide)line.tick, (wide)line.rise_ns, &product))
        product = tick < line.tick ? -WIDE_MAX : WIDE_MAX; /* of a forged file: clamped later */
    return line.ns + divide_down(product, (wide)line.run_ticks);
}

void trace_clock_map_finish(struct trace_clock_map *map, uint32_t start_clock, uint64_t start_tick)
{
    for (size_t i = 0; i < map->count; i++) {
        struct clock_entry *entry = &map->clocks[i];
        if (entry->count > 1)
            qsort(entry->calibrations, entry->count, sizeof *entry->calibrations, compare_ticks);
        drop_backward_steps(entry);
    }
    const struct clock_entry *start = find_clock(map, start_clock);
    map->zero_ns = start == NULL ? 0 : host_ns(start, start_tick);
}

int64_t trace_clock_map_host_ns(const struct trace_clock_map *map, int64_t host_ns)
{
    return clamp((wide)host_ns - map->zero_ns);
}

int64_t trace_clock_map_ns(const struct trace_clock_map *map, uint32_t clock, uint64_t tick)
{
    const struct clock_entry *entry = find_clock(map, clock);
    return entry == NULL ? 0 : clamp(host_ns(entry, tick) - map->zero_ns);
}

uint64_t trace_clock_map_tick(const struct trace_clock_map *map, uint32_t clock, int64_t ns)
{
    uint64_t low = 0, high = UINT64_MAX; /* ticks below `low` are before it */
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (trace_clock_map_ns(map, clock, middle) < ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool trace_clock_map_need(struct trace_clock_map *map, uint32_t clock, uint64_t first_tick,
                          uint64_t last_tick)
{
    struct clock_entry *entry = find_clock(map, clock);
    if (entry == NULL || entry->count == 0)
        return true;
    if (entry->are_needed == NULL)
        entry->are_needed = calloc(entry->count, sizeof *entry->are_needed);
    if (entry->are_needed == NULL)
        return false;
    size_t first = entry->count == 1 ? 0 : find_piece(entry, first_tick);
    size_t last = entry->count == 1 ? 0 : find_piece(entry, last_tick) + 1;
    for (size_t i = first; i <= last; i++)
        entry->are_needed[i] = true;
    return true;
}

bool trace_clock_map_next_needed(const struct trace_clock_map *map, uint32_t clock, size_t *at,
                                 struct lcap_calibration *calibration)
{
    const struct clock_entry *entry = find_clock(map, clock);
    if (entry == NULL || entry->are_needed == NULL)
        return false;
    while (*at < entry->count && !entry->are_needed[*at])
        ++*at;
    if (*at == entry->count)
        return false;
    *calibration = entry->calibrations[(*at)++];
    return true;
}

/* For a clock that counts nanoseconds. False when some need a clamp. */
static bool subtract_zero(const struct trace_clock_map *map, const uint64_t *ticks, int64_t *ns,
                          size_t count)
{
    uint64_t zero = (uint64_t)map->zero_ns;
    uint64_t all = 0;
    if (map->zero_ns != (wide)zero)
        return false;
    for (size_t i = 0; i < count; i++) {
        uint64_t difference = ticks[i] - zero;
        ns[i] = (int64_t)difference;
        all |= difference;
    }
    return all >> 62 == 0; /* none was before zero, or is too large */
}

/* A stretch of a line prepared for many ticks, without a division for each. What a tick is behind
 * the first is a whole number of nanoseconds, and a part in units of 2^-64 that is rounded up:
 * `scaled` a tick, on top of `first_scaled`. So far the sum is too large by less than ticks + 1
 * such units, and that changes no whole number as long as it is less than 1 / run_ticks. */
struct slope {
    uint64_t first_tick;
    uint64_t ticks;   /* for which it holds, behind the first */
    int64_t first_ns; /* from the session's start */
    uint64_t first_scaled;
    uint64_t whole;
    uint64_t scaled;
};

/* Times up to here are so small that nothing overflows, nor needs a clamp. */
#define MAX_SLOPE_NS (INT64_C(1) << 61)

static uint64_t scale_up(uint64_t part, uint64_t all)
{
    return (uint64_t)((((unsigned_wide)part << 64) + all - 1) / all);
}

/* False when the tick is better converted by itself. */
static bool find_slope(const struct trace_clock_map *map, const struct clock_entry *entry,
                       uint64_t tick, struct slope *slope)
{
    struct line line = find_line(entry, tick);
    uint64_t run = line.run_ticks, whole = line.rise_ns / run;
    uint64_t most_ticks = UINT64_MAX / run - 1, most_without_clamp = MAX_SLOPE_NS / (whole + 1);
    if (tick < line.tick || run > INT64_MAX || whole > INT64_MAX)
        return false;
    if (most_ticks > most_without_clamp)
        most_ticks = most_without_clamp;
    /* From the line's begin on, where it reaches so far: ticks of other tracks may be earlier. */
    uint64_t first = tick - line.tick <= most_ticks ? line.tick : tick;
    unsigned_wide before = (unsigned_wide)(first - line.tick) * line.rise_ns;
    if (before / run > (uint64_t)MAX_SLOPE_NS)
        return false;
    wide first_ns = (wide)line.ns + (wide)(before / run) - map->zero_ns;
    if (first_ns < TRACE_FIRST_NS || first_ns > MAX_SLOPE_NS)
        return false;
    uint64_t left = line.last_tick - first;
    *slope = (struct slope){.first_tick = first,
                            .ticks = left < most_ticks ? left : most_ticks,
                            .first_ns = (int64_t)first_ns,
                            .first_scaled = scale_up((uint64_t)(before % run), run),
                            .whole = whole,
                            .scaled = scale_up(line.rise_ns % run, run)};
    return true;
}

/* Converts ticks up to the first that is not on the slope. Returns how many. */
static size_t follow_slope(const struct slope *slope, const uint64_t *ticks, int64_t *ns,
                           size_t count)
{
    const struct slope line = *slope;
    size_t i = 0;
    for (; i < count && ticks[i] - line.first_tick <= line.ticks; i++) {
        uint64_t behind = ticks[i] - line.first_tick;
        unsigned_wide part = (unsigned_wide)behind * line.scaled + line.first_scaled;
        ns[i] = line.first_ns + (int64_t)(behind * line.whole + (uint64_t)(part >> 64));
    }
    return i;
}

void trace_clock_map_all_ns(const struct trace_clock_map *map, uint32_t clock,
                            const uint64_t *ticks, int64_t *ns, size_t count)
{
    const struct clock_entry *entry = find_clock(map, clock);
    bool is_plain = entry == NULL || entry->clock.source == LCAP_CLOCK_MONOTONIC;
    if (is_plain && entry != NULL && subtract_zero(map, ticks, ns, count))
        return;
    struct slope slope;
    for (size_t i = 0; i < count;) {
        if (!is_plain && find_slope(map, entry, ticks[i], &slope)) {
            i += follow_slope(&slope, ticks + i, ns + i, count - i);
        } else {
            ns[i] = trace_clock_map_ns(map, clock, ticks[i]);
            i++;
        }
    }
}
