/* Stands between the recorder and the file: lets a test stop the collector inside a write, or fail
 * one. For programs that are linked with --wrap=write. */
#ifndef WRITE_GATE_H
#define WRITE_GATE_H

#include <stddef.h>

/* Closed, every write of the recorder waits until the gate is opened. */
void write_gate_close(void);
void write_gate_open(void);

/* Waits until a write does. */
void write_gate_await(void);

/* Has the write with this number fail, once, for want of room; the next one from now on is 1. */
void write_gate_fail(unsigned number);

/* From now on a write takes at most so many bytes, and every third is interrupted; 0: neither. */
void write_gate_shorten(size_t bytes);

/* Whether it has failed. */
int write_gate_has_failed(void);

#endif
