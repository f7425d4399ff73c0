/* Decodes the blocks of records: everything but events. */
#include "decode_fields.h"

static struct lcap_counts load_counts(const uint8_t *at)
{
    return (struct lcap_counts){.scopes = lcap_load_u64(at),
                                .instants = lcap_load_u64(at + 8),
                                .frames = lcap_load_u64(at + 16),
                                .flows = lcap_load_u64(at + 24),
                                .gauges = lcap_load_u64(at + 32)};
}

/* Whether blocks of records of the kind name a clock. */
static bool has_ticks(uint32_t kind)
{
    return kind == LCAP_KIND_calibrations || kind == LCAP_KIND_tracks || kind == LCAP_KIND_frames ||
           kind == LCAP_KIND_losses || kind == LCAP_KIND_diagnostics || kind == LCAP_KIND_sched ||
           kind == LCAP_KIND_triggers || kind == LCAP_KIND_gpu_frames ||
           kind == LCAP_KIND_gpu_passes;
}

struct lcap_records lcap_records_of(const struct lcap_block *block)
{
    const uint8_t *at = block->payload.data;
    size_t size = block->payload.size;
    bool is_index = block->kind == LCAP_KIND_index;
    size_t head = block->kind == LCAP_KIND_session ? 32 : is_index ? 16 : 8;
    struct lcap_records records = {.end = at + size};
    if (size < head) {
        records.problem = LCAP_DAMAGE_PAYLOAD_LAYOUT;
        return records;
    }
    records.at = at + head;
    if (block->kind == LCAP_KIND_session) {
        records.left = lcap_load_u32(at + 28);
        return records;
    }
    records.left = lcap_load_u32(at);
    uint32_t clock = lcap_load_u32(at + 4); /* reserved in an index */
    records.clock = clock;
    if ((clock != 0) != has_ticks(block->kind) || (records.left == 0 && !is_index))
        records.problem = LCAP_DAMAGE_PAYLOAD_VALUE;
    return records;
}

bool lcap_next_fact(struct lcap_records *records, struct lcap_fact *fact)
{
    if (!has_record(records, 8))
        return false;
    uint32_t key_size = lcap_load_u32(records->at);
    uint32_t value_size = lcap_load_u32(records->at + 4);
    records->at += 8;
    return take_bytes(records, key_size, &fact->key) &&
           take_bytes(records, value_size, &fact->value);
}

bool lcap_next_calibration(struct lcap_records *records, struct lcap_calibration *calibration)
{
    if (!has_record(records, LCAP_RECORD_SIZE_calibrations))
        return false;
    const uint8_t *at = records->at;
    calibration->tick = lcap_load_u64(at);
    calibration->ns = (int64_t)lcap_load_u64(at + 8);
    calibration->uncertainty_ns = lcap_load_u32(at + 16);
    calibration->clock = records->clock;
    if (lcap_load_u32(at + 20) != 0)
        return fail(records, LCAP_DAMAGE_PAYLOAD_VALUE);
    records->at += LCAP_RECORD_SIZE_calibrations;
    return true;
}

bool lcap_next_string(struct lcap_records *records, struct lcap_string *string)
{
    if (!has_record(records, 8))
        return false;
    string->string = lcap_load_u32(records->at);
    uint32_t size = lcap_load_u32(records->at + 4);
    records->at += 8;
    if (!take_bytes(records, size, &string->bytes))
        return false;
    return string->string != 0 || fail(records, LCAP_DAMAGE_PAYLOAD_VALUE);
}

bool lcap_next_category(struct lcap_records *records, struct lcap_category *category)
{
    if (!has_record(records, LCAP_RECORD_SIZE_categories))
        return false;
    const uint8_t *at = records->at;
    category->category = lcap_load_u32(at);
    category->name = lcap_load_u32(at + 4);
    category->colour = lcap_load_u32(at + 8);
    category->flags = lcap_load_u32(at + 12);
    records->at += LCAP_RECORD_SIZE_categories;
    if (category->category == 0 || category->name == 0 || category->flags > 1 ||
        (category->colour > 0xFFFFFFu && category->colour != LCAP_NO_COLOUR))
        return fail(records, LCAP_DAMAGE_PAYLOAD_VALUE);
    return true;
}

