/* Two sides of captures that a test builds, compared. */
#include "diff_fixture.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_file(char *path, const void *data, size_t size)
{
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, data, size), (ssize_t)size);
    ck_assert_int_eq(close(file), 0);
}

void diff_start(struct diff_fixture *diff, const struct trace_selection *selection, bool is_by_path)
{
    *diff = (struct diff_fixture){0};
    if (selection != NULL)
        diff->selection = *selection;
    trace_diff_config_set_default(&diff->config);
    struct trace_digest_options options = {.selection = &diff->selection, .is_by_path = is_by_path};
    ck_assert(trace_run_pool_create(&diff->pool, &options, NULL));
}

void diff_end(struct diff_fixture *diff)
{
    trace_comparison_destroy(&diff->comparison);
    trace_run_pool_destroy(&diff->pool);
    trace_diff_config_destroy(diff->read_config);
    free(diff->runs);
}

struct capture_builder *diff_begin_run(struct diff_fixture *diff, const struct builder_setup *setup,
                                       const uint64_t *times_ns, size_t count)
{
    ck_assert_uint_lt(diff->setup_count, DIFF_MOST_RUNS);
    struct builder_setup *own = &diff->setups[diff->setup_count++];
    *own = *setup;
    own->capture_id = diff->setup_count;
    struct capture_builder *builder = builder_create(own);
    golden_add_track(builder, 1, 11, 0, 0, "main");
    builder_domain(builder, 1, "frame");
    for (size_t i = 0; i < count; i++)
        builder_frame_on(builder, 1, 1, i, START + times_ns[i]);
    return builder;
}

void diff_add_run(struct diff_fixture *diff, enum trace_side side, struct capture_builder *builder,
                  uint64_t stop_ns)
{
    char path[] = "/tmp/ludus-run-XXXXXX";
    struct ludus_error error = {0};
    builder_stop(builder, START + stop_ns);
    builder_finish(builder);
    struct lcap_bytes bytes = builder_bytes(builder);
    write_file(path, bytes.data, bytes.size);
    builder_destroy(builder);
    enum ludus_status status = trace_run_pool_add(&diff->pool, path, side, &error);
    (void)unlink(path);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
}

void diff_configure(struct diff_fixture *diff, const char *json)
{
    char path[] = "/tmp/ludus-config-XXXXXX";
    struct ludus_error error = {0};
    write_file(path, json, strlen(json));
    enum ludus_status status = trace_diff_config_read(path, &diff->read_config, &error);
    (void)unlink(path);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    diff->read_config->path = NULL;
}

void diff_compare(struct diff_fixture *diff)
{
    ck_assert(trace_scope_keys_sort(&diff->pool.keys));
    diff->runs = trace_run_pool_list(&diff->pool);
    ck_assert_ptr_nonnull(diff->runs);
    ck_assert(trace_compare(
        &diff->pool.keys, diff->runs, diff->pool.base_runs, diff->pool.count - diff->pool.base_runs,
        diff->read_config != NULL ? diff->read_config : &diff->config, &diff->comparison));
}

const struct trace_compared *diff_find(const struct diff_fixture *diff, const char *name,
                                       enum trace_measure measure)
{
    const struct trace_compared *found = NULL;
    for (uint32_t i = 0; i < diff->comparison.count; i++) {
        const struct trace_compared *item = &diff->comparison.items[i];
        struct trace_text text = diff->pool.keys.items[item->key].name;
        if (item->measure != measure ||
            !trace_text_equals(text, (struct trace_text){name, strlen(name)}))
            continue;
        ck_assert_msg(found == NULL, "there are several of %s", name);
        found = item;
    }
    return found;
}

const uint64_t diff_four[DIFF_FOUR] = {0, 1000, 2000, 3000, 4000};

struct capture_builder *diff_begin_four(struct diff_fixture *diff)
{
    return diff_begin_run(diff, &golden_setup, diff_four, DIFF_FOUR);
}

void diff_add_four(struct diff_fixture *diff, enum trace_side side, const char *events)
{
    struct capture_builder *builder = diff_begin_four(diff);
    golden_emit(builder, 1, events);
    diff_add_run(diff, side, builder, 4100);
}

const struct trace_compared *diff_require(const struct diff_fixture *diff, const char *name,
                                          enum trace_measure measure)
{
    const struct trace_compared *item = diff_find(diff, name, measure);
    ck_assert_msg(item != NULL, "%s is not compared", name);
    return item;
}

void diff_check_change(const struct trace_compared *item, double base_ns, double candidate_ns,
                       double base_calls, double candidate_calls)
{
    ck_assert_double_eq_tol(item->change.base_ns, base_ns, 0.001);
    ck_assert_double_eq_tol(item->change.candidate_ns, candidate_ns, 0.001);
    ck_assert_double_eq_tol(item->change.base_calls, base_calls, 1e-9);
    ck_assert_double_eq_tol(item->change.candidate_calls, candidate_calls, 1e-9);
}

void diff_check_remainder(const struct diff_fixture *diff)
{
    const struct trace_comparison *comparison = &diff->comparison;
    double sums[TRACE_SIDES] = {comparison->rest_ns[0], comparison->rest_ns[1]};
    for (uint32_t i = 0; i < comparison->count; i++)
        if (comparison->items[i].measure == TRACE_MEASURE_FRAME_TRACK) {
            sums[TRACE_BASE] += comparison->items[i].change.base_ns;
            sums[TRACE_CANDIDATE] += comparison->items[i].change.candidate_ns;
        }
    for (uint32_t side = 0; side < TRACE_SIDES; side++)
        ck_assert_double_eq_tol(sums[side], comparison->mean_ns[side], 0.01);
}

struct capture_builder *diff_begin_two_tracks(struct diff_fixture *diff, const char *on_main,
                                              const char *on_worker)
{
    struct capture_builder *builder = diff_begin_four(diff);
    golden_add_track(builder, 2, 12, 0, 0, "worker");
    golden_add_track(builder, 3, 13, 0, 0, "worker");
    golden_emit(builder, 1, on_main);
    golden_emit(builder, 2, on_worker);
    golden_emit(builder, 3, on_worker);
    return builder;
}

void diff_add_slice(struct capture_builder *builder, uint32_t track, uint32_t site,
                    uint64_t begin_ns, uint64_t end_ns)
{
    builder_event(builder, track, LCAP_EVENT_BEGIN, START + begin_ns, site);
    builder_event(builder, track, LCAP_EVENT_END, START + end_ns, 0);
}
