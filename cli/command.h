/* What a command is: one table row from which parser, help, dispatch, manual pages and completions
 * are made. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "console.h"

/* The exit codes. A script can tell "no" from "could not find out". */
enum cli_exit {
    CLI_YES = 0,    /* done; the answer is yes */
    CLI_NO = 1,     /* the answer is no: damage, a regression, --strict and something missing */
    CLI_USAGE = 2,  /* the command line asks for something that there is not */
    CLI_INPUT = 3,  /* an input cannot be read, or sides cannot be compared */
    CLI_OUTPUT = 4, /* an output cannot be written */
};

/* Every option of the program; a command has some of them. */
enum cli_option_id {
    CLI_OPTION_ATTRIBUTE,
    CLI_OPTION_BUDGET,
    CLI_OPTION_BY,
    CLI_OPTION_CAPTURE,
    CLI_OPTION_CATEGORY,
    CLI_OPTION_CONFIG,
    CLI_OPTION_CSV,
    CLI_OPTION_DEPTH,
    CLI_OPTION_DOMAIN,
    CLI_OPTION_DUMP,
    CLI_OPTION_EXPLAIN,
    CLI_OPTION_FAIL_ON,
    CLI_OPTION_FOLDED,
    CLI_OPTION_FOLLOW,
    CLI_OPTION_FORMAT,
    CLI_OPTION_FRAMES,
    CLI_OPTION_GPU,
    CLI_OPTION_INTERVAL,
    CLI_OPTION_JUNIT,
    CLI_OPTION_REPORT,
    CLI_OPTION_LAST,
    CLI_OPTION_LEVEL,
    CLI_OPTION_MAX_LOSS,
    CLI_OPTION_MIN,
    CLI_OPTION_MIN_CALLS,
    CLI_OPTION_MIN_CHANGE,
    CLI_OPTION_MIN_DURATION,
    CLI_OPTION_MIN_FRAME_CHANGE,
    CLI_OPTION_MIN_FRAMES,
    CLI_OPTION_MIN_HITCH_COUNT,
    CLI_OPTION_MIN_HITCHES,
    CLI_OPTION_MIN_TIME,
    CLI_OPTION_OUTPUT,
    CLI_OPTION_PERCENTILES,
    CLI_OPTION_UNION,
    CLI_OPTION_PERFETTO,
    CLI_OPTION_PER_TRACK,
    CLI_OPTION_QUIET,
    CLI_OPTION_REPAIR,
    CLI_OPTION_SITE,
    CLI_OPTION_SORT,
    CLI_OPTION_STATS_ONLY,
    CLI_OPTION_STRICT,
    CLI_OPTION_TABLE,
    CLI_OPTION_TIME,
    CLI_OPTION_TO,
    CLI_OPTION_TOP,
    CLI_OPTION_TRACK,
    CLI_OPTION_VERBOSE,
    CLI_OPTION_WINDOW,
    CLI_OPTION_WORST,
    CLI_OPTION_COUNT
};

#define CLI_MAX_LIST 32u /* values of one option that may be given several times */

enum cli_value_type {
    CLI_VALUE_NONE,     /* given or not */
    CLI_VALUE_TEXT,     /* not empty */
    CLI_VALUE_LIST,     /* likewise, and may be given several times: each time adds one */
    CLI_VALUE_NUMBER,   /* a whole number from `lowest` to UINT32_MAX */
    CLI_VALUE_TIME,     /* as trace_parse_time takes it; whole ms, from `lowest` to UINT32_MAX */
    CLI_VALUE_DURATION, /* likewise; ns, from `lowest` on */
    CLI_VALUE_CHOICE,   /* one of `choices` */
    CLI_VALUE_BEHIND    /* given or not; what is named behind it is another list of operands */
};

struct cli_option {
    enum cli_option_id id;
    const char *name; /* without the dashes */
    char letter;      /* of the short form; 0: there is none */
    enum cli_value_type type;
    const char *value_name;     /* FILE and DB name files, which completions look up */
    const char *const *choices; /* NULL behind the last. Of a LIST they are what completions offer;
                                   what is right, the analyzer knows */
    uint32_t lowest;
    const char *help;
};

struct cli_value {
    const char *text; /* as it was given last; NULL: the option was not */
    int64_t time_ns;  /* DURATION: the value */
    uint32_t number;  /* NUMBER: the value; TIME: in ms; CHOICE: the index in `choices`; BEHIND:
                         how many operands stand before it */
    const char *list[CLI_MAX_LIST]; /* LIST: all of them, in order */
    size_t list_count;
};

/* A command line, taken apart. */
struct cli_arguments {
    struct cli_value values[CLI_OPTION_COUNT];
    char **operands; /* what is neither an option nor the value of one */
    size_t operand_count;
};

struct cli_command;

/* What a command gets to work with. */
struct cli_call {
    const struct cli_command *command;
    const struct cli_arguments *arguments;
    struct cli_console *console;
};

struct cli_example {
    const char *line; /* behind "ludus-trace " */
    const char *meaning;
};

/* What the operands of a command are, so that completions can offer some. */
enum cli_operand_kind {
    CLI_OPERAND_CAPTURE, /* captures and databases */
    CLI_OPERAND_COMMAND, /* a command's name */
    CLI_OPERAND_SCHEMA   /* a schema's name */
};

struct cli_command {
    const char *name;
    const char *operands; /* as the synopsis names them */
    const char *required; /* what else the synopsis shows: options that must be there; or "" */
    enum cli_operand_kind operand_kind;
    size_t min_operands;
    size_t max_operands;
    const char *summary;     /* one line, lower case */
    const char *description; /* paragraphs, an empty line between them */
    const char *no_meaning;  /* when it exits with 1; NULL: never */
    const struct cli_option *options;
    size_t option_count;
    const struct cli_example *examples;
    size_t example_count;
    enum cli_exit (*run)(const struct cli_call *call);
};

/* All commands in the order of the overview; NULL behind the last. */
extern const struct cli_command *const cli_commands[];

extern const struct cli_command cmd_check;
extern const struct cli_command cmd_diff;
extern const struct cli_command cmd_export;
extern const struct cli_command cmd_frames;
extern const struct cli_command cmd_help;
extern const struct cli_command cmd_import;
extern const struct cli_command cmd_info;
extern const struct cli_command cmd_query;
extern const struct cli_command cmd_report;
extern const struct cli_command cmd_schema;
extern const struct cli_command cmd_summarize;
extern const struct cli_command cmd_top;
extern const struct cli_command cmd_tree;
extern const struct cli_command cmd_trim;

/* The command of this name, or NULL. */
const struct cli_command *cli_find_command(const char *name);

/* Says that there is no such command, with the nearest name, and returns CLI_USAGE. */
enum cli_exit cli_refuse_command(const char *name);

#endif
