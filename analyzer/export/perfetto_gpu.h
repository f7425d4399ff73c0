/* GPU samples of an export. Passes whose times are known become slices on lanes, all durations
 * become counters; both in the order of time, which is not that in which results came, so that
 * SQLite sorts them in a file without a name. Private to the perfetto_ files. */
#ifndef TRACE_PERFETTO_GPU_H
#define TRACE_PERFETTO_GPU_H

#include "database_insert.h"
#include "lcap_layout.h"
#include "visitor.h"

struct trace_perfetto;
struct trace_json;

/* Slices that overlap on one queue. Far more than a frame has passes and a program frames in
 * flight. */
#define TRACE_PERFETTO_MAX_LANES 256u

/* Numbers that are counted by name; the last one counts those above. */
#define TRACE_PERFETTO_OUTCOMES 32u

/* All zero: nothing was shown yet. */
struct trace_perfetto_gpu {
    sqlite3 *connection;        /* to the table of samples; NULL: there are none */
    struct trace_insert insert; /* its status is that of all that SQLite does here */
    uint64_t first_tid;         /* ids from here on are no track's */
    uint32_t processes;         /* queues that have samples: each is a process */
    uint32_t largest_uncertainty_ns;
    uint64_t frame_samples, pass_samples; /* shown as counters */
    uint64_t passes_without_time;         /* of these: valid, but not calibrated */
    uint64_t slices;                      /* passes that are drawn, */
    uint64_t slices_without_lane;         /* and those for which there was no lane */
    uint64_t lanes;
    uint64_t outcomes[2][TRACE_PERFETTO_OUTCOMES]; /* of frames and of passes, but valid ones */
    uint64_t mappings[TRACE_PERFETTO_OUTCOMES];    /* of calibrations */
};

/* --- perfetto_gpu.c --------------------------------------------------------------------------- */

/* Functions of a visitor whose context is the export. Errors: MEMORY; WRITE, when SQLite fails. */
enum ludus_status trace_perfetto_gpu_frame(void *context, const struct trace_model *model,
                                           const struct trace_gpu_frame *frame);
enum ludus_status trace_perfetto_gpu_pass(void *context, const struct trace_model *model,
                                          const struct trace_gpu_pass *pass);
enum ludus_status trace_perfetto_gpu_calibration(void *context, const struct trace_model *model,
                                                 const struct trace_gpu_calibration *calibration);

/* When all were shown: the processes, their counters, and their slices. Returns SQLite's status. */
int trace_perfetto_put_gpu(struct trace_perfetto *perfetto);

void trace_perfetto_gpu_close(struct trace_perfetto_gpu *gpu);

/* --- perfetto_gpu_lines.c --------------------------------------------------------------------- */

/* A valid sample, as its row gives it. */
struct trace_perfetto_sample {
    int64_t duration_ns;
    int64_t begin_ns; /* of a slice */
    int64_t submit_ns;
    int64_t collect_ns;
    uint64_t frame;
    uint32_t track;
    uint32_t site; /* index; TRACE_NONE: it is of a frame */
    uint32_t ordinal;
    uint32_t operation;
    uint32_t logical_passes;
    uint32_t uncertainty_ns;
};

/* When its slice ends. A forged file's times may be beyond all. */
static inline int64_t trace_perfetto_sample_end(const struct trace_perfetto_sample *sample)
{
    int64_t end_ns;

    return __builtin_add_overflow(sample->begin_ns, sample->duration_ns, &end_ns) ? INT64_MAX
                                                                                  : end_ns;
}

/* The number of a queue's process, which is not the program's. */
uint32_t trace_perfetto_gpu_pid(const struct trace_perfetto *perfetto, uint32_t track);

/* The names of a queue's process, and of the track of its counters. */
void trace_perfetto_put_gpu_process(struct trace_perfetto *perfetto, uint32_t track);

void trace_perfetto_put_gpu_counter(struct trace_perfetto *perfetto,
                                    const struct trace_perfetto_sample *sample);

/* Lanes of the queue whose slices are put, each with the end of its last one. All zero: none. */
struct trace_perfetto_lanes {
    uint32_t track;
    uint32_t count;
    uint32_t first_span; /* those before it end before all slices that follow */
    uint64_t first_tid;
    int64_t ends_ns[TRACE_PERFETTO_MAX_LANES];
};

/* The pieces of a slice in the spans that are shown, on the first lane that is free. Slices come
 * track by track, each no earlier than the one before. */
void trace_perfetto_put_gpu_slice(struct trace_perfetto *perfetto,
                                  struct trace_perfetto_lanes *lanes,
                                  const struct trace_perfetto_sample *sample);

/* --- perfetto_gpu_facts.c --------------------------------------------------------------------- */

/* The member gpu of otherData, when there is anything to say. */
void trace_perfetto_put_gpu_facts(struct trace_json *json, const struct trace_perfetto *perfetto);

#endif
