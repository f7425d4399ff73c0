/* Remembers clocks, each with its first and its last calibration: all times between them lie on
 * the line through the two, but for what the calibrations in a capture's own window tell better. */
#include "clock_history.h"

#include <stdio.h>

void ludus_clock_history_add(struct ludus_clock_history *history, const struct lcap_clock *clock,
                             const char *reason)
{
    if (history->count == LUDUS_MAX_CLOCKS)
        return;
    struct ludus_past_clock *past = &history->clocks[history->count++];
    *past = (struct ludus_past_clock){.clock = *clock};
    snprintf(past->reason, sizeof past->reason, "%s", reason);
}

void ludus_clock_history_calibrate(struct ludus_clock_history *history,
                                   const struct lcap_calibration *calibration)
{
    struct ludus_past_clock *past = &history->clocks[history->count - 1];
    const struct lcap_calibration *last =
        past->calibration_count != 0 ? &past->calibrations[past->calibration_count - 1] : NULL;
    if (last != NULL && (calibration->tick <= last->tick || calibration->ns <= last->ns))
        return;
    past->calibrations[past->calibration_count == 0 ? 0 : 1] = *calibration;
    past->calibration_count = past->calibration_count == 0 ? 1 : 2;
}
