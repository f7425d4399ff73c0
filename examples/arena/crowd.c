/* The crowd's coming and going. */
#include "crowd.h"

#include <string.h>

#include <ludus/profile.h>

enum { CROWD_CHANGE_MAX = 48 }; /* agents that come or go in a frame, of each thousand wanted */

static void crowd_agent_place(struct crowd *crowd, uint32_t agent, const struct level *level,
                              struct arena_random *random)
{
    uint32_t spawn = arena_random_below(random, level->spawn_count);
    for (uint32_t side = 0; side < 2; side++) {
        struct crowd_motion *motion = &crowd->motion[side];
        motion->speed_x[agent] = 0.0F;
        motion->speed_y[agent] = 0.0F;
    }
    struct crowd_motion *present = crowd_present(crowd);
    present->x[agent] = level->spawn_x[spawn] + arena_random_between(random, -0.4F, 0.4F);
    present->y[agent] = level->spawn_y[spawn] + arena_random_between(random, -0.4F, 0.4F);
    crowd->stride[agent] = arena_random_between(random, 0.0F, 1.0F);
    crowd->facing_x[agent] = 1.0F;
    crowd->facing_y[agent] = 0.0F;
    crowd->waypoint[agent] = 0;
    crowd->path_version[agent] = 0;
}

void crowd_resize(struct crowd *crowd, const struct level *level, struct arena_random *random,
                  uint32_t target)
{
    LUDUS_PROFILE_SCOPE(Crowd/Resize, LUDUS_PROFILE_CAT(Simulation));
    if (target > CROWD_CAPACITY)
        target = CROWD_CAPACITY;
    uint32_t change_max = 1 + target * CROWD_CHANGE_MAX / 1000;
    if (crowd->count == 0)
        change_max = target;
    if (crowd->count > target) {
        uint32_t surplus = crowd->count - target;
        crowd->count -= surplus < change_max ? surplus : change_max;
        return;
    }
    uint32_t missing = target - crowd->count;
    uint32_t last = crowd->count + (missing < change_max ? missing : change_max);
    for (uint32_t agent = crowd->count; agent < last; agent++)
        crowd_agent_place(crowd, agent, level, random);
    crowd->count = last;
}

void crowd_enter_level(struct crowd *crowd, const struct level *level, struct arena_random *random)
{
    LUDUS_PROFILE_SCOPE(Crowd/EnterLevel, LUDUS_PROFILE_CAT(Simulation));
    const struct crowd_motion *present = crowd_present(crowd);
    for (uint32_t squad = 0; squad < CROWD_SQUADS; squad++)
        crowd->squads[squad].path.count = 0;
    for (uint32_t agent = 0; agent < crowd->count; agent++)
        if (level_is_blocked(level, arena_floor(present->x[agent]), arena_floor(present->y[agent])))
            crowd_agent_place(crowd, agent, level, random);
}

/* Two floats, bit by bit, as one number. */
static uint64_t crowd_bits(float first, float second)
{
    uint32_t low = 0, high = 0;
    memcpy(&low, &first, sizeof low);
    memcpy(&high, &second, sizeof high);
    return (uint64_t)high << 32 | low;
}

uint64_t crowd_checksum(const struct crowd *crowd, uint64_t sum)
{
    const struct crowd_motion *present = &crowd->motion[crowd->present];
    sum = arena_fold(sum, crowd->count);
    for (uint32_t agent = 0; agent < crowd->count; agent++) {
        sum = arena_fold(sum, crowd_bits(present->x[agent], present->y[agent]));
        sum = arena_fold(sum, crowd_bits(present->speed_x[agent], present->speed_y[agent]));
    }
    return sum;
}
