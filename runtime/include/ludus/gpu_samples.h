/* GPU samples on their way into a capture: what a GPU backend tells the recorder, in plain numbers
 * and without a graphics API. Programs use <ludus/gpu.h> and a backend's header, which call this;
 * a program with a backend of its own may call it itself.
 *
 * The recorder keeps at most 4,096 samples until its collector has written them; more are counted
 * as `queue-full`. Nothing here waits. */
#ifndef LUDUS_GPU_SAMPLES_H
#define LUDUS_GPU_SAMPLES_H

#include <stdint.h>

#include <ludus/profile.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What became of a measurement. Only a valid one has a duration, which may be a true 0. The first
 * ones are told of single samples; all of them are counted. The numbers stand in captures. */
enum ludus_gpu_outcome {
    LUDUS_GPU_VALID = 1,
    LUDUS_GPU_UNAVAILABLE = 2, /* the submission is over and the device has no result of it */
    LUDUS_GPU_DISJOINT = 3,    /* the device's clock was interrupted in between */
    LUDUS_GPU_FAILED = 4,      /* a call of the graphics API failed */
    LUDUS_GPU_DEVICE_LOST = 5,
    LUDUS_GPU_REVERSED = 6,   /* it ends before it begins, by the device's own times */
    LUDUS_GPU_NO_END = 7,     /* an end of 0 where the begin is not */
    LUDUS_GPU_ACAUSAL = 8,    /* longer than from its submission to when its result was there */
    LUDUS_GPU_UNRESOLVED = 9, /* still in flight when the recording or the session ended */
    /* Of what was never measured: */
    LUDUS_GPU_BUSY = 16,          /* an earlier measurement was still in flight */
    LUDUS_GPU_OVER_CAPACITY = 17, /* more operations than a frame's batch holds */
    LUDUS_GPU_QUEUE_FULL = 18,    /* measured, and no room on the way to the collector */
    LUDUS_GPU_NESTED = 19,        /* a scope inside another one */
    LUDUS_GPU_BAD_NAME = 20,      /* empty, longer than 127 bytes, or not UTF-8 */
    LUDUS_GPU_UNSUPPORTED = 21,   /* the queue has no timestamps, or the backend no pass timing */
    LUDUS_GPU_NOT_ADMITTED = 22,  /* submitted before the recording began to admit */
    LUDUS_GPU_NO_BEGIN = 23       /* the end of a scope that is not open */
};

/* What was measured. */
enum ludus_gpu_subject {
    LUDUS_GPU_FRAME = 1,      /* the work of a frame on a queue */
    LUDUS_GPU_PASS = 2,       /* one physical operation in it */
    LUDUS_GPU_CALIBRATION = 3 /* in counts: of these the recorder counts `queue-full` */
};

/* Kinds of operation. */
enum ludus_gpu_operation {
    LUDUS_GPU_RENDER = 1,
    LUDUS_GPU_COMPUTE = 2,
    LUDUS_GPU_TRANSFER = 3,
    LUDUS_GPU_MIXED = 4 /* several of them, between the same two timestamps */
};

/* How it was measured. */
enum ludus_gpu_method {
    LUDUS_GPU_TIMESTAMPS = 1,    /* two timestamps that the device writes among its commands */
    LUDUS_GPU_COMMAND_BUFFER = 2 /* times that the system gives for a whole command buffer */
};

/* Why a pair of clock readings maps the device's times to the recorder's, or does not. */
enum ludus_gpu_mapping {
    LUDUS_GPU_MAPPED = 1,
    LUDUS_GPU_TOO_UNCERTAIN = 2, /* a deviation or read gap over 50 us */
    LUDUS_GPU_FULL_PERIOD = 3,   /* the window spans the counter's whole period */
    LUDUS_GPU_CLOCKS_APART = 4,  /* device and host disagree on how long the window was */
    LUDUS_GPU_WRONG_DOMAIN = 5,  /* the host's value is not between two reads of our clock */
    LUDUS_GPU_READ_FAILED = 6,   /* the graphics API gave no readings */
    LUDUS_GPU_OUTSIDE = 7        /* a time lies outside the window of the readings */
};

/* What there is to say of a queue of a device. Strings are copied: at most 127 bytes of each. */
struct ludus_gpu_queue_facts {
    const char *backend;            /* such as "vulkan" */
    const char *device;             /* its name, as the driver tells it */
    const char *queue;              /* shown in reports, such as "graphics" */
    const char *pass_reason;        /* why there is no pass timing; "" when there is */
    const char *calibration_reason; /* why nothing is calibrated; "" when it is */
    uint32_t generation;            /* how many sessions with devices there were before this one */
    uint32_t valid_bits;            /* of the device's timestamps; 0: it has none */
    uint64_t period_fs;             /* of one step of them, in femtoseconds */
};

