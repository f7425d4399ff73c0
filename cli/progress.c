/* How far long work is. */
#include "progress.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "console.h"
#include "interrupt.h"

#define SHOWN_AFTER_MS 1000u
#define SHOWN_EVERY_MS 100u
#define NAME_BYTES     512u
#define SHOWN_NAME     50u /* bytes of its end: the line fits */

static const char erase_line[] = "\r\x1b[K";

static struct progress {
    bool is_shown_at_all, is_verbose;
    uint64_t start_ms;
    uint64_t shown_ms;     /* when the line was written last */
    char name[NAME_BYTES]; /* of what is read; empty at first */
    uint64_t begin_ms;     /* of this reading of it */
    uint64_t read_bytes, all_bytes;
} progress;

static volatile sig_atomic_t is_there; /* the line */

void cli_progress_start(bool is_quiet, bool is_verbose)
{
    progress = (struct progress){.is_shown_at_all = !is_quiet && isatty(STDERR_FILENO) == 1 &&
                                                    cli_can_move_cursor(),
                                 .is_verbose = is_verbose,
                                 .start_ms = cli_now_ms()};
}

void cli_progress_clear(void)
{
    if (is_there != 0 && write(STDERR_FILENO, erase_line, sizeof erase_line - 1) > 0)
        is_there = 0;
}

/* The end of the name, which does not begin within a character, so that it is one short line. */
static void cut_name(char shown[SHOWN_NAME + 1])
{
    size_t size = strlen(progress.name);
    const char *name = progress.name + (size > SHOWN_NAME ? size - SHOWN_NAME : 0);

    while (((unsigned char)*name & 0xC0) == 0x80)
        name++;
    for (; *name != '\0'; name++)
        *shown++ = (unsigned char)*name < 0x20 || *name == 0x7F ? '?' : *name;
    *shown = '\0';
}

static void show(uint64_t now_ms)
{
    char name[SHOWN_NAME + 1];
    char line[SHOWN_NAME + 64];
    double part =
        progress.all_bytes == 0 ? 1.0 : (double)progress.read_bytes / (double)progress.all_bytes;

    cut_name(name);
    int size =
        snprintf(line, sizeof line, "\rreading %s: %u %%\x1b[K", name, (unsigned)(100.0 * part));
    progress.shown_ms = now_ms;
    is_there = 1; /* before, since a signal may come behind the write */
    if (size <= 0 || write(STDERR_FILENO, line, (size_t)size) < 0)
        is_there = 0;
}

/* A reading is over when another one begins, or all is done. */
static void tell_reading(uint64_t now_ms)
{
    if (progress.is_verbose && progress.name[0] != '\0')
        cli_remark("read %s: %" PRIu64 " bytes in %" PRIu64 " ms", progress.name,
                   progress.all_bytes, now_ms - progress.begin_ms);
}

void cli_progress_note(void *context, const char *path, uint64_t read_bytes, uint64_t all_bytes)
{
    (void)context;
    if (!progress.is_shown_at_all && !progress.is_verbose)
        return;
    uint64_t now_ms = cli_now_ms();
    if (read_bytes < progress.read_bytes || strncmp(path, progress.name, NAME_BYTES - 1) != 0) {
        tell_reading(now_ms);
        (void)snprintf(progress.name, sizeof progress.name, "%s", path);
        progress.begin_ms = now_ms;
    }
    progress.read_bytes = read_bytes;
    progress.all_bytes = all_bytes;
    if (progress.is_shown_at_all && now_ms - progress.start_ms >= SHOWN_AFTER_MS &&
        now_ms - progress.shown_ms >= SHOWN_EVERY_MS)
        show(now_ms);
}

void cli_progress_end(void)
{
    uint64_t now_ms = cli_now_ms();

    cli_progress_clear();
    tell_reading(now_ms);
    if (progress.is_verbose)
        cli_remark("done in %" PRIu64 " ms", now_ms - progress.start_ms);
    progress = (struct progress){0};
}
