/* Fuzzes the reader of captures: whatever the bytes are, it ends, stays within its memory, and what
 * it calls good keeps the rules that those who use it rely on. */
#include <stdlib.h>

#include "fuzz_mutate.h"
#include "lcap_decode.h"

/* A broken rule is a crash that the fuzzer reports. */
static void require(bool condition)
{
    if (!condition)
        abort();
}

/* Touches every byte. */
static void use_bytes(struct lcap_bytes bytes)
{
    static volatile uint8_t sink;
    uint8_t all = 0;
    for (size_t i = 0; i < bytes.size; i++)
        all |= bytes.data[i];
    sink = sink | all;
}

static void check_segment(const struct lcap_events *events, const struct lcap_segment *segment,
                          uint32_t *kinds, const uint64_t **value)
{
    uint64_t tick = segment->start_tick;
    uint64_t begin = 0;
    uint32_t depth = segment->open_count;
    require(segment->track != 0 && segment->event_count + segment->open_count != 0);
    for (uint32_t i = 0; i < segment->open_count; i++) {
        const struct lcap_open_scope *scope = &events->open[segment->first_open + i];
        require(scope->site != 0 && begin <= scope->begin_tick && scope->begin_tick <= tick);
        require(scope->children_ticks <= tick - scope->begin_tick);
        begin = scope->begin_tick;
    }
    for (uint32_t i = 0; i < segment->event_count; i++) {
        uint32_t index = segment->first_event + i;
        require(events->symbols[index] <= events->header.symbol_count);
        const struct lcap_symbol *symbol = &events->table[events->symbols[index]];
        require(events->ticks[index] >= tick && (i != 0 || events->ticks[index] == tick));
        tick = events->ticks[index];
        require(symbol->kind != LCAP_EVENT_END || depth-- != 0);
        depth += symbol->kind == LCAP_EVENT_BEGIN;
        require(depth <= LCAP_MAX_EVENTS);
        *kinds |= 1u << symbol->kind;
        if (lcap_event_has_value(symbol->kind))
            use_bytes((struct lcap_bytes){(const uint8_t *)(*value)++, sizeof **value});
    }
}

static void check_events(const struct lcap_events *events)
{
    const uint64_t *value = events->values;
    uint32_t count = 0, open = 0, kinds = 0;
    for (uint32_t i = 0; i < events->header.segment_count; i++) {
        const struct lcap_segment *segment = &events->segments[i];
        require(segment->first_event == count && segment->first_open == open);
        check_segment(events, segment, &kinds, &value);
        count += segment->event_count;
        open += segment->open_count;
    }
    require(count == events->header.event_count && open == events->header.open_count);
    require(kinds == events->header.kinds);
}

/* Goes through the records of a good block, none of which may have a problem. */
static void check_records(const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    union {
        struct lcap_calibration calibration;
        struct lcap_category category;
        struct lcap_site site;
        struct lcap_track track;
        struct lcap_domain domain;
        struct lcap_frame_mark mark;
        struct lcap_loss loss;
        struct lcap_sched sample;
        struct lcap_gpu_frame gpu_frame;
        struct lcap_gpu_pass gpu_pass;
        struct lcap_gpu_count gpu_count;
        struct lcap_gpu_calibration gpu_calibration;
        struct lcap_lost lost;
        struct lcap_index_entry entry;
    } record;
    struct lcap_fact fact;
    struct lcap_string string;
    struct lcap_diagnostic diagnostic;
    struct lcap_trigger trigger;
    struct lcap_gpu_queue queue;
    switch ((enum lcap_block_kind)block->kind) {
    case LCAP_KIND_session:
        while (lcap_next_fact(&records, &fact)) {
            use_bytes(fact.key);
            use_bytes(fact.value);
        }
        break;
    case LCAP_KIND_strings:
        while (lcap_next_string(&records, &string))
            use_bytes(string.bytes);
        break;
    case LCAP_KIND_diagnostics:
        while (lcap_next_diagnostic(&records, &diagnostic))
            use_bytes(diagnostic.text);
        break;
    case LCAP_KIND_calibrations:
        while (lcap_next_calibration(&records, &record.calibration))
            continue;
        break;
    case LCAP_KIND_categories:
        while (lcap_next_category(&records, &record.category))
            require(record.category.name != 0);
        break;
    case LCAP_KIND_sites:
        while (lcap_next_site(&records, &record.site))
            require(record.site.name != 0);
        break;
    case LCAP_KIND_tracks:
        while (lcap_next_track(&records, &record.track))
            require(lcap_track_kind_name(record.track.kind) != NULL);
        break;
    case LCAP_KIND_domains:
        while (lcap_next_domain(&records, &record.domain))
            continue;
        break;
    case LCAP_KIND_frames:
        while (lcap_next_frame_mark(&records, &record.mark))
            continue;
        break;
    case LCAP_KIND_losses:
        while (lcap_next_loss(&records, &record.loss))
            require(record.loss.first_tick <= record.loss.last_tick);
        break;
    case LCAP_KIND_sched:
        while (lcap_next_sched(&records, &record.sample))
            require(record.sample.from_tick < record.sample.to_tick);
        break;
    case LCAP_KIND_triggers:
        while (lcap_next_trigger(&records, &trigger))
            use_bytes(trigger.text);
        break;
    case LCAP_KIND_gpu_queues:
        while (lcap_next_gpu_queue(&records, &queue)) {
            use_bytes(queue.backend);
            use_bytes(queue.device);
            use_bytes(queue.queue);
            use_bytes(queue.pass_reason);
            use_bytes(queue.calibration_reason);
        }
        break;
    case LCAP_KIND_gpu_frames:
        while (lcap_next_gpu_frame(&records, &record.gpu_frame))
            require(record.gpu_frame.time.outcome != 0);
        break;
    case LCAP_KIND_gpu_passes:
        while (lcap_next_gpu_pass(&records, &record.gpu_pass))
            require(record.gpu_pass.logical_passes != 0);
        break;
    case LCAP_KIND_gpu_counts:
        while (lcap_next_gpu_count(&records, &record.gpu_count))
            require(record.gpu_count.subject != 0);
        break;
    case LCAP_KIND_gpu_calibrations:
        while (lcap_next_gpu_calibration(&records, &record.gpu_calibration))
            require(record.gpu_calibration.mapping != 0);
        break;
    case LCAP_KIND_lost:
        while (lcap_next_lost(&records, &record.lost))
            require(record.lost.begin_ns <= record.lost.end_ns);
        break;
    case LCAP_KIND_index:
        while (lcap_next_index_entry(&records, &record.entry))
            continue;
        break;
    case LCAP_KIND_clock:
    case LCAP_KIND_events:
    case LCAP_KIND_end:
    case LCAP_KIND_window:
    case LCAP_KIND_repair:
        return;
    }
    require(records.problem == LCAP_DAMAGE_NONE);
}

