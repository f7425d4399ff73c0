/* The steps in which a call tree is made. Private to the call_tree_ files. */
#ifndef TRACE_CALL_TREE_PARTS_H
#define TRACE_CALL_TREE_PARTS_H

#include "call_tree.h"

/* Sorts the rows by track, and leaves those of one track as they are. False when there is no
 * memory. */
bool trace_call_tree_sort_rows(struct trace_call_tree *tree);

/* Adds up what is known of the roots. False when there is no memory. */
bool trace_call_tree_sum_roots(struct trace_call_tree *tree);

/* Sorts children and roots, and numbers all nodes. False when there is no memory. */
bool trace_call_tree_order(struct trace_call_tree *tree);

#endif
