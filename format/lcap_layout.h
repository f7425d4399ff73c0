/* The constants of the capture format: magic numbers, sizes, limits, and the one table of block
 * kinds. FORMAT.md is the specification; the numbers here repeat it. */
#ifndef LCAP_LAYOUT_H
#define LCAP_LAYOUT_H

#include <stdint.h>

#define LCAP_VERSION_MAJOR 1u
#define LCAP_VERSION_MINOR 1u

#define LCAP_FILE_MAGIC    "\x89LCAP\r\n\x1a" /* 8 bytes */
#define LCAP_BLOCK_MAGIC   0x4B4C424Cu        /* "LBLK" */
#define LCAP_TRAILER_MAGIC "LCAPEND\n"        /* 8 bytes */

#define LCAP_FILE_HEADER_SIZE   32u
#define LCAP_BLOCK_HEADER_SIZE  40u
#define LCAP_TRAILER_SIZE       24u
#define LCAP_EVENTS_HEADER_SIZE 56u

#define LCAP_BLOCK_FLAG_ZSTD 1u

#define LCAP_MAX_PAYLOAD       4194304u /* stored or raw, of one block, and raw, of one column */
#define LCAP_MAX_COLUMNS_BYTES 8388608u /* raw, all columns of one block */
#define LCAP_MAX_EVENTS        65536u   /* also segments, open scopes, and scopes open at once */
#define LCAP_MAX_SYMBOLS       65535u
#define LCAP_MAX_GROUPS        32u
#define LCAP_FIXED_COLUMNS     6u   /* in front of the token columns */
#define LCAP_TOKEN_ESCAPE      255u /* 64 bits follow */

#define LCAP_NO_COLOUR    0xFFFFFFFFu
#define LCAP_GPU_UNMAPPED 0xFFFFFFFFu

/* kind, its name, number, version of the payload, size of a fixed-size record (0: not made of such)
 */
#define LCAP_BLOCK_KINDS(X)                                                                        \
    X(session, "session", 1, 1, 0)                                                                 \
    X(clock, "clock", 2, 1, 0)                                                                     \
    X(calibrations, "calibrations", 3, 1, 24)                                                      \
    X(strings, "strings", 4, 1, 0)                                                                 \
    X(categories, "categories", 5, 1, 16)                                                          \
    X(sites, "sites", 6, 1, 24)                                                                    \
    X(tracks, "tracks", 7, 1, 40)                                                                  \
    X(events, "events", 8, 1, 0)                                                                   \
    X(domains, "domains", 9, 1, 8)                                                                 \
    X(frames, "frames", 10, 1, 24)                                                                 \
    X(losses, "losses", 11, 1, 64)                                                                 \
    X(diagnostics, "diagnostics", 12, 1, 0)                                                        \
    X(end, "end", 13, 1, 0)                                                                        \
    X(index, "index", 14, 1, 0)                                                                    \
    X(gpu_queues, "gpu-queues", 32, 1, 0)                                                          \
    X(gpu_frames, "gpu-frames", 33, 1, 64)                                                         \
    X(gpu_passes, "gpu-passes", 34, 1, 72)                                                         \
    X(gpu_counts, "gpu-counts", 35, 1, 24)                                                         \
    X(gpu_calibrations, "gpu-calibrations", 36, 1, 64)                                             \
    X(sched, "sched", 40, 1, 40)                                                                   \
    X(window, "window", 41, 1, 0)                                                                  \
    X(triggers, "triggers", 42, 1, 0)                                                              \
    X(repair, "repair", 43, 1, 0)                                                                  \
    X(lost, "lost", 44, 1, 32)

enum lcap_block_kind {
#define LCAP_KIND_ENUM(name, text, number, version, record) LCAP_KIND_##name = number,
    LCAP_BLOCK_KINDS(LCAP_KIND_ENUM)
#undef LCAP_KIND_ENUM
};

enum {
#define LCAP_RECORD_ENUM(name, text, number, version, record) LCAP_RECORD_SIZE_##name = record,
    LCAP_BLOCK_KINDS(LCAP_RECORD_ENUM)
#undef LCAP_RECORD_ENUM
};

enum lcap_event_kind {
    LCAP_EVENT_END = 0,
    LCAP_EVENT_BEGIN = 1,
    LCAP_EVENT_INSTANT = 2,
    LCAP_EVENT_FLOW_OUT = 3,
    LCAP_EVENT_FLOW_IN = 4,
    LCAP_EVENT_COUNT = 5,
    LCAP_EVENT_GAUGE = 6,
    LCAP_EVENT_TRACK_SWITCH = 7
};
#define LCAP_EVENT_KINDS 8u

