/* The decode side of the capture format. Trusts no byte: every length is checked before it is used,
 * every block before anything of it is shown. Reads through a caller's function, allocates no more
 * than one block needs, and keeps no global state. An object is used by one thread at a time. */
#ifndef LCAP_DECODE_H
#define LCAP_DECODE_H

#include <stdbool.h>

#include <ludus/status.h>

#include "lcap_records.h"

/* Where bytes come from. `read_at` puts `size` bytes from `offset` on into `bytes`; it returns
 * LUDUS_OK only when it got them all. It is never asked to read beyond `size`; by several threads
 * at once only when readers of the source are (lcap_reader_open_again). */
struct lcap_source {
    void *context;
    enum ludus_status (*read_at)(void *context, uint64_t offset, void *bytes, size_t size);
    uint64_t size;
};

/* A source over bytes in memory, which must outlive it. */
struct lcap_source lcap_source_from_memory(const struct lcap_bytes *bytes);

/* Why bytes are damage: FORMAT.md, section 1.4. */
enum lcap_damage {
    LCAP_DAMAGE_NONE = 0,
    LCAP_DAMAGE_FILE_HEADER,
    LCAP_DAMAGE_BLOCK_MAGIC,
    LCAP_DAMAGE_HEADER_CHECKSUM,
    LCAP_DAMAGE_HEADER_FIELD,
    LCAP_DAMAGE_BLOCK_CUT,
    LCAP_DAMAGE_PAYLOAD_CHECKSUM,
    LCAP_DAMAGE_PAYLOAD_COMPRESSION,
    LCAP_DAMAGE_PAYLOAD_LAYOUT,
    LCAP_DAMAGE_PAYLOAD_VALUE
};

/* The names of FORMAT.md: "payload-checksum"; "session"; "begin"; "buffers-full"; ... NULL for a
 * number without a name. */
const char *lcap_damage_name(enum lcap_damage damage);
const char *lcap_block_kind_name(uint32_t kind);
const char *lcap_event_kind_name(uint32_t kind);
const char *lcap_clock_source_name(uint32_t source);
const char *lcap_track_kind_name(uint32_t kind);
const char *lcap_loss_cause_name(uint32_t cause);
const char *lcap_diagnostic_name(uint32_t code);
const char *lcap_end_reason_name(uint32_t reason);
const char *lcap_trigger_cause_name(uint32_t cause);
const char *lcap_gpu_outcome_name(uint32_t outcome);
const char *lcap_gpu_subject_name(uint32_t subject);
const char *lcap_gpu_operation_name(uint32_t operation);
const char *lcap_gpu_method_name(uint32_t method);
const char *lcap_gpu_mapping_name(uint32_t mapping);

/* A block whose header, checksum and compression are right. */
struct lcap_block {
    uint64_t offset; /* of its header */
    uint64_t sequence;
    struct lcap_bytes payload; /* decompressed; valid until the reader's next call */
    uint32_t kind;
    uint32_t kind_version;
    uint32_t stored_size;
    uint32_t raw_size;
};

/* --- walking a file ------------------------------------------------------------------------- */

enum lcap_item_kind {
    LCAP_ITEM_BLOCK,      /* a good block; its records are checked */
    LCAP_ITEM_SKIPPED,    /* a block of a kind or version that this reader does not know */
    LCAP_ITEM_GAP,        /* blocks are missing before the one that comes next */
    LCAP_ITEM_DAMAGE,     /* damaged bytes */
    LCAP_ITEM_UNFINISHED, /* last: the file was not finished */
    LCAP_ITEM_FINISHED    /* last: the file was finished */
};

/* What a file holds at one place. */
struct lcap_item {
    enum lcap_item_kind kind;
    enum lcap_damage reason; /* DAMAGE */
    uint64_t offset;         /* of the block, the damage, the unfinished tail */
    uint64_t size; /* DAMAGE: bytes; UNFINISHED: bytes of the tail; FINISHED: of the file */
    uint64_t expected_sequence; /* GAP */
    uint64_t found_sequence;    /* GAP */
    struct lcap_block block;    /* BLOCK; SKIPPED without payload */
    bool zero_tail;             /* UNFINISHED: the tail is zeros, not a cut block */
};

struct lcap_reader;
struct lcap_events;

