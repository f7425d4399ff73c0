/* Looks facts of a session up and reads numbers in them. */
#include "model_facts.h"

static bool read_number(struct trace_text text, uint64_t *number)
{
    *number = 0;
    for (size_t at = 0; at < text.size; at++) {
        const char digit = text.data[at];
        if (digit < '0' || digit > '9' || at == 12)
            return false;
        *number = *number * 10 + (uint64_t)(digit - '0');
    }
    return text.size != 0;
}

const struct trace_text *trace_model_fact(const struct trace_model *model, const char *key)
{
    for (uint32_t i = 0; i < model->fact_count; i++) {
        const struct trace_fact *fact = &model->facts[i];
        if (trace_text_is(fact->key, key))
            return &fact->value;
    }
    return NULL;
}

bool trace_model_number_fact(const struct trace_model *model, const char *key, uint64_t *number)
{
    const struct trace_text *value = trace_model_fact(model, key);
    return value != NULL && read_number(*value, number);
}
