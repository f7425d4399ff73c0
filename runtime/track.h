/* Tracks: the slots that threads own and write their events through, and the table of them.
 *
 * A slot is owned by one live thread, also between recordings, so that a thread which was held up
 * inside an emitting call while a recording ended still writes into its own memory. */
#ifndef LUDUS_TRACK_H
#define LUDUS_TRACK_H

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "chunk_pool.h"
#include "counter_cell.h"
#include "lcap_encode.h"
#include "loss_cell.h"

#define LUDUS_MAX_DEPTH         256 /* scopes open at once on a track */
#define LUDUS_THREAD_NAME_BYTES 64u
#define LUDUS_TRACK_TEXT        160u /* of a track put into words */
#define LUDUS_ATTACH_WAIT_MS    10u

/* Why a track's own thread could not record: index of its loss cells. */
enum ludus_track_loss {
    LUDUS_TRACK_LOSS_BUFFERS = 0,
    LUDUS_TRACK_LOSS_DEPTH = 1,
    LUDUS_TRACK_LOSS_WRITE = 2,
    LUDUS_TRACK_LOSSES = 3
};

/* Where the collector stands in a track's stream, and what it knows of the track. */
struct ludus_track_drain {
    struct lcap_track_stream stream;
    struct ludus_chunk *chunk; /* read up to `position`; NULL before the first */
    const struct lcap_event *position;
    const struct lcap_event *limit; /* read up to here in this pass; NULL: nothing yet */
    struct ludus_loss_reader readers[LUDUS_TRACK_LOSSES];
    struct ludus_loss lost[LUDUS_TRACK_LOSSES]; /* what was read from them in this pass */
    struct ludus_loss unwritten; /* what was read after the capture could not be written */
    uint64_t clamped;            /* ticks that were raised to the one before, not yet told */
    uint64_t os_id;
    uint64_t begin_tick;
    uint64_t end_tick; /* not 0: the thread is gone, and nothing follows this pass */
    uint32_t track;    /* with `generation`: the track for which all this is valid */
    uint32_t generation;
    uint32_t kind;
    uint32_t name_string;
    bool is_begin_raw; /* `begin_tick` is not yet converted to the file's ticks */
    bool is_changed;   /* its record must be written */
    bool is_renamed;   /* and its name before that */
    char name[LUDUS_THREAD_NAME_BYTES];
    struct lcap_open_scope open[LUDUS_MAX_DEPTH];
};

/* The fields of each group are written by one side only. */
struct ludus_track {
    /* The owning thread, with every event. The token stands between room and depth so that they are
     * not changed in one go: a wide load right behind their narrow stores would have to wait. */
    _Alignas(64) _Atomic(struct lcap_event *) cursor; /* where the next event goes */
    int64_t room;           /* events that fit besides those reserved for the Ends of open scopes */
    _Atomic uint64_t token; /* generation and track id; 0: do not record. Cleared by others, too */
    int64_t depth;          /* recorded scopes that are open */

    /* The owning thread, now and then. */
    struct ludus_chunk_pool *pool;       /* of the slot's region; never changes */
    struct ludus_counter_cell *cells;    /* likewise */
    uint32_t cell_count;                 /* likewise */
    uint64_t next_flow;                  /* ids of flows that only this slot gives out, */
    uint64_t behind_flows;               /* up to this one */
    uint32_t late_epoch;                 /* of counters: the last one told to be late */
    _Atomic(struct ludus_chunk *) chunk; /* the one that `cursor` is in */
    _Atomic(struct ludus_chunk *) head;  /* the first of this recording; set once */
    atomic_bool is_extending;            /* it may hold a chunk that is not told here yet */
    struct ludus_loss_cell losses[LUDUS_TRACK_LOSSES];

    /* Under the table's lock. */
    uint64_t os_id;
    uint64_t begin_tick;
    uint64_t end_tick;   /* set when the thread has ended */
    uint32_t generation; /* of the recording that `track` belongs to */
    uint32_t track;      /* its id in the capture */
    uint32_t kind;       /* enum lcap_track_kind */
    uint32_t next_free;  /* index + 1 of the next slot that nobody owns */
    bool is_owned;
    bool is_named; /* `name` has changed since the collector read it */
    char name[LUDUS_THREAD_NAME_BYTES];

