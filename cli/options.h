/* Takes a command line apart by a command's table, and the rows that several commands share. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "command.h"

/* Parses what follows the command's name. Options may stand before or after names, as
 * `--option value` or `--option=value`; `--` ends them. Of an option that is given twice the last
 * counts. Operands are gathered at the front of `words`. Says what is wrong, if something is, and
 * returns CLI_USAGE. */
enum cli_exit cli_parse(const struct cli_command *command, char **words, size_t count,
                        struct cli_arguments *arguments);

/* Whether --help is among the words before `--`. */
bool cli_asks_for_help(char *const *words, size_t count);

static inline bool cli_has(const struct cli_call *call, enum cli_option_id id)
{
    return call->arguments->values[id].text != NULL;
}

/* The text, or NULL. */
static inline const char *cli_text(const struct cli_call *call, enum cli_option_id id)
{
    return call->arguments->values[id].text;
}

/* The number, or the choice's index. */
static inline uint32_t cli_number(const struct cli_call *call, enum cli_option_id id,
                                  uint32_t otherwise)
{
    return cli_has(call, id) ? call->arguments->values[id].number : otherwise;
}

/* In the order of enum trace_format. */
extern const char *const cli_format_names[];

#define CLI_ROW_FORMAT                                                                             \
    {                                                                                              \
        .id = CLI_OPTION_FORMAT, .name = "format", .type = CLI_VALUE_CHOICE,                       \
        .value_name = "FORMAT", .choices = cli_format_names,                                       \
        .help = "how the answer looks: table (the default), json, csv or markdown"                 \
    }
#define CLI_ROW_TABLE                                                                              \
    {                                                                                              \
        .id = CLI_OPTION_TABLE, .name = "table", .type = CLI_VALUE_TEXT, .value_name = "NAME",     \
        .help = "with --format csv: which table of the report, by its name in the JSON"            \
    }
#define CLI_ROW_CAPTURE                                                                            \
    {                                                                                              \
        .id = CLI_OPTION_CAPTURE, .name = "capture", .type = CLI_VALUE_NUMBER, .value_name = "N",  \
        .lowest = 1, .help = "of a database that holds several: which capture, from 1 on"          \
    }
/* Of every command that reads captures. */
#define CLI_ROW_QUIET                                                                              \
    {                                                                                              \
        .id = CLI_OPTION_QUIET, .name = "quiet", .letter = 'q',                                    \
        .help = "say nothing but errors beside the answer: no warnings, no progress"               \
    }
#define CLI_ROW_VERBOSE                                                                            \
    {                                                                                              \
        .id = CLI_OPTION_VERBOSE, .name = "verbose", .letter = 'v',                                \
        .help = "say on stderr what is read, how much and how long it takes"                       \
    }
#define CLI_ROW_STRICT                                                                             \
    {                                                                                              \
        .id = CLI_OPTION_STRICT, .name = "strict",                                                 \
        .help = "exit with 1 when something is missing in the capture: loss, damage, no end"       \
    }

#endif
