/* The encode side of the capture format: values in, bytes out. It writes nothing anywhere. Each
 * call makes one block of no file yet: lcap_chain.h makes it the next of one.
 *
 * An encoder is used by one thread at a time. All of its memory is allocated, and touched, by
 * lcap_encoder_create. The bytes that a call returns belong to the encoder and are valid until its
 * next call. */
#ifndef LCAP_ENCODE_H
#define LCAP_ENCODE_H

#include <stdbool.h>

#include <ludus/status.h>

#include "lcap_records.h"

struct lcap_encoder;

struct lcap_encoder_config {
    uint32_t max_site;         /* largest site id that will be used; at most 4,194,304 */
    uint32_t max_events;       /* in an events block; 256 to LCAP_MAX_EVENTS */
    int32_t compression_level; /* of zstd, 1 to 19 */
};

/* Where one track's stream of events stands. The caller owns it and the array, sets track, open and
 * open_capacity, and zeroes the rest before the track's first segment; the encoder keeps it. */
struct lcap_track_stream {
    struct lcap_open_scope *open; /* the scopes open now, outermost first */
    uint64_t event_count;         /* of this track, in earlier blocks and in this one */
    uint64_t last_tick;           /* of its last event; 0 before the first */
    uint32_t open_capacity;       /* at most LCAP_MAX_EVENTS */
    uint32_t depth;               /* scopes open now */
    uint32_t track;
};

/* Records of one block of records; more are refused with LUDUS_ERROR_LIMIT. */
#define LCAP_ENCODE_MAX_RECORDS 1024u

/* The longest string, and the longest text of a diagnostic, that an encoder takes, in bytes. */
#define LCAP_ENCODE_MAX_STRING 65536u

/* Bytes that an encoder made from `config` allocates, all in; 0 when the config is out of range. */
size_t lcap_encoder_memory_bytes(const struct lcap_encoder_config *config);

/* Bytes of the largest block that it can make; 0 likewise. */
size_t lcap_encoder_block_bytes(const struct lcap_encoder_config *config);

/* Errors: ARGUMENT (config out of range), MEMORY. `*encoder` is NULL after one. */
LUDUS_CHECKED enum ludus_status lcap_encoder_create(const struct lcap_encoder_config *config,
                                                    struct lcap_encoder **encoder);

/* NULL is allowed. */
void lcap_encoder_destroy(struct lcap_encoder *encoder);

/* One block each. Errors: ARGUMENT (count is 0, a value that FORMAT.md forbids), LIMIT (does not
 * fit in one block: pass fewer). After an error no block has been made. The clock of all records of
 * a call is the one given; their own `clock` fields are not read. */
LUDUS_CHECKED enum ludus_status lcap_encode_session(struct lcap_encoder *encoder,
                                                    const struct lcap_session *session,
                                                    const struct lcap_fact *facts, size_t count,
                                                    struct lcap_bytes *block);
LUDUS_CHECKED enum ludus_status lcap_encode_clock(struct lcap_encoder *encoder,
                                                  const struct lcap_clock *clock,
                                                  struct lcap_bytes reason,
                                                  struct lcap_bytes *block);
LUDUS_CHECKED enum ludus_status
lcap_encode_calibrations(struct lcap_encoder *encoder, uint32_t clock,
                         const struct lcap_calibration *calibrations, size_t count,
                         struct lcap_bytes *block);
/* Takes as many leading strings as fit in one block, at least one, and says how many. */
LUDUS_CHECKED enum ludus_status lcap_encode_strings(struct lcap_encoder *encoder,
                                                    const struct lcap_string *strings, size_t count,
                                                    size_t *taken, struct lcap_bytes *block);
LUDUS_CHECKED enum ludus_status lcap_encode_categories(struct lcap_encoder *encoder,
                                                       const struct lcap_category *categories,
                                                       size_t count, struct lcap_bytes *block);
LUDUS_CHECKED enum ludus_status lcap_encode_sites(struct lcap_encoder *encoder,
                                                  const struct lcap_site *sites, size_t count,
                                                  struct lcap_bytes *block);
LUDUS_CHECKED enum ludus_status lcap_encode_tracks(struct lcap_encoder *encoder, uint32_t clock,
                                                   const struct lcap_track *tracks, size_t count,
                                                   struct lcap_bytes *block);
LUDUS_CHECKED enum ludus_status lcap_encode_domains(struct lcap_encoder *encoder,
                                                    const struct lcap_domain *domains, size_t count,
                                                    struct lcap_bytes *block);
LUDUS_CHECKED enum ludus_status lcap_encode_frames(struct lcap_encoder *encoder, uint32_t clock,
                                                   const struct lcap_frame_mark *marks,
                                                   size_t count, struct lcap_bytes *block);
LUDUS_CHECKED enum ludus_status lcap_encode_losses(struct lcap_encoder *encoder, uint32_t clock,
                                                   const struct lcap_loss *losses, size_t count,
                                                   struct lcap_bytes *block);
LUDUS_CHECKED enum ludus_status lcap_encode_window(struct lcap_encoder *encoder,
                                                   const struct lcap_window *window,
                                                   struct lcap_bytes *block);
LUDUS_CHECKED enum ludus_status lcap_encode_trigger(struct lcap_encoder *encoder, uint32_t clock,
                                                    const struct lcap_trigger *trigger,
                                                    struct lcap_bytes *block);
