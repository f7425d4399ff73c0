/* Completions for bash. */
#include "manual.h"

static const char head[] =
    "# Completes ludus-trace in bash; made from the program's table of commands.\n"
    "\n"
    "# Offers words that begin like $word.\n"
    "_ludus_trace_words() {\n"
    "    mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$word\")\n"
    "}\n"
    "\n"
    "# Offers files.\n"
    "_ludus_trace_files() {\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
    "}\n"
    "\n"
    "# Offers captures, databases and folders; any file when there are none of these.\n"
    "_ludus_trace_captures() {\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    mapfile -t COMPREPLY < <(\n"
    "        compgen -f -X '!*.lcap' -- \"$word\"\n"
    "        compgen -f -X '!*.db' -- \"$word\"\n"
    "        compgen -d -- \"$word\"\n"
    "    )\n"
    "    ((${#COMPREPLY[@]} > 0)) || _ludus_trace_files\n"
    "}\n"
    "\n"
    "_ludus_trace() {\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "    local command=${COMP_WORDS[1]} has_ended= i\n"
    "\n"
    "    COMPREPLY=()\n"
    "    # bash makes three words of --option=value.\n"
    "    if [[ $word == = ]]; then\n"
    "        word=\n"
    "    elif [[ $before == = ]]; then\n"
    "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n"
    "    for ((i = 2; i < COMP_CWORD; i++)); do\n"
    "        [[ ${COMP_WORDS[i]} != -- ]] || has_ended=yes\n"
    "    done\n";

static void put_value_case(FILE *out, const struct cli_command *command,
                           const struct cli_option *option)
{
    enum manual_value value = manual_value_of(option);

    if (value == MANUAL_NO_VALUE)
        return;
    fprintf(out, "    %s:--%s", command->name, option->name);
    if (option->letter != '\0')
        fprintf(out, " | %s:-%c", command->name, option->letter);
    if (value == MANUAL_WORDS) {
        fputs(") _ludus_trace_words '", out);
        manual_put_words(out, option->choices);
        fputs("'; return ;;\n", out);
    } else {
        fputs(value == MANUAL_FILE ? ") _ludus_trace_files; return ;;\n" : ") return ;;\n", out);
    }
}

/* What stands behind an option. */
static void put_values(FILE *out)
{
    fputs("    case $has_ended$command:$before in\n", out);
    for (size_t i = 0; cli_commands[i] != NULL; i++) {
        for (size_t j = 0; j < cli_commands[i]->option_count; j++)
            put_value_case(out, cli_commands[i], &cli_commands[i]->options[j]);
    }
    fputs("    esac\n", out);
}

static void put_options(FILE *out)
{
    fputs("    if [[ -z $has_ended && $word == -* ]]; then\n        case $command in\n", out);
    for (size_t i = 0; cli_commands[i] != NULL; i++) {
        fprintf(out, "        %s) _ludus_trace_words '", cli_commands[i]->name);
        for (size_t j = 0; j < cli_commands[i]->option_count; j++)
            fprintf(out, "--%s ", cli_commands[i]->options[j].name);
        fputs("--help' ;;\n", out);
    }
    fputs("        esac\n        return\n    fi\n", out);
}

static void put_operands(FILE *out)
{
    fputs("    case $command in\n", out);
    for (size_t i = 0; cli_commands[i] != NULL; i++) {
        fprintf(out, "    %s) ", cli_commands[i]->name);
        if (cli_commands[i]->operand_kind == CLI_OPERAND_CAPTURE) {
            fputs("_ludus_trace_captures ;;\n", out);
            continue;
        }
        fputs("_ludus_trace_words '", out);
        if (cli_commands[i]->operand_kind == CLI_OPERAND_COMMAND)
            manual_put_command_names(out);
        else
            manual_put_schema_names(out);
        fputs("' ;;\n", out);
    }
    fputs("    esac\n", out);
}

void manual_put_bash(FILE *out)
{
    fputs(head, out);
    fputs("    if ((COMP_CWORD == 1)); then\n        _ludus_trace_words '", out);
    manual_put_command_names(out);
    fputs(" --help --version'\n        return\n    fi\n", out);
    put_values(out);
    put_options(out);
    put_operands(out);
    fputs("}\n\ncomplete -F _ludus_trace ludus-trace\n", out);
}
