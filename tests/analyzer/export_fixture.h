/* Exports captures for tests: to memory, from the file and from a database made of it. */
#ifndef EXPORT_FIXTURE_H
#define EXPORT_FIXTURE_H

#include "capture_builder.h"
#include "chrome_trace.h"
#include "input.h"
#include "memory_sink.h"
#include "perfetto.h"

/* A folder for the files of a test, and its removal. */
void export_folder_make(void);
void export_folder_remove(void);

/* A path in the folder. Valid until the next call but three. */
const char *export_path(const char *name);

void export_write_file(const char *path, struct lcap_bytes bytes);

/* Writes the bytes as a capture and opens it, and the database made of it, with the facts of both.
 * The caller closes them. */
void export_open_both(struct lcap_bytes bytes, struct trace_input *inputs[2],
                      const struct trace_model *models[2]);

/* Fails with the first difference, and what is around it. */
void export_assert_same(const char *a, const char *b);

/* What the exports of this test show from now on; at first everything. */
void export_show(struct trace_perfetto_options options);

/* The export of an input, which must be the same when asked for again; the caller releases it. */
struct memory_sink export_input(const char *path, uint32_t capture);

/* Writes the bytes as a capture and exports it. From a database of it the same must come, twice. */
struct memory_sink export_bytes(struct lcap_bytes bytes);

/* The same for the builder's capture, read again by Chrome's rules, and compared with the slices
 * that the analyzer's pass shows. */
void export_builder(struct capture_builder *builder, struct chrome_trace *trace);

/* Compares an export with the pass over the capture at `path`: every slice on its track, in its
 * parent, with its times, names and marks, and every flow in its slice. Frames are left out. */
void export_compare(const struct chrome_trace *trace, const char *path);

#endif
