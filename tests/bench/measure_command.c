/* Runs a command a few times and prints the median of its time, and its largest memory:
 *     measure_command RUNS OUTPUT COMMAND [ARGUMENT...]
 * OUTPUT is where the command's output goes. Prints "seconds peak_kib cpu_seconds first_seconds",
 * the last being when the output began. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_RUNS 64

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* CPU time of all runs so far. */
static double cpu_seconds_of(const struct rusage *usage)
{
    return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
           (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) * 1e-6;
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Passes the output on; returns when it began, or ended without a byte. */
static double pass_on(int from, int to)
{
    char bytes[65536];
    double first = 0;
    ssize_t size;
    do {
        size = read(from, bytes, sizeof bytes);
        if (first == 0)
            first = seconds_now();
        for (ssize_t done = 0; done < size;) {
            ssize_t written = write(to, bytes + done, (size_t)(size - done));
            if (written <= 0)
                return first;
            done += written;
        }
    } while (size > 0);
    return first;
}

/* Sets when the output began. */
static int run(const char *output, char **command, double *first)
{
    int ends[2], status;
    int file = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0 || pipe(ends) != 0)
        return 126;
    pid_t child = fork();
    if (child == 0) {
        if (dup2(ends[1], STDOUT_FILENO) < 0 || close(ends[0]) != 0 || close(ends[1]) != 0)
            _exit(126);
        execvp(command[0], command);
        _exit(127);
    }
    close(ends[1]);
    *first = pass_on(ends[0], file);
    close(ends[0]);
    close(file);
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)
               ? WEXITSTATUS(status)
               : 128;
}

int main(int argc, char **argv)
{
    double times[MAX_RUNS], cpu_times[MAX_RUNS], first_times[MAX_RUNS], cpu_before = 0;
    struct rusage usage;
    int runs = argc > 3 ? (int)strtol(argv[1], NULL, 10) : 0;
    if (runs < 1 || runs > MAX_RUNS) {
        fprintf(stderr, "usage: measure_command RUNS OUTPUT COMMAND [ARGUMENT...]\n");
        return 2;
    }
    for (int i = 0; i < runs; i++) {
        double begin = seconds_now();
        int code = run(argv[2], argv + 3, &first_times[i]);
        times[i] = seconds_now() - begin;
        first_times[i] -= begin;
        getrusage(RUSAGE_CHILDREN, &usage);
        cpu_times[i] = cpu_seconds_of(&usage) - cpu_before;
        cpu_before += cpu_times[i];
        if (code != 0) {
            fprintf(stderr, "measure_command: %s ended with %d\n", argv[3], code);
            return 1;
        }
    }
    qsort(times, (size_t)runs, sizeof *times, compare);
    qsort(first_times, (size_t)runs, sizeof *first_times, compare);
    qsort(cpu_times, (size_t)runs, sizeof *cpu_times, compare);
    printf("%.4f %ld %.4f %.4f\n", times[runs / 2], usage.ru_maxrss, cpu_times[runs / 2],
           first_times[runs / 2]);
    return 0;
}
