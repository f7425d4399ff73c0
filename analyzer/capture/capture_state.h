/* The inside of an opened capture, shared by the files that load and run it. Private to them. */
#ifndef TRACE_CAPTURE_STATE_H
#define TRACE_CAPTURE_STATE_H

#include "capture.h"
#include "capture_file.h"
#include "clock_map.h"
#include "id_map.h"
#include "lcap_decode.h"

/* Names longer than this in total are not a game's: a small file could otherwise decompress to
 * more memory than there is. */
#define TRACE_MAX_STRING_BYTES (UINT64_C(256) << 20)

/* File offsets. */
struct trace_offsets {
    uint64_t *items;
    uint32_t count;
};

/* Blocks of GPU samples. What a block holds is known before it is read: most looks at samples are
 * at frames alone, and passes are by far the most of them. */
struct trace_gpu_blocks {
    struct trace_gpu_block {
        uint64_t offset;
        uint32_t kind; /* enum lcap_block_kind */
    } * items;
    uint32_t count;
};

/* The index blocks, each of which names the one before it. */
struct trace_index_chain {
    uint64_t last_offset; /* of the last one; 0 before the first */
    uint64_t events;      /* of all blocks that they list */
    bool is_broken;       /* one is missing */
};

struct trace_capture {
    char *path;
    struct trace_capture_file *file;
    struct lcap_reader *reader;
    struct trace_model *model;
    struct trace_clock_map *clocks;
    struct trace_text *strings;
    uint32_t string_count;
    uint64_t string_bytes;
    struct trace_id_map string_ids, category_ids, site_ids, track_ids, domain_ids;
    struct trace_offsets events;    /* of events blocks whose checksum is right */
    struct trace_offsets sched;     /* of samples, which need these and all tracks */
    struct trace_offsets gpu_facts; /* of queues and counts of GPUs, which need all tracks */
    struct trace_gpu_blocks gpu;    /* of GPU samples, likewise */
    struct trace_offsets timed;     /* of blocks with times, which need all calibrations first */
    struct trace_offsets lost;      /* of what damage took of a repaired one, likewise */
    /* Ticks that bound what the events blocks of each clock hold, beside model->clocks. */
    struct trace_tick_range {
        uint64_t first;
        uint64_t last;
    } * ranges;
    struct trace_index_chain index;
    struct lcap_repair repair; /* nothing when the capture was not repaired */
    bool has_repair;
    struct lcap_window window; /* its clock is 0: the capture holds a whole recording */
    uint64_t start_tick;
    uint32_t start_clock;   /* 0: no session block was readable */
    int64_t sampled_end_ns; /* of the last sample of the scheduler, or of a GPU */
    struct lcap_end end;    /* when it has one: */
    bool has_end;
    bool has_trailer;
    bool is_unverified; /* events blocks may be damaged: it is opened to be described only */
    bool is_decoded;    /* every events block has been decoded once; faulty ones are damage */
};

/* Opens the file and reads its header: a capture of which nothing is known yet. Errors: those of
 * trace_open. */
LUDUS_CHECKED enum ludus_status trace_capture_prepare(const char *path,
                                                      const struct trace_watch *watch,
                                                      struct trace_capture **capture,
                                                      struct ludus_error *error);

/* Walks the file once and fills everything but statistics. */
LUDUS_CHECKED enum ludus_status trace_capture_load(struct trace_capture *capture,
                                                   struct ludus_error *error);

/* Takes one block of the first walk: capture_definitions.c. False when there is no memory, or when
 * there are more names than TRACE_MAX_STRING_BYTES. */
bool trace_capture_load_definitions(struct trace_capture *capture, const struct lcap_block *block);

/* Takes what the fixed part of an events block says of the capture: its times and its events. */
void trace_capture_note_events(struct trace_capture *capture,
                               const struct lcap_events_header *header);

/* Ends the definitions of the clocks, as far as they are known: sets time zero to the session's
 * start, or to the first event when that was lost. */
void trace_capture_set_clocks(struct trace_capture *capture);

/* Takes one block with times: capture_times.c. False when there is no memory. */
bool trace_capture_load_times(struct trace_capture *capture, const struct lcap_block *block);

/* The text of a string id; "" for 0; a substitute when its definition was lost. False when there is
 * no memory. */
bool trace_capture_text_of(struct trace_capture *capture, uint32_t string, struct trace_text *text);

/* Copies bytes of a block into the model. False when there is no memory. */
bool trace_capture_copy_bytes(struct trace_capture *capture, struct lcap_bytes bytes,
                              struct trace_text *text);

/* Enters a domain that is not known yet. False when there is no memory. */
bool trace_capture_add_domain(struct trace_capture *capture, uint32_t id, uint32_t string);

/* The index of a domain, entered under a substitute name when its definition is not in the file.
 * False when there is no memory. */
bool trace_capture_find_domain(struct trace_capture *capture, uint32_t id, uint32_t *index);

/* Enters a loss that the recorder told. False when there is no memory. */
bool trace_capture_add_loss(struct trace_capture *capture, const struct lcap_loss *loss);

/* The time of a tick from the session's start; the clocks are complete. */
int64_t trace_capture_ns(const struct trace_capture *capture, uint32_t clock, uint64_t tick);

/* Decodes every events block: faulty ones become damage, and what was lost to damage is added to
 * the model's losses, per track. Once. */
LUDUS_CHECKED enum ludus_status trace_capture_find_losses(struct trace_capture *capture,
                                                          struct ludus_error *error);

/* The index of a site or track, entered under a substitute name when its definition is not in the
 * file. TRACE_NONE when there is no memory. */
uint32_t trace_capture_site(struct trace_capture *capture, uint32_t id);
uint32_t trace_capture_track(struct trace_capture *capture, uint32_t id);

/* Keeps a place that could not be used. False when there is no memory. */
bool trace_capture_add_damage(struct trace_capture *capture, uint64_t offset, uint64_t size,
                              const char *reason);

/* Whether the file is whole, as far as is known: it has its trailer, and no damage of its own. */
bool trace_capture_is_whole(const struct trace_capture *capture);

/* Fills `error` when a block could not be taken. */
LUDUS_CHECKED enum ludus_status trace_capture_fail_load(const struct trace_capture *capture,
                                                        struct ludus_error *error);

/* Fills `error` for a status of the reader. */
LUDUS_CHECKED enum ludus_status trace_capture_fail(const struct trace_capture *capture,
                                                   enum ludus_status status,
                                                   struct ludus_error *error);

#endif
