/* trim: a part of a capture as a capture. */
#include "answer.h"
#include "options.h"
#include "selection_options.h"

/* What the new capture is made of. */
struct trim {
    const char *path;
    struct trace_trim_options options;
    struct trace_listener listener;
};

static enum ludus_status write_part(void *context, struct trace_output output,
                                    struct ludus_error *error)
{
    struct trim *trim = context;

    return trace_trim(trim->path, &trim->options, output, &trim->listener, error);
}

/* However they are given. */
static size_t count_windows(const struct cli_call *call)
{
    return call->arguments->values[CLI_OPTION_WINDOW].list_count +
           (cli_has(call, CLI_OPTION_FRAMES) ? 1 : 0) + (cli_has(call, CLI_OPTION_TIME) ? 1 : 0);
}

static enum cli_exit check_arguments(const struct cli_call *call)
{
    const char *output = cli_text(call, CLI_OPTION_OUTPUT);
    const size_t windows = count_windows(call);

    if (windows == 0) {
        cli_error("trim needs --window W: the part to cut out, such as frames:100..400 or "
                  "time:2s..5s");
        return CLI_USAGE;
    }
    if (windows > 1) {
        cli_error(
            "trim cuts out one window: give one of --window, --frames and --time, and call it "
            "again for another one");
        return CLI_USAGE;
    }
    if (output == NULL) {
        cli_error("trim needs -o FILE: the capture to make");
        return CLI_USAGE;
    }
    return cli_check_output(call->arguments->operands[0], output);
}

static enum cli_exit run(const struct cli_call *call)
{
    const char *output = cli_text(call, CLI_OPTION_OUTPUT);
    struct trim trim = {.path = call->arguments->operands[0], .listener = cli_listener(call)};
    struct cli_selection selection;
    struct ludus_error error;
    enum cli_exit code = check_arguments(call);

    if (code == CLI_YES)
        code = cli_select(call, &selection);
    if (code != CLI_YES)
        return code;
    trim.options = (struct trace_trim_options){.window = selection.chosen.windows[0],
                                               .domain = selection.chosen.domain};
    if (cli_write_file(output, write_part, &trim, &error) != LUDUS_OK)
        return cli_fail(call, &error);
    return cli_has(call, CLI_OPTION_STRICT) && trim.listener.has_loss ? CLI_NO : CLI_YES;
}

static const struct cli_option options[] = {
    {.id = CLI_OPTION_WINDOW,
     .name = "window",
     .type = CLI_VALUE_LIST,
     .value_name = "W",
     .help = "the part to cut out: frames:A..B, time:A..B, marks:A..B or last:N"},
    CLI_ROW_FRAMES,
    CLI_ROW_TIME,
    CLI_ROW_DOMAIN,
    {.id = CLI_OPTION_OUTPUT,
     .name = "output",
     .letter = 'o',
     .type = CLI_VALUE_TEXT,
     .value_name = "FILE",
     .help = "the capture to make, which appears when it is complete; a file that is there is "
             "replaced, but for captures and databases"},
    CLI_ROW_STRICT,
    CLI_ROW_QUIET,
    CLI_ROW_VERBOSE,
};

static const struct cli_example examples[] = {
    {"trim game.lcap --window frames:480..490 -o hitch.lcap",
     "Keeps eleven frames, to send to somebody."},
    {"trim game.lcap --window time:2s..5s -o part.lcap", "Keeps three seconds."},
    {"trim game.lcap --window marks:LevelLoad#2..LevelReady -o load.lcap",
     "Keeps the second load of a level."},
};

const struct cli_command cmd_trim = {
    .name = "trim",
    .operands = "CAPTURE",
    .required = " --window W -o FILE",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "cut a window out of a capture, as a capture that stands on its own",
    .description =
        "Writes what happened in one window of CAPTURE, a .lcap file, into FILE, a capture with "
        "all that it needs and no more: it is about as much smaller as the window is shorter. "
        "Times, frame numbers and threads are those of the recording. A scope that was open when "
        "the window began is there with its true begin, and what ran inside it before; one that is "
        "open when the window ends has no end. What was counted in the window is in FILE, also "
        "where the recording tells it later.\n"
        "\n"
        "The window is one span of time. What is damaged or missing in CAPTURE is missing in FILE, "
        "which says so.",
    .no_meaning = "--strict was given, and something is missing in CAPTURE; FILE was made",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};
