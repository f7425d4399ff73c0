/* Numbers as text, the same in every locale. Private to the analyzer. */
#ifndef TRACE_NUMBER_TEXT_H
#define TRACE_NUMBER_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that hold any of these numbers: the largest double has 309 digits before its point. */
#define TRACE_NUMBER_SIZE 336

/* Each writes a number into TRACE_NUMBER_SIZE bytes, without a terminating zero, and returns its
 * size in bytes. */

size_t trace_format_unsigned(uint64_t value, char *text);
size_t trace_format_integer(int64_t value, char *text);

/* Nanoseconds as microseconds with three decimals: exact, at most 24 bytes. */
size_t trace_format_microseconds(int64_t ns, char *text);

/* Nanoseconds as seconds, such as "2.5s", with no needless digits: exact. Zero-terminated, as it is
 * for messages. */
#define TRACE_SECONDS_SIZE 32
void trace_format_seconds(int64_t ns, char text[TRACE_SECONDS_SIZE]);

/* A finite number with `decimals` (0 to 9) digits behind the point, rounded to nearest. A result
 * that is zero has no sign. */
size_t trace_format_fixed(double value, int decimals, char *text);

/* How many decimals a finite number is to have: `decimals`, or so many more (9 at most) that one
 * that is not 0 does not read as one, but has two digits. */
int trace_decimals_of(double value, int decimals);

/* A finite number with as many digits as it takes to read the same double again. Has a point or an
 * exponent, so that it is told from an integer. */
size_t trace_format_shortest(double value, char *text);

#endif
