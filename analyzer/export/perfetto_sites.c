/* Escapes the category and name of each site once. */
#include "perfetto_sites.h"

#include <stdlib.h>

#include "json_writer.h"
#include "number_text.h"

static void put_category(struct trace_writer *writer, const struct trace_model *model,
                         uint32_t site)
{
    uint32_t category = model->sites[site].category;

    if (category == TRACE_NONE)
        return;
    trace_put_text(writer, "\"cat\":\"");
    (void)trace_json_escape(writer, model->categories[category].name.data,
                            model->categories[category].name.size);
    trace_put_text(writer, "\",");
}

static void put_name(struct trace_writer *writer, const struct trace_model *model, uint32_t site)
{
    char digits[TRACE_NUMBER_SIZE];

    trace_put_text(writer, "\"name\":\"");
    (void)trace_json_escape(writer, model->sites[site].name.data, model->sites[site].name.size);
    trace_put_text(writer, "\",\"pid\":");
    trace_put(writer, digits, trace_format_unsigned(model->process_id, digits));
    trace_put_text(writer, ",\"tid\":");
}

void trace_perfetto_put_site(struct trace_writer *writer, const struct trace_model *model,
                             uint32_t site, bool with_category)
{
    if (with_category)
        put_category(writer, model, site);
    put_name(writer, model, site);
}

static bool is_kept(const struct trace_model *model, uint32_t site)
{
    uint32_t category = model->sites[site].category;
    size_t size = category == TRACE_NONE ? 0 : model->categories[category].name.size;

    return size <= TRACE_PERFETTO_KEPT_BYTES &&
           model->sites[site].name.size <= TRACE_PERFETTO_KEPT_BYTES - size;
}

/* The scratch writer is larger than any text that is kept, so that its output is never called. */
static bool make_text(struct trace_perfetto_sites *sites, const struct trace_model *model,
                      uint32_t site)
{
    struct trace_perfetto_site *item = &sites->items[site];
    struct trace_writer *scratch = &sites->scratch;

    trace_writer_start(scratch, (struct trace_output){NULL, NULL});
    put_category(scratch, model, site);
    item->name_at = (uint16_t)scratch->used;
    put_name(scratch, model, site);
    item->text = malloc(scratch->used);
    if (item->text == NULL)
        return false;
    memcpy(item->text, scratch->buffer, scratch->used);
    item->size = (uint16_t)scratch->used;
    return true;
}

static bool reserve(struct trace_perfetto_sites *sites, uint32_t count)
{
    struct trace_perfetto_site *larger = realloc(sites->items, count * sizeof *larger);

    if (larger == NULL)
        return false;
    memset(larger + sites->count, 0, (count - sites->count) * sizeof *larger);
    sites->items = larger;
    sites->count = count;
    return true;
}

const struct trace_perfetto_site *trace_perfetto_site(struct trace_perfetto_sites *sites,
                                                      const struct trace_model *model,
                                                      uint32_t site)
{
    if (site >= sites->count && !reserve(sites, model->site_count))
        return NULL;
    if (sites->items[site].text == NULL && is_kept(model, site) && !make_text(sites, model, site))
        return NULL;
    return &sites->items[site];
}

void trace_perfetto_sites_clear(struct trace_perfetto_sites *sites)
{
    for (uint32_t i = 0; i < sites->count; i++)
        free(sites->items[i].text);
    free(sites->items);
    sites->items = NULL;
    sites->count = 0;
}
