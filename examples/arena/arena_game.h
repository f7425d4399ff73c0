/* The game: owns the world, the view and the threads, and plays frames. */
#ifndef ARENA_GAME_H
#define ARENA_GAME_H

#include <stdbool.h>
#include <stdint.h>

#include "arena_plants.h"

enum { ARENA_MESSAGE_SIZE = 512 };

struct arena_game;

/* What a run came to. */
struct arena_totals {
    uint64_t checksum; /* over the simulation's state and the picture of every frame */
    uint32_t levels_streamed;
    uint64_t read_bytes;
    uint64_t packed_bytes;
};

/* Makes the world of `seed`. NULL on failure, and `message` then says why in one line. */
struct arena_game *arena_game_create(uint64_t seed, bool dense, char message[ARENA_MESSAGE_SIZE]);

/* Plants faults for all frames to come. */
void arena_game_plant(struct arena_game *game, const struct arena_plants *plants);

/* NULL is allowed. */
void arena_game_destroy(struct arena_game *game);

/* Plays one frame. False on failure, and `message` then says why. */
bool arena_game_frame(struct arena_game *game, char message[ARENA_MESSAGE_SIZE]);

/* CPU time that the worker threads have used so far. */
uint64_t arena_game_workers_cpu_ns(const struct arena_game *game);

struct arena_totals arena_game_totals(const struct arena_game *game);

#endif
