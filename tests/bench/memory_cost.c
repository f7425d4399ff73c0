/* The gate "memory": what a recording reserves and touches at its start, whether that is all that
 * it ever takes, and whether producers meet page faults.
 *
 * Recorded are an hour's worth of the example game's events, sooner than the game makes them (4
 * threads, 983 slices a frame, 216,000 frames), and 64,000 threads of a few events each; both with
 * the default configuration and with the smallest that a recording starts with. Each runs in a
 * process of its own. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <ludus/profile.h>

#include "bench_tools.h"

#define KIB           1024.0
#define MIB           (1024.0 * 1024.0)
#define PRODUCERS     4u
#define FRAMES        (60u * 3600u)
#define FRAME_SLICES  983u
#define SHORT_THREADS 64000u
#define AT_ONCE       8u
#define SLICES_PER_MS 1500u /* of one producer */
#define QUICK_DIVISOR 20u
#define FIRST_DIVISOR 400u /* of the share after which nothing grows much */
#define MOST_DEFAULT  (16.0 * MIB)
#define MOST_SMALLEST (1.0 * MIB)
/* Stacks of threads, and what the collector touches only when it first has as much to do: a few
 * pages. Half a byte kept for each thousand events would be more, and so would 5 for each thread.
 */
#define MOST_GROWTH  (256.0 * KIB)
#define MOST_DROPPED 0.5 /* a share of the events; what is dropped proves little */
#define MOST_BESIDE                                                                                \
    (64.0 * KIB) /* the collector's stack, the program's data that a start writes to */
#define STEP_BYTES 65536u

/* What a run found out; the parent reads it in shared memory. */
struct figures {
    uint64_t reserved_bytes; /* as the recorder says */
    uint64_t start_bytes;    /* by which the process grew at the start */
    uint64_t first_bytes;    /* in the first share of the events */
    uint64_t later_bytes;    /* and from there to the stop */
    uint64_t first_faults;   /* of producers, in their first events */
    uint64_t later_faults;
    uint64_t emitted;
    uint64_t dropped;
    double seconds;
};

/* Resident memory that no file backs, exactly: from the page tables. (The kernel's quick numbers
 * lag behind, and the pages of programs come and go as others use them.) */
static uint64_t resident_bytes(void)
{
    char line[256];
    unsigned long long kib = 0;
    FILE *file = fopen("/proc/self/smaps_rollup", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "Anonymous: %llu kB", &kib) == 1)
            break;
    if (file == NULL || fclose(file) != 0 || kib == 0)
        bench_fail("/proc/self/smaps_rollup cannot be read");
    return kib * 1024u;
}

static uint64_t own_faults(void)
{
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt;
}

static struct {
    uint32_t frames;
    atomic_uint_fast64_t first_faults;
    atomic_uint_fast64_t later_faults;
} run;

__attribute__((noinline)) static void slice(void)
{
    LUDUS_PROFILE_SCOPE(Memory/Slice);
    __asm__ volatile("" : : : "memory");
}

__attribute__((noinline)) static void every_kind(void)
{
    slice();
    LUDUS_PROFILE_MARK(Memory/Mark);
    LUDUS_PROFILE_COUNT(Memory/Count, 1);
    LUDUS_PROFILE_GAUGE(Memory/Gauge, 1.0);
    LUDUS_PROFILE_FLOW_IN(LUDUS_PROFILE_FLOW_OUT(Memory/Flow));
}

