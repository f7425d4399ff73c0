/* Prints the lines of an events block. */
#include "dump_lines.h"

static uint64_t tick_of(const struct lcap_clock *clock, uint64_t step)
{
    return clock->offset + step * clock->step;
}

static void put_head(struct trace_dump *dump, const struct lcap_events_header *header,
                     const struct lcap_clock *clock)
{
    trace_dump_number(dump, "events clock ", header->clock);
    trace_dump_number(dump, " first ", header->first_event);
    trace_dump_number(dump, " count ", header->event_count);
    trace_dump_number(dump, " segments ", header->segment_count);
    trace_dump_number(dump, " symbols ", header->symbol_count);
    trace_dump_number(dump, " groups ", header->group_count);
    trace_dump_number(dump, " from ", tick_of(clock, header->base_step));
    trace_dump_number(dump, " to ", tick_of(clock, header->last_step));
    trace_put_byte(&dump->writer, '\n');
}

static void put_segment(struct trace_dump *dump, const struct lcap_events *events,
                        const struct lcap_segment *segment)
{
    trace_dump_number(dump, "segment track ", segment->track);
    trace_dump_number(dump, " before ", segment->events_before);
    trace_dump_number(dump, " count ", segment->event_count);
    trace_dump_number(dump, " open ", segment->open_count);
    trace_dump_number(dump, " start ", segment->start_tick);
    trace_put_byte(&dump->writer, '\n');
    for (uint32_t level = 0; level < segment->open_count; level++) {
        const struct lcap_open_scope *scope = &events->open[segment->first_open + level];
        trace_dump_number(dump, "open site ", scope->site);
        trace_dump_number(dump, " begin ", scope->begin_tick);
        trace_dump_number(dump, " children ", scope->children_ticks);
        trace_put_byte(&dump->writer, '\n');
    }
}

static void put_value(struct trace_dump *dump, uint32_t kind, uint64_t value)
{
    if (kind == LCAP_EVENT_COUNT)
        trace_dump_signed(dump, " value ", (int64_t)value);
    else if (kind == LCAP_EVENT_TRACK_SWITCH)
        trace_dump_number(dump, " value ", value);
    else
        trace_dump_hex(dump, " value ", value);
}

void trace_dump_events(struct trace_dump *dump, const struct lcap_events *events,
                       const struct lcap_clock *clock)
{
    const uint64_t *value = events->values;
    put_head(dump, &events->header, clock);
    for (uint32_t i = 0; i < events->header.segment_count; i++) {
        const struct lcap_segment *segment = &events->segments[i];
        put_segment(dump, events, segment);
        for (uint32_t n = 0; n < segment->event_count; n++) {
            uint32_t index = segment->first_event + n;
            const struct lcap_symbol *symbol = &events->table[events->symbols[index]];
            trace_dump_number(dump, "", events->ticks[index]);
            trace_dump_name(dump, " ", lcap_event_kind_name(symbol->kind), symbol->kind);
            if (symbol->kind != LCAP_EVENT_END && symbol->kind != LCAP_EVENT_TRACK_SWITCH)
                trace_dump_number(dump, " site ", symbol->site);
            if (lcap_event_has_value(symbol->kind))
                put_value(dump, symbol->kind, *value++);
            trace_put_byte(&dump->writer, '\n');
        }
    }
}
