/* The software rasteriser: draws one tile at a time, ground, then figures, then light. */
#include <ludus/profile.h>

#include "view.h"

struct raster_tile {
    uint32_t left_px;
    uint32_t top_px;
    uint32_t width_px;
    uint32_t height_px;
    float red[ARENA_TILE_PIXEL_MAX];
    float green[ARENA_TILE_PIXEL_MAX];
    float blue[ARENA_TILE_PIXEL_MAX];
    float depth[ARENA_TILE_PIXEL_MAX];
};

static float ground_corner(int32_t x, int32_t y)
{
    uint32_t bits = (uint32_t)x * 0x8da6b343U ^ (uint32_t)y * 0xd8163841U;
    bits = (bits ^ (bits >> 15)) * 0x2c1b3c6dU;
    return (float)(bits >> 16) * (1.0F / 65536.0F);
}

/* Smooth noise of [0, 1) with a grain of one unit. */
static float ground_noise(float x, float y)
{
    int32_t left = arena_floor(x), top = arena_floor(y);
    float part_x = x - (float)left, part_y = y - (float)top;
    part_x = part_x * part_x * (3.0F - 2.0F * part_x);
    part_y = part_y * part_y * (3.0F - 2.0F * part_y);
    float above = ground_corner(left, top) +
                  (ground_corner(left + 1, top) - ground_corner(left, top)) * part_x;
    float below = ground_corner(left, top + 1) +
                  (ground_corner(left + 1, top + 1) - ground_corner(left, top + 1)) * part_x;
    return above + (below - above) * part_y;
}

static void raster_ground_pixel(struct raster_tile *tile, uint32_t at, const struct level *level,
                                float x, float y)
{
    int32_t cell_x = arena_floor(x), cell_y = arena_floor(y);
    float grain = 0.7F * ground_noise(x, y) +
                  0.3F * ground_corner(arena_floor(x * 4.0F), arena_floor(y * 4.0F));
    tile->depth[at] = -1e9F;
    if (level_is_blocked(level, cell_x, cell_y)) {
        tile->red[at] = 0.35F + 0.2F * grain;
        tile->green[at] = 0.33F + 0.2F * grain;
        tile->blue[at] = 0.32F + 0.2F * grain;
        return;
    }
    float tint = (float)level->tint[cell_y * LEVEL_SIDE + cell_x] * (1.0F / 255.0F);
    tile->red[at] = 0.25F + 0.2F * grain + 0.1F * tint;
    tile->green[at] = 0.38F + 0.3F * grain;
    tile->blue[at] = 0.16F + 0.1F * grain + 0.05F * tint;
}

static void raster_ground_rows(struct raster_tile *tile, const struct view *view, uint32_t rows)
{
    float step = 1.0F / view->pixels_per_unit;
    for (uint32_t row = 0; row < rows; row++) {
        float down = (float)(tile->top_px + row) - VIEW_HEIGHT_PX * 0.5F;
        float y = view->camera_y + down * step / view_tilt;
        for (uint32_t column = 0; column < tile->width_px; column++) {
            float right = (float)(tile->left_px + column) - VIEW_WIDTH_PX * 0.5F;
            raster_ground_pixel(tile, row * tile->width_px + column, &view->simulation->level,
                                view->camera_x + right * step, y);
        }
    }
}

/* Of the rows of all tiles up to this one, the planted percentage less what the tiles before had.
 */
static uint32_t raster_planted_rows(const struct raster_tile *tile, const struct view *view,
                                    uint32_t number)
{
    uint32_t hundredths = tile->height_px * view->plants.cost_percent;
    return (number + 1) * hundredths / 100 - number * hundredths / 100;
}

static void raster_ground(struct raster_tile *tile, const struct view *view, uint32_t number)
{
    LUDUS_PROFILE_SCOPE(Tile/Ground, LUDUS_PROFILE_CAT(Render));
    raster_ground_rows(tile, view, tile->height_px);
    raster_ground_rows(tile, view, raster_planted_rows(tile, view, number));
}

/* The pixels of the tile that a bone can touch: rows and columns of the tile, ends included. */
struct raster_span {
    int32_t left, top, right, bottom;
};

static struct raster_span raster_bone_span(const struct raster_tile *tile, float from_x,
                                           float from_y, float to_x, float to_y, float thickness)
{
    float left = (from_x < to_x ? from_x : to_x) - thickness - (float)tile->left_px;
    float right = (from_x > to_x ? from_x : to_x) + thickness - (float)tile->left_px;
    float top = (from_y < to_y ? from_y : to_y) - thickness - (float)tile->top_px;
    float bottom = (from_y > to_y ? from_y : to_y) + thickness - (float)tile->top_px;
    return (struct raster_span){
        arena_floor(arena_clamp(left, 0.0F, 1e4F)), arena_floor(arena_clamp(top, 0.0F, 1e4F)),
        arena_floor(arena_clamp(right, -1.0F, (float)tile->width_px - 1.0F)),
        arena_floor(arena_clamp(bottom, -1.0F, (float)tile->height_px - 1.0F))};
}

