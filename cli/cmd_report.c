/* report: a capture as a page of HTML, for a browser. */
#include "answer.h"
#include "options.h"
#include "selection_options.h"

/* What is to be shown, and of what. */
struct page_job {
    struct trace_input *input;
    struct trace_page_options options;
};

static enum ludus_status write_page(void *context, struct trace_output output,
                                    struct ludus_error *error)
{
    const struct page_job *job = context;
    return trace_export_page(job->input, &job->options, output, error);
}

static enum cli_exit check_arguments(const struct cli_call *call)
{
    const char *output = cli_text(call, CLI_OPTION_OUTPUT);

    if (output == NULL && call->console->is_terminal) {
        cli_error("report does not write to a terminal; name a file with -o, or use a pipe");
        return CLI_USAGE;
    }
    return cli_check_output(call->arguments->operands[0], output);
}

static enum cli_exit run(const struct cli_call *call)
{
    const char *output = cli_text(call, CLI_OPTION_OUTPUT);
    struct cli_selection selection;
    struct page_job job = {
        .options = {.budget_ns = call->arguments->values[CLI_OPTION_BUDGET].time_ns}};
    struct ludus_error error;
    enum ludus_status status;
    enum cli_exit code = check_arguments(call);

    if (code == CLI_YES)
        code = cli_select(call, &selection);
    if (code != CLI_YES)
        return code;
    job.options.selection = selection.chosen;
    status = cli_open_input(call, &job.input, &error);
    if (status == LUDUS_OK)
        status = output != NULL ? cli_write_file(output, write_page, &job, &error)
                                : write_page(&job, cli_console_sink(call->console), &error);
    code = status == LUDUS_OK ? cli_conclude(call, job.input) : cli_fail(call, &error);
    trace_close(job.input);
    return code;
}

static const struct cli_option options[] = {
    {.id = CLI_OPTION_OUTPUT,
     .name = "output",
     .letter = 'o',
     .type = CLI_VALUE_TEXT,
     .value_name = "FILE",
     .help = "write FILE, which appears when it is complete, instead of standard output; one that "
             "is there is replaced, but for captures and databases"},
    {.id = CLI_OPTION_BUDGET,
     .name = "budget",
     .type = CLI_VALUE_DURATION,
     .value_name = "TIME",
     .lowest = 1,
     .help =
         "draw a line at this frame time, such as 16.6ms, and count the frames that are longer"},
    CLI_ROW_WINDOW,
    CLI_ROW_FRAMES,
    CLI_ROW_TIME,
    CLI_ROW_DOMAIN,
    CLI_ROW_TRACK,
    CLI_ROW_CATEGORY,
    CLI_ROW_SITE,
    CLI_ROW_ATTRIBUTE,
    CLI_ROW_CAPTURE,
    CLI_ROW_STRICT,
    CLI_ROW_QUIET,
    CLI_ROW_VERBOSE,
};

static const struct cli_example examples[] = {
    {"report game.lcap --budget 16.6ms -o game.html", "A page with a line at 60 frames a second."},
    {"report game.lcap --window load=marks:LevelLoad..LevelReady --window play=frames:600.. -o "
     "game.html",
     "A page of two parts of the capture, of which the reader chooses one."},
};

const struct cli_command cmd_report = {
    .name = "report",
    .operands = "CAPTURE",
    .required = "",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "a page for a browser: frame times, flame graph, tables",
    .description =
        "Writes a page of HTML that shows CAPTURE, a .lcap file or a database made by import: how "
        "long frames were and which were the longest, the tree of caller contexts as a flame "
        "graph, sites in a table that sorts, what the GPU did, and what is missing.\n\n"
        "The page stands on its own: it loads nothing, and can be sent or kept as one file. Its "
        "size does not grow with the capture's; what is too small for it is counted in it.",
    .no_meaning = "--strict was given, and something is missing in the capture",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};
