/* How wide the columns of a table for people are, and where their texts are cut. */
#include "table_page.h"

#include "cell_text.h"
#include "text_cut.h"
#include "utf8.h"

#define INDENTED_CUT_WIDTH 32u /* of texts behind dots, which take some of it */
#define LEAST_GAP          1u  /* where lines are too long all the same */

void trace_table_load_cell(struct trace_table_page *page, size_t row, size_t column)
{
    struct trace_cell cell = trace_report_cell(page->report, page->table, row, column);

    trace_text_buffer_clear(&page->text);
    trace_append_cell(&page->text, &page->type->columns[column], &cell);
}

void trace_table_measure(struct trace_table_page *page)
{
    size_t row_count = trace_report_row_count(page->report, page->table);

    for (size_t i = 0; i < page->type->column_count; i++) {
        const char *title = page->type->columns[i].title;

        page->widths[i] = 0;
        if (!page->shows[i])
            continue;
        page->widths[i] = trace_utf8_width(title, strlen(title));
        for (size_t row = 0; row < row_count; row++) {
            size_t width;

            trace_table_load_cell(page, row, i);
            width = trace_utf8_width(page->text.data, page->text.size);
            if (width > page->widths[i])
                page->widths[i] = width;
        }
    }
}

/* How narrow a column of text may become. */
static size_t least_width(const struct trace_table_page *page, size_t column, size_t cut_width)
{
    if (page->type->columns[column].is_indented && cut_width < INDENTED_CUT_WIDTH)
        return INDENTED_CUT_WIDTH;
    return cut_width < page->least[column] ? page->least[column] : cut_width;
}

/* The widest text column that may still be cut, of those that are cut last or the others; or the
 * column count. */
static size_t find_widest_of(const struct trace_table_page *page, size_t cut_width, bool is_last)
{
    size_t widest = page->type->column_count;

    for (size_t i = 0; i < page->type->column_count; i++) {
        if (!page->shows[i] || trace_is_number(&page->type->columns[i]) ||
            page->type->columns[i].is_cut_last != is_last ||
            page->widths[i] <= least_width(page, i, cut_width))
            continue;
        if (widest == page->type->column_count || page->widths[i] > page->widths[widest])
            widest = i;
    }
    return widest;
}

static size_t find_widest_text(const struct trace_table_page *page, size_t cut_width)
{
    size_t widest = find_widest_of(page, cut_width, false);

    return widest != page->type->column_count ? widest : find_widest_of(page, cut_width, true);
}

size_t trace_table_line_width(const struct trace_table_page *page)
{
    size_t width = TRACE_TABLE_GAP - page->gap;

    for (size_t i = 0; i < page->type->column_count; i++)
        if (page->shows[i])
            width += page->gap + page->widths[i];
    return width;
}

bool trace_table_cut_texts(struct trace_table_page *page, size_t most, size_t cut_width)
{
    size_t line_width = trace_table_line_width(page);

    while (line_width > most) {
        size_t widest = find_widest_text(page, cut_width);

        if (widest == page->type->column_count)
            return false;
        page->widths[widest]--;
        line_width--;
    }
    return true;
}

static void collect_texts(struct trace_table_page *page, size_t column,
                          struct trace_cut_texts *texts)
{
    *texts = (struct trace_cut_texts){0};
    for (size_t row = 0;
         !texts->has_more && row < trace_report_row_count(page->report, page->table); row++) {
        trace_table_load_cell(page, row, column);
        trace_cut_texts_add(texts, page->text.data, page->text.size);
    }
}

static bool is_cut(const struct trace_table_page *page, size_t column)
{
    return page->shows[column] && !trace_is_number(&page->type->columns[column]) &&
           !page->type->columns[column].is_indented;
}

/* Finds how narrow columns may become with texts that can be told apart. */
static void find_least_widths(struct trace_table_page *page)
{
    for (size_t i = 0; i < page->type->column_count; i++) {
        struct trace_cut_texts texts;

        page->least[i] = 0;
        if (!is_cut(page, i) || page->widths[i] <= page->cut_width)
            continue;
        collect_texts(page, i, &texts);
        page->least[i] = trace_cut_texts_width(&texts, page->cut_width, page->widths[i]);
        trace_cut_texts_clear(&texts);
    }
}

void trace_table_find_heads(struct trace_table_page *page)
{
    for (size_t i = 0; i < page->type->column_count; i++) {
        struct trace_cut_texts texts = {.has_more = true};

        if (is_cut(page, i))
            collect_texts(page, i, &texts);
        page->heads[i] = trace_cut_texts_head(&texts, page->widths[i]);
        trace_cut_texts_clear(&texts);
    }
}

bool trace_table_fit(struct trace_table_page *page, size_t most)
{
    page->gap = TRACE_TABLE_GAP;
    if (trace_table_line_width(page) <= most)
        return true;
    find_least_widths(page);
    bool does_fit = trace_table_cut_texts(page, most, TRACE_TABLE_MIN_CUT);
    if (!does_fit) {
        page->gap = LEAST_GAP;
        does_fit = trace_table_cut_texts(page, most, page->cut_width);
    }
    trace_table_find_heads(page);
    return does_fit;
}