/* Draws a bone as a line with round ends. */
static void raster_bone(struct raster_tile *tile, const struct view_figure *figure, uint32_t bone,
                        float thickness, const float colour[3])
{
    uint32_t parent = skeleton_parent(bone);
    float from_x = figure->joint_x[parent], from_y = figure->joint_y[parent];
    float along_x = figure->joint_x[bone] - from_x, along_y = figure->joint_y[bone] - from_y;
    float sharpness = 1.0F / (thickness * thickness);
    float scale = 1.0F / (along_x * along_x + along_y * along_y + 1e-4F);
    struct raster_span span = raster_bone_span(tile, from_x, from_y, figure->joint_x[bone],
                                               figure->joint_y[bone], thickness);
    for (int32_t row = span.top; row <= span.bottom; row++) {
        float y = (float)((int32_t)tile->top_px + row) - from_y;
        for (int32_t column = span.left; column <= span.right; column++) {
            float x = (float)((int32_t)tile->left_px + column) - from_x;
            float place = arena_clamp((x * along_x + y * along_y) * scale, 0.0F, 1.0F);
            float off_x = x - place * along_x, off_y = y - place * along_y;
            float square = (off_x * off_x + off_y * off_y) * sharpness;
            uint32_t at = (uint32_t)row * tile->width_px + (uint32_t)column;
            if (square > 1.0F || figure->foot_y <= tile->depth[at])
                continue;
            float light = 1.0F - 0.5F * square;
            tile->depth[at] = figure->foot_y;
            tile->red[at] = colour[0] * light;
            tile->green[at] = colour[1] * light;
            tile->blue[at] = colour[2] * light;
        }
    }
}

static void raster_figures(struct raster_tile *tile, const struct view *view, uint32_t number)
{
    LUDUS_PROFILE_SCOPE(Tile/Figures, LUDUS_PROFILE_CAT(Render));
    static const float colours[2][3] = {{0.85F, 0.25F, 0.2F}, {0.2F, 0.4F, 0.9F}};
    float thickness = 0.09F * view->pixels_per_unit;
    LUDUS_PROFILE_COUNT(Draw/Figures, view->bin_first[number + 1] - view->bin_first[number],
                        LUDUS_PROFILE_CAT(Render));
    for (uint32_t i = view->bin_first[number]; i < view->bin_first[number + 1]; i++) {
        const struct view_figure *figure = &view->figures[view->bins[i]];
        const float *colour = colours[crowd_squad_of(view->bins[i]) % 2];
        for (uint32_t bone = 1; bone < SKELETON_BONES; bone++)
            raster_bone(tile, figure, bone, thickness, colour);
    }
}

static uint32_t raster_channel(float value)
{
    return (uint32_t)(sqrtf(arena_clamp(value, 0.0F, 1.0F)) * 255.0F + 0.5F);
}

/* Darkens the corners of the view, writes the pixels and returns their checksum. */
static uint64_t raster_shade(const struct raster_tile *tile, struct view *view)
{
    LUDUS_PROFILE_SCOPE(Tile/Shade, LUDUS_PROFILE_CAT(Render));
    uint64_t sum = 0;
    for (uint32_t row = 0; row < tile->height_px; row++) {
        uint32_t *pixels = &view->pixels[(tile->top_px + row) * VIEW_WIDTH_PX + tile->left_px];
        float y = (float)(tile->top_px + row) / VIEW_HEIGHT_PX - 0.5F;
        for (uint32_t column = 0; column < tile->width_px; column++) {
            uint32_t at = row * tile->width_px + column;
            float x = (float)(tile->left_px + column) / VIEW_WIDTH_PX - 0.5F;
            float light = 1.05F - 0.9F * (x * x + y * y);
            pixels[column] = raster_channel(tile->red[at] * light) << 16 |
                             raster_channel(tile->green[at] * light) << 8 |
                             raster_channel(tile->blue[at] * light);
            sum = arena_fold(sum, pixels[column]);
        }
    }
    return sum;
}

static void raster_draw(struct view *view, uint32_t number)
{
    LUDUS_PROFILE_SCOPE(Tile/Draw, LUDUS_PROFILE_CAT(Render));
    const struct arena_scale *scale = &view->simulation->scale;
    struct raster_tile tile;
    tile.left_px = number % view->tile_columns * scale->tile_width_px;
    tile.top_px = number / view->tile_columns * scale->tile_height_px;
    tile.width_px = scale->tile_width_px;
    tile.height_px = scale->tile_height_px;
    raster_ground(&tile, view, number);
    raster_figures(&tile, view, number);
    view->tile_sums[number] = raster_shade(&tile, view);
}

/* Tiles that are drawn twice are spread evenly over the picture. */
static bool raster_is_planted(const struct view *view, uint32_t number)
{
    uint32_t calls = view->plants.calls;
    return (number + 1) * calls / view->tile_count != number * calls / view->tile_count;
}

void rasteriser_job(void *context, uint32_t first_tile, uint32_t last_tile)
{
    struct view *view = context;
    for (uint32_t number = first_tile; number < last_tile; number++) {
        raster_draw(view, number);
        if (raster_is_planted(view, number))
            raster_draw(view, number);
    }
}
