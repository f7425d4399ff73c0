/* Fields of comma-separated values, RFC 4180. Private to the analyzer. */
#ifndef TRACE_CSV_TEXT_H
#define TRACE_CSV_TEXT_H

#include "byte_writer.h"

/* What ends a line. */
#define TRACE_CSV_LINE_END "\r\n"

/* One text field, in quotes when its bytes need them, or when it is empty: an empty field without
 * quotes is null. Bytes that are not UTF-8 become U+FFFD; everything else is kept as it is. */
void trace_csv_put_field(struct trace_writer *writer, const char *bytes, size_t size);

#endif
