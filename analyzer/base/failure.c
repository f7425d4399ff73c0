/* Fills the error of a failed call. */
#include "failure.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Takes the last character away when the cut went through it. */
static void drop_cut_character(char *message)
{
    size_t size = strlen(message);
    size_t start = size;

    while (start > 0 && ((unsigned char)message[start - 1] & 0xC0u) == 0x80u)
        start--;
    if (start > 0 && ((unsigned char)message[start - 1] & 0xC0u) == 0xC0u)
        message[start - 1] = '\0';
}

enum ludus_status trace_fail(struct ludus_error *error, enum ludus_status status,
                             const char *format, ...)
{
    va_list arguments;
    int size;

    error->status = status;
    va_start(arguments, format);
    size = vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    if (size < 0)
        error->message[0] = '\0';
    else if ((size_t)size >= sizeof error->message)
        drop_cut_character(error->message);
    return status;
}

enum ludus_status trace_fail_memory(struct ludus_error *error)
{
    return trace_fail(error, LUDUS_ERROR_MEMORY,
                      "out of memory; close other programs or use a machine with more");
}

enum ludus_status trace_fail_in(struct ludus_error *error, const char *path)
{
    const struct ludus_error found = *error;

    return trace_fail(error, found.status, "%s: %s", path, found.message);
}

const char *trace_write_advice(int code)
{
    switch (code) {
    case ENOENT:
    case ENOTDIR:
        return "create the folder first, or choose another one";
    case EACCES:
    case EPERM:
    case EROFS:
        return "choose a place that you may write to";
    case ENOSPC:
    case EDQUOT:
        return "free some space, or choose another place; nothing was left behind";
    case EISDIR:
        return "name a file in it";
    case ENAMETOOLONG:
        return "choose a shorter name";
    default:
        return "choose another place";
    }
}