/* Opens a capture. Errors: FORMAT (not a capture), VERSION (a greater one), OPEN (read_at failed),
 * MEMORY; `error` (may be NULL) says which without naming the file. `*reader` is NULL after one. */
LUDUS_CHECKED enum ludus_status
lcap_reader_open(struct lcap_source source, struct lcap_reader **reader, struct ludus_error *error);
/* One more reader of the same source, for lcap_reader_read: in another thread, or so that what it
 * read is kept. It knows the clocks that `reader` knows now. Errors: MEMORY. */
LUDUS_CHECKED enum ludus_status lcap_reader_open_again(const struct lcap_reader *reader,
                                                       struct lcap_reader **again);

/* NULL is allowed. */
void lcap_reader_close(struct lcap_reader *reader);

/* From now on lcap_reader_next reads no more of an events block than its fixed part, which is then
 * all of the block's payload; no checksum is verified. lcap_reader_read reads and verifies all. */
void lcap_reader_skim_events(struct lcap_reader *reader);

/* For a file that its recorder may still append to: bytes up to the end in which no block can be
 * found are no damage but unfinished, since the rest of them may come. */
void lcap_reader_expect_growth(struct lcap_reader *reader);

/* The source holds `size` bytes by now, not fewer than before: lcap_reader_next goes on where it
 * found the end, behind the last whole block. Errors: OPEN. */
LUDUS_CHECKED enum ludus_status lcap_reader_grow(struct lcap_reader *reader, uint64_t size);

uint64_t lcap_reader_capture_id(const struct lcap_reader *reader);
uint32_t lcap_reader_version_minor(const struct lcap_reader *reader);

/* The next item in file order; the first may be damage of the file header. LUDUS_END after the last
 * one. Events blocks are decoded (see lcap_reader_events) only when `decode_events` is true;
 * otherwise their checksum is verified, and their fixed part. Errors: OPEN, MEMORY. */
LUDUS_CHECKED enum ludus_status lcap_reader_next(struct lcap_reader *reader, bool decode_events,
                                                 struct lcap_item *item);

/* Like lcap_reader_next with decode_events, for the block at `offset`, which an earlier walk gave.
 */
LUDUS_CHECKED enum ludus_status lcap_reader_read(struct lcap_reader *reader, uint64_t offset,
                                                 struct lcap_item *item);

/* The events of the last item, when it is a good events block that was decoded; otherwise NULL.
 * Valid until the reader's next call. */
const struct lcap_events *lcap_reader_events(const struct lcap_reader *reader);

/* A clock that has been read so far, or NULL. Valid until the reader's next call. */
const struct lcap_clock *lcap_reader_clock(const struct lcap_reader *reader, uint32_t clock);

/* --- records of a good block ----------------------------------------------------------------- */

/* Iterates over the records of one block, in file order. */
struct lcap_records {
    const uint8_t *at;
    const uint8_t *end;
    uint32_t left;  /* records not yet read */
    uint32_t clock; /* of the block's ticks */
    enum lcap_damage problem;
};

/* Starts at the first record of a block of records, or of the facts of a session block. */
struct lcap_records lcap_records_of(const struct lcap_block *block);

/* Each returns false at the end, and when the bytes break a rule (`problem` says which; never for a
 * block that the reader called good). Byte strings point into the block. */
bool lcap_next_fact(struct lcap_records *records, struct lcap_fact *fact);
bool lcap_next_calibration(struct lcap_records *records, struct lcap_calibration *calibration);
bool lcap_next_string(struct lcap_records *records, struct lcap_string *string);
bool lcap_next_category(struct lcap_records *records, struct lcap_category *category);
bool lcap_next_site(struct lcap_records *records, struct lcap_site *site);
bool lcap_next_track(struct lcap_records *records, struct lcap_track *track);
bool lcap_next_domain(struct lcap_records *records, struct lcap_domain *domain);
bool lcap_next_frame_mark(struct lcap_records *records, struct lcap_frame_mark *mark);
bool lcap_next_loss(struct lcap_records *records, struct lcap_loss *loss);
bool lcap_next_diagnostic(struct lcap_records *records, struct lcap_diagnostic *diagnostic);
bool lcap_next_sched(struct lcap_records *records, struct lcap_sched *sample);
bool lcap_next_trigger(struct lcap_records *records, struct lcap_trigger *trigger);
bool lcap_next_gpu_queue(struct lcap_records *records, struct lcap_gpu_queue *queue);
bool lcap_next_gpu_frame(struct lcap_records *records, struct lcap_gpu_frame *frame);
bool lcap_next_gpu_pass(struct lcap_records *records, struct lcap_gpu_pass *pass);
bool lcap_next_gpu_count(struct lcap_records *records, struct lcap_gpu_count *count);
bool lcap_next_gpu_calibration(struct lcap_records *records,
                               struct lcap_gpu_calibration *calibration);
