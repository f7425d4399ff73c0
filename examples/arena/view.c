/* The view's phases: place the camera, project the figures, sort them into tiles, draw the tiles.
 */
#include "view.h"

#include <ludus/profile.h>

static const float figure_margin_px = 2.0F;

static void view_camera_place(struct view *view, const struct scene_script *script)
{
    LUDUS_PROFILE_SCOPE(Render/Camera, LUDUS_PROFILE_CAT(Render));
    const struct arena_scale *scale = &view->simulation->scale;
    view->camera_x = script->camera_x;
    view->camera_y = script->camera_y;
    view->pixels_per_unit = script->pixels_per_unit;
    view->tile_columns = VIEW_WIDTH_PX / scale->tile_width_px;
    view->tile_count = view->tile_columns * (VIEW_HEIGHT_PX / scale->tile_height_px);
}

/* Bounds become whole pixels; the view is far smaller than the range of int16_t. */
static int16_t view_pixel(float at)
{
    return (int16_t)arena_floor(arena_clamp(at, -1000.0F, 1000.0F));
}

static void view_figure_project(const struct view *view, uint32_t agent, struct view_figure *figure)
{
    const struct crowd *crowd = &view->simulation->crowd;
    const struct crowd_motion *present = &crowd->motion[crowd->present];
    const struct skeleton_point *joints = view->animation->joints[agent];
    float scale = view->pixels_per_unit;
    float facing = 1.0F / arena_length(crowd->facing_x[agent], crowd->facing_y[agent]);
    float ahead_x = crowd->facing_x[agent] * facing, ahead_y = crowd->facing_y[agent] * facing;
    float foot_x = (present->x[agent] - view->camera_x) * scale + VIEW_WIDTH_PX * 0.5F;
    float foot_y = (present->y[agent] - view->camera_y) * scale * view_tilt + VIEW_HEIGHT_PX * 0.5F;
    float left = foot_x, right = foot_x, top = foot_y, bottom = foot_y;

    figure->foot_y = foot_y;
    for (uint32_t bone = 0; bone < SKELETON_BONES; bone++) {
        float x = joints[bone].x * ahead_x - joints[bone].y * ahead_y;
        float y = joints[bone].x * ahead_y + joints[bone].y * ahead_x;
        float at_x = foot_x + x * scale;
        float at_y = foot_y + (y * view_tilt - joints[bone].z) * scale;
        figure->joint_x[bone] = at_x;
        figure->joint_y[bone] = at_y;
        left = at_x < left ? at_x : left;
        right = at_x > right ? at_x : right;
        top = at_y < top ? at_y : top;
        bottom = at_y > bottom ? at_y : bottom;
    }
    figure->left_px = view_pixel(arena_clamp(left - figure_margin_px, 0.0F, 1000.0F));
    figure->top_px = view_pixel(arena_clamp(top - figure_margin_px, 0.0F, 1000.0F));
    figure->right_px =
        view_pixel(arena_clamp(right + figure_margin_px, -1000.0F, VIEW_WIDTH_PX - 1));
    figure->bottom_px =
        view_pixel(arena_clamp(bottom + figure_margin_px, -1000.0F, VIEW_HEIGHT_PX - 1));
}

static void view_project_job(void *context, uint32_t first_batch, uint32_t last_batch)
{
    struct view *view = context;
    for (uint32_t batch = first_batch; batch < last_batch; batch++) {
        LUDUS_PROFILE_SCOPE(Render/ProjectBatch, LUDUS_PROFILE_CAT(Render));
        uint32_t first = 0, last = 0;
        simulation_batch(view->simulation, batch, &first, &last);
        for (uint32_t agent = first; agent < last; agent++)
            view_figure_project(view, agent, &view->figures[agent]);
    }
}

