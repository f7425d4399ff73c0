/* What a GPU scope may be called. */
#include "gpu_name.h"

#include <stdint.h>
#include <string.h>

/* How many bytes follow a first byte, and which the next may be; the others are continuations. */
struct sequence {
    size_t size; /* 0: no sequence begins so */
    uint8_t lowest;
    uint8_t highest;
};

static struct sequence sequence_of(uint8_t first)
{
    if (first >= 0xC2 && first <= 0xDF)
        return (struct sequence){2, 0x80, 0xBF};
    if (first >= 0xE0 && first <= 0xEF)
        return (struct sequence){3, first == 0xE0 ? 0xA0 : 0x80, first == 0xED ? 0x9F : 0xBF};
    if (first >= 0xF0 && first <= 0xF4)
        return (struct sequence){4, first == 0xF0 ? 0x90 : 0x80, first == 0xF4 ? 0x8F : 0xBF};
    return (struct sequence){0, 0, 0};
}

static bool is_continuation(uint8_t byte)
{
    return (byte & 0xC0u) == 0x80u;
}

/* The size of the sequence at the front of the text, or 0. */
static size_t sequence_size(const uint8_t *text, size_t size)
{
    if (text[0] < 0x80)
        return text[0] != 0;
    const struct sequence sequence = sequence_of(text[0]);
    if (sequence.size == 0 || sequence.size > size || text[1] < sequence.lowest ||
        text[1] > sequence.highest)
        return 0;
    for (size_t i = 2; i < sequence.size; i++) {
        if (!is_continuation(text[i]))
            return 0;
    }
    return sequence.size;
}

/* Whether 8 bytes are ASCII and none is 0: the high bit of a byte is set in it, or when 1 is taken
 * from a 0. Most names are checked so, in each of their scopes. */
static bool is_plain(const char *text)
{
    uint64_t word;
    memcpy(&word, text, sizeof word);
    return ((word | (word - 0x0101010101010101u)) & 0x8080808080808080u) == 0;
}

bool ludus_gpu_name_is_good(const char *name, size_t size)
{
    if (size == 0 || size > LUDUS_GPU_LONGEST_NAME)
        return false;
    for (size_t at = 0; at < size;) {
        const size_t step = size - at >= 8 && is_plain(name + at)
                                ? 8
                                : sequence_size((const uint8_t *)name + at, size - at);
        if (step == 0)
            return false;
        at += step;
    }
    return true;
}

void ludus_gpu_name_copy(char copy[LUDUS_GPU_LONGEST_NAME + 1], const char *text)
{
    size_t size = text != NULL ? strnlen(text, LUDUS_GPU_LONGEST_NAME + 1) : 0;
    if (size > LUDUS_GPU_LONGEST_NAME) {
        size = LUDUS_GPU_LONGEST_NAME;
        /* Of what is no UTF-8 no more than a character is cut. */
        for (size_t cut = size; cut > size - 4; cut--) {
            if (!is_continuation((uint8_t)text[cut])) {
                size = cut;
                break;
            }
        }
    }
    if (size > 0)
        memcpy(copy, text, size);
    copy[size] = 0;
}
