/* What a recording of hitches is asked for: by the configuration and by LUDUS_HITCH. */
#ifndef LUDUS_HITCH_SETTINGS_H
#define LUDUS_HITCH_SETTINGS_H

#include <ludus/recorder.h>

#include "hitch_capture.h"
#include "machine_facts.h"
#include "memory_plan.h"

/* Takes the word of LUDUS_HITCH, replaces zeros by defaults and checks ranges. Errors: ARGUMENT. */
LUDUS_CHECKED enum ludus_status ludus_hitch_complete(struct ludus_recorder_config *config,
                                                     struct ludus_error *error);

/* Makes `hitch`, which was released, ready for a recording as `config` and `plan` say, off or on.
 * Errors: ARGUMENT (no path, or too long), WRITE (no captures can be made in its folder), MEMORY.
 */
LUDUS_CHECKED enum ludus_status ludus_hitch_set_up(struct ludus_hitch *hitch,
                                                   const struct ludus_recorder_config *config,
                                                   const struct ludus_memory_plan *plan,
                                                   struct ludus_error *error);

/* Tells what was asked for in the capture's facts. */
void ludus_hitch_tell(const struct ludus_hitch *hitch, struct ludus_machine_facts *facts);

#endif
