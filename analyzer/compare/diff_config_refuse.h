/* What is said of a comparison's configuration that cannot be taken. Private to diff_config*.c. */
#ifndef TRACE_DIFF_CONFIG_REFUSE_H
#define TRACE_DIFF_CONFIG_REFUSE_H

#include <jansson.h>

#include "config_text.h"
#include "diff_config_keys.h"

/* Where the reader is: in what, and which member of it. */
struct trace_config_reader {
    struct trace_config_text text;
    struct trace_diff_config *config;
    struct trace_config_place place;
    const char *keys[TRACE_CONFIG_DEPTH]; /* on the way, or the words of elements */
    struct ludus_error *error;
};

/* Each fills the reader's error with a line about the member that is read, and returns FORMAT, or
 * MEMORY. */

LUDUS_CHECKED enum ludus_status trace_config_refuse(const struct trace_config_reader *reader,
                                                    const char *reason);

/* Says what is wanted, and what the value is. */
LUDUS_CHECKED enum ludus_status trace_config_refuse_type(const struct trace_config_reader *reader,
                                                         const char *wanted, const json_t *json);

/* Says which numbers the key may have. */
LUDUS_CHECKED enum ludus_status trace_config_refuse_number(const struct trace_config_reader *reader,
                                                           const struct trace_config_key *key,
                                                           const json_t *json);

/* Says which name was meant, or all that there are; NULL is behind the last. */
LUDUS_CHECKED enum ludus_status trace_config_refuse_name(const struct trace_config_reader *reader,
                                                         const char *reason,
                                                         const char *const *names);

/* Says why the text is no JSON. */
LUDUS_CHECKED enum ludus_status trace_config_refuse_syntax(const struct trace_config_reader *reader,
                                                           const json_error_t *said);

#endif
