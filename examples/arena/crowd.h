/* The crowd: the state of all agents, by column, and the squads that they march in. */
#ifndef CROWD_H
#define CROWD_H

#include <stdint.h>

#include "arena_math.h"
#include "level.h"
#include "path_search.h"

enum { CROWD_CAPACITY = 8192, CROWD_SQUADS = 64 };

/* Where agents are and how they move. There are two: passes read one and write the other, so that
 * the order in which threads come to an agent cannot change the result. */
struct crowd_motion {
    float x[CROWD_CAPACITY];
    float y[CROWD_CAPACITY];
    float speed_x[CROWD_CAPACITY]; /* units per step */
    float speed_y[CROWD_CAPACITY];
};

struct crowd_squad {
    float goal_x;
    float goal_y;
    uint32_t path_version; /* counts the paths that this squad was given */
    struct path path;
};

struct crowd {
    uint32_t count;
    uint32_t present; /* which motion is read */
    struct crowd_motion motion[2];
    float stride[CROWD_CAPACITY]; /* turns of the walk cycle */
    float facing_x[CROWD_CAPACITY];
    float facing_y[CROWD_CAPACITY];
    uint32_t waypoint[CROWD_CAPACITY]; /* of the squad's path */
    uint32_t path_version[CROWD_CAPACITY];
    struct crowd_squad squads[CROWD_SQUADS];
};

static inline struct crowd_motion *crowd_present(struct crowd *crowd)
{
    return &crowd->motion[crowd->present];
}

static inline struct crowd_motion *crowd_next(struct crowd *crowd)
{
    return &crowd->motion[crowd->present ^ 1U];
}

/* What was written becomes what is read. Only between passes. */
static inline void crowd_swap(struct crowd *crowd)
{
    crowd->present ^= 1U;
}

/* The squad of an agent. A squad's leader is the agent of the squad's own number. */
static inline uint32_t crowd_squad_of(uint32_t agent)
{
    return agent % CROWD_SQUADS;
}

/* Lets some agents come or go towards `target` of them. */
void crowd_resize(struct crowd *crowd, const struct level *level, struct arena_random *random,
                  uint32_t target);

/* Puts agents that stand in the walls of a new level to its spawn points; paths are forgotten. */
void crowd_enter_level(struct crowd *crowd, const struct level *level, struct arena_random *random);

/* Folds the state of all agents into `sum`. */
uint64_t crowd_checksum(const struct crowd *crowd, uint64_t sum);

#endif
