/* What the program does about long work: when it is interrupted, nothing half made is left. */
#ifndef CLI_WATCH_H
#define CLI_WATCH_H

#include "trace.h"

/* From now on a signal that ends the program removes first what is temporary. */
void cli_watch_start(void);

/* For every call that takes one. */
extern const struct trace_watch cli_watch;

#endif
