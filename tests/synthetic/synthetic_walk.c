/* Walks through the tree of calls, with repeats, calls left out, and times of a heavy-tailed
 * distribution. */
#include "synthetic_walk.h"

#define CALLS_OF_A_PLACE 48u
#define FRAMES_A_PLACE   64u

/* --- events ---------------------------------------------------------------------------------- */

static void start_segment(struct synthetic_walk *walk, uint64_t tick)
{
    struct synthetic_file *file = walk->file;
    enum ludus_status status = LUDUS_ERROR_LIMIT;
    if (walk->is_in_block)
        status = lcap_events_segment(file->encoder, &walk->track->stream, tick);
    if (status == LUDUS_ERROR_LIMIT) {
        if (walk->is_in_block) {
            struct lcap_bytes block = {0};
            status = lcap_events_finish(file->encoder, &block);
            synthetic_file_put(file, status, block);
        }
        lcap_events_start(file->encoder, &file->clock);
        walk->is_in_block = true;
        status = lcap_events_segment(file->encoder, &walk->track->stream, tick);
    }
    if (file->status == LUDUS_OK)
        file->status = status;
}

/* Adds one event, in another block when this one is full. */
static void add_event(struct synthetic_walk *walk, const struct lcap_event *event, uint64_t value)
{
    struct synthetic_file *file = walk->file;
    enum lcap_event_kind kind = (enum lcap_event_kind)event->kind;
    enum ludus_status status =
        lcap_events_add(file->encoder, kind, event->tick, event->site, value);
    if (status == LUDUS_ERROR_LIMIT) {
        struct lcap_bytes block = {0};
        status = lcap_events_finish(file->encoder, &block);
        synthetic_file_put(file, status, block);
        walk->is_in_block = false;
        start_segment(walk, event->tick);
        status = lcap_events_add(file->encoder, kind, event->tick, event->site, value);
    }
    if (file->status == LUDUS_OK)
        file->status = status;
}

static void flush(struct synthetic_walk *walk)
{
    const struct lcap_run_ticks ticks = {.last = UINT64_MAX, .is_on_grid = true};
    uint32_t done = 0;
    while (done < walk->run_count && walk->file->status == LUDUS_OK) {
        struct lcap_run run = lcap_events_add_run(walk->file->encoder, walk->run + done,
                                                  walk->run_count - done, &ticks);
        done += run.count;
        if (done < walk->run_count)
            add_event(walk, &walk->run[done++], 0);
    }
    walk->run_count = 0;
}

static void add(struct synthetic_walk *walk, enum lcap_event_kind kind, uint32_t site)
{
    walk->run[walk->run_count++] =
        (struct lcap_event){.tick = walk->track->tick, .site = site, .kind = kind};
    if (walk->run_count == SYNTHETIC_RUN)
        flush(walk);
}

void synthetic_walk_value(struct synthetic_walk *walk, enum lcap_event_kind kind,
                          enum synthetic_value_site site, uint64_t value)
{
    const struct lcap_event event = {.tick = walk->track->tick,
                                     .site = walk->file->options->sites + (uint32_t)site,
                                     .kind = (uint32_t)kind};
    flush(walk);
    add_event(walk, &event, value);
}

void synthetic_walk_finish_block(struct synthetic_walk *walk)
{
    struct lcap_bytes block = {0};
    if (!walk->is_in_block)
        return;
    flush(walk);
    enum ludus_status status = lcap_events_finish(walk->file->encoder, &block);
    synthetic_file_put(walk->file, status, block);
    walk->is_in_block = false;
    walk->track = NULL;
}

void synthetic_walk_select(struct synthetic_walk *walk, struct synthetic_track *track)
{
    if (walk->track == track)
        return;
    flush(walk);
    walk->track = track;
    start_segment(walk, track->tick);
}

/* --- calls ----------------------------------------------------------------------------------- */

/* Most times are near the scale, one in a thousand is thirty times as long. */
static void pass_time(struct synthetic_walk *walk, uint32_t scale)
{
    uint32_t drawn = (uint32_t)(synthetic_random_next(&walk->track->random) >> 54);
    uint64_t factor = 170 + drawn / 16 + 8192 / (1024 - drawn);
    uint64_t time_ns = (scale * factor) >> 8;
    walk->track->tick += time_ns;
    walk->busy_ns += time_ns;
}

