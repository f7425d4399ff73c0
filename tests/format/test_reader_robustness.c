/* Whatever is cut from a capture or flipped in it, the reader ends in good order, gives every block
 * that is unharmed and no other, and says that something is wrong. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "lcap_chain.h"
#include "lcap_decode.h"
#include "lcap_encode.h"
#include "random_stream.h"

#define MAX_BYTES  9000u
#define MAX_BLOCKS 64u
#define MAX_DEPTH  20u
#define TRACKS     3u

/* A block of the intact capture. */
struct intact_block {
    size_t offset;
    size_t end;
    uint64_t hash; /* of all that a reader gives of it */
    uint32_t kind;
};

static struct {
    uint8_t bytes[MAX_BYTES];
    size_t size;
    struct intact_block blocks[MAX_BLOCKS];
    size_t block_count;
    size_t clock_block;
} intact;

static uint64_t hash_number(uint64_t hash, uint64_t number)
{
    hash = (hash ^ number) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^
           hash >> 29; /* else the low bits of what comes out would depend on low ones only */
}

static uint64_t hash_bytes(uint64_t hash, const uint8_t *bytes, size_t size)
{
    uint64_t number;
    for (; size >= sizeof number; size -= sizeof number, bytes += sizeof number) {
        memcpy(&number, bytes, sizeof number);
        hash = hash_number(hash, number);
    }
    for (; size != 0; size--)
        hash = hash_number(hash, *bytes++);
    return hash;
}

static uint64_t hash_events(uint64_t hash, const struct lcap_events *events)
{
    const uint64_t *value = events->values;
    for (uint32_t i = 0; i < events->header.segment_count; i++) {
        const struct lcap_segment *segment = &events->segments[i];
        hash = hash_number(hash, segment->start_tick);
        hash = hash_number(hash, segment->events_before << 20 | segment->track);
        for (uint32_t level = 0; level < segment->open_count; level++) {
            const struct lcap_open_scope *scope = &events->open[segment->first_open + level];
            hash = hash_number(hash, scope->begin_tick);
            hash = hash_number(hash, scope->children_ticks ^ (uint64_t)scope->site << 40);
        }
        for (uint32_t n = 0; n < segment->event_count; n++) {
            uint32_t index = segment->first_event + n;
            const struct lcap_symbol *symbol = &events->table[events->symbols[index]];
            hash = hash_number(hash, events->ticks[index]);
            hash = hash_number(hash, (uint64_t)symbol->site << 8 | symbol->kind);
            if (lcap_event_has_value(symbol->kind))
                hash = hash_number(hash, *value++);
        }
    }
    return hash;
}

static uint64_t hash_block(const struct lcap_reader *reader, const struct lcap_block *block)
{
    uint64_t hash = hash_number(UINT64_C(0xCBF29CE484222325), block->kind);
    hash = hash_bytes(hash, block->payload.data, block->payload.size);
    const struct lcap_events *events = lcap_reader_events(reader);
    return events != NULL ? hash_events(hash, events) : hash;
}

/* --- making the capture ---------------------------------------------------------------------- */

static void append(struct lcap_bytes bytes)
{
    ck_assert_uint_le(intact.size + bytes.size, MAX_BYTES);
    memcpy(intact.bytes + intact.size, bytes.data, bytes.size);
    intact.size += bytes.size;
}

static struct lcap_chain chain;

static void append_numbered(struct lcap_bytes block)
{
    ck_assert_uint_lt(intact.block_count, MAX_BLOCKS);
    struct intact_block *slot = &intact.blocks[intact.block_count++];
    slot->offset = intact.size;
    append(block);
    slot->end = intact.size;
}

static void append_block(struct lcap_encoder *encoder, enum ludus_status status,
                         struct lcap_bytes block)
{
    ck_assert_int_eq(status, LUDUS_OK);
    lcap_chain_add_made(&chain, encoder);
    append_numbered(block);
}

static const struct lcap_clock tsc = {
    .ticks_per_second = 3000000000u, .step = 3, .offset = 2, .clock = 1, .source = LCAP_CLOCK_TSC};

