/* What a comparison found, in words. */
#include "diff_words.h"

#include <math.h>

#include "cell_text.h"

#define MOST_CALLERS 200u /* of a path that are named */

static void append_real(struct trace_text_buffer *text, enum trace_unit unit, int decimals,
                        double value)
{
    struct trace_column column = {.type = TRACE_TYPE_REAL, .unit = unit, .decimals = decimals};
    struct trace_cell cell = {.kind = TRACE_CELL_REAL, .as.real = value};

    trace_append_cell(text, &column, &cell);
}

void trace_append_time(struct trace_text_buffer *text, double time_ns)
{
    append_real(text, TRACE_UNIT_NANOSECONDS, 1, time_ns);
}

const char *trace_side_word(enum trace_side side)
{
    return side == TRACE_BASE ? "base" : "candidate";
}

const char *trace_finding_word(enum trace_finding finding)
{
    switch (finding) {
    case TRACE_FOUND_SAME:
        return "same";
    case TRACE_FOUND_FEW:
        return "few calls";
    case TRACE_FOUND_NOISE:
        return "noise";
    case TRACE_FOUND_WORSE:
        return "regression";
    case TRACE_FOUND_BETTER:
        return "improvement";
    case TRACE_FOUND_SUSPECTED_WORSE:
        return "suspected";
    case TRACE_FOUND_SUSPECTED_BETTER:
        return "maybe better";
    case TRACE_FOUND_SHOWN:
        break;
    }
    return NULL;
}

static void append_name(struct trace_text_buffer *text, const struct trace_scope_key *key)
{
    if (key->name.size == 0)
        trace_append_format(text, "-");
    else
        trace_text_buffer_append(text, key->name.data, key->name.size);
}

static void append_place(struct trace_text_buffer *text, const struct trace_scope_key *key)
{
    bool has_both = key->file.size != 0 && key->category.size != 0;

    if (!key->is_named_twice || (key->file.size == 0 && key->category.size == 0))
        return;
    trace_append_format(text, " (");
    trace_text_buffer_append(text, key->file.data, key->file.size);
    trace_append_format(text, "%s", has_both ? ", " : "");
    trace_text_buffer_append(text, key->category.data, key->category.size);
    trace_append_format(text, ")");
}

static void append_chain(struct trace_text_buffer *text, const struct trace_scope_keys *keys,
                         uint32_t key, bool has_places)
{
    uint32_t chain[MOST_CALLERS];
    uint32_t count = 0;

    for (; key != TRACE_NONE && count < MOST_CALLERS; key = keys->items[key].parent)
        chain[count++] = key;
    if (key != TRACE_NONE)
        trace_append_format(text, "... > ");
    while (count-- > 0) {
        append_name(text, &keys->items[chain[count]]);
        if (has_places)
            append_place(text, &keys->items[chain[count]]);
        if (count != 0)
            trace_append_format(text, " > ");
    }
}

void trace_append_names(struct trace_text_buffer *text, const struct trace_scope_keys *keys,
                        uint32_t key)
{
    append_chain(text, keys, key, false);
}

void trace_append_key(struct trace_text_buffer *text, const struct trace_scope_keys *keys,
                      uint32_t key)
{
    append_chain(text, keys, key, true);
}

void trace_append_compared(struct trace_text_buffer *text,
                           const struct trace_comparison *comparison,
                           const struct trace_compared *item)
{
    static const char *const kinds[TRACE_MEASURES] = {
        [TRACE_MEASURE_GPU_FRAME] = "GPU frame of ",
        [TRACE_MEASURE_GPU_PASS] = "GPU pass ",
        [TRACE_MEASURE_COUNTER] = "counter ",
        [TRACE_MEASURE_GAUGE] = "gauge ",
    };

    if (kinds[item->measure] != NULL)
        trace_append_format(text, "%s", kinds[item->measure]);
    trace_append_key(text, comparison->keys, item->key);
    if (item->measure == TRACE_MEASURE_ALL_TRACKS)
        trace_append_format(text, " (all tracks)");
    if (item->measure == TRACE_MEASURE_WORK)
        trace_append_format(text, " (other tracks)");
}

/* "+5.0 %". */
static void append_percent(struct trace_text_buffer *text, double base, double candidate)
{
    trace_append_format(text, "%s", candidate >= base ? "+" : "");
    append_real(text, TRACE_UNIT_PERCENT, 1, 100.0 * (candidate - base) / base);
}