LUDUS_CHECKED enum ludus_status lcap_encode_sched(struct lcap_encoder *encoder, uint32_t clock,
                                                  const struct lcap_sched *samples, size_t count,
                                                  struct lcap_bytes *block);
LUDUS_CHECKED enum ludus_status lcap_encode_diagnostic(struct lcap_encoder *encoder, uint32_t clock,
                                                       const struct lcap_diagnostic *diagnostic,
                                                       struct lcap_bytes *block);
/* LIMIT: a queue's texts have more than LCAP_ENCODE_MAX_STRING bytes together. */
LUDUS_CHECKED enum ludus_status lcap_encode_gpu_queue(struct lcap_encoder *encoder,
                                                      const struct lcap_gpu_queue *queue,
                                                      struct lcap_bytes *block);
LUDUS_CHECKED enum ludus_status lcap_encode_gpu_frames(struct lcap_encoder *encoder, uint32_t clock,
                                                       const struct lcap_gpu_frame *frames,
                                                       size_t count, struct lcap_bytes *block);
LUDUS_CHECKED enum ludus_status lcap_encode_gpu_passes(struct lcap_encoder *encoder, uint32_t clock,
                                                       const struct lcap_gpu_pass *passes,
                                                       size_t count, struct lcap_bytes *block);
LUDUS_CHECKED enum ludus_status lcap_encode_gpu_counts(struct lcap_encoder *encoder,
                                                       const struct lcap_gpu_count *counts,
                                                       size_t count, struct lcap_bytes *block);
LUDUS_CHECKED enum ludus_status
lcap_encode_gpu_calibrations(struct lcap_encoder *encoder,
                             const struct lcap_gpu_calibration *calibrations, size_t count,
                             struct lcap_bytes *block);
LUDUS_CHECKED enum ludus_status lcap_encode_repair(struct lcap_encoder *encoder,
                                                   const struct lcap_repair *repair,
                                                   struct lcap_bytes *block);
LUDUS_CHECKED enum ludus_status lcap_encode_lost(struct lcap_encoder *encoder,
                                                 const struct lcap_lost *lost, size_t count,
                                                 struct lcap_bytes *block);
LUDUS_CHECKED enum ludus_status
lcap_encode_end(struct lcap_encoder *encoder, const struct lcap_end *end, struct lcap_bytes *block);

/* Begins an events block; all ticks of it are of `clock`. Only the lcap_events_ functions may be
 * called until lcap_events_finish. */
void lcap_events_start(struct lcap_encoder *encoder, const struct lcap_clock *clock);

/* Begins a segment of `track`, which must stay in place until the block is finished.
 * Every later event belongs to it, until the next segment. `start_tick` is used only when the
 * segment gets no event, to say when its scopes are known to be open, not before the track's last
 * tick. Errors: LIMIT (no room for the segment with its open scopes: finish the block first). */
LUDUS_CHECKED enum ludus_status lcap_events_segment(struct lcap_encoder *encoder,
                                                    struct lcap_track_stream *track,
                                                    uint64_t start_tick);

/* Events that certainly still fit into the block. */
uint32_t lcap_events_room(const struct lcap_encoder *encoder);

/* Adds an event to the current segment and follows its effect on the track's open scopes. `site`
 * and `value` are read where the kind has one; a gauge's value is the bits of the double. Errors,
 * after which nothing was added: LIMIT (no room in the block, or in track->open), ARGUMENT (an End
 * without an open scope, a tick before the track's last one or off the clock's grid, a site out of
 * range). */
LUDUS_CHECKED enum ludus_status lcap_events_add(struct lcap_encoder *encoder,
                                                enum lcap_event_kind kind, uint64_t tick,
                                                uint32_t site, uint64_t value);

/* An event in a run. An End's site is not read. */
struct lcap_event {
    uint64_t tick;
    uint32_t site;
    uint32_t kind; /* enum lcap_event_kind */
};

/* How the ticks of a run become those of the block's clock. */
struct lcap_run_ticks {
    uint64_t added;  /* to each, modulo 2^64 */
    uint64_t first;  /* of those that may be in the run, as they are, */
    uint64_t last;   /* and the last one */
    bool is_on_grid; /* the run stops at a tick off the clock's grid; else it is rounded down */
};

/* What was added of a run: the first `count` events, and how many of them are of which kind; the
 * rest are Ends. */
struct lcap_run {
    uint32_t count;
    uint32_t begins;
    uint32_t instants;
};

/* The same, and much faster, for the leading events of an array: Begins, Ends and Instants that
 * lcap_events_add would take, once their ticks are the clock's. Stops in front of the first other
 * one, of one that is 2^24 ticks or more behind the one before, and of the first of a segment,
 * which are for lcap_events_add. */
struct lcap_run lcap_events_add_run(struct lcap_encoder *encoder, const struct lcap_event *events,
                                    uint32_t count, const struct lcap_run_ticks *ticks);

/* Ends the block. `block` is empty when nothing was added. Errors: MEMORY (from zstd), after which
 * the block's events are gone and must be counted as lost. */
LUDUS_CHECKED enum ludus_status lcap_events_finish(struct lcap_encoder *encoder,
                                                   struct lcap_bytes *block);

#endif
