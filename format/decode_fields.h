/* What the decoders of records share: what holds for every record of a block. Private to format/.
 */
#ifndef LCAP_DECODE_FIELDS_H
#define LCAP_DECODE_FIELDS_H

#include "lcap_decode.h"
#include "lcap_wire.h"

static inline bool fail(struct lcap_records *records, enum lcap_damage problem)
{
    records->problem = problem;
    records->left = 0;
    return false;
}

/* Whether another record is to be read and its fixed part of `size` bytes is there. */
static inline bool has_record(struct lcap_records *records, size_t size)
{
    if (records->problem != LCAP_DAMAGE_NONE)
        return false;
    if (records->left == 0) {
        if (records->at != records->end)
            return fail(records, LCAP_DAMAGE_PAYLOAD_LAYOUT);
        return false;
    }
    if ((size_t)(records->end - records->at) < size)
        return fail(records, LCAP_DAMAGE_PAYLOAD_LAYOUT);
    records->left--;
    return true;
}

/* Takes `size` bytes behind the fixed part. */
static inline bool take_bytes(struct lcap_records *records, uint32_t size, struct lcap_bytes *bytes)
{
    if ((size_t)(records->end - records->at) < size)
        return fail(records, LCAP_DAMAGE_PAYLOAD_LAYOUT);
    *bytes = (struct lcap_bytes){records->at, size};
    records->at += size;
    return true;
}

#endif