void trace_append_change(struct trace_text_buffer *text, double base_ns, double candidate_ns)
{
    trace_append_time(text, base_ns);
    trace_append_format(text, " -> ");
    trace_append_time(text, candidate_ns);
    if (base_ns == 0.0)
        return;
    trace_append_format(text, " (");
    append_percent(text, base_ns, candidate_ns);
    trace_append_format(text, ")");
}

/* "5.0 % slower calls". */
static void append_by(struct trace_text_buffer *text, double base, double candidate,
                      const char *word, const char *of)
{
    append_real(text, TRACE_UNIT_PERCENT, 1, 100.0 * fabs(candidate - base) / base);
    trace_append_format(text, " %s %s", word, of);
}

static void append_calls(struct trace_text_buffer *text, const struct trace_change *change,
                         const char *calls)
{
    trace_append_format(
        text, "%s %s: ", change->base_calls < change->candidate_calls ? "more" : "fewer", calls);
    append_real(text, TRACE_UNIT_PER_FRAME, 2, change->base_calls);
    trace_append_format(text, " -> ");
    append_real(text, TRACE_UNIT_PER_FRAME, 2, change->candidate_calls);
}

static double cost_of(double calls, double time_ns)
{
    return trace_rate_cost((struct trace_rate){calls, time_ns});
}

static void append_costs(struct trace_text_buffer *text, const struct trace_change *change,
                         const char *calls)
{
    double base = cost_of(change->base_calls, change->base_ns);
    double candidate = cost_of(change->candidate_calls, change->candidate_ns);

    if (base != 0.0) {
        append_by(text, base, candidate, candidate > base ? "slower" : "faster", calls);
        return;
    }
    trace_append_format(text, "slower %s: ", calls); /* of nothing there is no percentage */
    trace_append_time(text, base);
    trace_append_format(text, " -> ");
    trace_append_time(text, candidate);
}

/* "calls +50.0 %, each +5.0 %": in a table there is little room. */
static void append_both(struct trace_text_buffer *text, const struct trace_change *change,
                        const char *calls)
{
    double base = cost_of(change->base_calls, change->base_ns);
    double candidate = cost_of(change->candidate_calls, change->candidate_ns);

    trace_append_format(text, "%s ", calls);
    append_percent(text, change->base_calls, change->candidate_calls);
    trace_append_format(text, ", each ");
    if (base != 0.0)
        append_percent(text, base, candidate);
    else
        trace_append_change(text, base, candidate);
}

void trace_append_why(struct trace_text_buffer *text, const struct trace_compared *item)
{
    const struct trace_change *change = &item->change;
    const char *calls = item->measure == TRACE_MEASURE_GPU_FRAME  ? "frames"
                        : item->measure == TRACE_MEASURE_GPU_PASS ? "passes"
                                                                  : "calls";

    if (change->kind == TRACE_CHANGE_NONE)
        return;
    if (change->base_calls == 0.0 && change->candidate_calls == 0.0)
        trace_append_format(text, "no %s begin in the frames", calls); /* clip */
    else if (change->kind == TRACE_CHANGE_WORKLOAD || change->base_calls == 0.0)
        append_calls(text, change, calls);
    else if (change->kind == TRACE_CHANGE_BOTH)
        append_both(text, change, calls);
    else
        append_costs(text, change, calls);
}

void trace_append_hitches(struct trace_text_buffer *text, const struct trace_comparison *comparison)
{
    const struct trace_judged *hitches = &comparison->judgement.items[TRACE_FRAME_MEASURE_HITCHES];

    append_real(text, TRACE_UNIT_PER_FRAME, 2, hitches->base);
    trace_append_format(text, " -> ");
    append_real(text, TRACE_UNIT_PER_FRAME, 2, hitches->candidate);
    trace_append_format(text, " in 1,000");
}

static void append_value(struct trace_text_buffer *text, const struct trace_budget *budget,
                         double value)
{
    if (budget->is_time)
        trace_append_time(text, value);
    else
        append_real(text, TRACE_UNIT_COUNT, 2, value);
}

void trace_append_budget(struct trace_text_buffer *text, const struct trace_budget *budget)
{
    append_value(text, budget, budget->value);
    trace_append_format(text, " of ");
    append_value(text, budget, budget->budget);
}
