/* Lists the categories, and says which that somebody switched are none. */
#include "report_categories.h"

#include <stdlib.h>
#include <strings.h>

#include "column_kinds.h"
#include "model_facts.h"
#include "text_buffer.h"

const struct trace_column trace_category_columns[TRACE_CATEGORY_COLUMNS] = {
    TRACE_TEXT_COLUMN("category", "category", .description = "A label of sites."),
    TRACE_COUNT_COLUMN("sites", "sites", .description = "How many sites carry it."),
    TRACE_TEXT_COLUMN("waiting", "waiting", .description = "yes when time in it is spent waiting."),
};

/* As the recorder compares them: the case of letters does not matter. */
static bool is_category(const struct trace_model *model, struct trace_text name)
{
    for (uint32_t i = 0; i < model->category_count; i++) {
        struct trace_text known = model->categories[i].name;
        if (known.size == name.size &&
            (name.size == 0 || strncasecmp(known.data, name.data, name.size) == 0))
            return true;
    }
    return false;
}

#define MOST_RULES 64u /* that a recorder takes */

/* Appends, between commas, what the fact switches on or off ("-ai,render") and no site has. */
static void find_unknown(const struct trace_model *model, struct trace_text rules,
                         struct trace_text_buffer *unknown)
{
    uint32_t count = 0;
    for (size_t at = 0, end; at < rules.size && count < MOST_RULES; at = end + 1, count++) {
        end = at;
        while (end < rules.size && rules.data[end] != ',')
            end++;
        size_t begin = rules.data[at] == '-' ? at + 1 : at;
        struct trace_text name = {rules.data + begin, end - begin};
        if (name.size == 0 || trace_text_is(name, "*") || is_category(model, name))
            continue;
        if (unknown->size != 0)
            trace_text_buffer_append(unknown, ", ", 2);
        trace_append_visible(unknown, name.data, name.size);
    }
}

static bool note_unknown(struct trace_report *report, size_t table, const struct trace_model *model)
{
    const struct trace_text *rules = trace_model_fact(model, "recorder.categories");
    struct trace_text_buffer unknown = {0};
    if (rules == NULL)
        return true;
    find_unknown(model, *rules, &unknown);
    if (unknown.size != 0 && !unknown.has_failed)
        trace_report_note(report, table,
                          "Switched at the start, but no site of the capture has it: %.*s.",
                          (int)unknown.size, unknown.data);
    bool is_done = !unknown.has_failed;
    trace_text_buffer_release(&unknown);
    return is_done;
}

bool trace_put_categories(struct trace_report *report, size_t table,
                          const struct trace_model *model)
{
    uint32_t *sites = calloc((size_t)model->category_count + 1, sizeof *sites);
    if (sites == NULL)
        return false;
    for (uint32_t site = 0; site < model->site_count; site++)
        if (model->sites[site].category < model->category_count)
            sites[model->sites[site].category]++;
    for (uint32_t i = 0; i < model->category_count; i++) {
        struct trace_text name = model->categories[i].name;
        trace_report_row(report, table);
        trace_report_text(report, name.data, name.size);
        trace_report_integer(report, sites[i]);
        trace_report_string(report, model->categories[i].is_waiting ? "yes" : "no");
    }
    free(sites);
    return note_unknown(report, table, model);
}
