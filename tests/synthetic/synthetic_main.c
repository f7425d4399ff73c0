/* Writes a synthetic capture:
 *     synthetic_capture [OPTION...] -o FILE
 * The options are those below; synthetic_capture.h says what they mean. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "synthetic_capture.h"

static const struct option long_options[] = {
    {"slices", required_argument, NULL, 'n'},     {"tracks", required_argument, NULL, 't'},
    {"sites", required_argument, NULL, 's'},      {"paths", required_argument, NULL, 'p'},
    {"depth", required_argument, NULL, 'd'},      {"frames", required_argument, NULL, 'f'},
    {"seed", required_argument, NULL, 'r'},       {"mean-ns", required_argument, NULL, 'm'},
    {"gpu-passes", required_argument, NULL, 'g'}, {"flows", no_argument, NULL, 'F'},
    {"counters", no_argument, NULL, 'C'},         {NULL, 0, NULL, 0}};

static void fail_usage(void)
{
    fputs("usage: synthetic_capture [--slices N] [--tracks N] [--sites N] [--paths N] [--depth N]\n"
          "           [--frames N] [--seed N] [--mean-ns N] [--gpu-passes N] [--flows] "
          "[--counters] -o FILE\n",
          stderr);
    exit(2);
}

static uint64_t read_number(const char *text, uint64_t most)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value > most)
        fail_usage();
    return value;
}

static const char *read_options(struct synthetic_options *options, int argc, char **argv)
{
    const char *path = NULL;
    int letter;
    while ((letter = getopt_long(argc, argv, "o:", long_options, NULL)) != -1) {
        switch (letter) {
        case 'n':
            options->slices = read_number(optarg, UINT64_MAX);
            break;
        case 'f':
            options->frames = read_number(optarg, UINT64_MAX);
            break;
        case 'r':
            options->seed = read_number(optarg, UINT64_MAX);
            break;
        case 't':
            options->tracks = (uint32_t)read_number(optarg, UINT32_MAX);
            break;
        case 's':
            options->sites = (uint32_t)read_number(optarg, UINT32_MAX);
            break;
        case 'p':
            options->paths = (uint32_t)read_number(optarg, UINT32_MAX);
            break;
        case 'd':
            options->depth = (uint32_t)read_number(optarg, UINT32_MAX);
            break;
        case 'm':
            options->mean_ns = (uint32_t)read_number(optarg, UINT32_MAX);
            break;
        case 'g':
            options->gpu_passes = (uint32_t)read_number(optarg, UINT32_MAX);
            break;
        case 'F':
            options->has_flows = true;
            break;
        case 'C':
            options->has_counters = true;
            break;
        case 'o':
            path = optarg;
            break;
        default:
            fail_usage();
        }
    }
    if (path == NULL || optind != argc)
        fail_usage();
    return path;
}

int main(int argc, char **argv)
{
    struct synthetic_options options = synthetic_options_default();
    const char *path = read_options(&options, argc, argv);
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (descriptor < 0) {
        perror(path);
        return 4;
    }
    enum ludus_status status = synthetic_capture_write(&options, descriptor);
    if (close(descriptor) != 0 && status == LUDUS_OK)
        status = LUDUS_ERROR_WRITE;
    if (status == LUDUS_OK)
        return 0;
    fprintf(stderr, "synthetic_capture: %s: %s\n", path,
            status == LUDUS_ERROR_ARGUMENT ? "an option is out of range"
            : status == LUDUS_ERROR_MEMORY ? "there is no memory"
                                           : "cannot be written");
    return status == LUDUS_ERROR_ARGUMENT ? 2 : 4;
}