    /* The collector. */
    struct ludus_track_drain drain;
};

/* Memory of slots, chunks and the pool of these: mapped once, never unmapped, replaced by a larger
 * one. */
struct ludus_region {
    struct ludus_chunk_pool *pool;
    struct ludus_track *slots;
    struct ludus_chunk *chunks;
    _Atomic uint32_t *links;
    struct ludus_counter_cell *cells; /* cells_per_slot for each slot */
    uint32_t slot_count;
    uint32_t cells_per_slot;
    uint32_t chunk_count;
};

struct ludus_track_table {
    pthread_mutex_t mutex;
    struct ludus_region region;
    _Atomic uint32_t generation; /* of the running or last recording */
    uint32_t last_track;         /* ids given out in this recording */
    uint32_t max_threads;        /* tracks at one time in this recording */
    uint32_t live_threads;       /* those that have ended and not been released included */
    uint32_t ended_threads;      /* these alone: the collector's next pass frees their slots */
    uint32_t waiting_threads;    /* for that pass, in ludus_track_attach */
    pthread_cond_t freed;        /* told when a slot is free, or nobody may wait any longer */
    uint32_t slots_seen;         /* no slot at or above this is owned */
    uint32_t free_slot;          /* index + 1 of the first slot that nobody owns */
    atomic_bool is_full;         /* a hint: the next thread finds no slot */
    atomic_bool admits_events;   /* set before a start: not GPU samples alone are recorded */
    atomic_bool has_failed;      /* the capture cannot be written: count, but do not record */
    bool is_open;                /* threads may attach */
    bool is_collected;           /* the collector has passes to come, and frees what ends */
};

/* A token: the recording's generation modulo 2^24, the depth of the scope that holds it (0 in the
 * track's own), and the track's id. One compare tells an End that its scope is the innermost one of
 * this track in this recording. */
#define LUDUS_TOKEN_DEPTH_SHIFT 32
#define LUDUS_TOKEN_DEPTH_MASK  (UINT64_C(0xFF) << LUDUS_TOKEN_DEPTH_SHIFT)
static_assert(LUDUS_MAX_DEPTH <= 256, "a token has eight bits for the depth");

static inline uint64_t ludus_token_make(uint32_t generation, uint32_t track)
{
    return (uint64_t)(generation & 0xFFFFFFu) << 40 | track;
}

static inline bool ludus_token_is_of(uint64_t token, uint32_t generation)
{
    return token >> 40 == (generation & 0xFFFFFFu);
}

static inline uint32_t ludus_token_track(uint64_t token)
{
    return (uint32_t)token;
}

/* The number of scopes around the one that holds the token. */
static inline int64_t ludus_token_depth(uint64_t token)
{
    return (int64_t)((token & LUDUS_TOKEN_DEPTH_MASK) >> LUDUS_TOKEN_DEPTH_SHIFT);
}

/* The slot of the calling thread: never NULL; one of the two below while it owns none. */
extern _Thread_local struct ludus_track *ludus_this_track
    __attribute__((tls_model("initial-exec")));
extern struct ludus_track ludus_track_none;     /* has not recorded yet */
extern struct ludus_track ludus_track_departed; /* is past its end and records no more */

/* What became of an attempt to attach. */
enum ludus_attach {
    LUDUS_ATTACH_OK,
    LUDUS_ATTACH_FULL,    /* no slot: the loss belongs to no track */
    LUDUS_ATTACH_FAILED,  /* the capture cannot be written */
    LUDUS_ATTACH_OFF,     /* GPU samples alone are recorded */
    LUDUS_ATTACH_LATE,    /* nothing is being recorded any more */
    LUDUS_ATTACH_DEPARTED /* past its end; nobody would tell when it is done with a slot */
};

/* Gives the calling thread a slot, a track id and, if there is one, a chunk in the recording that
 * runs now. Sets ludus_this_track. When all that is missing is what threads that have ended still
 * hold, waits for the collector to free it, at most LUDUS_ATTACH_WAIT_MS. */
