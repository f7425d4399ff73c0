/* The words that stand for the format's numbers in a database. */
#include "database_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lcap_decode.h"

/* No kind of thing has more named numbers than this. */
#define NAMED_NUMBERS 64u

static const char *find_name(enum trace_name_kind kind, uint32_t number)
{
    switch (kind) {
    case TRACE_NAME_CLOCK_SOURCE:
        return lcap_clock_source_name(number);
    case TRACE_NAME_TRACK_KIND:
        return lcap_track_kind_name(number);
    case TRACE_NAME_LOSS_CAUSE:
        return number == TRACE_LOSS_DAMAGE ? "damage" : lcap_loss_cause_name(number);
    case TRACE_NAME_DIAGNOSTIC:
        return lcap_diagnostic_name(number);
    case TRACE_NAME_TRIGGER_CAUSE:
        return lcap_trigger_cause_name(number);
    case TRACE_NAME_GPU_SUBJECT:
        return lcap_gpu_subject_name(number);
    case TRACE_NAME_GPU_OUTCOME:
        return lcap_gpu_outcome_name(number);
    }
    return NULL;
}

const char *trace_name_of(enum trace_name_kind kind, uint32_t number, char digits[TRACE_NAME_SIZE])
{
    const char *name = find_name(kind, number);

    if (name != NULL)
        return name;
    (void)snprintf(digits, TRACE_NAME_SIZE, "%" PRIu32, number);
    return digits;
}

static uint32_t read_digits(const char *digits)
{
    uint64_t value = 0;

    for (; *digits >= '0' && *digits <= '9' && value <= UINT32_MAX; digits++)
        value = value * 10 + (uint64_t)(*digits - '0');
    return *digits == '\0' && value <= UINT32_MAX ? (uint32_t)value : 0;
}

uint32_t trace_number_of(enum trace_name_kind kind, const char *name)
{
    uint32_t number;

    if (kind == TRACE_NAME_LOSS_CAUSE && strcmp(name, "damage") == 0)
        return TRACE_LOSS_DAMAGE;
    for (number = 0; number < NAMED_NUMBERS; number++) {
        const char *candidate = find_name(kind, number);

        if (candidate != NULL && strcmp(candidate, name) == 0)
            return number;
    }
    return read_digits(name);
}
