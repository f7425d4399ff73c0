/* Puts blocks into the chain of a new file, and their bytes to its sink. */
#include "new_capture.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "failure.h"

static uint64_t make_capture_id(void)
{
    uint64_t id = 0;
    struct timespec now = {0};
    if (getentropy(&id, sizeof id) != 0) {
        (void)clock_gettime(CLOCK_REALTIME, &now);
        id = (uint64_t)now.tv_nsec * 0x9E3779B97F4A7C15u ^ (uint64_t)now.tv_sec;
    }
    return id;
}

static void append(struct trace_new_capture *writer, struct lcap_bytes bytes)
{
    trace_put(&writer->output, (const char *)bytes.data, bytes.size);
    if (writer->status == LUDUS_OK)
        writer->status = writer->output.status;
}

struct trace_new_capture *trace_new_capture_create(struct trace_output output,
                                                   const struct lcap_encoder_config *config)
{
    struct trace_new_capture *writer = malloc(sizeof *writer);
    if (writer == NULL)
        return NULL;
    writer->status = LUDUS_OK;
    writer->block = NULL;
    writer->capacity = 0;
    if (lcap_encoder_create(config, &writer->encoder) != LUDUS_OK) {
        free(writer);
        return NULL;
    }
    trace_writer_start(&writer->output, output);
    append(writer, lcap_chain_start(&writer->chain, make_capture_id()));
    return writer;
}

void trace_new_capture_destroy(struct trace_new_capture *writer)
{
    if (writer == NULL)
        return;
    lcap_encoder_destroy(writer->encoder);
    free(writer->block);
    free(writer);
}

static void append_index_when_due(struct trace_new_capture *writer)
{
    if (lcap_chain_index_is_due(&writer->chain))
        append(writer, lcap_chain_index(&writer->chain, writer->encoder));
}

void trace_new_capture_put(struct trace_new_capture *writer, enum ludus_status status,
                           struct lcap_bytes block)
{
    if (writer->status == LUDUS_OK)
        writer->status = status;
    if (writer->status != LUDUS_OK || block.size == 0)
        return;
    lcap_chain_add_made(&writer->chain, writer->encoder);
    append(writer, block);
    append_index_when_due(writer);
}

static bool reserve(struct trace_new_capture *writer, uint64_t size)
{
    if (size <= writer->capacity)
        return true;
    uint8_t *larger = realloc(writer->block, (size_t)size);
    if (larger == NULL)
        return false;
    writer->block = larger;
    writer->capacity = (size_t)size;
    return true;
}

void trace_new_capture_copy(struct trace_new_capture *writer, const struct lcap_source *source,
                            uint64_t offset, uint64_t size, const uint64_t *first_event)
{
    if (writer->status != LUDUS_OK)
        return;
    if (!reserve(writer, size))
        writer->status = LUDUS_ERROR_MEMORY;
    else
        writer->status = source->read_at(source->context, offset, writer->block, (size_t)size);
    if (writer->status != LUDUS_OK)
        return;
    if (first_event != NULL)
        lcap_chain_set_first_event(writer->block, *first_event);
    lcap_chain_add(&writer->chain, writer->block, (size_t)size);
    append(writer, (struct lcap_bytes){writer->block, (size_t)size});
    append_index_when_due(writer);
}

enum ludus_status trace_new_capture_finish(struct trace_new_capture *writer)
{
    append(writer, lcap_chain_index(&writer->chain, writer->encoder));
    append(writer, lcap_chain_trailer(&writer->chain));
    const enum ludus_status status = trace_writer_flush(&writer->output);
    return writer->status != LUDUS_OK ? writer->status : status;
}

enum ludus_status trace_new_capture_fail(enum ludus_status status, const char *path,
                                         struct ludus_error *error)
{
    switch (status) {
    case LUDUS_ERROR_MEMORY:
        return trace_fail_memory(error);
    case LUDUS_ERROR_WRITE:
        return trace_fail(error, status, "the new capture cannot be written");
    case LUDUS_ERROR_OPEN:
        return trace_fail(error, status, "%s: cannot be read (was it cut meanwhile?)", path);
    default:
        return trace_fail(error, LUDUS_ERROR_LIMIT,
                          "%s: holds what no recorder makes, and cannot be written again", path);
    }
}
