/* Shows a report on a terminal: aligned columns, readable units, notes below each table. */
#include "render.h"

#include <assert.h>

#include "cell_text.h"
#include "table_page.h"
#include "text_cut.h"
#include "utf8.h"

#define MAX_LINE_WIDTH  160u /* longer lines have their longest texts cut */
#define NOTE_LINE_WIDTH 100u

#define STYLE_BOLD  "\x1b[1m"
#define STYLE_DIM   "\x1b[2m"
#define STYLE_RESET "\x1b[0m"

static void put_style(struct trace_table_page *page, const char *style)
{
    if (page->has_color)
        trace_put_text(page->writer, style);
}

/* Bytes of the longest start of the text that is at most `width` columns wide. */
static size_t start_of_width(const char *text, size_t size, size_t width)
{
    size_t at = 0;

    while (at < size) {
        struct trace_code_point point = trace_utf8_next(text + at, size - at);
        unsigned point_width = trace_code_point_width(point.value);

        if (point_width > width)
            break;
        width -= point_width;
        at += point.size;
    }
    return at;
}

/* Puts the dots in front of a text that is too wide, as long as they leave room for a name; returns
 * how many. */
static size_t put_dots(struct trace_writer *writer, const char *text, size_t size, size_t width)
{
    size_t dots = 0;

    if (trace_utf8_width(text, size) <= width)
        return 0;
    while (dots + 2 < size && text[dots] == '.' && text[dots + 1] == ' ' &&
           dots + 2 + TRACE_TABLE_LEAST_CUT <= width)
        dots += 2;
    trace_put(writer, text, dots);
    return dots;
}

static bool is_first_column(const struct trace_table_page *page, size_t column)
{
    while (column-- > 0)
        if (page->shows[column])
            return false;
    return true;
}

static bool has_more_columns(const struct trace_table_page *page, size_t column)
{
    while (++column < page->type->column_count)
        if (page->shows[column])
            return true;
    return false;
}

/* Puts one cell's text in its column; the last column has no spaces behind it. */
static void put_field(struct trace_table_page *page, size_t column, const char *text, size_t size)
{
    size_t width = page->widths[column];
    size_t used;

    trace_put_repeated(page->writer, ' ',
                       is_first_column(page, column) ? TRACE_TABLE_GAP : page->gap);
    if (trace_is_number(&page->type->columns[column])) {
        used = trace_utf8_width(text, size);
        trace_put_repeated(page->writer, ' ', width - used);
        trace_put(page->writer, text, size);
        return;
    }
    used = page->type->columns[column].is_indented ? put_dots(page->writer, text, size, width) : 0;
    size_t head = used == 0 ? page->heads[column] : trace_cut_middle(width - used);
    if (size > used) /* an empty text may have no place */
        used += trace_put_cut(page->writer, text + used, size - used, width - used, head);
    if (has_more_columns(page, column))
        trace_put_repeated(page->writer, ' ', width - used);
}

static void put_headings(struct trace_table_page *page)
{
    put_style(page, STYLE_BOLD);
    for (size_t i = 0; i < page->type->column_count; i++) {
        const char *title = page->type->columns[i].title;

        if (page->shows[i])
            put_field(page, i, title, strlen(title));
    }
    put_style(page, STYLE_RESET);
    trace_put_byte(page->writer, '\n');
}

static void put_rows(struct trace_table_page *page)
{
    for (size_t row = 0; row < trace_report_row_count(page->report, page->table); row++) {
        for (size_t i = 0; i < page->type->column_count; i++) {
            if (!page->shows[i])
                continue;
            trace_table_load_cell(page, row, i);
            put_field(page, i, page->text.data, page->text.size);
        }
        trace_put_byte(page->writer, '\n');
    }
}

static void show_from(struct trace_table_page *page, const bool *shown, size_t first)
{
    for (size_t i = first; i < page->type->column_count; i++)
        page->shows[i] = shown != NULL && shown[i];
}

/* Puts as many columns behind those that name a row as lines have room for; returns the next one.
 */
