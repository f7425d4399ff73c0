/* What each test of sessions begins with: a sound device, a recorder that admits, and a renderer
 * with three frames in flight. Behind each test, no slot was misused. */
#ifndef SIM_FIXTURE_H
#define SIM_FIXTURE_H

#include <check.h>

#include "sim_renderer.h"

extern struct sim_device device;
extern struct sim_recorder *recorder;
extern struct sim_renderer renderer;

/* Begins anew with another setup. */
void sim_open_again(const struct ludus_gpu_setup *setup);

/* What was counted of frames, and of passes. */
uint64_t frames(uint32_t outcome);
uint64_t passes(uint32_t outcome);

/* Runs tests, each with a simulation of its own, and returns the program's exit code. */
int sim_run(const char *name, const TTest *const *tests, size_t count);

#endif
