/* Makes a synthetic capture, pass by pass of the collector: in each block come so many frames as
 * fill it, and of each track the events of all of these. */
#include "synthetic_capture.h"

#include <stdlib.h>

#include "synthetic_gpu.h"
#include "synthetic_walk.h"

#define BLOCK_STREAM      UINT64_C(0x626C6F636B)
#define FIRST_TRACK       UINT64_C(0x747261636B)
#define LEAST_EVENTS      8000u /* in a block, unless a frame has more */
#define MOST_EVENTS       60000u
#define FRAMES_A_PASS     512u
#define SLICES_A_FRAME    10000u
#define SHORTEST_FRAME_NS 4000000u
#define LEAST_TO_WAIT     4u /* slices of a track in a frame, one of which waits for its end */
#define FRAMES_A_GAUGE    16u

struct generator {
    struct synthetic_file file;
    struct synthetic_tree tree;
    struct synthetic_random random; /* of passes and frames */
    struct synthetic_track *tracks;
    struct lcap_open_scope *open;
    struct synthetic_level *levels;
    struct synthetic_walk *walk;
    struct synthetic_gpu *gpu;
    uint64_t frame;                    /* the first one of the pass */
    uint64_t marks[FRAMES_A_PASS + 1]; /* its beginning, and the ends of its frames */
};

struct synthetic_options synthetic_options_default(void)
{
    return (struct synthetic_options){
        .slices = 1000000, .seed = 1, .tracks = 1, .sites = 60, .depth = 8, .mean_ns = 400};
}

static bool are_in_range(const struct synthetic_options *options)
{
    return options->slices != 0 && options->tracks != 0 && options->mean_ns != 0 &&
           options->slices <= UINT64_MAX / SYNTHETIC_MAX_TRACKS / 2 &&
           options->frames <= UINT32_MAX && options->tracks <= SYNTHETIC_MAX_TRACKS &&
           options->sites >= SYNTHETIC_MIN_SITES && options->sites <= SYNTHETIC_MAX_SITES &&
           options->paths >= options->sites && options->paths <= SYNTHETIC_MAX_PATHS &&
           options->depth >= SYNTHETIC_MIN_DEPTH && options->depth <= SYNTHETIC_MAX_DEPTH &&
           options->gpu_passes <= SYNTHETIC_MAX_PASSES;
}

/* Slices up to the end of a track's part of a frame: all parts are the same within one. */
static uint64_t slices_until(const struct synthetic_options *options, uint64_t frame,
                             uint32_t track)
{
    uint64_t parts = options->frames * options->tracks;
    uint64_t part = frame * options->tracks + track;
    return options->slices / parts * part + options->slices % parts * part / parts;
}

static uint64_t slices_of(const struct synthetic_options *options, uint64_t frame, uint32_t track)
{
    return slices_until(options, frame, track + 1) - slices_until(options, frame, track);
}

/* A little longer than the work of a mean one, which is all that one track does; many wait for the
 * most part. One in 200 is a hitch, which is longer by far. */
static uint64_t frame_length(struct generator *generator, uint64_t slices)
{
    const struct synthetic_walk *walk = generator->walk;
    uint64_t mean_ns = walk->slices > SLICES_A_FRAME ? walk->busy_ns / walk->slices
                                                     : 2 * generator->file.options->mean_ns;
    uint64_t length = mean_ns * slices * 5 / 4;
    bool is_hitch = synthetic_random_below(&generator->random, 200) == 0;
    length = length > SHORTEST_FRAME_NS ? length : SHORTEST_FRAME_NS;
    return is_hitch ? length * (2 + synthetic_random_below(&generator->random, 3)) : length;
}

