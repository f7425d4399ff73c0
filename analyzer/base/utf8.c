/* Steps over text that should be UTF-8 and may hold any bytes. */
#include "utf8.h"

#include <string.h>

/* What may follow a lead byte: how many bytes, and the range of the first of them. */
struct utf8_lead {
    uint32_t bits;
    uint8_t following; /* 0: not a lead byte */
    uint8_t lowest;
    uint8_t highest;
};

static struct utf8_lead classify_lead(uint8_t byte)
{
    struct utf8_lead lead = {0, 0, 0x80, 0xBF};

    if (byte >= 0xC2 && byte <= 0xDF) {
        lead.following = 1;
        lead.bits = byte & 0x1Fu;
    } else if (byte >= 0xE0 && byte <= 0xEF) {
        lead.following = 2;
        lead.bits = byte & 0x0Fu;
        lead.lowest = byte == 0xE0 ? 0xA0 : 0x80;  /* no overlong forms */
        lead.highest = byte == 0xED ? 0x9F : 0xBF; /* no surrogates */
    } else if (byte >= 0xF0 && byte <= 0xF4) {
        lead.following = 3;
        lead.bits = byte & 0x07u;
        lead.lowest = byte == 0xF0 ? 0x90 : 0x80;
        lead.highest = byte == 0xF4 ? 0x8F : 0xBF; /* nothing above U+10FFFF */
    }
    return lead;
}

struct trace_code_point trace_utf8_next(const char *text, size_t size)
{
    struct trace_code_point point = {(uint8_t)text[0], 1, true};
    struct utf8_lead lead;

    if (point.value < 0x80)
        return point;
    lead = classify_lead((uint8_t)text[0]);
    point.value = lead.bits;
    point.is_valid = lead.following > 0;
    while (point.is_valid && point.size <= lead.following) {
        uint8_t byte = point.size < size ? (uint8_t)text[point.size] : 0;

        if (byte < lead.lowest || byte > lead.highest) {
            point.is_valid = false;
            break;
        }
        point.value = point.value << 6 | (byte & 0x3Fu);
        point.size++;
        lead.lowest = 0x80;
        lead.highest = 0xBF;
    }
    if (!point.is_valid)
        point.value = TRACE_REPLACEMENT;
    return point;
}

/* How many bytes of ASCII begin the text, or nearly so many: eight at a time. */
static size_t skip_ascii(const char *text, size_t size)
{
    size_t at = 0;
    uint64_t bytes;

    for (; size - at >= sizeof bytes; at += sizeof bytes) {
        memcpy(&bytes, text + at, sizeof bytes);
        if ((bytes & UINT64_C(0x8080808080808080)) != 0)
            break;
    }
    return at;
}

bool trace_utf8_is_valid(const char *text, size_t size)
{
    size_t at = 0;

    while (at < size) {
        at += skip_ascii(text + at, size - at);
        if (at == size)
            break;
        struct trace_code_point point = trace_utf8_next(text + at, size - at);

        if (!point.is_valid)
            return false;
        at += point.size;
    }
    return true;
}

struct code_point_range {
    uint32_t first;
    uint32_t last;
};

/* Marks that are drawn over the character before them, and characters without a shape. */
static const struct code_point_range narrowest[] = {
    {0x0300, 0x036F},   {0x0483, 0x0489},   {0x0591, 0x05BD}, {0x0610, 0x061A}, {0x064B, 0x065F},
    {0x0E34, 0x0E3A},   {0x0E47, 0x0E4E},   {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200F},
    {0x2060, 0x2064},   {0x20D0, 0x20FF},   {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF},
    {0x1F3FB, 0x1F3FF}, {0xE0100, 0xE01EF},
};

/* Ideographs, kana, hangul, full-width forms, emoji. */
static const struct code_point_range widest[] = {
    {0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0x33FF},   {0x3400, 0x4DBF},
    {0x4E00, 0xA4CF},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},
    {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF},
    {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD},
};

static bool is_in(const struct code_point_range *ranges, size_t count, uint32_t value)
{
    for (size_t i = 0; i < count; i++) {
        if (value >= ranges[i].first && value <= ranges[i].last)
            return true;
    }
    return false;
}

unsigned trace_code_point_width(uint32_t value)
{
    if (value < 0x300)
        return 1;
    if (is_in(narrowest, sizeof narrowest / sizeof narrowest[0], value))
        return 0;
    return is_in(widest, sizeof widest / sizeof widest[0], value) ? 2 : 1;
}

size_t trace_utf8_width(const char *text, size_t size)
{
    size_t width = 0;

    for (size_t at = 0; at < size;) {
        struct trace_code_point point = trace_utf8_next(text + at, size - at);

        width += trace_code_point_width(point.value);
        at += point.size;
    }
    return width;
}
