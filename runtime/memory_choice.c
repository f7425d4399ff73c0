/* Reads how much memory the environment gives. */
#include "memory_choice.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "error_message.h"

#define ENVIRONMENT "LUDUS_MEMORY"
#define MOST_DIGITS 6u /* of which no unit makes an overflow */

/* A whole number above 0 and its unit. False: it is no such size. */
static bool read_size(const char *text, uint64_t *bytes)
{
    static const struct {
        const char *name;
        uint64_t bytes;
    } units[] = {{"MiB", UINT64_C(1) << 20}, {"GiB", UINT64_C(1) << 30}};
    const size_t digits = strspn(text, "0123456789");
    uint64_t number = 0;
    if (digits > MOST_DIGITS)
        return false;
    for (size_t i = 0; i < digits; i++)
        number = number * 10 + (uint64_t)(text[i] - '0');
    for (size_t i = 0; number != 0 && i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(text + digits, units[i].name) == 0) {
            *bytes = number * units[i].bytes;
            return true;
        }
    }
    return false;
}

enum ludus_status ludus_memory_choose(struct ludus_recorder_config *config,
                                      struct ludus_error *error)
{
    const char *given = getenv(ENVIRONMENT);
    if (given == NULL || given[0] == '\0' || read_size(given, &config->memory_bytes))
        return LUDUS_OK;
    return ludus_error_set(error, LUDUS_ERROR_ARGUMENT,
                           ENVIRONMENT " is \"%.64s\": it must be a whole number of MiB or GiB, "
                                       "such as 64MiB",
                           given);
}
