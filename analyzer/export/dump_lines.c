/* Prints the records of a capture's blocks, a line each, and keeps the strings that later ones
 * name.
 */
#include "dump_lines.h"

#include <stdlib.h>

#include "number_text.h"

void trace_dump_release(struct trace_dump *dump)
{
    trace_id_map_clear(&dump->string_ids);
    trace_text_buffer_release(&dump->string_bytes);
    free(dump->strings);
}

void trace_dump_number(struct trace_dump *dump, const char *label, uint64_t number)
{
    char text[TRACE_NUMBER_SIZE];
    trace_put_text(&dump->writer, label);
    trace_put(&dump->writer, text, trace_format_unsigned(number, text));
}

void trace_dump_signed(struct trace_dump *dump, const char *label, int64_t number)
{
    char text[TRACE_NUMBER_SIZE];
    trace_put_text(&dump->writer, label);
    trace_put(&dump->writer, text, trace_format_integer(number, text));
}

static void put_digits(struct trace_dump *dump, uint64_t number, unsigned count)
{
    for (unsigned shift = count * 4; shift != 0; shift -= 4)
        trace_put_byte(&dump->writer, "0123456789abcdef"[number >> (shift - 4) & 15]);
}

void trace_dump_hex(struct trace_dump *dump, const char *label, uint64_t number)
{
    trace_put_text(&dump->writer, label);
    put_digits(dump, number, 16);
}

void trace_dump_name(struct trace_dump *dump, const char *label, const char *name, uint32_t number)
{
    if (name == NULL) {
        trace_dump_number(dump, label, number);
        return;
    }
    trace_put_text(&dump->writer, label);
    trace_put_text(&dump->writer, name);
}

void trace_dump_quoted(struct trace_dump *dump, const char *label, struct lcap_bytes bytes)
{
    trace_put_text(&dump->writer, label);
    trace_put_byte(&dump->writer, '"');
    for (size_t i = 0; i < bytes.size; i++) {
        uint8_t byte = bytes.data[i];
        if (byte >= 0x20 && byte <= 0x7E && byte != '"' && byte != '\\') {
            trace_put_byte(&dump->writer, (char)byte);
        } else {
            trace_put_text(&dump->writer, "\\x");
            put_digits(dump, byte, 2);
        }
    }
    trace_put_byte(&dump->writer, '"');
}

static void end_line(struct trace_dump *dump)
{
    trace_put_byte(&dump->writer, '\n');
}

/* --- strings --------------------------------------------------------------------------------- */

/* The first definition of an id is the one that counts. */
static void keep_string(struct trace_dump *dump, const struct lcap_string *string)
{
    uint32_t count = dump->string_ids.count;
    if (trace_id_map_find(&dump->string_ids, string->string) != UINT32_MAX)
        return;
    if (count == dump->string_capacity) {
        size_t capacity = dump->string_capacity == 0 ? 64 : dump->string_capacity * 2;
        struct trace_dump_string *larger = realloc(dump->strings, capacity * sizeof *larger);
        if (larger == NULL) {
            dump->has_failed = true;
            return;
        }
        dump->strings = larger;
        dump->string_capacity = capacity;
    }
    dump->strings[count] = (struct trace_dump_string){dump->string_bytes.size, string->bytes.size};
    trace_text_buffer_append(&dump->string_bytes, (const char *)string->bytes.data,
                             string->bytes.size);
    if (dump->string_bytes.has_failed ||
        !trace_id_map_add(&dump->string_ids, string->string, count))
        dump->has_failed = true;
}

/* False when the id is not defined. Id 0 has no bytes. */
static bool find_string(const struct trace_dump *dump, uint32_t id, struct lcap_bytes *bytes)
{
    *bytes = (struct lcap_bytes){NULL, 0};
    if (id == 0)
        return true;
    uint32_t index = trace_id_map_find(&dump->string_ids, id);
    if (index == UINT32_MAX)
        return false;
    if (dump->strings[index].size != 0)
        bytes->data = (const uint8_t *)dump->string_bytes.data + dump->strings[index].offset;
    bytes->size = dump->strings[index].size;
    return true;
}

