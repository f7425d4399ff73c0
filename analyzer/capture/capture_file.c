/* Reads a capture's file by position; never maps it, so that a file that shrinks meanwhile is an
 * error and not a signal. */
#include "capture_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failure.h"

struct trace_capture_file {
    const char *path;
    const struct trace_watch *watch;
    uint64_t size;
    int descriptor;
};

enum ludus_status trace_capture_file_open(const char *path, const struct trace_watch *watch,
                                          struct trace_capture_file **out,
                                          struct ludus_error *error)
{
    struct stat facts;
    *out = NULL;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0 || fstat(descriptor, &facts) != 0) {
        int reason = errno;
        if (descriptor >= 0)
            close(descriptor);
        return trace_fail(error, LUDUS_ERROR_OPEN, "%s: cannot be opened (%s); check the name",
                          path, strerror(reason));
    }
    if (!S_ISREG(facts.st_mode)) {
        close(descriptor);
        return trace_fail(error, LUDUS_ERROR_OPEN,
                          "%s: is not a regular file; name a capture (.lcap)", path);
    }
    struct trace_capture_file *file = malloc(sizeof *file);
    if (file == NULL) {
        close(descriptor);
        return trace_fail_memory(error);
    }
    *file = (struct trace_capture_file){path, watch, (uint64_t)facts.st_size, descriptor};
    *out = file;
    return LUDUS_OK;
}

void trace_capture_file_close(struct trace_capture_file *file)
{
    if (file == NULL)
        return;
    close(file->descriptor);
    free(file);
}

bool trace_capture_file_measure(struct trace_capture_file *file, const char *path,
                                uint64_t *size_bytes)
{
    struct stat facts, named;
    if (fstat(file->descriptor, &facts) != 0 || stat(path, &named) != 0 ||
        facts.st_dev != named.st_dev || facts.st_ino != named.st_ino)
        return false;
    *size_bytes = (uint64_t)facts.st_size;
    return true;
}

static enum ludus_status read_at(void *context, uint64_t offset, void *bytes, size_t size)
{
    const struct trace_capture_file *file = context;
    unsigned char *at = bytes;
    while (size != 0) {
        ssize_t got = pread(file->descriptor, at, size, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return LUDUS_ERROR_OPEN;
        at += got;
        offset += (uint64_t)got;
        size -= (size_t)got;
    }
    return LUDUS_OK;
}

struct lcap_source trace_capture_file_source(struct trace_capture_file *file)
{
    return (struct lcap_source){file, read_at, file->size};
}

void trace_capture_file_tell(const struct trace_capture_file *file, uint64_t offset)
{
    if (file->watch != NULL && file->watch->progress != NULL)
        file->watch->progress(file->watch->context, file->path, offset, file->size);
}
