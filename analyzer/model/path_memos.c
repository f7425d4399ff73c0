/* Keeps what was found in a tree of paths at hand. */
#include "path_memos.h"

#include <stdlib.h>
#include <string.h>

#define ALL_PAIRS  512u /* that stay in the nearest cache */
#define MOST_SHIFT 6u

void trace_path_memos_destroy(struct trace_path_memos *memos)
{
    free(memos->pairs);
    *memos = (struct trace_path_memos){0};
}

bool trace_path_memos_reserve(struct trace_path_memos *memos, uint32_t site_count)
{
    if (site_count <= memos->site_count)
        return true;
    uint32_t count = site_count + site_count / 8, shift = 0;
    while (shift < MOST_SHIFT && (size_t)count << (shift + 1) <= ALL_PAIRS)
        shift++;
    size_t bytes = ((size_t)count << shift) * 2 * sizeof *memos->pairs;
    free(memos->pairs);
    *memos = (struct trace_path_memos){.pairs = malloc(bytes), .site_count = count, .shift = shift};
    if (memos->pairs == NULL) {
        memos->site_count = 0;
        return false;
    }
    memset(memos->pairs, 0xFF, bytes); /* TRACE_NONE */
    return true;
}

uint32_t trace_path_memos_search(struct trace_path_memo *pair, const struct trace_path_tree *paths,
                                 uint32_t parent, uint32_t site)
{
    uint32_t path = trace_path_tree_find(paths, parent, site);
    if (path == TRACE_NONE)
        return TRACE_NONE;
    pair[1] = pair[0];
    pair[0] = (struct trace_path_memo){parent, path};
    return path;
}
