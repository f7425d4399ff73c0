/* Keeps what a pass over a capture shows to its visitor. */
#include "slice_collector.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reserve(void *array, size_t *capacity, size_t count, size_t size)
{
    void **items = array;
    if (count <= *capacity)
        return;
    *capacity = 2 * count + 64;
    *items = realloc(*items, *capacity * size);
    ck_assert_ptr_nonnull(*items);
}

static enum ludus_status take_slices(void *context, const struct trace_model *model,
                                     const struct trace_slice *slices, size_t count)
{
    struct slice_collector *collector = context;
    (void)model;
    for (size_t i = 1; i < count; i++) /* in order of begin, as ids are */
        ck_assert_uint_lt(slices[i - 1].slice_id, slices[i].slice_id);
    reserve(&collector->slices, &collector->slice_capacity, collector->slice_count + count,
            sizeof *slices);
    memcpy(collector->slices + collector->slice_count, slices, count * sizeof *slices);
    collector->slice_count += count;
    return LUDUS_OK;
}

static enum ludus_status take_instants(void *context, const struct trace_model *model,
                                       const struct trace_instant *instants, size_t count)
{
    struct slice_collector *collector = context;
    (void)model;
    reserve(&collector->instants, &collector->instant_capacity, collector->instant_count + count,
            sizeof *instants);
    memcpy(collector->instants + collector->instant_count, instants, count * sizeof *instants);
    collector->instant_count += count;
    return LUDUS_OK;
}

static enum ludus_status take_values(void *context, const struct trace_model *model,
                                     const struct trace_value *values, size_t count)
{
    struct slice_collector *collector = context;
    (void)model;
    reserve(&collector->values, &collector->value_capacity, collector->value_count + count,
            sizeof *values);
    memcpy(collector->values + collector->value_count, values, count * sizeof *values);
    collector->value_count += count;
    return LUDUS_OK;
}

static enum ludus_status take_begin(void *context, const struct trace_model *model, uint32_t track,
                                    uint32_t site, int64_t begin_ns)
{
    struct slice_collector *collector = context;
    (void)model;
    reserve(&collector->open, &collector->open_capacity, collector->open_count + 1,
            sizeof *collector->open);
    collector->open[collector->open_count++] = (struct open_scope){begin_ns, track, site};
    return LUDUS_OK;
}

/* The innermost scope of the track must be the one that ends. */
static enum ludus_status take_end(void *context, const struct trace_model *model,
                                  const struct trace_slice *slice)
{
    struct slice_collector *collector = context;
    size_t at = collector->open_count;
    while (at != 0 && collector->open[at - 1].track != slice->track)
        at--;
    ck_assert_uint_ne(at, 0);
    ck_assert_int_eq(collector->open[at - 1].begin_ns, slice->begin_ns);
    ck_assert_uint_eq(collector->open[at - 1].site, model->paths[slice->path].site);
    memmove(collector->open + at - 1, collector->open + at,
            (collector->open_count - at) * sizeof *collector->open);
    collector->open_count--;
    collector->ended_count++;
    return LUDUS_OK;
}

static int compare_slices(const void *a, const void *b)
{
    const struct trace_slice *left = a;
    const struct trace_slice *right = b;
    if (left->track != right->track)
        return left->track < right->track ? -1 : 1;
    return (left->slice_id > right->slice_id) - (left->slice_id < right->slice_id);
}

static struct trace_visitor visitor_of(struct slice_collector *collector)
{
    *collector = (struct slice_collector){0};
    return (struct trace_visitor){.context = collector,
                                  .slices = take_slices,
                                  .instants = take_instants,
                                  .values = take_values,
                                  .begin = take_begin,
                                  .end = take_end};
}

static void finish(struct slice_collector *collector)
{
    ck_assert_uint_eq(collector->open_count, 0);
    ck_assert_uint_eq(collector->ended_count, collector->slice_count);
    if (collector->slice_count > 1)
        qsort(collector->slices, collector->slice_count, sizeof *collector->slices, compare_slices);
}

void slice_collector_run(struct slice_collector *collector, struct trace_capture *capture)
{
    struct ludus_error error = {0};
    struct trace_visitor visitor = visitor_of(collector);
    enum ludus_status status = trace_capture_run(capture, NULL, &visitor, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    finish(collector);
}

void slice_collector_run_input(struct slice_collector *collector, struct trace_input *input,
                               const struct trace_pass_plan *plan)
{
    struct ludus_error error = {0};
    struct trace_visitor visitor = visitor_of(collector);
    enum ludus_status status = trace_input_run(input, plan, &visitor, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    finish(collector);
}

void slice_collector_clear(struct slice_collector *collector)
{
    free(collector->slices);
    free(collector->instants);
    free(collector->values);
    free(collector->open);
    *collector = (struct slice_collector){0};
}

const struct trace_slice *slice_collector_find(const struct slice_collector *collector,
                                               uint64_t slice_id)
{
    for (size_t i = 0; slice_id != 0 && i < collector->slice_count; i++)
        if (collector->slices[i].slice_id == slice_id)
            return &collector->slices[i];
    return NULL;
}

void path_text(const struct trace_model *model, uint32_t path, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    if (path == 0)
        return;
    path_text(model, model->paths[path].parent, text, size);
    used = strlen(text);
    const struct trace_text *name = &model->sites[model->paths[path].site].name;
    snprintf(text + used, size - used, "%s%.*s", used == 0 ? "" : "/", (int)name->size, name->data);
}
