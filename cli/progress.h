/* How far long work is: a line on a terminal, and what --verbose tells. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Begins to measure time. The line is shown when stderr is a terminal, from a second on. */
void cli_progress_start(bool is_quiet, bool is_verbose);

/* As struct trace_watch has it. */
void cli_progress_note(void *context, const char *path, uint64_t read_bytes, uint64_t all_bytes);

/* Takes the line away, if it is there, so that others can be written. Allowed in a handler of a
 * signal. */
void cli_progress_clear(void);

/* The work is done. */
void cli_progress_end(void);

#endif
