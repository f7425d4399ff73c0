/* Golden files in which one events block breaks one rule. */
#include <stdio.h>
#include <string.h>

#include "golden_blocks.h"
#include "golden_events.h"
#include "golden_sets.h"

/* A change of the block that golden_add_kind makes: a field of the fixed part, or a column. */
struct field_case {
    const char *name;
    size_t offset;
    uint64_t value;
};

static const struct field_case field_cases[] = {
    {"payload-value.events-clock-0", EVENTS_CLOCK, 0},
    {"payload-value.events-clock-not-defined", EVENTS_CLOCK, 3},
    {"payload-value.events-last-step-too-small", EVENTS_LAST_STEP, 124},
    {"payload-value.events-last-step-too-large", EVENTS_LAST_STEP, 126},
    {"payload-value.events-kind-not-told", EVENTS_KINDS, 0xFE},
    {"payload-value.events-kind-not-there", EVENTS_KINDS, 0x1FF},
    {"payload-value.events-reserved", EVENTS_RESERVED, 1},
};

struct column_case {
    const char *name;
    size_t column;
    const char *hex;
};

#define SEGMENTS_REST "0805 0202 02 0900 0001 0a"
#define OPEN_REST     "010100 010000"
#define SYMBOLS_REST  "020200 030000 040100 050100 060200 070000"

static const struct column_case column_cases[] = {
    {"payload-value.segment-track-0", 0, "0000 0a00 00" SEGMENTS_REST},
    {"payload-value.segment-track-33-bits", 0, "8080808010 00 0a00 00" SEGMENTS_REST},
    {"payload-value.segment-events-too-few", 0, "0700 0900 00" SEGMENTS_REST},
    {"payload-value.segment-events-too-many", 0, "0700 0b00 00" SEGMENTS_REST},
    {"payload-value.segment-open-too-few", 0, "0700 0a00 00 0805 0201 02 0900 0001 0a"},
    {"payload-value.segment-open-too-many", 0, "0700 0a01 00" SEGMENTS_REST},
    {"payload-value.segment-none-at-base", 0, "0700 0a00 01 0805 0202 02 0900 0001 0a"},
    {"payload-value.varint-65-bits", 0, "07 ffffffffffffffffff02 0a00 00" SEGMENTS_REST},
    {"payload-value.varint-eleven-bytes", 0, "07 8080808080808080808000 0a00 00" SEGMENTS_REST},
    {"payload-layout.varint-cut", 0, "0700 0a00 00 0805 0202 02 0900 0001 8a"},
    {"payload-value.open-symbol-0", 1, "000a04" OPEN_REST},
    {"payload-value.open-symbol-not-there", 1, "080a04" OPEN_REST},
    {"payload-value.open-symbol-of-instant", 1, "020a04" OPEN_REST},
    {"payload-value.open-before-step-0", 1, "010d04" OPEN_REST},
    {"payload-value.open-children-longer", 1, "010a0b" OPEN_REST},
    {"payload-value.open-before-outer", 1, "010a04 010b00 010000"},
    {"payload-value.symbol-kind-0", 2, "00010000" SYMBOLS_REST},
    {"payload-value.symbol-kind-8", 2, "01010000 020200 030000 040100 050100 060200 080000"},
    {"payload-value.symbol-begin-without-site", 2, "01000000" SYMBOLS_REST},
    {"payload-value.symbol-instant-without-site", 2,
     "01010000 020000 030000 040100 050100 060200 070000"},
    {"payload-value.symbol-count-without-site", 2,
     "01010000 020200 030000 040100 050000 060200 070000"},
    {"payload-value.symbol-gauge-without-site", 2,
     "01010000 020200 030000 040100 050100 060000 070000"},
    {"payload-value.symbol-switch-with-site", 2,
     "01010000 020200 030000 040100 050100 060200 070100"},
    {"payload-value.symbol-site-33-bits", 2, "01 8080808010 0000" SYMBOLS_REST},
    {"payload-value.symbol-group", 2, "01010100" SYMBOLS_REST},
    {"payload-value.symbol-end-group", 2, "01010001" SYMBOLS_REST},
    {"payload-value.event-symbol-not-there", 3, "01080304050506070700 0003"},
    {"payload-value.event-end-of-nothing", 3, "00020304050506070701 0003"},
    {"payload-value.integer-65-bits", 4, "dafa06 00 06 09 10 0f ffffffffffffffffff02"},
    {"payload-value.token-248", 6, "05 44 00 01 01 02 f8 02 03 01"},
    {"payload-value.token-254", 6, "05 44 00 01 01 02 fe 02 03 01"},
    {"payload-value.bits-padding", 7, "0c"},
    {"payload-layout.bits-for-escape", 6, "05 44 00 01 01 02 01 02 03 ff"},
};

static void start(struct golden_file *file, struct golden_events *events)
{
    golden_open(file);
    golden_add_start(file);
    golden_add_kind(file, LCAP_KIND_events);
    golden_split(file, events);
}

