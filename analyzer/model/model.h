/* What one pass over a capture derives, once: the facts, the frames, and the statistics that every
 * report shows. Loading a capture and a pass over its events fill it (capture_load.c, nesting.c); a
 * database holds the same values and fills it again (database_model.c). Private to the analyzer.
 *
 * Times are integer nanoseconds from the session's start. Entities are numbered from 0 in the order
 * of their first definition in the file ("index"); captures' own ids are kept beside. */
#ifndef TRACE_MODEL_H
#define TRACE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <ludus/status.h>

#include "lcap_records.h"

#define TRACE_NONE UINT32_MAX /* no index */

/* Bytes of any kind, not zero-terminated; the model owns what its members point to. */
struct trace_text {
    const char *data;
    size_t size;
};

/* How many bytes of a name a message shows, for "%.*s". */
static inline int trace_text_shown(struct trace_text text)
{
    return (int)(text.size < 64 ? text.size : 64);
}

static inline bool trace_text_equals(struct trace_text a, struct trace_text b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static inline bool trace_text_is(struct trace_text text, const char *word)
{
    return trace_text_equals(text, (struct trace_text){word, strlen(word)});
}

/* Their order by bytes: below, at or above 0. */
static inline int trace_text_compare(const struct trace_text *a, const struct trace_text *b)
{
    size_t size = a->size < b->size ? a->size : b->size;
    int order = size == 0 ? 0 : memcmp(a->data, b->data, size);
    return order != 0 ? order : (a->size > b->size) - (a->size < b->size);
}

struct trace_fact {
    struct trace_text key;
    struct trace_text value;
};

struct trace_clock {
    uint64_t ticks_per_second;
    uint64_t step; /* ticks */
    struct trace_text reason;
    uint32_t id;
    uint32_t source; /* enum lcap_clock_source */
    uint32_t calibrations;
    uint32_t max_uncertainty_ns;
    int64_t max_residual_ns;  /* -1: there are fewer than three calibrations */
    int64_t max_residual_ppb; /* beyond what is uncertain; likewise */
};

/* A moment as a clock showed it and when it was. */
struct trace_calibration {
    uint64_t tick;
    int64_t time_ns;
    uint32_t uncertainty_ns;
    uint32_t clock; /* index */
};

struct trace_category {
    struct trace_text name;
    uint32_t colour; /* 0x00RRGGBB or LCAP_NO_COLOUR */
    bool is_waiting;
};

struct trace_site {
    uint64_t identity;
    struct trace_text name;
    struct trace_text file;
    struct trace_text function;
    uint32_t id;
    uint32_t line;
    uint32_t category; /* index, or TRACE_NONE */
};

/* Sums over the samples of a thread, or of the machine. What is left of sampled_ns was neither: the
 * thread slept, the processors idled. A running thread's times are a moment late, so that both
 * together may be a little more than was sampled. */
struct trace_sched_sums {
    int64_t sampled_ns; /* time between samples; of the machine: of all its processors together */
    int64_t run_ns;
    int64_t wait_ns; /* runnable, and not running; of the machine: stolen by its host */
};

struct trace_track {
    struct trace_text name;
    uint64_t os_id;
    int64_t begin_ns;
    int64_t end_ns; /* of the thread, or of the capture while it lived; the last time known */
    uint32_t id;
    uint32_t kind;       /* enum lcap_track_kind */
    bool has_ended;      /* before the capture did */
    bool is_name_shared; /* another track has the same one */
    bool is_defined;     /* false: its definition was lost, only events or losses name it */
    uint64_t slices;     /* of these and the next two, what a pass has seen */
    uint64_t instants;
    uint64_t incomplete;
    struct trace_sched_sums sched;
};

/* Frame `number` begins at its mark. It is complete when the mark after it is there, and all of it
 * in the part of the recording that the capture holds. */
struct trace_frame {
    int64_t begin_ns;
    uint64_t number;
};

struct trace_domain {
    struct trace_text name;
    struct trace_frame *frames; /* by number; rising begin_ns */
    uint32_t frame_count;
    uint32_t complete_count;
    uint32_t id;
    uint64_t marks_missing; /* numbers between the first and the last that have no mark */
    uint32_t track;         /* index: all marks were set on it; TRACE_NONE: see mark_tracks */
    uint32_t *mark_tracks;  /* by frame, or TRACE_NONE where it is not known; NULL: of none is it */
    /* Of a capture that holds a part of its recording: */
    uint32_t frames_before; /* that begin before the part */
    uint32_t marks_behind;  /* that lie behind it */
};

/* The track that set the mark with which a frame begins; TRACE_NONE: not known. */
static inline uint32_t trace_domain_mark_track(const struct trace_domain *domain, uint32_t frame)
{
    return domain->mark_tracks != NULL ? domain->mark_tracks[frame] : domain->track;
}

/* Caller context. Index 0 is the root, of no site; parents come before children. */
struct trace_path {
    uint32_t parent;       /* index */
    uint32_t site;         /* index */
    uint32_t depth : 31;   /* 0 for a top-level slice's path; the root's is not used */
    bool is_outermost : 1; /* the site is not among the ancestors */
};
_Static_assert(sizeof(struct trace_path) == 12, "there may be a million paths");

/* A part of a window, that statistics are of. Even ones are the complete frames that lie in a
 * window as a whole; the odd one behind each is the rest of that window, which also has what begins
 * in a frame that its track lost. A pass over everything has just these two: */
#define TRACE_WINDOW_FRAMES  0u
#define TRACE_WINDOW_OUTSIDE 1u
struct trace_stat_window {
    struct trace_text name; /* of the window: both parts have the same one */
    bool is_frames;
    uint32_t domain; /* index, or TRACE_NONE */
    int64_t begin_ns, end_ns;
    int64_t frames; /* complete ones in it; 0 for the rest */
    const struct trace_span
        *spans; /* that the window is, both parts together; of its frames only */
    uint32_t span_count;
};

/* What a track's statistics are about, for one window. Frames are complete ones. */
struct trace_track_stats {
    uint64_t slices;     /* that begin in the window */
    uint64_t incomplete; /* of them */
    int64_t frames;      /* that no loss of this track overlaps */
    int64_t frames_lost; /* left out because one does */
    int64_t frame_ns;    /* of `frames`, as far as the track lived in them */
    int64_t covered_ns;  /* of frame_ns, by top-level slices */
};

/* Sums over slices. */
struct trace_sums {
    uint64_t calls;           /* slices that begin in the window */
    uint64_t outermost_calls; /* complete ones that are not inside another slice of their site; of a
                                 path all complete ones: it is one level of a recursion */
    uint64_t recursive_calls; /* calls that are inside another slice of their site */
    uint64_t exclusive_calls; /* those whose exclusive time is known */
    uint64_t incomplete;      /* no end was recorded */
    uint64_t children_lost;   /* overlap a loss of their own track */
    int64_t inclusive_ns;     /* of the outermost_calls */
    int64_t exclusive_ns;     /* of the exclusive_calls */
};

/* The sums of one site, or of one path. Tracks that lost something of their own have rows of
 * their own, since fewer frames are in their denominator; all others are together in a row with
 * track TRACE_NONE. What was lost on no known track concerns all. */
struct trace_stats {
    uint32_t subject; /* index of the site or path */
    uint32_t track;   /* index, or TRACE_NONE */
    uint32_t window;  /* index */
    int64_t frames;   /* in the window, for this row; 0 where it is no frames */
    struct trace_sums sums;
    uint64_t nested_calls; /* of a site: slices directly inside its own */
};

/* What a counter, or a gauge, was in a window, over the tracks that count. A counter has its
 * increments other than 0, a gauge its values. */
struct trace_value_stats {
    uint32_t site;       /* index */
    uint32_t window;     /* of the plan, from 0 on: its parts are 2 * window and the next one */
    bool is_gauge;       /* or a counter */
    uint64_t count;      /* increments, or values */
    uint64_t not_finite; /* values of a gauge that are left out below */
    int64_t total;       /* of a counter */
    int64_t outside;     /* the part of it that is in none of the window's complete frames */
    double sum;          /* of a gauge; not finite when it is too large, or no value is */
    double least, most, last; /* of a gauge; 0 when no value is finite */
};

/* What a queue's GPU work in a window adds up to: of its submitted frames, or of the passes of a
 * site that are the same operation. Where it counts is docs/numbers.md, "GPU times". */
struct trace_gpu_stats {
    uint32_t track;     /* index: the queue */
    uint32_t site;      /* index; TRACE_NONE: of whole frames */
    uint32_t operation; /* enum lcap_gpu_operation; 0: not known, or of whole frames */
    uint32_t window;    /* as above */
    uint64_t valid;
    uint64_t not_valid; /* which are in nothing below */
    uint64_t outside;   /* of either: submitted in the window, and in none of its complete frames */
    uint64_t logical;   /* passes of the program that share the durations of valid ones */
    uint64_t frames;    /* submitted frames with a valid duration; of passes: with a valid pass of
                           any site on this queue, which is what to divide by */
    int64_t sum_ns;     /* of valid ones, as the next two */
    int64_t min_ns, max_ns; /* 0 when none is valid */
};

struct trace_loss {
    struct lcap_counts counts;
    uint64_t events;  /* found by a reader: begins, ends and others together */
    int64_t begin_ns; /* both ends inclusive */
    int64_t end_ns;
    uint32_t track; /* index, or TRACE_NONE */
    uint32_t cause; /* enum lcap_loss_cause, or TRACE_LOSS_DAMAGE */
};
#define TRACE_LOSS_DAMAGE 1000u

struct trace_diagnostic {
    struct trace_text text;
    uint64_t count;
    int64_t time_ns;
    uint32_t code;
    uint32_t track; /* index, or TRACE_NONE */
};

/* Why a part of a recording was kept. */
struct trace_trigger {
    struct trace_text text; /* that the program gave as its reason */
    uint64_t frame_number;  /* of a frame: its number, */
    int64_t duration_ns;    /* how long it was, */
    int64_t limit_ns;       /* and what it exceeded */
    int64_t time_ns;        /* when it fired */
    uint32_t cause;         /* enum lcap_trigger_cause, or one that is not known */
    uint32_t domain;        /* of a frame: index; or TRACE_NONE */
};

/* A queue of a GPU, which is a track of its own. */
struct trace_gpu_queue {
    struct trace_text backend;
    struct trace_text device;
    struct trace_text name;
    struct trace_text pass_reason;        /* why it has no timing of passes; "" when it has */
    struct trace_text calibration_reason; /* why its times are not mapped; "" when they are */
    uint64_t period_fs;                   /* of a step of the device's timestamps */
    uint32_t track;                       /* index */
    uint32_t generation;                  /* sessions with devices before this one */
    uint32_t valid_bits;                  /* of its timestamps; 0: it has none */
};

/* How many measurements of a queue came out so, from the recording's beginning on. */
struct trace_gpu_count {
    uint64_t count;   /* not 0 */
    uint32_t track;   /* index */
    uint32_t subject; /* enum lcap_gpu_subject, or one that is not known */
    uint32_t outcome; /* enum lcap_gpu_outcome, or one that is not known */
};

/* Bytes of the file that could not be used. */
struct trace_damage {
    uint64_t offset;
    uint64_t size;
    const char
        *reason; /* a name of FORMAT.md: a damage reason, or "gap" (size 0); or the one below */
};

/* The damage is no longer in the file: it was made of a damaged one, and says so at the offset. */
#define TRACE_DAMAGE_REPAIRED "repaired"
bool trace_damage_is_repaired(const struct trace_damage *damage);

struct trace_path_sums;

/* Where what is recorded comes from: bits of a session's sources. */
enum trace_source { TRACE_SOURCE_CPU = 1, TRACE_SOURCE_GPU = 2 };

struct trace_model {
    /* session */
    uint64_t capture_id;
    int64_t start_unix_ns;
    int64_t end_ns; /* of the recording, or the last time known */
    uint32_t process_id;
    uint32_t sources;        /* that were asked for: enum trace_source, added up */
    bool has_window;         /* the capture holds a part of its recording: */
    int64_t window_begin_ns; /* from then on; otherwise 0 */
    bool is_finished;        /* the file has its trailer */
    bool has_counts;         /* it says at its end what was recorded and dropped: */
    struct lcap_counts recorded;
    struct lcap_counts dropped;
    struct trace_sched_sums machine;
    uint64_t unfinished_tail; /* bytes behind the last whole block when it has not */
    struct trace_fact *facts;
    struct trace_clock *clocks;
    struct trace_calibration *calibrations; /* of a capture; not read from a database */
    struct trace_category *categories;
    struct trace_site *sites;
    struct trace_track *tracks;
    struct trace_domain *domains; /* by id; the first is the default one */
    struct trace_path *paths;
    struct trace_stat_window *windows;
    struct trace_track_stats *track_stats; /* by window, track: trace_model_track_stats */
    struct trace_stats *site_stats;        /* by subject, track, window; only rows with calls */
    struct trace_path_sums *path_sums;     /* path_sums.h, by track: the common one first */
    struct trace_value_stats
        *value_stats;                  /* by site, counters first, window; these two are there */
    struct trace_gpu_stats *gpu_stats; /* when a plan asks: by track, site, operation, window */
    struct trace_loss *losses;
    struct trace_diagnostic *diagnostics;
    struct trace_damage *damages;
    struct trace_trigger *triggers;
    struct trace_gpu_queue *gpu_queues;
    struct trace_gpu_count *gpu_counts; /* by track, subject and outcome */
    uint32_t fact_count, clock_count, calibration_count, category_count, site_count, track_count,
        domain_count;
    uint32_t path_count, window_count, site_stats_count, path_sums_count;
    uint32_t value_stats_count, gpu_stats_count;
    uint32_t loss_count, diagnostic_count, damage_count, trigger_count;
    uint32_t gpu_queue_count, gpu_count_count;
    /* counts */
    uint64_t names_replaced; /* texts that are not UTF-8, or were not before they were imported */
    uint64_t file_bytes, blocks, blocks_skipped, events, slices, instants;
    bool is_of_statistics;        /* of a database that has no rows of events */
    uint64_t slices_begun_before; /* before the window: they are in no sum of times */
    bool has_statistics; /* false: slices, sums, and what tracks say of them are not there, yet or
                            since the last pass was one without sums */
    struct trace_arena *arena; /* what trace_model_allocate gives */
};

/* Whether time in the scope is spent waiting. */
static inline bool trace_site_is_waiting(const struct trace_model *model, uint32_t site)
{
    uint32_t category = model->sites[site].category;
    return category != TRACE_NONE && model->categories[category].is_waiting;
}

/* Sums of a recorder's times do not overflow for centuries; those of a forged file stop growing. */
static inline int64_t trace_sum(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static inline void trace_sums_add(struct trace_sums *sums, const struct trace_sums *other)
{
    sums->calls += other->calls;
    sums->outermost_calls += other->outermost_calls;
    sums->recursive_calls += other->recursive_calls;
    sums->exclusive_calls += other->exclusive_calls;
    sums->incomplete += other->incomplete;
    sums->children_lost += other->children_lost;
    sums->inclusive_ns = trace_sum(sums->inclusive_ns, other->inclusive_ns);
    sums->exclusive_ns = trace_sum(sums->exclusive_ns, other->exclusive_ns);
}

/* The order of rows by subject, track (the common row first) and window, for qsort. */
int trace_stats_compare(const void *a, const void *b);

/* Puts rows into that order, and makes one of those that are the same in all three; returns how
 * many are left. */
uint32_t trace_stats_merge(struct trace_stats *rows, uint32_t count);

/* A model without contents, to be filled; its arrays and texts are released with it. */
LUDUS_CHECKED enum ludus_status trace_model_create(struct trace_model **model);
void trace_model_destroy(struct trace_model *model); /* NULL is allowed */

/* Memory that lives as long as the model; NULL when there is none. Copies: data may be NULL when
 * size is 0. */
void *trace_model_allocate(struct trace_model *model, size_t size);
LUDUS_CHECKED enum ludus_status trace_model_copy_text(struct trace_model *model, const void *data,
                                                      size_t size, struct trace_text *copy);

/* How many of the model's texts are not UTF-8. */
uint64_t trace_model_count_broken_texts(const struct trace_model *model);

/* Makes room for one more item in a malloc'ed array of `count` items that has only ever grown
 * through this function. `array` is the address of the pointer. False when there is no memory. */
bool trace_array_grow(void *array, uint32_t count, size_t item_size);

/* Of a track in the window whose parts are 2 * window and the next one; windows count from 0. */
static inline const struct trace_track_stats *
trace_model_track_stats(const struct trace_model *model, uint32_t window, uint32_t track)
{
    return &model->track_stats[(size_t)window * model->track_count + track];
}

/* Makes the model one without statistics: a pass adds to what is there. */
void trace_model_forget_statistics(struct trace_model *model);

/* Sets is_name_shared of all tracks. False when there is no memory. */
bool trace_model_mark_shared_names(struct trace_model *model);

#endif