static void check_single(const struct lcap_block *block)
{
    struct lcap_session session;
    struct lcap_clock clock;
    struct lcap_end end;
    struct lcap_window window;
    struct lcap_repair repair;
    struct lcap_bytes reason;
    uint64_t previous;
    if (block->kind == LCAP_KIND_session)
        require(lcap_read_session(block, &session) == LCAP_DAMAGE_NONE);
    if (block->kind == LCAP_KIND_window)
        require(lcap_read_window(block, &window) == LCAP_DAMAGE_NONE);
    if (block->kind == LCAP_KIND_repair)
        require(lcap_read_repair(block, &repair) == LCAP_DAMAGE_NONE);
    if (block->kind == LCAP_KIND_end)
        require(lcap_read_end(block, &end) == LCAP_DAMAGE_NONE);
    if (block->kind == LCAP_KIND_index)
        require(lcap_read_index_previous(block, &previous) == LCAP_DAMAGE_NONE);
    if (block->kind == LCAP_KIND_clock) {
        require(lcap_read_clock(block, &clock, &reason) == LCAP_DAMAGE_NONE);
        require(clock.step != 0 && clock.offset < clock.step);
        use_bytes(reason);
    }
}

/* Walks over all of the bytes. Items follow each other without holes. */
static void walk(const struct lcap_bytes *bytes, bool decode_events)
{
    struct lcap_reader *reader;
    struct lcap_item item;
    struct ludus_error error;
    uint64_t place = bytes->size < LCAP_FILE_HEADER_SIZE ? 0 : LCAP_FILE_HEADER_SIZE;
    bool is_over = false;
    if (lcap_reader_open(lcap_source_from_memory(bytes), &reader, &error) != LUDUS_OK)
        return;
    while (lcap_reader_next(reader, decode_events, &item) == LUDUS_OK) {
        require(!is_over);
        is_over = item.kind == LCAP_ITEM_FINISHED || item.kind == LCAP_ITEM_UNFINISHED;
        if (item.kind == LCAP_ITEM_DAMAGE && item.reason == LCAP_DAMAGE_FILE_HEADER)
            continue;
        require(item.offset == place && item.size <= bytes->size);
        place += item.kind == LCAP_ITEM_FINISHED ? LCAP_TRAILER_SIZE : item.size;
        if (item.kind != LCAP_ITEM_BLOCK)
            continue;
        check_records(&item.block);
        check_single(&item.block);
        if (item.block.kind == LCAP_KIND_events && decode_events) {
            require(lcap_reader_events(reader) != NULL);
            check_events(lcap_reader_events(reader));
        }
    }
    require(is_over && place == bytes->size);
    lcap_reader_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct lcap_bytes bytes = {data, size};
    walk(&bytes, true);
    walk(&bytes, false);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed)
{
    return fuzz_mutate_capture(data, size, capacity, seed);
}
