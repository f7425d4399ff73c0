/* How much memory a recording has: as configured, or as the environment says. */
#ifndef LUDUS_MEMORY_CHOICE_H
#define LUDUS_MEMORY_CHOICE_H

#include <ludus/recorder.h>

/* Takes LUDUS_MEMORY, when that is set, in place of `config->memory_bytes`, whose range is not
 * checked. Errors: ARGUMENT. */
LUDUS_CHECKED enum ludus_status ludus_memory_choose(struct ludus_recorder_config *config,
                                                    struct ludus_error *error);

#endif
