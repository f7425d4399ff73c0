/* The write(2) that the recorder meets in these tests. Check writes through the C library's streams
 * and does not come by here. */
#include "write_gate.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>
#include <unistd.h>

/* The linker's names for the two. */
ssize_t __real_write(int fd, const void *bytes, size_t size);
ssize_t __wrap_write(int fd, const void *bytes, size_t size);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static pthread_cond_t reached = PTHREAD_COND_INITIALIZER;
static bool is_closed;
static unsigned waiting;       /* writes at the closed gate */
static unsigned until_failure; /* 0: none will fail */
static bool has_failed;
static size_t most_bytes; /* of one write; 0: as many as there are */
static unsigned writes;

void write_gate_close(void)
{
    pthread_mutex_lock(&mutex);
    is_closed = true;
    pthread_mutex_unlock(&mutex);
}

void write_gate_open(void)
{
    pthread_mutex_lock(&mutex);
    is_closed = false;
    pthread_cond_broadcast(&opened);
    pthread_mutex_unlock(&mutex);
}

void write_gate_await(void)
{
    pthread_mutex_lock(&mutex);
    while (waiting == 0 || !is_closed)
        pthread_cond_wait(&reached, &mutex);
    pthread_mutex_unlock(&mutex);
}

void write_gate_fail(unsigned number)
{
    pthread_mutex_lock(&mutex);
    until_failure = number;
    has_failed = false;
    pthread_mutex_unlock(&mutex);
}

void write_gate_shorten(size_t bytes)
{
    pthread_mutex_lock(&mutex);
    most_bytes = bytes;
    pthread_mutex_unlock(&mutex);
}

int write_gate_has_failed(void)
{
    pthread_mutex_lock(&mutex);
    const bool failed = has_failed;
    pthread_mutex_unlock(&mutex);
    return failed;
}

ssize_t __wrap_write(int fd, const void *bytes, size_t size)
{
    pthread_mutex_lock(&mutex);
    waiting++;
    pthread_cond_broadcast(&reached);
    while (is_closed)
        pthread_cond_wait(&opened, &mutex);
    waiting--;
    const bool fails = until_failure > 0 && --until_failure == 0;
    has_failed = has_failed || fails;
    const bool is_interrupted = most_bytes > 0 && ++writes % 3 == 0;
    const size_t taken = most_bytes > 0 && most_bytes < size ? most_bytes : size;
    pthread_mutex_unlock(&mutex);
    if (!fails && !is_interrupted)
        return __real_write(fd, bytes, taken);
    errno = fails ? ENOSPC : EINTR;
    return -1;
}
