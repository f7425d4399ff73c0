/* What commands that read something have in common: failures, reports, warnings, exit codes. */
#ifndef CLI_ANSWER_H
#define CLI_ANSWER_H

#include "command.h"

/* The exit code that stands for a status. */
enum cli_exit cli_exit_of(enum ludus_status status);

/* Says what failed, and returns the exit code for it. */
enum cli_exit cli_fail(const struct cli_call *call, const struct ludus_error *error);

/* Opens the command's first operand, with --capture. */
LUDUS_CHECKED enum ludus_status
cli_open_input(const struct cli_call *call, struct trace_input **input, struct ludus_error *error);

/* Refuses options that contradict each other, before work is done for nothing. */
enum cli_exit cli_check_format(const struct cli_call *call);

/* The format asked for; a table when none was. */
enum trace_format cli_format(const struct cli_call *call);

/* Whether people are to read the answer: they are shown one screen, programs get everything. */
bool cli_is_for_people(const struct cli_call *call);

/* Writes a report to the answer as --format and --table say. */
LUDUS_CHECKED enum ludus_status
cli_show(const struct cli_call *call, const struct trace_report *report, struct ludus_error *error);

/* Sends the answer, then says what must be known about the input; with --strict, a capture in which
 * something is missing makes the answer no. */
enum cli_exit cli_conclude(const struct cli_call *call, const struct trace_input *input);

/* Says on stderr what the analyzer tells about captures while a command runs; the answer so far is
 * sent first. */
struct trace_listener cli_listener(const struct cli_call *call);

/* Opens a file that appears under its name when it is complete, has `make` write it, and commits it
 * when that went well. Once a write has failed, commit says why. */
LUDUS_CHECKED enum ludus_status cli_write_file(const char *path,
                                               enum ludus_status (*make)(void *context,
                                                                         struct trace_output output,
                                                                         struct ludus_error *error),
                                               void *context, struct ludus_error *error);

/* Refuses to write the file that is to be read, and "-"; `output` is NULL when none is written. */
enum cli_exit cli_check_output(const char *input, const char *output);

/* Refuses to write one file twice, whether it is there already or not; NULL: that one is not
 * written. */
enum cli_exit cli_check_outputs(const char *first, const char *second);

/* Opens the input, makes the report, shows it, concludes: the whole of most commands. */
enum cli_exit
cli_run_report(const struct cli_call *call,
               enum ludus_status (*make)(const struct cli_call *call, struct trace_input *input,
                                         struct trace_report **report, struct ludus_error *error));

/* The same for an input that is opened otherwise than by trace_open. */
enum cli_exit cli_run_report_from(
    const struct cli_call *call,
    enum ludus_status (*open_input)(const char *path, uint32_t capture, struct trace_input **input,
                                    struct ludus_error *error),
    enum ludus_status (*make)(const struct cli_call *call, struct trace_input *input,
                              struct trace_report **report, struct ludus_error *error));

#endif
