/* The simulation's step: goals, hash, paths beside steering, and two rounds of collision. */
#include "simulation.h"

#include <ludus/profile.h>

enum { COLLISION_ROUNDS = 2 };

static const float goal_reached_distance = 3.0F;

/* A free place for a squad to go to; near the middle when the scene calls for a fight. */
static void strategy_goal_pick(struct simulation *simulation, enum scene scene,
                               struct crowd_squad *squad)
{
    const struct level *level = &simulation->level;
    float spread = scene == SCENE_BATTLE ? 24.0F : 42.0F;
    float middle = (float)LEVEL_SIDE * 0.5F;
    if (scene == SCENE_MUSTER || scene == SCENE_RETREAT) {
        uint32_t spawn = arena_random_below(&simulation->random, level->spawn_count);
        squad->goal_x = level->spawn_x[spawn];
        squad->goal_y = level->spawn_y[spawn];
        return;
    }
    for (uint32_t attempt = 0; attempt < 8; attempt++) {
        squad->goal_x = middle + arena_random_between(&simulation->random, -spread, spread);
        squad->goal_y = middle + arena_random_between(&simulation->random, -spread, spread);
        if (!level_is_blocked(level, arena_floor(squad->goal_x), arena_floor(squad->goal_y)))
            return;
    }
}

static void strategy_assign(struct simulation *simulation, const struct scene_script *script)
{
    LUDUS_PROFILE_SCOPE(Strategy/Assign, LUDUS_PROFILE_CAT(Path));
    const struct crowd_motion *present = crowd_present(&simulation->crowd);
    for (uint32_t i = 0; i < CROWD_SQUADS && i < simulation->crowd.count; i++) {
        struct crowd_squad *squad = &simulation->crowd.squads[i];
        float left = arena_length(squad->goal_x - present->x[i], squad->goal_y - present->y[i]);
        if (script->scene_began || left < goal_reached_distance)
            strategy_goal_pick(simulation, script->scene, squad);
    }
}

static uint32_t simulation_cell(float x, float y)
{
    int32_t cell_x = arena_floor(arena_clamp(x, 0.0F, (float)LEVEL_SIDE - 0.5F));
    int32_t cell_y = arena_floor(arena_clamp(y, 0.0F, (float)LEVEL_SIDE - 0.5F));
    return (uint32_t)(cell_y * LEVEL_SIDE + cell_x);
}

/* The squads take turns to have their path searched anew, from their leader. */
static void path_request(struct simulation *simulation)
{
    LUDUS_PROFILE_SCOPE(Path/Request, LUDUS_PROFILE_CAT(Path));
    const struct crowd_motion *present = crowd_present(&simulation->crowd);
    simulation->search_count = 0;
    while (simulation->search_count < SIMULATION_SEARCHES) {
        uint32_t squad = simulation->search_next;
        simulation->search_next = (squad + 1) % CROWD_SQUADS;
        struct path_search *search = &simulation->searches[simulation->search_count++];
        search->squad = squad;
        search->from = simulation_cell(present->x[squad], present->y[squad]);
        search->to = simulation_cell(simulation->crowd.squads[squad].goal_x,
                                     simulation->crowd.squads[squad].goal_y);
    }
}

static void path_job(void *context, uint32_t first, uint32_t last)
{
    struct simulation *simulation = context;
    for (uint32_t i = first; i < last; i++)
        path_search_run(&simulation->searches[i], &simulation->level,
                        simulation->scale.nodes_per_expansion);
}

/* Steering reads the old paths while the new ones are searched; here they change hands. */
static void path_publish(struct simulation *simulation)
{
    LUDUS_PROFILE_SCOPE(Path/Publish, LUDUS_PROFILE_CAT(Path));
    for (uint32_t i = 0; i < simulation->search_count; i++) {
        const struct path_search *search = &simulation->searches[i];
        struct crowd_squad *squad = &simulation->crowd.squads[search->squad];
        squad->path = search->path;
        squad->path_version++;
    }
}

static void simulation_steer(struct simulation *simulation, uint32_t batches)
{
    LUDUS_PROFILE_SCOPE(Simulation/Steer, LUDUS_PROFILE_CAT(Simulation));
    struct job_group group = {0};
    job_queue_submit(simulation->jobs, &group, path_job, simulation, simulation->search_count,
                     SIMULATION_SEARCHES);
    job_queue_submit(simulation->jobs, &group, steering_job, simulation, batches, SIMULATION_JOBS);
    job_queue_wait(simulation->jobs, &group);
    crowd_swap(&simulation->crowd);
}

static void simulation_collide(struct simulation *simulation, uint32_t batches)
{
    LUDUS_PROFILE_SCOPE(Simulation/Collide, LUDUS_PROFILE_CAT(Simulation));
    for (uint32_t round = 0; round < COLLISION_ROUNDS; round++) {
        struct job_group group = {0};
        job_queue_submit(simulation->jobs, &group, collision_job, simulation, batches,
                         SIMULATION_JOBS);
        job_queue_wait(simulation->jobs, &group);
        crowd_swap(&simulation->crowd);
    }
}

void simulation_step(struct simulation *simulation, const struct scene_script *script)
{
    LUDUS_PROFILE_SCOPE(Simulation/Step, LUDUS_PROFILE_CAT(Simulation));
    uint32_t batches =
        arena_batch_count(simulation->crowd.count, simulation->scale.agents_per_batch);
    strategy_assign(simulation, script);
    spatial_hash_build(&simulation->hash, &simulation->crowd, simulation->scale.agents_per_chunk);
    path_request(simulation);
    simulation_steer(simulation, batches);
    path_publish(simulation);
    simulation_collide(simulation, batches);
}
