/* How finely the arena cuts its work, and so how many slices a frame has. */
#ifndef ARENA_SCALE_H
#define ARENA_SCALE_H

#include <stdbool.h>
#include <stdint.h>

/* Bounds of the values below; arrays on the stack are made for them. */
enum {
    ARENA_BATCH_MAX = 64, /* agents */
    ARENA_TILE_PIXEL_MAX = 2048
};

struct arena_scale {
    uint32_t crowd_percent;       /* of the crowd sizes in the scene script */
    uint32_t agents_per_batch;    /* of work that is spread over threads */
    uint32_t agents_per_chunk;    /* of passes on the main thread */
    uint32_t nodes_per_expansion; /* of a path search */
    uint32_t tile_width_px;       /* divides the view's width */
    uint32_t tile_height_px;      /* divides the view's height */
};

/* About 1,000 slices a frame, or about 10,000 of a tenth of the work. */
struct arena_scale arena_scale_make(bool dense);

static inline uint32_t arena_batch_count(uint32_t items, uint32_t per_batch)
{
    return (items + per_batch - 1) / per_batch;
}

#endif
