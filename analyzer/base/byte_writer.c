/* Collects small writes into large ones on their way to a sink. */
#include "byte_writer.h"

void trace_writer_start(struct trace_writer *writer, struct trace_output output)
{
    writer->output = output;
    writer->status = LUDUS_OK;
    writer->used = 0;
}

enum ludus_status trace_writer_flush(struct trace_writer *writer)
{
    if (writer->status == LUDUS_OK && writer->used > 0)
        writer->status = writer->output.write(writer->output.context, writer->buffer, writer->used);
    writer->used = 0;
    return writer->status;
}

void trace_writer_put_large(struct trace_writer *writer, const char *bytes, size_t size)
{
    if (trace_writer_flush(writer) != LUDUS_OK)
        return;
    if (size < sizeof writer->buffer) {
        memcpy(writer->buffer, bytes, size);
        writer->used = size;
    } else {
        writer->status = writer->output.write(writer->output.context, bytes, size);
    }
}

void trace_put_repeated(struct trace_writer *writer, char byte, size_t count)
{
    while (count-- > 0)
        trace_put_byte(writer, byte);
}
