/* What the programs of the bench share: reading clocks, medians, recordings, threads that start
 * together, and the line that tells a gate. Whatever fails here ends the program with a message. */
#ifndef BENCH_TOOLS_H
#define BENCH_TOOLS_H

#include <stdbool.h>
#include <stdint.h>

#include <ludus/recorder.h>

enum { BENCH_MAX_THREADS = 64 };

struct bench_options {
    bool is_quick;
    uint32_t seconds;   /* of --seconds; 0: not given */
    const char *folder; /* where captures are written, and removed again */
};

/* Reads [--quick] [--seconds N] [--folder FOLDER]; `program` is the name for messages. */
struct bench_options bench_options_read(const char *program, int argc, char **argv);

/* The whole number of that place on the command line, or `usual` where there are fewer words;
 * `usage` is for the message when it is none, or there are more than two words. */
uint32_t bench_count_read(const char *usage, int argc, char **argv, int place, uint32_t usual);

/* Prints a line of the summary: whether the gate holds, its name, and the figure with its bound.
 * A figure without a bound is told by bench_figure, and bench_unsure tells of a gate that could not
 * be measured here. */
__attribute__((format(printf, 3, 4))) void bench_gate(bool is_within, const char *name,
                                                      const char *format, ...);
__attribute__((format(printf, 2, 3))) void bench_figure(const char *name, const char *format, ...);
__attribute__((format(printf, 2, 3))) void bench_unsure(const char *name, const char *format, ...);

__attribute__((noreturn, format(printf, 1, 2))) void bench_fail(const char *format, ...);

uint64_t bench_now_ns(void);        /* CLOCK_MONOTONIC */
uint64_t bench_thread_cpu_ns(void); /* of the calling thread */
void bench_sleep_ms(uint32_t milliseconds);

/* Of `count` values, which are sorted by this: the median, and the nearest-rank percentile. */
double bench_median(double *values, uint32_t count);
double bench_percentile(double *values, uint32_t count, double percent);

/* The recorder's default configuration with one of its clocks, which nothing else overrides. (A
 * counter that is not trusted is replaced, of which the summary of the bench tells.) */
struct ludus_recorder_config bench_config(enum ludus_recorder_clock clock);
const char *bench_clock_name(enum ludus_recorder_clock clock);

/* Starts a recording into a new file of the folder; `config` has all but the path. */
void bench_recording_start(const struct bench_options *options,
                           struct ludus_recorder_config config);

/* Stops it, and removes its file. */
struct ludus_recorder_result bench_recording_stop(void);

/* What one thread's share of the work took. */
struct bench_cost {
    uint64_t cpu_ns;
    uint64_t page_faults;
};

/* Runs `work` on so many threads (at most BENCH_MAX_THREADS), which start together; returns the
 * time from the start to the last end. `costs` has an element for each thread. */
uint64_t bench_threads_run(uint32_t count, void (*work)(void *context, uint32_t thread),
                           void *context, struct bench_cost *costs);

#endif
