/* What a slice costs in a capture: on a committed stream of real time differences, so that the
 * figure does not depend on the machine. The stream is a capture of 60 frames of arena; its events
 * are encoded again, block by block, with the recorder's settings. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "lcap_decode.h"
#include "lcap_encode.h"

#define MAX_TRACKS 16
#define MAX_DEPTH  64

/* The promise, sites and index included. */
#define MAX_BYTES_PER_SLICE 3.0

static struct lcap_bytes read_stream(void)
{
    FILE *file = fopen(TEST_SOURCE_DIR "/arena_60.lcap", "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    ck_assert_int_gt(size, 0);
    rewind(file);
    uint8_t *bytes = malloc((size_t)size);
    ck_assert_uint_eq(fread(bytes, 1, (size_t)size, file), (size_t)size);
    fclose(file);
    return (struct lcap_bytes){bytes, (size_t)size};
}

static void encode_segment(struct lcap_encoder *encoder, struct lcap_track_stream *tracks,
                           const struct lcap_events *events, const struct lcap_segment *segment,
                           uint64_t *slices)
{
    ck_assert_uint_lt(segment->track, MAX_TRACKS);
    struct lcap_track_stream *track = &tracks[segment->track];
    ck_assert_int_eq(lcap_events_segment(encoder, track, segment->start_tick), LUDUS_OK);
    for (uint32_t i = 0; i < segment->event_count; i++) {
        uint32_t event = segment->first_event + i;
        const struct lcap_symbol *symbol = &events->table[events->symbols[event]];
        ck_assert_int_eq(lcap_events_add(encoder, (enum lcap_event_kind)symbol->kind,
                                         events->ticks[event], symbol->site, 0),
                         LUDUS_OK);
        *slices += symbol->kind == LCAP_EVENT_BEGIN;
    }
}

START_TEST(a_slice_of_a_game_costs_at_most_3_bytes)
{
    struct lcap_bytes stream = read_stream();
    struct lcap_encoder_config config = {
        .max_site = 16384, .max_events = 32768, .compression_level = 1};
    struct lcap_open_scope open[MAX_TRACKS][MAX_DEPTH];
    struct lcap_track_stream tracks[MAX_TRACKS];
    struct lcap_encoder *encoder;
    struct lcap_reader *reader;
    struct ludus_error error;
    struct lcap_item item;
    uint64_t slices = 0, size = LCAP_FILE_HEADER_SIZE + LCAP_TRAILER_SIZE;
    for (uint32_t i = 0; i < MAX_TRACKS; i++)
        tracks[i] =
            (struct lcap_track_stream){.open = open[i], .open_capacity = MAX_DEPTH, .track = i};
    ck_assert_int_eq(lcap_encoder_create(&config, &encoder), LUDUS_OK);
    ck_assert_int_eq(lcap_reader_open(lcap_source_from_memory(&stream), &reader, &error), LUDUS_OK);
    while (lcap_reader_next(reader, true, &item) == LUDUS_OK) {
        const struct lcap_events *events = lcap_reader_events(reader);
        if (events == NULL) {
            ck_assert(item.kind == LCAP_ITEM_BLOCK || item.kind == LCAP_ITEM_FINISHED);
            if (item.kind == LCAP_ITEM_BLOCK)
                size += LCAP_BLOCK_HEADER_SIZE + item.block.stored_size;
            continue;
        }
        struct lcap_bytes block;
        lcap_events_start(encoder, lcap_reader_clock(reader, events->header.clock));
        for (uint32_t i = 0; i < events->header.segment_count; i++)
            encode_segment(encoder, tracks, events, &events->segments[i], &slices);
        ck_assert_int_eq(lcap_events_finish(encoder, &block), LUDUS_OK);
        size += block.size;
    }
    ck_assert_uint_gt(slices, 50000);
    double bytes_per_slice = (double)size / (double)slices;
    printf("%.3f bytes a slice\n", bytes_per_slice);
    ck_assert_double_le(bytes_per_slice, MAX_BYTES_PER_SLICE);
    lcap_reader_close(reader);
    lcap_encoder_destroy(encoder);
    free((void *)(uintptr_t)stream.data);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("size");
    TCase *cases = tcase_create("size");
    tcase_set_timeout(cases, 0);
    tcase_add_test(cases, a_slice_of_a_game_costs_at_most_3_bytes);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
