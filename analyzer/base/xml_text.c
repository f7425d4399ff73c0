/* Text inside XML. */
#include "xml_text.h"

#include "utf8.h"

/* What stands for a character that cannot stand for itself; NULL: it can. Line ends and tabs would
 * become spaces in an attribute. */
static const char *reference_of(const struct trace_code_point *point)
{
    switch (point->value) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\t':
        return "&#9;";
    case '\n':
        return "&#10;";
    case '\r':
        return "&#13;";
    case 0xFFFE:
    case 0xFFFF:
        return TRACE_REPLACEMENT_UTF8;
    default:
        return point->is_valid && point->value >= 0x20 ? NULL : TRACE_REPLACEMENT_UTF8;
    }
}

void trace_xml_put(struct trace_writer *writer, const char *text, size_t size)
{
    for (size_t at = 0; at < size;) {
        struct trace_code_point point = trace_utf8_next(text + at, size - at);
        const char *reference = reference_of(&point);

        if (reference != NULL)
            trace_put_text(writer, reference);
        else
            trace_put(writer, text + at, point.size);
        at += point.size;
    }
}
