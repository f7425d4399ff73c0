/* The files that diff writes beside its answer, or in its place: each is there when it is complete,
 * or not at all. */
#ifndef CLI_DIFF_FILES_H
#define CLI_DIFF_FILES_H

#include "command.h"

#define CLI_DIFF_FORMS 3u

/* All NULL is none. */
struct cli_diff_files {
    struct trace_output_file *items[CLI_DIFF_FORMS];
};

/* Refuses a file that is to be written and read, or to be written twice. */
enum cli_exit cli_diff_check_files(const struct cli_call *call);

/* Opens those that are asked for: before anything is read, so that a file that cannot be written is
 * told at once. Errors: those of trace_output_file_open. Close them all the same. */
LUDUS_CHECKED enum ludus_status cli_diff_open_files(const struct cli_call *call,
                                                    struct cli_diff_files *files,
                                                    struct ludus_error *error);
LUDUS_CHECKED enum ludus_status cli_diff_write_files(const struct cli_diff_files *files,
                                                     const struct trace_diff *diff,
                                                     struct ludus_error *error);
/* Removes what was not written. */
void cli_diff_close_files(struct cli_diff_files *files);

#endif
