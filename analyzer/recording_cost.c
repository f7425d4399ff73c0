/* Reads the recorder's own cost from the facts. */
#include "recording_cost.h"

#include <string.h>

/* A number of picoseconds, all digits; 0 for anything else. */
static double nanoseconds_of(const struct trace_model *model, const char *key)
{
    for (uint32_t i = 0; i < model->fact_count; i++) {
        const struct trace_fact *fact = &model->facts[i];
        uint64_t picoseconds = 0;
        if (fact->key.size != strlen(key) || memcmp(fact->key.data, key, fact->key.size) != 0)
            continue;
        for (size_t at = 0; at < fact->value.size; at++) {
            const char digit = fact->value.data[at];
            if (digit < '0' || digit > '9' || at == 12)
                return 0;
            picoseconds = picoseconds * 10 + (uint64_t)(digit - '0');
        }
        return (double)picoseconds / 1000;
    }
    return 0;
}

struct trace_recording_cost trace_recording_cost_of(const struct trace_model *model)
{
    struct trace_recording_cost cost = {.scope_ns = nanoseconds_of(model, "recorder.scope_cost_ps"),
                                        .inner_ns =
                                            nanoseconds_of(model, "recorder.scope_inner_cost_ps")};
    cost.is_known = cost.scope_ns > 0 && cost.inner_ns <= cost.scope_ns;
    return cost;
}
