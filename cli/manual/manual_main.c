/* Writes every form of the manual into a folder: manual_writer FOLDER. Run by the build. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "manual.h"

#define PATH_BYTES 4096u

/* What writes a file, of one command or of all. */
struct writer {
    void (*put)(FILE *out);
    void (*put_command)(FILE *out, const struct cli_command *command);
    const struct cli_command *command;
};

/* Makes the folders in front of the last name of a path. */
static void make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0777); /* where it fails, the file cannot be opened */
        *slash = '/';
    }
}

static bool write_file(const char *folder, const char *name, const struct writer *writer)
{
    char path[PATH_BYTES];
    FILE *out;
    bool is_good;

    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) >= sizeof path) {
        fprintf(stderr, "manual_writer: the path is too long: %s\n", folder);
        return false;
    }
    make_folders(path);
    out = fopen(path, "w");
    if (out == NULL) {
        fprintf(stderr, "manual_writer: cannot write %s: %s\n", path, strerror(errno));
        return false;
    }
    if (writer->command != NULL)
        writer->put_command(out, writer->command);
    else
        writer->put(out);
    is_good = ferror(out) == 0;
    is_good = fclose(out) == 0 && is_good;
    if (!is_good)
        fprintf(stderr, "manual_writer: cannot write %s\n", path);
    return is_good;
}

int main(int count, char **words)
{
    static const struct {
        const char *name;
        struct writer writer;
    } files[] = {
        {"man1/ludus-trace.1", {.put = manual_put_program_page}},
        {"completions/bash/ludus-trace", {.put = manual_put_bash}},
        {"completions/zsh/_ludus-trace", {.put = manual_put_zsh}},
        {"completions/fish/ludus-trace.fish", {.put = manual_put_fish}},
        {"reference.md", {.put = manual_put_reference}},
    };
    bool is_good = true;

    if (count != 2) {
        fputs("usage: manual_writer FOLDER\n", stderr);
        return CLI_USAGE;
    }
    for (size_t i = 0; cli_commands[i] != NULL; i++) {
        const struct writer writer = {.put_command = manual_put_command_page,
                                      .command = cli_commands[i]};
        char name[64];

        (void)snprintf(name, sizeof name, "man1/ludus-trace-%s.1", cli_commands[i]->name);
        is_good = write_file(words[1], name, &writer) && is_good;
    }
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        is_good = write_file(words[1], files[i].name, &files[i].writer) && is_good;
    return is_good ? CLI_YES : CLI_OUTPUT;
}
