/* Notes of which paths a site had last, under which parents: of each site a few side by side. They
 * hold for a whole pass, whatever it adds up. Private to the analyzer. */
#ifndef TRACE_PATH_MEMOS_H
#define TRACE_PATH_MEMOS_H

#include "path_tree.h"

/* One parent of a site, and its path there. */
struct trace_path_memo {
    uint32_t parent; /* path; TRACE_NONE: nothing is noted */
    uint32_t path;
};

/* Pairs of memos: a parent may be in either one, the latest of a pair is the first. */
struct trace_path_memos {
    struct trace_path_memo *pairs; /* of a site 1 << shift of them */
    uint32_t site_count;
    uint32_t shift; /* the more the fewer sites there are */
};

/* Makes room for so many sites; those that had it keep their notes or lose them. False when there
 * is no memory. */
bool trace_path_memos_reserve(struct trace_path_memos *memos, uint32_t site_count);
void trace_path_memos_destroy(struct trace_path_memos *memos);

/* The first pair of a site for which there is room. */
static inline struct trace_path_memo *trace_path_memos_of(const struct trace_path_memos *memos,
                                                          uint32_t site)
{
    return &memos->pairs[(size_t)site << memos->shift << 1];
}

/* Looks for a path the long way, and notes it. TRACE_NONE when it is not there yet. */
uint32_t trace_path_memos_search(struct trace_path_memo *pair, const struct trace_path_tree *paths,
                                 uint32_t parent, uint32_t site);

/* The pair of a parent, among those of a site. `mask` is trace_path_memos_mask. */
static inline struct trace_path_memo *trace_path_memos_pair(struct trace_path_memo *of_site,
                                                            uint32_t mask, uint32_t parent)
{
    return of_site + 2 * (size_t)(parent & mask);
}

static inline uint32_t trace_path_memos_mask(const struct trace_path_memos *memos)
{
    return (1u << memos->shift) - 1;
}

/* The path that is noted in a pair, without a branch; TRACE_NONE: none of the parent. */
static inline uint32_t trace_path_memos_look(const struct trace_path_memo *pair, uint32_t parent)
{
    const struct trace_path_memo first = pair[0], second = pair[1];
    uint32_t other = second.parent == parent ? second.path : TRACE_NONE;
    return first.parent == parent ? first.path : other;
}

/* The path of any site; TRACE_NONE when it is not there yet. */
static inline uint32_t trace_path_memos_find(const struct trace_path_memos *memos,
                                             const struct trace_path_tree *paths, uint32_t parent,
                                             uint32_t site)
{
    if (site >= memos->site_count)
        return trace_path_tree_find(paths, parent, site);
    struct trace_path_memo *pair = trace_path_memos_pair(trace_path_memos_of(memos, site),
                                                         trace_path_memos_mask(memos), parent);
    uint32_t path = trace_path_memos_look(pair, parent);
    return path != TRACE_NONE ? path : trace_path_memos_search(pair, paths, parent, site);
}

#endif
