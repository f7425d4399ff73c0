/* How long at least one of several intervals lasted, for many subjects at once: exact, in memory
 * that does not grow with the number of intervals. Private to the analyzer.
 *
 * Intervals come in about the order of time. What lies behind them all is added up and forgotten; a
 * "floor" that follows the stream says where that is. One that comes later than the floor is known
 * to the pass after, which has it from its beginning. Where intervals do not fit in memory, the
 * answer is made slab of time by slab of time. Each pass must bring the same intervals in the same
 * order. */
#ifndef TRACE_TIME_UNION_H
#define TRACE_TIME_UNION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_UNION_SAMPLES 16u

struct trace_union_limits {
    size_t budget_bytes; /* of intervals; it is more where there are more subjects than fit */
    uint32_t stride;     /* intervals between two looks at how far the stream is */
};

struct trace_interval {
    int64_t begin_ns;
    int64_t end_ns;
    uint32_t subject;
};

/* Intervals of which none was forgotten. */
struct trace_interval_list {
    struct trace_interval *items;
    size_t count;
};

struct trace_time_union {
    int64_t *length_ns; /* by subject, when trace_time_union_end has said that all is known */
    int64_t *slab_ns;   /* by subject, of this slab before folded_ns */
    size_t *last;       /* by subject: of those that are joined */
    uint32_t subjects;
    struct trace_interval_list open; /* of this slab, what is not in slab_ns */
    struct trace_interval_list late; /* came later than the floor */
    struct trace_interval *spare;    /* room to sort a list in */
    size_t most;                     /* of each of the three */
    int64_t from_ns, cut_ns;         /* the slab; INT64_MAX: to the end of time */
    int64_t folded_ns;
    int64_t floor_ns;
    int64_t samples[TRACE_UNION_SAMPLES];
    uint32_t sample_count;
    uint32_t stride, until_sample;
    bool knows_late; /* the pass began with the late ones of the one before */
    bool is_wrong;   /* something came too late for slab_ns: another pass is needed */
};

/* What a subject takes at least; a budget has room for one. */
#define TRACE_UNION_SUBJECT_BYTES (12 * sizeof(struct trace_interval))

/* False when there is no memory; release it all the same. */
bool trace_time_union_create(struct trace_time_union *all, uint32_t subjects,
                             const struct trace_union_limits *limits);
void trace_time_union_destroy(struct trace_time_union *all);

/* A pass begins. */
void trace_time_union_begin(struct trace_time_union *all);

/* Forgets all that was shown: the first pass begins. */
void trace_time_union_restart(struct trace_time_union *all);

/* Takes the begin of every stride-th interval as a sample of where the stream is. */
void trace_time_union_sample(struct trace_time_union *all, int64_t begin_ns);

/* The stream is at an interval, whether it is added or not. */
static inline void trace_time_union_pass(struct trace_time_union *all, int64_t begin_ns)
{
    if (--all->until_sample == 0)
        trace_time_union_sample(all, begin_ns);
}

/* The subject's interval from begin on, before end. */
void trace_time_union_add(struct trace_time_union *all, uint32_t subject, int64_t begin_ns,
                          int64_t end_ns);

/* The pass ends. Returns whether all is known; otherwise another one is needed. */
bool trace_time_union_end(struct trace_time_union *all);

#endif
