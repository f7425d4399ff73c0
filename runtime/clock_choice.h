/* Which clock a recording uses, and how its ticks belong to the time of CLOCK_MONOTONIC. */
#ifndef LUDUS_CLOCK_CHOICE_H
#define LUDUS_CLOCK_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include <ludus/recorder.h>

#include "lcap_records.h"

#define LUDUS_CLOCK_REASON_BYTES 256u

struct ludus_clock_choice {
    struct lcap_clock clock;               /* its id is 1 */
    char reason[LUDUS_CLOCK_REASON_BYTES]; /* what was checked, and how it came out */
    const char *fault; /* why the processor's counter was refused, in a word; NULL: it was taken,
                          was not wanted, or there is none */
    bool is_refused;   /* the counter was asked for and cannot be trusted */
    bool is_coarse;    /* its step is not its own but was asked for */
};

/* Finds the fastest way to read CLOCK_MONOTONIC. Once a process. */
void ludus_clock_prepare(void);

/* Takes the word of LUDUS_CLOCK, when that is set, in place of `wanted`.
 * Errors: ARGUMENT (it is no such word). */
LUDUS_CHECKED enum ludus_status ludus_clock_wanted(enum ludus_recorder_clock *wanted,
                                                   struct ludus_error *error);

/* Chooses the clock, and has ludus_clock_ticks read it. The counter is taken only where it is known
 * to be the same on all cores, of one rate, and trusted by the kernel. Takes a few milliseconds
 * when it is looked at. `resolution_ns` is the coarsest step that may be stored; 0 is the clock's
 * own. */
void ludus_clock_choose(enum ludus_recorder_clock wanted, uint32_t resolution_ns,
                        struct ludus_clock_choice *choice);

/* A pair of the counter and CLOCK_MONOTONIC: of several tries, the one with the least time between
 * the two readings around the counter's. `uncertainty_ns` is half of that time. */
struct lcap_calibration ludus_clock_calibrate(void);

/* Of (0, b) it is b. */
uint64_t ludus_common_divisor(uint64_t a, uint64_t b);

#endif
