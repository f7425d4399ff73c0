/* Golden files that break no rule: every kind of block and event, the ends of every range, and
 * files that were not finished. */
#include <stdlib.h>
#include <string.h>

#include "golden_blocks.h"
#include "golden_events.h"
#include "golden_sets.h"
#include "lcap_wire.h"
#include "random_stream.h"

static void make_empty(const char *directory)
{
    struct golden_file file;
    golden_open(&file);
    golden_add_trailer(&file);
    golden_write(&file, directory, "no-blocks");

    golden_open(&file);
    golden_add_start(&file);
    golden_add_finish(&file);
    golden_write(&file, directory, "empty-session");
}

/* Nothing but what was not recorded: on one thread, and on one that is not known. */
static void make_losses_alone(const char *directory)
{
    const struct lcap_track track = {
        .os_id = 4711, .begin_tick = 1000, .track = 1, .kind = LCAP_TRACK_THREAD};
    const struct lcap_loss losses[] = {
        {.counts = {.scopes = 5, .instants = 2, .flows = 1, .gauges = 3},
         .first_tick = 2000,
         .last_tick = 3000,
         .track = 1,
         .cause = LCAP_LOSS_BUFFERS_FULL},
        {.counts = {.scopes = 7},
         .first_tick = 2500,
         .last_tick = 2600,
         .cause = LCAP_LOSS_TOO_MANY_THREADS}};
    const struct lcap_end end = {.stop_tick = 5000,
                                 .clock = golden_clock_monotonic.clock,
                                 .reason = LCAP_END_STOPPED,
                                 .dropped = {.scopes = 12, .instants = 2, .flows = 1, .gauges = 3}};
    struct golden_file file;
    struct lcap_bytes block;
    const uint32_t clock = golden_clock_monotonic.clock;
    golden_open(&file);
    golden_add_start(&file);
    golden_add(&file, lcap_encode_tracks(file.encoder, clock, &track, 1, &block), block);
    golden_add(&file, lcap_encode_losses(file.encoder, clock, losses, 2, &block), block);
    golden_add(&file, lcap_encode_end(file.encoder, &end, &block), block);
    golden_add_index(&file);
    golden_add_trailer(&file);
    golden_write(&file, directory, "losses-alone");
}

static void make_everything(const char *directory)
{
    struct golden_file file;
    golden_open(&file);
    golden_set_file_header(&file, 10, 2, 3); /* a greater minor version */
    golden_add_start(&file);
    golden_add_kind(&file, LCAP_KIND_window);
    golden_add_kind(&file, LCAP_KIND_triggers);
    for (int kind = LCAP_KIND_calibrations; kind < LCAP_KIND_end; kind++)
        if (kind != LCAP_KIND_strings)
            golden_add_kind(&file, (enum lcap_block_kind)kind);
    golden_add_kind(&file, LCAP_KIND_sched);
    golden_add_kind(&file, LCAP_KIND_repair);
    golden_add_kind(&file, LCAP_KIND_lost);
    golden_add_payload(&file, GOLDEN_UNKNOWN_KIND, (const uint8_t *)"unknown", 7);
    golden_add_payload(&file, LCAP_KIND_strings, (const uint8_t *)"not zstd", 8);
    golden_set_header(&file, 6, 2, 2); /* kind_version */
    golden_set_header(&file, 8, 2, LCAP_BLOCK_FLAG_ZSTD);
    golden_set_header(&file, 16, 4, LCAP_MAX_PAYLOAD); /* never decompressed, so not wrong */
    golden_add_kind(&file, LCAP_KIND_events);
    golden_add_finish(&file);
    golden_write(&file, directory, "everything");
}

/* Every byte, no byte, much text, and bytes that are not UTF-8. */
static void make_names(const char *directory)
{
    static uint8_t every_byte[256];
    static uint8_t long_text[65536];
    struct golden_file file;
    struct lcap_bytes block;
    size_t taken;
    for (size_t i = 0; i < sizeof every_byte; i++)
        every_byte[i] = (uint8_t)i;
    for (size_t i = 0; i < sizeof long_text; i++)
        long_text[i] = (uint8_t)("long text "[i % 10]);
    const struct lcap_string strings[] = {
        {{every_byte, sizeof every_byte}, 5},
        {GOLDEN_TEXT("\xF0\x9F\x8E\xAE game"), UINT32_MAX},
        {GOLDEN_TEXT("\xC3("), 6},
    };
    const struct lcap_string text = {{long_text, sizeof long_text}, 7};
    const struct lcap_site sites[] = {{.site = 1, .name = 5, .file = 7, .line = 1},
                                      {.site = UINT32_MAX, .name = UINT32_MAX, .file = 4},
                                      {.site = 3, .name = 6, .file = 5, .function = 6}};
    golden_open(&file);
    golden_add_start(&file);
    golden_add(&file, lcap_encode_strings(file.encoder, strings, 3, &taken, &block), block);
    golden_add(&file, lcap_encode_strings(file.encoder, &text, 1, &taken, &block), block);
    golden_add(&file, lcap_encode_sites(file.encoder, sites, 3, &block), block);
    golden_add_finish(&file);
    golden_write(&file, directory, "names");
}

