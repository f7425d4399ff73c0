/* What commands that read something have in common. */
#include "answer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "options.h"
#include "watch.h"

enum cli_exit cli_exit_of(enum ludus_status status)
{
    switch (status) {
    case LUDUS_OK:
    case LUDUS_END:
        return CLI_YES;
    case LUDUS_ERROR_ARGUMENT: /* a table, a capture's number, a report that there is not */
    case LUDUS_ERROR_SQL:
        return CLI_USAGE;
    case LUDUS_ERROR_WRITE:
    case LUDUS_ERROR_EXISTS:
        return CLI_OUTPUT;
    case LUDUS_ERROR_STATE:
    case LUDUS_ERROR_MEMORY:
    case LUDUS_ERROR_OPEN:
    case LUDUS_ERROR_FORMAT:
    case LUDUS_ERROR_VERSION:
    case LUDUS_ERROR_DAMAGED:
    case LUDUS_ERROR_LIMIT:
    case LUDUS_ERROR_UNAVAILABLE:
        return CLI_INPUT;
    }
    return CLI_INPUT;
}

enum cli_exit cli_fail(const struct cli_call *call, const struct ludus_error *error)
{
    /* Why the answer could not be written is known to the console, which says so at the end. */
    if (error->status != LUDUS_ERROR_WRITE || call->console->write_errno == 0)
        cli_error("%s", error->message);
    return cli_exit_of(error->status);
}

enum ludus_status cli_open_input(const struct cli_call *call, struct trace_input **input,
                                 struct ludus_error *error)
{
    return trace_open_watched(call->arguments->operands[0], cli_number(call, CLI_OPTION_CAPTURE, 0),
                              &cli_watch, input, error);
}

enum trace_format cli_format(const struct cli_call *call)
{
    return (enum trace_format)cli_number(call, CLI_OPTION_FORMAT, TRACE_FORMAT_TABLE);
}

bool cli_is_for_people(const struct cli_call *call)
{
    return cli_format(call) == TRACE_FORMAT_TABLE || cli_format(call) == TRACE_FORMAT_MARKDOWN;
}

enum cli_exit cli_check_format(const struct cli_call *call)
{
    if (cli_has(call, CLI_OPTION_TABLE) && cli_format(call) != TRACE_FORMAT_CSV) {
        cli_error("--table picks what --format csv shows; the other formats show all tables");
        return CLI_USAGE;
    }
    return CLI_YES;
}

enum ludus_status cli_show(const struct cli_call *call, const struct trace_report *report,
                           struct ludus_error *error)
{
    struct trace_render_options options = {.format = cli_format(call),
                                           .table = cli_text(call, CLI_OPTION_TABLE),
                                           .color = call->console->has_color};

    return trace_render(report, &options, cli_console_sink(call->console), error);
}

enum cli_exit cli_conclude(const struct cli_call *call, const struct trace_input *input)
{
    const char *warning;

    cli_console_flush(call->console);
    for (size_t i = 0; (warning = trace_warning(input, i)) != NULL; i++)
        cli_warning("%s", warning);
    return cli_has(call, CLI_OPTION_STRICT) && trace_has_loss(input) ? CLI_NO : CLI_YES;
}

static void warn_after_answer(void *context, const char *line)
{
    cli_console_flush(context);
    cli_warning("%s", line);
}

struct trace_listener cli_listener(const struct cli_call *call)
{
    return (struct trace_listener){call->console, warn_after_answer, false, &cli_watch};
}

enum ludus_status cli_write_file(const char *path,
                                 enum ludus_status (*make)(void *context,
                                                           struct trace_output output,
                                                           struct ludus_error *error),
                                 void *context, struct ludus_error *error)
{
    struct trace_output_file *file = NULL;
    enum ludus_status status = trace_output_file_open(path, &cli_watch, &file, error);

    if (status != LUDUS_OK)
        return status;
    status = make(context, trace_output_file_sink(file), error);
    if (status == LUDUS_OK || status == LUDUS_ERROR_WRITE)
        status = trace_output_file_commit(file, error);
    trace_output_file_close(file);
    return status;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat a_facts, b_facts;

    if (stat(a, &a_facts) != 0 || stat(b, &b_facts) != 0)
        return false;
    return a_facts.st_dev == b_facts.st_dev && a_facts.st_ino == b_facts.st_ino;
}

enum cli_exit cli_check_output(const char *input, const char *output)
{
    if (output == NULL)
        return CLI_YES;
    if (strcmp(output, "-") == 0) {
        cli_error("'-' is no file; what can go to standard output does so when no file is named "
                  "(./- is a file of this name)");
        return CLI_USAGE;
    }
    if (!is_same_file(input, output))
        return CLI_YES;
    cli_error("'%s' is to be read and written; name another file to write", output);
    return CLI_USAGE;
}

/* The folder of a path, in `folder`, which has room for it; and where the name begins. */
static const char *split(const char *path, char *folder)
{
    const char *slash = strrchr(path, '/');
    size_t size = slash == NULL ? 0 : (size_t)(slash - path) + 1;

    memcpy(folder, path, size);
    memcpy(folder + size, ".", sizeof ".");
    return path + size;
}

static bool will_be_same_file(const char *a, const char *b)
{
    char *folders[2] = {malloc(strlen(a) + 2), malloc(strlen(b) + 2)};
    bool is_same = false;

    if (folders[0] != NULL && folders[1] != NULL) {
        const char *name = split(a, folders[0]);
        is_same = strcmp(name, split(b, folders[1])) == 0 && is_same_file(folders[0], folders[1]);
    }
    free(folders[0]);
    free(folders[1]);
    return is_same;
}

enum cli_exit cli_check_outputs(const char *first, const char *second)
{
    if (first == NULL || second == NULL ||
        (!is_same_file(first, second) && !will_be_same_file(first, second)))
        return CLI_YES;
    cli_error("'%s' is to be written twice; name another file", second);
    return CLI_USAGE;
}

enum cli_exit cli_run_report_from(
    const struct cli_call *call,
    enum ludus_status (*open_input)(const char *path, uint32_t capture, struct trace_input **input,
                                    struct ludus_error *error),
    enum ludus_status (*make)(const struct cli_call *call, struct trace_input *input,
                              struct trace_report **report, struct ludus_error *error))
{
    struct trace_input *input = NULL;
    struct trace_report *report = NULL;
    struct ludus_error error;
    enum ludus_status status;
    enum cli_exit code = cli_check_format(call);

    if (code != CLI_YES)
        return code;
    status = open_input(call->arguments->operands[0], cli_number(call, CLI_OPTION_CAPTURE, 0),
                        &input, &error);
    if (status == LUDUS_OK)
        status = make(call, input, &report, &error);
    if (status == LUDUS_OK)
        status = cli_show(call, report, &error);
    code = status == LUDUS_OK ? cli_conclude(call, input) : cli_fail(call, &error);
    trace_report_destroy(report);
    trace_close(input);
    return code;
}

static enum ludus_status open_watched(const char *path, uint32_t capture,
                                      struct trace_input **input, struct ludus_error *error)
{
    return trace_open_watched(path, capture, &cli_watch, input, error);
}

enum cli_exit
cli_run_report(const struct cli_call *call,
               enum ludus_status (*make)(const struct cli_call *call, struct trace_input *input,
                                         struct trace_report **report, struct ludus_error *error))
{
    return cli_run_report_from(call, open_watched, make);
}
