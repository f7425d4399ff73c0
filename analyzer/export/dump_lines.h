/* The lines of a capture's dump: format/FORMAT.md, section 3. Private to the analyzer. */
#ifndef TRACE_DUMP_LINES_H
#define TRACE_DUMP_LINES_H

#include "byte_writer.h"
#include "id_map.h"
#include "lcap_decode.h"
#include "text_buffer.h"

/* Where a string's bytes lie in `string_bytes`. */
struct trace_dump_string {
    size_t offset;
    size_t size;
};

/* A dump on its way out, and the strings that it has met. Starts zeroed but for the writer. */
struct trace_dump {
    struct trace_writer writer;
    struct trace_id_map string_ids; /* indexes into `strings` */
    struct trace_dump_string *strings;
    size_t string_capacity;
    struct trace_text_buffer string_bytes;
    bool has_failed; /* memory was short */
};

void trace_dump_release(struct trace_dump *dump);

/* A label and what it names. Labels bring their own spaces. */
void trace_dump_number(struct trace_dump *dump, const char *label, uint64_t number);
void trace_dump_signed(struct trace_dump *dump, const char *label, int64_t number);
void trace_dump_hex(struct trace_dump *dump, const char *label, uint64_t number);
void trace_dump_name(struct trace_dump *dump, const char *label, const char *name, uint32_t number);
void trace_dump_quoted(struct trace_dump *dump, const char *label, struct lcap_bytes bytes);

/* The lines of a good block's records. `events` is NULL unless it is an events block. */
void trace_dump_block(struct trace_dump *dump, const struct lcap_block *block,
                      const struct lcap_events *events, const struct lcap_clock *clock);

/* The lines of an events block; dump_events.c. */
void trace_dump_events(struct trace_dump *dump, const struct lcap_events *events,
                       const struct lcap_clock *clock);

/* The lines of blocks of GPU samples; dump_gpu.c. */
void trace_dump_gpu_queues(struct trace_dump *dump, const struct lcap_block *block);
void trace_dump_gpu_frames(struct trace_dump *dump, const struct lcap_block *block);
void trace_dump_gpu_passes(struct trace_dump *dump, const struct lcap_block *block);
void trace_dump_gpu_counts(struct trace_dump *dump, const struct lcap_block *block);
void trace_dump_gpu_calibrations(struct trace_dump *dump, const struct lcap_block *block);

#endif