/* Times about the powers of two at which other number types end. */
static void make_times(const char *directory)
{
    static const uint64_t powers[] = {UINT64_C(1) << 32, UINT64_C(1) << 47, UINT64_C(1) << 53,
                                      UINT64_C(1) << 63};
    uint64_t ticks[3 * 4 + 2] = {0};
    size_t count = 1;
    struct golden_file file;
    for (size_t i = 0; i < 4; i++)
        for (int difference = -1; difference <= 1; difference++)
            ticks[count++] = powers[i] + (uint64_t)difference;
    ticks[count++] = UINT64_MAX;
    golden_open(&file);
    golden_add_start(&file);
    golden_add_instants(&file, &golden_clock_monotonic, ticks, count);
    for (size_t i = 0; i < count; i++) /* the same on the grid of 21, less than 2^64 */
        ticks[i] = ticks[i] < 4 ? 4 : (ticks[i] - 4) / 21 * 21 + 4;
    golden_add_instants(&file, &golden_clock_tsc, ticks, count);
    golden_add_finish(&file);
    golden_write(&file, directory, "times");
}

/* The first and the last number of every token, and the escape. */
static void make_tokens(const char *directory)
{
    uint64_t ticks[64];
    size_t count = 0;
    uint64_t tick = 0;
    struct golden_file file;
    ticks[count++] = tick;
    for (unsigned shift = 0; shift < 31; shift++)
        for (int difference = -1; difference <= 0; difference++)
            ticks[count++] = tick += (UINT64_C(1) << shift) + (uint64_t)difference;
    golden_open(&file);
    golden_add_start(&file);
    golden_add_instants(&file, &golden_clock_monotonic, ticks, count);
    golden_add_finish(&file);
    golden_write(&file, directory, "tokens");
}

/* Clocks that take over from each other, each with calibrations of its own. */
static void make_clocks(const char *directory)
{
    struct golden_file file;
    struct lcap_bytes block;
    struct lcap_clock third = {.ticks_per_second = 24000000,
                               .step = UINT64_C(1) << 40,
                               .offset = (UINT64_C(1) << 40) - 1,
                               .clock = UINT32_MAX,
                               .source = LCAP_CLOCK_GENERIC_TIMER};
    const struct lcap_calibration calibrations[] = {
        {.tick = 0, .ns = INT64_MIN}, {.tick = UINT64_MAX, .ns = INT64_MAX, .uncertainty_ns = 1}};
    const uint64_t ticks[] = {third.offset, third.offset + 5 * third.step};
    golden_open(&file);
    golden_add_start(&file);
    golden_add_kind(&file, LCAP_KIND_calibrations);
    golden_add_kind(&file, LCAP_KIND_events);
    golden_add(&file, lcap_encode_clock(file.encoder, &third, (struct lcap_bytes){NULL, 0}, &block),
               block);
    golden_add(&file, lcap_encode_calibrations(file.encoder, third.clock, calibrations, 2, &block),
               block);
    golden_add_instants(&file, &third, ticks, 2);
    golden_add_kind(&file, LCAP_KIND_events);
    golden_add_finish(&file);
    golden_write(&file, directory, "clocks");
}

/* More than 255 symbols, several groups, compressed columns; two tracks in turn, block after block,
 * so that segments start within scopes. */
