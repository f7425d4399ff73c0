/* The two sets of work sizes that the arena runs with. */
#include "arena_scale.h"

struct arena_scale arena_scale_make(bool dense)
{
    if (dense)
        return (struct arena_scale){.crowd_percent = 175,
                                    .agents_per_batch = 8,
                                    .agents_per_chunk = 256,
                                    .nodes_per_expansion = 8,
                                    .tile_width_px = 16,
                                    .tile_height_px = 14};
    return (struct arena_scale){.crowd_percent = 100,
                                .agents_per_batch = 64,
                                .agents_per_chunk = 1024,
                                .nodes_per_expansion = 64,
                                .tile_width_px = 64,
                                .tile_height_px = 32};
}
