/* Text inside Markdown, with everything that could be markup escaped. */
#include "markdown_text.h"

/* Punctuation that begins markup in some dialect takes a backslash; what begins HTML becomes an
 * entity, since some dialects keep HTML behind a backslash. */
void trace_markdown_put(struct trace_writer *writer, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char byte = text[i];

        if (byte == '<')
            trace_put_text(writer, "&lt;");
        else if (byte == '>')
            trace_put_text(writer, "&gt;");
        else if (byte == '&')
            trace_put_text(writer, "&amp;");
        else if (byte != '\0' && strchr("\\`*_{}[]#|~!$@^", byte) != NULL)
            trace_put(writer, (const char[2]){'\\', byte}, 2);
        else
            trace_put_byte(writer, byte);
    }
}
