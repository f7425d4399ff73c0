/* Live looks at files that grow. A test fails when anything that it asks for is refused. */
#ifndef LIVE_FIXTURE_H
#define LIVE_FIXTURE_H

#include "golden_fixture.h"
#include "live.h"
#include "memory_sink.h"

/* A file that grows. */
struct growing_file {
    char path[4096];
    int descriptor;
    size_t size;
};

void growing_file_create(struct growing_file *file);
void growing_file_remove(struct growing_file *file);

/* Makes the file the first `size` of the bytes. */
void growing_file_grow(struct growing_file *file, struct lcap_bytes bytes, size_t size);

struct trace_live *live_fixture_open(const struct growing_file *file, int64_t length_ns,
                                     bool is_followed);
void live_fixture_read(struct trace_live *live, struct trace_live_state *state);

/* The report as JSON; the caller releases it. */
struct memory_sink live_fixture_json(struct trace_live *live);

/* A look at what the file holds by now, as if there had been none before; and that another one,
 * which was there before, shows the same. */
struct memory_sink live_fixture_json_at_once(const struct growing_file *file, int64_t length_ns);
void live_fixture_check_same(struct trace_live *live, const struct growing_file *file);

/* A look at the builder's capture, derived. */
struct trace_live *live_fixture_look_at(struct capture_builder *builder, int64_t length_ns);

#endif
