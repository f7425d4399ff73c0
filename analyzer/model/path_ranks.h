/* The order of a model's paths by name. Private to the analyzer. */
#ifndef TRACE_PATH_RANKS_H
#define TRACE_PATH_RANKS_H

#include "model.h"

/* The place of each path, by index, to be freed: by the names from the outermost site on, and by
 * the sites where they have the same names; a path comes before those below it. NULL when there is
 * no memory. All at once, as two paths of a deep chain would be compared over all of it. */
uint32_t *trace_path_ranks_create(const struct trace_model *model);

#endif
