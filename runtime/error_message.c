/* Fills in an error's status and message. */
#include "error_message.h"

#include <stdarg.h>
#include <stdio.h>

enum ludus_status ludus_error_set(struct ludus_error *error, enum ludus_status status,
                                  const char *format, ...)
{
    if (error == NULL)
        return status;
    error->status = status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return status;
}