static void make_many_symbols(const char *directory)
{
    enum { TRACKS = 2, EVENTS = 1500, PART = 250, DEPTH = 12 };
    struct lcap_open_scope open[TRACKS][DEPTH];
    struct lcap_track_stream tracks[TRACKS];
    struct stream_event *events = calloc(TRACKS * EVENTS, sizeof *events);
    struct stream_shape shape = {.events = EVENTS,
                                 .sites = 300,
                                 .max_depth = DEPTH,
                                 .step = 21,
                                 .first_tick = 4 + 21 * 1000,
                                 .kinds = 0xFF,
                                 .max_shift = 12};
    struct random random = {11};
    struct golden_file file;
    golden_require(events != NULL, "out of memory");
    golden_open(&file);
    golden_add_start(&file);
    for (uint32_t i = 0; i < TRACKS; i++) {
        tracks[i] =
            (struct lcap_track_stream){.open = open[i], .open_capacity = DEPTH, .track = 7 + i};
        stream_generate(&random, &shape, events + EVENTS * i);
    }
    for (size_t part = 0; part < EVENTS; part += 3 * PART) {
        struct lcap_bytes block;
        lcap_events_start(file.encoder, &golden_clock_tsc);
        for (size_t i = 0; i < 6; i++) {
            struct lcap_track_stream *track = &tracks[i % TRACKS];
            const struct stream_event *event =
                events + EVENTS * (i % TRACKS) + part + i / TRACKS * PART;
            golden_require(lcap_events_segment(file.encoder, track, 0) == LUDUS_OK, "no segment");
            for (size_t n = 0; n < PART; n++, event++)
                golden_require(lcap_events_add(file.encoder, (enum lcap_event_kind)event->kind,
                                               event->tick, event->site, event->value) == LUDUS_OK,
                               "the encoder refused an event");
        }
        golden_add(&file, lcap_events_finish(file.encoder, &block), block);
    }
    free(events);
    golden_add_finish(&file);
    golden_write(&file, directory, "many-symbols");
}

/* What the encoder never writes, and readers take. */
static void make_unusual(const char *directory)
{
    struct golden_file file;
    struct golden_events events;
    golden_open(&file);
    golden_add_start(&file);
    golden_add_kind(&file, LCAP_KIND_events);
    golden_split(&file, &events);
    /* Needless zero groups; an entry that no event uses; 255 for the number 5; a group without
     * tokens. */
    golden_set_column(&events, 0,
                      "878000 8000 8a00 00 80808080808080808000"
                      " 0805 0202 02 0900 0001 0a");
    golden_extend_column(&events, 2, "02 ffffffff0f 01", 1);
    golden_set_head(&events, EVENTS_SYMBOL_COUNT, 8);
    golden_set_column(&events, 6, "ff 44 00 01 01 02 01 02 03 01");
    golden_set_column(&events, 7, "");
    golden_set_column(&events, 8, "05 00 00 00 00 00 00 00 04");
    events.column_count = 9;
    golden_set_head(&events, EVENTS_GROUP_COUNT, 2);
    golden_join(&file, &events);
    golden_add_kind(&file, LCAP_KIND_strings);
    golden_compress(&file);
    golden_add_finish(&file);
    golden_write(&file, directory, "unusual-numbers");
}

/* A frame of stored bytes that names a window of 128 MiB and not its content's size. */
static void make_frame(const char *directory)
{
    uint8_t frame[256] = {0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x88};
    struct golden_file file;
    golden_open(&file);
    golden_add_start(&file);
    golden_add_kind(&file, LCAP_KIND_domains);
    golden_decompress(&file);
    size_t size = golden_payload_size(&file);
    frame[6] = (uint8_t)(size << 3 | 1); /* the last block, not compressed */
    frame[7] = (uint8_t)(size >> 5);
    memcpy(frame + 9, golden_payload(&file), size);
    golden_set_header(&file, 8, 2, LCAP_BLOCK_FLAG_ZSTD);
    golden_replace_payload(&file, frame, 9 + size);
    golden_add_finish(&file);
    golden_write(&file, directory, "largest-window");
}

/* Promises of the writer that are broken, and that no reader checks. */
static void make_broken_promises(const char *directory)
{
    const struct lcap_string again[] = {{GOLDEN_TEXT("other"), 1}, {GOLDEN_TEXT("new"), 9}};
    const struct lcap_frame_mark twice[] = {{.domain = 4, .ordinal = 1},
                                            {.domain = 4, .ordinal = 1}};
    const struct lcap_track fiber = {
        .track = 7, .kind = LCAP_TRACK_FIBER, .os_id = 1, .begin_tick = 2, .end_tick = 1};
    const struct lcap_fact facts[] = {{GOLDEN_TEXT("os"), GOLDEN_TEXT("")},
                                      {GOLDEN_TEXT("os"), GOLDEN_TEXT("again")}};
    const struct lcap_session session = {.clock = 6};
    struct lcap_clock clock = golden_clock_tsc;
    struct golden_file file;
    struct lcap_bytes block;
    size_t taken;
    golden_open(&file);
    golden_add_start(&file);
    golden_add(&file, lcap_encode_session(file.encoder, &session, facts, 2, &block), block);
    golden_add(&file, lcap_encode_strings(file.encoder, again, 2, &taken, &block), block);
    clock.step = 1; /* events go on with the first definition */
    clock.offset = 0;
    golden_add(&file, lcap_encode_clock(file.encoder, &clock, GOLDEN_TEXT("again"), &block), block);
    golden_add_kind(&file, LCAP_KIND_sites);
    golden_add_kind(&file, LCAP_KIND_events);
    golden_add(&file, lcap_encode_frames(file.encoder, 77, twice, 2, &block), block);
    golden_add(&file, lcap_encode_tracks(file.encoder, 77, &fiber, 1, &block), block);
    golden_add_index(&file);
    golden_decompress(&file);
    golden_set(&file, 8, 8, UINT64_MAX);      /* previous */
    golden_set(&file, 16 + 8, 4, 32);         /* an entry's kind */
    golden_set(&file, 16 + 40, 8, 1);         /* another's offset */
    golden_set(&file, 16 + 80 + 12, 4, 4711); /* another's events */
    golden_add_finish(&file);
    golden_write(&file, directory, "broken-promises");
}

