/* Which categories a recording starts with. */
#ifndef LUDUS_RECORDER_CATEGORIES_H
#define LUDUS_RECORDER_CATEGORIES_H

#include <ludus/recorder.h>

#include "machine_facts.h"

/* Adds what the configuration and the environment say to what the program has said before.
 * Errors: ARGUMENT, LIMIT; nothing is changed then. */
LUDUS_CHECKED enum ludus_status ludus_categories_start(const struct ludus_recorder_config *config,
                                                       struct ludus_error *error);

/* Adds the fact of which categories are recorded, when anything was said about that. */
void ludus_categories_tell(struct ludus_machine_facts *facts);

#endif