static size_t put_block(struct trace_table_page *page, const bool *shown, size_t first, size_t most)
{
    size_t width = trace_table_line_width(page), next = first;

    while (next < page->type->column_count) {
        if (shown[next]) {
            if (next != first && width + page->gap + page->widths[next] > most)
                break;
            width += page->gap + page->widths[next];
            page->shows[next] = true;
        }
        next++;
    }
    put_headings(page);
    put_rows(page);
    show_from(page, NULL, first);
    return next;
}

/* Behind the columns that name a row: the first one, and texts that follow it. */
static size_t end_of_names(const struct trace_table_page *page)
{
    size_t end = 0;

    while (!page->shows[end])
        end++;
    do
        end++;
    while (end < page->type->column_count &&
           (!page->shows[end] || !trace_is_number(&page->type->columns[end])));
    return end;
}

/* Lines that are too long go on below: the columns that name a row, and those that had no room. */
static void put_blocks(struct trace_table_page *page, size_t most)
{
    const size_t names = end_of_names(page);
    bool shown[TRACE_TABLE_MAX_COLUMNS];

    memcpy(shown, page->shows, sizeof shown);
    page->gap = TRACE_TABLE_GAP;
    trace_table_measure(page); /* so there is room for longer names */
    show_from(page, NULL, names);
    (void)trace_table_cut_texts(page, most / 2, TRACE_TABLE_MIN_CUT);
    const size_t room = most / 2 - TRACE_TABLE_GAP;
    for (size_t i = names; i < page->type->column_count; i++)
        if (page->widths[i] > room && !trace_is_number(&page->type->columns[i]))
            page->widths[i] = room;
    show_from(page, shown, names);
    trace_table_find_heads(page);
    show_from(page, NULL, names);
    for (size_t next = names; next < page->type->column_count;) {
        if (shown[next])
            next = put_block(page, shown, next, most);
        else
            next++;
    }
}

/* Bytes of `text` that go on a line of `width` columns: whole words where possible. */
static size_t line_of(const char *text, size_t size, size_t width)
{
    size_t end = start_of_width(text, size, width);
    size_t at = end;

    if (end == size)
        return size;
    while (at > 0 && text[at] != ' ')
        at--;
    return at > 0 ? at : end;
}

/* Puts the text on lines of the width of notes; the first one has `used` columns already, which the
 * others leave blank. */
static void put_wrapped(struct trace_table_page *page, const char *text, size_t size, size_t used)
{
    size_t width = page->note_width > used ? page->note_width - used : 1;

    if (size == 0) /* then there may be no text */
        trace_put_byte(page->writer, '\n');
    for (bool is_first = true; size > 0; is_first = false) {
        size_t line = line_of(text, size, width);

        if (line == 0) /* no character fits */
            line = size;
        if (!is_first)
            trace_put_repeated(page->writer, ' ', used);
        trace_put(page->writer, text, line);
        trace_put_byte(page->writer, '\n');
        while (line < size && text[line] == ' ')
            line++;
        text += line;
        size -= line;
    }
}

/* Shows the only row as lines of name and value; what is not known is left out. */
static void put_record(struct trace_table_page *page)
{
    size_t title_width = 0;

    for (size_t i = 0; i < page->type->column_count; i++)
        if (page->shows[i] && strlen(page->type->columns[i].title) > title_width)
            title_width = strlen(page->type->columns[i].title);
    for (size_t i = 0; i < page->type->column_count; i++) {
        const char *title = page->type->columns[i].title;

        if (!page->shows[i] ||
            trace_report_cell(page->report, page->table, 0, i).kind == TRACE_CELL_NULL)
            continue;
        trace_table_load_cell(page, 0, i);
        trace_put_repeated(page->writer, ' ', TRACE_TABLE_GAP);
        put_style(page, STYLE_DIM);
        trace_put_text(page->writer, title);
        put_style(page, STYLE_RESET);
        trace_put_repeated(page->writer, ' ', title_width - strlen(title) + TRACE_TABLE_GAP);
        put_wrapped(page, page->text.data, page->text.size,
                    TRACE_TABLE_GAP + title_width + TRACE_TABLE_GAP);
    }
}

