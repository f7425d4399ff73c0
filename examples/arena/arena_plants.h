/* Faults that the arena is asked to have, so that it can be tried whether they are found: work that
 * is done again, and so changes no result. */
#ifndef ARENA_PLANTS_H
#define ARENA_PLANTS_H

#include <stdint.h>

struct arena_plants {
    uint32_t cost_percent; /* Tile/Ground draws so many of 100 rows twice; at most 100 */
    uint32_t calls;        /* so many tiles of a picture are drawn twice, at most all */
    uint32_t hitch_every; /* frames: then Streaming/Level loads the present level again; 0: never */
};

#endif
