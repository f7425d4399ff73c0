/* The three streams of the program: the answer on stdout, everything else in lines on stderr. */
#ifndef CLI_CONSOLE_H
#define CLI_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>

#include "trace.h"

#define CLI_CONSOLE_BYTES 65536u

/* Where the answer goes. */
struct cli_console {
    size_t used;
    int write_errno;  /* of the first write that failed; 0: none did */
    bool is_terminal; /* somebody is looking */
    bool has_cursor;  /* a terminal on which text can be written over */
    bool has_color;   /* a terminal, and its user has not said no */
    char buffer[CLI_CONSOLE_BYTES];
};

/* Whether terminals are of a kind on which text can be written over. */
bool cli_can_move_cursor(void);

void cli_console_start(struct cli_console *console);

/* The answer as the analyzer's functions want it. */
struct trace_output cli_console_sink(struct cli_console *console);

void cli_write(struct cli_console *console, const char *bytes, size_t size);
void cli_print(struct cli_console *console, const char *text);

/* Sends what is collected, so that what follows on stderr comes after it. */
void cli_console_flush(struct cli_console *console);

/* Sends the rest and closes stdout. Returns whether all of the answer arrived; says why not, but
 * for a reader that closed its pipe, which has what it wanted. */
bool cli_console_finish(struct cli_console *console);

/* From now on warnings are not said. */
void cli_keep_warnings_quiet(void);

/* One line on stderr, "ludus-trace: ..." or "ludus-trace: warning: ...". Control characters, which
 * names of files may hold, are made visible. */
void cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cli_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same for what somebody asked to be told: "ludus-trace: ...". */
void cli_remark(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
