/* The skeleton: bones, clips made of waves, and the arithmetic of poses. */
#include "skeleton.h"

#include "arena_math.h"

/* Parents stand before their children. `swing` is the part of a stride's angle that a bone takes,
 * and `lag` its place in the stride. */
static const struct {
    uint8_t parent;
    struct skeleton_point offset;
    float swing;
    float lag;
} skeleton_bones[SKELETON_BONES] = {
    {0, {0.00F, 0.00F, 0.95F}, 0.05F, 0.0F},   /* hips */
    {0, {0.00F, 0.00F, 0.15F}, 0.06F, 0.0F},   /* spine */
    {1, {0.00F, 0.00F, 0.18F}, 0.06F, 0.1F},   /* chest */
    {2, {0.00F, 0.00F, 0.22F}, 0.05F, 0.2F},   /* neck */
    {3, {0.02F, 0.00F, 0.14F}, 0.04F, 0.3F},   /* head */
    {4, {0.00F, 0.00F, 0.14F}, 0.02F, 0.3F},   /* crown */
    {2, {0.00F, 0.18F, 0.16F}, 0.10F, 0.5F},   /* left shoulder */
    {6, {0.00F, 0.06F, -0.28F}, 0.50F, 0.5F},  /* left elbow */
    {7, {0.05F, 0.02F, -0.25F}, 0.40F, 0.55F}, /* left hand */
    {8, {0.03F, 0.00F, -0.10F}, 0.20F, 0.6F},  /* left fingers */
    {2, {0.00F, -0.18F, 0.16F}, 0.10F, 0.0F},  /* right shoulder */
    {10, {0.00F, -0.06F, -0.28F}, 0.50F, 0.0F},
    {11, {0.05F, -0.02F, -0.25F}, 0.40F, 0.05F},
    {12, {0.03F, 0.00F, -0.10F}, 0.20F, 0.1F},
    {0, {0.00F, 0.10F, -0.05F}, 0.20F, 0.0F}, /* left hip joint */
    {14, {0.03F, 0.00F, -0.43F}, 0.70F, 0.0F},
    {15, {-0.03F, 0.00F, -0.42F}, 0.60F, 0.15F},
    {0, {0.00F, -0.10F, -0.05F}, 0.20F, 0.5F}, /* right hip joint */
    {17, {0.03F, 0.00F, -0.43F}, 0.70F, 0.5F},
    {18, {-0.03F, 0.00F, -0.42F}, 0.60F, 0.65F},
};

static struct skeleton_rotation skeleton_unit(struct skeleton_rotation rotation)
{
    float square = rotation.x * rotation.x + rotation.y * rotation.y + rotation.z * rotation.z +
                   rotation.w * rotation.w;
    float scale = 1.0F / sqrtf(square + 1e-12F);
    return (struct skeleton_rotation){rotation.x * scale, rotation.y * scale, rotation.z * scale,
                                      rotation.w * scale};
}

void skeleton_init(struct skeleton *skeleton)
{
    static const float strength[SKELETON_CLIPS] = {
        [CLIP_STAND] = 0.08F, [CLIP_WALK] = 0.6F, [CLIP_RUN] = 1.1F};
    for (uint32_t clip = 0; clip < SKELETON_CLIPS; clip++)
        for (uint32_t key = 0; key < SKELETON_KEYS; key++)
            for (uint32_t bone = 0; bone < SKELETON_BONES; bone++) {
                float turns = (float)key / SKELETON_KEYS + skeleton_bones[bone].lag;
                float angle = strength[clip] * skeleton_bones[bone].swing * arena_wave(turns);
                /* Mostly about the left-right axis, a little about the others. */
                skeleton->keys[clip][key].bones[bone] = skeleton_unit(
                    (struct skeleton_rotation){angle * 0.1F, angle * 0.5F, angle * 0.05F, 1.0F});
            }
}

/* Between two rotations, along the straight line, which leaves it a little too short. */
static struct skeleton_rotation skeleton_mix(struct skeleton_rotation from,
                                             struct skeleton_rotation to, float part)
{
    float alike = from.x * to.x + from.y * to.y + from.z * to.z + from.w * to.w;
    float to_part = alike < 0.0F ? -part : part; /* the shorter way round */
    float from_part = 1.0F - part;
    return (struct skeleton_rotation){
        from.x * from_part + to.x * to_part, from.y * from_part + to.y * to_part,
        from.z * from_part + to.z * to_part, from.w * from_part + to.w * to_part};
}

void skeleton_sample(const struct skeleton *skeleton, enum skeleton_clip clip, float turns,
                     struct skeleton_pose *pose)
{
    float place = (turns - (float)arena_floor(turns)) * SKELETON_KEYS;
    uint32_t key = (uint32_t)place % SKELETON_KEYS;
    float part = place - (float)(uint32_t)place;
    const struct skeleton_pose *from = &skeleton->keys[clip][key];
    const struct skeleton_pose *to = &skeleton->keys[clip][(key + 1) % SKELETON_KEYS];
    for (uint32_t bone = 0; bone < SKELETON_BONES; bone++)
        pose->bones[bone] = skeleton_mix(from->bones[bone], to->bones[bone], part);
}

void skeleton_blend(struct skeleton_pose *pose, const struct skeleton_pose *other, float part)
{
    for (uint32_t bone = 0; bone < SKELETON_BONES; bone++)
        pose->bones[bone] =
            skeleton_unit(skeleton_mix(pose->bones[bone], other->bones[bone], part));
}

static struct skeleton_rotation skeleton_turn(struct skeleton_rotation a,
                                              struct skeleton_rotation b)
{
    return (struct skeleton_rotation){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                                      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                                      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                                      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static struct skeleton_point skeleton_rotate(struct skeleton_rotation by,
                                             struct skeleton_point point)
{
    float cross_x = 2.0F * (by.y * point.z - by.z * point.y);
    float cross_y = 2.0F * (by.z * point.x - by.x * point.z);
    float cross_z = 2.0F * (by.x * point.y - by.y * point.x);
    return (struct skeleton_point){point.x + by.w * cross_x + by.y * cross_z - by.z * cross_y,
                                   point.y + by.w * cross_y + by.z * cross_x - by.x * cross_z,
                                   point.z + by.w * cross_z + by.x * cross_y - by.y * cross_x};
}

void skeleton_compose(const struct skeleton_pose *pose,
                      struct skeleton_point joints[SKELETON_BONES])
{
    struct skeleton_rotation whole[SKELETON_BONES];
    whole[0] = pose->bones[0];
    joints[0] = skeleton_bones[0].offset;
    for (uint32_t bone = 1; bone < SKELETON_BONES; bone++) {
        uint32_t parent = skeleton_bones[bone].parent;
        struct skeleton_point arm = skeleton_rotate(whole[parent], skeleton_bones[bone].offset);
        whole[bone] = skeleton_turn(whole[parent], pose->bones[bone]);
        joints[bone] = (struct skeleton_point){joints[parent].x + arm.x, joints[parent].y + arm.y,
                                               joints[parent].z + arm.z};
    }
}

uint32_t skeleton_parent(uint32_t bone)
{
    return skeleton_bones[bone].parent;
}
