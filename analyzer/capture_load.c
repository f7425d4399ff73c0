/* Walks a capture once without decoding events: definitions first, then, when all calibrations are
 * known, the records that have times. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture_state.h"
#include "failure.h"
#include "frame_table.h"

/* Names longer than this in total are not a game's: a small file could otherwise decompress to
 * more memory than there is. */
#define MAX_STRING_BYTES (UINT64_C(256) << 20)

bool trace_capture_add_damage(struct trace_capture *capture, uint64_t offset, uint64_t size,
                              const char *reason)
{
    struct trace_model *model = capture->model;
    if (!trace_array_grow(&model->damages, model->damage_count, sizeof *model->damages))
        return false;
    model->damages[model->damage_count++] = (struct trace_damage){offset, size, reason};
    return true;
}

static bool add_offset(struct trace_offsets *offsets, uint64_t offset)
{
    if (!trace_array_grow(&offsets->items, offsets->count, sizeof *offsets->items))
        return false;
    offsets->items[offsets->count++] = offset;
    return true;
}

static bool copy_bytes(struct trace_capture *capture, struct lcap_bytes bytes,
                       struct trace_text *text)
{
    return trace_model_copy_text(capture->model, bytes.data, bytes.size, text) == LUDUS_OK;
}

/* The text of a string id; "" for 0; a substitute when its definition was lost. False when there is
 * no memory. */
static bool text_of(struct trace_capture *capture, uint32_t string, struct trace_text *text)
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
    return copy_bytes(capture, (struct lcap_bytes){(const uint8_t *)substitute, strlen(substitute)},
                      text);
}

/* --- definitions: each returns false when there is no memory ---------------------------------- */

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
    while (lcap_next_fact(&records, &fact)) {
        struct trace_fact copy;
        if (!copy_bytes(capture, fact.key, &copy.key) ||
            !copy_bytes(capture, fact.value, &copy.value) ||
            !trace_array_grow(&model->facts, model->fact_count, sizeof *model->facts))
            return false;
        model->facts[model->fact_count++] = copy;
    }
    return true;
}

static struct trace_clock *find_clock(struct trace_model *model, uint32_t id)
{
    for (uint32_t i = 0; i < model->clock_count; i++)
        if (model->clocks[i].id == id)
            return &model->clocks[i];
    return NULL;
}

static bool load_clock(struct trace_capture *capture, const struct lcap_block *block)
{
    struct trace_model *model = capture->model;
    struct lcap_clock clock;
    struct lcap_bytes reason;
    (void)lcap_read_clock(block, &clock, &reason);
    if (find_clock(model, clock.clock) != NULL)
        return true;
    struct trace_text text;
    if (!trace_clock_map_add_clock(capture->clocks, &clock) ||
        !copy_bytes(capture, reason, &text) ||
        !trace_array_grow(&model->clocks, model->clock_count, sizeof *model->clocks) ||
        !trace_array_grow(&capture->ranges, model->clock_count, sizeof *capture->ranges))
        return false;
    capture->ranges[model->clock_count] = (struct trace_tick_range){UINT64_MAX, 0};
    model->clocks[model->clock_count++] =
        (struct trace_clock){.ticks_per_second = clock.ticks_per_second,
                             .step = clock.step,
                             .reason = text,
                             .id = clock.clock,
                             .source = clock.source};
    return true;
}

