/* The three streams of the program. */
#include "console.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "progress.h"

#define MESSAGE_BYTES 2048u

static bool is_quiet; /* of all warnings, wherever they come from */

/* A stream that was closed would give its number to the next file opened, and answers or messages
 * would go into that file. */
static void occupy_streams(void)
{
    for (int stream = 0; stream <= 2; stream++) {
        if (fcntl(stream, F_GETFD) < 0 && errno == EBADF)
            (void)open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
    }
}

bool cli_can_move_cursor(void)
{
    const char *terminal = getenv("TERM");

    return terminal != NULL && terminal[0] != '\0' && strcmp(terminal, "dumb") != 0;
}

static bool wants_color(void)
{
    const char *no_color = getenv("NO_COLOR");

    return no_color == NULL || no_color[0] == '\0';
}

void cli_console_start(struct cli_console *console)
{
    occupy_streams();
    (void)signal(SIGPIPE, SIG_IGN); /* a write that fails says the same */
    (void)signal(SIGXFSZ, SIG_IGN); /* likewise, for a limit on the size of files */
    console->used = 0;
    console->write_errno = 0;
    console->is_terminal = isatty(STDOUT_FILENO) == 1;
    console->has_cursor = console->is_terminal && cli_can_move_cursor();
    console->has_color = console->has_cursor && wants_color();
}

static void write_through(struct cli_console *console, const char *bytes, size_t size)
{
    if (size > 0 && console->is_terminal)
        cli_progress_clear();
    while (size > 0 && console->write_errno == 0) {
        ssize_t written = write(STDOUT_FILENO, bytes, size);

        if (written >= 0) {
            bytes += written;
            size -= (size_t)written;
        } else if (errno != EINTR) {
            console->write_errno = errno;
        }
    }
}

void cli_console_flush(struct cli_console *console)
{
    write_through(console, console->buffer, console->used);
    console->used = 0;
}

void cli_write(struct cli_console *console, const char *bytes, size_t size)
{
    if (size > sizeof console->buffer - console->used)
        cli_console_flush(console);
    if (size >= sizeof console->buffer) {
        write_through(console, bytes, size);
        return;
    }
    memcpy(console->buffer + console->used, bytes, size);
    console->used += size;
}

void cli_print(struct cli_console *console, const char *text)
{
    cli_write(console, text, strlen(text));
}

static enum ludus_status write_answer(void *context, const char *bytes, size_t size)
{
    struct cli_console *console = context;

    cli_write(console, bytes, size);
    return console->write_errno == 0 ? LUDUS_OK : LUDUS_ERROR_WRITE;
}

struct trace_output cli_console_sink(struct cli_console *console)
{
    return (struct trace_output){console, write_answer};
}

bool cli_console_finish(struct cli_console *console)
{
    cli_console_flush(console);
    if (close(STDOUT_FILENO) != 0 && console->write_errno == 0)
        console->write_errno = errno;
    if (console->write_errno != 0 && console->write_errno != EPIPE)
        cli_error("cannot write the answer to standard output: %s; it is not complete",
                  strerror(console->write_errno));
    return console->write_errno == 0;
}

/* Copies a message into a line, with control characters spelt out; returns the line's size. */
static size_t make_visible(const char *message, char line[MESSAGE_BYTES])
{
    static const char digits[] = "0123456789abcdef";
    size_t size = 0;

    for (; *message != '\0' && size < MESSAGE_BYTES - 8; message++) {
        unsigned char byte = (unsigned char)*message;

        if (byte >= 0x20 && byte != 0x7F) {
            line[size++] = (char)byte;
            continue;
        }
        line[size++] = '\\';
        line[size++] = 'x';
        line[size++] = digits[byte >> 4];
        line[size++] = digits[byte & 15];
    }
    return size;
}

/* One write for the whole line: lines of programs that run side by side stay whole. */
static void say(const char *prefix, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

static void say(const char *prefix, const char *format, va_list arguments)
{
    char message[MESSAGE_BYTES];
    char visible[MESSAGE_BYTES];
    char line[MESSAGE_BYTES + 64];
    size_t size;
    int line_size;

    cli_progress_clear();
    (void)vsnprintf(message, sizeof message, format, arguments);
    size = make_visible(message, visible);
    line_size = snprintf(line, sizeof line, "%s%.*s\n", prefix, (int)size, visible);
    if (line_size > 0 && write(STDERR_FILENO, line, (size_t)line_size) < 0)
        return; /* nowhere to say it */
}

void cli_error(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say("ludus-trace: ", format, arguments);
    va_end(arguments);
}

void cli_warning(const char *format, ...)
{
    va_list arguments;

    if (is_quiet)
        return;
    va_start(arguments, format);
    say("ludus-trace: warning: ", format, arguments);
    va_end(arguments);
}

void cli_remark(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say("ludus-trace: ", format, arguments);
    va_end(arguments);
}

void cli_keep_warnings_quiet(void)
{
    is_quiet = true;
}
