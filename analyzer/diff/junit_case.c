/* Test cases written as JUnit XML. */
#include "junit_case.h"

#include "number_text.h"
#include "xml_text.h"

static void put_attribute(struct trace_writer *writer, const char *name, const char *text,
                          size_t size)
{
    trace_put_byte(writer, ' ');
    trace_put_text(writer, name);
    trace_put_text(writer, "=\"");
    trace_xml_put(writer, text, size);
    trace_put_byte(writer, '"');
}

static void put_number(struct trace_writer *writer, const char *name, uint64_t number)
{
    char text[TRACE_NUMBER_SIZE];

    put_attribute(writer, name, text, trace_format_integer((int64_t)number, text));
}

void trace_junit_put_counts(struct trace_writer *writer,
                            const uint64_t counts[TRACE_JUNIT_OUTCOMES])
{
    put_number(writer, "tests",
               counts[TRACE_JUNIT_PASSED] + counts[TRACE_JUNIT_FAILED] +
                   counts[TRACE_JUNIT_SKIPPED] + counts[TRACE_JUNIT_BROKEN]);
    put_number(writer, "failures", counts[TRACE_JUNIT_FAILED]);
    put_number(writer, "errors", counts[TRACE_JUNIT_BROKEN]);
    put_number(writer, "skipped", counts[TRACE_JUNIT_SKIPPED]);
    trace_put_text(writer, ">\n");
}

static void put_outcome(struct trace_writer *writer, const struct trace_junit_case *it)
{
    static const char *const elements[TRACE_JUNIT_OUTCOMES] = {"system-out", "failure", "skipped",
                                                               "error"};
    const char *element = elements[it->outcome];

    trace_put_text(writer, "      <");
    trace_put_text(writer, element);
    if (it->outcome != TRACE_JUNIT_PASSED)
        put_attribute(writer, "message", it->words.data, it->words.size);
    if (it->outcome ==
        TRACE_JUNIT_SKIPPED) { /* the rest has a text, which is what some systems show */
        trace_put_text(writer, "/>\n");
        return;
    }
    if (it->outcome != TRACE_JUNIT_PASSED)
        put_attribute(writer, "type", it->type, strlen(it->type));
    trace_put_byte(writer, '>');
    trace_xml_put(writer, it->words.data, it->words.size);
    trace_put_text(writer, "</");
    trace_put_text(writer, element);
    trace_put_text(writer, ">\n");
}

void trace_junit_put_case(struct trace_writer *writer, const struct trace_junit_case *it)
{
    trace_put_text(writer, "    <testcase");
    put_attribute(writer, "classname", it->group, strlen(it->group));
    put_attribute(writer, "name", it->name.data, it->name.size);
    if (it->file.size != 0)
        put_attribute(writer, "file", it->file.data, it->file.size);
    if (it->words.size == 0) {
        trace_put_text(writer, "/>\n");
        return;
    }
    trace_put_text(writer, ">\n");
    put_outcome(writer, it);
    trace_put_text(writer, "    </testcase>\n");
}