static void write(struct golden_file *file, struct golden_events *events, const char *directory,
                  const char *name)
{
    golden_join(file, events);
    golden_add_finish(file);
    golden_write(file, directory, name);
}

static void make_rows(const char *directory)
{
    struct golden_file file;
    struct golden_events events;
    for (size_t i = 0; i < sizeof field_cases / sizeof field_cases[0]; i++) {
        start(&file, &events);
        golden_set_head(&events, field_cases[i].offset, field_cases[i].value);
        write(&file, &events, directory, field_cases[i].name);
    }
    for (size_t i = 0; i < sizeof column_cases / sizeof column_cases[0]; i++) {
        start(&file, &events);
        golden_set_column(&events, column_cases[i].column, column_cases[i].hex);
        write(&file, &events, directory, column_cases[i].name);
    }
}

/* For every column: its last byte is missing; a byte is left over. */
static void make_sizes(const char *directory)
{
    static const char *const names[] = {"segments", "open",   "symbols", "events",
                                        "integers", "gauges", "tokens",  "bits"};
    char name[64];
    struct golden_file file;
    struct golden_events events;
    for (size_t column = 0; column < 8; column++) {
        start(&file, &events);
        events.columns[column].raw_size = --events.columns[column].size;
        snprintf(name, sizeof name, "payload-layout.column-%s-cut", names[column]);
        write(&file, &events, directory, name);

        start(&file, &events);
        golden_extend_column(&events, column, "00", 1);
        snprintf(name, sizeof name, "payload-layout.column-%s-left-over", names[column]);
        write(&file, &events, directory, name);
    }
}

/* What is wrong with columns as they are stored. */
static void make_columns(const char *directory)
{
    struct golden_file file;
    struct golden_events events;
    start(&file, &events);
    events.columns[3].raw_size = 11;
    write(&file, &events, directory, "payload-value.column-stored-larger");

    start(&file, &events);
    events.columns[3].raw_size = 13; /* then it should be a frame */
    write(&file, &events, directory, "payload-compression.column-no-frame");

    start(&file, &events);
    golden_extend_column(&events, 5, "00", LCAP_MAX_PAYLOAD);
    golden_compress_column(&events, 5);
    write(&file, &events, directory, "payload-value.column-too-large");

    start(&file, &events);
    for (size_t column = 4; column < 7; column++) {
        golden_set_column(&events, column, "");
        golden_extend_column(&events, column, "00", LCAP_MAX_COLUMNS_BYTES / 3);
        golden_compress_column(&events, column);
    }
    write(&file, &events, directory, "payload-value.columns-too-large");

    start(&file, &events);
    golden_set_column(&events, 3, "");
    golden_extend_column(&events, 3, "00", 100);
    golden_compress_column(&events, 3);
    events.columns[3].raw_size = 101;
    write(&file, &events, directory, "payload-compression.column-yields-less");

    start(&file, &events);
    golden_set_column(&events, 3, "");
    golden_extend_column(&events, 3, "00", 100);
    golden_compress_column(&events, 3);
    golden_extend_column(&events, 3, "00", 1);
    events.columns[3].raw_size = 100;
    write(&file, &events, directory, "payload-compression.column-byte-left-over");

    start(&file, &events);
    golden_join(&file, &events);
    golden_compress(&file);
    golden_add_finish(&file);
    golden_write(&file, directory, "payload-value.events-compressed-as-a-whole");

    start(&file, &events);
    golden_join(&file, &events);
    golden_replace_payload(&file, golden_payload(&file), LCAP_EVENTS_HEADER_SIZE - 1);
    golden_add_finish(&file);
    golden_write(&file, directory, "payload-layout.events-fixed-part");
}

/* A block from nothing on: counts in the order of the fixed part. */
static void start_counts(struct golden_file *file, struct golden_events *events, uint32_t count,
                         uint32_t segment_count, uint32_t open_count, uint32_t symbol_count)
{
    golden_open(file);
    golden_add_start(file);
    golden_add_payload(file, LCAP_KIND_events, NULL, 0);
    golden_events_start(events);
    golden_set_head(events, EVENTS_EVENT_COUNT, count);
    golden_set_head(events, EVENTS_SEGMENT_COUNT, segment_count);
    golden_set_head(events, EVENTS_OPEN_COUNT, open_count);
    golden_set_head(events, EVENTS_SYMBOL_COUNT, symbol_count);
}

static void compress_large(struct golden_events *events)
{
    for (size_t column = 0; column < events->column_count; column++)
        if (events->columns[column].size > 1000)
            golden_compress_column(events, column);
}