bool lcap_next_site(struct lcap_records *records, struct lcap_site *site)
{
    if (!has_record(records, LCAP_RECORD_SIZE_sites))
        return false;
    const uint8_t *at = records->at;
    site->site = lcap_load_u32(at);
    site->name = lcap_load_u32(at + 4);
    site->file = lcap_load_u32(at + 8);
    site->function = lcap_load_u32(at + 12);
    site->line = lcap_load_u32(at + 16);
    site->category = lcap_load_u32(at + 20);
    records->at += LCAP_RECORD_SIZE_sites;
    if (site->site == 0 || site->name == 0)
        return fail(records, LCAP_DAMAGE_PAYLOAD_VALUE);
    return true;
}

bool lcap_next_track(struct lcap_records *records, struct lcap_track *track)
{
    if (!has_record(records, LCAP_RECORD_SIZE_tracks))
        return false;
    const uint8_t *at = records->at;
    track->track = lcap_load_u32(at);
    track->kind = lcap_load_u32(at + 4);
    track->os_id = lcap_load_u64(at + 8);
    track->begin_tick = lcap_load_u64(at + 16);
    track->end_tick = lcap_load_u64(at + 24);
    track->name = lcap_load_u32(at + 32);
    track->clock = records->clock;
    records->at += LCAP_RECORD_SIZE_tracks;
    if (track->track == 0 || lcap_track_kind_name(track->kind) == NULL ||
        lcap_load_u32(at + 36) != 0)
        return fail(records, LCAP_DAMAGE_PAYLOAD_VALUE);
    return true;
}

bool lcap_next_domain(struct lcap_records *records, struct lcap_domain *domain)
{
    if (!has_record(records, LCAP_RECORD_SIZE_domains))
        return false;
    domain->domain = lcap_load_u32(records->at);
    domain->name = lcap_load_u32(records->at + 4);
    records->at += LCAP_RECORD_SIZE_domains;
    if (domain->domain == 0 || domain->name == 0)
        return fail(records, LCAP_DAMAGE_PAYLOAD_VALUE);
    return true;
}

bool lcap_next_frame_mark(struct lcap_records *records, struct lcap_frame_mark *mark)
{
    if (!has_record(records, LCAP_RECORD_SIZE_frames))
        return false;
    const uint8_t *at = records->at;
    mark->domain = lcap_load_u32(at);
    mark->track = lcap_load_u32(at + 4);
    mark->ordinal = lcap_load_u64(at + 8);
    mark->tick = lcap_load_u64(at + 16);
    mark->clock = records->clock;
    records->at += LCAP_RECORD_SIZE_frames;
    return mark->domain != 0 || fail(records, LCAP_DAMAGE_PAYLOAD_VALUE);
}

bool lcap_next_loss(struct lcap_records *records, struct lcap_loss *loss)
{
    if (!has_record(records, LCAP_RECORD_SIZE_losses))
        return false;
    const uint8_t *at = records->at;
    loss->track = lcap_load_u32(at);
    loss->cause = lcap_load_u32(at + 4);
    loss->counts = load_counts(at + 8);
    loss->first_tick = lcap_load_u64(at + 48);
    loss->last_tick = lcap_load_u64(at + 56);
    loss->clock = records->clock;
    records->at += LCAP_RECORD_SIZE_losses;
    if (loss->cause == 0 || loss->last_tick < loss->first_tick)
        return fail(records, LCAP_DAMAGE_PAYLOAD_VALUE);
    return true;
}

bool lcap_next_diagnostic(struct lcap_records *records, struct lcap_diagnostic *diagnostic)
{
    if (!has_record(records, 32))
        return false;
    const uint8_t *at = records->at;
    diagnostic->code = lcap_load_u32(at);
    diagnostic->track = lcap_load_u32(at + 4);
    diagnostic->tick = lcap_load_u64(at + 8);
    diagnostic->count = lcap_load_u64(at + 16);
    diagnostic->clock = records->clock;
    records->at += 32;
    if (!take_bytes(records, lcap_load_u32(at + 24), &diagnostic->text))
        return false;
    if (diagnostic->code == 0 || lcap_load_u32(at + 28) != 0)
        return fail(records, LCAP_DAMAGE_PAYLOAD_VALUE);
    return true;
}