static void view_project(struct view *view)
{
    LUDUS_PROFILE_SCOPE(Render/Project, LUDUS_PROFILE_CAT(Render));
    const struct simulation *simulation = view->simulation;
    struct job_group group = {0};
    job_queue_submit(simulation->jobs, &group, view_project_job, view,
                     arena_batch_count(simulation->crowd.count, simulation->scale.agents_per_batch),
                     SIMULATION_JOBS);
    job_queue_wait(simulation->jobs, &group);
}

/* Rows and columns of tiles, ends included. */
struct view_tiles {
    uint32_t left, top, right, bottom;
};

/* Whether the figure is in view, and then the tiles that it touches. */
static bool view_figure_tiles(const struct view *view, uint32_t agent, struct view_tiles *tiles)
{
    const struct view_figure *figure = &view->figures[agent];
    const struct arena_scale *scale = &view->simulation->scale;
    if (figure->right_px < figure->left_px || figure->bottom_px < figure->top_px)
        return false;
    tiles->left = (uint32_t)figure->left_px / scale->tile_width_px;
    tiles->top = (uint32_t)figure->top_px / scale->tile_height_px;
    tiles->right = (uint32_t)figure->right_px / scale->tile_width_px;
    tiles->bottom = (uint32_t)figure->bottom_px / scale->tile_height_px;
    return true;
}

static void view_bin_count(struct view *view)
{
    LUDUS_PROFILE_SCOPE(Bin/Count, LUDUS_PROFILE_CAT(Render));
    struct view_tiles tiles;
    for (uint32_t tile = 0; tile <= view->tile_count; tile++)
        view->bin_first[tile] = 0;
    for (uint32_t agent = 0; agent < view->simulation->crowd.count; agent++) {
        if (!view_figure_tiles(view, agent, &tiles))
            continue;
        for (uint32_t row = tiles.top; row <= tiles.bottom; row++)
            for (uint32_t column = tiles.left; column <= tiles.right; column++)
                view->bin_first[row * view->tile_columns + column + 1]++;
    }
    for (uint32_t tile = 0; tile < view->tile_count; tile++)
        view->bin_first[tile + 1] += view->bin_first[tile];
}

static void view_bin_fill(struct view *view)
{
    LUDUS_PROFILE_SCOPE(Bin/Fill, LUDUS_PROFILE_CAT(Render));
    uint32_t next[VIEW_TILE_MAX];
    struct view_tiles tiles;
    for (uint32_t tile = 0; tile < view->tile_count; tile++)
        next[tile] = view->bin_first[tile];
    for (uint32_t agent = 0; agent < view->simulation->crowd.count; agent++) {
        if (!view_figure_tiles(view, agent, &tiles))
            continue;
        for (uint32_t row = tiles.top; row <= tiles.bottom; row++)
            for (uint32_t column = tiles.left; column <= tiles.right; column++) {
                uint32_t entry = next[row * view->tile_columns + column]++;
                if (entry < VIEW_BIN_MAX)
                    view->bins[entry] = (uint16_t)agent;
            }
    }
}

static void view_bin(struct view *view)
{
    LUDUS_PROFILE_SCOPE(Render/Bin, LUDUS_PROFILE_CAT(Render));
    view_bin_count(view);
    view_bin_fill(view);
    /* A crowd too thick for the bins loses its last figures, and no more than that. */
    for (uint32_t tile = 0; tile <= view->tile_count; tile++)
        if (view->bin_first[tile] > VIEW_BIN_MAX)
            view->bin_first[tile] = VIEW_BIN_MAX;
}

void view_render(struct view *view, const struct scene_script *script)
{
    LUDUS_PROFILE_FRAME(Render);
    LUDUS_PROFILE_SCOPE(Render/View, LUDUS_PROFILE_CAT(Render));
    struct job_group group = {0};
    view_camera_place(view, script);
    view_project(view);
    view_bin(view);
    LUDUS_PROFILE_SCOPE(Render/Tiles, LUDUS_PROFILE_CAT(Render));
    job_queue_submit(view->simulation->jobs, &group, rasteriser_job, view, view->tile_count,
                     SIMULATION_JOBS * 2);
    job_queue_wait(view->simulation->jobs, &group);
}
