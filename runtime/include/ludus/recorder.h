/* Starting and stopping a recording: what a program includes in the one file that owns its capture.
 *
 *     struct ludus_recorder_config config = ludus_recorder_config_default();
 *     config.path = "game.lcap";
 *     if (ludus_recorder_start(&config, &error) != LUDUS_OK) ...
 *     ...
 *     ludus_recorder_stop(&result, &error);
 *
 * The recorder prints nothing, installs no signal handler and never ends its host. One recording
 * runs at a time in a process. */
#ifndef LUDUS_RECORDER_H
#define LUDUS_RECORDER_H

#include <stdint.h>

#include <ludus/profile.h>
#include <ludus/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Facts about the program's build, set by the build system (see the README); each may be absent. */
#ifndef LUDUS_SOURCE_ROOT
#define LUDUS_SOURCE_ROOT ""
#endif
#ifndef LUDUS_BUILD_COMMIT
#define LUDUS_BUILD_COMMIT ""
#endif
#ifndef LUDUS_BUILD_FLAVOR
#define LUDUS_BUILD_FLAVOR ""
#endif
#ifndef LUDUS_BUILD_FLAGS
#define LUDUS_BUILD_FLAGS ""
#endif

/* The clock that events are stamped with. */
enum ludus_recorder_clock {
    LUDUS_CLOCK_AUTO = 0,      /* the processor's counter where it can be trusted */
    LUDUS_CLOCK_MONOTONIC = 1, /* CLOCK_MONOTONIC, in nanoseconds */
    LUDUS_CLOCK_COUNTER = 2    /* the same as AUTO, and told when it cannot be trusted */
};

/* What becomes of what is recorded. */
enum ludus_retention {
    LUDUS_RETAIN_ALL = 0,    /* a capture of everything is written as it happens */
    LUDUS_RETAIN_HITCHES = 1 /* the last seconds are kept in memory; triggers write captures */
};

/* Where what is recorded comes from. Frame marks are recorded with any of them. */
enum ludus_recorder_source {
    LUDUS_SOURCE_CPU = 1, /* what threads emit */
    LUDUS_SOURCE_GPU = 2  /* samples of GPUs: <ludus/gpu_samples.h> */
};

/* With LUDUS_RETAIN_HITCHES: what makes a capture, and how much is in it. A capture has what
 * happened from `before_ms` before its trigger (for a frame, before its beginning) until `after_ms`
 * after it; further triggers meanwhile belong to it and put its end off, to ten times `after_ms` at
 * most. It has less before when the window had no room for it, and says from when on it is whole.
 */
struct ludus_hitch_config {
    uint64_t window_bytes;    /* of memory_bytes, for the window; default a quarter of it; at least
                                 two of the largest blocks: a refusal tells how much that is */
    const char *frame_domain; /* frames of this domain, of at most 127 bytes, have the limit; NULL:
                                 those of the domain that is marked first */
    uint32_t frame_limit_us;  /* a longer frame is a trigger; 0: only ludus_recorder_trigger is */
    uint32_t before_ms;       /* 1 to 3,600,000, default 5,000 */
    uint32_t after_ms;        /* 1 to 3,600,000, default 1,000 */
    uint32_t max_captures;    /* files of one recording; default 16 */
};

/* What to record, and with how much memory. Strings are copied by ludus_recorder_start. A number of
 * 0 stands for its default. Make one with ludus_recorder_config_default. */
struct ludus_recorder_config {
    const char *path;    /* of the capture, which must not exist; "%p" becomes the process id. For
                            captures of hitches, the time and the reason are put into the name,
                            which has at most 159 bytes */
    const char *program; /* name shown in reports; NULL: the executable's file name */
    const char *source_root;
    const char *build_commit;
    const char *build_flavor;
    const char *build_flags;
    const char *categories; /* which are recorded, as ludus_recorder_start says; NULL: no change */
    uint64_t memory_bytes;  /* all of the recorder's memory; 1 MiB (with a window, 2 MiB) to 4 GiB,
                               default 16 MiB; LUDUS_MEMORY overrides it. Where it has no room for
                               the defaults of the next four, they are smaller */
    uint32_t max_sites;     /* 64 to 1,048,576, default 16,384; then a named overflow site */
    uint32_t max_threads;   /* live at one time; 1 to 4,096, default 128 */
    uint32_t max_counters;  /* that are told per frame and not per call; to 65,536, default 128 */
    uint32_t max_dynamic_names; /* of ludus_site_intern, 1 to 1,048,576, default 1,024 */
    uint32_t flush_interval_ms; /* 1 to 60,000, default 100: what a crash may cost */
    uint32_t clock;             /* enum ludus_recorder_clock; LUDUS_CLOCK overrides it */
    uint32_t resolution_ns;    /* times are stored to this, for smaller files; 0: the clock's own */
    int32_t compression_level; /* of zstd, 1 to 19; default 1 */
    uint32_t retention;        /* enum ludus_retention */
    uint32_t sources;          /* enum ludus_recorder_source, added up: what to record, and what to
                                  miss when it never comes; LUDUS_SOURCES overrides it. Default: what
                                  threads emit, and GPU samples when somebody offers them and
                                  memory_bytes has room, which 7 MiB have */
    struct ludus_hitch_config hitch;
};

