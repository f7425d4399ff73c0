/* Draws pages on a terminal with the control sequences that all of them know. */
#include "screen.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define CLEAR       "\x1b[2J"
#define HOME        "\x1b[H"
#define CLEAR_LINE  "\x1b[K" /* from the cursor on */
#define CLEAR_BELOW "\x1b[J"
#define HIDE_CURSOR "\x1b[?25l"
#define SHOW_CURSOR "\x1b[?25h"
#define WRAP_OFF    "\x1b[?7l"
#define WRAP_ON     "\x1b[?7h"
#define STYLE_DIM   "\x1b[2m"
#define STYLE_RESET "\x1b[0m"

static enum ludus_status append(void *context, const char *bytes, size_t size)
{
    struct cli_page *page = context;

    if (size > page->capacity - page->size) {
        size_t capacity = page->capacity * 2 + size;
        char *text = realloc(page->text, capacity);

        if (text == NULL)
            return LUDUS_ERROR_MEMORY;
        page->text = text;
        page->capacity = capacity;
    }
    memcpy(page->text + page->size, bytes, size);
    page->size += size;
    for (size_t i = 0; i < size; i++)
        page->lines += bytes[i] == '\n';
    return LUDUS_OK;
}

struct trace_output cli_page_sink(struct cli_page *page)
{
    return (struct trace_output){page, append};
}

void cli_page_clear(struct cli_page *page)
{
    page->size = 0;
    page->lines = 0;
}

void cli_page_release(struct cli_page *page)
{
    free(page->text);
    *page = (struct cli_page){0};
}

struct cli_screen_size cli_screen_size(void)
{
    struct winsize window;

    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_col == 0 || window.ws_row == 0)
        return (struct cli_screen_size){80, 24};
    return (struct cli_screen_size){window.ws_col, window.ws_row};
}

void cli_screen_begin(struct cli_console *console)
{
    cli_print(console, HIDE_CURSOR CLEAR HOME);
}

void cli_screen_end(struct cli_console *console)
{
    cli_print(console, SHOW_CURSOR "\n");
    cli_console_flush(console);
}

void cli_screen_draw(struct cli_console *console, const struct cli_page *page, const char *line,
                     uint32_t rows)
{
    const char *at = page->text;
    const char *end = page->text + page->size;

    cli_print(console, WRAP_OFF HOME);
    for (uint32_t row = 1; row < rows && at < end; row++) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));

        line_end = line_end == NULL ? end : line_end;
        cli_write(console, at, (size_t)(line_end - at));
        cli_print(console, CLEAR_LINE "\n");
        at = line_end + 1;
    }
    if (console->has_color)
        cli_print(console, STYLE_DIM);
    cli_print(console, line);
    if (console->has_color)
        cli_print(console, STYLE_RESET);
    cli_print(console, CLEAR_LINE CLEAR_BELOW WRAP_ON);
    cli_console_flush(console);
}
