/* What every event line of a site repeats: its category and name, escaped once. Private to the
 * perfetto_ files. */
#ifndef TRACE_PERFETTO_SITES_H
#define TRACE_PERFETTO_SITES_H

#include "byte_writer.h"
#include "model.h"

/* Names up to this many bytes, category included, are kept; longer ones are escaped each time, so
 * that a file of many long names does not take six times its size. */
#define TRACE_PERFETTO_KEPT_BYTES 160u

/* What a kept text is at most: every byte a \u escape, the keys, and the process id. */
#define TRACE_PERFETTO_SITE_SIZE (TRACE_PERFETTO_KEPT_BYTES * 6 + 64)

/* `"cat":"...","name":"...","pid":...,"tid":` */
struct trace_perfetto_site {
    char *text;       /* NULL: not made yet, or too long to be kept */
    uint16_t size;    /* bytes */
    uint16_t name_at; /* where "name" begins; the category is before it */
};

struct trace_perfetto_sites {
    struct trace_perfetto_site *items; /* by site index */
    uint32_t count;
    struct trace_writer scratch; /* in which one text is made */
};

/* The texts of a site. NULL when there is no memory; `text` is NULL when it is too long. */
const struct trace_perfetto_site *trace_perfetto_site(struct trace_perfetto_sites *sites,
                                                      const struct trace_model *model,
                                                      uint32_t site);

/* Writes the text of a site that is too long to be kept. */
void trace_perfetto_put_site(struct trace_writer *writer, const struct trace_model *model,
                             uint32_t site, bool with_category);

void trace_perfetto_sites_clear(struct trace_perfetto_sites *sites);

#endif
