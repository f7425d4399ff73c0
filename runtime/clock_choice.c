/* Chooses the clock of a recording; of the processor's counter, how fast it is and in which steps
 * it moves. */
#include "clock_choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock_contract.h"
#include "error_message.h"
#include "recorder_clock.h"

#define CALIBRATION_TRIES 16
#define STEP_READINGS     2000
#define RATE_NS           2000000u /* how long the rate is measured at least */

bool ludus_clock_is_counter;
ludus_clock_gettime_fn *ludus_clock_read = clock_gettime;

void ludus_clock_prepare(void)
{
    ludus_clock_gettime_fn *found = ludus_vdso_clock_gettime();
    struct timespec now;
    if (found != NULL && found(CLOCK_MONOTONIC, &now) == 0)
        __atomic_store_n(&ludus_clock_read, found, __ATOMIC_RELAXED);
}

enum ludus_status ludus_clock_wanted(enum ludus_recorder_clock *wanted, struct ludus_error *error)
{
    static const struct {
        const char *word;
        enum ludus_recorder_clock clock;
    } words[] = {{"auto", LUDUS_CLOCK_AUTO},
                 {"monotonic", LUDUS_CLOCK_MONOTONIC},
                 {"tsc", LUDUS_CLOCK_COUNTER},
                 {"counter", LUDUS_CLOCK_COUNTER}};
    const char *given = getenv("LUDUS_CLOCK");
    if (given == NULL || given[0] == '\0')
        return LUDUS_OK;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(given, words[i].word) != 0)
            continue;
        *wanted = words[i].clock;
        return LUDUS_OK;
    }
    return ludus_error_set(error, LUDUS_ERROR_ARGUMENT,
                           "LUDUS_CLOCK is \"%.32s\": it must be auto, monotonic, tsc or counter",
                           given);
}

struct lcap_calibration ludus_clock_calibrate(void)
{
    struct lcap_calibration best = {.uncertainty_ns = UINT32_MAX};
    for (int i = 0; i < CALIBRATION_TRIES; i++) {
        const uint64_t before = ludus_clock_monotonic_ns();
        const uint64_t tick = ludus_clock_counter_ordered();
        const uint64_t after = ludus_clock_monotonic_ns();
        const uint64_t half = (after - before + 1) / 2;
        if (half < best.uncertainty_ns)
            best = (struct lcap_calibration){
                .tick = tick, .ns = (int64_t)(before + half), .uncertainty_ns = (uint32_t)half};
    }
    return best;
}

uint64_t ludus_common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The step in which the counter moves: what divides all of many differences. That so many share a
 * divisor by chance is not to be feared, and would be found when an event does not. */
static uint64_t measure_step(void)
{
    uint64_t step = 0;
    uint64_t last = ludus_clock_counter();
    for (int i = 0; i < STEP_READINGS && step != 1; i++) {
        const uint64_t tick = ludus_clock_counter();
        step = ludus_common_divisor(tick - last, step);
        last = tick;
    }
    return step != 0 ? step : 1;
}

/* --- the choice ------------------------------------------------------------------------------ */

/* A multiple of the clock's own step, at most as long as the resolution. */
static uint64_t coarser_step(uint64_t own_step, uint64_t ticks_per_second, uint32_t resolution_ns)
{
    const uint64_t ticks = (uint64_t)resolution_ns * (ticks_per_second / 1000u) / 1000000u;
    return ticks > own_step ? ticks / own_step * own_step : own_step;
}

static void say_resolution(struct ludus_clock_choice *choice, uint32_t resolution_ns)
{
    const size_t size = strlen(choice->reason);
    if (resolution_ns != 0)
        snprintf(choice->reason + size, sizeof choice->reason - size,
                 "; a resolution of %u ns was asked for", (unsigned)resolution_ns);
}

static void choose_counter(struct ludus_clock_choice *choice, struct lcap_calibration first,
                           uint32_t resolution_ns)
{
    struct lcap_calibration last;
    do {
        last = ludus_clock_calibrate();
    } while (last.ns - first.ns < RATE_NS);
    const double ticks = (double)(last.tick - first.tick);
    const double rate = ticks * 1e9 / (double)(last.ns - first.ns);
#if defined(__aarch64__)
    const enum lcap_clock_source source = LCAP_CLOCK_GENERIC_TIMER;
#else
    const enum lcap_clock_source source = LCAP_CLOCK_TSC;
#endif
    const uint64_t ticks_per_second = rate >= 1.0 ? (uint64_t)rate : 1;
    const uint64_t own_step = measure_step();
    const uint64_t step = coarser_step(own_step, ticks_per_second, resolution_ns);
    choice->is_coarse = step != own_step;
    choice->clock = (struct lcap_clock){.ticks_per_second = ticks_per_second,
                                        .step = step,
                                        .offset = ludus_clock_counter() % step,
                                        .clock = 1,
                                        .source = source};
}

void ludus_clock_choose(enum ludus_recorder_clock wanted, uint32_t resolution_ns,
                        struct ludus_clock_choice *choice)
{
    bool is_counter = false;
    choice->is_refused = false;
    choice->fault = NULL;
    if (wanted == LUDUS_CLOCK_MONOTONIC) {
        snprintf(choice->reason, sizeof choice->reason, "it was asked for");
    } else {
        struct lcap_calibration first = {0};
        struct ludus_counter_look look;
        ludus_counter_look_at_processor(&look);
        if (ludus_counter_judge(&look, choice->reason, sizeof choice->reason) ==
            LUDUS_COUNTER_UNTRIED) {
            first = ludus_clock_calibrate(); /* before what takes time, for the rate */
            ludus_counter_try(&look);
        }
        const enum ludus_counter_verdict verdict =
            ludus_counter_judge(&look, choice->reason, sizeof choice->reason);
        is_counter = verdict == LUDUS_COUNTER_FIT;
        choice->is_refused = !is_counter && wanted == LUDUS_CLOCK_COUNTER;
        choice->fault = ludus_counter_fault_name(verdict);
        if (is_counter)
            choose_counter(choice, first, resolution_ns);
    }
    if (!is_counter) {
        choice->is_coarse = resolution_ns > 1;
        choice->clock = (struct lcap_clock){.ticks_per_second = LUDUS_NS_PER_SECOND,
                                            .step = resolution_ns > 1 ? resolution_ns : 1,
                                            .clock = 1,
                                            .source = LCAP_CLOCK_MONOTONIC};
    }
    say_resolution(choice, resolution_ns);
    __atomic_store_n(&ludus_clock_is_counter, is_counter, __ATOMIC_RELAXED);
}
