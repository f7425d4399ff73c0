/* Writes a capture's bytes to its file, and takes back what was written in part. */
#include "capture_sink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COPY_BYTES 16384u

/* Copies `path` with "%p" replaced by the process id. False when it does not fit. */
static int expand_path(const char *path, char *expanded, size_t capacity)
{
    char process[16];
    const int process_size = snprintf(process, sizeof process, "%ld", (long)getpid());
    size_t size = 0;
    while (*path != '\0') {
        const int is_process = path[0] == '%' && path[1] == 'p';
        const size_t step = is_process ? (size_t)process_size : 1;
        if (step >= capacity - size)
            return 0;
        memcpy(expanded + size, is_process ? process : path, step);
        size += step;
        path += is_process ? 2 : 1;
    }
    expanded[size] = '\0';
    return 1;
}

enum ludus_status ludus_sink_open(struct ludus_capture_sink *sink, const char *path,
                                  struct ludus_error *error)
{
    char reason[128];
    sink->fd = -1;
    sink->size_bytes = 0;
    if (path == NULL || path[0] == '\0')
        return ludus_error_set(error, LUDUS_ERROR_ARGUMENT,
                               "no path for the capture: set the path in the configuration");
    if (!expand_path(path, sink->path, sizeof sink->path))
        return ludus_error_set(error, LUDUS_ERROR_ARGUMENT,
                               "the capture's path is longer than %u bytes: choose a shorter one",
                               (unsigned)(sizeof sink->path - 1));
    /* For reading, too: see ludus_sink_copy. */
    sink->fd = open(sink->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0666);
    struct stat facts;
    if (sink->fd >= 0 && fstat(sink->fd, &facts) == 0) {
        sink->device = (uint64_t)facts.st_dev;
        sink->inode = (uint64_t)facts.st_ino;
        return LUDUS_OK;
    }
    if (errno == EEXIST)
        return ludus_error_set(error, LUDUS_ERROR_EXISTS,
                               "%.300s: exists already and is not overwritten: remove it or choose "
                               "another name",
                               sink->path);
    return ludus_error_set(error, LUDUS_ERROR_WRITE,
                           "%.300s: cannot be created: %s: choose another folder", sink->path,
                           strerror_r(errno, reason, sizeof reason));
}

/* Whether the descriptor is still this file's. */
static bool is_ours(const struct ludus_capture_sink *sink, struct stat *facts)
{
    return fstat(sink->fd, facts) == 0 && (uint64_t)facts->st_dev == sink->device &&
           (uint64_t)facts->st_ino == sink->inode;
}

static enum ludus_status fail_taken(const struct ludus_capture_sink *sink,
                                    struct ludus_error *error)
{
    return ludus_error_set(error, LUDUS_ERROR_WRITE,
                           "%.300s: the recorder's descriptor was closed by the program: look for "
                           "a close of descriptors that are not its own",
                           sink->path);
}

enum ludus_status ludus_sink_append(struct ludus_capture_sink *sink, struct lcap_bytes bytes,
                                    struct ludus_error *error)
{
    char reason[128];
    struct stat facts;
    size_t done = 0;
    if (!is_ours(sink, &facts))
        return fail_taken(sink, error);
    while (done < bytes.size) {
        const ssize_t written = write(sink->fd, bytes.data + done, bytes.size - done);
        if (written > 0) {
            done += (size_t)written;
            continue;
        }
        if (written < 0 && errno == EINTR)
            continue;
        const int cause = written < 0 ? errno : ENOSPC;
        /* A part of a block is of no use to a reader. When it cannot be taken back, it is told from
         * a whole one by its checksums. */
        if (ftruncate(sink->fd, (off_t)sink->size_bytes) == 0)
            (void)lseek(sink->fd, (off_t)sink->size_bytes, SEEK_SET);
        return ludus_error_set(error, LUDUS_ERROR_WRITE,
                               "%.300s: cannot be written beyond %llu bytes: %s: what was written "
                               "before is kept",
                               sink->path, (unsigned long long)sink->size_bytes,
                               strerror_r(cause, reason, sizeof reason));
    }
    sink->size_bytes += bytes.size;
    return LUDUS_OK;
}

enum ludus_status ludus_sink_copy(struct ludus_capture_sink *sink,
                                  const struct ludus_capture_sink *from, struct ludus_error *error)
{
    uint8_t bytes[COPY_BYTES];
    char reason[128];
    struct stat facts;
    uint64_t done = 0;
    if (!is_ours(from, &facts))
        return fail_taken(from, error);
    while (done < from->size_bytes) {
        const uint64_t left = from->size_bytes - done;
        const ssize_t got =
            pread(from->fd, bytes, left < sizeof bytes ? left : sizeof bytes, (off_t)done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return ludus_error_set(
                error, LUDUS_ERROR_WRITE, "%.300s: what was written cannot be read back: %s",
                from->path, got < 0 ? strerror_r(errno, reason, sizeof reason) : "it has been cut");
        const enum ludus_status status =
            ludus_sink_append(sink, (struct lcap_bytes){bytes, (size_t)got}, error);
        if (status != LUDUS_OK)
            return status;
        done += (uint64_t)got;
    }
    return LUDUS_OK;
}

enum ludus_status ludus_sink_verify(const struct ludus_capture_sink *sink,
                                    struct ludus_error *error)
{
    struct stat facts;
    if (!is_ours(sink, &facts))
        return fail_taken(sink, error);
    if (facts.st_nlink == 0 && S_ISREG(facts.st_mode))
        return ludus_error_set(error, LUDUS_ERROR_WRITE,
                               "%.300s: was removed while it was being recorded: retry under "
                               "another path, or discard it",
                               sink->path);
    if (S_ISREG(facts.st_mode) && (uint64_t)facts.st_size != sink->size_bytes)
        return ludus_error_set(error, LUDUS_ERROR_WRITE,
                               "%.300s: was changed by somebody else while it was being recorded: "
                               "its size is %llu and not %llu bytes",
                               sink->path, (unsigned long long)facts.st_size,
                               (unsigned long long)sink->size_bytes);
    return LUDUS_OK;
}

enum ludus_status ludus_sink_close(struct ludus_capture_sink *sink, struct ludus_error *error)
{
    char reason[128];
    if (sink->fd < 0)
        return LUDUS_OK;
    const int result = close(sink->fd);
    sink->fd = -1;
    /* Interrupted or not, the descriptor is gone. */
    if (result != 0 && errno != EINTR)
        return ludus_error_set(error, LUDUS_ERROR_WRITE, "%.300s: cannot be completed: %s",
                               sink->path, strerror_r(errno, reason, sizeof reason));
    return LUDUS_OK;
}

void ludus_sink_discard(struct ludus_capture_sink *sink)
{
    if (sink->fd < 0)
        return;
    (void)unlink(sink->path);
    (void)close(sink->fd);
    sink->fd = -1;
}
