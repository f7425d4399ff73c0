/* The JSON Schema of a report, made from its column tables, and that of a configuration. */
#include "failure.h"
#include "json_writer.h"
#include "render.h"
#include "schemas.h"
#include "text_buffer.h"

static void put_member_text(struct trace_json *json, const char *key, const char *text)
{
    trace_json_key(json, key);
    trace_json_text(json, text);
}

/* {"const": text} and {"type": name}: the smallest schemas. */
static void put_pair(struct trace_json *json, const char *key, const char *word, const char *text)
{
    trace_json_key(json, key);
    trace_json_begin_object(json);
    put_member_text(json, word, text);
    trace_json_end_object(json);
}

static const char *json_type(enum trace_type type)
{
    return type == TRACE_TYPE_TEXT ? "string" : type == TRACE_TYPE_INTEGER ? "integer" : "number";
}

/* What is known of a column, in one line that people read. */
static void put_description(struct trace_json *json, const struct trace_column *column)
{
    const char *unit = trace_unit_name(column->unit);
    struct trace_text_buffer text = {NULL, 0, 0, false};
    const char *parts[] = {column->description,
                           unit == NULL ? "" : " Unit: ",
                           unit == NULL ? "" : unit,
                           unit == NULL ? "" : ".",
                           column->window == NULL ? "" : " Window: ",
                           column->window == NULL ? "" : column->window,
                           column->window == NULL ? "" : ".",
                           column->denominator == NULL ? "" : " Divided by: ",
                           column->denominator == NULL ? "" : column->denominator,
                           column->denominator == NULL ? "" : "."};

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        trace_text_buffer_append(&text, parts[i], strlen(parts[i]));
    trace_json_key(json, "description");
    trace_json_bytes(json, text.data, text.size);
    trace_text_buffer_release(&text);
}

static void put_row_schema(struct trace_json *json, const struct trace_table_type *table)
{
    trace_json_begin_object(json);
    put_member_text(json, "type", "object");
    trace_json_key(json, "required");
    trace_json_begin_array(json);
    for (size_t i = 0; i < table->column_count; i++)
        if (!table->columns[i].is_for_people)
            trace_json_text(json, table->columns[i].name);
    trace_json_end_array(json);
    trace_json_key(json, "properties");
    trace_json_begin_object(json);
    for (size_t i = 0; i < table->column_count; i++) {
        if (table->columns[i].is_for_people)
            continue;
        trace_json_break(json, 6);
        trace_json_key(json, table->columns[i].name);
        trace_json_begin_object(json);
        trace_json_key(json, "type");
        trace_json_begin_array(json);
        trace_json_text(json, json_type(table->columns[i].type));
        trace_json_text(json, "null");
        trace_json_end_array(json);
        put_description(json, &table->columns[i]);
        trace_json_end_object(json);
    }
    trace_json_break(json, 5);
    trace_json_end_object(json);
    trace_json_end_object(json);
}

/* Begins an object schema whose members are all required, up to the inside of its properties. */
static void begin_object_schema(struct trace_json *json, const char *const *members, size_t count)
{
    put_member_text(json, "type", "object");
    trace_json_key(json, "required");
    trace_json_begin_array(json);
    for (size_t i = 0; i < count; i++)
        trace_json_text(json, members[i]);
    trace_json_end_array(json);
    trace_json_key(json, "properties");
    trace_json_begin_object(json);
}

static void put_table_schema(struct trace_json *json, const struct trace_table_type *table)
{
    static const char *const members[] = {"title", "columns", "rows", "notes"};

    trace_json_break(json, 3);
    trace_json_key(json, table->name);
    trace_json_begin_object(json);
    put_member_text(json, "description", table->title);
    begin_object_schema(json, members, 4);
    trace_json_break(json, 4);
    put_pair(json, "title", "type", "string");
    trace_json_break(json, 4);
    trace_json_key(json, "columns");
    trace_json_begin_object(json);
    put_member_text(json, "type", "array");
    put_pair(json, "items", "$ref", "#/$defs/column");
    trace_json_end_object(json);
    trace_json_break(json, 4);
    trace_json_key(json, "rows");
    trace_json_begin_object(json);
    put_member_text(json, "type", "array");
    trace_json_break(json, 5);
    trace_json_key(json, "items");
    put_row_schema(json, table);
    trace_json_end_object(json);
    trace_json_break(json, 4);
    put_pair(json, "notes", "$ref", "#/$defs/notes");
    trace_json_break(json, 3);
    trace_json_end_object(json);
    trace_json_end_object(json);
}

