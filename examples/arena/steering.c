/* Steering: what each agent wants, from its neighbours and its squad's path. */
#include <ludus/profile.h>

#include "simulation.h"

static const float steering_sight = 2.2F;
static const float steering_speed_max = 0.09F; /* units per step */

/* What an agent sees of its neighbours. */
struct steering_view {
    float away_x, away_y;     /* from those too close */
    float flow_x, flow_y;     /* sum of their speeds */
    float centre_x, centre_y; /* sum of their places, relative to the agent */
    float count;
};

static void steering_agent_look(const struct simulation *simulation,
                                const struct crowd_motion *present, uint32_t agent,
                                struct steering_view *view)
{
    uint32_t near[SPATIAL_HASH_NEAR_MAX];
    float x = present->x[agent], y = present->y[agent];
    uint32_t count = spatial_hash_near(&simulation->hash, x, y, near);
    *view = (struct steering_view){0};
    for (uint32_t i = 0; i < count; i++) {
        float to_x = present->x[near[i]] - x, to_y = present->y[near[i]] - y;
        float square = to_x * to_x + to_y * to_y;
        if (near[i] == agent || square > steering_sight * steering_sight)
            continue;
        float push = 1.0F / (square + 0.05F);
        view->away_x -= to_x * push;
        view->away_y -= to_y * push;
        view->flow_x += present->speed_x[near[i]];
        view->flow_y += present->speed_y[near[i]];
        view->centre_x += to_x;
        view->centre_y += to_y;
        view->count += 1.0F;
    }
}

static void steering_gather(const struct simulation *simulation, const struct crowd_motion *present,
                            uint32_t first, uint32_t last, struct steering_view *views)
{
    LUDUS_PROFILE_SCOPE(Steering/Gather, LUDUS_PROFILE_CAT(Simulation));
    for (uint32_t agent = first; agent < last; agent++)
        steering_agent_look(simulation, present, agent, &views[agent - first]);
}

static float steering_point_distance(const struct path *path, uint32_t point, float x, float y)
{
    return arena_length((float)path->cell_x[point] + 0.5F - x,
                        (float)path->cell_y[point] + 0.5F - y);
}

/* Moves the agent's waypoint on, or to the nearest point when the squad's path is a new one. */
static void steering_waypoint_update(struct crowd *crowd, uint32_t agent, float x, float y)
{
    const struct crowd_squad *squad = &crowd->squads[crowd_squad_of(agent)];
    const struct path *path = &squad->path;
    if (crowd->path_version[agent] != squad->path_version) {
        float nearest = steering_point_distance(path, 0, x, y);
        crowd->path_version[agent] = squad->path_version;
        crowd->waypoint[agent] = 0;
        for (uint32_t point = 1; point < path->count; point++) {
            float distance = steering_point_distance(path, point, x, y);
            if (distance < nearest) {
                nearest = distance;
                crowd->waypoint[agent] = point;
            }
        }
    } else if (crowd->waypoint[agent] + 1 < path->count &&
               steering_point_distance(path, crowd->waypoint[agent], x, y) < 1.2F) {
        crowd->waypoint[agent]++;
    }
}

/* The direction in which the agent wants to go. */
static void steering_agent_decide(struct crowd *crowd, const struct crowd_motion *present,
                                  uint32_t agent, const struct steering_view *view, float *want_x,
                                  float *want_y)
{
    const struct crowd_squad *squad = &crowd->squads[crowd_squad_of(agent)];
    float x = present->x[agent], y = present->y[agent];
    float goal_x = squad->goal_x - x, goal_y = squad->goal_y - y;
    if (squad->path.count != 0) {
        steering_waypoint_update(crowd, agent, x, y);
        uint32_t point = crowd->waypoint[agent] < squad->path.count ? crowd->waypoint[agent] : 0;
        goal_x = (float)squad->path.cell_x[point] + 0.5F - x;
        goal_y = (float)squad->path.cell_y[point] + 0.5F - y;
    }
    float goal_scale = 1.0F / arena_length(goal_x, goal_y);
    float part = 1.0F / (view->count + 1.0F);
    *want_x = goal_x * goal_scale + view->away_x * 0.22F + view->flow_x * part * 2.5F +
              view->centre_x * part * 0.08F;
    *want_y = goal_y * goal_scale + view->away_y * 0.22F + view->flow_y * part * 2.5F +
              view->centre_y * part * 0.08F;
}

static void steering_decide(struct crowd *crowd, const struct crowd_motion *present, uint32_t first,
                            uint32_t last, const struct steering_view *views, float *want_x,
                            float *want_y)
{
    LUDUS_PROFILE_SCOPE(Steering/Decide, LUDUS_PROFILE_CAT(Simulation));
    for (uint32_t agent = first; agent < last; agent++)
        steering_agent_decide(crowd, present, agent, &views[agent - first], &want_x[agent - first],
                              &want_y[agent - first]);
}

static void steering_integrate(struct crowd *crowd, const struct crowd_motion *present,
                               uint32_t first, uint32_t last, const float *want_x,
                               const float *want_y)
{
    LUDUS_PROFILE_SCOPE(Steering/Integrate, LUDUS_PROFILE_CAT(Simulation));
    struct crowd_motion *next = crowd_next(crowd);
    for (uint32_t agent = first; agent < last; agent++) {
        float speed_x = present->speed_x[agent] * 0.85F + want_x[agent - first] * 0.015F;
        float speed_y = present->speed_y[agent] * 0.85F + want_y[agent - first] * 0.015F;
        float speed = arena_length(speed_x, speed_y);
        float scale = speed > steering_speed_max ? steering_speed_max / speed : 1.0F;
        next->speed_x[agent] = speed_x * scale;
        next->speed_y[agent] = speed_y * scale;
        next->x[agent] = present->x[agent] + next->speed_x[agent];
        next->y[agent] = present->y[agent] + next->speed_y[agent];
        crowd->facing_x[agent] += (speed_x / speed - crowd->facing_x[agent]) * 0.2F;
        crowd->facing_y[agent] += (speed_y / speed - crowd->facing_y[agent]) * 0.2F;
    }
}

void steering_job(void *context, uint32_t first_batch, uint32_t last_batch)
{
    struct simulation *simulation = context;
    const struct crowd_motion *present = crowd_present(&simulation->crowd);
    for (uint32_t batch = first_batch; batch < last_batch; batch++) {
        LUDUS_PROFILE_SCOPE(Steering/Batch, LUDUS_PROFILE_CAT(Simulation));
        struct steering_view views[ARENA_BATCH_MAX];
        float want_x[ARENA_BATCH_MAX], want_y[ARENA_BATCH_MAX];
        uint32_t first = 0, last = 0;
        simulation_batch(simulation, batch, &first, &last);
        steering_gather(simulation, present, first, last, views);
        steering_decide(&simulation->crowd, present, first, last, views, want_x, want_y);
        steering_integrate(&simulation->crowd, present, first, last, want_x, want_y);
    }
}