/* The state of the process's recorder. */
enum ludus_recorder_state {
    LUDUS_RECORDER_IDLE = 0,      /* never started, or the last recording is over and went well */
    LUDUS_RECORDER_RECORDING = 1, /* events are admitted */
    LUDUS_RECORDER_DRAINING = 2,  /* stop was called; what was admitted is being written */
    LUDUS_RECORDER_FAILED = 3 /* the capture could not be written; stop tells why, and then it is
                                 kept until ludus_recorder_retry or ludus_recorder_discard */
};

/* Numbers of events. A scope counts once, by its beginning; a flow at each of its ends. */
struct ludus_event_counts {
    uint64_t scopes;
    uint64_t instants;
    uint64_t frames; /* frame marks, of all domains */
    uint64_t flows;
    uint64_t gauges;
};

/* What became of a recording.
 * emitted == recorded + dropped for each count, with `emitted` counted by the program, for events
 * whose call returned before stop was called. Events of a thread past its end, from late rounds of
 * its destructors, are in neither: the capture tells their number as a diagnostic. */
struct ludus_recorder_result {
    struct ludus_event_counts recorded;
    struct ludus_event_counts dropped; /* told per track and time range in the capture */
    uint64_t scopes_open;              /* recorded scopes that had not ended at stop */
    uint64_t written_bytes;
    uint64_t memory_bytes;    /* reserved at start */
    char path[1024];          /* of the capture, "%p" replaced; the last one of a hitch, also when
                                 it failed; empty when there was none */
    uint64_t triggers_missed; /* that are in no capture: beyond max_captures, of captures that could
                                 not be written, or more than 8 in a flush interval */
    uint64_t gpu_frames;      /* GPU samples that were put, of frames and */
    uint64_t gpu_passes;      /* of passes, and are recorded, */
    uint64_t gpu_frames_dropped; /* or found no room, or were not written */
    uint64_t gpu_passes_dropped;
    uint32_t sources_absent; /* enum ludus_recorder_source: asked for, and never came: no thread
                                emitted more than frame marks, no GPU's queue was opened */
    /* Of a recording of hitches, whose counts above are those of what came into the window: */
    uint32_t captures;        /* that were written whole */
    uint32_t captures_failed; /* that could not be */
};

/* The defaults above, and the build's facts from the macros of the including file. */
static inline struct ludus_recorder_config ludus_recorder_config_default(void)
{
    struct ludus_recorder_config config;
    config.path = LUDUS_NULL;
    config.program = LUDUS_NULL;
    config.source_root = LUDUS_SOURCE_ROOT;
    config.build_commit = LUDUS_BUILD_COMMIT;
    config.build_flavor = LUDUS_BUILD_FLAVOR;
    config.build_flags = LUDUS_BUILD_FLAGS;
    config.categories = LUDUS_NULL;
    config.memory_bytes = 0;
    config.max_sites = 0;
    config.max_threads = 0;
    config.max_counters = 0;
    config.max_dynamic_names = 0;
    config.flush_interval_ms = 0;
    config.clock = LUDUS_CLOCK_AUTO;
    config.resolution_ns = 0;
    config.compression_level = 0;
    config.retention = LUDUS_RETAIN_ALL;
    config.sources = 0;
    config.hitch.window_bytes = 0;
    config.hitch.frame_domain = LUDUS_NULL;
    config.hitch.frame_limit_us = 0;
    config.hitch.before_ms = 0;
    config.hitch.after_ms = 0;
    config.hitch.max_captures = 0;
    return config;
}

/* What follows is visible outside a shared library, however that is compiled. */
#if defined(__GNUC__) || defined(__clang__)
#pragma GCC visibility push(default)
#endif