bool lcap_next_lost(struct lcap_records *records, struct lcap_lost *lost);
bool lcap_next_index_entry(struct lcap_records *records, struct lcap_index_entry *entry);

/* Blocks of one record. Each returns LCAP_DAMAGE_NONE for a block that the reader called good. */
enum lcap_damage lcap_read_session(const struct lcap_block *block, struct lcap_session *session);
enum lcap_damage lcap_read_clock(const struct lcap_block *block, struct lcap_clock *clock,
                                 struct lcap_bytes *reason);
enum lcap_damage lcap_read_window(const struct lcap_block *block, struct lcap_window *window);
enum lcap_damage lcap_read_repair(const struct lcap_block *block, struct lcap_repair *repair);
enum lcap_damage lcap_read_end(const struct lcap_block *block, struct lcap_end *end);
enum lcap_damage lcap_read_index_previous(const struct lcap_block *block, uint64_t *previous);

/* The identity of a site: FORMAT.md, section 2.6. */
uint64_t lcap_site_identity(struct lcap_bytes name, struct lcap_bytes file, uint32_t line);

/* --- events ---------------------------------------------------------------------------------- */

/* The fixed part of an events block. */
struct lcap_events_header {
    uint64_t first_event;
    uint64_t base_step;
    uint64_t last_step;
    uint32_t clock;
    uint32_t event_count;
    uint32_t segment_count;
    uint32_t open_count;
    uint32_t symbol_count;
    uint32_t group_count;
    uint32_t kinds; /* bit k: events of kind k are in the block */
};

/* What an event is. Symbol 0 is End. */
struct lcap_symbol {
    uint32_t kind; /* enum lcap_event_kind */
    uint32_t site;
    uint8_t group;
    uint8_t end_group;
};

struct lcap_segment {
    uint64_t events_before; /* of this track, in the segments before */
    uint64_t start_tick;
    uint32_t track;
    uint32_t event_count;
    uint32_t open_count;
    uint32_t first_event; /* index into symbols and ticks */
    uint32_t first_open;  /* index into open */
};

/* A decoded events block, by column. */
struct lcap_events {
    struct lcap_events_header header;
    const struct lcap_symbol *table;     /* header.symbol_count + 1 entries; entry 0 is End */
    const struct lcap_segment *segments; /* header.segment_count */
    const struct lcap_open_scope *open;  /* header.open_count */
    const uint16_t *symbols;             /* header.event_count */
    const uint64_t *ticks;               /* header.event_count */
    const uint64_t *values;              /* one for each event whose kind has a value, in order */
};

/* Whether events of the kind carry a value. */
static inline bool lcap_event_has_value(uint32_t kind)
{
    return kind >= LCAP_EVENT_FLOW_OUT && kind <= LCAP_EVENT_TRACK_SWITCH;
}

enum lcap_damage lcap_read_events_header(const struct lcap_block *block,
                                         struct lcap_events_header *header);

/* Decodes events blocks; keeps its memory from one to the next. One for each thread that decodes.
 */
struct lcap_events_decoder;
LUDUS_CHECKED enum ludus_status lcap_events_decoder_create(struct lcap_events_decoder **decoder);
void lcap_events_decoder_destroy(struct lcap_events_decoder *decoder);

/* Decodes the payload of an events block, whose clock is `clock`, into memory of the decoder. The
 * result is valid until its next call. Errors: DAMAGED (`*damage` says why), MEMORY. */
LUDUS_CHECKED enum ludus_status lcap_events_decode(struct lcap_events_decoder *decoder,
                                                   const struct lcap_block *block,
                                                   const struct lcap_clock *clock,
                                                   const struct lcap_events **events,
                                                   enum lcap_damage *damage);

#endif