/* The GPU's work of one frame on a queue. */
struct ludus_gpu_frame {
    uint32_t queue;          /* as ludus_gpu_queue_open returned it */
    uint32_t method;         /* enum ludus_gpu_method */
    uint32_t outcome;        /* enum ludus_gpu_outcome, below 16 */
    uint32_t uncertainty_ns; /* of begin_ns; LUDUS_GPU_UNMAPPED: begin_ns is not known */
    uint64_t number;         /* of the submitted frame, from 0 on in each session */
    uint64_t duration_ns;    /* 0 unless valid */
    int64_t begin_ns;        /* CLOCK_MONOTONIC; 0 unless valid and mapped */
    uint64_t submit_tick;    /* of ludus_gpu_tick, when the CPU submitted it */
    uint64_t collect_tick;   /* and when it took the result, or gave up */
};
#define LUDUS_GPU_UNMAPPED 0xFFFFFFFFu

/* One physical operation of a frame. */
struct ludus_gpu_pass {
    uint32_t queue;
    uint32_t site;           /* what ludus_gpu_site returned; not 0 */
    uint32_t ordinal;        /* how many operations of this site were before it in the frame */
    uint32_t operation;      /* enum ludus_gpu_operation */
    uint32_t logical_passes; /* that share this duration; at least 1 */
    uint32_t outcome;
    uint32_t uncertainty_ns;
    uint32_t reserved; /* 0 */
    uint64_t frame;    /* the number of the submitted frame */
    uint64_t duration_ns;
    int64_t begin_ns;
    uint64_t submit_tick;
    uint64_t collect_tick;
};

/* Two readings of both clocks around a batch: how its times were mapped, or why not. */
struct ludus_gpu_calibration {
    uint32_t queue;
    uint32_t mapping; /* enum ludus_gpu_mapping */
    uint32_t
        uncertainty_ns; /* of times that are mapped by it; the larger deviation when rejected */
    uint32_t reserved;  /* 0 */
    uint64_t frame;
    uint64_t device_ticks[2]; /* before and behind */
    int64_t host_ns[2];       /* CLOCK_MONOTONIC */
};

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC visibility push(default)
#endif

/* The number of the recording that admits GPU samples now; 0: none does. What is submitted under a
 * number may be put under that number alone: so a late result is never in the next recording. One
 * load. Any thread. */
uint64_t ludus_gpu_admission(void);

/* The recorder's clock now, in raw ticks, for submit_tick and collect_tick. Any thread. */
uint64_t ludus_gpu_tick(void);

/* The recorder's clock now, as nanoseconds of CLOCK_MONOTONIC. `*residual_ns` is how far it may be
 * off: 0 when that is the clock, otherwise the uncertainty of the recorder's latest calibration and
 * what the two clocks may have come apart since, as they did before it. Any thread, without waiting
 * (a reader begins again when three calibrations, which are 50 ms apart or more, were made
 * meanwhile). */
int64_t ludus_gpu_clock_ns(uint64_t *residual_ns);

/* Makes a track for a queue, for the recording of that number. 0: there is no room (a recording has
 * 32 queues; more are counted, and told as `gpu-queues-full`), or another recording by now. Takes a
 * lock for a moment: not on the hot path. Any thread. */
uint32_t ludus_gpu_queue_open(uint64_t admission, const struct ludus_gpu_queue_facts *facts);

/* The site's number in captures, which is not 0; registers it the first time. 0: no room. Any
 * thread. */
uint32_t ludus_gpu_site(struct ludus_site *site);

/* The site's name without its category, `*size` bytes of it: any, none, and not ended by a zero. It
 * points into the site's label. Any thread. */
const char *ludus_gpu_site_name(const struct ludus_site *site, uint32_t *size);

/* Puts a sample. 0 when the recording is another one by now, or there is no room (which the
 * recorder counts as `queue-full` itself, under the queue), or it is none: no such queue, a number
 * of 0 where there is no 0, a duration of what is not valid, a begin that is not mapped, a time
 * that does not fit into 63 bits. Otherwise 1; the caller then counts its outcome with
 * ludus_gpu_count. Ticks that lie in the future, or in the wrong order, are lowered to what is
 * possible. Any thread, without waiting. */
int ludus_gpu_put_frame(uint64_t admission, const struct ludus_gpu_frame *frame);
int ludus_gpu_put_pass(uint64_t admission, const struct ludus_gpu_pass *pass);
int ludus_gpu_put_calibration(uint64_t admission, const struct ludus_gpu_calibration *calibration);

/* Counts `count` more measurements, or attempts, of that outcome; with an outcome of 0, that were
 * eligible. Exact; there is always room. Nothing for a queue that there is not, and for an outcome
 * above 31. Any thread, without waiting. */
void ludus_gpu_count(uint64_t admission, uint32_t queue, uint32_t subject, uint32_t outcome,
                     uint64_t count);

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif
