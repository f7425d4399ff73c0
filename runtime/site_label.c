/* Takes the words of a macro apart, as the preprocessor left them. */
#include "site_label.h"

#include <stdbool.h>
#include <string.h>

static const char category_word[] = "LUDUS_PROFILE_CAT";

static void trim(const char **text, size_t *size)
{
    while (*size > 0 && (*text)[0] == ' ') {
        (*text)++;
        (*size)--;
    }
    while (*size > 0 && (*text)[*size - 1] == ' ')
        (*size)--;
}

/* Whether the parenthesis that opens at `open` is closed by the last character of the text. */
static bool closes_at_end(const char *text, size_t size, size_t open)
{
    size_t depth = 0;
    for (size_t i = open; i < size; i++) {
        if (text[i] == '(')
            depth++;
        else if (text[i] == ')' && --depth == 0)
            return i == size - 1;
    }
    return false;
}

/* Whether the category's word stands at `at`, behind a comma or first of all, and reaches to the
 * end. Sets the place of its opening parenthesis. */
static bool is_category_at(const char *text, size_t size, size_t at, size_t *open)
{
    const size_t word_size = sizeof category_word - 1;
    if (size - at < word_size || memcmp(text + at, category_word, word_size) != 0)
        return false;
    size_t before = at;
    while (before > 0 && text[before - 1] == ' ')
        before--;
    if (before > 0 && text[before - 1] != ',')
        return false;
    *open = at + word_size;
    while (*open < size && text[*open] == ' ')
        (*open)++;
    return *open < size && text[*open] == '(' && closes_at_end(text, size, *open);
}

struct ludus_label_parts ludus_label_split(const char *label)
{
    struct ludus_label_parts parts = {label, strlen(label), NULL, 0};
    trim(&parts.name, &parts.name_size);
    const char *text = parts.name;
    const size_t size = parts.name_size;
    if (size == 0 || text[size - 1] != ')')
        return parts;
    for (size_t at = size; at-- > 0;) {
        size_t open;
        if (!is_category_at(text, size, at, &open))
            continue;
        parts.category = text + open + 1;
        parts.category_size = size - open - 2;
        trim(&parts.category, &parts.category_size);
        parts.name_size = at;
        trim(&parts.name, &parts.name_size);
        if (parts.name_size > 0)
            parts.name_size--; /* the comma */
        trim(&parts.name, &parts.name_size);
        return parts;
    }
    return parts;
}

struct ludus_label_parts ludus_label_of(const struct ludus_site *site)
{
    if (site->form == LUDUS_SITE_DYNAMIC)
        return (struct ludus_label_parts){site->label, strlen(site->label), site->function,
                                          strlen(site->function)};
    struct ludus_label_parts parts = ludus_label_split(site->label);
    if (site->form == LUDUS_SITE_VALUED)
        parts.name_size = ludus_label_name_size(parts.name, parts.name_size);
    return parts;
}

size_t ludus_label_name_size(const char *text, size_t size)
{
    size_t depth = 0;
    size_t at = 0;
    for (; at < size && (text[at] != ',' || depth > 0); at++) {
        depth += text[at] == '(';
        depth -= text[at] == ')' && depth > 0;
    }
    trim(&text, &at);
    return at;
}

size_t ludus_label_cut(const char *text, size_t size, size_t limit)
{
    if (size <= limit)
        return size;
    size_t cut = limit;
    while (cut > 0 && limit - cut < 4 && ((unsigned char)text[cut] & 0xC0u) == 0x80u)
        cut--;
    /* Four continuation bytes in a row are not UTF-8, so that any place is as good. */
    return ((unsigned char)text[cut] & 0xC0u) == 0x80u ? limit : cut;
}
