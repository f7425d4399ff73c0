/* Says what a capture's slices cost in its file: bytes a slice, and each column of its events
 * blocks beside the order-0 entropy of its bytes, which is what an ideal table of frequencies would
 * need. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "lcap_decode.h"

#define COLUMNS 8 /* segments, open, symbols, events, integers, gauges, tokens, bits */

static const char *const column_names[COLUMNS] = {
    "segments", "open scopes", "symbol table", "events", "integers", "gauges", "tokens", "bits"};

struct column_sums {
    uint64_t raw, stored;
    double entropy_bytes;
};

struct sums {
    struct column_sums columns[COLUMNS];
    uint64_t events_bytes, slices, blocks, groups, file_bytes;
};

static uint32_t load_u32(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static double entropy_bytes(const uint8_t *bytes, size_t size)
{
    uint64_t counts[256] = {0};
    double bits = 0;
    for (size_t i = 0; i < size; i++)
        counts[bytes[i]]++;
    for (int value = 0; value < 256; value++)
        if (counts[value] != 0)
            bits -= (double)counts[value] * log2((double)counts[value] / (double)size);
    return bits / 8;
}

static void add_column(struct column_sums *sums, const uint8_t *at)
{
    static uint8_t raw[LCAP_MAX_PAYLOAD];
    uint32_t raw_size = load_u32(at), stored = load_u32(at + 4);
    if (stored == raw_size)
        memcpy(raw, at + 8, raw_size);
    else if (ZSTD_decompress(raw, sizeof raw, at + 8, stored) != raw_size)
        abort(); /* the reader has found it right */
    sums->raw += raw_size;
    sums->stored += stored + 8;
    sums->entropy_bytes += entropy_bytes(raw, raw_size);
}

static void add_block(struct sums *sums, const struct lcap_item *item,
                      const struct lcap_events *events)
{
    const uint8_t *at = item->block.payload.data + LCAP_EVENTS_HEADER_SIZE;
    uint32_t groups = events->header.group_count;
    sums->blocks++;
    sums->groups += groups;
    sums->events_bytes += item->size;
    for (uint32_t i = 0; i < events->header.event_count; i++)
        sums->slices += events->table[events->symbols[i]].kind == LCAP_EVENT_BEGIN;
    for (uint32_t i = 0; i < 6 + groups + 1; i++) {
        uint32_t column = i < 6 ? i : i < 6 + groups ? 6 : 7;
        add_column(&sums->columns[column], at);
        at += 8 + load_u32(at + 4);
    }
}

static void print_sums(const struct sums *sums)
{
    double slices = (double)sums->slices;
    printf("size: %" PRIu64 " slices in %" PRIu64 " bytes: %.3f bytes/slice, all blocks included "
           "(must be at most 3.1 with a clock step of one tick)\n",
           sums->slices, sums->file_bytes, (double)sums->file_bytes / slices);
    printf("  %" PRIu64 " events blocks, %.0f slices and %.1f groups each\n", sums->blocks,
           slices / (double)sums->blocks, (double)sums->groups / (double)sums->blocks);
    printf("  %-14s %12s %12s %14s %16s\n", "column", "raw bytes", "stored", "bytes/slice",
           "entropy/slice");
    for (int i = 0; i < COLUMNS; i++) {
        const struct column_sums *column = &sums->columns[i];
        if (column->raw != 0)
            printf("  %-14s %12" PRIu64 " %12" PRIu64 " %14.3f %16.3f\n", column_names[i],
                   column->raw, column->stored, (double)column->stored / slices,
                   column->entropy_bytes / slices);
    }
    printf("  %-14s %12s %12" PRIu64 " %14.3f\n", "everything else", "",
           sums->file_bytes - sums->events_bytes,
           (double)(sums->file_bytes - sums->events_bytes) / slices);
}

int main(int argc, char **argv)
{
    static struct sums sums;
    struct lcap_reader *reader;
    struct lcap_item item;
    struct ludus_error error;
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        fprintf(stderr, "usage: bytes_per_slice CAPTURE\n");
        return 2;
    }
    long size = ftell(file);
    uint8_t *bytes = size > 0 ? malloc((size_t)size) : NULL;
    rewind(file);
    if (bytes == NULL || fread(bytes, 1, (size_t)size, file) != (size_t)size)
        return 3;
    struct lcap_bytes memory = {bytes, (size_t)size};
    if (lcap_reader_open(lcap_source_from_memory(&memory), &reader, &error) != LUDUS_OK)
        return 3;
    sums.file_bytes = (uint64_t)size;
    while (lcap_reader_next(reader, true, &item) == LUDUS_OK)
        if (lcap_reader_events(reader) != NULL)
            add_block(&sums, &item, lcap_reader_events(reader));
    print_sums(&sums);
    lcap_reader_close(reader);
    free(bytes);
    fclose(file);
    return 0;
}
