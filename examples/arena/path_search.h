/* Path search: A* on the level's grid. */
#ifndef PATH_SEARCH_H
#define PATH_SEARCH_H

#include <stdint.h>

#include "level.h"

enum {
    PATH_POINT_MAX = 64,
    PATH_EXPANSION_MAX = 1200, /* cells a search may visit; then it goes to the best one so far */
    PATH_STEP_COUNT = 8,
    PATH_HEAP_SIZE = PATH_EXPANSION_MAX * PATH_STEP_COUNT + 1
};

/* Cells to walk to in a straight line, one after the other. */
struct path {
    uint32_t count;
    uint16_t cell_x[PATH_POINT_MAX];
    uint16_t cell_y[PATH_POINT_MAX];
};

/* One search: the question, the answer and the memory between them. All zeros before its first
 * use. Searches that run at one time each have their own. */
struct path_search {
    uint32_t from; /* cells, y * LEVEL_SIDE + x */
    uint32_t to;
    uint32_t squad; /* the asker */
    struct path path;
    uint32_t nearest;      /* the visited cell that is nearest to `to` */
    uint32_t nearest_cost; /* from there */
    uint32_t generation;   /* tells this search's marks from those of earlier ones */
    uint32_t seen[LEVEL_CELLS];
    uint32_t closed[LEVEL_CELLS];
    uint32_t cost[LEVEL_CELLS];
    uint16_t came_from[LEVEL_CELLS];
    uint32_t heap[PATH_HEAP_SIZE];
    uint32_t heap_count;
    uint16_t trail[LEVEL_CELLS];
};

/* Answers `search` for `level`, in expansions of `nodes_per_expansion` cells. */
void path_search_run(struct path_search *search, const struct level *level,
                     uint32_t nodes_per_expansion);

#endif
