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

static int compare_slices(const void *a, const void *b)
{
    const struct trace_slice *left = a;
    const struct trace_slice *right = b;
    if (left->track != right->track)
        return left->track < right->track ? -1 : 1;
    return (left->slice_id > right->slice_id) - (left->slice_id < right->slice_id);
}

void slice_collector_run(struct slice_collector *collector, struct trace_capture *capture)
{
    struct ludus_error error = {0};
    struct trace_visitor visitor = {
        .context = collector, .slices = take_slices, .instants = take_instants};
    *collector = (struct slice_collector){0};
    enum ludus_status status = trace_capture_run(capture, &visitor, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    if (collector->slice_count > 1)
        qsort(collector->slices, collector->slice_count, sizeof *collector->slices, compare_slices);
}

void slice_collector_clear(struct slice_collector *collector)
{
    free(collector->slices);
    free(collector->instants);
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
