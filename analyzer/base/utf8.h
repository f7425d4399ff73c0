/* Steps over text that should be UTF-8 and may hold any bytes. Private to the analyzer. */
#ifndef TRACE_UTF8_H
#define TRACE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_REPLACEMENT      0xFFFDu        /* what stands for bytes that are not UTF-8 */
#define TRACE_REPLACEMENT_UTF8 "\xEF\xBF\xBD" /* the same, encoded */

struct trace_code_point {
    uint32_t value; /* TRACE_REPLACEMENT when not valid */
    uint32_t size;  /* bytes, at least 1; of the maximal subpart when not valid */
    bool is_valid;
};

/* The first code point of a text, whose size is at least 1. Overlong forms, surrogates and values
 * above U+10FFFF are not valid. Of a broken sequence the longest part that could have begun a valid
 * one is taken at once (Unicode's "substitution of maximal subparts"). */
struct trace_code_point trace_utf8_next(const char *text, size_t size);

bool trace_utf8_is_valid(const char *text, size_t size);

/* Columns of a terminal that a code point takes: 0, 1 or 2. An approximation: scripts' own rules
 * and emoji sequences are not known. Control characters count 1. */
unsigned trace_code_point_width(uint32_t value);

/* The sum of the widths of a text's code points. */
size_t trace_utf8_width(const char *text, size_t size);

#endif
