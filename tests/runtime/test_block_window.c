/* The window of blocks by itself, against a plain list of what must be in it. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "block_window.h"

#define MOST_BYTES  8192u
#define MOST_BLOCKS 512u
#define START_TICK  100u

/* For what is checked millions of times: each ck_assert writes a message to a file. */
#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition))                                                                          \
            ck_abort_msg("not true: %s", #condition);                                              \
    } while (0)

/* The oldest first. */
static struct expected {
    size_t size;
    uint64_t latest_tick;
    uint8_t first_byte;
} blocks[MOST_BLOCKS];
static size_t block_count;
static uint64_t expected_from_tick;

static _Alignas(LUDUS_KEPT_ALIGN) uint8_t memory[MOST_BYTES + LUDUS_KEPT_ALIGN];
static struct ludus_block_window window;
static uint64_t tick;
static uint32_t random_state;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % limit;
}

/* What is behind the window's memory must stay as it is. */
static void start(size_t capacity)
{
    memset(memory, 0xA5, sizeof memory);
    ludus_block_window_start(&window, memory, capacity, START_TICK);
    block_count = 0;
    expected_from_tick = START_TICK;
    tick = START_TICK;
}

static void add(size_t size)
{
    static uint8_t bytes[MOST_BYTES];
    const struct expected block = {size, tick, (uint8_t)random_below(256)};
    const struct ludus_tally tally = {.counts.scopes = size, .ends = tick};
    EXPECT(block_count < MOST_BLOCKS);
    blocks[block_count++] = block;
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(block.first_byte + i);
    ludus_block_window_add(&window, bytes, size, tick, &tally);
}

static void drop(void)
{
    ludus_block_window_drop(&window);
    expected_from_tick = blocks[0].latest_tick + 1;
    memmove(blocks, blocks + 1, --block_count * sizeof blocks[0]);
}

static void expect_block(struct ludus_kept_block *kept, const struct expected *block)
{
    const uint8_t *bytes = ludus_kept_bytes(kept);
    EXPECT(kept->size == block->size && kept->latest_tick == block->latest_tick);
    EXPECT(kept->tally.counts.scopes == block->size && kept->tally.ends == block->latest_tick);
    EXPECT((uintptr_t)kept % LUDUS_KEPT_ALIGN == 0);
    EXPECT(bytes + block->size <= memory + window.capacity);
    for (size_t i = 0; i < block->size; i++)
        EXPECT(bytes[i] == (uint8_t)(block->first_byte + i));
}

static void expect_all(void)
{
    struct ludus_kept_block *kept;
    uint64_t position = 0;
    size_t found = 0;
    while ((kept = ludus_block_window_at(&window, &position)) != NULL) {
        EXPECT(found < block_count);
        expect_block(kept, &blocks[found++]);
        position += kept->room;
    }
    EXPECT(found == block_count);
    EXPECT(position == window.head);
    EXPECT((block_count == 0) == (window.tail == window.head));
    EXPECT(window.from_tick == expected_from_tick);
    for (size_t i = window.capacity; i < sizeof memory; i++)
        EXPECT(memory[i] == 0xA5);
}

START_TEST(a_new_window_is_empty_and_whole_from_its_start)
{
    uint64_t position = 0;
    start(1000);
    expect_all();
    ck_assert_ptr_null(ludus_block_window_at(&window, &position));
    ck_assert_uint_eq(window.from_tick, START_TICK);
}
END_TEST

START_TEST(blocks_of_all_sizes_come_back_as_they_were_however_often_the_ring_turns)
{
    random_state = (uint32_t)_i;
    const uint32_t capacity = 512 + random_below(MOST_BYTES - 512);
    const uint32_t overhead = (uint32_t)sizeof(struct ludus_kept_block) + LUDUS_KEPT_ALIGN;
    const uint32_t largest = 1 + random_below(capacity - overhead);
    start(capacity);
    for (int turn = 0; turn < 1000; turn++) {
        const size_t size = random_below(largest + 1);
        tick += random_below(3); /* blocks of one pass have one tick */
        while (!ludus_block_window_fits(&window, size))
            drop();
        add(size);
        expect_all();
        for (uint32_t drops = random_below(8) == 0 ? random_below(10) : 0;
             drops > 0 && block_count > 0; drops--) {
            drop();
            expect_all();
        }
    }
}
END_TEST

START_TEST(a_block_as_large_as_the_window_fits_once_it_is_empty)
{
    const size_t capacity = 1024;
    const size_t largest = capacity - sizeof(struct ludus_kept_block);
    start(capacity);
    for (int turn = 0; turn < 5; turn++) {
        ck_assert(ludus_block_window_fits(&window, largest));
        ck_assert(!ludus_block_window_fits(&window, largest + 1));
        add(largest);
        expect_all();
        ck_assert(!ludus_block_window_fits(&window, 0));
        drop();
        expect_all();
        add(10 * (size_t)turn); /* leaves the head somewhere in the middle */
        ck_assert(!ludus_block_window_fits(&window, largest));
        drop();
        expect_all();
    }
}
END_TEST

START_TEST(a_position_in_what_was_dropped_moves_to_the_oldest_block)
{
    uint64_t position = 0;
    start(1024);
    for (int i = 0; i < 3; i++)
        add(64);
    drop();
    expect_block(ludus_block_window_at(&window, &position), &blocks[0]);
    ck_assert_uint_eq(position, window.tail);
    drop();
    drop();
    ck_assert_ptr_null(ludus_block_window_at(&window, &position));
    add(8);
    expect_block(ludus_block_window_at(&window, &position), &blocks[0]);
}
END_TEST

START_TEST(dropping_never_moves_the_beginning_back)
{
    start(1024);
    tick = 50; /* such as what was read of a time before the start */
    add(16);
    ludus_block_window_drop(&window);
    ck_assert_uint_eq(window.from_tick, START_TICK);
    tick = START_TICK;
    add(16);
    ludus_block_window_drop(&window);
    ck_assert_uint_eq(window.from_tick, START_TICK + 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("block window");
    TCase *cases = tcase_create("block window");
    tcase_add_test(cases, a_new_window_is_empty_and_whole_from_its_start);
    tcase_add_loop_test(
        cases, blocks_of_all_sizes_come_back_as_they_were_however_often_the_ring_turns, 0, 40);
    tcase_add_test(cases, a_block_as_large_as_the_window_fits_once_it_is_empty);
    tcase_add_test(cases, a_position_in_what_was_dropped_moves_to_the_oldest_block);
    tcase_add_test(cases, dropping_never_moves_the_beginning_back);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
