/* How one cell of a report looks to people. */
#include "cell_text.h"

#include <math.h>
#include <string.h>

#include "number_text.h"

#define LARGE_NUMBER 1e15

static void append_text(struct trace_text_buffer *buffer, const char *text)
{
    trace_text_buffer_append(buffer, text, strlen(text));
}

/* Puts a comma between the thousands of the part before the point. */
static void append_grouped(struct trace_text_buffer *buffer, const char *number, size_t size)
{
    const char *point = memchr(number, '.', size);
    size_t whole = point == NULL ? size : (size_t)(point - number);

    for (size_t i = 0; i < size; i++) {
        bool is_digit_before = i > 0 && number[i - 1] != '-';

        if (i < whole && is_digit_before && (whole - i) % 3 == 0)
            append_text(buffer, ",");
        trace_text_buffer_append(buffer, number + i, 1);
    }
}

static void append_unsigned(struct trace_text_buffer *buffer, uint64_t value)
{
    char text[TRACE_NUMBER_SIZE];

    append_grouped(buffer, text, trace_format_unsigned(value, text));
}

/* `value` with the given number of its last digits behind a point. */
static void append_decimal(struct trace_text_buffer *buffer, uint64_t value, int decimals)
{
    char text[TRACE_NUMBER_SIZE];
    uint64_t one = decimals == 3 ? 1000 : decimals == 2 ? 100 : 10;
    size_t size = trace_format_unsigned(value + one * 10, text); /* keeps leading zeros */
    size_t split = size - (size_t)decimals;
    char whole[TRACE_NUMBER_SIZE];

    trace_text_buffer_append(buffer, whole, trace_format_unsigned(value / one, whole));
    append_text(buffer, ".");
    trace_text_buffer_append(buffer, text + split, (size_t)decimals);
}

/* Integers all the way, so that 999,950 ns is 1.000 ms on every machine. */
static void append_nanoseconds(struct trace_text_buffer *buffer, uint64_t value_ns)
{
    static const struct {
        const char *unit;
        uint64_t ns;
    } units[] = {{" us", 1000}, {" ms", 1000000}, {" s", 1000000000}};

    if (value_ns < 1000) {
        append_unsigned(buffer, value_ns);
        append_text(buffer, " ns");
        return;
    }
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        uint64_t part_ns = units[i].ns / 1000; /* of the last digit */

        for (int decimals = 3; decimals > 0; decimals--, part_ns *= 10) {
            uint64_t rounded = (value_ns + part_ns / 2) / part_ns;

            if (rounded >= 10000)
                continue;
            append_decimal(buffer, rounded, decimals);
            append_text(buffer, units[i].unit);
            return;
        }
    }
    append_unsigned(buffer, (value_ns + 500000000) / 1000000000);
    append_text(buffer, " s");
}

/* How many decimals make four significant digits of a value below 10,000. */
static int four_digits(double value)
{
    return value < 9.9995 ? 3 : value < 99.995 ? 2 : value < 999.95 ? 1 : 0;
}

static void append_fixed(struct trace_text_buffer *buffer, double value, int decimals,
                         bool is_grouped)
{
    char text[TRACE_NUMBER_SIZE];
    size_t size = trace_format_fixed(value, decimals, text);

    if (is_grouped)
        append_grouped(buffer, text, size);
    else
        trace_text_buffer_append(buffer, text, size);
}

static void append_bytes(struct trace_text_buffer *buffer, double value)
{
    static const char *const units[] = {" KiB", " MiB", " GiB", " TiB"};
    size_t unit = 0;

    if (value < 1024) {
        append_fixed(buffer, value, 0, true);
        append_text(buffer, " B");
        return;
    }
    value /= 1024;
    while (value >= 1023.5 && unit + 1 < sizeof units / sizeof units[0]) {
        value /= 1024;
        unit++;
    }
    append_fixed(buffer, value, four_digits(value), true);
    append_text(buffer, units[unit]);
}

/* All of its digits, in groups of three, as a place that is looked for needs them. */
static void append_position(struct trace_text_buffer *buffer, uint64_t value_ns)
{
    static const char *const units[] = {" ns", " us", " ms", " s"};
    char text[TRACE_NUMBER_SIZE];
    uint64_t one = 1;
    size_t unit = 0, size;

    while (unit < 3 && value_ns / one >= 1000) {
        one *= 1000;
        unit++;
    }
    append_unsigned(buffer, value_ns / one);
    if (unit != 0) {
        size = trace_format_unsigned(value_ns % one + one, text); /* keeps leading zeros */
        while (size > 4 && memcmp(text + size - 3, "000", 3) == 0)
            size -= 3;
        append_text(buffer, ".");
        trace_text_buffer_append(buffer, text + 1, size - 1);
    }
    append_text(buffer, units[unit]);
}

