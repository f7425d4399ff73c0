/* Files that grow, and looks at them. */
#include "live_fixture.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void growing_file_create(struct growing_file *file)
{
    const char *folder = getenv("TMPDIR");
    snprintf(file->path, sizeof file->path, "%s/ludus-live-XXXXXX",
             folder != NULL ? folder : "/tmp");
    file->descriptor = mkstemp(file->path);
    file->size = 0;
    ck_assert_int_ge(file->descriptor, 0);
}

void growing_file_grow(struct growing_file *file, struct lcap_bytes bytes, size_t size)
{
    while (file->size < size) {
        ssize_t written = write(file->descriptor, bytes.data + file->size, size - file->size);
        ck_assert_int_gt(written, 0);
        file->size += (size_t)written;
    }
}

void growing_file_remove(struct growing_file *file)
{
    close(file->descriptor);
    unlink(file->path);
}

struct trace_live *live_fixture_open(const struct growing_file *file, int64_t length_ns,
                                     bool is_followed)
{
    const struct trace_live_options options = {.last_ms = 1, .is_followed = is_followed};
    struct trace_live *live = NULL;
    struct ludus_error error = {0};
    enum ludus_status status = trace_live_open(file->path, &options, &live, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    live->length_ns = length_ns; /* golden captures are shorter than a millisecond */
    return live;
}

void live_fixture_read(struct trace_live *live, struct trace_live_state *state)
{
    struct ludus_error error = {0};
    enum ludus_status status = trace_live_read(live, state, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
}

struct memory_sink live_fixture_json(struct trace_live *live)
{
    const struct trace_top_options options = {0};
    const struct trace_render_options looks = {.format = TRACE_FORMAT_JSON};
    struct memory_sink sink = memory_sink_make(1u << 24);
    struct trace_report *report;
    struct ludus_error error = {0};
    enum ludus_status status = trace_report_top(live, &options, &report, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    ck_assert_int_eq(trace_render(report, &looks, memory_sink_output(&sink), &error), LUDUS_OK);
    trace_report_destroy(report);
    return sink;
}

struct memory_sink live_fixture_json_at_once(const struct growing_file *file, int64_t length_ns)
{
    struct trace_live_state state;
    struct trace_live *live = live_fixture_open(file, length_ns, false);
    live_fixture_read(live, &state);
    struct memory_sink sink = live_fixture_json(live);
    trace_live_close(live);
    return sink;
}

void live_fixture_check_same(struct trace_live *live, const struct growing_file *file)
{
    struct memory_sink grown = live_fixture_json(live);
    struct memory_sink once = live_fixture_json_at_once(file, live->length_ns);
    if (strcmp(grown.bytes, once.bytes) != 0) /* too long for a message */
        fprintf(stderr, "grown:\n%s\nat once:\n%s\n", grown.bytes, once.bytes);
    ck_assert_msg(strcmp(grown.bytes, once.bytes) == 0, "the reports differ");
    memory_sink_release(&grown);
    memory_sink_release(&once);
}

struct trace_live *live_fixture_look_at(struct capture_builder *builder, int64_t length_ns)
{
    struct growing_file file;
    struct trace_live_state state;
    struct ludus_error error;
    struct lcap_bytes bytes = builder_bytes(builder);
    growing_file_create(&file);
    growing_file_grow(&file, bytes, bytes.size);
    struct trace_live *live = live_fixture_open(&file, length_ns, false);
    live_fixture_read(live, &state);
    ck_assert_int_eq(trace_live_derive(live, &error), LUDUS_OK);
    growing_file_remove(&file);
    return live;
}
