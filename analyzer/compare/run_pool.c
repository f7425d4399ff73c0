/* The runs of both sides of a comparison. */
#include "run_pool.h"

#include <stdio.h>
#include <stdlib.h>

#include "failure.h"
#include "relabelings.h"

bool trace_run_pool_create(struct trace_run_pool *pool, const struct trace_digest_options *options,
                           const struct trace_watch *watch)
{
    *pool = (struct trace_run_pool){.options = *options, .watch = watch};
    return trace_scope_keys_create(&pool->keys);
}

void trace_run_pool_destroy(struct trace_run_pool *pool)
{
    for (uint32_t i = 0; i < pool->count; i++)
        trace_run_destroy(&pool->runs[i]);
    free(pool->runs);
    trace_warnings_destroy(&pool->copies);
    trace_scope_keys_destroy(&pool->keys);
}

/* The run of the same side that is the same recording; NULL: there is none. */
static const struct trace_run *find_copy(const struct trace_run_pool *pool,
                                         const struct trace_run *run)
{
    for (uint32_t i = 0; i < pool->count; i++)
        if (pool->runs[i].side == run->side && pool->runs[i].capture_id == run->capture_id)
            return &pool->runs[i];
    return NULL;
}

/* Takes over the run, or leaves it out. */
static enum ludus_status keep_run(struct trace_run_pool *pool, struct trace_run *run,
                                  struct ludus_error *error)
{
    const struct trace_run *copy = find_copy(pool, run);

    if (copy != NULL) {
        bool is_done = trace_warnings_add(
            &pool->copies, "%.*s is the recording that %.*s is, and counts once",
            (int)run->label.size, run->label.data, (int)copy->label.size, copy->label.data);
        trace_run_destroy(run);
        return is_done ? LUDUS_OK : trace_fail_memory(error);
    }
    if (!trace_array_grow(&pool->runs, pool->count, sizeof *pool->runs)) {
        trace_run_destroy(run);
        return trace_fail_memory(error);
    }
    pool->runs[pool->count++] = *run;
    pool->base_runs += run->side == TRACE_BASE;
    return LUDUS_OK;
}

static enum ludus_status add_run(struct trace_run_pool *pool, struct trace_input *input,
                                 const char *label, enum trace_side side, struct ludus_error *error)
{
    if (pool->count == TRACE_MAX_RUNS)
        return trace_fail(error, LUDUS_ERROR_LIMIT,
                          "%s: is one run too many; both sides together may have %u", label,
                          TRACE_MAX_RUNS);
    struct trace_run run;
    enum ludus_status status =
        trace_run_read(input, label, side, &pool->options, &pool->keys, &run, error);
    if (status == LUDUS_OK)
        return keep_run(pool, &run, error);
    trace_run_destroy(&run);
    return status;
}

/* Says which file a message of names and windows is about. */
static enum ludus_status name_file(enum ludus_status status, const char *label,
                                   struct ludus_error *error)
{
    struct ludus_error reason = *error;

    if ((status != LUDUS_ERROR_ARGUMENT && status != LUDUS_ERROR_UNAVAILABLE) ||
        strncmp(reason.message, label, strlen(label)) == 0)
        return status;
    return trace_fail(error, status, "%s: %s", label, reason.message);
}

static enum ludus_status add_capture(struct trace_run_pool *pool, const char *path, uint32_t number,
                                     enum trace_side side, struct ludus_error *error)
{
    struct trace_input *input = NULL;
    enum ludus_status status = trace_open_watched(path, number, pool->watch, &input, error);
    size_t size = strlen(path) + 16;
    char *label = malloc(size);

    if (status == LUDUS_OK && label == NULL)
        status = trace_fail_memory(error);
    if (status == LUDUS_OK) {
        (void)snprintf(label, size, "%s#%u", path, (unsigned)number);
        status = name_file(add_run(pool, input, label, side, error), label, error);
    }
    free(label);
    trace_close(input);
    return status;
}

enum ludus_status trace_run_pool_add(struct trace_run_pool *pool, const char *path,
                                     enum trace_side side, struct ludus_error *error)
{
    struct trace_input *input = NULL;
    uint32_t count = 0;
    enum ludus_status status = trace_open_watched(path, 0, pool->watch, &input, error);

    if (status == LUDUS_OK)
        status = trace_input_capture_count(input, &count, error);
    if (status == LUDUS_OK && count == 1)
        status = name_file(add_run(pool, input, path, side, error), path, error);
    trace_close(input);
    for (uint32_t number = 1; status == LUDUS_OK && count > 1 && number <= count; number++)
        status = add_capture(pool, path, number, side, error);
    return status;
}

const struct trace_run **trace_run_pool_list(const struct trace_run_pool *pool)
{
    const struct trace_run **list = calloc((size_t)pool->count + 1, sizeof(*list));

    for (uint32_t i = 0; list != NULL && i < pool->count; i++)
        list[i] = &pool->runs[i];
    return list;
}
