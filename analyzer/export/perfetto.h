/* Writes trace event JSON, as docs/perfetto.md describes it: fed scope by scope, it holds no more
 * than the open scopes of each track. Private to the analyzer's export.
 *
 * The order of lines follows from the order of begins and ends of flows alone, so that a capture,
 * whose ends of scopes are seen when they happen, and a database, whose rows have both, become the
 * same bytes: what has ended on a track is written before the next begin or flow on it, and the
 * rest at the end, track by track. */
#ifndef TRACE_PERFETTO_H
#define TRACE_PERFETTO_H

#include <sqlite3.h>

#include "capture.h"
#include "database.h"
#include "json_writer.h"
#include "perfetto_gpu.h"
#include "perfetto_sites.h"
#include "selection.h"

/* What is shown; all zero: everything. The caller keeps what it points to. */
struct trace_perfetto_options {
    int64_t min_duration_ns;                 /* complete slices that are shorter are not */
    struct trace_span_list spans;            /* none: all times are */
    const struct trace_selection *selection; /* what was asked for, or NULL */
    const struct trace_chosen
        *chosen; /* tracks, sites, and the windows that `spans` are of; or NULL */
};

/* An end of a flow in a scope whose begin is not written yet. */
struct trace_perfetto_flow {
    int64_t time_ns;
    uint64_t flow;
    bool is_in;
};

/* More ends wait with no scope: a scope that is held back is short, or ends none. */
#define TRACE_PERFETTO_MAX_HELD 64u

struct trace_perfetto_held {
    uint32_t count;
    struct trace_perfetto_flow flows[TRACE_PERFETTO_MAX_HELD];
};

/* A scope that was begun. */
struct trace_perfetto_scope {
    int64_t begin_ns;
    int64_t end_ns;
    uint64_t slice_id;                /* for a source that needs it */
    struct trace_perfetto_held *held; /* or NULL */
    uint32_t site;
    bool is_incomplete;
    bool has_children_lost;
    bool is_hidden; /* its site is not shown */
};

struct trace_perfetto_track {
    struct trace_perfetto_scope *scopes; /* outermost first */
    uint32_t depth;
    uint32_t open;  /* the first `open` of them run still, the others wait for their line */
    uint32_t shown; /* the first `shown` of them have a begin in the output, and no end */
    uint32_t capacity;
    uint32_t place_size;
    uint32_t span;        /* the present one, or the next */
    bool is_in_span;      /* always, when everything is shown */
    int64_t last_ns;      /* on its last line */
    char place[20];       /* `<tid>,"ts":`; empty before its first line */
    bool is_gpu_queue;    /* it has GPU samples, */
    uint32_t gpu_process; /* which stand in a process of their own: which one of these */
};

struct trace_perfetto {
    const struct trace_model *model;
    struct trace_perfetto_options options;
    struct trace_perfetto_track *tracks; /* by track index */
    uint32_t track_count;
    uint64_t times_moved;  /* to keep the times of a track rising */
    uint64_t slices_short; /* left out, because of min_duration_ns */
    uint64_t edges_cut;    /* begins and ends that are those of spans, and not the slices' own */
    uint64_t flow_ends;    /* that were shown, */
    uint64_t flow_ends_outside_slices; /* and that cannot be: they lie in no slice, */
    uint64_t flow_ends_left_out;       /* or in one that is not shown */
    uint64_t gauges_not_finite;
    bool has_content; /* a line that is more than a name or a fact */
    struct trace_perfetto_sites sites;
    struct trace_perfetto_gpu gpu;
    struct trace_writer writer;
};

/* --- export_perfetto.c ------------------------------------------------------------------------ */

/* An input, or what of it `options` shows, as trace event JSON. Errors: those of
 * trace_export_perfetto. */
LUDUS_CHECKED enum ludus_status trace_perfetto_export(struct trace_input *input,
                                                      const struct trace_perfetto_options *options,
                                                      struct trace_output output,
                                                      struct ludus_error *error);

/* --- perfetto_scopes.c ------------------------------------------------------------------------ */

/* Begins a scope on a track, in order. The caller may fill in what it knows of the scope. NULL when
 * there is no memory. */
struct trace_perfetto_scope *trace_perfetto_begin(struct trace_perfetto *perfetto, uint32_t track,
                                                  uint32_t site, int64_t begin_ns);

/* Ends the innermost scope that runs; the caller fills in what it did not know before. */
static inline struct trace_perfetto_scope *trace_perfetto_end(struct trace_perfetto_track *track)
{
    return &track->scopes[--track->open];
}

/* An end of a flow, in the innermost scope that runs. False when there is no memory. */
bool trace_perfetto_flow(struct trace_perfetto *perfetto, uint32_t track,
                         struct trace_perfetto_flow flow);

/* Until when a slice is known to run. A forged file's times may wrap, but not be undefined. */
static inline int64_t trace_perfetto_known_end(int64_t begin_ns, int64_t known_ns)
{
    return (int64_t)((uint64_t)begin_ns + (uint64_t)known_ns);
}

/* Ends what runs, as its members say, writes what waits, and names the tracks that had nothing.
 * False when there is no memory. */
bool trace_perfetto_end_all(struct trace_perfetto *perfetto);

/* --- perfetto_events.c ------------------------------------------------------------------------ */

