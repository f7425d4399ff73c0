/* What a comparison keeps of a run: who made it, how long its frames were, and what each scope,
 * counter and GPU pass was per frame. The input is closed again. Private to the analyzer. */
#ifndef TRACE_RUN_DIGEST_H
#define TRACE_RUN_DIGEST_H

#include "change.h"
#include "input.h"
#include "run_frames.h"
#include "scope_keys.h"

/* What a number is of. The key of a GPU pass has its operation for a category, that of GPU frames
 * the queue for a name. */
enum trace_measure {
    TRACE_MEASURE_FRAME_TRACK, /* a scope on the track that marks the domain */
    TRACE_MEASURE_WORK,        /* a scope on all other tracks together */
    TRACE_MEASURE_ALL_TRACKS,  /* both together; no run has cells of it */
    TRACE_MEASURE_GPU_FRAME,
    TRACE_MEASURE_GPU_PASS,
    TRACE_MEASURE_COUNTER, /* the rate's time is what was counted */
    TRACE_MEASURE_GAUGE    /* the rate's time is the mean of its values, in no frame */
};
#define TRACE_MEASURES 7u

/* What a run has of a key. */
struct trace_run_cell {
    uint32_t key;
    enum trace_measure measure;
    struct trace_rate rate; /* per frame: calls, and exclusive time */
    double inclusive_ns;    /* per frame */
    uint64_t calls;
    int64_t frames; /* that all calls are divided by; 0: tracks have different ones */
};

/* Texts belong to the keys of the cells; those that are not known are empty. */
struct trace_run {
    struct trace_text label; /* the file as it was given; of a database with several the number */
    enum trace_side side;
    uint64_t capture_id;
    int64_t start_unix_ns;
    struct trace_text program, commit, flavor, cpu, cores, governor, os, clock;
    struct trace_text clock_warning; /* that it is not the one that was wanted; empty: it is */
    struct trace_text domain;        /* of the frames; empty: there are none */
    struct trace_text marker;        /* name of the track that marks them */
    bool has_marker;
    bool is_finished;
    bool is_damaged;
    uint64_t lost, recorded; /* events: a scope is two */
    int64_t *frame_ns;       /* durations of the complete frames of the window, rising; owned */
    uint32_t frames;
    struct trace_run_frames in_time; /* the same in the order of time, where that is wanted */
    int64_t total_ns;                /* of them */
    struct trace_sched_sums running; /* of the marker, in all of the capture */
    struct trace_run_cell *cells;    /* by key and measure; owned */
    uint32_t cell_count;
    struct trace_run_cell *contexts; /* scopes by path, where that is wanted beside; likewise */
    uint32_t context_count;
};

/* What is looked at. */
struct trace_digest_options {
    const struct trace_selection *selection; /* of one window at most */
    bool is_by_path;
    bool has_frames_in_time;
    struct trace_scope_keys *contexts; /* of scopes by path, which are kept, too; NULL: they are
                                          not */
};

/* Reads an input into `run`, all of which is set; it is destroyed in any case. Errors: UNAVAILABLE
 * (it lacks the window), those of trace_chosen_create and trace_input_statistics, MEMORY. */
LUDUS_CHECKED enum ludus_status trace_run_read(struct trace_input *input, const char *label,
                                               enum trace_side side,
                                               const struct trace_digest_options *options,
                                               struct trace_scope_keys *keys, struct trace_run *run,
                                               struct ludus_error *error);
void trace_run_destroy(struct trace_run *run);

/* The order of cells: by key, then measure. */
int trace_run_cells_compare(const void *left, const void *right);

/* The cell of a key, or NULL. */
const struct trace_run_cell *trace_run_find(const struct trace_run *run, uint32_t key,
                                            enum trace_measure measure);

/* A frame time at the nearest rank; 0 without frames. */
int64_t trace_run_percentile(const struct trace_run *run, uint32_t per_mille);

/* How many frames were longer. */
uint32_t trace_run_longer(const struct trace_run *run, double limit_ns);

#endif
