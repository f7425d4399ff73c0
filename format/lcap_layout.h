/* The constants of the capture format: magic numbers, sizes, limits, and the one table of block
 * kinds. FORMAT.md is the specification; the numbers here repeat it. */
#ifndef LCAP_LAYOUT_H
#define LCAP_LAYOUT_H

#include <stdint.h>

#define LCAP_VERSION_MAJOR 1u
#define LCAP_VERSION_MINOR 0u

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

#define LCAP_NO_COLOUR 0xFFFFFFFFu

/* kind, number, version of the payload, size of a fixed-size record (0: not made of such) */
#define LCAP_BLOCK_KINDS(X)                                                                        \
    X(session, 1, 1, 0)                                                                            \
    X(clock, 2, 1, 0)                                                                              \
    X(calibrations, 3, 1, 24)                                                                      \
    X(strings, 4, 1, 0)                                                                            \
    X(categories, 5, 1, 16)                                                                        \
    X(sites, 6, 1, 24)                                                                             \
    X(tracks, 7, 1, 40)                                                                            \
    X(events, 8, 1, 0)                                                                             \
    X(domains, 9, 1, 8)                                                                            \
    X(frames, 10, 1, 24)                                                                           \
    X(losses, 11, 1, 64)                                                                           \
    X(diagnostics, 12, 1, 0)                                                                       \
    X(end, 13, 1, 0)                                                                               \
    X(index, 14, 1, 0)                                                                             \
    X(sched, 40, 1, 40)                                                                            \
    X(window, 41, 1, 0)                                                                            \
    X(triggers, 42, 1, 0)                                                                          \
    X(repair, 43, 1, 0)                                                                            \
    X(lost, 44, 1, 32)

enum lcap_block_kind {
#define LCAP_KIND_ENUM(name, number, version, record) LCAP_KIND_##name = number,
    LCAP_BLOCK_KINDS(LCAP_KIND_ENUM)
#undef LCAP_KIND_ENUM
};

enum {
#define LCAP_RECORD_ENUM(name, number, version, record) LCAP_RECORD_SIZE_##name = record,
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
    LCAP_DIAGNOSTIC_COUNTS_LATE = 13
};

enum lcap_end_reason { LCAP_END_STOPPED = 1, LCAP_END_WRITE_FAILED = 2, LCAP_END_WINDOW_OVER = 3 };

enum lcap_trigger_cause { LCAP_TRIGGER_FRAME = 1, LCAP_TRIGGER_CALL = 2 };

#endif
