/* Tells captures from databases by their first bytes. */
#include "input_kind.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failure.h"
#include "lcap_layout.h"

static const char database_magic[16] = "SQLite format 3";
static const char capture_magic[8] = LCAP_FILE_MAGIC;

static ssize_t read_start(int file, char *bytes, size_t size)
{
    size_t used = 0;

    while (used < size) {
        ssize_t count = read(file, bytes + used, size - used);

        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return -1;
        if (count == 0)
            break;
        used += (size_t)count;
    }
    return (ssize_t)used;
}

static enum ludus_status recognise(const char *path, const char *bytes, size_t size,
                                   enum trace_input_kind *kind, struct ludus_error *error)
{
    if (size >= sizeof capture_magic && memcmp(bytes, capture_magic, sizeof capture_magic) == 0) {
        *kind = TRACE_INPUT_CAPTURE;
        return LUDUS_OK;
    }
    if (size >= sizeof database_magic &&
        memcmp(bytes, database_magic, sizeof database_magic) == 0) {
        *kind = TRACE_INPUT_DATABASE;
        return LUDUS_OK;
    }
    if (size == 0)
        return trace_fail(error, LUDUS_ERROR_FORMAT,
                          "%s: is empty; nothing was recorded, or the recording did not start",
                          path);
    return trace_fail(error, LUDUS_ERROR_FORMAT,
                      "%s: neither a capture nor a database made of one; give a .lcap file", path);
}

enum ludus_status trace_input_kind_of(const char *path, enum trace_input_kind *kind,
                                      struct ludus_error *error)
{
    char bytes[16];
    struct stat facts;
    ssize_t size;
    /* Not to wait for the other end of a pipe. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (file < 0)
        return trace_fail(error, LUDUS_ERROR_OPEN, "%s: cannot be opened (%s); %s", path,
                          strerror(errno),
                          errno == EACCES ? "you need the right to read it" : "check the name");
    if (fstat(file, &facts) == 0 && !S_ISREG(facts.st_mode)) {
        (void)close(file);
        return trace_fail(error, LUDUS_ERROR_OPEN, "%s: is %s", path,
                          S_ISDIR(facts.st_mode)
                              ? "a directory; give a capture in it"
                              : "a pipe or a device; save the capture as a file first");
    }
    size = read_start(file, bytes, sizeof bytes);
    if (size < 0) {
        int reason = errno;

        (void)close(file);
        return trace_fail(error, LUDUS_ERROR_OPEN, "%s: cannot be read (%s); give a file on a disk",
                          path, strerror(reason));
    }
    (void)close(file);
    return recognise(path, bytes, (size_t)size, kind, error);
}

enum ludus_status trace_input_expect_capture(const char *path, struct ludus_error *error)
{
    enum trace_input_kind kind;
    enum ludus_status status = trace_input_kind_of(path, &kind, error);

    if (status == LUDUS_OK && kind == TRACE_INPUT_DATABASE)
        return trace_fail(error, LUDUS_ERROR_FORMAT,
                          "%s: is a database, not a capture; give the .lcap file it was made of",
                          path);
    return status;
}