/* What tells of the frame at its beginning: the first track counts, and hands a job to another. */
static void put_values(struct generator *generator, uint64_t frame, uint32_t track)
{
    const struct synthetic_options *options = generator->file.options;
    struct lcap_counts *recorded = &generator->file.totals.recorded;
    uint32_t taker = options->tracks == 1 ? 0 : 1 + (uint32_t)(frame % (options->tracks - 1));
    struct synthetic_walk *walk = generator->walk;
    if (options->has_counters && track == 0)
        synthetic_walk_value(walk, LCAP_EVENT_COUNT, SYNTHETIC_COUNT_SITE,
                             500 + synthetic_random_below(&walk->track->random, 1000));
    if (options->has_counters && track == 0 && frame % FRAMES_A_GAUGE == 0) {
        union {
            double value;
            uint64_t bits;
        } heap = {.value = 1e8 + synthetic_random_below(&walk->track->random, 1000000)};
        synthetic_walk_value(walk, LCAP_EVENT_GAUGE, SYNTHETIC_GAUGE_SITE, heap.bits);
        recorded->gauges++;
    }
    if (options->has_flows && track == 0) {
        synthetic_walk_value(walk, LCAP_EVENT_FLOW_OUT, SYNTHETIC_FLOW_SITE, frame + 1);
        recorded->flows++;
    }
    if (options->has_flows && track == taker) {
        synthetic_walk_value(walk, LCAP_EVENT_FLOW_IN, SYNTHETIC_FLOW_SITE, frame + 1);
        recorded->flows++;
    }
}

/* Calls of a track in a frame, and waiting for its end when that comes later. */
static void walk_frame(struct generator *generator, uint64_t frame, uint32_t track,
                       uint64_t begin_tick, uint64_t end_tick)
{
    struct synthetic_walk *walk = generator->walk;
    uint64_t slices = slices_of(generator->file.options, frame, track);
    uint64_t first = slices < 2 ? slices : 2;
    walk->frame = frame;
    if (walk->track->tick < begin_tick)
        walk->track->tick = begin_tick;
    synthetic_walk_calls(walk, first);
    put_values(generator, frame, track);
    if (slices < LEAST_TO_WAIT) {
        synthetic_walk_calls(walk, slices - first);
        return;
    }
    synthetic_walk_calls(walk, slices - first - 1);
    if (walk->track->tick < end_tick)
        synthetic_walk_wait(walk, end_tick);
    else
        synthetic_walk_calls(walk, 1);
}

/* The first track tells where frames end; it is late when its work takes longer. */
static void walk_main(struct generator *generator, uint32_t frames)
{
    uint64_t *marks = generator->marks;
    struct synthetic_track *track = &generator->tracks[0];
    synthetic_walk_select(generator->walk, track);
    for (uint32_t i = 0; i < frames; i++) {
        uint64_t frame = generator->frame + i;
        uint64_t slices = slices_of(generator->file.options, frame, 0);
        marks[i + 1] = marks[i] + frame_length(generator, slices);
        walk_frame(generator, frame, 0, marks[i], marks[i + 1]);
        if (track->tick > marks[i + 1])
            marks[i + 1] = track->tick;
    }
}

static void put_marks(struct generator *generator, uint32_t first, uint32_t count)
{
    struct lcap_frame_mark records[FRAMES_A_PASS];
    struct lcap_bytes block = {0};
    for (uint32_t i = 0; i < count; i++)
        records[i] = (struct lcap_frame_mark){.ordinal = generator->frame + first + i,
                                              .tick = generator->marks[first + i],
                                              .domain = SYNTHETIC_DOMAIN,
                                              .track = 1};
    enum ludus_status status = lcap_encode_frames(
        generator->file.encoder, generator->file.clock.clock, records, count, &block);
    synthetic_file_put(&generator->file, status, block);
    generator->file.totals.recorded.frames += count;
}

static uint32_t frames_of_pass(struct generator *generator)
{
    const struct synthetic_options *options = generator->file.options;
    uint32_t events =
        LEAST_EVENTS + synthetic_random_below(&generator->random, MOST_EVENTS - LEAST_EVENTS);
    uint64_t frame_events = 2 * (options->slices / options->frames) + 1;
    uint64_t frames = events / frame_events;
    frames = frames < 1 ? 1 : frames > FRAMES_A_PASS ? FRAMES_A_PASS : frames;
    uint64_t left = options->frames - generator->frame;
    return (uint32_t)(frames < left ? frames : left);
}