static void add_definitions(struct lcap_encoder *encoder)
{
    const struct lcap_session session = {.clock = 1, .process_id = 9, .sources = 1};
    const struct lcap_fact fact = {{(const uint8_t *)"os", 2}, {(const uint8_t *)"some", 4}};
    const struct lcap_calibration calibration = {.tick = 5, .ns = 7};
    const struct lcap_string name = {{(const uint8_t *)"name", 4}, 1};
    const struct lcap_track track = {.track = 1, .kind = LCAP_TRACK_THREAD, .name = 1};
    const struct lcap_domain domain = {1, 1};
    struct lcap_site sites[40] = {{0}};
    struct lcap_bytes block, reason = {(const uint8_t *)"why", 3};
    size_t taken;
    for (uint32_t i = 0; i < 40; i++)
        sites[i] = (struct lcap_site){.site = i + 1, .name = 1, .line = i};
    append_block(encoder, lcap_encode_session(encoder, &session, &fact, 1, &block), block);
    intact.clock_block = intact.block_count;
    append_block(encoder, lcap_encode_clock(encoder, &tsc, reason, &block), block);
    append_block(encoder, lcap_encode_calibrations(encoder, 1, &calibration, 1, &block), block);
    append_block(encoder, lcap_encode_strings(encoder, &name, 1, &taken, &block), block);
    append_block(encoder, lcap_encode_sites(encoder, sites, 40, &block), block);
    append_block(encoder, lcap_encode_tracks(encoder, 1, &track, 1, &block), block);
    append_block(encoder, lcap_encode_domains(encoder, &domain, 1, &block), block);
}

static void add_events(struct lcap_encoder *encoder, struct random *random)
{
    enum { EVENTS = 400, PART = 50 };
    static struct lcap_open_scope open[TRACKS][MAX_DEPTH];
    static struct stream_event events[TRACKS][EVENTS];
    struct lcap_track_stream tracks[TRACKS];
    const struct stream_shape shape = {.events = EVENTS,
                                       .sites = 40,
                                       .max_depth = MAX_DEPTH,
                                       .step = 3,
                                       .first_tick = 5,
                                       .kinds = 0xFF,
                                       .max_shift = 10};
    for (uint32_t i = 0; i < TRACKS; i++) {
        stream_generate(random, &shape, events[i]);
        tracks[i] =
            (struct lcap_track_stream){.open = open[i], .open_capacity = MAX_DEPTH, .track = i + 1};
    }
    for (uint32_t part = 0; part < EVENTS; part += 2 * PART) {
        struct lcap_bytes block;
        lcap_events_start(encoder, &tsc);
        for (uint32_t i = 0; i < 2 * TRACKS; i++) {
            const struct stream_event *event = &events[i % TRACKS][part + i / TRACKS * PART];
            ck_assert_int_eq(lcap_events_segment(encoder, &tracks[i % TRACKS], 0), LUDUS_OK);
            for (uint32_t n = 0; n < PART; n++, event++)
                ck_assert_int_eq(lcap_events_add(encoder, (enum lcap_event_kind)event->kind,
                                                 event->tick, event->site, event->value),
                                 LUDUS_OK);
        }
        append_block(encoder, lcap_events_finish(encoder, &block), block);
        const struct lcap_frame_mark mark = {.domain = 1, .ordinal = part, .tick = 5};
        append_block(encoder, lcap_encode_frames(encoder, 1, &mark, 1, &block), block);
    }
}

static void make_capture(void)
{
    struct lcap_encoder *encoder;
    const struct lcap_encoder_config config = {
        .max_site = 40, .max_events = 1024, .compression_level = 3};
    const struct lcap_loss loss = {.cause = LCAP_LOSS_TOO_DEEP, .counts.scopes = 1};
    const struct lcap_end end = {.clock = 1, .reason = LCAP_END_STOPPED};
    struct random random = {3};
    struct lcap_bytes block;
    memset(&intact, 0, sizeof intact);
    ck_assert_int_eq(lcap_encoder_create(&config, &encoder), LUDUS_OK);
    append(lcap_chain_start(&chain, UINT64_C(0x1234567890ABCDEF)));
    add_definitions(encoder);
    add_events(encoder, &random);
    append_block(encoder, lcap_encode_losses(encoder, 1, &loss, 1, &block), block);
    append_block(encoder, lcap_encode_end(encoder, &end, &block), block);
    append_numbered(lcap_chain_index(&chain, encoder));
    append(lcap_chain_trailer(&chain));
    lcap_encoder_destroy(encoder);
}

