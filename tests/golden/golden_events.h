/* The columns of an events block, taken apart for surgery. */
#ifndef GOLDEN_EVENTS_H
#define GOLDEN_EVENTS_H

#include "golden_file.h"

#define GOLDEN_MAX_COLUMNS 40u

/* The fixed part's fields, by their offset. */
enum {
    EVENTS_CLOCK = 0,
    EVENTS_EVENT_COUNT = 4,
    EVENTS_SEGMENT_COUNT = 8,
    EVENTS_OPEN_COUNT = 12,
    EVENTS_SYMBOL_COUNT = 16,
    EVENTS_GROUP_COUNT = 20,
    EVENTS_BASE_STEP = 32,
    EVENTS_LAST_STEP = 40,
    EVENTS_KINDS = 48,
    EVENTS_RESERVED = 52
};

/* As it is stored: a zstd frame when raw_size is another than size. */
struct golden_column {
    uint8_t *bytes;
    size_t size;
    size_t raw_size;
};

struct golden_events {
    uint8_t head[LCAP_EVENTS_HEADER_SIZE];
    struct golden_column columns[GOLDEN_MAX_COLUMNS];
    size_t column_count;
};

/* Takes the file's last block, an events block, apart; and puts it together again. */
void golden_split(struct golden_file *file, struct golden_events *events);
void golden_join(struct golden_file *file, struct golden_events *events);

/* A block with no columns but empty ones, and a fixed part of zeros but for clock 2 and one group.
 */
void golden_events_start(struct golden_events *events);

void golden_set_head(struct golden_events *events, size_t offset, uint64_t value);

/* Replaces a column by the bytes that the hexadecimal digits stand for; blanks are ignored. */
void golden_set_column(struct golden_events *events, size_t column, const char *hex);

/* Appends `count` times the same bytes to a column that is not compressed. */
void golden_extend_column(struct golden_events *events, size_t column, const char *hex,
                          size_t count);
void golden_compress_column(struct golden_events *events, size_t column);

#endif