/* `model` has everything but statistics; what the pass adds to it is taken in. NULL when there is
 * no memory. */
struct trace_perfetto *trace_perfetto_create(const struct trace_model *model,
                                             const struct trace_perfetto_options *options,
                                             struct trace_output output);
void trace_perfetto_destroy(struct trace_perfetto *perfetto); /* NULL is allowed */

/* The state of a track, or NULL when there is no memory. */
struct trace_perfetto_track *trace_perfetto_track(struct trace_perfetto *perfetto, uint32_t track);

/* Names a track that had no line yet. */
void trace_perfetto_introduce(struct trace_perfetto *perfetto, uint32_t track);

/* The lines of a scope, whose track is introduced, at the time given. The end marks the scope: its
 * begin was cut when that is before `from_ns`, its end when `is_cut`. Each returns false when there
 * is no memory. */
bool trace_perfetto_put_begin(struct trace_perfetto *perfetto, uint32_t track,
                              const struct trace_perfetto_scope *scope, int64_t time_ns);
bool trace_perfetto_put_end(struct trace_perfetto *perfetto, uint32_t track,
                            const struct trace_perfetto_scope *scope, int64_t time_ns,
                            int64_t from_ns, bool is_cut);
void trace_perfetto_put_flow(struct trace_perfetto *perfetto, uint32_t track,
                             const struct trace_perfetto_flow *flow);

/* An instant on a track, behind all scopes. False when there is no memory. */
bool trace_perfetto_instant(struct trace_perfetto *perfetto, uint32_t track, uint32_t site,
                            int64_t time_ns);

/* Whether the time is in a span that is shown. */
bool trace_perfetto_shows(const struct trace_perfetto *perfetto, int64_t time_ns);

static inline bool trace_perfetto_shows_track(const struct trace_perfetto *perfetto, uint32_t track)
{
    const struct trace_chosen *chosen = perfetto->options.chosen;
    return chosen == NULL || trace_pass_plan_counts(&chosen->plan, track);
}

static inline bool trace_perfetto_shows_site(const struct trace_perfetto *perfetto, uint32_t site)
{
    const struct trace_chosen *chosen = perfetto->options.chosen;
    return chosen == NULL || trace_chosen_shows(chosen, site);
}

/* --- perfetto_counters.c ---------------------------------------------------------------------- */

/* A capture's rows. Ids of its tracks and sites are their indexes, plus the base, plus 1. */
struct trace_perfetto_rows {
    sqlite3 *connection;
    int64_t capture;
    int64_t track_base;
    int64_t site_base;
};

/* Writes the counters of a capture from its tables counter and counter_sample. Returns SQLite's
 * status. */
int trace_perfetto_put_counters(struct trace_perfetto *perfetto,
                                const struct trace_perfetto_rows *rows);

/* --- perfetto_facts.c ------------------------------------------------------------------------- */

/* Every event but the first follows another one. The caller ends the object. */
struct trace_json trace_perfetto_start_event(struct trace_perfetto *perfetto, const char *phase);

/* Parts of a line. */
void trace_perfetto_put_count(struct trace_json *json, const char *key, uint64_t count);
void trace_perfetto_put_string(struct trace_json *json, const char *key, const char *text);
void trace_perfetto_put_text(struct trace_json *json, const char *key, struct trace_text text);
void trace_perfetto_put_microseconds(struct trace_json *json, const char *key, int64_t ns);
void trace_perfetto_put_loss_counts(struct trace_json *json, const struct lcap_counts *counts);
void trace_perfetto_put_place(struct trace_json *json, const struct trace_perfetto *perfetto,
                              uint64_t tid, int64_t time_ns);

/* The id of a domain's track of frames, which is no recorded track's; from the one behind the last
 * on they are nobody's. */
uint64_t trace_perfetto_domain_tid(const struct trace_model *model, uint32_t domain);

/* The opening, and the process's name. */
void trace_perfetto_put_head(struct trace_perfetto *perfetto);

/* A track's name and place in the order; before its first event. */
void trace_perfetto_put_track(struct trace_perfetto *perfetto, uint32_t track);

/* Frames, losses, diagnostics, what is known of the session, the closing. */
void trace_perfetto_put_tail(struct trace_perfetto *perfetto);

/* --- perfetto_session.c ----------------------------------------------------------------------- */

/* The member otherData: what is known of the session, and what the export did. */
void trace_perfetto_put_session(struct trace_perfetto *perfetto);

/* --- perfetto_database.c ---------------------------------------------------------------------- */

/* Feeds the slices and flows of a capture in a database, then its instants and counters. Errors:
 * those of trace_database_model; the writer's status, without a message, when it failed. */
LUDUS_CHECKED enum ludus_status trace_perfetto_read_database(struct trace_perfetto *perfetto,
                                                             struct trace_database *database,
                                                             uint32_t capture,
                                                             struct ludus_error *error);

/* --- perfetto_capture.c ----------------------------------------------------------------------- */

/* Feeds a capture, as its passes show it. Errors: those of trace_capture_run; the writer's status,
 * without a message, when it failed. */
LUDUS_CHECKED enum ludus_status trace_perfetto_read_capture(struct trace_perfetto *perfetto,
                                                            struct trace_capture *capture,
                                                            struct ludus_error *error);

#endif