static void open_scope(struct synthetic_walk *walk, uint32_t number)
{
    const struct synthetic_node *node = &walk->tree->nodes[number];
    pass_time(walk, node->begin_scale);
    walk->track->levels[walk->track->depth++] = (struct synthetic_level){.node = number};
    walk->slices++;
    add(walk, LCAP_EVENT_BEGIN, node->site);
}

static void close_scope(struct synthetic_walk *walk)
{
    uint32_t number = walk->track->levels[--walk->track->depth].node;
    pass_time(walk, walk->tree->nodes[number].end_scale);
    add(walk, LCAP_EVENT_END, 0);
}

static void close_calls(struct synthetic_walk *walk)
{
    while (walk->track->depth > 1)
        close_scope(walk);
}

/* One scope on the way to a node that no call has been to yet, which is the last one opened when
 * the way is done. False when its last scopes have to be closed first. */
static bool open_towards(struct synthetic_walk *walk, uint32_t number)
{
    const struct synthetic_node *nodes = walk->tree->nodes;
    struct synthetic_track *track = walk->track;
    uint32_t next = number;
    if (track->depth > nodes[number].depth)
        return false;
    while (nodes[next].depth > track->depth)
        next = nodes[next].parent;
    if (nodes[next].parent != track->levels[track->depth - 1].node)
        return false;
    open_scope(walk, next);
    track->unvisited += next == number;
    return true;
}

/* The main scope calls what the present place of a level needs: a few of its calls, the first of
 * them most often, and others as the frames go on. One call in 32 is of any kind. */
static uint32_t choose_main_call(struct synthetic_walk *walk, uint64_t chance, uint32_t count)
{
    struct synthetic_random *random = &walk->track->random;
    uint32_t near = count < CALLS_OF_A_PLACE ? count : CALLS_OF_A_PLACE;
    if (chance % 32 == 0)
        return synthetic_random_early(random, count);
    uint32_t first = (uint32_t)(walk->frame / FRAMES_A_PLACE * CALLS_OF_A_PLACE % count);
    return (first + synthetic_random_early(random, near)) % count;
}

/* All other calls come in their order; one in eight is left out, and of the repeats one in eight is
 * another number of them. */
static bool choose_call(struct synthetic_walk *walk, struct synthetic_level *level)
{
    const struct synthetic_tree *tree = walk->tree;
    const struct synthetic_node *node = &tree->nodes[level->node];
    uint64_t chance = synthetic_random_next(&walk->track->random) >> 32;
    if (level->node == SYNTHETIC_MAIN_NODE)
        level->child = choose_main_call(walk, chance, node->child_count);
    else if (chance % 8 == 0)
        level->child++;
    if (level->child >= node->child_count)
        return false;
    level->repeats = tree->nodes[tree->children[node->first_child + level->child]].repeats;
    if (chance / 8 % 8 == 0)
        level->repeats = 1 + (uint32_t)(chance / 64 % (2 * (uint64_t)level->repeats));
    return true;
}

static void step(struct synthetic_walk *walk)
{
    struct synthetic_level *level = &walk->track->levels[walk->track->depth - 1];
    const struct synthetic_tree *tree = walk->tree;
    if (level->repeats == 0 && !choose_call(walk, level)) {
        close_scope(walk);
        return;
    }
    uint32_t called = tree->children[tree->nodes[level->node].first_child + level->child];
    if (--level->repeats == 0)
        level->child++;
    open_scope(walk, called);
}

void synthetic_walk_calls(struct synthetic_walk *walk, uint64_t count)
{
    struct synthetic_track *track = walk->track;
    uint64_t end = walk->slices + count;
    if (count == 0)
        return;
    if (track->depth == 0)
        open_scope(walk, SYNTHETIC_MAIN_NODE);
    while (walk->slices < end) {
        if (track->unvisited == track->share_end)
            step(walk);
        else if (!open_towards(walk, track->unvisited))
            close_scope(walk);
    }
    close_calls(walk);
}

void synthetic_walk_wait(struct synthetic_walk *walk, uint64_t until_tick)
{
    struct synthetic_track *track = walk->track;
    walk->slices++;
    track->tick += (until_tick - track->tick) / 64;
    add(walk, LCAP_EVENT_BEGIN, walk->tree->nodes[SYNTHETIC_WAITING_NODE].site);
    track->tick = until_tick;
    add(walk, LCAP_EVENT_END, 0);
}

void synthetic_walk_leave(struct synthetic_walk *walk)
{
    if (walk->track->depth != 0)
        close_scope(walk);
}