static void put_string(struct trace_dump *dump, const char *label, uint32_t id)
{
    struct lcap_bytes bytes;
    bool is_defined = find_string(dump, id, &bytes);
    if (is_defined && id != 0) {
        trace_dump_quoted(dump, label, bytes);
        return;
    }
    trace_put_text(&dump->writer, label);
    trace_put_byte(&dump->writer, id == 0 ? '-' : '?');
}

/* --- records --------------------------------------------------------------------------------- */

static void put_session(struct trace_dump *dump, const struct lcap_block *block)
{
    struct lcap_session session;
    struct lcap_records records = lcap_records_of(block);
    struct lcap_fact fact;
    if (lcap_read_session(block, &session) != LCAP_DAMAGE_NONE)
        return;
    trace_dump_number(dump, "session start ", session.start_tick);
    trace_dump_number(dump, " clock ", session.clock);
    trace_dump_number(dump, " process ", session.process_id);
    trace_dump_signed(dump, " unix_ns ", session.start_unix_ns);
    trace_dump_number(dump, " sources ", session.sources);
    end_line(dump);
    while (lcap_next_fact(&records, &fact)) {
        trace_dump_quoted(dump, "fact ", fact.key);
        trace_dump_quoted(dump, " ", fact.value);
        end_line(dump);
    }
}

static void put_clock(struct trace_dump *dump, const struct lcap_block *block)
{
    struct lcap_clock clock;
    struct lcap_bytes reason;
    if (lcap_read_clock(block, &clock, &reason) != LCAP_DAMAGE_NONE)
        return;
    trace_dump_number(dump, "clock ", clock.clock);
    trace_dump_name(dump, " source ", lcap_clock_source_name(clock.source), clock.source);
    trace_dump_number(dump, " ticks_per_second ", clock.ticks_per_second);
    trace_dump_number(dump, " step ", clock.step);
    trace_dump_number(dump, " offset ", clock.offset);
    trace_dump_quoted(dump, " reason ", reason);
    end_line(dump);
}

static void put_calibrations(struct trace_dump *dump, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_calibration calibration;
    while (lcap_next_calibration(&records, &calibration)) {
        trace_dump_number(dump, "calibration clock ", calibration.clock);
        trace_dump_number(dump, " tick ", calibration.tick);
        trace_dump_signed(dump, " ns ", calibration.ns);
        trace_dump_number(dump, " uncertainty_ns ", calibration.uncertainty_ns);
        end_line(dump);
    }
}

static void put_strings(struct trace_dump *dump, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_string string;
    while (lcap_next_string(&records, &string)) {
        keep_string(dump, &string);
        trace_dump_number(dump, "string ", string.string);
        trace_dump_quoted(dump, " ", string.bytes);
        end_line(dump);
    }
}

static void put_categories(struct trace_dump *dump, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_category category;
    while (lcap_next_category(&records, &category)) {
        trace_dump_number(dump, "category ", category.category);
        put_string(dump, " name ", category.name);
        trace_put_text(&dump->writer, " colour ");
        if (category.colour == LCAP_NO_COLOUR) {
            trace_put_byte(&dump->writer, '-');
        } else {
            trace_put_byte(&dump->writer, '#');
            put_digits(dump, category.colour, 6);
        }
        trace_dump_number(dump, " flags ", category.flags);
        end_line(dump);
    }
}

static void put_identity(struct trace_dump *dump, const struct lcap_site *site)
{
    struct lcap_bytes name, file;
    if (find_string(dump, site->name, &name) && find_string(dump, site->file, &file))
        trace_dump_hex(dump, " identity ", lcap_site_identity(name, file, site->line));
    else
        trace_put_text(&dump->writer, " identity ?");
}

static void put_sites(struct trace_dump *dump, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_site site;
    while (lcap_next_site(&records, &site)) {
        trace_dump_number(dump, "site ", site.site);
        put_string(dump, " name ", site.name);
        put_string(dump, " file ", site.file);
        put_string(dump, " function ", site.function);
        trace_dump_number(dump, " line ", site.line);
        trace_dump_number(dump, " category ", site.category);
        put_identity(dump, &site);
        end_line(dump);
    }
}

