/* What the program does about long work: it says how far that is, and leaves nothing half made when
 * it is interrupted. */
#ifndef CLI_WATCH_H
#define CLI_WATCH_H

#include "trace.h"

/* From now on a signal that ends the program removes first what is temporary. */
void cli_watch_start(void);

/* For every call that takes one. */
extern const struct trace_watch cli_watch;

#endif
