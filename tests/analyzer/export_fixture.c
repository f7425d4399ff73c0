/* Exports captures for tests. */
#include "export_fixture.h"

#include <stdio.h>
#include <unistd.h>

#include "slice_collector.h"
#include "utf8.h"

static char folder[64];

void export_folder_make(void)
{
    snprintf(folder, sizeof folder, "/tmp/ludus-export-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

void export_folder_remove(void)
{
    static const char *const names[] = {"capture.lcap", "capture.db", "other.lcap"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        (void)unlink(export_path(names[i]));
    ck_assert_msg(rmdir(folder) == 0, "a test left a file in %s", folder);
}

const char *export_path(const char *name)
{
    static char paths[4][128];
    static unsigned next;
    char *path = paths[next++ % 4];

    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

void export_write_file(const char *path, struct lcap_bytes bytes)
{
    FILE *file = fopen(path, "wb");

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes.data, 1, bytes.size, file), bytes.size);
    ck_assert_int_eq(fclose(file), 0);
}

static struct trace_perfetto_options shown;

void export_show(struct trace_perfetto_options options)
{
    shown = options;
}

static struct memory_sink export_opened(struct trace_input *input)
{
    struct memory_sink sink = memory_sink_make(SIZE_MAX / 2);
    struct ludus_error error = {0};
    enum ludus_status status =
        trace_perfetto_export(input, &shown, memory_sink_output(&sink), &error);

    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    return sink;
}

struct memory_sink export_input(const char *path, uint32_t capture)
{
    struct trace_input *input = NULL;
    struct ludus_error error = {0};
    enum ludus_status status = trace_open(path, capture, &input, &error);
    struct memory_sink sink;
    struct memory_sink again;

    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    sink = export_opened(input);
    again = export_opened(input);
    export_assert_same(sink.bytes, again.bytes);
    memory_sink_release(&again);
    trace_close(input);
    return sink;
}

void export_open_both(struct lcap_bytes bytes, struct trace_input *inputs[2],
                      const struct trace_model *models[2])
{
    const char *paths[] = {export_path("capture.lcap"), export_path("capture.db")};
    struct ludus_error error = {0};
    export_write_file(paths[0], bytes);
    enum ludus_status status = trace_import(paths, 1, NULL, paths[1], NULL, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    for (uint32_t i = 0; i < 2; i++) {
        status = trace_open(paths[i], 0, &inputs[i], &error);
        if (status == LUDUS_OK)
            status = trace_input_model(inputs[i], TRACE_DETAIL_FACTS, &models[i], &error);
        ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    }
}

void export_assert_same(const char *a, const char *b)
{
    size_t at = 0;

    while (a[at] != '\0' && a[at] == b[at])
        at++;
    ck_assert_msg(a[at] == b[at], "they differ at byte %zu: %.80s / %.80s", at,
                  a + (at < 30 ? 0 : at - 30), b + (at < 30 ? 0 : at - 30));
}

struct memory_sink export_bytes(struct lcap_bytes bytes)
{
    const char *path = export_path("capture.lcap");
    const char *database = export_path("capture.db");
    struct ludus_error error = {0};
    struct memory_sink from_capture;
    struct memory_sink from_database;
    enum ludus_status status;

    export_write_file(path, bytes);
    from_capture = export_input(path, 0);
    status = trace_import(&path, 1, NULL, database, NULL, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    from_database = export_input(database, 0);
    export_assert_same(from_capture.bytes, from_database.bytes);
    memory_sink_release(&from_database);
    return from_capture;
}

void export_builder(struct capture_builder *builder, struct chrome_trace *trace)
{
    struct memory_sink sink = export_bytes(builder_bytes(builder));

    chrome_trace_read(trace, sink.bytes, sink.size);
    export_compare(trace, export_path("capture.lcap"));
    memory_sink_release(&sink);
}

/* --- the analyzer's own tree ------------------------------------------------------------------ */

/* Valid texts come back as they are; the others are looked at by tests of their own. */
static void assert_text(const json_t *value, struct trace_text text)
{
    ck_assert(json_is_string(value));
    if (!trace_utf8_is_valid(text.data, text.size))
        return;
    ck_assert_uint_eq(json_string_length(value), text.size);
    ck_assert(memcmp(json_string_value(value), text.data, text.size) == 0);
}

static void assert_slice(const struct chrome_slice *found, const struct trace_model *model,
                         const struct trace_slice *slice)
{
    const struct trace_site *site = &model->sites[model->paths[slice->path].site];

    ck_assert_int_eq(found->begin_ns, slice->begin_ns);
    ck_assert_int_eq(found->end_ns - found->begin_ns, slice->known_ns);
    ck_assert_int_eq(found->is_incomplete, slice->is_incomplete);
    ck_assert_int_eq(found->has_children_lost, slice->has_children_lost);
    assert_text(found->name, site->name);
    if (site->category == TRACE_NONE)
        ck_assert_ptr_null(found->category);
    else
        assert_text(found->category, model->categories[site->category].name);
}

static uint32_t track_of(const struct trace_model *model, json_int_t tid)
{
    uint32_t track = 0;

    while (track < model->track_count && (json_int_t)model->tracks[track].id != tid)
        track++;
    return track;
}

static void compare_slices(const struct chrome_trace *trace, const struct trace_model *model,
                           const struct slice_collector *collector)
{
    size_t *next = calloc(model->track_count + 1, sizeof *next);
    uint64_t *ids = calloc(trace->slice_count + 1, sizeof *ids);
    size_t compared = 0;

    ck_assert(next != NULL && ids != NULL);
    for (size_t i = collector->slice_count; i > 0; i--)
        next[collector->slices[i - 1].track] = i - 1; /* sorted by track: its first */
    for (size_t i = 0; i < trace->slice_count; i++) {
        const struct chrome_slice *found = &trace->slices[i];
        uint32_t track = track_of(model, found->tid);
        const struct trace_slice *slice = &collector->slices[next[track]];

        if (track == model->track_count)
            continue; /* a frame */
        ck_assert_msg(next[track]++ < collector->slice_count && slice->track == track,
                      "a slice too many on track %u", track);
        assert_slice(found, model, slice);
        ids[i] = slice->slice_id;
        ck_assert_uint_eq(slice->parent_id,
                          found->parent == CHROME_NO_PARENT ? 0 : ids[found->parent]);
        compared++;
    }
    ck_assert_uint_eq(compared, collector->slice_count);
    free(next);
    free(ids);
}

/* Ends of flows in slices are there, in their slices, in the order of their tracks. */
static void compare_flows(const struct chrome_trace *trace, const struct trace_model *model,
                          const struct slice_collector *collector)
{
    size_t *next = calloc(model->track_count + 1, sizeof *next); /* among the export's flows */
    size_t compared = 0;

    ck_assert_ptr_nonnull(next);
    for (size_t i = 0; i < collector->value_count; i++) {
        const struct trace_value *value = &collector->values[i];
        const struct trace_slice *slice = slice_collector_find(collector, value->slice_id);
        const json_int_t tid = (json_int_t)model->tracks[value->track].id;
        const struct chrome_flow *flow;
        size_t *at = &next[value->track];

        if (slice == NULL || value->kind < LCAP_EVENT_FLOW_OUT || value->kind > LCAP_EVENT_FLOW_IN)
            continue;
        while (*at < trace->flow_count && trace->slices[trace->flows[*at].slice].tid != tid)
            ++*at;
        ck_assert_msg(*at < trace->flow_count, "a flow is not there");
        flow = &trace->flows[(*at)++];
        ck_assert_uint_eq(flow->id, value->bits);
        ck_assert_int_eq(flow->time_ns, value->time_ns);
        ck_assert_int_eq(flow->is_in, value->kind == LCAP_EVENT_FLOW_IN);
        ck_assert_int_eq(trace->slices[flow->slice].begin_ns, slice->begin_ns);
        assert_text(trace->slices[flow->slice].name,
                    model->sites[model->paths[slice->path].site].name);
        compared++;
    }
    ck_assert_uint_eq(compared, trace->flow_count);
    free(next);
}

void export_compare(const struct chrome_trace *trace, const char *path)
{
    struct trace_capture *capture = NULL;
    struct slice_collector collector;
    struct ludus_error error = {0};
    enum ludus_status status = trace_capture_open(path, &capture, &error);
    size_t remarks;
    const struct trace_model *model;

    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    model = trace_capture_model(capture);
    slice_collector_run(&collector, capture);
    compare_slices(trace, model, &collector);
    compare_flows(trace, model, &collector);
    remarks = model->loss_count + model->diagnostic_count;
    for (uint32_t i = 0; i < model->domain_count; i++)
        remarks += model->domains[i].frame_count - model->domains[i].complete_count;
    ck_assert_uint_eq(trace->instants, collector.instant_count + remarks);
    ck_assert_uint_eq((uint64_t)json_integer_value(chrome_trace_other(trace, "slices")),
                      collector.slice_count);
    ck_assert_int_eq(json_integer_value(chrome_trace_other(trace, "times_moved")), 0);
    slice_collector_clear(&collector);
    trace_capture_close(capture);
}