static void put_pass(struct generator *generator)
{
    struct synthetic_walk *walk = generator->walk;
    uint32_t frames = frames_of_pass(generator);
    walk_main(generator, frames);
    for (uint32_t track = 1; track < generator->file.options->tracks; track++) {
        synthetic_walk_select(walk, &generator->tracks[track]);
        for (uint32_t i = 0; i < frames; i++)
            walk_frame(generator, generator->frame + i, track, generator->marks[i],
                       generator->marks[i + 1]);
    }
    synthetic_walk_finish_block(walk);
    put_marks(generator, 0, frames);
    for (uint32_t i = 0; i < frames; i++)
        synthetic_gpu_frame(generator->gpu, generator->marks[i]);
    generator->marks[0] = generator->marks[frames];
    generator->frame += frames;
}

static void put_end(struct generator *generator)
{
    uint64_t stop_tick = generator->marks[0];
    for (uint32_t i = 0; i < generator->file.options->tracks; i++) {
        struct synthetic_track *track = &generator->tracks[i];
        synthetic_walk_select(generator->walk, track);
        synthetic_walk_leave(generator->walk);
        stop_tick = track->tick > stop_tick ? track->tick : stop_tick;
    }
    synthetic_walk_finish_block(generator->walk);
    put_marks(generator, 0, 1);
    synthetic_gpu_finish(generator->gpu);
    synthetic_file_put_tracks(&generator->file, stop_tick);
    generator->file.totals.recorded.scopes = generator->walk->slices;
    synthetic_file_finish(&generator->file, stop_tick);
}

static bool create_tracks(struct generator *generator, const struct synthetic_options *options)
{
    size_t levels = (size_t)options->tracks * options->depth;
    uint64_t nodes = options->paths - SYNTHETIC_FIRST_NODE;
    generator->tracks = calloc(options->tracks, sizeof *generator->tracks);
    generator->open = calloc(levels, sizeof *generator->open);
    generator->levels = calloc(levels, sizeof *generator->levels);
    generator->walk = calloc(1, sizeof *generator->walk);
    generator->gpu = calloc(1, sizeof *generator->gpu);
    if (generator->tracks == NULL || generator->open == NULL || generator->levels == NULL ||
        generator->walk == NULL || generator->gpu == NULL)
        return false;
    *generator->walk = (struct synthetic_walk){.file = &generator->file, .tree = &generator->tree};
    for (uint32_t i = 0; i < options->tracks; i++)
        generator->tracks[i] = (struct synthetic_track){
            .stream = {.open = generator->open + (size_t)i * options->depth,
                       .open_capacity = options->depth,
                       .track = i + 1},
            .levels = generator->levels + (size_t)i * options->depth,
            .random = synthetic_random_start(options->seed, FIRST_TRACK + i),
            .tick = SYNTHETIC_START_TICK,
            .unvisited = (uint32_t)(SYNTHETIC_FIRST_NODE + nodes * i / options->tracks),
            .share_end = (uint32_t)(SYNTHETIC_FIRST_NODE + nodes * (i + 1) / options->tracks)};
    return true;
}

enum ludus_status synthetic_capture_write(const struct synthetic_options *asked, int descriptor)
{
    struct synthetic_options options = *asked;
    struct generator generator = {.marks = {SYNTHETIC_START_TICK}};
    if (options.frames == 0)
        options.frames = options.slices / SLICES_A_FRAME + 1;
    if (options.paths == 0)
        options.paths = 2 * options.sites;
    if (!are_in_range(&options))
        return LUDUS_ERROR_ARGUMENT;
    generator.random = synthetic_random_start(options.seed, BLOCK_STREAM);
    synthetic_file_start(&generator.file, &options, descriptor);
    if (generator.file.status == LUDUS_OK &&
        (!synthetic_tree_create(&generator.tree, &options) || !create_tracks(&generator, &options)))
        generator.file.status = LUDUS_ERROR_MEMORY;
    synthetic_file_define(&generator.file);
    if (generator.file.status == LUDUS_OK)
        synthetic_gpu_start(generator.gpu, &generator.file);
    while (generator.file.status == LUDUS_OK && generator.frame < options.frames)
        put_pass(&generator);
    if (generator.file.status == LUDUS_OK)
        put_end(&generator);
    lcap_encoder_destroy(generator.file.encoder);
    synthetic_tree_destroy(&generator.tree);
    free(generator.tracks);
    free(generator.open);
    free(generator.levels);
    free(generator.walk);
    free(generator.gpu);
    return generator.file.status;
}
