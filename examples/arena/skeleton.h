/* The skeleton that all agents share, and the keyframed clips that move it. */
#ifndef SKELETON_H
#define SKELETON_H

#include <stdint.h>

enum {
    SKELETON_BONES = 20,
    SKELETON_KEYS = 16, /* of a clip, evenly spaced; the last is followed by the first */
    SKELETON_CLIPS = 3
};

/* In the order of speed. */
enum skeleton_clip { CLIP_STAND, CLIP_WALK, CLIP_RUN };

struct skeleton_rotation {
    float x, y, z, w; /* a unit quaternion */
};

struct skeleton_point {
    float x, y, z; /* x ahead, y to the left, z up; units */
};

/* A rotation for every bone, relative to its parent. */
struct skeleton_pose {
    struct skeleton_rotation bones[SKELETON_BONES];
};

struct skeleton {
    struct skeleton_pose keys[SKELETON_CLIPS][SKELETON_KEYS];
};

/* Makes the clips. */
void skeleton_init(struct skeleton *skeleton);

/* The pose of a clip at `turns`, of which 1 is the whole clip. Its rotations are nearly of unit
 * length; blending makes them so. */
void skeleton_sample(const struct skeleton *skeleton, enum skeleton_clip clip, float turns,
                     struct skeleton_pose *pose);

/* Goes from `pose` to `other` by `part`, 0 to 1. */
void skeleton_blend(struct skeleton_pose *pose, const struct skeleton_pose *other, float part);

/* Where the joints are when the skeleton stands at the origin and looks along x. */
void skeleton_compose(const struct skeleton_pose *pose,
                      struct skeleton_point joints[SKELETON_BONES]);

/* The joint at a bone's other end; the root's is itself. */
uint32_t skeleton_parent(uint32_t bone);

#endif
