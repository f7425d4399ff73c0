/* Writes a capture's bytes to its file, and takes back what was written in part. */
#include "capture_sink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define COPY_BYTES 16384u

bool ludus_sink_expand_path(const char *path, char *expanded, size_t capacity)
{
    char process[16];
    const int process_size = snprintf(process, sizeof process, "%ld", (long)getpid());
    size_t size = 0;
    while (*path != '\0') {
        const int is_process = path[0] == '%' && path[1] == 'p';
        const size_t step = is_process ? (size_t)process_size : 1;
        if (step >= capacity - size)
            return false;
        memcpy(expanded + size, is_process ? process : path, step);
        size += step;
        path += is_process ? 2 : 1;
    }
    expanded[size] = '\0';
    return true;
}

/* What tells one file from another, and what may become of it. */
struct file_facts {
    uint64_t device;
    uint64_t inode;
    uint64_t born_ns; /* the number of an inode is used again; 0 where nobody knows */
    uint64_t size_bytes;
    bool is_regular;
    bool has_name;
};

/* Where statx is forbidden, as in sandboxes that are older than it, nothing tells when a file was
 * born. */
static bool look_without_birth(int fd, struct file_facts *facts)
{
    struct stat found;
    if (fstat(fd, &found) != 0)
        return false;
    *facts = (struct file_facts){
        .device = (uint64_t)major(found.st_dev) << 32 | minor(found.st_dev),
        .inode = found.st_ino,
        .size_bytes = (uint64_t)found.st_size,
        .is_regular = S_ISREG(found.st_mode),
        .has_name = found.st_nlink > 0,
    };
    return true;
}

static bool look_at(int fd, struct file_facts *facts)
{
    struct statx found;
    if (statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME, &found) != 0)
        return look_without_birth(fd, facts);
    *facts = (struct file_facts){
        .device = (uint64_t)found.stx_dev_major << 32 | found.stx_dev_minor,
        .inode = found.stx_ino,
        .size_bytes = found.stx_size,
        .is_regular = S_ISREG(found.stx_mode),
        .has_name = found.stx_nlink > 0,
    };
    if ((found.stx_mask & STATX_BTIME) != 0)
        facts->born_ns = (uint64_t)found.stx_btime.tv_sec * 1000000000u + found.stx_btime.tv_nsec;
    return true;
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
    if (!ludus_sink_expand_path(path, sink->path, sizeof sink->path))
        return ludus_error_set(error, LUDUS_ERROR_ARGUMENT,
                               "the capture's path is longer than %u bytes: choose a shorter one",
                               (unsigned)(sizeof sink->path - 1));
    /* For reading, too: see ludus_sink_copy. */
    sink->fd = open(sink->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0666);
    struct file_facts facts;
    if (sink->fd >= 0 && look_at(sink->fd, &facts)) {
        sink->device = facts.device;
        sink->inode = facts.inode;
        sink->born_ns = facts.born_ns;
        return LUDUS_OK;
    }
    const int failure = errno;
    if (sink->fd >= 0) {
        (void)unlink(sink->path);
        (void)close(sink->fd);
        sink->fd = -1;
    }
    if (failure == EEXIST)
        return ludus_error_set(error, LUDUS_ERROR_EXISTS,
                               "%.300s: exists already and is not overwritten: remove it or choose "
                               "another name",
                               sink->path);
    return ludus_error_set(error, LUDUS_ERROR_WRITE,
                           "%.300s: cannot be created: %s: choose another folder", sink->path,
                           strerror_r(failure, reason, sizeof reason));
}

/* Whether the descriptor is still this file's. */
static bool is_ours(const struct ludus_capture_sink *sink, struct file_facts *facts)
{
    return look_at(sink->fd, facts) && facts->device == sink->device &&
           facts->inode == sink->inode &&
           (facts->born_ns == sink->born_ns || facts->born_ns == 0 || sink->born_ns == 0);
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
    struct file_facts facts;
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

/* Appends what the descriptor's file has from its begin up to `size_bytes`. */
static enum ludus_status append_file(struct ludus_capture_sink *sink, int fd, const char *path,
                                     uint64_t size_bytes, struct ludus_error *error)
{
    uint8_t bytes[COPY_BYTES];
    char reason[128];
    uint64_t done = 0;
    while (done < size_bytes) {
        const uint64_t left = size_bytes - done;
        const ssize_t got =
            pread(fd, bytes, left < sizeof bytes ? left : sizeof bytes, (off_t)done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return ludus_error_set(
                error, LUDUS_ERROR_WRITE, "%.300s: what was written cannot be read back: %s", path,
                got < 0 ? strerror_r(errno, reason, sizeof reason) : "it has been cut");
        const enum ludus_status status =
            ludus_sink_append(sink, (struct lcap_bytes){bytes, (size_t)got}, error);
        if (status != LUDUS_OK)
            return status;
        done += (uint64_t)got;
    }
    return LUDUS_OK;
}

enum ludus_status ludus_sink_copy(struct ludus_capture_sink *sink,
                                  const struct ludus_capture_sink *from, struct ludus_error *error)
{
    struct file_facts facts;
    if (is_ours(from, &facts))
        return append_file(sink, from->fd, from->path, from->size_bytes, error);
    /* The host has closed the descriptor, but the file may still be where it was. */
    struct ludus_capture_sink again = *from;
    again.fd = open(from->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (again.fd < 0)
        return fail_taken(from, error);
    const enum ludus_status status =
        is_ours(&again, &facts) ? append_file(sink, again.fd, from->path, from->size_bytes, error)
                                : fail_taken(from, error);
    (void)close(again.fd);
    return status;
}

enum ludus_status ludus_sink_verify(const struct ludus_capture_sink *sink,
                                    struct ludus_error *error)
{
    struct file_facts facts;
    if (!is_ours(sink, &facts))
        return fail_taken(sink, error);
    if (facts.is_regular && !facts.has_name)
        return ludus_error_set(error, LUDUS_ERROR_WRITE,
                               "%.300s: was removed while it was being recorded: retry under "
                               "another path, or discard it",
                               sink->path);
    if (facts.is_regular && facts.size_bytes != sink->size_bytes)
        return ludus_error_set(error, LUDUS_ERROR_WRITE,
                               "%.300s: was changed by somebody else while it was being recorded: "
                               "its size is %llu and not %llu bytes",
                               sink->path, (unsigned long long)facts.size_bytes,
                               (unsigned long long)sink->size_bytes);
    return LUDUS_OK;
}

/* Closes the descriptor, if it is still this file's: what the host has opened under the number of
 * one that it had closed is the host's. */
static int close_own(struct ludus_capture_sink *sink)
{
    struct file_facts facts;
    const int result = sink->fd >= 0 && is_ours(sink, &facts) ? close(sink->fd) : 0;
    sink->fd = -1;
    return result;
}

enum ludus_status ludus_sink_close(struct ludus_capture_sink *sink, struct ludus_error *error)
{
    char reason[128];
    /* Interrupted or not, the descriptor is gone. */
    if (close_own(sink) != 0 && errno != EINTR)
        return ludus_error_set(error, LUDUS_ERROR_WRITE, "%.300s: cannot be completed: %s",
                               sink->path, strerror_r(errno, reason, sizeof reason));
    return LUDUS_OK;
}

void ludus_sink_abandon(struct ludus_capture_sink *sink)
{
    (void)close_own(sink);
}

void ludus_sink_discard(struct ludus_capture_sink *sink)
{
    if (sink->fd < 0)
        return;
    (void)unlink(sink->path);
    (void)close_own(sink);
}
