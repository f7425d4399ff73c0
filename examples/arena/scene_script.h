/* The scene script: which scene plays, how large the crowd should be, where the camera looks. */
#ifndef SCENE_SCRIPT_H
#define SCENE_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

#include "arena_math.h"

/* In the order in which a level plays them. */
enum scene { SCENE_MUSTER, SCENE_MARCH, SCENE_BATTLE, SCENE_RETREAT, SCENE_LULL, SCENE_COUNT };

struct scene_script {
    struct arena_random random;
    enum scene scene;
    uint32_t frames_left; /* of the scene */
    uint32_t level_number;
    uint32_t crowd_percent;
    uint32_t crowd_target;
    float camera_turns;
    float camera_x;
    float camera_y;
    float pixels_per_unit;
    bool scene_began; /* with the present frame */
    bool level_began;
};

/* Before the first frame. */
void scene_script_init(struct scene_script *script, uint64_t seed, uint32_t crowd_percent);

/* Goes on by one frame. */
void scene_script_advance(struct scene_script *script);

#endif