static void put_lines(struct trace_table_page *page)
{
    size_t most = page->line_width;

    if (page->type->line_width != 0 && page->type->line_width < most)
        most = page->type->line_width;
    trace_table_measure(page);
    if (trace_table_fit(page, most)) {
        put_headings(page);
        put_rows(page);
    } else {
        put_blocks(page, most);
    }
}

static void put_note(struct trace_table_page *page, const char *note)
{
    const char *lead = "  * ";

    trace_text_buffer_clear(&page->text);
    trace_append_visible(&page->text, note, strlen(note));
    trace_put_text(page->writer, lead);
    put_wrapped(page, page->text.data, page->text.size, strlen(lead));
}

/* Shows rows as notes are shown. */
static void put_list(struct trace_table_page *page)
{
    for (size_t row = 0; row < trace_report_row_count(page->report, page->table); row++) {
        const char *lead = "  * ";
        trace_text_buffer_clear(&page->text);
        trace_append_list_row(&page->text, page->report, page->table, row);
        trace_put_text(page->writer, lead);
        put_wrapped(page, page->text.data, page->text.size, strlen(lead));
    }
}

static void put_headline(struct trace_table_page *page, const char *headline)
{
    if (headline == NULL)
        return;
    trace_text_buffer_clear(&page->text);
    trace_append_visible(&page->text, headline, strlen(headline));
    put_style(page, STYLE_BOLD);
    put_wrapped(page, page->text.data, page->text.size, 0);
    put_style(page, STYLE_RESET);
    trace_put_byte(page->writer, '\n');
}

static void put_table(struct trace_table_page *page)
{
    size_t row_count = trace_report_row_count(page->report, page->table);

    assert(page->type->column_count <= TRACE_TABLE_MAX_COLUMNS);
    put_style(page, STYLE_BOLD);
    trace_put_text(page->writer, page->type->title);
    put_style(page, STYLE_RESET);
    if (row_count == 0)
        trace_put_text(page->writer, ": none");
    trace_put_byte(page->writer, '\n');
    for (size_t i = 0; i < page->type->column_count; i++)
        page->shows[i] = trace_report_shows_column(page->report, page->table, i);
    if (page->type->is_record && row_count != 0) {
        put_record(page);
    } else if (page->type->is_list) {
        put_list(page);
    } else if (row_count != 0) {
        put_lines(page);
    }
    for (size_t i = 0; !page->is_terse && i < trace_report_note_count(page->report, page->table);
         i++) {
        put_style(page, STYLE_DIM);
        put_note(page, trace_report_get_note(page->report, page->table, i));
        put_style(page, STYLE_RESET);
    }
}

enum ludus_status trace_render_table(const struct trace_report *report,
                                     const struct trace_render_options *options,
                                     struct trace_writer *writer)
{
    const struct trace_report_type *type = trace_report_get_type(report);
    struct trace_table_page page = {.report = report,
                                    .writer = writer,
                                    .line_width = MAX_LINE_WIDTH,
                                    .note_width = NOTE_LINE_WIDTH,
                                    .cut_width = TRACE_TABLE_MIN_CUT,
                                    .has_color = options->color,
                                    .is_terse = options->is_terse};
    bool has_failed;
    bool is_first = true;

    const uint32_t width = options->width != 0 ? options->width : type->width;
    if (width > TRACE_TABLE_MIN_CUT) {
        page.line_width = width;
        page.cut_width = TRACE_TABLE_LEAST_CUT;
        if (width < NOTE_LINE_WIDTH)
            page.note_width = width;
    }
    put_headline(&page, trace_report_headline(report));
    for (size_t i = 0; i < type->table_count; i++) {
        if (!trace_report_shows_table(report, i))
            continue;
        if (!is_first && !page.is_terse)
            trace_put_byte(writer, '\n');
        is_first = false;
        page.table = i;
        page.type = &type->tables[i];
        put_table(&page);
    }
    has_failed = page.text.has_failed;
    trace_text_buffer_release(&page.text);
    return has_failed ? LUDUS_ERROR_MEMORY : LUDUS_OK;
}
