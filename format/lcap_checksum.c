/* CRC-32: by multiplication where the processor can, and otherwise eight bytes at a time: table k
 * holds the CRC of each byte followed by k zero bytes, so that eight look-ups can be combined (the
 * slicing method of Kounavis and Berry, 2005). The CRC is linear, so that an entry is the
 * exclusive-or of those of its bits: the compiler builds the tables from the 64 numbers below, and
 * neither a start-up step nor a generator is needed. */
#include "lcap_checksum.h"

#include "lcap_wire.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <wmmintrin.h>
#define CAN_FOLD 1
#else
#define CAN_FOLD 0
#endif

#define CRC_BIT(i, bit, value) (((i) >> (bit)&1u) != 0 ? (value) : 0u)
#define CRC_ENTRY(i, b0, b1, b2, b3, b4, b5, b6, b7)                                               \
    (CRC_BIT(i, 0, b0) ^ CRC_BIT(i, 1, b1) ^ CRC_BIT(i, 2, b2) ^ CRC_BIT(i, 3, b3) ^               \
     CRC_BIT(i, 4, b4) ^ CRC_BIT(i, 5, b5) ^ CRC_BIT(i, 6, b6) ^ CRC_BIT(i, 7, b7))
#define CRC_4(i, ...)                                                                              \
    CRC_ENTRY((i) + 0u, __VA_ARGS__), CRC_ENTRY((i) + 1u, __VA_ARGS__),                            \
        CRC_ENTRY((i) + 2u, __VA_ARGS__), CRC_ENTRY((i) + 3u, __VA_ARGS__)
#define CRC_16(i, ...)                                                                             \
    CRC_4((i) + 0u, __VA_ARGS__), CRC_4((i) + 4u, __VA_ARGS__), CRC_4((i) + 8u, __VA_ARGS__),      \
        CRC_4((i) + 12u, __VA_ARGS__)
#define CRC_64(i, ...)                                                                             \
    CRC_16((i) + 0u, __VA_ARGS__), CRC_16((i) + 16u, __VA_ARGS__), CRC_16((i) + 32u, __VA_ARGS__), \
        CRC_16((i) + 48u, __VA_ARGS__)
#define CRC_256(...)                                                                               \
    {                                                                                              \
        CRC_64(0u, __VA_ARGS__), CRC_64(64u, __VA_ARGS__), CRC_64(128u, __VA_ARGS__),              \
            CRC_64(192u, __VA_ARGS__)                                                              \
    }

static const uint32_t crc_table[8][256] = {
    CRC_256(0x77073096u, 0xEE0E612Cu, 0x076DC419u, 0x0EDB8832u, 0x1DB71064u, 0x3B6E20C8u,
            0x76DC4190u, 0xEDB88320u),
    CRC_256(0x191B3141u, 0x32366282u, 0x646CC504u, 0xC8D98A08u, 0x4AC21251u, 0x958424A2u,
            0xF0794F05u, 0x3B83984Bu),
    CRC_256(0x01C26A37u, 0x0384D46Eu, 0x0709A8DCu, 0x0E1351B8u, 0x1C26A370u, 0x384D46E0u,
            0x709A8DC0u, 0xE1351B80u),
    CRC_256(0xB8BC6765u, 0xAA09C88Bu, 0x8F629757u, 0xC5B428EFu, 0x5019579Fu, 0xA032AF3Eu,
            0x9B14583Du, 0xED59B63Bu),
    CRC_256(0x3D6029B0u, 0x7AC05360u, 0xF580A6C0u, 0x30704BC1u, 0x60E09782u, 0xC1C12F04u,
            0x58F35849u, 0xB1E6B092u),
    CRC_256(0xCB5CD3A5u, 0x4DC8A10Bu, 0x9B914216u, 0xEC53826Du, 0x03D6029Bu, 0x07AC0536u,
            0x0F580A6Cu, 0x1EB014D8u),
    CRC_256(0xA6770BB4u, 0x979F1129u, 0xF44F2413u, 0x33EF4E67u, 0x67DE9CCEu, 0xCFBD399Cu,
            0x440B7579u, 0x8816EAF2u),
    CRC_256(0xCCAA009Eu, 0x4225077Du, 0x844A0EFAu, 0xD3E51BB5u, 0x7CBB312Bu, 0xF9766256u,
            0x299DC2EDu, 0x533B85DAu),
};

