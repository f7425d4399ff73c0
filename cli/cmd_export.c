/* export: a capture in another program's format. */
#include "answer.h"
#include "options.h"
#include "selection_options.h"

/* The formats; one of them is to be given. */
static const struct {
    enum cli_option_id id;
    const char *name;
} formats[] = {
    {CLI_OPTION_PERFETTO, "perfetto"}, {CLI_OPTION_FOLDED, "folded"}, {CLI_OPTION_CSV, "csv"}};

/* What is to be written, and how. */
struct export_job {
    const struct cli_call *call;
    struct trace_input *input;
    struct trace_export_options shown;
};

static enum ludus_status write_export(void *context, struct trace_output output,
                                      struct ludus_error *error)
{
    const struct export_job *job = context;
    const struct trace_selection *chosen = job->shown.selection;

    if (cli_has(job->call, CLI_OPTION_FOLDED))
        return trace_export_folded(job->input, chosen, cli_has(job->call, CLI_OPTION_PER_TRACK),
                                   output, error);
    if (cli_has(job->call, CLI_OPTION_CSV))
        return trace_export_slices(job->input, chosen, output, error);
    return trace_export_perfetto(job->input, &job->shown, output, error);
}

static enum cli_exit check_format(const struct cli_call *call)
{
    static const struct {
        enum cli_option_id id;
        const char *name;
    } shares[] = {{CLI_OPTION_PER_TRACK, "per-track"}, {CLI_OPTION_ATTRIBUTE, "attribute"}};
    const char *first = NULL;

    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (!cli_has(call, formats[i].id))
            continue;
        if (first != NULL) {
            cli_error("export writes one format: --%s or --%s", first, formats[i].name);
            return CLI_USAGE;
        }
        first = formats[i].name;
    }
    if (first == NULL) {
        cli_error("export needs the format to write: --perfetto, --folded or --csv");
        return CLI_USAGE;
    }
    if (cli_has(call, CLI_OPTION_MIN_DURATION) && !cli_has(call, CLI_OPTION_PERFETTO)) {
        cli_error("--min-duration is for --perfetto, and not for --%s", first);
        return CLI_USAGE;
    }
    for (size_t i = 0; !cli_has(call, CLI_OPTION_FOLDED) && i < sizeof shares / sizeof shares[0];
         i++) {
        if (cli_has(call, shares[i].id)) {
            cli_error("--%s is about sums, which --folded writes, and not --%s", shares[i].name,
                      first);
            return CLI_USAGE;
        }
    }
    return CLI_YES;
}

static enum cli_exit check_arguments(const struct cli_call *call)
{
    const char *input = call->arguments->operands[0];
    const char *output = cli_text(call, CLI_OPTION_OUTPUT);

    if (check_format(call) != CLI_YES)
        return CLI_USAGE;
    if (output == NULL && call->console->is_terminal) {
        cli_error("export does not write to a terminal; name a file with -o, or use a pipe");
        return CLI_USAGE;
    }
    return cli_check_output(input, output);
}

static enum cli_exit run(const struct cli_call *call)
{
    const char *output = cli_text(call, CLI_OPTION_OUTPUT);
    struct cli_selection selection;
    struct export_job job = {
        .call = call,
        .shown = {.selection = &selection.chosen,
                  .min_duration_ns = call->arguments->values[CLI_OPTION_MIN_DURATION].time_ns}};
    struct trace_input *input = NULL;
    struct ludus_error error;
    enum ludus_status status;
    enum cli_exit code = check_arguments(call);

    if (code == CLI_YES)
        code = cli_select(call, &selection);
    if (code != CLI_YES)
        return code;
    status = cli_open_input(call, &input, &error);
    if (status == LUDUS_OK) {
        job.input = input;
        status = output != NULL ? cli_write_file(output, write_export, &job, &error)
                                : write_export(&job, cli_console_sink(call->console), &error);
    }
    code = status == LUDUS_OK ? cli_conclude(call, input) : cli_fail(call, &error);
    trace_close(input);
    return code;
}

static const struct cli_option options[] = {
    {.id = CLI_OPTION_PERFETTO,
     .name = "perfetto",
     .help = "trace event JSON, which ui.perfetto.dev, Chrome and speedscope open"},
    {.id = CLI_OPTION_FOLDED,
     .name = "folded",
     .help = "folded stacks with exclusive time in ns, which flamegraph.pl, inferno and speedscope "
             "open"},
    {.id = CLI_OPTION_CSV,
     .name = "csv",
     .help = "every slice as a line of comma-separated values"},
    CLI_ROW_PER_TRACK,
    {.id = CLI_OPTION_OUTPUT,
     .name = "output",
     .letter = 'o',
     .type = CLI_VALUE_TEXT,
     .value_name = "FILE",
     .help = "write FILE, which appears when it is complete, instead of standard output; one that "
             "is there is replaced, but for captures and databases"},
    CLI_ROW_WINDOW,
    CLI_ROW_FRAMES,
    CLI_ROW_TIME,
    CLI_ROW_DOMAIN,
    CLI_ROW_TRACK,
    CLI_ROW_CATEGORY,
    CLI_ROW_SITE,
    {.id = CLI_OPTION_MIN_DURATION,
     .name = "min-duration",
     .type = CLI_VALUE_DURATION,
     .value_name = "TIME",
     .help = "with --perfetto: leave out scopes that are shorter, such as 10us; the file says how "
             "many"},
    CLI_ROW_ATTRIBUTE,
    CLI_ROW_CAPTURE,
    CLI_ROW_STRICT,
    CLI_ROW_QUIET,
    CLI_ROW_VERBOSE,
};

static const struct cli_example examples[] = {
    {"export game.lcap --perfetto -o game.json", "Writes a file to open at ui.perfetto.dev."},
    {"export game.lcap --perfetto --frames 100..120 -o hitch.json",
     "These frames; scopes that began before or end behind are cut, and marked."},
    {"export game.lcap --perfetto --min-duration 10us -o game.json",
     "A smaller file, without scopes of less than 10 microseconds."},
    {"export game.lcap --folded --per-track | flamegraph.pl --countname ns > game.svg",
     "A flame graph of the frames, with a tower for each track."},
    {"export game.lcap --csv --frames 100..120 -o slices.csv", "The slices that begin in these."},
    {"export game.lcap --perfetto | gzip > game.json.gz", "The same, compressed."},
};

const struct cli_command cmd_export = {
    .name = "export",
    .operands = "CAPTURE",
    .required = " --perfetto|--folded|--csv",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "write a capture for a timeline viewer, a flame graph or a spreadsheet",
    .description =
        "Writes CAPTURE, a .lcap file or a database made by import, in a format that other "
        "programs open. The memory that it takes does not depend on the size of the "
        "capture. It does not write to a terminal.",
    .no_meaning = "--strict was given, and something is missing in the capture",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};
