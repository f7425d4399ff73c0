/* Trees and exports of a capture that a test builds, each from the file and from a database made of
 * it, which must say the same. */
#ifndef TREE_FIXTURE_H
#define TREE_FIXTURE_H

#include "export_fixture.h"

/* Writes the builder's capture, and imports it. */
void tree_fixture_write(struct capture_builder *builder);

/* The rows of a tree, a line each: kind, node and parent, scope, calls, inclusive and exclusive
 * time in all; where a frame's are known, " |", these for each frame and the shares of parent and
 * frame; then recursion, incomplete, children lost and left out where they are not 0, and "around"
 * for what was not chosen. The window stands in front when there are several. The caller frees it.
 */
char *tree_fixture_rows(const struct trace_tree_options *options);

/* Fails with the first difference. */
void tree_fixture_expect(const struct trace_tree_options *options, const char *rows);

/* What must be said below the tree. */
void tree_fixture_expect_note(const struct trace_tree_options *options, const char *part);

struct memory_sink tree_fixture_folded(const struct trace_selection *selection,
                                       bool are_tracks_apart);
struct memory_sink tree_fixture_slices(const struct trace_selection *selection);

#endif
