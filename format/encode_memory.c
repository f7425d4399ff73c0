/* The memory in which events are collected: how much, and its bounds. */
#include <stdlib.h>

#include "lcap_encoder.h"
#include "lcap_wire.h"

static size_t max_open(const struct lcap_encoder_config *config)
{
    return config->max_events / 4u + 256u;
}

/* Bounds a block besides its events. */
static size_t max_segments(const struct lcap_encoder_config *config)
{
    return config->max_events < 32768u ? 128u + config->max_events / 8u : 4096u;
}

/* Every event and every open scope may bring one. */
static size_t max_symbols(const struct lcap_encoder_config *config)
{
    size_t symbols = config->max_events + max_open(config);
    return symbols < LCAP_MAX_BLOCK_SYMBOLS ? symbols : LCAP_MAX_BLOCK_SYMBOLS;
}

static size_t symbol_row(const struct lcap_encoder_config *config)
{
    return (size_t)config->max_site + 1;
}

/* Of one difference at most 64 bits; 8 bytes more, as they are written by eights. */
static size_t bits_bound(const struct lcap_encoder_config *config)
{
    return (size_t)8 * config->max_events + 8;
}

/* The columns 0, 1 and 2: five varints a segment, three an open scope, of which one is a symbol;
 * an entry of the symbol table is a kind, a site of at most four bytes and two groups. */
static size_t segments_bound(const struct lcap_encoder_config *config)
{
    return max_segments(config) * 5 * LCAP_VARINT_MAX_SIZE;
}

static size_t open_bound(const struct lcap_encoder_config *config)
{
    return max_open(config) * (3 + 2 * LCAP_VARINT_MAX_SIZE);
}

static size_t symbols_bound(const struct lcap_encoder_config *config)
{
    return max_symbols(config) * 7;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

size_t lcap_events_scratch_bound(const struct lcap_encoder_config *config)
{
    size_t bound = larger(segments_bound(config), open_bound(config));
    bound = larger(bound, symbols_bound(config));
    return larger(bound, (size_t)8 * config->max_events); /* gauges; symbols and tokens take less */
}

/* All columns at their largest: per event 2 bytes of symbol, 1 of token, and what follows of bits
 * and value. */
size_t lcap_events_output_bound(const struct lcap_encoder_config *config)
{
    return LCAP_BLOCK_HEADER_SIZE + LCAP_EVENTS_HEADER_SIZE +
           (LCAP_FIXED_COLUMNS + LCAP_MAX_GROUPS + 1) * (size_t)8 + segments_bound(config) +
           open_bound(config) + symbols_bound(config) + bits_bound(config) +
           (size_t)(2 + 1 + LCAP_VALUE_SIZE) * config->max_events;
}

size_t lcap_events_memory_bytes(const struct lcap_encoder_config *config)
{
    return config->max_events * (sizeof(lcap_context) + 1 + (size_t)LCAP_VALUE_SIZE) +
           bits_bound(config) + 2 * (max_symbols(config) + 1) +
           max_symbols(config) * sizeof(struct lcap_pending_symbol) +
           max_open(config) * (sizeof(struct lcap_pending_open)) +
           (config->max_events + max_open(config)) * sizeof(lcap_context) +
           max_segments(config) * sizeof(struct lcap_pending_segment) +
           (LCAP_EVENT_KINDS - 1) * symbol_row(config) * sizeof(uint32_t);
}

enum ludus_status lcap_events_create(struct lcap_encoder *encoder)
{
    const struct lcap_encoder_config *config = &encoder->config;
    struct lcap_events_builder *events = &encoder->events;
    size_t count = config->max_events;
    events->max_events = config->max_events;
    events->max_segments = (uint32_t)max_segments(config);
    events->max_open = (uint32_t)max_open(config);
    events->max_site = config->max_site;
    events->segments = lcap_allocate(max_segments(config) * sizeof *events->segments);
    events->open = lcap_allocate(max_open(config) * sizeof *events->open);
    events->symbols = lcap_allocate(max_symbols(config) * sizeof *events->symbols);
    events->stack = lcap_allocate((count + max_open(config)) * sizeof *events->stack);
    events->contexts = lcap_allocate(count * sizeof *events->contexts);
    events->tokens = lcap_allocate(count);
    events->bits = lcap_allocate(bits_bound(config));
    events->values = lcap_allocate(count * LCAP_VALUE_SIZE);
    events->groups = lcap_allocate(2 * (max_symbols(config) + 1));
    events->context_of[1] =
        lcap_allocate((LCAP_EVENT_KINDS - 1) * symbol_row(config) * sizeof(uint32_t));
    if (events->segments == NULL || events->open == NULL || events->symbols == NULL ||
        events->stack == NULL || events->contexts == NULL || events->tokens == NULL ||
        events->bits == NULL || events->values == NULL || events->groups == NULL ||
        events->context_of[1] == NULL)
        return LUDUS_ERROR_MEMORY;
    for (uint32_t kind = 2; kind < LCAP_EVENT_KINDS; kind++)
        events->context_of[kind] = events->context_of[kind - 1] + symbol_row(config);
    return LUDUS_OK;
}

void lcap_events_destroy(struct lcap_encoder *encoder)
{
    struct lcap_events_builder *events = &encoder->events;
    free(events->segments);
    free(events->open);
    free(events->symbols);
    free(events->stack);
    free(events->contexts);
    free(events->tokens);
    free(events->bits);
    free(events->values);
    free(events->groups);
    free(events->context_of[1]);
}
