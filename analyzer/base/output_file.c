/* A file that appears under its name only when it is complete. */
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failure.h"
#include "input_kind.h"
#include "temporary.h"

#define TEMPORARY_ATTEMPTS 100u

struct trace_output_file {
    char *path;      /* as the caller names it, for messages */
    char *target;    /* where it goes: `path` with its links followed */
    char *temporary; /* its name until then; NULL while it has none */
    const struct trace_watch *watch;
    int descriptor;
    int write_errno;   /* of the first write that failed; 0: none did */
    bool is_direct;    /* a device or a pipe, which cannot be replaced: written as it is */
    bool is_committed; /* nothing is left to remove */
};

static enum ludus_status fail_errno(const char *verb, const char *path, int code,
                                    struct ludus_error *error)
{
    return trace_fail(error, LUDUS_ERROR_WRITE, "cannot %s '%s': %s; %s", verb, path,
                      strerror(code), trace_write_advice(code));
}

/* `folder` of `target` with its slash: empty for the working folder. */
static int folder_size(const char *target)
{
    const char *slash = strrchr(target, '/');

    return slash == NULL ? 0 : (int)(slash - target) + 1;
}

static char *make_temporary_name(const char *target, unsigned attempt)
{
    size_t size = strlen(target) + 64;
    char *name = malloc(size);

    if (name != NULL)
        (void)snprintf(name, size, "%.*s.ludus-%ld-%u.tmp", folder_size(target), target,
                       (long)getpid(), attempt);
    return name;
}

/* Runs `make` with one name after the other until one is not taken. Returns what it returned, with
 * the name in file->temporary; or -1 with errno and no name. */
static int with_temporary_name(struct trace_output_file *file,
                               int (*make)(const struct trace_output_file *file, const char *name))
{
    for (unsigned attempt = 0; attempt < TEMPORARY_ATTEMPTS; attempt++) {
        char *name = make_temporary_name(file->target, attempt);
        int made;
        int code;

        if (name == NULL)
            return -1; /* errno is ENOMEM */
        trace_temporary_tell(file->watch, TRACE_TEMPORARY_COMES, NULL);
        made = make(file, name);
        if (made >= 0) {
            file->temporary = name;
            trace_temporary_tell(file->watch, TRACE_TEMPORARY_IS_THERE, name);
            return made;
        }
        code = errno;
        trace_temporary_tell(file->watch, TRACE_TEMPORARY_IS_GONE, name);
        free(name);
        errno = code;
        if (code != EEXIST)
            return -1;
    }
    return -1;
}

