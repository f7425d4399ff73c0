/* The clocks of a recording, so that each of several captures of it can define them again. */
#ifndef LUDUS_CLOCK_HISTORY_H
#define LUDUS_CLOCK_HISTORY_H

#include <stdint.h>

#include "clock_choice.h"
#include "lcap_records.h"

/* Clocks that jumps may make of one: a capture does not grow by broken clocks. */
#define LUDUS_MAX_JUMPED_CLOCKS 64u

/* Each refinement of a step at least halves it, and a step that is measured is below 2^31. */
#define LUDUS_MAX_CLOCKS (LUDUS_MAX_JUMPED_CLOCKS + 32u)

struct ludus_past_clock {
    struct lcap_clock clock;
    struct lcap_calibration calibrations[2]; /* the first and the last one */
    uint32_t calibration_count;
    char reason[LUDUS_CLOCK_REASON_BYTES];
};

/* Zeroed for a recording. The collector's. */
struct ludus_clock_history {
    struct ludus_past_clock clocks[LUDUS_MAX_CLOCKS];
    uint32_t count;
};

/* Adds the clock in use from now on, and a calibration of it, later than those before. */
void ludus_clock_history_add(struct ludus_clock_history *history, const struct lcap_clock *clock,
                             const char *reason);
void ludus_clock_history_calibrate(struct ludus_clock_history *history,
                                   const struct lcap_calibration *calibration);

#endif
