/* The scene script: five scenes make a level of 150 to 300 frames, over and over. */
#include "scene_script.h"

#include <ludus/profile.h>

#include "level.h"

enum { SCENE_FRAMES_MIN = 30, SCENE_FRAMES_SPREAD = 31 };

static const struct {
    uint32_t crowd;
    float pixels_per_unit;
} scene_plan[SCENE_COUNT] = {
    [SCENE_MUSTER] = {1950, 4.4F},  [SCENE_MARCH] = {2500, 4.6F}, [SCENE_BATTLE] = {3400, 5.6F},
    [SCENE_RETREAT] = {2750, 5.0F}, [SCENE_LULL] = {1700, 4.2F},
};

/* A mark's name is part of the source, so every scene has a mark of its own. */
static void scene_mark(enum scene scene)
{
    switch (scene) {
    case SCENE_MUSTER:
        LUDUS_PROFILE_MARK(Scene/Muster, LUDUS_PROFILE_CAT(Script));
        break;
    case SCENE_MARCH:
        LUDUS_PROFILE_MARK(Scene/March, LUDUS_PROFILE_CAT(Script));
        break;
    case SCENE_BATTLE:
        LUDUS_PROFILE_MARK(Scene/Battle, LUDUS_PROFILE_CAT(Script));
        break;
    case SCENE_RETREAT:
        LUDUS_PROFILE_MARK(Scene/Retreat, LUDUS_PROFILE_CAT(Script));
        break;
    case SCENE_LULL:
        LUDUS_PROFILE_MARK(Scene/Lull, LUDUS_PROFILE_CAT(Script));
        break;
    case SCENE_COUNT:
        break;
    }
}

static void scene_begin(struct scene_script *script, enum scene scene)
{
    script->scene = scene;
    script->scene_began = true;
    script->frames_left =
        SCENE_FRAMES_MIN + arena_random_below(&script->random, SCENE_FRAMES_SPREAD);
    script->crowd_target = scene_plan[scene].crowd * script->crowd_percent / 100;
    scene_mark(scene);
}

void scene_script_init(struct scene_script *script, uint64_t seed, uint32_t crowd_percent)
{
    *script = (struct scene_script){.random = {arena_mix(seed ^ 0x5c41e)},
                                    .crowd_percent = crowd_percent,
                                    .pixels_per_unit = scene_plan[SCENE_MUSTER].pixels_per_unit};
    scene_begin(script, SCENE_MUSTER);
}

static void scene_camera_move(struct scene_script *script)
{
    float wanted = scene_plan[script->scene].pixels_per_unit;
    float middle = (float)LEVEL_SIDE * 0.5F;
    script->camera_turns += 1.0F / 512.0F;
    script->camera_x = middle + 9.0F * arena_wave(script->camera_turns);
    script->camera_y = middle + 15.0F * arena_wave(script->camera_turns * 0.75F + 0.25F);
    script->pixels_per_unit += (wanted - script->pixels_per_unit) * 0.05F;
}

void scene_script_advance(struct scene_script *script)
{
    LUDUS_PROFILE_SCOPE(Script/Advance, LUDUS_PROFILE_CAT(Script));
    script->scene_began = false;
    script->level_began = false;
    if (script->frames_left == 0) {
        enum scene next = script->scene == SCENE_LULL ? SCENE_MUSTER : script->scene + 1;
        script->level_began = next == SCENE_MUSTER;
        script->level_number += script->level_began;
        if (script->level_began) {
            LUDUS_PROFILE_MARK(Level/Change, LUDUS_PROFILE_CAT(Script));
        }
        scene_begin(script, next);
    }
    script->frames_left--;
    scene_camera_move(script);
}