static bool load_calibrations(struct trace_capture *capture, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_calibration calibration;
    struct trace_clock *clock = find_clock(capture->model, records.clock);
    while (clock != NULL && lcap_next_calibration(&records, &calibration)) {
        if (!trace_clock_map_add_calibration(capture->clocks, &calibration))
            return false;
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
        if (capture->string_bytes > MAX_STRING_BYTES || !copy_bytes(capture, string.bytes, &text) ||
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
        if (!text_of(capture, category.name, &name) ||
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
    if (!text_of(capture, record->file, &site.file) ||
        !text_of(capture, record->function, &site.function) ||
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
        if (!text_of(capture, site.name, &name) || !add_site(capture, &site, name))
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
    if (id == 0 || !copy_bytes(capture, bytes, &text) || !add_site(capture, &record, text))
        return TRACE_NONE;
    return capture->model->site_count - 1;
}

static bool add_domain(struct trace_capture *capture, uint32_t id, uint32_t string)
{
    struct trace_model *model = capture->model;
    struct trace_domain domain = {.id = id};
    if (!text_of(capture, string, &domain.name) ||
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
            !add_domain(capture, domain.domain, domain.name))
            return false;
    return true;
}

static bool note_events(struct trace_capture *capture, const struct lcap_block *block)
{
    struct lcap_events_header header;
    (void)lcap_read_events_header(block, &header);
    struct trace_clock *clock = find_clock(capture->model, header.clock);
    const struct lcap_clock *facts = lcap_reader_clock(capture->reader, header.clock);
    if (clock != NULL && facts != NULL) {
        struct trace_tick_range *range = &capture->ranges[clock - capture->model->clocks];
        uint64_t first = facts->offset + header.base_step * facts->step;
        uint64_t last = facts->offset + header.last_step * facts->step;
        range->first = first < range->first ? first : range->first;
        range->last = last > range->last ? last : range->last;
    }
    capture->model->events += header.event_count;
    return add_offset(&capture->events, block->offset);
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

static bool load_definitions(struct trace_capture *capture, const struct lcap_block *block)
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
    case LCAP_KIND_index:
        note_index(capture, block);
        return true;
    default: /* tracks, frames, losses, diagnostics, end */
        return add_offset(&capture->timed, block->offset);
    }
}

/* --- records with times ---------------------------------------------------------------------- */

static int64_t ns_of(const struct trace_capture *capture, uint32_t clock, uint64_t tick)
{
    return trace_clock_map_ns(capture->clocks, clock, tick);
}

uint32_t trace_capture_track(struct trace_capture *capture, uint32_t id)
{
    struct trace_model *model = capture->model;
    uint32_t index = trace_id_map_find(&capture->track_ids, id);
    if (index != TRACE_NONE || id == 0)
        return index;
    if (!trace_array_grow(&model->tracks, model->track_count, sizeof *model->tracks) ||
        !trace_id_map_add(&capture->track_ids, id, model->track_count))
        return TRACE_NONE;
    model->tracks[model->track_count] = (struct trace_track){
        .id = id, .kind = LCAP_TRACK_THREAD, .name = {"", 0}, .end_ns = model->end_ns};
    return model->track_count++;
}

static bool load_tracks(struct trace_capture *capture, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_track record;
    while (lcap_next_track(&records, &record)) {
        uint32_t index = trace_capture_track(capture, record.track);
        if (index == TRACE_NONE)
            return false;
        struct trace_track *track = &capture->model->tracks[index];
        if (!text_of(capture, record.name, &track->name))
            return false;
        track->kind = record.kind;
        track->is_defined = true;
        track->os_id = record.os_id;
        track->begin_ns = ns_of(capture, record.clock, record.begin_tick);
        track->has_ended = record.end_tick != 0;
        if (track->has_ended)
            track->end_ns = ns_of(capture, record.clock, record.end_tick);
    }
    return true;
}

static bool load_frames(struct trace_capture *capture, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_frame_mark mark;
    while (lcap_next_frame_mark(&records, &mark)) {
        uint32_t index = trace_id_map_find(&capture->domain_ids, mark.domain);
        if (index == TRACE_NONE) {
            /* UINT32_MAX is no string's id in practice: the name says that it was lost. */
            if (!add_domain(capture, mark.domain, UINT32_MAX))
                return false;
            index = capture->model->domain_count - 1;
        }
        if (!trace_frame_table_add(&capture->model->domains[index], mark.ordinal,
                                   ns_of(capture, mark.clock, mark.tick)))
            return false;
    }
    return true;
}

static bool load_losses(struct trace_capture *capture, const struct lcap_block *block)
{
    struct trace_model *model = capture->model;
    struct lcap_records records = lcap_records_of(block);
    struct lcap_loss loss;
    while (lcap_next_loss(&records, &loss)) {
        uint32_t track = trace_capture_track(capture, loss.track);
        if ((track == TRACE_NONE && loss.track != 0) ||
            !trace_array_grow(&model->losses, model->loss_count, sizeof *model->losses))
            return false;
        model->losses[model->loss_count++] =
            (struct trace_loss){.scopes = loss.scopes,
                                .instants = loss.instants,
                                .frames = loss.frames,
                                .begin_ns = ns_of(capture, loss.clock, loss.first_tick),
                                .end_ns = ns_of(capture, loss.clock, loss.last_tick),
                                .track = track,
                                .cause = loss.cause};
    }
    return true;
}

static bool load_diagnostics(struct trace_capture *capture, const struct lcap_block *block)
{
    struct trace_model *model = capture->model;
    struct lcap_records records = lcap_records_of(block);
    struct lcap_diagnostic diagnostic;
    while (lcap_next_diagnostic(&records, &diagnostic)) {
        struct trace_diagnostic copy = {.count = diagnostic.count,
                                        .time_ns =
                                            ns_of(capture, diagnostic.clock, diagnostic.tick),
                                        .code = diagnostic.code,
                                        .track = trace_capture_track(capture, diagnostic.track)};
        if (!copy_bytes(capture, diagnostic.text, &copy.text) ||
            !trace_array_grow(&model->diagnostics, model->diagnostic_count,
                              sizeof *model->diagnostics))
            return false;
        model->diagnostics[model->diagnostic_count++] = copy;
    }
    return true;
}

static bool load_timed(struct trace_capture *capture, const struct lcap_block *block)
{
    switch (block->kind) {
    case LCAP_KIND_tracks:
        return load_tracks(capture, block);
    case LCAP_KIND_frames:
        return load_frames(capture, block);
    case LCAP_KIND_losses:
        return load_losses(capture, block);
    case LCAP_KIND_diagnostics:
        return load_diagnostics(capture, block);
    default: /* the end is read before the others */
        return true;
    }
}

/* --- the walk -------------------------------------------------------------------------------- */

static bool take_item(struct trace_capture *capture, const struct lcap_item *item)
{
    struct trace_model *model = capture->model;
    switch (item->kind) {
    case LCAP_ITEM_BLOCK:
        model->blocks++;
        return load_definitions(capture, &item->block);
    case LCAP_ITEM_SKIPPED:
        model->blocks++;
        model->blocks_skipped++;
        return true;
    case LCAP_ITEM_GAP:
        return trace_capture_add_damage(capture, item->offset, 0, "gap");
    case LCAP_ITEM_DAMAGE:
        return trace_capture_add_damage(capture, item->offset, item->size,
                                        lcap_damage_name(item->reason));
    case LCAP_ITEM_UNFINISHED:
        model->unfinished_tail = item->size;
        return true;
    case LCAP_ITEM_FINISHED:
        model->is_finished = true;
        return true;
    }
    return true;
}

static enum ludus_status walk(struct trace_capture *capture, struct ludus_error *error)
{
    struct lcap_item item;
    enum ludus_status status;
    while ((status = lcap_reader_next(capture->reader, false, &item)) == LUDUS_OK) {
        if (!take_item(capture, &item))
            return capture->string_bytes > MAX_STRING_BYTES
                       ? trace_fail(error, LUDUS_ERROR_LIMIT,
                                    "%s: holds more than 256 MiB of names; it was not made by a "
                                    "recorder",
                                    capture->path)
                       : trace_fail_memory(error);
    }
    return status == LUDUS_END ? LUDUS_OK : trace_capture_fail(capture, status, error);
}

/* Sets time zero: the session's start, or the first event when that was lost. */
static void set_zero(struct trace_capture *capture)
{
    if (capture->start_clock == 0 && capture->model->clock_count != 0) {
        capture->start_clock = capture->model->clocks[0].id;
        capture->start_tick = capture->ranges[0].first != UINT64_MAX ? capture->ranges[0].first : 0;
    }
    trace_clock_map_finish(capture->clocks, capture->start_clock, capture->start_tick);
}

/* The end of the recording, or the last event known. */
static void set_end(struct trace_capture *capture, const struct lcap_block *end_block)
{
    struct trace_model *model = capture->model;
    struct lcap_end end;
    if (end_block != NULL && lcap_read_end(end_block, &end) == LCAP_DAMAGE_NONE) {
        model->end_ns = ns_of(capture, end.clock, end.stop_tick);
        capture->has_end = true;
        return;
    }
    for (uint32_t i = 0; i < model->clock_count; i++) {
        const struct trace_tick_range *range = &capture->ranges[i];
        int64_t last_ns = ns_of(capture, model->clocks[i].id, range->last);
        if (range->first != UINT64_MAX && last_ns > model->end_ns)
            model->end_ns = last_ns;
    }
}

/* Reads the blocks with times again; the end, the last of them when it is there, first. */
static enum ludus_status load_all_timed(struct trace_capture *capture, struct ludus_error *error)
{
    struct lcap_item item;
    enum ludus_status status;
    bool has_end = false;
    for (uint32_t i = capture->timed.count; i-- > 0 && !has_end;) {
        status = lcap_reader_read(capture->reader, capture->timed.items[i], &item);
        if (status != LUDUS_OK)
            return trace_capture_fail(capture, status, error);
        has_end = item.kind == LCAP_ITEM_BLOCK && item.block.kind == LCAP_KIND_end;
        if (item.block.kind != LCAP_KIND_end)
            break;
    }
    set_end(capture, has_end ? &item.block : NULL);
    for (uint32_t i = 0; i < capture->timed.count; i++) {
        status = lcap_reader_read(capture->reader, capture->timed.items[i], &item);
        if (status != LUDUS_OK)
            return trace_capture_fail(capture, status, error);
        if (item.kind == LCAP_ITEM_BLOCK && !load_timed(capture, &item.block))
            return trace_fail_memory(error);
    }
    return LUDUS_OK;
}

static int compare_domains(const void *a, const void *b)
{
    const struct trace_domain *left = a;
    const struct trace_domain *right = b;
    return (left->id > right->id) - (left->id < right->id);
}

/* Without an end block the recording lasted at least as long as its marks and its threads say. */
static void extend_end(struct trace_model *model)
{
    for (uint32_t i = 0; i < model->domain_count; i++) {
        const struct trace_domain *domain = &model->domains[i];
        if (domain->frame_count != 0 &&
            domain->frames[domain->frame_count - 1].begin_ns > model->end_ns)
            model->end_ns = domain->frames[domain->frame_count - 1].begin_ns;
    }
    for (uint32_t i = 0; i < model->track_count; i++)
        if (model->tracks[i].has_ended && model->tracks[i].end_ns > model->end_ns)
            model->end_ns = model->tracks[i].end_ns;
}

enum ludus_status trace_capture_load(struct trace_capture *capture, struct ludus_error *error)
{
    struct trace_model *model = capture->model;
    model->capture_id = lcap_reader_capture_id(capture->reader);
    model->file_bytes = trace_capture_file_source(capture->file).size;
    enum ludus_status status = walk(capture, error);
    if (status != LUDUS_OK)
        return status;
    set_zero(capture);
    status = load_all_timed(capture, error);
    if (status != LUDUS_OK)
        return status;
    if (model->domain_count > 1)
        qsort(model->domains, model->domain_count, sizeof *model->domains, compare_domains);
    for (uint32_t i = 0; i < model->domain_count; i++)
        trace_frame_table_finish(&model->domains[i]);
    if (!capture->has_end)
        extend_end(model);
    for (uint32_t i = 0; i < model->track_count; i++)
        if (!model->tracks[i].has_ended)
            model->tracks[i].end_ns = model->end_ns;
    model->names_replaced = trace_model_count_broken_texts(model);
    return model->damage_count == 0 ? LUDUS_OK : trace_capture_find_losses(capture, error);
}
