/* The callers' contexts of both sides as one tree. */
#include "diff_contexts.h"

#include <math.h>
#include <stdlib.h>

#define PARTS 2u /* the track that marks the frames, and the others */

/* Contexts stand by part and key while they are added up, in which a parent's key comes before
 * those of its children. */
struct builder {
    const struct trace_diff *diff;
    uint32_t keys;
    struct trace_context *items; /* those of the marker's part first */
    bool *are_there;
    uint32_t *first_child, *next_sibling; /* places plus one; or 0 */
    struct trace_sized_context *sorted;   /* those that are there */
    uint32_t count;                       /* of them */
};

double trace_context_size(const struct trace_context *context)
{
    return fmax(context->inclusive_ns[TRACE_BASE], context->inclusive_ns[TRACE_CANDIDATE]);
}

static int compare_sizes(const void *left, const void *right)
{
    const struct trace_sized_context *a = left, *b = right;

    if (a->size_ns != b->size_ns)
        return a->size_ns > b->size_ns ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

void trace_sized_contexts_sort(struct trace_sized_context *contexts, uint32_t count)
{
    if (count != 0)
        qsort(contexts, count, sizeof *contexts, compare_sizes);
}

static void add_cell(struct builder *builder, const struct trace_run_cell *cell,
                     enum trace_side side, uint32_t runs)
{
    if (cell->measure != TRACE_MEASURE_FRAME_TRACK && cell->measure != TRACE_MEASURE_WORK)
        return;
    uint32_t place = cell->key + (cell->measure == TRACE_MEASURE_WORK ? builder->keys : 0);
    struct trace_context *item = &builder->items[place];
    builder->are_there[place] = true;
    item->is_called = true;
    item->exclusive_ns[side] += cell->rate.time_ns / runs;
    item->calls[side] += cell->rate.calls / runs;
}

static void add_runs(struct builder *builder)
{
    const struct trace_run_pool *pool = &builder->diff->pool;

    for (uint32_t i = 0; i < pool->count; i++) {
        const struct trace_run *run = builder->diff->runs[i];
        bool is_by_path = builder->diff->contexts == &pool->keys;
        const struct trace_run_cell *cells = is_by_path ? run->cells : run->contexts;
        uint32_t count = is_by_path ? run->cell_count : run->context_count;
        uint32_t runs = trace_run_pool_count(pool, run->side);
        for (uint32_t k = 0; k < count; k++)
            add_cell(builder, &cells[k], run->side, runs);
    }
}

/* From the last key to the first one, so that what is below a context is known before it is. */
static void add_up(struct builder *builder)
{
    for (uint32_t place = PARTS * builder->keys; place-- > 0;) {
        struct trace_context *item = &builder->items[place];
        uint32_t first = place < builder->keys ? 0 : builder->keys;
        if (!builder->are_there[place])
            continue;
        item->key = place - first;
        item->is_on_frame_track = first == 0;
        item->parent = builder->diff->contexts->items[item->key].parent;
        if (item->parent != TRACE_NONE) {
            item->parent += first;
            builder->are_there[item->parent] = true;
        }
        for (uint32_t side = 0; side < TRACE_SIDES; side++) {
            item->exclusive_ns[side] = trace_whole_picoseconds(item->exclusive_ns[side]);
            item->inclusive_ns[side] += item->exclusive_ns[side];
            if (item->parent != TRACE_NONE)
                builder->items[item->parent].inclusive_ns[side] += item->inclusive_ns[side];
        }
        builder->sorted[builder->count++] =
            (struct trace_sized_context){trace_context_size(item), place};
    }
}

/* From the smallest on, each in front of its siblings that are known: the largest comes first. */
static uint32_t link_children(struct builder *builder)
{
    uint32_t root = 0;

    for (uint32_t i = builder->count; i-- > 0;) {
        uint32_t place = builder->sorted[i].place;
        uint32_t parent = builder->items[place].parent;
        uint32_t *first = parent == TRACE_NONE ? &root : &builder->first_child[parent];
        builder->next_sibling[place] = *first;
        *first = place + 1;
    }
    return root;
}

/* Copies the contexts of a part in the order of the tree. */
static void put_part(const struct builder *builder, struct trace_contexts *contexts, uint32_t root,
                     bool is_on_frame_track)
{
    uint32_t next = root;         /* place plus one; or 0 */
    uint32_t above = TRACE_NONE;  /* place of the parent of what comes next, */
    uint32_t parent = TRACE_NONE; /* and its place in the tree */

    while (next != 0 || above != TRACE_NONE) {
        if (next == 0) {
            next = builder->next_sibling[above];
            above = builder->items[above].parent;
            parent = contexts->items[parent].parent;
            continue;
        }
        uint32_t place = next - 1;
        const struct trace_context *item = &builder->items[place];
        if (item->is_on_frame_track != is_on_frame_track) { /* a root */
            next = builder->next_sibling[place];
            continue;
        }
        struct trace_context *copy = &contexts->items[contexts->count];
        *copy = *item;
        copy->parent = parent;
        copy->depth = parent == TRACE_NONE ? 0 : contexts->items[parent].depth + 1;
        parent = contexts->count++;
        above = place;
        next = builder->first_child[place];
    }
}

static bool make_room(struct builder *builder, struct trace_contexts *contexts)
{
    size_t places = (size_t)PARTS * builder->keys + 1;

    builder->items = calloc(places, sizeof *builder->items);
    builder->are_there = calloc(places, sizeof *builder->are_there);
    builder->first_child = calloc(places, sizeof *builder->first_child);
    builder->next_sibling = calloc(places, sizeof *builder->next_sibling);
    builder->sorted = calloc(places, sizeof *builder->sorted);
    contexts->items = NULL;
    return builder->items != NULL && builder->are_there != NULL && builder->first_child != NULL &&
           builder->next_sibling != NULL && builder->sorted != NULL;
}

static bool build(struct builder *builder, struct trace_contexts *contexts)
{
    if (!make_room(builder, contexts))
        return false;
    add_runs(builder);
    add_up(builder);
    contexts->items = calloc((size_t)builder->count + 1, sizeof *contexts->items);
    if (contexts->items == NULL)
        return false;
    trace_sized_contexts_sort(builder->sorted, builder->count);
    uint32_t root = link_children(builder);
    put_part(builder, contexts, root, true);
    put_part(builder, contexts, root, false);
    return true;
}

bool trace_contexts_create(struct trace_contexts *contexts, const struct trace_diff *diff)
{
    struct builder builder = {.diff = diff, .keys = diff->contexts->count};

    *contexts = (struct trace_contexts){0};
    bool is_done = build(&builder, contexts);
    free(builder.items);
    free(builder.are_there);
    free(builder.first_child);
    free(builder.next_sibling);
    free(builder.sorted);
    return is_done;
}

void trace_contexts_destroy(struct trace_contexts *contexts)
{
    free(contexts->items);
    *contexts = (struct trace_contexts){0};
}
