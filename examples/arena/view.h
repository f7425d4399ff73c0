/* The view: what the camera sees, drawn in software into a framebuffer. */
#ifndef VIEW_H
#define VIEW_H

#include "animation.h"
#include "arena_plants.h"
#include "crowd.h"
#include "scene_script.h"
#include "simulation.h"

enum {
    VIEW_WIDTH_PX = 384,
    VIEW_HEIGHT_PX = 224,
    VIEW_TILE_MAX = 1024,
    VIEW_BIN_MAX = CROWD_CAPACITY * 8
};

/* The camera looks down at an angle: the world's y is drawn shorter. */
static const float view_tilt = 0.7F;

/* An agent's figure in pixels of the view. */
struct view_figure {
    float joint_x[SKELETON_BONES];
    float joint_y[SKELETON_BONES];
    float foot_y;                                 /* decides who stands in front */
    int16_t left_px, top_px, right_px, bottom_px; /* of the figure; right < left: not in view */
};

struct view {
    struct simulation *simulation; /* borrowed */
    const struct animation *animation;
    struct arena_plants plants;
    float camera_x; /* the world's place in the middle of the view */
    float camera_y;
    float pixels_per_unit;
    uint32_t tile_columns;
    uint32_t tile_count;
    struct view_figure figures[CROWD_CAPACITY];
    uint32_t bin_first[VIEW_TILE_MAX + 1]; /* of `bins`, by tile, and the end of the last */
    uint16_t bins[VIEW_BIN_MAX];           /* agents, in their order in each tile */
    uint64_t tile_sums[VIEW_TILE_MAX];     /* checksums of the pixels */
    uint32_t pixels[VIEW_WIDTH_PX * VIEW_HEIGHT_PX]; /* 0x00RRGGBB, from the top */
};

/* Draws one picture, on the job queue. */
void view_render(struct view *view, const struct scene_script *script);

/* Draws the tiles [first, last); the job of the file rasteriser.c. */
void rasteriser_job(void *view, uint32_t first_tile, uint32_t last_tile);

#endif