bool lcap_next_sched(struct lcap_records *records, struct lcap_sched *sample)
{
    if (!has_record(records, LCAP_RECORD_SIZE_sched))
        return false;
    const uint8_t *at = records->at;
    sample->track = lcap_load_u32(at);
    sample->processors = lcap_load_u32(at + 4);
    sample->from_tick = lcap_load_u64(at + 8);
    sample->to_tick = lcap_load_u64(at + 16);
    sample->run_ns = lcap_load_u64(at + 24);
    sample->wait_ns = lcap_load_u64(at + 32);
    sample->clock = records->clock;
    records->at += LCAP_RECORD_SIZE_sched;
    if (sample->to_tick <= sample->from_tick || sample->processors == 0 ||
        (sample->track != 0 && sample->processors != 1))
        return fail(records, LCAP_DAMAGE_PAYLOAD_VALUE);
    return true;
}

bool lcap_next_trigger(struct lcap_records *records, struct lcap_trigger *trigger)
{
    if (!has_record(records, 48))
        return false;
    const uint8_t *at = records->at;
    trigger->cause = lcap_load_u32(at);
    trigger->domain = lcap_load_u32(at + 4);
    trigger->tick = lcap_load_u64(at + 8);
    trigger->ordinal = lcap_load_u64(at + 16);
    trigger->duration_ticks = lcap_load_u64(at + 24);
    trigger->limit_ticks = lcap_load_u64(at + 32);
    trigger->clock = records->clock;
    records->at += 48;
    if (!take_bytes(records, lcap_load_u32(at + 40), &trigger->text))
        return false;
    if (trigger->cause == 0 || lcap_load_u32(at + 44) != 0)
        return fail(records, LCAP_DAMAGE_PAYLOAD_VALUE);
    return true;
}

bool lcap_next_lost(struct lcap_records *records, struct lcap_lost *lost)
{
    if (!has_record(records, LCAP_RECORD_SIZE_lost))
        return false;
    const uint8_t *at = records->at;
    lost->track = lcap_load_u32(at);
    lost->events = lcap_load_u64(at + 8);
    lost->begin_ns = (int64_t)lcap_load_u64(at + 16);
    lost->end_ns = (int64_t)lcap_load_u64(at + 24);
    records->at += LCAP_RECORD_SIZE_lost;
    if (lost->end_ns < lost->begin_ns || lcap_load_u32(at + 4) != 0)
        return fail(records, LCAP_DAMAGE_PAYLOAD_VALUE);
    return true;
}

bool lcap_next_index_entry(struct lcap_records *records, struct lcap_index_entry *entry)
{
    if (!has_record(records, 40))
        return false;
    const uint8_t *at = records->at;
    entry->offset = lcap_load_u64(at);
    entry->kind = lcap_load_u32(at + 8);
    entry->events = lcap_load_u32(at + 12);
    entry->first_step = lcap_load_u64(at + 16);
    entry->last_step = lcap_load_u64(at + 24);
    entry->clock = lcap_load_u32(at + 32);
    records->at += 40;
    return lcap_load_u32(at + 36) == 0 || fail(records, LCAP_DAMAGE_PAYLOAD_VALUE);
}

enum lcap_damage lcap_read_index_previous(const struct lcap_block *block, uint64_t *previous)
{
    if (block->payload.size < 16)
        return LCAP_DAMAGE_PAYLOAD_LAYOUT;
    *previous = lcap_load_u64(block->payload.data + 8);
    return LCAP_DAMAGE_NONE;
}

enum lcap_damage lcap_read_session(const struct lcap_block *block, struct lcap_session *session)
{
    const uint8_t *at = block->payload.data;
    if (block->payload.size < 32)
        return LCAP_DAMAGE_PAYLOAD_LAYOUT;
    session->start_tick = lcap_load_u64(at);
    session->clock = lcap_load_u32(at + 8);
    session->process_id = lcap_load_u32(at + 12);
    session->start_unix_ns = (int64_t)lcap_load_u64(at + 16);
    session->sources = lcap_load_u32(at + 24);
    if (session->clock == 0 || session->sources > 3)
        return LCAP_DAMAGE_PAYLOAD_VALUE;
    return LCAP_DAMAGE_NONE;
}

