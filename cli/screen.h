/* A page of text, drawn again and again in place on a terminal. */
#ifndef CLI_SCREEN_H
#define CLI_SCREEN_H

#include "console.h"

/* Text that a report is rendered into. All zero is an empty one. */
struct cli_page {
    char *text;
    size_t size;
    size_t capacity;
    size_t lines;
};

/* Appends what it gets. Its write fails with LUDUS_ERROR_MEMORY. */
struct trace_output cli_page_sink(struct cli_page *page);
void cli_page_clear(struct cli_page *page); /* keeps the memory */
void cli_page_release(struct cli_page *page);

struct cli_screen_size {
    uint32_t columns;
    uint32_t rows;
};

/* Of the terminal that stdout is; 80 columns and 24 rows when it does not say. */
struct cli_screen_size cli_screen_size(void);

/* Empties the screen and hides the cursor; the end shows it again below what was drawn last. */
void cli_screen_begin(struct cli_console *console);
void cli_screen_end(struct cli_console *console);

/* Puts the page's first lines in place of what is there, and a line below them, as many in all as
 * there are rows. One write, unless that is more than the console's buffer holds, so that nothing
 * flickers; lines that are too long are cut. */
void cli_screen_draw(struct cli_console *console, const struct cli_page *page, const char *line,
                     uint32_t rows);

#endif
