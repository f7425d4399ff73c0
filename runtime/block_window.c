/* Keeps blocks in a ring of bytes, each in one piece. */
#include "block_window.h"

#include <assert.h>
#include <string.h>

static_assert(sizeof(struct ludus_kept_block) % LUDUS_KEPT_ALIGN == 0,
              "blocks stand at multiples of the alignment");

static size_t room_for(size_t size)
{
    const size_t room = sizeof(struct ludus_kept_block) + size;
    return (room + LUDUS_KEPT_ALIGN - 1) / LUDUS_KEPT_ALIGN * LUDUS_KEPT_ALIGN;
}

static size_t left_at(const struct ludus_block_window *window, uint64_t position)
{
    return window->capacity - (size_t)(position % window->capacity);
}

/* Where a block that takes `room` goes: not across the memory's end. */
static uint64_t place_for(const struct ludus_block_window *window, size_t room)
{
    const size_t left = left_at(window, window->head);
    return left < room ? window->head + left : window->head;
}

static struct ludus_kept_block *kept_at(const struct ludus_block_window *window, uint64_t position)
{
    return (struct ludus_kept_block *)(void *)(window->memory + position % window->capacity);
}

void ludus_block_window_start(struct ludus_block_window *window, void *memory, size_t capacity,
                              uint64_t from_tick)
{
    *window =
        (struct ludus_block_window){.memory = memory,
                                    .capacity = capacity / LUDUS_KEPT_ALIGN * LUDUS_KEPT_ALIGN,
                                    .from_tick = from_tick};
}

bool ludus_block_window_fits(const struct ludus_block_window *window, size_t size)
{
    const size_t room = room_for(size);
    return place_for(window, room) + room - window->tail <= window->capacity;
}

void ludus_block_window_add(struct ludus_block_window *window, const void *block, size_t size,
                            uint64_t latest_tick, const struct ludus_tally *tally)
{
    const size_t room = room_for(size);
    const uint64_t place = place_for(window, room);
    if (place != window->head && left_at(window, window->head) >= sizeof(struct ludus_kept_block))
        kept_at(window, window->head)->room = 0; /* the rest up to the end is empty */
    struct ludus_kept_block *kept = kept_at(window, place);
    *kept = (struct ludus_kept_block){
        .latest_tick = latest_tick,
        .tally = *tally,
        .size = (uint32_t)size,
        .room = (uint32_t)room,
    };
    memcpy(kept + 1, block, size);
    window->head = place + room;
}

struct ludus_kept_block *ludus_block_window_at(const struct ludus_block_window *window,
                                               uint64_t *position)
{
    if (*position < window->tail)
        *position = window->tail;
    const size_t left = left_at(window, *position);
    if (*position < window->head &&
        (left < sizeof(struct ludus_kept_block) || kept_at(window, *position)->room == 0))
        *position += left;
    return *position < window->head ? kept_at(window, *position) : NULL;
}

void ludus_block_window_drop(struct ludus_block_window *window)
{
    const struct ludus_kept_block *kept = ludus_block_window_at(window, &window->tail);
    if (kept->latest_tick >= window->from_tick)
        window->from_tick = kept->latest_tick + 1;
    window->tail += kept->room;
    if (ludus_block_window_at(window, &window->tail) == NULL) /* empty: begin at the start again */
        window->head = window->tail += left_at(window, window->tail);
}
