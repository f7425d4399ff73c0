/* Collision: agents push each other apart and are kept out of walls. */
#include <ludus/profile.h>

#include "simulation.h"

static const float collision_radius = 0.32F;

/* Every agent moves by half of each overlap; its neighbour moves by the other half in its turn. */
static void collision_pairs(const struct simulation *simulation, const struct crowd_motion *present,
                            struct crowd_motion *next, uint32_t first, uint32_t last)
{
    LUDUS_PROFILE_SCOPE(Collision/Pairs, LUDUS_PROFILE_CAT(Simulation));
    const float reach = 2.0F * collision_radius;
    uint32_t near[SPATIAL_HASH_NEAR_MAX];
    uint32_t contacts = 0;
    for (uint32_t agent = first; agent < last; agent++) {
        float x = present->x[agent], y = present->y[agent];
        float push_x = 0.0F, push_y = 0.0F;
        uint32_t count = spatial_hash_near(&simulation->hash, x, y, near);
        for (uint32_t i = 0; i < count; i++) {
            float from_x = x - present->x[near[i]], from_y = y - present->y[near[i]];
            float square = from_x * from_x + from_y * from_y;
            if (near[i] == agent || square >= reach * reach)
                continue;
            contacts++;
            float distance = sqrtf(square) + 1e-4F;
            float overlap = 0.5F * (reach - distance) / distance;
            push_x += from_x * overlap;
            push_y += from_y * overlap;
        }
        next->x[agent] = x + arena_clamp(push_x, -0.2F, 0.2F);
        next->y[agent] = y + arena_clamp(push_y, -0.2F, 0.2F);
    }
    LUDUS_PROFILE_COUNT(Collision/Contacts, contacts, LUDUS_PROFILE_CAT(Simulation));
}

/* Keeps a coordinate off the walls before and behind it. */
static float collision_axis_clamp(float at, int32_t cell, bool blocked_before, bool blocked_behind)
{
    float low = (float)cell + (blocked_before ? collision_radius : 0.0F);
    float high = (float)cell + 1.0F - (blocked_behind ? collision_radius : 0.001F);
    return arena_clamp(at, blocked_before ? low : at, blocked_behind ? high : at);
}

static void collision_walls(const struct level *level, const struct crowd_motion *present,
                            struct crowd_motion *next, uint32_t first, uint32_t last)
{
    LUDUS_PROFILE_SCOPE(Collision/Walls, LUDUS_PROFILE_CAT(Simulation));
    for (uint32_t agent = first; agent < last; agent++) {
        /* The cell that the agent comes from is free; its walls are the ones that count. */
        int32_t cell_x = arena_floor(present->x[agent]);
        int32_t cell_y = arena_floor(present->y[agent]);
        if (level_is_blocked(level, cell_x, cell_y)) {
            next->x[agent] = level->spawn_x[agent % level->spawn_count];
            next->y[agent] = level->spawn_y[agent % level->spawn_count];
        } else {
            next->x[agent] = collision_axis_clamp(next->x[agent], cell_x,
                                                  level_is_blocked(level, cell_x - 1, cell_y),
                                                  level_is_blocked(level, cell_x + 1, cell_y));
            next->y[agent] = collision_axis_clamp(next->y[agent], cell_y,
                                                  level_is_blocked(level, cell_x, cell_y - 1),
                                                  level_is_blocked(level, cell_x, cell_y + 1));
        }
        next->speed_x[agent] = present->speed_x[agent];
        next->speed_y[agent] = present->speed_y[agent];
    }
}

void collision_job(void *context, uint32_t first_batch, uint32_t last_batch)
{
    struct simulation *simulation = context;
    const struct crowd_motion *present = crowd_present(&simulation->crowd);
    struct crowd_motion *next = crowd_next(&simulation->crowd);
    for (uint32_t batch = first_batch; batch < last_batch; batch++) {
        LUDUS_PROFILE_SCOPE(Collision/Batch, LUDUS_PROFILE_CAT(Simulation));
        uint32_t first = 0, last = 0;
        simulation_batch(simulation, batch, &first, &last);
        collision_pairs(simulation, present, next, first, last);
        collision_walls(&simulation->level, present, next, first, last);
    }
}
