/* Splits the times of slices at the edges of frames. */
#include "slice_parts.h"

#include <stdlib.h>

#include "frame_table.h"

static void destroy_stack(struct trace_part_stack *stack)
{
    for (uint32_t level = 0; level < stack->most; level++)
        free(stack->levels[level].parts);
    free(stack->levels);
}

void trace_slice_parts_destroy(struct trace_slice_parts *parts)
{
    for (uint32_t i = 0; i < parts->stack_count; i++)
        destroy_stack(&parts->stacks[i]);
    free(parts->stacks);
    parts->stacks = NULL;
    parts->stack_count = 0;
}

static struct trace_part_stack *stack_of(struct trace_slice_parts *parts, uint32_t track)
{
    while (parts->stack_count <= track) {
        if (!trace_array_grow(&parts->stacks, parts->stack_count, sizeof *parts->stacks))
            return NULL;
        parts->stacks[parts->stack_count++] = (struct trace_part_stack){0};
    }
    return &parts->stacks[track];
}

bool trace_slice_parts_begin(struct trace_slice_parts *parts, uint32_t track)
{
    struct trace_part_stack *stack = stack_of(parts, track);
    if (stack == NULL)
        return false;
    if (stack->depth == stack->most) {
        if (!trace_array_grow(&stack->levels, stack->most, sizeof *stack->levels))
            return false;
        stack->levels[stack->most++] = (struct trace_part_level){0};
    }
    stack->levels[stack->depth++].count = 0;
    return true;
}

/* Children end in the order of time, so that the frame is the last one or a later one, but for
 * those whose begin was told late; these stay with the last one. */
static bool add_child(struct trace_part_level *level, uint32_t frame, int64_t ns)
{
    if (level->count != 0 && level->parts[level->count - 1].frame >= frame) {
        level->parts[level->count - 1].ns += ns;
        return true;
    }
    if (level->count == level->most) {
        if (!trace_array_grow(&level->parts, level->most, sizeof *level->parts))
            return false;
        level->most++;
    }
    level->parts[level->count++] = (struct trace_child_part){frame, ns};
    return true;
}

/* One frame's part of a slice. `next` is the first of the children's parts not passed yet. */
static bool add_part(struct trace_slice_parts *parts, const struct trace_slice *slice,
                     uint32_t site, uint32_t frame, int64_t part_ns, struct trace_part_level *own,
                     struct trace_part_level *parent, uint32_t *next)
{
    int64_t children_ns = 0;
    while (*next < own->count && own->parts[*next].frame <= frame)
        children_ns += own->parts[(*next)++].ns;
    bool is_known = slice->exclusive_ns >= 0;
    parts->add(parts->context, slice, site, frame, is_known ? part_ns - children_ns : 0,
               frame == slice->frame);
    return parent == NULL || add_child(parent, frame, part_ns);
}

bool trace_slice_parts_end(struct trace_slice_parts *parts, const struct trace_model *model,
                           const struct trace_slice *slice)
{
    const struct trace_domain *domain = parts->domain;
    struct trace_part_stack *stack = &parts->stacks[slice->track];
    struct trace_part_level *own = &stack->levels[--stack->depth];
    struct trace_part_level *parent = stack->depth == 0 ? NULL : own - 1;
    uint32_t site = model->paths[slice->path].site, next = 0;
    int64_t end_ns = slice->begin_ns + slice->known_ns;
    uint32_t frame = slice->frame == TRACE_NONE ? 0 : slice->frame;
    for (; frame < domain->frame_count; frame++) {
        int64_t from_ns = domain->frames[frame].begin_ns, until_ns = INT64_MAX;
        if (frame + 1 < domain->frame_count)
            until_ns = domain->frames[frame + 1].begin_ns;
        if (from_ns >= end_ns && frame != slice->frame)
            break;
        from_ns = from_ns > slice->begin_ns ? from_ns : slice->begin_ns;
        until_ns = until_ns < end_ns ? until_ns : end_ns;
        if (!add_part(parts, slice, site, frame, until_ns > from_ns ? until_ns - from_ns : 0, own,
                      parent, &next))
            return false;
    }
    return true;
}
