/* GPU timing on top of the recorder, without a graphics API: what a backend feeds, and what a
 * program may ask. A backend writes timestamps into command buffers where it is told to, says what
 * was submitted and what is over, and reads timestamps and clocks when it is asked to; what they
 * mean, what is counted and what is put into a capture is decided here. docs/gpu.md has the states
 * and the rules.
 *
 * A session is one queue of one device. Its calls must not overlap: they belong to one thread at a
 * time, unless the backend has a lock. Several sessions are independent. After creation nothing
 * here allocates, waits or prints; the callbacks must not either, but for open_queue. */
#ifndef LUDUS_GPU_H
#define LUDUS_GPU_H

#include <stdint.h>

#include <ludus/gpu_samples.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LUDUS_GPU_FRAME_OPERATIONS 64u  /* that are measured in a frame */
#define LUDUS_GPU_FRAME_SLOTS      130u /* two for the frame itself and two for each of them */
#define LUDUS_GPU_MAX_BATCHES      8u
#define LUDUS_GPU_NO_SLOT          0xFFFFFFFFu

/* How a call of the graphics API went. */
enum ludus_gpu_answer {
    LUDUS_GPU_ANSWERED = 0,
    LUDUS_GPU_ANSWER_FAILED = 1,
    LUDUS_GPU_ANSWER_DISJOINT = 2, /* the clock was interrupted: timestamps mean nothing */
    LUDUS_GPU_ANSWER_LOST = 3      /* the device is lost */
};

/* What is in a slot. The layout is that of 64-bit query results with availability in Vulkan. */
struct ludus_gpu_reading {
    uint64_t tick;         /* bits above the queue's valid ones are ignored */
    uint64_t is_available; /* 0: not written yet */
};

/* Readings of two clocks at about the same time. */
struct ludus_gpu_clocks {
    uint64_t device_tick;
    int64_t host_ns;       /* CLOCK_MONOTONIC when calibrated; any clock's with two samples */
    uint64_t deviation_ns; /* how far apart the two moments may be; not used with two samples */
};

/* How the device's times are mapped to the recorder's. */
enum ludus_gpu_policy {
    LUDUS_GPU_UNCALIBRATED = 0, /* not at all: durations only */
    LUDUS_GPU_CALIBRATED = 1,   /* the host's clock is the recorder's, a deviation is told */
    LUDUS_GPU_TWO_SAMPLES = 2   /* the pair is taken between two reads of the recorder's clock */
};

/* The device as the core sees it. Called by the session's own calls, on their thread. */
struct ludus_gpu_device {
    void *context;
    /* Reads `count` slots from `first` on, of one frame that is over; never waits. */
    enum ludus_gpu_answer (*read_slots)(void *context, uint32_t first, uint32_t count,
                                        struct ludus_gpu_reading *readings);
    /* May be NULL when uncalibrated. */
    enum ludus_gpu_answer (*read_clocks)(void *context, struct ludus_gpu_clocks *clocks);
};

/* Where samples go, and whose clock they are told in; the functions of <ludus/gpu_samples.h> with a
 * context. Each result is put once. What is put is counted here, by `count`, when put_... did not
 * return 0; what is refused for want of room is counted behind put_.... */
struct ludus_gpu_sink {
    void *context;
    uint64_t (*admission)(void *context);
    uint64_t (*tick)(void *context);
    int64_t (*clock_ns)(void *context, uint64_t *residual_ns);
    uint32_t (*open_queue)(void *context, uint64_t admission,
                           const struct ludus_gpu_queue_facts *facts);
    uint32_t (*site)(void *context, struct ludus_site *site);
    int (*put_frame)(void *context, uint64_t admission, const struct ludus_gpu_frame *frame);
    int (*put_pass)(void *context, uint64_t admission, const struct ludus_gpu_pass *pass);
    int (*put_calibration)(void *context, uint64_t admission,
                           const struct ludus_gpu_calibration *calibration);
    void (*count)(void *context, uint64_t admission, uint32_t queue, uint32_t subject,
                  uint32_t outcome, uint64_t count);
};

/* What a session is made with; zero what is not set. */
struct ludus_gpu_setup {
    /* Copied. `generation` is set by the session. With no valid bits, fewer than 36, or a period of
     * 0, nothing is measured and all is counted as unsupported; with a pass_reason, passes are. */
    struct ludus_gpu_queue_facts facts;
    uint32_t frame_method;    /* enum ludus_gpu_method; 0: timestamps */
    uint32_t policy;          /* enum ludus_gpu_policy */
    uint32_t batches;         /* frames that are in flight or recorded, 1 to 8; 0: 4 */
    uint32_t patience_frames; /* for results of what is over, until they are given up; 0: 8 */
    struct ludus_gpu_device device;
    struct ludus_gpu_sink sink; /* ludus_gpu_recorder() */
};