static int create_named(const struct trace_output_file *file, const char *name)
{
    (void)file;
    return open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

static void name_descriptor(const struct trace_output_file *file, char name[64])
{
    (void)snprintf(name, 64, "/proc/self/fd/%d", file->descriptor);
}

static int link_nameless(const struct trace_output_file *file, const char *name)
{
    char source[64];

    name_descriptor(file, source);
    return linkat(AT_FDCWD, source, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

/* A file without a name vanishes with the process, however that ends. Needs a file system that has
 * them, and /proc to name it later; returns whether it worked. */
static bool open_nameless(struct trace_output_file *file)
{
    int size = folder_size(file->target);
    char *folder = size > 0 ? strndup(file->target, (size_t)size) : strdup(".");
    char source[64];

    if (folder == NULL)
        return false;
    file->descriptor = open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
    free(folder);
    if (file->descriptor < 0)
        return false;
    name_descriptor(file, source);
    if (access(source, F_OK) == 0)
        return true;
    (void)close(file->descriptor);
    file->descriptor = -1;
    return false;
}

/* Finds out what is at the path now; returns 0, or the error number that forbids it. */
static int inspect_target(struct trace_output_file *file)
{
    struct stat facts;
    char *resolved;

    if (stat(file->path, &facts) != 0)
        return errno == ENOENT ? 0 : errno;
    if (S_ISDIR(facts.st_mode))
        return EISDIR;
    if (!S_ISREG(facts.st_mode)) {
        file->is_direct = true;
        return 0;
    }
    if (access(file->path, W_OK) != 0) /* what is protected is not replaced */
        return errno;
    resolved = realpath(file->path, NULL);
    if (resolved == NULL)
        return errno;
    free(file->target);
    file->target = resolved;
    return 0;
}

static int open_target(struct trace_output_file *file)
{
    int code = inspect_target(file);

    if (code != 0)
        return code;
    if (file->is_direct) {
        file->descriptor = open(file->path, O_WRONLY | O_CLOEXEC);
        return file->descriptor < 0 ? errno : 0;
    }
    if (open_nameless(file))
        return 0;
    file->descriptor = with_temporary_name(file, create_named);
    return file->descriptor < 0 ? errno : 0;
}

/* A capture cannot be made again, and a database is more than a name mistyped behind -o. */
static bool is_input(const struct trace_output_file *file)
{
    enum trace_input_kind kind;
    struct ludus_error ignored;

    return !file->is_direct && trace_input_kind_of(file->target, &kind, &ignored) == LUDUS_OK;
}

enum ludus_status trace_output_file_open(const char *path, const struct trace_watch *watch,
                                         struct trace_output_file **file, struct ludus_error *error)
{
    struct trace_output_file *made = calloc(1, sizeof *made);
    enum ludus_status status;
    int code;

    *file = NULL;
    if (made == NULL)
        return trace_fail_memory(error);
    made->descriptor = -1;
    made->watch = watch;
    made->path = strdup(path);
    made->target = strdup(path);
    if (made->path == NULL || made->target == NULL) {
        trace_output_file_close(made);
        return trace_fail_memory(error);
    }
    code = open_target(made);
    if (code == 0 && !is_input(made)) {
        *file = made;
        return LUDUS_OK;
    }
    if (code == 0)
        status = trace_fail(error, LUDUS_ERROR_EXISTS,
                            "'%s' is a capture or a database; it is not replaced: choose another "
                            "name",
                            path);
    else
        status = fail_errno("create", path, code, error);
    trace_output_file_close(made);
    return status;
}

static enum ludus_status write_all(void *context, const char *bytes, size_t size)
{
    struct trace_output_file *file = context;

    while (size > 0 && file->write_errno == 0) {
        ssize_t written = write(file->descriptor, bytes, size);

        if (written >= 0) {
            bytes += written;
            size -= (size_t)written;
        } else if (errno != EINTR) {
            file->write_errno = errno;
        }
    }
    return file->write_errno == 0 ? LUDUS_OK : LUDUS_ERROR_WRITE;
}

struct trace_output trace_output_file_sink(struct trace_output_file *file)
{
    return (struct trace_output){file, write_all};
}

/* The name comes first, since a nameless file is gone once it is closed; then close, which may tell
 * of a write that failed late; only then does the target change. Returns an error number. */
static int finish(struct trace_output_file *file)
{
    int closed;

    if (!file->is_direct && file->temporary == NULL && with_temporary_name(file, link_nameless) < 0)
        return errno;
    closed = close(file->descriptor);
    file->descriptor = -1;
    if (closed != 0)
        return errno;
    if (!file->is_direct && rename(file->temporary, file->target) != 0)
        return errno;
    file->is_committed = true;
    return 0;
}

enum ludus_status trace_output_file_commit(struct trace_output_file *file,
                                           struct ludus_error *error)
{
    int code = file->write_errno != 0 ? file->write_errno : finish(file);

    return code == 0 ? LUDUS_OK : fail_errno("write", file->path, code, error);
}

void trace_output_file_close(struct trace_output_file *file)
{
    if (file == NULL)
        return;
    if (file->descriptor >= 0)
        (void)close(file->descriptor);
    if (file->temporary != NULL && !file->is_committed)
        (void)unlink(file->temporary);
    if (file->temporary != NULL)
        trace_temporary_tell(file->watch, TRACE_TEMPORARY_IS_GONE, file->temporary);
    free(file->temporary);
    free(file->target);
    free(file->path);
    free(file);
}