enum lcap_clock_source {
    LCAP_CLOCK_MONOTONIC = 1,
    LCAP_CLOCK_TSC = 2,
    LCAP_CLOCK_GENERIC_TIMER = 3
};

enum lcap_track_kind { LCAP_TRACK_THREAD = 1, LCAP_TRACK_FIBER = 2, LCAP_TRACK_GPU_QUEUE = 3 };

enum lcap_loss_cause {
    LCAP_LOSS_BUFFERS_FULL = 1,
    LCAP_LOSS_TOO_MANY_THREADS = 2,
    LCAP_LOSS_TOO_DEEP = 3,
    LCAP_LOSS_WRITE_FAILED = 4,
    LCAP_LOSS_FRAME_MARKS_FULL = 5
};

enum lcap_diagnostic_code {
    LCAP_DIAGNOSTIC_WRONG_THREAD = 1,
    LCAP_DIAGNOSTIC_CLOCK_STEPPED_BACK = 2,
    LCAP_DIAGNOSTIC_SITES_FULL = 3,
    LCAP_DIAGNOSTIC_IDENTITY_COLLISION = 4,
    LCAP_DIAGNOSTIC_NAMES_CUT = 5,
    LCAP_DIAGNOSTIC_LATE_EVENTS = 6,
    LCAP_DIAGNOSTIC_LEFT_OPEN = 7,
    LCAP_DIAGNOSTIC_CATEGORY_SWITCHED = 8,
    LCAP_DIAGNOSTIC_COUNTS_LOST = 9,
    LCAP_DIAGNOSTIC_CLOCK_REFUSED = 10,
    LCAP_DIAGNOSTIC_CLOCK_JUMPED = 11,
    LCAP_DIAGNOSTIC_FIBER_MISUSED = 12,
    LCAP_DIAGNOSTIC_COUNTS_LATE = 13,
    LCAP_DIAGNOSTIC_SOURCE_ABSENT = 14,
    LCAP_DIAGNOSTIC_GPU_QUEUES_FULL = 15
};

enum lcap_end_reason { LCAP_END_STOPPED = 1, LCAP_END_WRITE_FAILED = 2, LCAP_END_WINDOW_OVER = 3 };

/* What became of a measurement on a GPU. From 16 on: of what was never measured. */
enum lcap_gpu_outcome {
    LCAP_GPU_ELIGIBLE = 0, /* in counts alone: all that there was to measure */
    LCAP_GPU_VALID = 1,
    LCAP_GPU_UNAVAILABLE = 2,
    LCAP_GPU_DISJOINT = 3,
    LCAP_GPU_FAILED = 4,
    LCAP_GPU_DEVICE_LOST = 5,
    LCAP_GPU_REVERSED = 6,
    LCAP_GPU_NO_END = 7,
    LCAP_GPU_ACAUSAL = 8,
    LCAP_GPU_UNRESOLVED = 9,
    LCAP_GPU_BUSY = 16,
    LCAP_GPU_OVER_CAPACITY = 17,
    LCAP_GPU_QUEUE_FULL = 18,
    LCAP_GPU_NESTED = 19,
    LCAP_GPU_BAD_NAME = 20,
    LCAP_GPU_UNSUPPORTED = 21,
    LCAP_GPU_NOT_ADMITTED = 22,
    LCAP_GPU_NO_BEGIN = 23
};

enum lcap_gpu_subject { LCAP_GPU_FRAME = 1, LCAP_GPU_PASS = 2, LCAP_GPU_CALIBRATION = 3 };

enum lcap_gpu_operation {
    LCAP_GPU_RENDER = 1,
    LCAP_GPU_COMPUTE = 2,
    LCAP_GPU_TRANSFER = 3,
    LCAP_GPU_MIXED = 4
};

enum lcap_gpu_method { LCAP_GPU_TIMESTAMPS = 1, LCAP_GPU_COMMAND_BUFFER = 2 };

/* Whether two readings of both clocks map a device's times, or why not. */
enum lcap_gpu_mapping {
    LCAP_GPU_MAPPED = 1,
    LCAP_GPU_TOO_UNCERTAIN = 2,
    LCAP_GPU_FULL_PERIOD = 3,
    LCAP_GPU_CLOCKS_APART = 4,
    LCAP_GPU_WRONG_DOMAIN = 5,
    LCAP_GPU_READ_FAILED = 6,
    LCAP_GPU_OUTSIDE = 7
};

enum lcap_trigger_cause { LCAP_TRIGGER_FRAME = 1, LCAP_TRIGGER_CALL = 2 };

#endif
