/* Filling in an error for people. */
#ifndef LUDUS_ERROR_MESSAGE_H
#define LUDUS_ERROR_MESSAGE_H

#include <ludus/status.h>

/* Fills `error`, if it is not NULL, and returns `status`. */
__attribute__((format(printf, 3, 4))) enum ludus_status
ludus_error_set(struct ludus_error *error, enum ludus_status status, const char *format, ...);

#endif
