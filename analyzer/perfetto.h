/* Writes trace event JSON, as docs/perfetto.md describes it: fed scope by scope, it holds no more
 * than the open scopes of each track. Private to the analyzer's export.
 *
 * The order of lines follows from the order of begins alone, so that a capture, whose ends are seen
 * when they happen, and a database, whose rows have both, become the same bytes: what has ended on
 * a track is written before the next begin on it, and the rest at the end, track by track. */
#ifndef TRACE_PERFETTO_H
#define TRACE_PERFETTO_H

#include "database.h"
#include "json_writer.h"
#include "perfetto_sites.h"

/* A scope that was begun in the output and not ended in it. */
struct trace_perfetto_scope {
    int64_t end_ns;
    uint64_t slice_id; /* for a source that needs it */
    uint32_t site;
    bool is_incomplete;
    bool has_children_lost;
};

struct trace_perfetto_track {
    struct trace_perfetto_scope *scopes; /* outermost first */
    uint32_t depth;
    uint32_t open; /* the first `open` of them run still, the others wait for their line */
    uint32_t capacity;
    uint32_t place_size;
    int64_t last_ns; /* on its last line */
    char place[20];  /* `<tid>,"ts":`; empty before its first line */
};

struct trace_perfetto {
    const struct trace_model *model;
    struct trace_perfetto_track *tracks; /* by track index */
    uint32_t track_count;
    uint64_t times_moved; /* to keep the times of a track rising */
    struct trace_perfetto_sites sites;
    struct trace_writer writer;
};

/* --- perfetto_events.c ------------------------------------------------------------------------ */

/* `model` has everything but statistics; what the pass adds to it is taken in. NULL when there is
 * no memory. */
struct trace_perfetto *trace_perfetto_create(const struct trace_model *model,
                                             struct trace_output output);
void trace_perfetto_destroy(struct trace_perfetto *perfetto); /* NULL is allowed */

/* The state of a track, or NULL when there is no memory. */
struct trace_perfetto_track *trace_perfetto_track(struct trace_perfetto *perfetto, uint32_t track);

/* Begins a scope on a track, in order. The caller may fill in what it knows of the scope. NULL when
 * there is no memory. */
struct trace_perfetto_scope *trace_perfetto_begin(struct trace_perfetto *perfetto, uint32_t track,
                                                  uint32_t site, int64_t begin_ns);

/* Ends the innermost scope that runs; the caller fills in what it did not know before. */
static inline struct trace_perfetto_scope *trace_perfetto_end(struct trace_perfetto_track *track)
{
    return &track->scopes[--track->open];
}

/* Until when a slice is known to run. A forged file's times may wrap, but not be undefined. */
static inline int64_t trace_perfetto_known_end(int64_t begin_ns, int64_t known_ns)
{
    return (int64_t)((uint64_t)begin_ns + (uint64_t)known_ns);
}

/* Ends what runs, as its members say, writes what waits, and names the tracks that had nothing.
 * False when there is no memory. */
bool trace_perfetto_end_all(struct trace_perfetto *perfetto);

/* An instant on a track, behind all scopes. False when there is no memory. */
bool trace_perfetto_instant(struct trace_perfetto *perfetto, uint32_t track, uint32_t site,
                            int64_t time_ns);

/* --- perfetto_facts.c ------------------------------------------------------------------------- */

/* The opening, and the process's name. */
void trace_perfetto_put_head(struct trace_perfetto *perfetto);

/* A track's name and place in the order; before its first event. */
void trace_perfetto_put_track(struct trace_perfetto *perfetto, uint32_t track);

/* Frames, losses, diagnostics, what is known of the session, the closing. */
void trace_perfetto_put_tail(struct trace_perfetto *perfetto);

/* --- perfetto_database.c ---------------------------------------------------------------------- */

/* Feeds the slices of a capture in a database, all of them ended, then its instants. Errors: those
 * of trace_database_model; the writer's status, without a message, when it failed. */
LUDUS_CHECKED enum ludus_status trace_perfetto_read_database(struct trace_perfetto *perfetto,
                                                             struct trace_database *database,
                                                             uint32_t capture,
                                                             struct ludus_error *error);

#endif
