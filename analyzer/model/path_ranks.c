/* Numbers paths as they come when siblings stand by name. */
#include "path_ranks.h"

#include <stdlib.h>

/* A path among those of its parent. */
struct sibling {
    const struct trace_text *name;
    uint32_t site;
    uint32_t path;
};

struct ranking {
    const struct trace_model *model;
    struct sibling *siblings; /* those of one parent together */
    uint32_t *first;          /* by path: where its children are; those of the next path follow */
    uint32_t *stack;
    uint32_t *ranks;
};

static int compare_siblings(const void *a, const void *b)
{
    const struct sibling *left = a;
    const struct sibling *right = b;
    int order = trace_text_compare(left->name, right->name);
    return order != 0 ? order : (left->site > right->site) - (left->site < right->site);
}

/* Puts the children of each path side by side, and sorts them. */
static void place_siblings(struct ranking *ranking)
{
    const struct trace_model *model = ranking->model;
    uint32_t *first = ranking->first;
    for (uint32_t path = 1; path < model->path_count; path++)
        first[model->paths[path].parent + 1]++;
    for (uint32_t path = 1; path <= model->path_count; path++)
        first[path] += first[path - 1];
    for (uint32_t path = 1; path < model->path_count; path++) {
        const uint32_t site = model->paths[path].site;
        ranking->siblings[first[model->paths[path].parent]++] =
            (struct sibling){&model->sites[site].name, site, path};
    }
    for (uint32_t path = model->path_count; path > 0; path--) /* each is where the next begins */
        first[path] = first[path - 1];
    first[0] = 0;
    for (uint32_t path = 0; path < model->path_count; path++)
        if (first[path + 1] - first[path] > 1)
            qsort(ranking->siblings + first[path], first[path + 1] - first[path],
                  sizeof *ranking->siblings, compare_siblings);
}

static void number(struct ranking *ranking)
{
    uint32_t depth = 0, next = 0;
    ranking->stack[depth++] = 0;
    while (depth != 0) {
        const uint32_t path = ranking->stack[--depth];
        ranking->ranks[path] = next++;
        for (uint32_t i = ranking->first[path + 1]; i-- > ranking->first[path];)
            ranking->stack[depth++] = ranking->siblings[i].path;
    }
}

uint32_t *trace_path_ranks_create(const struct trace_model *model)
{
    const size_t count = (size_t)model->path_count + 2;
    struct ranking ranking = {.model = model,
                              .siblings = malloc(count * sizeof *ranking.siblings),
                              .first = calloc(count, sizeof *ranking.first),
                              .stack = malloc(count * sizeof *ranking.stack),
                              .ranks = malloc(count * sizeof *ranking.ranks)};
    const bool is_done = ranking.siblings != NULL && ranking.first != NULL &&
                         ranking.stack != NULL && ranking.ranks != NULL;
    if (is_done && model->path_count != 0) {
        place_siblings(&ranking);
        number(&ranking);
    }
    free(ranking.siblings);
    free(ranking.first);
    free(ranking.stack);
    if (is_done)
        return ranking.ranks;
    free(ranking.ranks);
    return NULL;
}