static struct lcap_reader *open_bytes(const struct lcap_bytes *bytes, enum ludus_status expected)
{
    struct lcap_reader *reader;
    ck_assert_int_eq(lcap_reader_open(lcap_source_from_memory(bytes), &reader, NULL), expected);
    return reader;
}

/* Makes the capture and notes what a reader gives of it. */
static void set_up(void)
{
    make_capture();
    struct lcap_bytes bytes = {intact.bytes, intact.size};
    struct lcap_reader *reader = open_bytes(&bytes, LUDUS_OK);
    struct lcap_item item;
    size_t count = 0;
    while (lcap_reader_next(reader, true, &item) == LUDUS_OK && item.kind == LCAP_ITEM_BLOCK) {
        ck_assert_uint_eq(item.block.offset, intact.blocks[count].offset);
        intact.blocks[count].kind = item.block.kind;
        intact.blocks[count++].hash = hash_block(reader, &item.block);
    }
    ck_assert_int_eq(item.kind, LCAP_ITEM_FINISHED);
    ck_assert_uint_eq(count, intact.block_count);
    lcap_reader_close(reader);
}

/* --- reading what is left of it --------------------------------------------------------------- */

static bool is_unharmed(const struct lcap_bytes *bytes, size_t block)
{
    const struct intact_block *slot = &intact.blocks[block];
    return slot->end <= bytes->size &&
           memcmp(bytes->data + slot->offset, intact.bytes + slot->offset,
                  slot->end - slot->offset) == 0;
}

/* Whether a reader must give the block: it is unharmed, and so is what its ticks depend on. */
static bool must_be_given(const struct lcap_bytes *bytes, size_t block)
{
    return is_unharmed(bytes, block) && (intact.blocks[block].kind != LCAP_KIND_events ||
                                         is_unharmed(bytes, intact.clock_block));
}

/* Reads all of the bytes. `what` and `where` say for a failure's message what was done to them. */
static void check_reading(const struct lcap_bytes *bytes, const char *what, size_t where)
{
    struct lcap_reader *reader = open_bytes(bytes, LUDUS_OK);
    struct lcap_item item;
    enum lcap_item_kind last = LCAP_ITEM_BLOCK;
    size_t next = 0, items = 0, warnings = 0;
    enum ludus_status status;
    while ((status = lcap_reader_next(reader, true, &item)) == LUDUS_OK) {
        ck_assert_msg(++items < 2 * MAX_BLOCKS, "%s %zu: it does not end", what, where);
        last = item.kind;
        ck_assert_msg(item.kind != LCAP_ITEM_SKIPPED, "%s %zu: a block is skipped", what, where);
        warnings += item.kind == LCAP_ITEM_GAP || item.kind == LCAP_ITEM_DAMAGE ||
                    item.kind == LCAP_ITEM_UNFINISHED;
        if (item.kind != LCAP_ITEM_BLOCK)
            continue;
        while (next < intact.block_count && !must_be_given(bytes, next))
            next++;
        ck_assert_msg(next < intact.block_count && item.block.sequence == next,
                      "%s %zu: block %zu is given as %llu", what, where, next,
                      (unsigned long long)item.block.sequence);
        ck_assert_msg(hash_block(reader, &item.block) == intact.blocks[next].hash,
                      "%s %zu: block %zu is given otherwise", what, where, next);
        next++;
    }
    ck_assert_msg(status == LUDUS_END, "%s %zu: status %d", what, where, (int)status);
    ck_assert_msg(last == LCAP_ITEM_FINISHED || last == LCAP_ITEM_UNFINISHED,
                  "%s %zu: nothing is said of the end", what, where);
    ck_assert_msg(warnings != 0, "%s %zu: nothing is said of it", what, where);
    while (next < intact.block_count && !must_be_given(bytes, next))
        next++;
    ck_assert_msg(next == intact.block_count, "%s %zu: block %zu is not given", what, where, next);
    lcap_reader_close(reader);
}