static void append_integer(struct trace_text_buffer *buffer, enum trace_unit unit, bool is_position,
                           int64_t value)
{
    char text[TRACE_NUMBER_SIZE];
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    if (unit == TRACE_UNIT_NONE) {
        trace_text_buffer_append(buffer, text, trace_format_integer(value, text));
        return;
    }
    if (value < 0)
        append_text(buffer, "-");
    if (unit == TRACE_UNIT_NANOSECONDS && is_position)
        append_position(buffer, size);
    else if (unit == TRACE_UNIT_NANOSECONDS)
        append_nanoseconds(buffer, size);
    else if (unit == TRACE_UNIT_BYTES)
        append_bytes(buffer, (double)size);
    else
        append_unsigned(buffer, size);
    if (unit == TRACE_UNIT_PERCENT)
        append_text(buffer, " %");
}

static void append_real_nanoseconds(struct trace_text_buffer *buffer, double value_ns,
                                    int max_decimals)
{
    double size_ns = fabs(value_ns);
    int decimals = four_digits(size_ns) < max_decimals ? four_digits(size_ns) : max_decimals;

    if (size_ns < 999.95) {
        append_fixed(buffer, value_ns, decimals, false);
        append_text(buffer, " ns");
    } else if (size_ns < 9e18) {
        append_integer(buffer, TRACE_UNIT_NANOSECONDS, false, llround(value_ns));
    } else {
        append_fixed(buffer, value_ns / 1e9, 0, true);
        append_text(buffer, " s");
    }
}

/* A number of more than 15 digits, of which no more are meant: its first ones, and a power of 10.
 */
static void append_large(struct trace_text_buffer *buffer, double value)
{
    char text[TRACE_NUMBER_SIZE];
    int exponent = (int)floor(log10(fabs(value)));
    double digits = value / pow(10, exponent);

    if (fabs(digits) >= 9.9995) { /* four digits of it are 10.00 */
        digits /= 10;
        exponent++;
    }
    append_fixed(buffer, digits, 3, false);
    append_text(buffer, "e+");
    trace_text_buffer_append(buffer, text, trace_format_integer(exponent, text));
}

static void append_real(struct trace_text_buffer *buffer, const struct trace_column *column,
                        double value)
{
    if (!isfinite(value)) {
        append_text(buffer, "-");
    } else if (column->unit == TRACE_UNIT_NANOSECONDS) {
        append_real_nanoseconds(buffer, value, column->decimals);
    } else if (column->unit == TRACE_UNIT_BYTES) {
        if (value < 0)
            append_text(buffer, "-");
        append_bytes(buffer, fabs(value));
    } else if (fabs(value) >= LARGE_NUMBER) {
        append_large(buffer, value);
    } else if (column->unit == TRACE_UNIT_PER_FRAME && value > 0 &&
               trace_decimals_of(value, column->decimals) != column->decimals) {
        append_text(buffer, "<"); /* it is not 0, and is not to read as one */
        append_fixed(buffer, pow(10, -column->decimals), column->decimals, false);
    } else {
        append_fixed(buffer, value, column->decimals, column->unit != TRACE_UNIT_NONE);
        if (column->unit == TRACE_UNIT_PERCENT)
            append_text(buffer, " %");
    }
}

void trace_append_cell(struct trace_text_buffer *buffer, const struct trace_column *column,
                       const struct trace_cell *cell)
{
    switch (cell->kind) {
    case TRACE_CELL_NULL:
        append_text(buffer, "-");
        break;
    case TRACE_CELL_TEXT:
        trace_append_visible(buffer, cell->as.text.data, cell->as.text.size);
        break;
    case TRACE_CELL_INTEGER:
        append_integer(buffer, column->unit, column->is_position, cell->as.integer);
        break;
    case TRACE_CELL_REAL:
        append_real(buffer, column, cell->as.real);
        break;
    }
}

void trace_append_list_row(struct trace_text_buffer *buffer, const struct trace_report *report,
                           size_t table, size_t row)
{
    const struct trace_table_type *type = &trace_report_get_type(report)->tables[table];
    bool is_first = true;

    for (size_t i = 0; i < type->column_count; i++) {
        struct trace_cell cell = trace_report_cell(report, table, row, i);

        if (!trace_report_shows_column(report, table, i))
            continue;
        if (!is_first)
            append_text(buffer, ": ");
        is_first = false;
        trace_append_cell(buffer, &type->columns[i], &cell);
    }
}

bool trace_is_number(const struct trace_column *column)
{
    return column->type != TRACE_TYPE_TEXT;
}
