/* The words that stand for the format's numbers in a database. Private to the analyzer's database
 * code. */
#ifndef TRACE_DATABASE_NAMES_H
#define TRACE_DATABASE_NAMES_H

#include "model.h"

enum trace_name_kind {
    TRACE_NAME_CLOCK_SOURCE,
    TRACE_NAME_TRACK_KIND,
    TRACE_NAME_LOSS_CAUSE, /* with "damage" for TRACE_LOSS_DAMAGE */
    TRACE_NAME_DIAGNOSTIC,
    TRACE_NAME_TRIGGER_CAUSE,
    TRACE_NAME_GPU_SUBJECT,
    TRACE_NAME_GPU_OUTCOME
};

#define TRACE_NAME_SIZE 16 /* holds the digits of any number */

/* The word for a number, or its decimal digits, put into `digits`, when it has none. */
const char *trace_name_of(enum trace_name_kind kind, uint32_t number, char digits[TRACE_NAME_SIZE]);

/* The number that a word, or decimal digits, stand for; 0 for any other text. */
uint32_t trace_number_of(enum trace_name_kind kind, const char *name);

#endif
