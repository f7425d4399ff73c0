/* The records of a capture as values in memory, shared by the encoder and the decoder. FORMAT.md
 * says what each field means. Ids are 0 for "none". Byte strings are not zero-terminated. */
#ifndef LCAP_RECORDS_H
#define LCAP_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lcap_layout.h"

/* Bytes that somebody else owns. */
struct lcap_bytes {
    const uint8_t *data;
    size_t size;
};

/* What is counted apart: each event once, a scope by its begin, a flow at each of its ends. Counts
 * (events of kind 5) are not among them: they are never lost. */
struct lcap_counts {
    uint64_t scopes;
    uint64_t instants;
    uint64_t frames; /* marks */
    uint64_t flows;
    uint64_t gauges;
};

static inline void lcap_counts_add(struct lcap_counts *sum, const struct lcap_counts *more)
{
    sum->scopes += more->scopes;
    sum->instants += more->instants;
    sum->frames += more->frames;
    sum->flows += more->flows;
    sum->gauges += more->gauges;
}

static inline bool lcap_counts_are_zero(const struct lcap_counts *counts)
{
    return (counts->scopes | counts->instants | counts->frames | counts->flows | counts->gauges) ==
           0;
}

struct lcap_fact {
    struct lcap_bytes key;
    struct lcap_bytes value;
};

struct lcap_session {
    uint64_t start_tick;
    int64_t start_unix_ns;
    uint32_t clock;
    uint32_t process_id;
    uint32_t sources; /* bit 0: CPU events, bit 1: GPU samples */
};

struct lcap_clock {
    uint64_t ticks_per_second;
    uint64_t step;   /* ticks, at least 1 */
    uint64_t offset; /* ticks, below step */
    uint32_t clock;
    uint32_t source; /* enum lcap_clock_source */
};

struct lcap_calibration {
    uint64_t tick;
    int64_t ns;
    uint32_t uncertainty_ns;
    uint32_t clock; /* of the block that holds it */
};

struct lcap_string {
    struct lcap_bytes bytes;
    uint32_t string;
};

struct lcap_category {
    uint32_t category;
    uint32_t name;
    uint32_t colour; /* 0x00RRGGBB or LCAP_NO_COLOUR */
    uint32_t flags;  /* bit 0: waiting */
};

struct lcap_site {
    uint32_t site;
    uint32_t name;
    uint32_t file;
    uint32_t function;
    uint32_t line;
    uint32_t category;
};

struct lcap_track {
    uint64_t os_id;
    uint64_t begin_tick;
    uint64_t end_tick; /* 0 while it lives */
    uint32_t track;
    uint32_t kind; /* enum lcap_track_kind */
    uint32_t name;
    uint32_t clock; /* of the block that holds it */
};

struct lcap_domain {
    uint32_t domain;
    uint32_t name;
};

struct lcap_frame_mark {
    uint64_t ordinal;
    uint64_t tick;
    uint32_t domain;
    uint32_t track;
    uint32_t clock; /* of the block that holds it */
};

struct lcap_loss {
    struct lcap_counts counts;
    uint64_t first_tick;
    uint64_t last_tick;
    uint32_t track;
    uint32_t cause; /* enum lcap_loss_cause */
    uint32_t clock; /* of the block that holds it */
};

struct lcap_diagnostic {
    uint64_t tick;
    uint64_t count;
    struct lcap_bytes text;
    uint32_t code; /* enum lcap_diagnostic_code, or one that is not known */
    uint32_t track;
    uint32_t clock; /* of the block that holds it */
};

/* How an interval of a thread's time, or of the machine's, was spent; the rest of it was neither.
 */
struct lcap_sched {
    uint64_t from_tick;
    uint64_t to_tick;
    uint64_t run_ns;  /* on a processor; of the machine: summed over its processors */
    uint64_t wait_ns; /* runnable, and not running; of the machine: stolen by its host */
    uint32_t track;   /* 0: the machine */
    uint32_t processors;
    uint32_t clock; /* of the block that holds it */
};

