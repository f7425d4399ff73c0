/* The events blocks of the window: which they are, and their events, decoded once. */
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "live.h"

/* Blocks that are remembered: at the least flush interval of 1 ms, those of a minute. */
#define MAX_BLOCKS 65536u
/* Decoded events that are kept, about 14 million. */
#define MAX_BYTES (UINT64_C(256) << 20)

static int64_t last_ns(struct trace_live *live, const struct trace_live_block *block)
{
    return trace_live_ns(live, block->clock, block->last_tick);
}

/* Forgets the first `count` blocks. */
static void drop_first(struct trace_live_blocks *blocks, uint32_t count)
{
    if (count == 0)
        return;
    for (uint32_t i = 0; i < count; i++)
        free(blocks->items[i].events);
    blocks->count -= count;
    memmove(blocks->items, blocks->items + count, blocks->count * sizeof *blocks->items);
}

void trace_live_release_blocks(struct trace_live_blocks *blocks)
{
    drop_first(blocks, blocks->count);
    free(blocks->items);
}

/* What was known before block `index` is given up. */
static void give_up(struct trace_live *live, uint32_t index)
{
    struct trace_live_blocks *blocks = &live->blocks;
    int64_t until_ns = last_ns(live, &blocks->items[index - 1]);
    if (until_ns > blocks->known_from_ns)
        blocks->known_from_ns = until_ns;
    drop_first(blocks, index);
}

bool trace_live_take_events(struct trace_live *live, const struct lcap_block *block)
{
    struct trace_live_blocks *blocks = &live->blocks;
    struct lcap_events_header header;
    (void)lcap_read_events_header(block, &header);
    trace_capture_note_events(live->capture, &header);
    if (live->capture->start_clock == 0)
        live->is_clock_set = false; /* time zero may be this block's */
    const struct lcap_clock *clock = lcap_reader_clock(live->capture->reader, header.clock);
    if (blocks->items == NULL)
        blocks->items = malloc(2 * MAX_BLOCKS * sizeof *blocks->items);
    if (blocks->items == NULL)
        return false;
    if (blocks->count == 2 * MAX_BLOCKS)
        give_up(live, MAX_BLOCKS);
    blocks->items[blocks->count++] = (struct trace_live_block){
        .offset = block->offset,
        .last_tick = clock == NULL ? 0 : clock->offset + header.last_step * clock->step,
        .clock = header.clock};
    return true;
}

/* --- decoding -------------------------------------------------------------------------------- */

static uint32_t count_values(const struct lcap_events *events)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < events->header.event_count; i++)
        count += lcap_event_has_value(events->table[events->symbols[i]].kind);
    return count;
}

/* Copies an array behind what is used of the memory. */
static const void *put_array(uint8_t **at, const void *items, size_t count, size_t item_size)
{
    void *copy = *at;
    if (count != 0)
        memcpy(copy, items, count * item_size);
    *at += count * item_size;
    return copy;
}

/* The decoder's memory serves the next block: keeps a copy, in one piece, the arrays with the
 * strictest alignment first. False when there is no memory. */
static bool keep_events(struct trace_live_block *block, const struct lcap_events *events)
{
    const struct lcap_events_header *header = &events->header;
    const uint32_t values = count_values(events);
    const size_t symbols = (size_t)header->symbol_count + 1;
    block->size_bytes = sizeof *events + header->segment_count * sizeof *events->segments +
                        header->open_count * sizeof *events->open +
                        (header->event_count + (size_t)values) * sizeof *events->ticks +
                        symbols * sizeof *events->table +
                        header->event_count * sizeof *events->symbols;
    block->events = malloc(block->size_bytes);
    if (block->events == NULL)
        return false;
    uint8_t *at = (uint8_t *)(block->events + 1);
    *block->events = (struct lcap_events){.header = *header};
    block->events->segments =
        put_array(&at, events->segments, header->segment_count, sizeof *events->segments);
    block->events->open = put_array(&at, events->open, header->open_count, sizeof *events->open);
    block->events->ticks =
        put_array(&at, events->ticks, header->event_count, sizeof *events->ticks);
    block->events->values = put_array(&at, events->values, values, sizeof *events->values);
    block->events->table = put_array(&at, events->table, symbols, sizeof *events->table);
    block->events->symbols =
        put_array(&at, events->symbols, header->event_count, sizeof *events->symbols);
    return true;
}