static void emit_hour(void *context, uint32_t thread)
{
    (void)context;
    const uint64_t faults = own_faults();
    every_kind();
    const uint64_t first = own_faults();
    const uint64_t slices = (uint64_t)run.frames * FRAME_SLICES / PRODUCERS;
    const uint64_t begin_ns = bench_now_ns();
    for (uint64_t i = 1; i < slices; i++) {
        slice();
        if (thread == 0 && i % (FRAME_SLICES / PRODUCERS) == 0)
            LUDUS_PROFILE_FRAME();
        if (i % SLICES_PER_MS == 0) {
            const uint64_t next_ns = begin_ns + i / SLICES_PER_MS * 1000000u;
            const struct timespec next = {.tv_sec = (time_t)(next_ns / 1000000000u),
                                          .tv_nsec = (long)(next_ns % 1000000000u)};
            (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
        }
    }
    atomic_fetch_add(&run.first_faults, first - faults);
    atomic_fetch_add(&run.later_faults, own_faults() - first);
}

static void emit_shortly(void *context, uint32_t thread)
{
    (void)context;
    (void)thread;
    const uint64_t faults = own_faults();
    every_kind();
    atomic_fetch_add(&run.first_faults, own_faults() - faults);
}

/* A share of the hour. Returns the number of scopes, as does the next one. */
static uint64_t run_hour(uint32_t divisor)
{
    struct bench_cost costs[PRODUCERS];
    run.frames = FRAMES / divisor;
    (void)bench_threads_run(PRODUCERS, emit_hour, NULL, costs);
    return (uint64_t)run.frames * FRAME_SLICES / PRODUCERS * PRODUCERS;
}

static uint64_t run_short_threads(uint32_t divisor)
{
    struct bench_cost costs[AT_ONCE];
    const uint32_t threads = SHORT_THREADS / divisor;
    for (uint32_t i = 0; i < threads; i += AT_ONCE)
        (void)bench_threads_run(AT_ONCE, emit_shortly, NULL, costs);
    return threads;
}

/* The smallest configuration: little but events. */
static struct ludus_recorder_config small_config(uint64_t memory_bytes)
{
    struct ludus_recorder_config config = bench_config(LUDUS_CLOCK_COUNTER);
    config.memory_bytes = memory_bytes;
    config.max_sites = 64;
    config.max_threads = AT_ONCE;
    config.max_counters = 1;
    config.max_dynamic_names = 1;
    return config;
}

static uint64_t smallest_budget(const struct bench_options *options)
{
    struct ludus_error error;
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/ludus-memory_cost-%%p.lcap", options->folder);
    for (uint64_t bytes = STEP_BYTES; bytes < (uint64_t)MOST_DEFAULT; bytes += STEP_BYTES) {
        struct ludus_recorder_config config = small_config(bytes);
        config.path = path;
        const enum ludus_status status = ludus_recorder_start(&config, &error);
        if (status == LUDUS_OK) {
            (void)bench_recording_stop();
            return bytes;
        }
        if (status != LUDUS_ERROR_ARGUMENT)
            bench_fail("%s", error.message);
    }
    bench_fail("no budget up to the default is enough");
}

struct plan {
    const struct bench_options *options;
    struct ludus_recorder_config config;
    uint64_t (*work)(uint32_t divisor); /* NULL: find the least budget */
};

/* Once without recording, so that threads, the stream and the code are where they will be. */
static void measure(const struct plan *plan, struct figures *figures)
{
    struct bench_cost costs[AT_ONCE];
    (void)bench_threads_run(AT_ONCE, emit_shortly, NULL, costs);
    (void)resident_bytes();
    atomic_store(&run.first_faults, 0);
    const uint64_t before_bytes = resident_bytes();
    bench_recording_start(plan->options, plan->config);
    const uint64_t started_bytes = resident_bytes();
    figures->emitted = plan->work(FIRST_DIVISOR);
    const uint64_t settled_bytes = resident_bytes();
    const uint64_t begin_ns = bench_now_ns();
    figures->emitted += plan->work(plan->options->is_quick ? QUICK_DIVISOR : 1);
    figures->seconds = (double)(bench_now_ns() - begin_ns) / 1e9;
    const uint64_t end_bytes = resident_bytes();
    const struct ludus_recorder_result result = bench_recording_stop();
    figures->reserved_bytes = result.memory_bytes;
    figures->start_bytes = started_bytes - before_bytes;
    figures->first_bytes = settled_bytes > started_bytes ? settled_bytes - started_bytes : 0;
    figures->later_bytes = end_bytes > settled_bytes ? end_bytes - settled_bytes : 0;
    figures->first_faults = atomic_load(&run.first_faults);
    figures->later_faults = atomic_load(&run.later_faults);
    figures->dropped = result.dropped.scopes;
}

static void report(const char *what, const struct figures *figures, double most_bytes)
{
    char name[64];
    printf("  %s: reserved %.2f MiB; resident from the start %.2f MiB, after the first events "
           "%.0f KiB more, later %.0f KiB more; %" PRIu64
           " scopes in %.1f s, %.2f %% dropped; page "
           "faults of producers: %" PRIu64 " in their first events, %" PRIu64 " later\n",
           what, (double)figures->reserved_bytes / MIB, (double)figures->start_bytes / MIB,
           (double)figures->first_bytes / KIB, (double)figures->later_bytes / KIB, figures->emitted,
           figures->seconds, 100.0 * (double)figures->dropped / (double)figures->emitted,
           figures->first_faults, figures->later_faults);
    const double all_bytes =
        (double)(figures->start_bytes + figures->first_bytes + figures->later_bytes);
    (void)snprintf(name, sizeof name, "memory, %s", what);
    if ((double)figures->dropped > MOST_DROPPED * (double)figures->emitted)
        bench_unsure(name, "the machine was too busy to record as much: %.0f %% dropped",
                     100.0 * (double)figures->dropped / (double)figures->emitted);
    else
        bench_gate((double)figures->reserved_bytes <= most_bytes &&
                       all_bytes <= (double)figures->reserved_bytes + MOST_BESIDE &&
                       (double)figures->later_bytes <= MOST_GROWTH,
                   name,
                   "%.2f MiB reserved (at most %.0f), %.2f resident, grows by %.0f KiB (constant)",
                   (double)figures->reserved_bytes / MIB, most_bytes / MIB, all_bytes / MIB,
                   (double)figures->later_bytes / KIB);
    (void)snprintf(name, sizeof name, "page faults, %s", what);
    bench_gate(figures->first_faults + figures->later_faults == 0, name,
               "%" PRIu64 " of producers while recording (none)",
               figures->first_faults + figures->later_faults);
}

/* Runs it in a process of its own, whose memory nothing else has touched. */
static uint64_t in_child(const struct plan *plan, struct figures *figures)
{
    int status = 0;
    (void)fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        if (plan->work != NULL)
            measure(plan, figures);
        else
            figures->reserved_bytes = smallest_budget(plan->options);
        _exit(EXIT_SUCCESS);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        bench_fail("a measuring process failed");
    return figures->reserved_bytes;
}

int main(int argc, char **argv)
{
    const struct bench_options options = bench_options_read("memory_cost", argc, argv);
    struct figures *figures =
        mmap(NULL, 5 * sizeof *figures, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (figures == MAP_FAILED)
        bench_fail("no memory");
    struct plan plan = {.options = &options};
    const uint64_t smallest_bytes = in_child(&plan, &figures[0]);
    printf("memory: the default, and the smallest that starts, of %.2f MiB (with 64 sites, 8 "
           "threads); %s; %s\n",
           (double)smallest_bytes / MIB,
           options.is_quick ? "a twentieth of an hour and of 64,000 threads"
                            : "an hour of 983 slices a frame, and 64,000 threads",
           bench_clock_name(LUDUS_CLOCK_COUNTER));
    for (uint32_t i = 1; i <= 4; i++) {
        static const char *const names[] = {"", "default, an hour", "default, short threads",
                                            "smallest, an hour", "smallest, short threads"};
        plan.config = i <= 2 ? bench_config(LUDUS_CLOCK_COUNTER) : small_config(smallest_bytes);
        plan.work = i % 2 == 1 ? run_hour : run_short_threads;
        (void)in_child(&plan, &figures[i]);
        report(names[i], &figures[i], i <= 2 ? MOST_DEFAULT : MOST_SMALLEST);
    }
    return EXIT_SUCCESS;
}
