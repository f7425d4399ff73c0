/* The runs of both sides of a comparison, read from captures and databases. Private to the
 * analyzer. */
#ifndef TRACE_RUN_POOL_H
#define TRACE_RUN_POOL_H

#include "input_warnings.h"
#include "run_digest.h"

/* All zero but `options` and the created keys is empty. */
struct trace_run_pool {
    struct trace_digest_options options;
    const struct trace_watch *watch;
    struct trace_scope_keys keys;
    struct trace_run *runs; /* in the order in which they were added */
    uint32_t count;
    uint32_t base_runs;           /* of them, which come first */
    struct trace_warnings copies; /* lines about what was left out */
};

/* No run yet; `watch` may be NULL, and must outlive it. False when there is no memory; destroy it
 * all the same. */
bool trace_run_pool_create(struct trace_run_pool *pool, const struct trace_digest_options *options,
                           const struct trace_watch *watch);
void trace_run_pool_destroy(struct trace_run_pool *pool);

/* Adds a capture, or each of those in a database; all of the base come before those of the
 * candidate. A recording that its side has already is left out: it is no other run, and would make
 * runs seem to vary less. Errors: those of trace_open and trace_run_read; LIMIT (too many runs). */
LUDUS_CHECKED enum ludus_status trace_run_pool_add(struct trace_run_pool *pool, const char *path,
                                                   enum trace_side side, struct ludus_error *error);

/* How many runs the side has. */
static inline uint32_t trace_run_pool_count(const struct trace_run_pool *pool, enum trace_side side)
{
    return side == TRACE_BASE ? pool->base_runs : pool->count - pool->base_runs;
}

/* The runs, those of the base first, to be freed; NULL when there is no memory. Valid until one is
 * added. */
const struct trace_run **trace_run_pool_list(const struct trace_run_pool *pool);

#endif
