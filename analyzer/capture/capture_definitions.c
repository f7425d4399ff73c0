/* Takes the blocks of a capture that define things: the session, clocks, names, categories, sites
 * and domains; and notes where those lie that need all definitions first. Every function returns
 * false when there is no memory. */
#include <stdio.h>
#include <string.h>

#include "capture_state.h"
#include "gpu_times.h"

static bool add_offset(struct trace_offsets *offsets, uint64_t offset)
{
    if (!trace_array_grow(&offsets->items, offsets->count, sizeof *offsets->items))
        return false;
    offsets->items[offsets->count++] = offset;
    return true;
}

bool trace_capture_copy_bytes(struct trace_capture *capture, struct lcap_bytes bytes,
                              struct trace_text *text)
{
    return trace_model_copy_text(capture->model, bytes.data, bytes.size, text) == LUDUS_OK;
}

bool trace_capture_text_of(struct trace_capture *capture, uint32_t string, struct trace_text *text)
{
    char substitute[48];
    uint32_t index = trace_id_map_find(&capture->string_ids, string);
    if (index != TRACE_NONE) {
        *text = capture->strings[index];
        return true;
    }
    substitute[0] = '\0';
    if (string != 0)
        snprintf(substitute, sizeof substitute, "(name %u was lost)", string);
    return trace_capture_copy_bytes(
        capture, (struct lcap_bytes){(const uint8_t *)substitute, strlen(substitute)}, text);
}

static bool load_session(struct trace_capture *capture, const struct lcap_block *block)
{
    struct trace_model *model = capture->model;
    struct lcap_session session;
    struct lcap_records records = lcap_records_of(block);
    struct lcap_fact fact;
    if (capture->start_clock != 0)
        return true; /* a second one has no effect */
    (void)lcap_read_session(block, &session);
    capture->start_tick = session.start_tick;
    capture->start_clock = session.clock;
    model->start_unix_ns = session.start_unix_ns;
    model->process_id = session.process_id;
    model->sources = session.sources;
    while (lcap_next_fact(&records, &fact)) {
        struct trace_fact copy;
        if (!trace_capture_copy_bytes(capture, fact.key, &copy.key) ||
            !trace_capture_copy_bytes(capture, fact.value, &copy.value) ||
            !trace_array_grow(&model->facts, model->fact_count, sizeof *model->facts))
            return false;
        model->facts[model->fact_count++] = copy;
    }
    return true;
}

/* The model has the clocks in the order of the map. */
static struct trace_clock *find_clock(struct trace_capture *capture, uint32_t id)
{
    const uint32_t index = trace_clock_map_index(capture->clocks, id);
    return index < capture->model->clock_count ? &capture->model->clocks[index] : NULL;
}

static bool load_clock(struct trace_capture *capture, const struct lcap_block *block)
{
    struct trace_model *model = capture->model;
    struct lcap_clock clock;
    struct lcap_bytes reason;
    (void)lcap_read_clock(block, &clock, &reason);
    if (find_clock(capture, clock.clock) != NULL)
        return true;
    struct trace_text text;
    if (!trace_clock_map_add_clock(capture->clocks, &clock) ||
        !trace_capture_copy_bytes(capture, reason, &text) ||
        !trace_array_grow(&model->clocks, model->clock_count, sizeof *model->clocks) ||
        !trace_array_grow(&capture->ranges, model->clock_count, sizeof *capture->ranges))
        return false;
    capture->ranges[model->clock_count] = (struct trace_tick_range){UINT64_MAX, 0};
    model->clocks[model->clock_count++] =
        (struct trace_clock){.ticks_per_second = clock.ticks_per_second,
                             .step = clock.step,
                             .reason = text,
                             .id = clock.clock,
                             .source = clock.source,
                             .max_residual_ns = -1,
                             .max_residual_ppb = -1};
    return true;
}