START_TEST(a_cut_at_any_byte_costs_only_what_is_cut)
{
    for (size_t size = 0; size < intact.size; size++) {
        /* Memory of just that size, so that a read beyond it is found. */
        uint8_t *copy = malloc(size + 1);
        ck_assert_ptr_nonnull(copy);
        uint8_t *start = copy + 1;
        memcpy(start, intact.bytes, size);
        struct lcap_bytes bytes = {start, size};
        if (size < 8)
            ck_assert_ptr_null(open_bytes(&bytes, LUDUS_ERROR_FORMAT));
        else
            check_reading(&bytes, "cut at byte", size);
        free(copy);
    }
}
END_TEST

START_TEST(zeros_from_any_byte_on_cost_only_what_they_cover)
{
    static uint8_t copy[MAX_BYTES];
    struct lcap_bytes bytes = {copy, intact.size};
    memcpy(copy, intact.bytes, intact.size);
    for (size_t from = intact.size - 1; from >= 8; from--) {
        copy[from] = 0;
        if (from % TEST_SHARE == 0 && memcmp(copy, intact.bytes, intact.size) != 0)
            check_reading(&bytes, "zeros from byte", from);
    }
}
END_TEST

/* With sanitizers one bit of nine, which is each of a byte's in turn; without, all. */
START_TEST(a_flip_of_any_bit_is_found_and_costs_one_block)
{
    static uint8_t copy[MAX_BYTES];
    struct lcap_bytes bytes = {copy, intact.size};
    memcpy(copy, intact.bytes, intact.size);
    for (size_t bit = 0; bit < 8 * intact.size; bit += TEST_SHARE * TEST_SHARE) {
        copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
        if (bit < 64)
            ck_assert_ptr_null(open_bytes(&bytes, LUDUS_ERROR_FORMAT));
        else
            check_reading(&bytes, "flipped bit", bit);
        copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}
END_TEST

START_TEST(any_byte_may_be_put_in_or_taken_out)
{
    static uint8_t copy[MAX_BYTES + 1];
    for (size_t at = LCAP_FILE_HEADER_SIZE; at < intact.size; at += TEST_SHARE) {
        struct lcap_reader *reader;
        struct lcap_item item = {0};
        for (size_t change = 0; change <= 2; change += 2) {
            struct lcap_bytes bytes = {copy, intact.size + 1 - change};
            size_t warnings = 0, items = 0;
            memcpy(copy, intact.bytes, at);
            copy[at] = 0xA5;
            memcpy(copy + at + 1 - change / 2, intact.bytes + at + change / 2,
                   intact.size - at - change / 2);
            reader = open_bytes(&bytes, LUDUS_OK);
            while (lcap_reader_next(reader, true, &item) == LUDUS_OK) {
                warnings += item.kind == LCAP_ITEM_DAMAGE || item.kind == LCAP_ITEM_UNFINISHED;
                items += item.kind == LCAP_ITEM_BLOCK;
                if (item.kind == LCAP_ITEM_BLOCK)
                    ck_assert_uint_eq(hash_block(reader, &item.block),
                                      intact.blocks[item.block.sequence].hash);
            }
            ck_assert_uint_ne(warnings, 0);
            ck_assert_uint_le(items, intact.block_count);
            lcap_reader_close(reader);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("reader robustness");
    TCase *cases = tcase_create("damage");
    tcase_add_checked_fixture(cases, set_up, NULL);
    tcase_set_timeout(cases, 0);
    tcase_add_test(cases, a_cut_at_any_byte_costs_only_what_is_cut);
    tcase_add_test(cases, zeros_from_any_byte_on_cost_only_what_they_cover);
    tcase_add_test(cases, a_flip_of_any_bit_is_found_and_costs_one_block);
    tcase_add_test(cases, any_byte_may_be_put_in_or_taken_out);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
