/* Says why a recording has another clock than the processor's counter. */
#include "clock_warning.h"

#include <stdio.h>

#include "lcap_decode.h"
#include "model_facts.h"
#include "number_text.h"
#include "recording_cost.h"

#define FACT "recorder.clock_refused"

#define MAX_REASON 200u /* bytes of it that are shown */

#define NO_OTHER                                                                                   \
    "it has no better clock: LUDUS_CLOCK=monotonic asks for this one, without this line"

/* What to do about each word of the fact. */
static const struct {
    const char *fault;
    const char *answer;
} answers[] = {
    {"not-invariant", NO_OTHER},
    {"forbidden", "let the process read it (prctl with PR_SET_TSC)"},
    {"kernel-source", "the kernel's log says why it does not use the counter (dmesg | grep -i -e "
                      "tsc -e clocksource)"},
    {"kernel-call",
     "find out why the kernel's clock cannot be read without one: a kernel, sandbox or virtual "
     "machine without vDSO"},
    {"not-compared", "record again when the machine is less busy"},
    {"stepped-back", "the machine's firmware has to synchronise its counters: look for an update"},
};

/* Captures from before the fact tell it as a diagnostic, and when the counter was asked for. */
static const struct trace_diagnostic *find_refusal(const struct trace_model *model)
{
    for (uint32_t i = 0; i < model->diagnostic_count; i++)
        if (model->diagnostics[i].code == LCAP_DIAGNOSTIC_CLOCK_REFUSED)
            return &model->diagnostics[i];
    return NULL;
}

bool trace_clock_fell_back(const struct trace_model *model)
{
    return trace_model_fact(model, FACT) != NULL || find_refusal(model) != NULL;
}

static const char *answer_to(const struct trace_text *fault)
{
    for (size_t i = 0; fault != NULL && i < sizeof answers / sizeof answers[0]; i++)
        if (trace_text_is(*fault, answers[i].fault))
            return answers[i].answer;
    return "`ludus-trace info` shows the clock";
}

static struct trace_text reason_of(const struct trace_model *model, const struct trace_text *fault)
{
    const struct trace_diagnostic *refusal = find_refusal(model);
    if (refusal != NULL)
        return refusal->text;
    if (model->clock_count != 0 && model->clocks[0].reason.size != 0)
        return model->clocks[0].reason;
    return *fault;
}

const char *trace_clock_warning(const struct trace_model *model,
                                char text[TRACE_CLOCK_WARNING_SIZE])
{
    const struct trace_text *fault = trace_model_fact(model, FACT);
    const struct trace_text reason = reason_of(model, fault);
    const struct trace_recording_cost cost = trace_recording_cost_of(model);
    char number[TRACE_NUMBER_SIZE], takes[TRACE_NUMBER_SIZE + 8] = "";

    if (cost.is_known) {
        size_t size = trace_format_fixed(cost.scope_ns, 0, number);
        (void)snprintf(takes, sizeof takes, " (%.*s ns)", (int)size, number);
    }
    (void)snprintf(text, TRACE_CLOCK_WARNING_SIZE,
                   "its clock is not the processor's counter but CLOCK_MONOTONIC: %.*s; times are "
                   "right, but recording a scope takes longer%s, which blurs short ones; %s",
                   (int)(reason.size < MAX_REASON ? reason.size : MAX_REASON), reason.data, takes,
                   answer_to(fault));
    return text;
}
