/* Numbers as text, the same in every locale. */
#include "number_text.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char digit_pairs[] = "00010203040506070809"
                                  "10111213141516171819"
                                  "20212223242526272829"
                                  "30313233343536373839"
                                  "40414243444546474849"
                                  "50515253545556575859"
                                  "60616263646566676869"
                                  "70717273747576777879"
                                  "80818283848586878889"
                                  "90919293949596979899";

/* Two digits a step: exports write several numbers for each slice. */
size_t trace_format_unsigned(uint64_t value, char *text)
{
    char digits[20];
    size_t at = sizeof digits;

    while (value >= 100) {
        at -= 2;
        memcpy(digits + at, digit_pairs + 2 * (value % 100), 2);
        value /= 100;
    }
    if (value >= 10) {
        at -= 2;
        memcpy(digits + at, digit_pairs + 2 * value, 2);
    } else {
        digits[--at] = (char)('0' + value);
    }
    memcpy(text, digits + at, sizeof digits - at);
    return sizeof digits - at;
}

size_t trace_format_integer(int64_t value, char *text)
{
    if (value >= 0)
        return trace_format_unsigned((uint64_t)value, text);
    text[0] = '-';
    return 1 + trace_format_unsigned(0 - (uint64_t)value, text + 1);
}

size_t trace_format_microseconds(int64_t ns, char *text)
{
    uint64_t size_ns = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    unsigned fraction = (unsigned)(size_ns % 1000);
    size_t used = 0;

    if (ns < 0)
        text[used++] = '-';
    used += trace_format_unsigned(size_ns / 1000, text + used);
    text[used] = '.';
    text[used + 1] = (char)('0' + fraction / 100);
    memcpy(text + used + 2, digit_pairs + 2 * (fraction % 100), 2);
    return used + 4;
}

/* Whatever the locale has for a point, in however many bytes, becomes a '.'. */
static size_t copy_with_point(const char *local, char *text)
{
    size_t size = 0;
    bool in_point = false;

    for (; *local != '\0'; local++) {
        bool is_plain =
            (*local >= '0' && *local <= '9') || *local == '-' || *local == '+' || *local == 'e';

        if (is_plain)
            text[size++] = *local;
        else if (!in_point)
            text[size++] = '.';
        in_point = !is_plain;
    }
    return size;
}

/* -0.04 with one decimal is 0.0. */
static size_t drop_sign_of_zero(char *text, size_t size)
{
    for (size_t i = 1; i < size; i++) {
        if (text[i] != '0' && text[i] != '.')
            return size;
    }
    if (size == 0 || text[0] != '-')
        return size;
    memmove(text, text + 1, size - 1);
    return size - 1;
}

size_t trace_format_fixed(double value, int decimals, char *text)
{
    char local[TRACE_NUMBER_SIZE];

    assert(decimals >= 0 && decimals <= 9);
    (void)snprintf(local, sizeof local, "%.*f", decimals, value);
    return drop_sign_of_zero(text, copy_with_point(local, text));
}

int trace_decimals_of(double value, int decimals)
{
    double rest = fabs(value);

    if (rest == 0 || rest * pow(10, decimals) >= 0.5)
        return decimals;
    while (decimals < 9 && rest * pow(10, decimals) < 9.5)
        decimals++;
    return decimals;
}

size_t trace_format_shortest(double value, char *text)
{
    char local[40];
    size_t size;

    for (int digits = 15; digits <= 17; digits++) {
        double again;

        (void)snprintf(local, sizeof local, "%.*g", digits, value);
        again = strtod(local, NULL);
        if (memcmp(&again, &value, sizeof value) == 0)
            break;
    }
    size = copy_with_point(local, text);
    if (memchr(text, '.', size) == NULL && memchr(text, 'e', size) == NULL) {
        memcpy(text + size, ".0", 2);
        size += 2;
    }
    return size;
}

void trace_format_seconds(int64_t ns, char text[TRACE_SECONDS_SIZE])
{
    uint64_t size_ns = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
    int size = snprintf(text, TRACE_SECONDS_SIZE, "%s%" PRIu64 ".%09" PRIu64, ns < 0 ? "-" : "",
                        size_ns / 1000000000u, size_ns % 1000000000u);
    while (text[size - 1] == '0')
        size--;
    if (text[size - 1] == '.')
        size--;
    text[size] = 's';
    text[size + 1] = '\0';
}