/* Reserves memory, creates the capture and admits events. Blocks for the time of both (the memory
 * is touched once, so that recording never faults). `error` may be NULL.
 * The environment variable LUDUS_CLOCK (auto, monotonic or tsc, the processor's counter) overrides
 * `config->clock`; the capture says which clock was taken, and why.
 * Categories are switched first, by `config->categories` and then by the environment variable
 * LUDUS_CATEGORIES: names between commas, with a minus in front of those that are not to be
 * recorded, "*" for all, later ones over earlier ones ("-*,render" records render alone). It stays
 * so for later recordings.
 * The environment variable LUDUS_SOURCES (cpu, gpu, or cpu,gpu) overrides `config->sources`. With
 * gpu alone, sites are not recorded whatever their category, and threads pay what they pay while
 * nothing is recorded.
 * The environment variable LUDUS_MEMORY, a whole number of MiB or GiB such as 64MiB, overrides
 * `config->memory_bytes`.
 * The environment variable LUDUS_HITCH, a time such as 33ms, overrides the retention: hitches are
 * kept, and frames longer than that are triggers.
 * Errors: ARGUMENT (a value out of range, no path), STATE (a recording runs), EXISTS, WRITE,
 * MEMORY, UNAVAILABLE (no collector thread). After an error nothing is recording. Any thread. */
LUDUS_CHECKED enum ludus_status ludus_recorder_start(const struct ludus_recorder_config *config,
                                                     struct ludus_error *error);

/* Starts as `config` says when the environment variable LUDUS_CAPTURE names a file, which replaces
 * `config->path`; `config` may be NULL for the defaults. Such a recording also ends at exit(3).
 * LUDUS_OK: recording. LUDUS_END: LUDUS_CAPTURE is unset or empty, nothing was done. Else as
 * ludus_recorder_start. */
LUDUS_CHECKED enum ludus_status
ludus_recorder_start_with_env(const struct ludus_recorder_config *config,
                              struct ludus_error *error);

/* The same with this build's facts and all else by default. The message of an error is lost: where
 * somebody should read why nothing was recorded, use the one above. */
static inline enum ludus_status ludus_recorder_start_from_env(void)
{
    struct ludus_recorder_config config = ludus_recorder_config_default();
    return ludus_recorder_start_with_env(&config, LUDUS_NULL);
}

/* Closes admission, writes what was admitted, finishes the file. Returns within seconds also when
 * other threads go on emitting. `result` and `error` may be NULL; `result` is filled also on
 * errors. A capture of a hitch that is not over ends there. Errors: STATE (nothing was started),
 * WRITE (captures of hitches could not be written, which `result` counts; or the file holds what
 * was written before the failure; what is still in memory is kept for a retry, and counts as
 * dropped in `result`; what was emitted after the failure is dropped). Any thread but one inside an
 * emitting call. */
LUDUS_CHECKED enum ludus_status ludus_recorder_stop(struct ludus_recorder_result *result,
                                                    struct ludus_error *error);

/* After a stop that could not write everything: writes the capture to `path`, which must not exist
 * ("%p" becomes the process id), from what the first file has and what is in memory. The first file
 * is left as it is. After an error everything is still kept, and another path may be tried. Not of
 * captures of hitches, of which nothing is kept at a stop.
 * Errors: STATE (nothing is kept), ARGUMENT, EXISTS, WRITE. Any thread. */
LUDUS_CHECKED enum ludus_status ludus_recorder_retry(const char *path,
                                                     struct ludus_recorder_result *result,
                                                     struct ludus_error *error);

/* Keeps what happens around this moment, for a reason, of which 127 bytes are kept: a recording of
 * hitches writes a capture of it, whose name has the reason in it; a capture of everything tells of
 * the trigger. It writes nothing itself, and waits for no more than others that report in the same
 * moment. OK: it was noted; whether a capture came of it, the result of the stop tells (one that is
 * called while a stop is may be in neither). Errors:
 * ARGUMENT (no reason), STATE (nothing is being recorded). Any thread. */
LUDUS_CHECKED enum ludus_status ludus_recorder_trigger(const char *reason,
                                                       struct ludus_error *error);

/* Gives up what such a stop has kept in memory. What is in the file stays there. Does nothing when
 * nothing is kept. Any thread. */
void ludus_recorder_discard(void);

/* Records the events of a category from now on (`is_recorded` not 0) or no longer; also before a
 * start, and for categories that no site has reached yet. Scopes that are open are recorded to
 * their end. "*" stands for every category and for sites without one, and overrides all that was
 * set before. The case of ASCII letters does not matter. While recording, the switch is told in the
 * capture. `error` may be NULL. Errors: ARGUMENT (no name, or one of more than 63 bytes), LIMIT (64
 * categories are switched already; "*" forgets them). Any thread. */
LUDUS_CHECKED enum ludus_status ludus_recorder_set_category(const char *category, int is_recorded,
                                                            struct ludus_error *error);

/* The present state. Any thread. */
enum ludus_recorder_state ludus_recorder_state(void);

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif
