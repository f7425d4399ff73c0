/* Prints how fast captures, or databases made of them, are exported: bytes of JSON by the second of
 * one core, opening included, with nothing done with the bytes. */
#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

#include "trace.h"

static enum ludus_status count_bytes(void *context, const char *bytes, size_t size)
{
    uint64_t *total = context;

    (void)bytes;
    *total += size;
    return LUDUS_OK;
}

static double cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double peak_megabytes(void)
{
    struct rusage usage;

    return getrusage(RUSAGE_SELF, &usage) == 0 ? (double)usage.ru_maxrss * 1024 / 1e6 : 0;
}

static enum ludus_status export_once(const char *path, struct ludus_error *error)
{
    struct trace_input *input = NULL;
    uint64_t bytes = 0;
    double start = cpu_seconds();
    enum ludus_status status = trace_open(path, 0, &input, error);
    double seconds;

    if (status == LUDUS_OK)
        status = trace_export_perfetto(input, &(struct trace_export_options){0},
                                       (struct trace_output){&bytes, count_bytes}, error);
    trace_close(input);
    seconds = cpu_seconds() - start;
    if (status == LUDUS_OK)
        printf("export %s: %" PRIu64 " bytes in %.3f s: %.0f MB/s, peak memory %.1f MB\n", path,
               bytes, seconds, (double)bytes / seconds / 1e6, peak_megabytes());
    return status;
}

int main(int argc, char **argv)
{
    struct ludus_error error;

    if (argc < 2) {
        fprintf(stderr, "usage: export_speed CAPTURE-or-DB...\n");
        return 2;
    }
    for (int i = 1; i < argc; i++)
        if (export_once(argv[i], &error) != LUDUS_OK) {
            fprintf(stderr, "%s\n", error.message);
            return 1;
        }
    return 0;
}
