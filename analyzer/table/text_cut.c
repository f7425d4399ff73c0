/* Cuts texts of a column to a width. */
#include "text_cut.h"

#include <stdlib.h>
#include <string.h>

#include "utf8.h"

#define DOTS       "..."
#define DOTS_WIDTH 3u

/* What is left of a text. */
struct cut {
    size_t head_size; /* bytes in front of the dots */
    size_t tail;      /* where what is behind them begins; that of the head: nothing is left out */
};

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

/* Where the longest end of the text begins that is at most `width` columns wide. */
static size_t end_of_width(const char *text, size_t size, size_t width)
{
    size_t left = trace_utf8_width(text, size);
    size_t at = 0;

    while (left > width) {
        struct trace_code_point point = trace_utf8_next(text + at, size - at);

        left -= trace_code_point_width(point.value);
        at += point.size;
    }
    return at;
}

static struct cut cut_text(const char *text, size_t size, size_t width, size_t head)
{
    if (width <= DOTS_WIDTH || trace_utf8_width(text, size) <= width)
        return (struct cut){size, size};
    return (struct cut){start_of_width(text, size, head),
                        end_of_width(text, size, width - DOTS_WIDTH - head)};
}

size_t trace_cut_middle(size_t width)
{
    return width <= DOTS_WIDTH ? 0 : (width - DOTS_WIDTH + 1) / 2;
}

size_t trace_put_cut(struct trace_writer *writer, const char *text, size_t size, size_t width,
                     size_t head)
{
    const struct cut cut = cut_text(text, size, width, head);

    trace_put(writer, text, cut.head_size);
    if (cut.tail == cut.head_size)
        return trace_utf8_width(text, size);
    trace_put_text(writer, DOTS);
    trace_put(writer, text + cut.tail, size - cut.tail);
    return trace_utf8_width(text, cut.head_size) + DOTS_WIDTH +
           trace_utf8_width(text + cut.tail, size - cut.tail);
}

/* --- telling apart --------------------------------------------------------------------------- */

void trace_cut_texts_add(struct trace_cut_texts *texts, const char *text, size_t size)
{
    char *copy;

    for (size_t i = 0; i < texts->count; i++)
        if (texts->sizes[i] == size && (size == 0 || memcmp(texts->texts[i], text, size) == 0))
            return;
    if (texts->has_more)
        return;
    copy = texts->count == TRACE_MOST_TOLD_APART ? NULL : malloc(size + 1);
    if (copy == NULL) {
        texts->has_more = true;
        return;
    }
    if (size != 0)
        memcpy(copy, text, size);
    texts->texts[texts->count] = copy;
    texts->sizes[texts->count++] = size;
}

void trace_cut_texts_clear(struct trace_cut_texts *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        free(texts->texts[i]);
    *texts = (struct trace_cut_texts){0};
}

static bool is_same_cut(const struct trace_cut_texts *texts, size_t a, size_t b, size_t width,
                        size_t head)
{
    const struct cut x = cut_text(texts->texts[a], texts->sizes[a], width, head);
    const struct cut y = cut_text(texts->texts[b], texts->sizes[b], width, head);
    const size_t tail = texts->sizes[a] - x.tail;

    return x.head_size == y.head_size && tail == texts->sizes[b] - y.tail &&
           memcmp(texts->texts[a], texts->texts[b], x.head_size) == 0 &&
           memcmp(texts->texts[a] + x.tail, texts->texts[b] + y.tail, tail) == 0;
}

static bool do_differ(const struct trace_cut_texts *texts, size_t width, size_t head)
{
    for (size_t a = 0; a < texts->count; a++)
        for (size_t b = a + 1; b < texts->count; b++)
            if (is_same_cut(texts, a, b, width, head))
                return false;
    return true;
}

/* The head next to the middle with which they differ. False: there is none. */
static bool find_head(const struct trace_cut_texts *texts, size_t width, size_t *head)
{
    const size_t most = width <= DOTS_WIDTH ? 0 : width - DOTS_WIDTH;
    const size_t half = trace_cut_middle(width);

    for (size_t away = 0; away <= most; away++) {
        *head = half + away;
        if (*head <= most && do_differ(texts, width, *head))
            return true;
        *head = half - away;
        if (away <= half && do_differ(texts, width, *head))
            return true;
    }
    *head = half;
    return false;
}

size_t trace_cut_texts_width(const struct trace_cut_texts *texts, size_t least, size_t most)
{
    size_t head;

    while (!texts->has_more && least < most && !find_head(texts, least, &head))
        least++;
    return least;
}

size_t trace_cut_texts_head(const struct trace_cut_texts *texts, size_t width)
{
    size_t head = trace_cut_middle(width);

    if (!texts->has_more)
        (void)find_head(texts, width, &head);
    return head;
}