/* Counts above their limits, with everything else as it should be. */
static void make_counts(const char *directory)
{
    struct golden_file file;
    struct golden_events events;
    start_counts(&file, &events, 65537, 1, 0, 1);
    golden_set_column(&events, 0, "01 00 818004 00 00");
    golden_set_column(&events, 2, "02 01 00");
    golden_extend_column(&events, 3, "01", 65537);
    golden_extend_column(&events, 6, "00", 65536);
    golden_set_head(&events, EVENTS_KINDS, 4);
    compress_large(&events);
    write(&file, &events, directory, "payload-value.events-65537");

    start_counts(&file, &events, 0, 0, 0, 0);
    write(&file, &events, directory, "payload-value.segments-0");

    start_counts(&file, &events, 40000, 65537, 25537, 2);
    golden_extend_column(&events, 0, "01 00 01 00 00", 40000);
    golden_extend_column(&events, 0, "01 00 00 01 00", 25537);
    golden_extend_column(&events, 1, "02 00 00", 25537);
    golden_set_column(&events, 2, "02 01 00  01 01 00 00");
    golden_extend_column(&events, 3, "01", 40000);
    golden_set_head(&events, EVENTS_KINDS, 4);
    compress_large(&events);
    write(&file, &events, directory, "payload-value.segments-65537");

    start_counts(&file, &events, 0, 2, 65537, 1);
    golden_set_column(&events, 0, "01 00 00 808004 00  02 00 00 01 00");
    golden_extend_column(&events, 1, "01 00 00", 65537);
    golden_set_column(&events, 2, "01 01 00 00");
    compress_large(&events);
    write(&file, &events, directory, "payload-value.open-65537");

    start_counts(&file, &events, 1, 1, 65536, 1);
    golden_set_column(&events, 0, "01 00 01 808004 00");
    golden_extend_column(&events, 1, "01 00 00", 65536);
    golden_set_column(&events, 2, "01 01 00 00");
    golden_set_column(&events, 3, "01");
    golden_set_head(&events, EVENTS_KINDS, 2);
    compress_large(&events);
    write(&file, &events, directory, "payload-value.depth-65537");

    start_counts(&file, &events, 1, 1, 0, 65536);
    golden_set_column(&events, 0, "01 00 01 00 00");
    golden_extend_column(&events, 2, "02 01 00", 65536);
    golden_set_column(&events, 3, "01 00");
    golden_set_head(&events, EVENTS_KINDS, 4);
    compress_large(&events);
    write(&file, &events, directory, "payload-value.symbols-65536");

    start_counts(&file, &events, 0, 1, 1, 1);
    golden_set_column(&events, 0, "01 00 00 00 00"); /* neither an event nor a scope */
    golden_set_head(&events, EVENTS_OPEN_COUNT, 0);
    golden_set_column(&events, 2, "01 01 00 00");
    write(&file, &events, directory, "payload-value.segment-empty");
}

/* The number of groups. The block is one scope that is open, and no event. */
static void make_groups(const char *directory)
{
    static const struct {
        const char *name;
        uint32_t groups;
    } cases[] = {{"payload-value.groups-0", 0}, {"payload-value.groups-33", 33}};
    for (size_t i = 0; i < 2; i++) {
        struct golden_file file;
        struct golden_events events;
        start_counts(&file, &events, 0, 1, 1, 1);
        golden_set_column(&events, 0, "01 00 00 01 00");
        golden_set_column(&events, 1, "01 00 00");
        golden_set_column(&events, 2, "01 01 00 00");
        golden_set_head(&events, EVENTS_GROUP_COUNT, cases[i].groups);
        events.column_count = 7 + cases[i].groups;
        write(&file, &events, directory, cases[i].name);
    }
}

/* Two instants of a clock: the first at `base`, the second `distance` steps later. */
static void make_instants(const char *directory, const char *name, uint32_t clock, uint64_t base,
                          const char *distance, uint64_t last)
{
    struct golden_file file;
    struct golden_events events;
    start_counts(&file, &events, 2, 1, 0, 1);
    golden_set_head(&events, EVENTS_CLOCK, clock);
    golden_set_head(&events, EVENTS_BASE_STEP, base);
    golden_set_head(&events, EVENTS_LAST_STEP, last);
    golden_set_head(&events, EVENTS_KINDS, 4);
    golden_set_column(&events, 0, "01 00 02 00 00");
    golden_set_column(&events, 2, "02 01 00");
    golden_set_column(&events, 3, "01 01");
    golden_set_column(&events, 6, distance);
    write(&file, &events, directory, name);
}

void golden_make_invalid_events(const char *directory)
{
    make_rows(directory);
    make_sizes(directory);
    make_columns(directory);
    make_counts(directory);
    make_groups(directory);
    /* 2^64 - 2 and 5 steps more, which 64 bits hold as 3. */
    make_instants(directory, "payload-value.steps-beyond-64-bits", 2, UINT64_MAX - 1, "05",
                  UINT64_MAX);
    /* 2^63 steps of 21 ticks. */
    make_instants(directory, "payload-value.ticks-beyond-64-bits", 1, UINT64_C(1) << 63, "05",
                  (UINT64_C(1) << 63) + 5);
}
