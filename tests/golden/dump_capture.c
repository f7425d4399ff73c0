/* Prints a capture's dump with the exit codes of ludus-trace check --dump: dump_capture FILE. For
 * builds without the command line. */
#include <stdio.h>

#include "trace.h"

static enum ludus_status write_out(void *context, const char *bytes, size_t size)
{
    return fwrite(bytes, 1, size, context) == size ? LUDUS_OK : LUDUS_ERROR_WRITE;
}

int main(int argc, char **argv)
{
    struct ludus_error error;
    bool is_whole;
    if (argc != 2) {
        fputs("usage: dump_capture FILE\n", stderr);
        return 2;
    }
    struct trace_output output = {stdout, write_out};
    if (trace_dump(argv[1], NULL, output, &is_whole, &error) != LUDUS_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 3;
    }
    return fflush(stdout) != 0 ? 3 : is_whole ? 0 : 1;
}
