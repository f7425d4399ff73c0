/* Which nodes of a call tree are shown, and the rows that show them. Private to the analyzer. */
#ifndef TRACE_CALL_TREE_PAGE_H
#define TRACE_CALL_TREE_PAGE_H

#include "call_tree.h"
#include "selection.h"

/* What is too small or too deep to be shown. All zero: nothing is. */
struct trace_tree_limits {
    uint32_t depth;       /* levels of scopes; 0: all */
    uint32_t top;         /* children of one node, and trees; 0: all */
    int64_t min_ns;       /* inclusive, for each frame where there are frames */
    double min_percent;   /* the same as a share of the mean frame; without frames of all time */
    const char *min_text; /* the two as they were given; NULL: neither was */
};

/* Takes apart "1%" or "50us". Errors: ARGUMENT. */
LUDUS_CHECKED enum ludus_status trace_tree_limits_parse_min(const char *text,
                                                            struct trace_tree_limits *limits,
                                                            struct ludus_error *error);

enum trace_tree_row_kind {
    TRACE_TREE_NODE,
    TRACE_TREE_MORE,    /* children that are left out, added up; not when that is too small */
    TRACE_TREE_UNLOGGED /* what no child covers; not when that is too small */
};

struct trace_tree_row {
    uint32_t node; /* of MORE and UNLOGGED: the parent */
    uint8_t kind;  /* enum trace_tree_row_kind */
    uint8_t window;
};

struct trace_tree_page {
    const struct trace_call_tree *tree;
    const struct trace_chosen *chosen;
    struct trace_tree_limits limits;
    double least_ns[TRACE_MAX_WINDOWS]; /* times that are not too small */
    unsigned char *marks;               /* by node */
    struct trace_tree_row *rows;
    uint32_t row_count;
    uint32_t roots_shown;
    uint32_t nodes_chosen; /* of the sites that were asked for */
    uint32_t nodes_shown;  /* of these */
};

/* Chooses the rows. The tree and what was chosen must outlive the page. False when there is no
 * memory; destroy it all the same. */
bool trace_tree_page_create(struct trace_tree_page *page, const struct trace_call_tree *tree,
                            const struct trace_chosen *chosen,
                            const struct trace_tree_limits *limits);
void trace_tree_page_destroy(struct trace_tree_page *page);

/* Whether the node's site was asked for; a root's when no site was. */
bool trace_tree_page_is_chosen(const struct trace_tree_page *page, uint32_t node);

/* Children that would be shown, and are too small, too deep or too many: how many they are, what
 * they add up to, and whether they have a row, TRACE_TREE_MORE. */
uint32_t trace_tree_page_left_out(const struct trace_tree_page *page, uint32_t node);
struct trace_tree_sums trace_tree_page_more(const struct trace_tree_page *page, uint32_t node,
                                            uint32_t window);
bool trace_tree_page_has_more(const struct trace_tree_page *page, uint32_t node);

#endif
