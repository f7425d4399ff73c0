/* What the encoders of records share: fields one after the other, and what holds for every block of
 * records. Private to format/. */
#ifndef LCAP_ENCODE_FIELDS_H
#define LCAP_ENCODE_FIELDS_H

#include <string.h>

#include "lcap_encoder.h"
#include "lcap_wire.h"

/* Writes fields one after the other into the encoder's scratch. */
struct field_writer {
    uint8_t *at;
};

static inline void put_u32(struct field_writer *writer, uint32_t value)
{
    lcap_store_u32(writer->at, value);
    writer->at += 4;
}

static inline void put_u64(struct field_writer *writer, uint64_t value)
{
    lcap_store_u64(writer->at, value);
    writer->at += 8;
}

static inline void put_bytes(struct field_writer *writer, struct lcap_bytes bytes)
{
    if (bytes.size != 0)
        memcpy(writer->at, bytes.data, bytes.size);
    writer->at += bytes.size;
}

static inline struct field_writer records_start(struct lcap_encoder *encoder, size_t count,
                                                uint32_t clock)
{
    struct field_writer writer = {encoder->scratch};
    put_u32(&writer, (uint32_t)count);
    put_u32(&writer, clock);
    return writer;
}

static inline enum ludus_status check_count(const struct lcap_encoder *encoder, size_t count)
{
    if (count == 0 || encoder->events.is_active)
        return LUDUS_ERROR_ARGUMENT;
    return count > LCAP_ENCODE_MAX_RECORDS ? LUDUS_ERROR_LIMIT : LUDUS_OK;
}

/* The same for records that have ticks. */
static inline enum ludus_status check_count_and_clock(const struct lcap_encoder *encoder,
                                                      size_t count, uint32_t clock)
{
    return clock == 0 ? LUDUS_ERROR_ARGUMENT : check_count(encoder, count);
}

static inline enum ludus_status finish(struct lcap_encoder *encoder, enum lcap_block_kind kind,
                                       const struct field_writer *writer, struct lcap_bytes *block)
{
    *block = lcap_finish_payload(encoder, kind, (size_t)(writer->at - encoder->scratch));
    return LUDUS_OK;
}

#endif