/* `*is_faulty`: the block is damage, and no longer among the blocks. */
static enum ludus_status decode(struct trace_live *live, uint32_t index, bool *is_faulty,
                                struct ludus_error *error)
{
    struct trace_live_blocks *blocks = &live->blocks;
    struct lcap_reader *reader = live->capture->reader;
    struct lcap_item item;
    enum ludus_status status = lcap_reader_read(reader, blocks->items[index].offset, &item);
    if (status != LUDUS_OK)
        return trace_capture_fail(live->capture, status, error);
    const struct lcap_events *events = lcap_reader_events(reader);
    *is_faulty = events == NULL;
    if (!*is_faulty)
        return keep_events(&blocks->items[index], events) ? LUDUS_OK : trace_fail_memory(error);
    blocks->count--;
    memmove(blocks->items + index, blocks->items + index + 1,
            (blocks->count - index) * sizeof *blocks->items);
    return trace_live_add_damage(live, item.offset, item.size, lcap_damage_name(item.reason))
               ? LUDUS_OK
               : trace_fail_memory(error);
}

/* --- the window ------------------------------------------------------------------------------ */

/* The end of the recording, or the last time known. */
static int64_t find_end(struct trace_live *live)
{
    const struct trace_model *model = live->capture->model;
    int64_t end_ns = trace_live_last_mark(live);
    if (live->has_ended)
        return trace_live_ns(live, live->end.clock, live->end.stop_tick);
    for (uint32_t i = 0; i < live->blocks.count; i++) {
        int64_t time_ns = last_ns(live, &live->blocks.items[i]);
        end_ns = time_ns > end_ns ? time_ns : end_ns;
    }
    for (uint32_t i = 0; i < live->track_count; i++) {
        const struct lcap_track *track = &live->tracks[i];
        if (track->track == 0 || !model->tracks[i].has_ended)
            continue;
        int64_t time_ns = trace_live_ns(live, track->clock, track->end_tick);
        end_ns = time_ns > end_ns ? time_ns : end_ns;
    }
    return end_ns > 0 ? end_ns : 0;
}

/* Where the capture begins: what a part of a recording leaves out is not known to be empty. */
static int64_t find_begin(struct trace_live *live)
{
    const struct lcap_window *part = &live->capture->window;
    int64_t begin_ns = part->clock != 0 ? trace_live_ns(live, part->clock, part->from_tick) : 0;
    return begin_ns > 0 ? begin_ns : 0;
}

static void set_window(struct trace_live *live)
{
    struct trace_live_blocks *blocks = &live->blocks;
    live->end_ns = find_end(live);
    live->first_ns = find_begin(live);
    live->begin_ns = live->end_ns - live->length_ns;
    if (live->begin_ns < live->first_ns)
        live->begin_ns = live->first_ns;
    if (live->begin_ns < blocks->known_from_ns)
        live->begin_ns = blocks->known_from_ns;
    if (live->begin_ns > live->end_ns)
        live->begin_ns = live->end_ns;
    for (blocks->first = 0; blocks->first < blocks->count; blocks->first++)
        if (last_ns(live, &blocks->items[blocks->first]) >= live->begin_ns)
            break;
}

/* Decodes from the last block back to the first of the window, so that those are there for which
 * there is room. `*is_changed`: the window is another one by that. */
static enum ludus_status decode_window(struct trace_live *live, bool *is_changed,
                                       struct ludus_error *error)
{
    struct trace_live_blocks *blocks = &live->blocks;
    uint64_t bytes = 0;
    enum ludus_status status = LUDUS_OK;
    *is_changed = false;
    for (uint32_t i = blocks->count; status == LUDUS_OK && i-- > blocks->first && !*is_changed;) {
        if (blocks->items[i].events == NULL)
            status = decode(live, i, is_changed, error);
        if (status != LUDUS_OK || *is_changed)
            break;
        bytes += blocks->items[i].size_bytes;
        *is_changed = bytes > MAX_BYTES && i + 1 < blocks->count;
        if (*is_changed)
            give_up(live, i + 1);
    }
    return status;
}

/* Blocks before the window go; the last of them stay for a while, without their events. */
static void forget_old(struct trace_live *live)
{
    struct trace_live_blocks *blocks = &live->blocks;
    uint32_t old = 0;
    for (uint32_t i = 0; i < blocks->first; i++) {
        free(blocks->items[i].events);
        blocks->items[i].events = NULL;
    }
    while (old < blocks->first &&
           last_ns(live, &blocks->items[old]) < live->begin_ns - TRACE_LIVE_SLACK_NS)
        old++;
    drop_first(blocks, old);
    blocks->first -= old;
}

enum ludus_status trace_live_load_window(struct trace_live *live, struct ludus_error *error)
{
    bool is_changed = true;
    while (is_changed) {
        set_window(live);
        enum ludus_status status = decode_window(live, &is_changed, error);
        if (status != LUDUS_OK)
            return status;
    }
    forget_old(live);
    return LUDUS_OK;
}