static void put_definitions(struct trace_json *json)
{
    static const char *const members[] = {"name", "unit", "window", "denominator", "description"};

    trace_json_break(json, 1);
    trace_json_key(json, "$defs");
    trace_json_begin_object(json);
    trace_json_break(json, 2);
    trace_json_key(json, "column");
    trace_json_begin_object(json);
    begin_object_schema(json, members, 5);
    for (size_t i = 0; i < 5; i++) {
        bool may_be_null = i > 0 && i < 4;

        trace_json_break(json, 3);
        trace_json_key(json, members[i]);
        trace_json_begin_object(json);
        trace_json_key(json, "type");
        trace_json_begin_array(json);
        trace_json_text(json, "string");
        if (may_be_null)
            trace_json_text(json, "null");
        trace_json_end_array(json);
        trace_json_end_object(json);
    }
    trace_json_break(json, 2);
    trace_json_end_object(json);
    trace_json_end_object(json);
    trace_json_break(json, 2);
    trace_json_key(json, "notes");
    trace_json_begin_object(json);
    put_member_text(json, "type", "array");
    put_pair(json, "items", "type", "string");
    trace_json_end_object(json);
    trace_json_break(json, 1);
    trace_json_end_object(json);
}

static void put_tables_schema(struct trace_json *json, const struct trace_report_type *type)
{
    trace_json_break(json, 2);
    trace_json_key(json, "tables");
    trace_json_begin_object(json);
    put_member_text(json, "type", "object");
    trace_json_key(json, "required");
    trace_json_begin_array(json);
    for (size_t i = 0; i < type->table_count; i++)
        trace_json_text(json, type->tables[i].name);
    trace_json_end_array(json);
    trace_json_key(json, "properties");
    trace_json_begin_object(json);
    for (size_t i = 0; i < type->table_count; i++)
        put_table_schema(json, &type->tables[i]);
    trace_json_break(json, 2);
    trace_json_end_object(json);
    trace_json_end_object(json);
}

static void put_schema(struct trace_json *json, const struct trace_report_type *type)
{
    static const char *const members[] = {"report", "version", "tables"};

    trace_json_begin_object(json);
    trace_json_break(json, 1);
    put_member_text(json, "$schema", "https://json-schema.org/draft/2020-12/schema");
    trace_json_break(json, 1);
    put_member_text(json, "title", type->name);
    trace_json_break(json, 1);
    begin_object_schema(json, members, 3);
    trace_json_break(json, 2);
    put_pair(json, "report", "const", type->name);
    trace_json_break(json, 2);
    trace_json_key(json, "version");
    trace_json_begin_object(json);
    trace_json_key(json, "const");
    trace_json_integer(json, type->version);
    trace_json_end_object(json);
    put_tables_schema(json, type);
    trace_json_break(json, 1);
    trace_json_end_object(json);
    put_definitions(json);
    trace_json_break(json, 0);
    trace_json_end_object(json);
    trace_put_byte(json->writer, '\n');
}

/* What is no report, and has a schema. */
static const char diff_config[] = "diff-config";

const char *trace_schema_name(size_t index)
{
    size_t count = 0;

    while (trace_report_types[count] != NULL)
        count++;
    if (index < count)
        return trace_report_types[index]->name;
    return index == count ? diff_config : NULL;
}

static enum ludus_status fail_no_schema(const char *wanted, struct ludus_error *error)
{
    struct trace_text_buffer names = {NULL, 0, 0, false};
    enum ludus_status status;

    for (size_t i = 0; trace_schema_name(i) != NULL; i++) {
        if (i > 0)
            trace_text_buffer_append(&names, ", ", 2);
        trace_text_buffer_append(&names, trace_schema_name(i), strlen(trace_schema_name(i)));
    }
    status = trace_fail(error, LUDUS_ERROR_ARGUMENT, "there is no schema '%s'; there are: %.*s",
                        wanted, (int)names.size, names.data);
    trace_text_buffer_release(&names);
    return status;
}

enum ludus_status trace_schema_json(const char *name, struct trace_output output,
                                    struct ludus_error *error)
{
    struct trace_writer writer;
    struct trace_json json;
    size_t index = 0;

    while (trace_report_types[index] != NULL && strcmp(trace_report_types[index]->name, name) != 0)
        index++;
    if (trace_report_types[index] == NULL && strcmp(name, diff_config) != 0)
        return fail_no_schema(name, error);
    trace_writer_start(&writer, output);
    if (trace_report_types[index] == NULL) {
        trace_put_text(&writer, ludus_schema_diff_config());
    } else {
        trace_json_start(&json, &writer);
        put_schema(&json, trace_report_types[index]);
    }
    if (trace_writer_flush(&writer) != LUDUS_OK)
        return trace_fail(error, LUDUS_ERROR_WRITE, "the output cannot be written");
    return LUDUS_OK;
}