static bool load_calibrations(struct trace_capture *capture, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_calibration calibration;
    struct trace_clock *clock = find_clock(capture, records.clock);
    while (clock != NULL && lcap_next_calibration(&records, &calibration)) {
        struct trace_model *model = capture->model;
        if (!trace_clock_map_add_calibration(capture->clocks, &calibration) ||
            !trace_array_grow(&model->calibrations, model->calibration_count,
                              sizeof *model->calibrations))
            return false;
        model->calibrations[model->calibration_count++] =
            (struct trace_calibration){.tick = calibration.tick,
                                       .time_ns = calibration.ns, /* the host's: set_zero */
                                       .uncertainty_ns = calibration.uncertainty_ns,
                                       .clock = (uint32_t)(clock - model->clocks)};
        clock->calibrations++;
        if (calibration.uncertainty_ns > clock->max_uncertainty_ns)
            clock->max_uncertainty_ns = calibration.uncertainty_ns;
    }
    return true;
}

static bool load_strings(struct trace_capture *capture, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_string string;
    while (lcap_next_string(&records, &string)) {
        struct trace_text text;
        if (trace_id_map_find(&capture->string_ids, string.string) != TRACE_NONE)
            continue;
        capture->string_bytes += string.bytes.size;
        if (capture->string_bytes > TRACE_MAX_STRING_BYTES ||
            !trace_capture_copy_bytes(capture, string.bytes, &text) ||
            !trace_array_grow(&capture->strings, capture->string_count, sizeof text) ||
            !trace_id_map_add(&capture->string_ids, string.string, capture->string_count))
            return false;
        capture->strings[capture->string_count++] = text;
    }
    return true;
}

static bool load_categories(struct trace_capture *capture, const struct lcap_block *block)
{
    struct trace_model *model = capture->model;
    struct lcap_records records = lcap_records_of(block);
    struct lcap_category category;
    while (lcap_next_category(&records, &category)) {
        struct trace_text name;
        if (trace_id_map_find(&capture->category_ids, category.category) != TRACE_NONE)
            continue;
        if (!trace_capture_text_of(capture, category.name, &name) ||
            !trace_array_grow(&model->categories, model->category_count,
                              sizeof *model->categories) ||
            !trace_id_map_add(&capture->category_ids, category.category, model->category_count))
            return false;
        model->categories[model->category_count++] =
            (struct trace_category){name, category.colour, (category.flags & 1) != 0};
    }
    return true;
}

static bool add_site(struct trace_capture *capture, const struct lcap_site *record,
                     struct trace_text name)
{
    struct trace_model *model = capture->model;
    struct trace_site site = {.name = name, .id = record->site, .line = record->line};
    if (!trace_capture_text_of(capture, record->file, &site.file) ||
        !trace_capture_text_of(capture, record->function, &site.function) ||
        !trace_array_grow(&model->sites, model->site_count, sizeof *model->sites) ||
        !trace_id_map_add(&capture->site_ids, record->site, model->site_count))
        return false;
    site.identity = lcap_site_identity(
        (struct lcap_bytes){(const uint8_t *)site.name.data, site.name.size},
        (struct lcap_bytes){(const uint8_t *)site.file.data, site.file.size}, site.line);
    site.category = trace_id_map_find(&capture->category_ids, record->category);
    model->sites[model->site_count++] = site;
    return true;
}

static bool load_sites(struct trace_capture *capture, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_site site;
    while (lcap_next_site(&records, &site)) {
        struct trace_text name;
        if (trace_id_map_find(&capture->site_ids, site.site) != TRACE_NONE)
            continue;
        if (!trace_capture_text_of(capture, site.name, &name) || !add_site(capture, &site, name))
            return false;
    }
    return true;
}

uint32_t trace_capture_site(struct trace_capture *capture, uint32_t id)
{
    uint32_t index = trace_id_map_find(&capture->site_ids, id);
    if (index != TRACE_NONE)
        return index;
    char name[48];
    struct trace_text text;
    snprintf(name, sizeof name, "(site %u, definition lost)", id);
    struct lcap_bytes bytes = {(const uint8_t *)name, strlen(name)};
    struct lcap_site record = {.site = id};
    if (id == 0 || !trace_capture_copy_bytes(capture, bytes, &text) ||
        !add_site(capture, &record, text))
        return TRACE_NONE;
    return capture->model->site_count - 1;
}

bool trace_capture_add_domain(struct trace_capture *capture, uint32_t id, uint32_t string)
{
    struct trace_model *model = capture->model;
    struct trace_domain domain = {.id = id, .track = TRACE_NONE};
    if (!trace_capture_text_of(capture, string, &domain.name) ||
        !trace_array_grow(&model->domains, model->domain_count, sizeof *model->domains) ||
        !trace_id_map_add(&capture->domain_ids, id, model->domain_count))
        return false;
    model->domains[model->domain_count++] = domain;
    return true;
}