/* The chain's own index blocks, each pointing to the one before. */
static void make_indexes(const char *directory)
{
    struct golden_file file;
    struct lcap_bytes block;
    golden_open(&file);
    golden_add_start(&file);
    golden_add(&file, LUDUS_OK, lcap_chain_index(&file.chain, file.encoder));
    golden_add_kind(&file, LCAP_KIND_events);
    golden_add_kind(&file, LCAP_KIND_frames);
    golden_add(&file, LUDUS_OK, lcap_chain_index(&file.chain, file.encoder));
    golden_add(&file, LUDUS_OK, lcap_chain_index(&file.chain, file.encoder)); /* of nothing */
    golden_add_kind(&file, LCAP_KIND_end);
    golden_add(&file, LUDUS_OK, lcap_chain_index(&file.chain, file.encoder));
    block = lcap_chain_trailer(&file.chain);
    golden_require(lcap_load_u64(block.data + 8) == file.index_offset, "the trailer is wrong");
    golden_add_bytes(&file, block.data, block.size);
    golden_write(&file, directory, "several-indexes");
}

/* The same capture, not finished: it ends `cut` bytes before the end of its last block, and `zeros`
 * bytes of zero follow. */
static void make_unfinished(const char *directory, const char *name, size_t cut, size_t zeros)
{
    static const uint8_t nothing[256];
    struct golden_file file;
    golden_open(&file);
    golden_add_start(&file);
    golden_add_kind(&file, LCAP_KIND_events);
    golden_require(cut <= file.size && zeros <= sizeof nothing, "there is not so much to cut");
    file.size -= cut;
    golden_add_bytes(&file, nothing, zeros);
    golden_write(&file, directory, name);
}

static void make_all_unfinished(const char *directory)
{
    struct golden_file file;
    golden_open(&file);
    golden_add_start(&file);
    golden_add_kind(&file, LCAP_KIND_events);
    size_t last = LCAP_BLOCK_HEADER_SIZE + golden_payload_size(&file);
    size_t size = file.size;
    golden_close(&file);
    make_unfinished(directory, "unfinished.no-trailer", 0, 0);
    make_unfinished(directory, "unfinished.payload-cut", 1, 0);
    make_unfinished(directory, "unfinished.payload-missing", last - LCAP_BLOCK_HEADER_SIZE, 0);
    make_unfinished(directory, "unfinished.header-cut", last - LCAP_BLOCK_HEADER_SIZE + 1, 0);
    make_unfinished(directory, "unfinished.one-byte", last - 1, 0);
    make_unfinished(directory, "unfinished.zero-tail", 0, 100);
    make_unfinished(directory, "unfinished.one-zero", 0, 1);
    make_unfinished(directory, "unfinished.file-header-only", size - LCAP_FILE_HEADER_SIZE, 0);
    make_unfinished(directory, "unfinished.file-header-cut", size - LCAP_FILE_HEADER_SIZE + 1, 0);
    make_unfinished(directory, "unfinished.magic-only", size - 8, 0);

    golden_open(&file);
    golden_add_start(&file);
    golden_add_finish(&file);
    file.bytes[file.size - 1] ^= 1;
    golden_write(&file, directory, "unfinished.trailer-checksum");
}

void golden_make_valid(const char *directory)
{
    make_empty(directory);
    make_everything(directory);
    make_losses_alone(directory);
    make_names(directory);
    make_times(directory);
    make_tokens(directory);
    make_clocks(directory);
    make_many_symbols(directory);
    make_unusual(directory);
    make_frame(directory);
    make_broken_promises(directory);
    make_indexes(directory);
    make_all_unfinished(directory);
}