/* A queue of a GPU, which is a track. */
struct lcap_gpu_queue {
    struct lcap_bytes backend;
    struct lcap_bytes device;
    struct lcap_bytes queue;
    struct lcap_bytes pass_reason;        /* why it has no pass timing; empty when it has */
    struct lcap_bytes calibration_reason; /* why its times are not mapped; empty when they are */
    uint64_t period_fs;                   /* of a step of the device's timestamps */
    uint32_t track;
    uint32_t generation; /* sessions with devices before this one */
    uint32_t valid_bits; /* of the device's timestamps; 0: it has none */
};

/* What was measured of a GPU's work: of a frame's on a queue, or of one operation in it. */
struct lcap_gpu_time {
    uint64_t duration_ns; /* 0 unless valid */
    int64_t begin_ns;     /* on the time line of all clocks; 0 when it is not mapped */
    uint64_t submit_tick;
    uint64_t collect_tick;
    uint32_t outcome;        /* enum lcap_gpu_outcome, or one that is not known; not 0 */
    uint32_t uncertainty_ns; /* of begin_ns; LCAP_GPU_UNMAPPED: it is not known */
};

struct lcap_gpu_frame {
    struct lcap_gpu_time time;
    uint64_t number; /* of the submitted frame */
    uint32_t track;
    uint32_t method; /* enum lcap_gpu_method, or one that is not known */
    uint32_t clock;  /* of the block that holds it */
};

struct lcap_gpu_pass {
    struct lcap_gpu_time time;
    uint64_t frame; /* the number of the submitted frame */
    uint32_t track;
    uint32_t site;
    uint32_t ordinal;        /* operations of this site before it in the frame */
    uint32_t operation;      /* enum lcap_gpu_operation, or one that is not known */
    uint32_t logical_passes; /* that share the duration */
    uint32_t clock;          /* of the block that holds it */
};

/* How many there were so far. */
struct lcap_gpu_count {
    uint64_t count;
    uint32_t track;
    uint32_t subject; /* enum lcap_gpu_subject, or one that is not known */
    uint32_t outcome; /* enum lcap_gpu_outcome, or one that is not known */
};

/* Two readings of a device's clock and of the host's. */
struct lcap_gpu_calibration {
    uint64_t frame;
    uint64_t device_ticks[2];
    int64_t host_ns[2]; /* on the time line of all clocks */
    uint32_t track;
    uint32_t mapping; /* enum lcap_gpu_mapping, or one that is not known */
    uint32_t uncertainty_ns;
};

/* From when on a capture is whole that holds a part of its recording. */
struct lcap_window {
    uint64_t from_tick;
    uint32_t clock;
};

/* Why a part of a recording was kept. */
struct lcap_trigger {
    uint64_t tick;           /* when it fired: for a frame, its end */
    uint64_t ordinal;        /* of a frame: its number, */
    uint64_t duration_ticks; /* how long it was, */
    uint64_t limit_ticks;    /* and what it exceeded */
    struct lcap_bytes text;  /* the reason that a call gave */
    uint32_t cause;          /* enum lcap_trigger_cause, or one that is not known */
    uint32_t domain;         /* of a frame */
    uint32_t clock;          /* of the block that holds it */
};

/* What somebody left out who made this capture of a damaged one. */
struct lcap_repair {
    uint64_t capture_id;  /* of the damaged one */
    uint64_t places;      /* of damage and of missing blocks, */
    uint64_t bytes;       /* and the bytes of them */
    uint64_t tail_bytes;  /* of an unfinished one: behind its last whole block */
    bool is_not_finished; /* it was not finished */
};

/* Events that damage took. */
struct lcap_lost {
    uint64_t events;  /* 0: how many is not known */
    int64_t begin_ns; /* from the session's start; both ends inclusive */
    int64_t end_ns;
    uint32_t track;
};

struct lcap_end {
    uint64_t stop_tick;
    struct lcap_counts recorded;
    struct lcap_counts dropped;
    uint32_t clock;
    uint32_t reason; /* enum lcap_end_reason */
};

struct lcap_index_entry {
    uint64_t offset;
    uint64_t first_step;
    uint64_t last_step;
    uint32_t kind;
    uint32_t events;
    uint32_t clock;
};

/* A scope that is open at some point of a track's stream. */
struct lcap_open_scope {
    uint64_t begin_tick;
    uint64_t children_ticks; /* covered by its finished direct children so far */
    uint32_t site;
};

#endif