static void put_tracks(struct trace_dump *dump, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_track track;
    while (lcap_next_track(&records, &track)) {
        trace_dump_number(dump, "track ", track.track);
        trace_dump_name(dump, " kind ", lcap_track_kind_name(track.kind), track.kind);
        trace_dump_number(dump, " os_id ", track.os_id);
        trace_dump_number(dump, " begin ", track.begin_tick);
        trace_dump_number(dump, " end ", track.end_tick);
        put_string(dump, " name ", track.name);
        end_line(dump);
    }
}

static void put_domains(struct trace_dump *dump, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_domain domain;
    while (lcap_next_domain(&records, &domain)) {
        trace_dump_number(dump, "domain ", domain.domain);
        put_string(dump, " name ", domain.name);
        end_line(dump);
    }
}

static void put_frames(struct trace_dump *dump, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_frame_mark mark;
    while (lcap_next_frame_mark(&records, &mark)) {
        trace_dump_number(dump, "frame domain ", mark.domain);
        trace_dump_number(dump, " track ", mark.track);
        trace_dump_number(dump, " ordinal ", mark.ordinal);
        trace_dump_number(dump, " tick ", mark.tick);
        end_line(dump);
    }
}

static void put_counts(struct trace_dump *dump, const char *label, const struct lcap_counts *counts)
{
    trace_put_text(&dump->writer, label);
    trace_dump_number(dump, " scopes ", counts->scopes);
    trace_dump_number(dump, " instants ", counts->instants);
    trace_dump_number(dump, " frames ", counts->frames);
    trace_dump_number(dump, " flows ", counts->flows);
    trace_dump_number(dump, " gauges ", counts->gauges);
}

static void put_losses(struct trace_dump *dump, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_loss loss;
    while (lcap_next_loss(&records, &loss)) {
        trace_dump_number(dump, "loss track ", loss.track);
        trace_dump_name(dump, " cause ", lcap_loss_cause_name(loss.cause), loss.cause);
        put_counts(dump, "", &loss.counts);
        trace_dump_number(dump, " from ", loss.first_tick);
        trace_dump_number(dump, " to ", loss.last_tick);
        end_line(dump);
    }
}

static void put_diagnostics(struct trace_dump *dump, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_diagnostic diagnostic;
    while (lcap_next_diagnostic(&records, &diagnostic)) {
        trace_dump_name(dump, "diagnostic ", lcap_diagnostic_name(diagnostic.code),
                        diagnostic.code);
        trace_dump_number(dump, " track ", diagnostic.track);
        trace_dump_number(dump, " tick ", diagnostic.tick);
        trace_dump_number(dump, " count ", diagnostic.count);
        trace_dump_quoted(dump, " text ", diagnostic.text);
        end_line(dump);
    }
}

static void put_sched(struct trace_dump *dump, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_sched sample;
    while (lcap_next_sched(&records, &sample)) {
        trace_dump_number(dump, "sched track ", sample.track);
        trace_dump_number(dump, " processors ", sample.processors);
        trace_dump_number(dump, " from ", sample.from_tick);
        trace_dump_number(dump, " to ", sample.to_tick);
        trace_dump_number(dump, " run_ns ", sample.run_ns);
        trace_dump_number(dump, " wait_ns ", sample.wait_ns);
        end_line(dump);
    }
}

static void put_window(struct trace_dump *dump, const struct lcap_block *block)
{
    struct lcap_window window;
    if (lcap_read_window(block, &window) != LCAP_DAMAGE_NONE)
        return;
    trace_dump_number(dump, "window from ", window.from_tick);
    trace_dump_number(dump, " clock ", window.clock);
    end_line(dump);
}

static void put_triggers(struct trace_dump *dump, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_trigger trigger;
    while (lcap_next_trigger(&records, &trigger)) {
        trace_dump_name(dump, "trigger ", lcap_trigger_cause_name(trigger.cause), trigger.cause);
        trace_dump_number(dump, " tick ", trigger.tick);
        trace_dump_number(dump, " domain ", trigger.domain);
        trace_dump_number(dump, " frame ", trigger.ordinal);
        trace_dump_number(dump, " duration ", trigger.duration_ticks);
        trace_dump_number(dump, " limit ", trigger.limit_ticks);
        trace_dump_quoted(dump, " text ", trigger.text);
        end_line(dump);
    }
}

