/* The means that the programs of the bench share; see the header. */
#include "bench_tools.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static const char *program_name = "bench";

void bench_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)fprintf(stderr, "%s: ", program_name);
    (void)vfprintf(stderr, format, arguments);
    (void)fputc('\n', stderr);
    va_end(arguments);
    exit(EXIT_FAILURE);
}

static bool is_number(const char *text, unsigned long most, uint32_t *number)
{
    char *end = NULL;
    errno = 0;
    const unsigned long value = strtoul(text, &end, 10);
    *number = (uint32_t)value;
    return errno == 0 && end != text && *end == '\0' && value >= 1 && value <= most;
}

static uint32_t read_seconds(const char *text)
{
    uint32_t seconds;
    if (!is_number(text, 86400, &seconds))
        bench_fail("--seconds takes a whole number from 1 to 86400, not '%s'", text);
    return seconds;
}

uint32_t bench_count_read(const char *usage, int argc, char **argv, int place, uint32_t usual)
{
    uint32_t count = usual;
    if (argc > 3 || (place < argc && !is_number(argv[place], 1000000, &count)))
        bench_fail("usage: %s", usage);
    return count;
}

struct bench_options bench_options_read(const char *program, int argc, char **argv)
{
    struct bench_options options = {.folder = getenv("TMPDIR")};
    program_name = program;
    if (options.folder == NULL || options.folder[0] == '\0')
        options.folder = "/tmp";
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0)
            options.is_quick = true;
        else if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc)
            options.seconds = read_seconds(argv[++i]);
        else if (strcmp(argv[i], "--folder") == 0 && i + 1 < argc)
            options.folder = argv[++i];
        else
            bench_fail("usage: %s [--quick] [--seconds N] [--folder FOLDER]", program);
    }
    return options;
}

static void print_line(const char *verdict, const char *name, const char *format, va_list arguments)
{
    printf("gate %-6s %-28s ", verdict, name);
    (void)vprintf(format, arguments);
    putchar('\n');
    (void)fflush(stdout);
}

void bench_gate(bool is_within, const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(is_within ? "ok" : "over", name, format, arguments);
    va_end(arguments);
}

void bench_figure(const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("figure", name, format, arguments);
    va_end(arguments);
}

void bench_unsure(const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("unsure", name, format, arguments);
    va_end(arguments);
}

static uint64_t read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t bench_now_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

uint64_t bench_thread_cpu_ns(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

void bench_sleep_ms(uint32_t milliseconds)
{
    struct timespec left = {.tv_sec = (time_t)(milliseconds / 1000u),
                            .tv_nsec = (long)(milliseconds % 1000u) * 1000000L};
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        continue;
}

static int compare(const void *a, const void *b)
{
    const double left = *(const double *)a;
    const double right = *(const double *)b;
    return (left > right) - (left < right);
}

double bench_percentile(double *values, uint32_t count, double percent)
{
    qsort(values, count, sizeof *values, compare);
    const double rank = percent * count / 100.0;
    uint32_t index = (uint32_t)rank;
    if (index >= rank && index != 0) /* the rank is a whole number: that many values */
        index--;
    return values[index < count ? index : count - 1];
}

double bench_median(double *values, uint32_t count)
{
    return bench_percentile(values, count, 50.0);
}

struct ludus_recorder_config bench_config(enum ludus_recorder_clock clock)
{
    struct ludus_recorder_config config = ludus_recorder_config_default();
    (void)unsetenv("LUDUS_CLOCK");
    (void)unsetenv("LUDUS_CATEGORIES");
    config.clock = clock;
    return config;
}

const char *bench_clock_name(enum ludus_recorder_clock clock)
{
#if defined(__aarch64__)
    static const char counter[] = "generic timer";
#else
    static const char counter[] = "time-stamp counter";
#endif
    return clock == LUDUS_CLOCK_COUNTER ? counter : "CLOCK_MONOTONIC";
}

void bench_recording_start(const struct bench_options *options, struct ludus_recorder_config config)
{
    struct ludus_error error;
    char path[4096];
    const int length =
        snprintf(path, sizeof path, "%s/ludus-%s-%%p.lcap", options->folder, program_name);
    if (length < 0 || (size_t)length >= sizeof path)
        bench_fail("the name of the folder is too long");
    config.path = path;
    if (ludus_recorder_start(&config, &error) != LUDUS_OK)
        bench_fail("%s", error.message);
}

struct ludus_recorder_result bench_recording_stop(void)
{
    struct ludus_recorder_result result;
    struct ludus_error error;
    if (ludus_recorder_stop(&result, &error) != LUDUS_OK)
        bench_fail("%s", error.message);
    unlink(result.path);
    return result;
}

struct start {
    pthread_barrier_t *barrier;
    void (*work)(void *, uint32_t);
    void *context;
    uint32_t thread;
    struct bench_cost cost;
};

static uint64_t page_faults(void)
{
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt;
}

/* The thread's own stack is in memory before its page faults are counted. */
__attribute__((noinline)) static void touch_stack(void)
{
    char stack[65536];
    memset(stack, 0, sizeof stack);
    __asm__ volatile("" : : "r"(stack) : "memory");
}

static void *run_thread(void *argument)
{
    struct start *start = argument;
    touch_stack();
    pthread_barrier_wait(start->barrier);
    const uint64_t faults_before = page_faults();
    const uint64_t begin_ns = bench_thread_cpu_ns();
    start->work(start->context, start->thread);
    start->cost.cpu_ns = bench_thread_cpu_ns() - begin_ns;
    start->cost.page_faults = page_faults() - faults_before;
    return NULL;
}

uint64_t bench_threads_run(uint32_t count, void (*work)(void *context, uint32_t thread),
                           void *context, struct bench_cost *costs)
{
    pthread_t threads[BENCH_MAX_THREADS];
    struct start starts[BENCH_MAX_THREADS];
    pthread_barrier_t barrier;
    if (count > BENCH_MAX_THREADS || pthread_barrier_init(&barrier, NULL, count + 1) != 0)
        bench_fail("%u threads cannot be started together", (unsigned)count);
    for (uint32_t i = 0; i < count; i++) {
        starts[i] = (struct start){.barrier = &barrier, .work = work, .context = context};
        starts[i].thread = i;
        if (pthread_create(&threads[i], NULL, run_thread, &starts[i]) != 0)
            bench_fail("a thread cannot be started");
    }
    const uint64_t begin_ns = bench_now_ns();
    pthread_barrier_wait(&barrier);
    for (uint32_t i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    const uint64_t elapsed_ns = bench_now_ns() - begin_ns;
    for (uint32_t i = 0; i < count; i++)
        costs[i] = starts[i].cost;
    pthread_barrier_destroy(&barrier);
    return elapsed_ns;
}
