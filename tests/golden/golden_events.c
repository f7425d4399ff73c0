/* Takes events blocks apart and puts them together again. */
#include "golden_events.h"

#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "lcap_wire.h"

static void set_bytes(struct golden_column *column, const uint8_t *bytes, size_t size)
{
    free(column->bytes);
    *column = (struct golden_column){malloc(size + 1), size, size};
    golden_require(column->bytes != NULL, "out of memory");
    if (size != 0)
        memcpy(column->bytes, bytes, size);
}

void golden_split(struct golden_file *file, struct golden_events *events)
{
    const uint8_t *at = golden_payload(file);
    *events = (struct golden_events){0};
    memcpy(events->head, at, sizeof events->head);
    events->column_count = 7 + lcap_load_u32(at + EVENTS_GROUP_COUNT);
    at += LCAP_EVENTS_HEADER_SIZE;
    for (size_t i = 0; i < events->column_count; i++) {
        set_bytes(&events->columns[i], at + 8, lcap_load_u32(at + 4));
        events->columns[i].raw_size = lcap_load_u32(at);
        at += 8 + lcap_load_u32(at + 4);
    }
}

void golden_join(struct golden_file *file, struct golden_events *events)
{
    size_t size = sizeof events->head;
    for (size_t i = 0; i < events->column_count; i++)
        size += 8 + events->columns[i].size;
    uint8_t *payload = malloc(size);
    golden_require(payload != NULL, "out of memory");
    memcpy(payload, events->head, sizeof events->head);
    uint8_t *at = payload + sizeof events->head;
    for (size_t i = 0; i < events->column_count; i++) {
        struct golden_column *column = &events->columns[i];
        lcap_store_u32(at, (uint32_t)column->raw_size);
        lcap_store_u32(at + 4, (uint32_t)column->size);
        if (column->size != 0)
            memcpy(at + 8, column->bytes, column->size);
        at += 8 + column->size;
        free(column->bytes);
        column->bytes = NULL;
    }
    golden_replace_payload(file, payload, size);
    free(payload);
}

void golden_events_start(struct golden_events *events)
{
    *events = (struct golden_events){.column_count = 8};
    golden_set_head(events, EVENTS_CLOCK, 2);
    golden_set_head(events, EVENTS_GROUP_COUNT, 1);
}

void golden_set_head(struct golden_events *events, size_t offset, uint64_t value)
{
    if (offset == EVENTS_BASE_STEP || offset == EVENTS_LAST_STEP)
        lcap_store_u64(events->head + offset, value);
    else
        lcap_store_u32(events->head + offset, (uint32_t)value);
}

static unsigned digit_of(char character)
{
    const char *digits = "0123456789abcdef";
    const char *at = strchr(digits, character);
    golden_require(at != NULL && character != '\0', "a byte is not two hexadecimal digits");
    return (unsigned)(at - digits);
}

void golden_extend_column(struct golden_events *events, size_t column, const char *hex,
                          size_t count)
{
    uint8_t bytes[256];
    size_t size = 0;
    while (*hex != '\0') {
        if (*hex == ' ') {
            hex++;
            continue;
        }
        golden_require(size < sizeof bytes, "too many digits");
        bytes[size++] = (uint8_t)(digit_of(hex[0]) << 4 | digit_of(hex[1]));
        hex += 2;
    }
    struct golden_column *target = &events->columns[column];
    target->bytes = realloc(target->bytes, target->size + size * count + 1);
    golden_require(target->bytes != NULL, "out of memory");
    for (size_t i = 0; i < count; i++, target->size += size)
        memcpy(target->bytes + target->size, bytes, size);
    target->raw_size = target->size;
}

void golden_set_column(struct golden_events *events, size_t column, const char *hex)
{
    events->columns[column].size = 0;
    golden_extend_column(events, column, hex, 1);
}

void golden_compress_column(struct golden_events *events, size_t column)
{
    struct golden_column *target = &events->columns[column];
    size_t bound = ZSTD_compressBound(target->size);
    uint8_t *frame = malloc(bound);
    golden_require(frame != NULL, "out of memory");
    size_t size = ZSTD_compress(frame, bound, target->bytes, target->size, 3);
    golden_require(!ZSTD_isError(size) && size < target->size, "a column cannot be compressed");
    free(target->bytes);
    target->bytes = frame;
    target->size = size;
}
