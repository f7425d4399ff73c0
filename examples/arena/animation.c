/* Animation: two clips are sampled by speed, blended, and composed into joints. */
#include "animation.h"

#include <ludus/profile.h>

static const float animation_walk_speed = 0.045F; /* units per step; running is twice that */

/* What the batch needs between its three passes. */
struct animation_batch {
    struct skeleton_pose poses[ARENA_BATCH_MAX];
    struct skeleton_pose others[ARENA_BATCH_MAX];
    float parts[ARENA_BATCH_MAX];
};

static void animation_sample(struct animation *animation, uint32_t first, uint32_t last,
                             struct animation_batch *batch)
{
    LUDUS_PROFILE_SCOPE(Animation/Sample, LUDUS_PROFILE_CAT(Animation));
    struct crowd *crowd = &animation->simulation->crowd;
    const struct crowd_motion *present = crowd_present(crowd);
    for (uint32_t agent = first; agent < last; agent++) {
        float pace =
            arena_length(present->speed_x[agent], present->speed_y[agent]) / animation_walk_speed;
        enum skeleton_clip slow = pace < 1.0F ? CLIP_STAND : CLIP_WALK;
        enum skeleton_clip fast = pace < 1.0F ? CLIP_WALK : CLIP_RUN;
        uint32_t i = agent - first;
        crowd->stride[agent] += 0.008F + 0.018F * pace;
        crowd->stride[agent] -= (float)arena_floor(crowd->stride[agent]);
        batch->parts[i] = arena_clamp(pace < 1.0F ? pace : pace - 1.0F, 0.0F, 1.0F);
        skeleton_sample(&animation->skeleton, slow, crowd->stride[agent], &batch->poses[i]);
        skeleton_sample(&animation->skeleton, fast, crowd->stride[agent], &batch->others[i]);
    }
}

static void animation_blend(uint32_t count, struct animation_batch *batch)
{
    LUDUS_PROFILE_SCOPE(Animation/Blend, LUDUS_PROFILE_CAT(Animation));
    for (uint32_t i = 0; i < count; i++)
        skeleton_blend(&batch->poses[i], &batch->others[i], batch->parts[i]);
}

static void animation_compose(struct animation *animation, uint32_t first, uint32_t last,
                              const struct animation_batch *batch)
{
    LUDUS_PROFILE_SCOPE(Animation/Compose, LUDUS_PROFILE_CAT(Animation));
    for (uint32_t agent = first; agent < last; agent++)
        skeleton_compose(&batch->poses[agent - first], animation->joints[agent]);
}

static void animation_job(void *context, uint32_t first_batch, uint32_t last_batch)
{
    struct animation *animation = context;
    for (uint32_t i = first_batch; i < last_batch; i++) {
        LUDUS_PROFILE_SCOPE(Animation/Batch, LUDUS_PROFILE_CAT(Animation));
        struct animation_batch batch;
        uint32_t first = 0, last = 0;
        simulation_batch(animation->simulation, i, &first, &last);
        animation_sample(animation, first, last, &batch);
        animation_blend(last - first, &batch);
        animation_compose(animation, first, last, &batch);
    }
}

void animation_update(struct animation *animation)
{
    LUDUS_PROFILE_SCOPE(Animation/Update, LUDUS_PROFILE_CAT(Animation));
    struct simulation *simulation = animation->simulation;
    struct job_group group = {0};
    job_queue_submit(simulation->jobs, &group, animation_job, animation,
                     arena_batch_count(simulation->crowd.count, simulation->scale.agents_per_batch),
                     SIMULATION_JOBS);
    job_queue_wait(simulation->jobs, &group);
}
