/* Writes the manual in the forms that other programs show: pages for man, a page of Markdown, and
 * completions for shells. All of it is made from the table of commands when the project is built.
 *
 * What cannot be written shows when the file is closed. */
#ifndef CLI_MANUAL_H
#define CLI_MANUAL_H

#include <stdio.h>

#include "command.h"
#include "help.h"

/* The page ludus-trace(1), and that of one command. */
void manual_put_program_page(FILE *out);
void manual_put_command_page(FILE *out, const struct cli_command *command);

/* docs/reference.md: all commands. */
void manual_put_reference(FILE *out);

/* Completions. */
void manual_put_bash(FILE *out);
void manual_put_zsh(FILE *out);
void manual_put_fish(FILE *out);

/* --- what completions share ------------------------------------------------------------------ */

/* What may stand behind an option. */
enum manual_value {
    MANUAL_NO_VALUE,
    MANUAL_WORDS, /* one of its choices */
    MANUAL_FILE,
    MANUAL_ANY_TEXT /* nobody can say */
};
enum manual_value manual_value_of(const struct cli_option *option);

/* Writes `size` bytes of text, with a backslash in front of each that is one of `escaped`. */
void manual_put_escaped(FILE *out, const char *text, size_t size, const char *escaped);

/* How long the part of a help text is that fits beside a word: up to its first semicolon. */
size_t manual_brief_size(const char *help);

/* Writes words with a space between them. */
void manual_put_words(FILE *out, const char *const *words);
void manual_put_command_names(FILE *out);
void manual_put_schema_names(FILE *out);

#endif
