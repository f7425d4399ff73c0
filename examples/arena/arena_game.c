/* The game's frame: script, streaming, simulation, animation, view, checksum. */
#include "arena_game.h"

#include <stdio.h>
#include <stdlib.h>

#include <ludus/profile.h>

#include "animation.h"
#include "arena_scale.h"
#include "job_queue.h"
#include "scene_script.h"
#include "simulation.h"
#include "streaming.h"
#include "view.h"

enum {
    ARENA_WORKERS = 3,
    ARENA_CATCH_UP_STEPS = 3 /* simulated after a hitch, as a game does that has lost time */
};

struct arena_game {
    struct streaming *streaming;
    struct job_queue *jobs;
    struct scene_script script;
    struct simulation simulation;
    struct animation animation;
    struct view view;
    uint32_t steps;  /* of the coming frame */
    uint32_t frames; /* played */
    struct arena_totals totals;
};

struct arena_game *arena_game_create(uint64_t seed, bool dense, char message[ARENA_MESSAGE_SIZE])
{
    LUDUS_PROFILE_FUNCTION(LUDUS_PROFILE_CAT(Game));
    struct arena_game *game = calloc(1, sizeof *game);
    if (!game) {
        snprintf(message, ARENA_MESSAGE_SIZE, "not enough memory for the world");
        return NULL;
    }
    struct simulation *simulation = &game->simulation;
    simulation->scale = arena_scale_make(dense);
    simulation->random.state = arena_mix(seed ^ 0xc0de);
    game->steps = 1;
    game->animation.simulation = simulation;
    game->view.simulation = simulation;
    game->view.animation = &game->animation;
    skeleton_init(&game->animation.skeleton);
    scene_script_init(&game->script, seed, simulation->scale.crowd_percent);
    game->streaming = streaming_create(seed, message, ARENA_MESSAGE_SIZE);
    if (!game->streaming ||
        !streaming_load(game->streaming, 0, &simulation->level, message, ARENA_MESSAGE_SIZE)) {
        arena_game_destroy(game);
        return NULL;
    }
    game->jobs = job_queue_create(ARENA_WORKERS);
    if (!game->jobs) {
        snprintf(message, ARENA_MESSAGE_SIZE, "cannot start %d worker threads", (int)ARENA_WORKERS);
        arena_game_destroy(game);
        return NULL;
    }
    simulation->jobs = game->jobs;
    return game;
}

void arena_game_plant(struct arena_game *game, const struct arena_plants *plants)
{
    game->view.plants = *plants;
}

void arena_game_destroy(struct arena_game *game)
{
    if (!game)
        return;
    job_queue_destroy(game->jobs);
    streaming_destroy(game->streaming);
    free(game);
}

/* The hitch: everything else stands still until the level is there. */
static bool arena_game_level_enter(struct arena_game *game, char message[ARENA_MESSAGE_SIZE])
{
    LUDUS_PROFILE_FUNCTION(LUDUS_PROFILE_CAT(Streaming));
    struct simulation *simulation = &game->simulation;
    if (!streaming_load(game->streaming, game->script.level_number, &simulation->level, message,
                        ARENA_MESSAGE_SIZE))
        return false;
    crowd_enter_level(&simulation->crowd, &simulation->level, &simulation->random);
    game->totals.levels_streamed++;
    game->totals.checksum = arena_fold(game->totals.checksum, level_checksum(&simulation->level));
    return true;
}

/* The level that is there already, once more: the files make the same of it. */
static bool arena_game_planted_hitch(struct arena_game *game, char message[ARENA_MESSAGE_SIZE])
{
    uint32_t every = game->view.plants.hitch_every;
    return every == 0 || ++game->frames % every != 0 ||
           streaming_load(game->streaming, game->script.level_number, &game->simulation.level,
                          message, ARENA_MESSAGE_SIZE);
}

static void arena_game_checksum(struct arena_game *game, bool drawn)
{
    LUDUS_PROFILE_SCOPE(Game/Checksum, LUDUS_PROFILE_CAT(Game));
    uint64_t sum = crowd_checksum(&game->simulation.crowd, game->totals.checksum);
    for (uint32_t tile = 0; drawn && tile < game->view.tile_count; tile++)
        sum = arena_fold(sum, game->view.tile_sums[tile]);
    game->totals.checksum = sum;
}

bool arena_game_frame(struct arena_game *game, char message[ARENA_MESSAGE_SIZE])
{
    LUDUS_PROFILE_SCOPE(Game/Frame, LUDUS_PROFILE_CAT(Game));
    struct simulation *simulation = &game->simulation;
    scene_script_advance(&game->script);
    bool streamed = game->script.level_began;
    if (streamed && !arena_game_level_enter(game, message))
        return false;
    if (!arena_game_planted_hitch(game, message))
        return false;
    crowd_resize(&simulation->crowd, &simulation->level, &simulation->random,
                 game->script.crowd_target);
    LUDUS_PROFILE_GAUGE(Crowd/Agents, simulation->crowd.count, LUDUS_PROFILE_CAT(Simulation));
    for (uint32_t step = 0; step < game->steps; step++)
        simulation_step(simulation, &game->script);
    animation_update(&game->animation);
    /* The frame that waited for a level leaves the old picture standing. */
    if (!streamed)
        view_render(&game->view, &game->script);
    arena_game_checksum(game, !streamed);
    game->steps = streamed ? ARENA_CATCH_UP_STEPS : 1;
    return true;
}

uint64_t arena_game_workers_cpu_ns(const struct arena_game *game)
{
    return job_queue_cpu_ns(game->jobs);
}

struct arena_totals arena_game_totals(const struct arena_game *game)
{
    struct arena_totals totals = game->totals;
    totals.read_bytes = streaming_read_bytes(game->streaming);
    totals.packed_bytes = streaming_packed_bytes(game->streaming);
    return totals;
}
