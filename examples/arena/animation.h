/* Animation: a pose for every agent of the crowd. */
#ifndef ANIMATION_H
#define ANIMATION_H

#include "crowd.h"
#include "simulation.h"
#include "skeleton.h"

struct animation {
    struct simulation *simulation; /* borrowed */
    struct skeleton skeleton;
    struct skeleton_point joints[CROWD_CAPACITY][SKELETON_BONES]; /* relative to the agent */
};

/* Moves all skeletons on by one frame, on the job queue. */
void animation_update(struct animation *animation);

#endif