enum ludus_attach ludus_track_attach(void);

/* Gets the track another chunk. False when none is free. The owning thread. */
bool ludus_track_extend(struct ludus_track *track);

/* Writes one event, in two steps: all but its tick, so that the clock can be read late, and that.
 * The owning thread, which has made sure that there is room. */
static inline void ludus_track_prepare(struct ludus_track *track, uint32_t site, uint32_t kind)
{
    struct lcap_event *event = atomic_load_explicit(&track->cursor, memory_order_relaxed);
    event->site = site;
    event->kind = kind;
}

static inline void ludus_track_write_tick(struct ludus_track *track, uint64_t tick)
{
    struct lcap_event *event = atomic_load_explicit(&track->cursor, memory_order_relaxed);
    event->tick = tick;
    /* The collector reads up to where the cursor stands; the release lets it find the event there,
     * and everything that was done before. */
    atomic_store_explicit(&track->cursor, event + 1, memory_order_release);
}

/* The same in one. */
static inline void ludus_track_write(struct ludus_track *track, uint64_t tick, uint32_t site,
                                     uint32_t kind)
{
    ludus_track_prepare(track, site, kind);
    ludus_track_write_tick(track, tick);
}

/* The same for an event with a value, which takes two places. */
static inline void ludus_track_write_value(struct ludus_track *track, uint64_t tick, uint32_t site,
                                           uint32_t kind, struct ludus_event_value value)
{
    struct lcap_event *event = atomic_load_explicit(&track->cursor, memory_order_relaxed);
    static_assert(sizeof value == sizeof *event, "a value takes one place");
    event->tick = tick;
    event->site = site;
    event->kind = kind;
    memcpy(event + 1, &value, sizeof value);
    atomic_store_explicit(&track->cursor, event + 2, memory_order_release);
}

/* Puts into words, as thread "A" or fiber "B", the live track with that id in the running
 * recording, or a substitute; and the present context, which may be a fiber on a thread. */
void ludus_track_describe(uint32_t track, char text[LUDUS_TRACK_TEXT]);
void ludus_track_describe_own(char text[LUDUS_TRACK_TEXT]);

/* Copies the name that belongs to a slot; "?" when nobody owns it. */
void ludus_track_slot_name(const struct ludus_track *track, char name[LUDUS_THREAD_NAME_BYTES]);

/* The context that owned the slot has ended. */
void ludus_track_end(struct ludus_track *track);

/* Has the calling thread's end be noticed, also when it never gets a slot of its own. */
void ludus_track_watch_exit(void);

/* Copies the calling thread's name. */
void ludus_track_own_name(char name[LUDUS_THREAD_NAME_BYTES]);

/* Creates the key by which threads tell that they end. Once a process. False: none is left. */
bool ludus_tracks_init(void);

/* The calling thread owns no slot any more. */
void ludus_track_detach(void);

/* Opens the table for a recording in `region`, which replaces the present one if it is another:
 * raises the generation, fills the chunk pool. */
void ludus_tracks_open(const struct ludus_region *region, uint32_t max_threads,
                       uint32_t chunk_count);

/* No track records from here on. With `has_failed`, threads count what they do not record. */
void ludus_tracks_close(bool has_failed);

/* Frees the slots of ended threads and takes the chunks back, but for those that live threads hold.
 * After the collector's last pass. When a thread is stuck while it changes chunks, the whole region
 * is left to it, and the table has none. */
void ludus_tracks_settle(void);

/* Collects the tracks of this recording and how far each is to be read: all events that happened
 * before the call. Returns how many; `tracks` has room for all slots. The collector. */
uint32_t ludus_tracks_scan(struct ludus_track **tracks);

/* Puts a slot back into the list of those that nobody owns. The lock is held. */
void ludus_track_free_slot(struct ludus_track_table *table, struct ludus_track *track);

/* Frees the slot and the last chunk of a track that has ended. The collector. */
void ludus_track_release(struct ludus_track *track);

/* In a forked child, whose only thread is the caller: no slot is owned any more. */
void ludus_tracks_forget(void);

#endif