enum lcap_damage lcap_read_clock(const struct lcap_block *block, struct lcap_clock *clock,
                                 struct lcap_bytes *reason)
{
    const uint8_t *at = block->payload.data;
    if (block->payload.size < 40 || block->payload.size - 40 != lcap_load_u32(at + 32))
        return LCAP_DAMAGE_PAYLOAD_LAYOUT;
    clock->clock = lcap_load_u32(at);
    clock->source = lcap_load_u32(at + 4);
    clock->ticks_per_second = lcap_load_u64(at + 8);
    clock->step = lcap_load_u64(at + 16);
    clock->offset = lcap_load_u64(at + 24);
    *reason = (struct lcap_bytes){at + 40, lcap_load_u32(at + 32)};
    if (clock->clock == 0 || lcap_clock_source_name(clock->source) == NULL ||
        clock->ticks_per_second == 0 || clock->step == 0 || clock->offset >= clock->step ||
        lcap_load_u32(at + 36) != 0)
        return LCAP_DAMAGE_PAYLOAD_VALUE;
    if (clock->source == LCAP_CLOCK_MONOTONIC && clock->ticks_per_second != 1000000000u)
        return LCAP_DAMAGE_PAYLOAD_VALUE;
    return LCAP_DAMAGE_NONE;
}

enum lcap_damage lcap_read_window(const struct lcap_block *block, struct lcap_window *window)
{
    const uint8_t *at = block->payload.data;
    if (block->payload.size != 16)
        return LCAP_DAMAGE_PAYLOAD_LAYOUT;
    window->from_tick = lcap_load_u64(at);
    window->clock = lcap_load_u32(at + 8);
    if (window->clock == 0 || lcap_load_u32(at + 12) != 0)
        return LCAP_DAMAGE_PAYLOAD_VALUE;
    return LCAP_DAMAGE_NONE;
}

enum lcap_damage lcap_read_repair(const struct lcap_block *block, struct lcap_repair *repair)
{
    const uint8_t *at = block->payload.data;
    if (block->payload.size != 40)
        return LCAP_DAMAGE_PAYLOAD_LAYOUT;
    repair->capture_id = lcap_load_u64(at);
    repair->places = lcap_load_u64(at + 8);
    repair->bytes = lcap_load_u64(at + 16);
    repair->tail_bytes = lcap_load_u64(at + 24);
    repair->is_not_finished = lcap_load_u32(at + 32) != 0;
    if (lcap_load_u32(at + 32) > 1 || lcap_load_u32(at + 36) != 0)
        return LCAP_DAMAGE_PAYLOAD_VALUE;
    return LCAP_DAMAGE_NONE;
}

enum lcap_damage lcap_read_end(const struct lcap_block *block, struct lcap_end *end)
{
    const uint8_t *at = block->payload.data;
    if (block->payload.size != 96)
        return LCAP_DAMAGE_PAYLOAD_LAYOUT;
    end->stop_tick = lcap_load_u64(at);
    end->clock = lcap_load_u32(at + 8);
    end->reason = lcap_load_u32(at + 12);
    end->recorded = load_counts(at + 16);
    end->dropped = load_counts(at + 56);
    if (end->clock == 0 || lcap_end_reason_name(end->reason) == NULL)
        return LCAP_DAMAGE_PAYLOAD_VALUE;
    return LCAP_DAMAGE_NONE;
}

static uint64_t fnv1a(uint64_t hash, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001B3);
    return hash;
}

uint64_t lcap_site_identity(struct lcap_bytes name, struct lcap_bytes file, uint32_t line)
{
    static const uint8_t zero = 0;
    uint8_t line_bytes[4];
    lcap_store_u32(line_bytes, line);
    uint64_t hash = fnv1a(UINT64_C(0xCBF29CE484222325), name.data, name.size);
    hash = fnv1a(hash, &zero, 1);
    hash = fnv1a(hash, file.data, file.size);
    hash = fnv1a(hash, &zero, 1);
    return fnv1a(hash, line_bytes, sizeof line_bytes);
}
