/* The name under which a new database grows, and its change into the name that was asked for. */
#include "database_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "database_schema.h"
#include "failure.h"
#include "temporary.h"

#define TEMPORARY_ATTEMPTS 100u

static enum ludus_status fail_errno(const char *verb, const char *path, int code,
                                    struct ludus_error *error)
{
    return trace_fail(error, LUDUS_ERROR_WRITE, "cannot %s '%s': %s; %s", verb, path,
                      code == ENOTSUP ? "it is not a regular file" : strerror(code),
                      trace_write_advice(code));
}

/* What is at the path now: 0 when the database may take its place, or an error number. */
static int inspect_target(struct trace_database_file *file)
{
    struct stat facts;

    if (stat(file->path, &facts) != 0) {
        if (errno != ENOENT)
            return errno;
        file->target = strdup(file->path);
        return file->target == NULL ? ENOMEM : 0;
    }
    if (!S_ISREG(facts.st_mode))
        return S_ISDIR(facts.st_mode) ? EISDIR : ENOTSUP;
    if (access(file->path, W_OK) != 0) /* what is protected is not replaced */
        return errno;
    file->target = realpath(file->path, NULL);
    return file->target == NULL ? errno : 0;
}

/* Whether the file is empty, or a database of captures: what else lies there is somebody's work.
 * SQLite keeps the application id, big-endian, in the bytes from 68 on of a database. */
static bool is_replaceable(const char *path)
{
    unsigned char header[72];
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size;

    if (descriptor < 0)
        return errno == ENOENT;
    size = read(descriptor, header, sizeof header);
    (void)close(descriptor);
    if (size != (ssize_t)sizeof header || memcmp(header, "SQLite format 3", 16) != 0)
        return size == 0;
    return ((uint32_t)header[68] << 24 | (uint32_t)header[69] << 16 | (uint32_t)header[70] << 8 |
            header[71]) == (uint32_t)trace_schema_setting("application_id");
}

/* In the target's folder, so that it can be renamed. */
static int create_temporary(struct trace_database_file *file)
{
    const char *slash = strrchr(file->target, '/');
    int folder_size = slash == NULL ? 0 : (int)(slash - file->target) + 1;
    size_t size = strlen(file->target) + 64;
    int code = 0;

    file->temporary = malloc(size);
    if (file->temporary == NULL)
        return ENOMEM;
    for (unsigned attempt = 0; attempt < TEMPORARY_ATTEMPTS; attempt++) {
        int descriptor;

        (void)snprintf(file->temporary, size, "%.*s.ludus-%ld-%u.tmp", folder_size, file->target,
                       (long)getpid(), attempt);
        trace_temporary_tell(file->watch, TRACE_TEMPORARY_COMES, NULL);
        descriptor = open(file->temporary, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
        if (descriptor >= 0) {
            trace_temporary_tell(file->watch, TRACE_TEMPORARY_IS_THERE, file->temporary);
            (void)close(descriptor);
            return 0;
        }
        code = errno;
        trace_temporary_tell(file->watch, TRACE_TEMPORARY_IS_GONE, file->temporary);
        if (code != EEXIST)
            break;
    }
    free(file->temporary);
    file->temporary = NULL;
    return code;
}

enum ludus_status trace_database_file_open(struct trace_database_file *file, const char *path,
                                           const struct trace_watch *watch,
                                           struct ludus_error *error)
{
    int code;

    *file = (struct trace_database_file){.path = strdup(path), .watch = watch};
    if (file->path == NULL)
        return trace_fail_memory(error);
    code = inspect_target(file);
    if (code == 0 && !is_replaceable(file->target))
        return trace_fail(error, LUDUS_ERROR_EXISTS,
                          "'%s' exists and is no database of captures; it is not replaced: choose "
                          "another name",
                          path);
    if (code == 0)
        code = create_temporary(file);
    return code == 0 ? LUDUS_OK : fail_errno("create", path, code, error);
}

/* Nothing is there under the name any more. */
static void release_temporary(struct trace_database_file *file)
{
    if (file->temporary != NULL)
        trace_temporary_tell(file->watch, TRACE_TEMPORARY_IS_GONE, file->temporary);
    free(file->temporary);
    file->temporary = NULL;
}

enum ludus_status trace_database_file_commit(struct trace_database_file *file,
                                             struct ludus_error *error)
{
    if (rename(file->temporary, file->target) != 0)
        return fail_errno("replace", file->path, errno, error);
    release_temporary(file);
    return LUDUS_OK;
}

void trace_database_file_close(struct trace_database_file *file)
{
    if (file->temporary != NULL)
        (void)unlink(file->temporary);
    release_temporary(file);
    free(file->target);
    free(file->path);
    *file = (struct trace_database_file){0};
}
