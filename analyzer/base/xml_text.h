/* Text inside XML. Private to the analyzer. */
#ifndef TRACE_XML_TEXT_H
#define TRACE_XML_TEXT_H

#include "byte_writer.h"

/* Puts a text of any bytes so that a parser of XML 1.0 gives it back, between elements and inside
 * an attribute in double quotes. What is not UTF-8, and what XML has no way to write (most control
 * characters), becomes U+FFFD. */
void trace_xml_put(struct trace_writer *writer, const char *text, size_t size);

#endif
