/* Puts counts of events into words. */
#include "count_text.h"

#include <inttypes.h>
#include <stdio.h>

const char *trace_count_name(size_t sort)
{
    static const char *const names[TRACE_COUNT_SORTS] = {"scopes", "instants", "frame marks",
                                                         "ends of flows", "gauges"};
    return names[sort];
}

uint64_t trace_count_of(const struct lcap_counts *counts, size_t sort)
{
    const uint64_t values[TRACE_COUNT_SORTS] = {counts->scopes, counts->instants, counts->frames,
                                                counts->flows, counts->gauges};
    return values[sort];
}

const char *trace_format_counts(const struct lcap_counts *counts, char text[TRACE_COUNTS_SIZE])
{
    size_t size = 0;
    snprintf(text, TRACE_COUNTS_SIZE, "nothing");
    for (size_t sort = 0; sort < TRACE_COUNT_SORTS; sort++) {
        const uint64_t count = trace_count_of(counts, sort);
        if (count == 0)
            continue;
        const int added = snprintf(text + size, TRACE_COUNTS_SIZE - size, "%s%s %" PRIu64,
                                   size > 0 ? ", " : "", trace_count_name(sort), count);
        size += added > 0 ? (size_t)added : 0;
    }
    return text;
}
