/* How numbers lie in a capture's bytes: little-endian integers, varints, zigzag. Private to
 * format/. */
#ifndef LCAP_WIRE_H
#define LCAP_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LCAP_VARINT_MAX_SIZE 10u

static inline void lcap_store_u16(uint8_t *at, uint16_t value)
{
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}

static inline void lcap_store_u32(uint8_t *at, uint32_t value)
{
    lcap_store_u16(at, (uint16_t)value);
    lcap_store_u16(at + 2, (uint16_t)(value >> 16));
}

static inline void lcap_store_u64(uint8_t *at, uint64_t value)
{
    lcap_store_u32(at, (uint32_t)value);
    lcap_store_u32(at + 4, (uint32_t)(value >> 32));
}

static inline uint16_t lcap_load_u16(const uint8_t *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static inline uint32_t lcap_load_u32(const uint8_t *at)
{
    return lcap_load_u16(at) | (uint32_t)lcap_load_u16(at + 2) << 16;
}

static inline uint64_t lcap_load_u64(const uint8_t *at)
{
    return lcap_load_u32(at) | (uint64_t)lcap_load_u32(at + 4) << 32;
}

/* Returns the byte behind the number; `at` must have room for LCAP_VARINT_MAX_SIZE. */
static inline uint8_t *lcap_store_varint(uint8_t *at, uint64_t value)
{
    while (value >= 0x80) {
        *at++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *at++ = (uint8_t)value;
    return at;
}

/* Advances `*at` behind the number. False when it does not end before `end` or exceeds 64 bits. */
static inline bool lcap_load_varint(const uint8_t **at, const uint8_t *end, uint64_t *value)
{
    uint64_t result = 0;
    const uint8_t *byte = *at;
    for (unsigned shift = 0; shift < 70 && byte != end; shift += 7) {
        uint64_t bits = *byte & 0x7Fu;
        if (shift == 63 && bits > 1)
            return false;
        result |= bits << shift;
        if (*byte++ < 0x80) {
            *at = byte;
            *value = result;
            return true;
        }
    }
    return false;
}

static inline uint64_t lcap_zigzag(uint64_t difference)
{
    return difference << 1 ^ (0 - (difference >> 63));
}

static inline uint64_t lcap_unzigzag(uint64_t value)
{
    return value >> 1 ^ (0 - (value & 1));
}

#endif
