/* A counter in place of the processor's, which a test can have jump, drift and move in steps. */
#ifndef FAKE_COUNTER_H
#define FAKE_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAKE_TICKS_PER_US 2400

/* Back to a good counter that stands near `tick`. */
void fake_counter_reset(uint64_t tick);

/* From now on it is so many ticks further, or so much faster than it was at first. */
void fake_counter_jump(int64_t ticks);
void fake_counter_drift(int64_t ppm);

/* The calling thread's next reading is so much before its last one. */
void fake_counter_step_back(uint64_t ticks);

/* From now on its readings are `phase` and whole steps of so many ticks. */
void fake_counter_step(uint64_t step, uint64_t phase);

/* Whether every second reading is a second behind. */
void fake_counter_stumble(bool does);

/* What the calling thread has read since it last forgot, at most 4,096 readings. */
const uint64_t *fake_counter_readings(size_t *count);
void fake_counter_forget(void);

#endif
