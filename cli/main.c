/* ludus-trace: finds the command, has its words taken apart, runs it, and sees the answer out. */
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "command.h"
#include "help.h"
#include "options.h"
#include "progress.h"
#include "watch.h"

static enum cli_exit run_command(const struct cli_command *command, char **words, size_t count,
                                 struct cli_console *console)
{
    struct cli_arguments arguments;
    struct cli_call call = {command, &arguments, console};
    enum cli_exit code;

    if (cli_asks_for_help(words, count)) {
        cli_put_manual(console, command);
        return CLI_YES;
    }
    code = cli_parse(command, words, count, &arguments);
    if (code != CLI_YES)
        return code;
    if (cli_has(&call, CLI_OPTION_QUIET) && cli_has(&call, CLI_OPTION_VERBOSE)) {
        cli_error("--quiet and --verbose do not go together; give one of them");
        return CLI_USAGE;
    }
    if (cli_has(&call, CLI_OPTION_QUIET))
        cli_keep_warnings_quiet();
    cli_progress_start(cli_has(&call, CLI_OPTION_QUIET), cli_has(&call, CLI_OPTION_VERBOSE));
    code = command->run(&call);
    cli_progress_end();
    return code;
}

static enum cli_exit put_version(struct cli_console *console)
{
    cli_print(console, "ludus-trace ");
    cli_print(console, trace_version());
    cli_print(console, "\n");
    return CLI_YES;
}

/* `words` is what follows the program's name. */
static enum cli_exit dispatch(char **words, size_t count, struct cli_console *console)
{
    const struct cli_command *command;

    if (count == 0) {
        cli_error("no command was given; 'ludus-trace help' lists them");
        return CLI_USAGE;
    }
    if (strcmp(words[0], "--version") == 0)
        return put_version(console);
    if (strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0) {
        cli_put_overview(console);
        return CLI_YES;
    }
    if (words[0][0] == '-') {
        cli_error("'%s' comes before the command; options stand behind it", words[0]);
        return CLI_USAGE;
    }
    command = cli_find_command(words[0]);
    if (command == NULL)
        return cli_refuse_command(words[0]);
    return run_command(command, words + 1, count - 1, console);
}

/* Has large pieces of memory go back to the system when they are released. The C library would
 * raise the size from which it does so as soon as it has seen some, and what one step of a command
 * has used would lie beside what the next one needs. */
static void return_large_memory(void)
{
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_THRESHOLD, 128 * 1024);
#endif
}

int main(int count, char **words)
{
    struct cli_console console;
    enum cli_exit code;

    return_large_memory();
    cli_console_start(&console);
    cli_watch_start();
    code = count < 1 ? CLI_USAGE : dispatch(words + 1, (size_t)count - 1, &console);
    if (!cli_console_finish(&console))
        code = CLI_OUTPUT;
    return (int)code;
}
