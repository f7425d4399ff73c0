/* A* with integer costs (10 straight, 14 across) and a binary heap, then a smoothing pass that
 * keeps only the corners. */
#include "path_search.h"

#include <stdbool.h>
#include <stdlib.h>

#include <ludus/profile.h>

static const struct {
    int8_t x;
    int8_t y;
    uint8_t cost;
} path_steps[PATH_STEP_COUNT] = {{1, 0, 10}, {-1, 0, 10}, {0, 1, 10},  {0, -1, 10},
                                 {1, 1, 14}, {-1, 1, 14}, {1, -1, 14}, {-1, -1, 14}};

/* The cost between two cells when nothing stands in the way. */
static uint32_t path_guess(uint32_t from, uint32_t to)
{
    int32_t x = abs((int32_t)(from % LEVEL_SIDE) - (int32_t)(to % LEVEL_SIDE));
    int32_t y = abs((int32_t)(from / LEVEL_SIDE) - (int32_t)(to / LEVEL_SIDE));
    int32_t across = x < y ? x : y;
    return (uint32_t)(10 * (x + y) - 6 * across);
}

/* A heap entry is the expected cost of the whole path above the cell: 18 and 14 bits. */
static void path_heap_push(struct path_search *search, uint32_t expected, uint32_t cell)
{
    uint32_t entry = expected << 14 | cell;
    uint32_t at = search->heap_count++;
    while (at != 0 && search->heap[(at - 1) / 2] > entry) {
        search->heap[at] = search->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    search->heap[at] = entry;
}

static uint32_t path_heap_pop(struct path_search *search)
{
    uint32_t least = search->heap[0];
    uint32_t entry = search->heap[--search->heap_count];
    uint32_t at = 0;
    for (uint32_t child = 1; child < search->heap_count; child = at * 2 + 1) {
        if (child + 1 < search->heap_count && search->heap[child + 1] < search->heap[child])
            child++;
        if (search->heap[child] >= entry)
            break;
        search->heap[at] = search->heap[child];
        at = child;
    }
    search->heap[at] = entry;
    return least & 0x3fffU;
}

static void path_cell_reach(struct path_search *search, uint32_t cell, uint32_t cost, uint32_t from)
{
    if (search->seen[cell] == search->generation && search->cost[cell] <= cost)
        return;
    search->seen[cell] = search->generation;
    search->cost[cell] = cost;
    search->came_from[cell] = (uint16_t)from;
    path_heap_push(search, cost + path_guess(cell, search->to), cell);
}

static void path_cell_expand(struct path_search *search, const struct level *level, uint32_t cell)
{
    int32_t x = (int32_t)(cell % LEVEL_SIDE);
    int32_t y = (int32_t)(cell / LEVEL_SIDE);
    uint32_t guess = path_guess(cell, search->to);
    if (guess < search->nearest_cost) {
        search->nearest = cell;
        search->nearest_cost = guess;
    }
    for (uint32_t i = 0; i < PATH_STEP_COUNT; i++) {
        int32_t step_x = path_steps[i].x, step_y = path_steps[i].y;
        if (level_is_blocked(level, x + step_x, y + step_y) ||
            level_is_blocked(level, x + step_x, y) || level_is_blocked(level, x, y + step_y))
            continue;
        path_cell_reach(search, (uint32_t)((y + step_y) * LEVEL_SIDE + x + step_x),
                        search->cost[cell] + path_steps[i].cost, cell);
    }
}

/* Visits up to `limit` cells; false when the search is over. */
static bool path_expand(struct path_search *search, const struct level *level, uint32_t limit)
{
    LUDUS_PROFILE_SCOPE(Path/Expand, LUDUS_PROFILE_CAT(Path));
    for (uint32_t visited = 0; visited < limit;) {
        if (search->heap_count == 0)
            return false;
        uint32_t cell = path_heap_pop(search);
        if (search->closed[cell] == search->generation)
            continue; /* reached again by a shorter way, and visited then */
        search->closed[cell] = search->generation;
        path_cell_expand(search, level, cell);
        if (cell == search->to)
            return false;
        visited++;
    }
    return true;
}

/* Writes the way backwards, from the end to the start; returns the number of its cells. */
static uint32_t path_trace(struct path_search *search)
{
    LUDUS_PROFILE_SCOPE(Path/Trace, LUDUS_PROFILE_CAT(Path));
    uint32_t count = 0;
    uint32_t cell = search->nearest;
    for (;;) {
        search->trail[count++] = (uint16_t)cell;
        if (cell == search->from)
            return count;
        cell = search->came_from[cell];
    }
}

/* Whether an agent can walk straight from one cell to the other. */
static bool path_line_is_free(const struct level *level, uint32_t from, uint32_t to)
{
    int32_t x = (int32_t)(from % LEVEL_SIDE), y = (int32_t)(from / LEVEL_SIDE);
    int32_t away_x = (int32_t)(to % LEVEL_SIDE) - x, away_y = (int32_t)(to / LEVEL_SIDE) - y;
    int32_t samples = 2 * (abs(away_x) > abs(away_y) ? abs(away_x) : abs(away_y));
    for (int32_t i = 1; i < samples; i++) {
        /* In quarter cells, on both sides of the line, for the agents' breadth. */
        int32_t at_x = 4 * x + 2 + 4 * away_x * i / samples;
        int32_t at_y = 4 * y + 2 + 4 * away_y * i / samples;
        if (level_is_blocked(level, (at_x - 1) / 4, (at_y - 1) / 4) ||
            level_is_blocked(level, (at_x + 1) / 4, (at_y - 1) / 4) ||
            level_is_blocked(level, (at_x - 1) / 4, (at_y + 1) / 4) ||
            level_is_blocked(level, (at_x + 1) / 4, (at_y + 1) / 4))
            return false;
    }
    return true;
}

static void path_smooth(struct path_search *search, const struct level *level, uint32_t trail_count)
{
    LUDUS_PROFILE_SCOPE(Path/Smooth, LUDUS_PROFILE_CAT(Path));
    struct path *path = &search->path;
    uint32_t at = trail_count - 1;
    while (at != 0 && path->count < PATH_POINT_MAX) {
        uint32_t next = at - 1;
        while (next != 0 && path_line_is_free(level, search->trail[at], search->trail[next - 1]))
            next--;
        path->cell_x[path->count] = search->trail[next] % LEVEL_SIDE;
        path->cell_y[path->count++] = search->trail[next] / LEVEL_SIDE;
        at = next;
    }
}

void path_search_run(struct path_search *search, const struct level *level,
                     uint32_t nodes_per_expansion)
{
    LUDUS_PROFILE_SCOPE(Path/Search, LUDUS_PROFILE_CAT(Path));
    search->generation++;
    search->heap_count = 0;
    search->path.count = 0;
    search->nearest = search->from;
    search->nearest_cost = UINT32_MAX;
    path_cell_reach(search, search->from, 0, search->from);
    for (uint32_t visited = 0; visited < PATH_EXPANSION_MAX;) {
        uint32_t limit = PATH_EXPANSION_MAX - visited;
        if (limit > nodes_per_expansion)
            limit = nodes_per_expansion;
        if (!path_expand(search, level, limit))
            break;
        visited += limit;
    }
    path_smooth(search, level, path_trace(search));
}
