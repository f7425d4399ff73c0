/* Takes apart what is too small to be shown. */
#include <string.h>

#include "call_tree_page.h"
#include "failure.h"

/* Digits, and decimals behind a point: at most nine and four. */
static const char *parse_decimal(const char *text, double *value)
{
    size_t digits = strspn(text, "0123456789");
    size_t decimals = text[digits] == '.' ? strspn(text + digits + 1, "0123456789") : 0;
    int64_t number = 0, scale = 1;
    if (digits == 0 || digits > 9 || decimals > 4 || (text[digits] == '.' && decimals == 0))
        return NULL;
    for (size_t i = 0; i < digits; i++)
        number = number * 10 + (text[i] - '0');
    for (size_t i = 0; i < decimals; i++, scale *= 10)
        number = number * 10 + (text[digits + 1 + i] - '0');
    *value = (double)number / (double)scale;
    return text + digits + (decimals == 0 ? 0 : decimals + 1);
}

enum ludus_status trace_tree_limits_parse_min(const char *text, struct trace_tree_limits *limits,
                                              struct ludus_error *error)
{
    const char *unit = parse_decimal(text, &limits->min_percent);
    limits->min_text = text;
    if (unit != NULL && strcmp(unit, "%") == 0)
        return LUDUS_OK;
    limits->min_percent = 0;
    if (trace_parse_time(text, &limits->min_ns))
        return LUDUS_OK;
    return trace_fail(
        error, LUDUS_ERROR_ARGUMENT,
        "the least time '%s' is neither a share of the mean frame, such as 1%%, nor a "
        "time, such as 50us",
        text);
}
