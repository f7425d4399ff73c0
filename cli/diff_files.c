/* The files that diff writes beside its answer, or in its place. */
#include "diff_files.h"

#include "answer.h"
#include "options.h"
#include "watch.h"

/* What a comparison is written as, in the order of writing: what needs sides that can be compared
 * comes last. */
static const struct form {
    enum cli_option_id option;
    enum ludus_status (*write)(const struct trace_diff *diff, struct trace_output output,
                               struct ludus_error *error);
} forms[CLI_DIFF_FORMS] = {
    {CLI_OPTION_JUNIT, trace_export_diff_junit},
    {CLI_OPTION_REPORT, trace_export_diff_page},
    {CLI_OPTION_FOLDED, trace_export_diff_folded},
};

enum ludus_status cli_diff_open_files(const struct cli_call *call, struct cli_diff_files *files,
                                      struct ludus_error *error)
{
    enum ludus_status status = LUDUS_OK;

    for (size_t i = 0; status == LUDUS_OK && i < CLI_DIFF_FORMS; i++)
        if (cli_has(call, forms[i].option))
            status = trace_output_file_open(cli_text(call, forms[i].option), &cli_watch,
                                            &files->items[i], error);
    return status;
}

enum ludus_status cli_diff_write_files(const struct cli_diff_files *files,
                                       const struct trace_diff *diff, struct ludus_error *error)
{
    enum ludus_status status = LUDUS_OK;

    for (size_t i = 0; status == LUDUS_OK && i < CLI_DIFF_FORMS; i++) {
        if (files->items[i] == NULL)
            continue;
        status = forms[i].write(diff, trace_output_file_sink(files->items[i]), error);
        if (status == LUDUS_OK || status == LUDUS_ERROR_WRITE)
            status = trace_output_file_commit(files->items[i], error);
    }
    return status;
}

void cli_diff_close_files(struct cli_diff_files *files)
{
    for (size_t i = 0; i < CLI_DIFF_FORMS; i++)
        trace_output_file_close(files->items[i]);
    *files = (struct cli_diff_files){{NULL}};
}

enum cli_exit cli_diff_check_files(const struct cli_call *call)
{
    const char *config = cli_text(call, CLI_OPTION_CONFIG);

    for (size_t i = 0; i < CLI_DIFF_FORMS; i++) {
        const char *path = cli_text(call, forms[i].option);
        if (config != NULL && cli_check_output(config, path) != CLI_YES)
            return CLI_USAGE;
        for (size_t k = 0; k < call->arguments->operand_count; k++)
            if (cli_check_output(call->arguments->operands[k], path) != CLI_YES)
                return CLI_USAGE;
        for (size_t k = 0; k < i; k++)
            if (cli_check_outputs(cli_text(call, forms[k].option), path) != CLI_YES)
                return CLI_USAGE;
    }
    return CLI_YES;
}