static bool load_domains(struct trace_capture *capture, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_domain domain;
    while (lcap_next_domain(&records, &domain))
        if (trace_id_map_find(&capture->domain_ids, domain.domain) == TRACE_NONE &&
            !trace_capture_add_domain(capture, domain.domain, domain.name))
            return false;
    return true;
}

void trace_capture_note_events(struct trace_capture *capture,
                               const struct lcap_events_header *header)
{
    struct trace_clock *clock = find_clock(capture, header->clock);
    const struct lcap_clock *facts = lcap_reader_clock(capture->reader, header->clock);
    if (clock != NULL && facts != NULL) {
        struct trace_tick_range *range = &capture->ranges[clock - capture->model->clocks];
        uint64_t first = facts->offset + header->base_step * facts->step;
        uint64_t last = facts->offset + header->last_step * facts->step;
        range->first = first < range->first ? first : range->first;
        range->last = last > range->last ? last : range->last;
    }
    capture->model->events += header->event_count;
}

static bool note_events(struct trace_capture *capture, const struct lcap_block *block)
{
    struct lcap_events_header header;
    (void)lcap_read_events_header(block, &header);
    trace_capture_note_events(capture, &header);
    return add_offset(&capture->events, block->offset);
}

/* A second one has no effect. */
static void load_window(struct trace_capture *capture, const struct lcap_block *block)
{
    if (capture->window.clock == 0)
        (void)lcap_read_window(block, &capture->window);
}

/* What is not in the file any more is missing all the same. A second one has no effect. */
static bool load_repair(struct trace_capture *capture, const struct lcap_block *block)
{
    struct lcap_repair *repair = &capture->repair;
    if (capture->has_repair)
        return true;
    (void)lcap_read_repair(block, repair);
    capture->has_repair = true;
    return repair->places == 0 ||
           trace_capture_add_damage(capture, block->offset, repair->bytes, TRACE_DAMAGE_REPAIRED);
}

static void note_index(struct trace_capture *capture, const struct lcap_block *block)
{
    struct trace_index_chain *index = &capture->index;
    struct lcap_records records = lcap_records_of(block);
    struct lcap_index_entry entry;
    uint64_t previous = 0;
    (void)lcap_read_index_previous(block, &previous);
    index->is_broken = index->is_broken || previous != index->last_offset;
    index->last_offset = block->offset;
    while (lcap_next_index_entry(&records, &entry))
        index->events += entry.events;
}

bool trace_capture_load_definitions(struct trace_capture *capture, const struct lcap_block *block)
{
    switch (block->kind) {
    case LCAP_KIND_session:
        return load_session(capture, block);
    case LCAP_KIND_clock:
        return load_clock(capture, block);
    case LCAP_KIND_calibrations:
        return load_calibrations(capture, block);
    case LCAP_KIND_strings:
        return load_strings(capture, block);
    case LCAP_KIND_categories:
        return load_categories(capture, block);
    case LCAP_KIND_sites:
        return load_sites(capture, block);
    case LCAP_KIND_domains:
        return load_domains(capture, block);
    case LCAP_KIND_events:
        return note_events(capture, block);
    case LCAP_KIND_sched:
        return add_offset(&capture->sched, block->offset);
    case LCAP_KIND_gpu_queues:
    case LCAP_KIND_gpu_counts:
        return add_offset(&capture->gpu_facts, block->offset);
    case LCAP_KIND_gpu_frames:
    case LCAP_KIND_gpu_passes:
    case LCAP_KIND_gpu_calibrations:
        return trace_capture_note_gpu(capture, block);
    case LCAP_KIND_window:
        load_window(capture, block);
        return true;
    case LCAP_KIND_repair:
        return load_repair(capture, block);
    case LCAP_KIND_lost:
        return add_offset(&capture->lost, block->offset);
    case LCAP_KIND_index:
        note_index(capture, block);
        return true;
    default: /* tracks, frames, losses, diagnostics, triggers, end */
        return add_offset(&capture->timed, block->offset);
    }
}