struct ludus_gpu_session;

/* What is to be measured of a frame. */
struct ludus_gpu_frame_plan {
    uint64_t number;       /* by which the frame is told to be complete */
    uint32_t first_slot;   /* These slots are to be reset before one of them is written, */
    uint32_t slot_count;   /* by the host or the frame's first commands. 0: nothing is measured */
    uint32_t begin_slot;   /* for a timestamp before all other work of the frame, */
    uint32_t end_slot;     /* and one behind it; or LUDUS_GPU_NO_SLOT */
    uint32_t takes_scopes; /* 0: scopes in this frame are neither timed nor counted */
};

/* A scope that was begun. */
struct ludus_gpu_scope {
    uint64_t token; /* for its end; 0: it is not measured */
    uint32_t slot;  /* for a timestamp now, or LUDUS_GPU_NO_SLOT */
};

/* How a frame went. */
enum ludus_gpu_submission {
    LUDUS_GPU_SUBMITTED = 0, /* all of it */
    LUDUS_GPU_DISCARDED = 1, /* none of it, and none will be */
    LUDUS_GPU_REFUSED = 2    /* the last call to submit failed; those before did not */
};

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC visibility push(default)
#endif

/* The recorder of this process. */
struct ludus_gpu_sink ludus_gpu_recorder(void);

/* The only call that allocates. NULL: no memory, or a setup that is out of range. The slots are
 * 0 to batches * LUDUS_GPU_FRAME_SLOTS - 1. */
struct ludus_gpu_session *ludus_gpu_session_create(const struct ludus_gpu_setup *setup);

/* Ends it, and frees it. NULL is ignored. */
void ludus_gpu_session_destroy(struct ludus_gpu_session *session);

/* No more frames: what is in flight is unresolved. The slots of ludus_gpu_session_held() frames are
 * still in use by the device until these are complete. */
void ludus_gpu_session_end(struct ludus_gpu_session *session);

/* The device is lost: so is what is in flight, and no slot is in use any more. */
void ludus_gpu_session_lose(struct ludus_gpu_session *session);

/* Frames whose slots the device may still write. 0: query pools may be destroyed. */
uint32_t ludus_gpu_session_held(const struct ludus_gpu_session *session);

/* Begins a frame; results that have come are collected first. A frame that was begun and not ended
 * is ended: as submitted when something of it was. */
void ludus_gpu_session_begin_frame(struct ludus_gpu_session *session,
                                   struct ludus_gpu_frame_plan *plan);

/* Begins the timing of one operation in the frame. `stream` tells apart what is recorded side by
 * side, such as a command buffer's handle: a scope inside another one of its stream is rejected.
 * `operation` is an enum ludus_gpu_operation; `logical_passes` share the timestamps, at least 1. */
struct ludus_gpu_scope ludus_gpu_session_begin_scope(struct ludus_gpu_session *session,
                                                     struct ludus_site *site, uint64_t stream,
                                                     uint32_t operation, uint32_t logical_passes);

/* Ends it: the slot for a timestamp now, or LUDUS_GPU_NO_SLOT. Token 0 is ignored, and so is one
 * of an earlier frame, whose operation has no end. */
uint32_t ludus_gpu_session_end_scope(struct ludus_gpu_session *session, uint64_t token);

/* Right before each submission of work of the frame. */
void ludus_gpu_session_submit_frame(struct ludus_gpu_session *session);

/* The frame is recorded, and nothing more of it is submitted. */
void ludus_gpu_session_end_frame(struct ludus_gpu_session *session,
                                 enum ludus_gpu_submission submission);

/* All submissions of that frame have completed execution, as a fence or a semaphore tells: its
 * slots are read now, and may be used again when all is there. In any order; numbers that are not
 * in flight are ignored. */
void ludus_gpu_session_complete_frame(struct ludus_gpu_session *session, uint64_t number);

/* Collects results that were late. ludus_gpu_session_begin_frame does, too. */
void ludus_gpu_session_poll(struct ludus_gpu_session *session);

/* Whether frames (not passes) are measured while nothing is recorded, for a display in the program.
 * What is submitted then is in no recording. */
void ludus_gpu_session_watch(struct ludus_gpu_session *session, int is_watched);

/* Copies the latest frame whose result is known, also when that is a failure: the same one until
 * there is another. `queue` is 0 when it is in no recording. Returns 0 when there is none. */
int ludus_gpu_session_latest_frame(const struct ludus_gpu_session *session,
                                   struct ludus_gpu_frame *frame);

/* How many sessions there were in this process before it. */
uint32_t ludus_gpu_session_generation(const struct ludus_gpu_session *session);

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif
