/* What a pass over a capture or a database shows, one by one, and who is shown it. A model holds
 * sums of these and none of them. Private to the analyzer. Times are nanoseconds from the session's
 * start; indexes are those of the model's arrays. */
#ifndef TRACE_VISITOR_H
#define TRACE_VISITOR_H

#include "model.h"

/* One run of a scope. */
struct trace_slice {
    uint64_t slice_id;  /* from 1 on, in order of begin within a track; unique in the capture */
    uint64_t parent_id; /* 0: top-level */
    int64_t begin_ns;
    int64_t duration_ns;  /* -1 when incomplete */
    int64_t known_ns;     /* the duration, or its known lower bound */
    int64_t exclusive_ns; /* -1 when not known */
    uint32_t track;       /* index */
    uint32_t path;        /* index; says the site and the depth */
    uint32_t frame;       /* index into the default domain's frames, or TRACE_NONE */
    bool is_incomplete;
    bool has_children_lost;
};

struct trace_instant {
    int64_t time_ns;
    uint64_t slice_id; /* in which it lies, or 0 */
    uint32_t track;
    uint32_t site;
    uint32_t frame;
};

/* A count, a gauge, or an end of a flow. */
struct trace_value {
    int64_t time_ns; /* of a count: from when on it was added up, or its own when that is missing */
    uint64_t bits;   /* the increment, the bits of the gauge, or the flow's id */
    uint64_t slice_id; /* of an end of a flow: in which it lies, or 0 */
    uint32_t track;
    uint32_t site;           /* index, or TRACE_NONE */
    uint32_t frame;          /* of time_ns; TRACE_NONE also when the time of a count is not known */
    uint32_t kind;           /* enum lcap_event_kind */
    bool is_time_known;      /* false for a count whose event before is missing */
    uint64_t after_slice_id; /* the slice that began last before it in the file, or 0 */
};

/* How an interval of a thread's time, or of the machine's, was spent: struct trace_sched_sums. */
struct trace_sched_sample {
    int64_t begin_ns;
    int64_t end_ns;
    int64_t run_ns;
    int64_t wait_ns;
    uint32_t track; /* index, or TRACE_NONE: the machine */
    uint32_t processors;
};

struct trace_own_target;

/* What was measured of a GPU's work. */
struct trace_gpu_time {
    int64_t duration_ns; /* -1 unless valid */
    int64_t begin_ns;    /* when has_begin */
    int64_t submit_ns;
    int64_t collect_ns;
    uint32_t uncertainty_ns; /* of begin_ns */
    uint32_t outcome;        /* enum lcap_gpu_outcome, or one that is not known */
    bool has_begin;
};

/* The GPU's work of one frame on a queue. */
struct trace_gpu_frame {
    struct trace_gpu_time time;
    uint64_t number; /* of the submitted frame */
    uint32_t track;  /* index */
    uint32_t method; /* enum lcap_gpu_method, or one that is not known */
};

/* One operation of a frame. */
struct trace_gpu_pass {
    struct trace_gpu_time time;
    uint64_t frame; /* the number of the submitted frame */
    uint32_t track; /* index */
    uint32_t site;  /* index */
    uint32_t ordinal;
    uint32_t operation; /* enum lcap_gpu_operation, or one that is not known */
    uint32_t logical_passes;
};

/* Two readings of a device's clock and of the host's. */
struct trace_gpu_calibration {
    uint64_t frame;
    uint64_t device_ticks[2];
    int64_t host_ns[2]; /* from the session's start */
    uint32_t track;     /* index */
    uint32_t mapping;   /* enum lcap_gpu_mapping, or one that is not known */
    uint32_t uncertainty_ns;
};

/* Receives what a pass derives. Statuses other than LUDUS_OK end the pass and are returned by it. A
 * function may be NULL. Paths that a slice names are in `model` by then.
 *
 * slices, instants, values: in order of begin for each track; parents before their children except
 * for those that outlast a block of the file. begin, end, value: the pass itself, event by event,
 * scopes well nested on each track; slices begin in the order of their ids. sched: behind all
 * others, in the order of the file, which for each track is that of time. gpu_frame, gpu_pass,
 * gpu_calibration: behind these, of all tracks, each of the three in the order of the file; of a
 * queue, that in which the results came. */
struct trace_visitor {
    void *context;
    enum ludus_status (*slices)(void *context, const struct trace_model *model,
                                const struct trace_slice *slices, size_t count);
    enum ludus_status (*instants)(void *context, const struct trace_model *model,
                                  const struct trace_instant *instants, size_t count);
    enum ludus_status (*values)(void *context, const struct trace_model *model,
                                const struct trace_value *values, size_t count);
    enum ludus_status (*sched)(void *context, const struct trace_model *model,
                               const struct trace_sched_sample *sample);
    enum ludus_status (*gpu_frame)(void *context, const struct trace_model *model,
                                   const struct trace_gpu_frame *frame);
    enum ludus_status (*gpu_pass)(void *context, const struct trace_model *model,
                                  const struct trace_gpu_pass *pass);
    enum ludus_status (*gpu_calibration)(void *context, const struct trace_model *model,
                                         const struct trace_gpu_calibration *calibration);
    enum ludus_status (*begin)(void *context, const struct trace_model *model, uint32_t track,
                               uint32_t site, int64_t begin_ns);
    enum ludus_status (*end)(void *context, const struct trace_model *model,
                             const struct trace_slice *slice); /* the track's innermost one */
    /* Forgets what was shown: the pass found damage, and begins anew with what it costs. A visitor
     * without it is shown nothing before all blocks have been looked at, which takes as long as
     * decoding them. */
    void (*restart)(void *context);
    enum ludus_status (*value)(void *context, const struct trace_model *model,
                               const struct trace_value *value);
    /* Says where slices of a track that begin in a frame count (own_times.h), for who adds up own
     * times and needs no more of them. A pass without sums may add them there by itself, and calls
     * neither begin nor end then; and the model has no paths behind it. */
    void (*own)(void *context, uint32_t track, uint32_t frame, struct trace_own_target *target);
};

#endif