/* Goes on from a CRC that is not inverted yet. */
static uint32_t add_by_tables(uint32_t crc, const uint8_t *at, size_t size)
{
    for (; size >= 8; size -= 8, at += 8) {
        uint32_t low = lcap_load_u32(at) ^ crc;
        uint32_t high = lcap_load_u32(at + 4);
        crc = crc_table[7][low & 0xFF] ^ crc_table[6][low >> 8 & 0xFF] ^
              crc_table[5][low >> 16 & 0xFF] ^ crc_table[4][low >> 24] ^ crc_table[3][high & 0xFF] ^
              crc_table[2][high >> 8 & 0xFF] ^ crc_table[1][high >> 16 & 0xFF] ^
              crc_table[0][high >> 24];
    }
    for (; size != 0; size--, at++)
        crc = crc_table[0][(crc ^ *at) & 0xFF] ^ crc >> 8;
    return crc;
}

#if CAN_FOLD
#define FOLDED_SIZE 64u

/* Multiplies both halves of what has been read with powers of x, so that it stands over the bytes
 * that come `distance` later, and adds those. `powers` are x^(distance + 32) and x^(distance - 32),
 * the distance in bits, modulo the polynomial and with bits reversed. */
static inline __attribute__((target("pclmul"))) __m128i fold(__m128i sum, __m128i powers,
                                                             __m128i next)
{
    __m128i low = _mm_clmulepi64_si128(sum, powers, 0x00);
    __m128i high = _mm_clmulepi64_si128(sum, powers, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

static inline __m128i load_16(const uint8_t *at)
{
    return _mm_loadu_si128((const __m128i *)(const void *)at);
}

/* The same for a multiple of 16 bytes, at least FOLDED_SIZE, by multiplication without carries
 * (Gopal and others, "Fast CRC Computation for Generic Polynomials", 2009): four sums of 16 bytes
 * are folded over the 64 bytes behind them, at last into one, which has the CRC of all of it. */
static __attribute__((target("pclmul"))) uint32_t add_by_folding(uint32_t crc, const uint8_t *at,
                                                                 size_t size)
{
    const __m128i over_64 = _mm_set_epi64x(0x1C6E41596, 0x154442BD4);
    const __m128i over_16 = _mm_set_epi64x(0x0CCAA009E, 0x1751997D0);
    __m128i sums[4];
    for (size_t i = 0; i < 4; i++)
        sums[i] = load_16(at + 16 * i);
    sums[0] = _mm_xor_si128(sums[0], _mm_cvtsi32_si128((int)crc));
    for (at += 64, size -= 64; size >= 64; at += 64, size -= 64)
        for (size_t i = 0; i < 4; i++)
            sums[i] = fold(sums[i], over_64, load_16(at + 16 * i));
    __m128i sum = sums[0];
    for (size_t i = 1; i < 4; i++)
        sum = fold(sum, over_16, sums[i]);
    for (; size != 0; at += 16, size -= 16)
        sum = fold(sum, over_16, load_16(at));
    uint8_t rest[16];
    _mm_storeu_si128((__m128i *)(void *)rest, sum);
    return add_by_tables(0, rest, sizeof rest);
}

uint32_t lcap_crc32(const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    uint32_t crc = 0xFFFFFFFFu;
    if (size >= FOLDED_SIZE && __builtin_cpu_supports("pclmul")) {
        size_t folded = size & ~(size_t)15;
        crc = add_by_folding(crc, at, folded);
        at += folded;
        size -= folded;
    }
    return ~add_by_tables(crc, at, size);
}
#else
uint32_t lcap_crc32(const void *bytes, size_t size)
{
    return ~add_by_tables(0xFFFFFFFFu, bytes, size);
}
#endif