static void put_repair(struct trace_dump *dump, const struct lcap_block *block)
{
    struct lcap_repair repair;
    if (lcap_read_repair(block, &repair) != LCAP_DAMAGE_NONE)
        return;
    trace_dump_hex(dump, "repair of ", repair.capture_id);
    trace_dump_number(dump, " places ", repair.places);
    trace_dump_number(dump, " bytes ", repair.bytes);
    trace_dump_number(dump, " tail ", repair.tail_bytes);
    trace_dump_number(dump, " flags ", repair.is_not_finished);
    end_line(dump);
}

static void put_lost(struct trace_dump *dump, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_lost lost;
    while (lcap_next_lost(&records, &lost)) {
        trace_dump_number(dump, "lost track ", lost.track);
        trace_dump_number(dump, " events ", lost.events);
        trace_dump_signed(dump, " from_ns ", lost.begin_ns);
        trace_dump_signed(dump, " to_ns ", lost.end_ns);
        end_line(dump);
    }
}

static void put_end(struct trace_dump *dump, const struct lcap_block *block)
{
    struct lcap_end end;
    if (lcap_read_end(block, &end) != LCAP_DAMAGE_NONE)
        return;
    trace_dump_name(dump, "end ", lcap_end_reason_name(end.reason), end.reason);
    trace_dump_number(dump, " tick ", end.stop_tick);
    trace_dump_number(dump, " clock ", end.clock);
    put_counts(dump, "", &end.recorded);
    put_counts(dump, " dropped", &end.dropped);
    end_line(dump);
}

static void put_index(struct trace_dump *dump, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_index_entry entry;
    uint64_t previous;
    if (lcap_read_index_previous(block, &previous) != LCAP_DAMAGE_NONE)
        return;
    trace_dump_number(dump, "index previous ", previous);
    end_line(dump);
    while (lcap_next_index_entry(&records, &entry)) {
        trace_dump_number(dump, "entry offset ", entry.offset);
        trace_dump_name(dump, " kind ", lcap_block_kind_name(entry.kind), entry.kind);
        trace_dump_number(dump, " events ", entry.events);
        trace_dump_number(dump, " from ", entry.first_step);
        trace_dump_number(dump, " to ", entry.last_step);
        trace_dump_number(dump, " clock ", entry.clock);
        end_line(dump);
    }
}

void trace_dump_block(struct trace_dump *dump, const struct lcap_block *block,
                      const struct lcap_events *events, const struct lcap_clock *clock)
{
    static void (*const put[])(struct trace_dump *, const struct lcap_block *) = {
        [LCAP_KIND_session] = put_session,
        [LCAP_KIND_clock] = put_clock,
        [LCAP_KIND_calibrations] = put_calibrations,
        [LCAP_KIND_strings] = put_strings,
        [LCAP_KIND_categories] = put_categories,
        [LCAP_KIND_sites] = put_sites,
        [LCAP_KIND_tracks] = put_tracks,
        [LCAP_KIND_domains] = put_domains,
        [LCAP_KIND_frames] = put_frames,
        [LCAP_KIND_losses] = put_losses,
        [LCAP_KIND_diagnostics] = put_diagnostics,
        [LCAP_KIND_end] = put_end,
        [LCAP_KIND_index] = put_index,
        [LCAP_KIND_sched] = put_sched,
        [LCAP_KIND_window] = put_window,
        [LCAP_KIND_triggers] = put_triggers,
        [LCAP_KIND_repair] = put_repair,
        [LCAP_KIND_lost] = put_lost,
        [LCAP_KIND_gpu_queues] = trace_dump_gpu_queues,
        [LCAP_KIND_gpu_frames] = trace_dump_gpu_frames,
        [LCAP_KIND_gpu_passes] = trace_dump_gpu_passes,
        [LCAP_KIND_gpu_counts] = trace_dump_gpu_counts,
        [LCAP_KIND_gpu_calibrations] = trace_dump_gpu_calibrations,
    };
    if (events != NULL)
        trace_dump_events(dump, events, clock);
    else if (block->kind < sizeof put / sizeof put[0] && put[block->kind] != NULL)
        put[block->kind](dump, block);
}
