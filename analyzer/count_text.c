/* Puts counts of events into words. */
#include "count_text.h"

#include <inttypes.h>
#include <stdio.h>

const char *trace_format_counts(const struct lcap_counts *counts, char text[TRACE_COUNTS_SIZE])
{
    const struct {
        const char *word;
        uint64_t count;
    } parts[] = {{"scopes", counts->scopes},
                 {"instants", counts->instants},
                 {"frame marks", counts->frames},
                 {"ends of flows", counts->flows},
                 {"gauges", counts->gauges}};
    size_t size = 0;
    snprintf(text, TRACE_COUNTS_SIZE, "nothing");
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i].count == 0)
            continue;
        const int added = snprintf(text + size, TRACE_COUNTS_SIZE - size, "%s%s %" PRIu64,
                                   size > 0 ? ", " : "", parts[i].word, parts[i].count);
        size += added > 0 ? (size_t)added : 0;
    }
    return text;
}
