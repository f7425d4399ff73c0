/* What is missing in a capture, as rows of reports. */
#include "report_losses.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lcap_decode.h"
#include "report_parts.h"

const struct trace_column trace_loss_columns[TRACE_LOSS_COLUMNS] = {
    {.name = "track",
     .title = "track",
     .type = TRACE_TYPE_TEXT,
     .description = "The track that lost something; null when it is not known."},
    {.name = "cause",
     .title = "cause",
     .type = TRACE_TYPE_TEXT,
     .description = "Why: a cause that the recorder gave, or file-damage."},
    {.name = "scopes",
     .title = "scopes",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_COUNT,
     .description = "Scopes that were emitted and not recorded."},
    {.name = "instants",
     .title = "instants",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_COUNT,
     .is_left_out_when_same = true,
     .description = "Instants that were emitted and not recorded."},
    {.name = "frame_marks",
     .title = "marks",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_COUNT,
     .is_left_out_when_same = true,
     .description = "Frame marks that were emitted and not recorded."},
    {.name = "flows",
     .title = "flows",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_COUNT,
     .is_left_out_when_same = true,
     .description = "Ends of flows, outs and ins, that were emitted and not recorded."},
    {.name = "gauges",
     .title = "gauges",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_COUNT,
     .is_left_out_when_same = true,
     .description = "Values of gauges that were emitted and not recorded."},
    {.name = "events",
     .title = "events",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_COUNT,
     .description = "Begins, ends and others that were recorded and lost to damage of the file; "
                    "null when the number is not known."},
    {.name = "begin_ns",
     .title = "from",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_NANOSECONDS,
     .is_position = true,
     .description = "They began at this time or later, from the session's start."},
    {.name = "end_ns",
     .title = "to",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_NANOSECONDS,
     .is_position = true,
     .description = "They began at this time or earlier."},
};

void trace_put_loss(struct trace_report *report, size_t table, const struct trace_model *model,
                    const struct trace_loss *loss)
{
    bool is_damage = loss->cause == TRACE_LOSS_DAMAGE;
    const char *cause = is_damage ? "file-damage" : lcap_loss_cause_name(loss->cause);
    char number[32];
    if (cause == NULL) {
        snprintf(number, sizeof number, "cause %" PRIu32, loss->cause);
        cause = number;
    }
    trace_report_row(report, table);
    trace_put_track_name(report, model, loss->track);
    trace_report_string(report, cause);
    trace_report_integer(report, (int64_t)loss->counts.scopes);
    trace_report_integer(report, (int64_t)loss->counts.instants);
    trace_report_integer(report, (int64_t)loss->counts.frames);
    trace_report_integer(report, (int64_t)loss->counts.flows);
    trace_report_integer(report, (int64_t)loss->counts.gauges);
    if (is_damage && loss->events == 0)
        trace_report_null(report);
    else
        trace_report_integer(report, (int64_t)loss->events);
    trace_report_integer(report, loss->begin_ns);
    trace_report_integer(report, loss->end_ns);
}

static void note_unfinished(struct trace_report *report, size_t table,
                            const struct trace_model *model)
{
    if (!model->is_finished)
        trace_report_note(report, table,
                          "The recording was not finished: what was lost behind its last whole "
                          "block is not known.");
}

static double lost_by(const struct trace_loss *loss)
{
    const struct lcap_counts *counts = &loss->counts;
    return (double)counts->scopes + (double)counts->instants + (double)counts->frames +
           (double)counts->flows + (double)counts->gauges + (double)loss->events;
}

/* The largest first; of equal ones, which lie in one array, the first. */
static int compare_sizes(const void *a, const void *b)
{
    const struct trace_loss *const *left = a, *const *right = b;
    double left_size = lost_by(*left), right_size = lost_by(*right);
    if (left_size != right_size)
        return left_size > right_size ? -1 : 1;
    return (*left > *right) - (*left < *right);
}

void trace_put_losses(struct trace_report *report, size_t table, const struct trace_model *model,
                      uint32_t top)
{
    uint32_t shown = top == 0 || top > model->loss_count ? model->loss_count : top;
    const struct trace_loss **order = malloc(((size_t)model->loss_count + 1) * sizeof *order);
    if (order == NULL) {
        trace_report_fail(report);
        return;
    }
    for (uint32_t i = 0; i < model->loss_count; i++)
        order[i] = &model->losses[i];
    if (shown < model->loss_count)
        qsort(order, model->loss_count, sizeof *order, compare_sizes);
    for (uint32_t i = 0; i < shown; i++)
        trace_put_loss(report, table, model, order[i]);
    free(order);
    if (shown < model->loss_count)
        trace_report_note(report, table,
                          "The largest %u of %u losses are shown; --top 0 lists all.", shown,
                          model->loss_count);
    note_unfinished(report, table, model);
}

static int compare_losses(const void *a, const void *b)
{
    const struct trace_loss *left = a;
    const struct trace_loss *right = b;
    /* Of no known track: last. */
    if (left->track != right->track)
        return left->track < right->track ? -1 : 1;
    return (left->cause > right->cause) - (left->cause < right->cause);
}

static void add_loss(struct trace_loss *sum, const struct trace_loss *loss)
{
    lcap_counts_add(&sum->counts, &loss->counts);
    sum->events += loss->events;
    sum->begin_ns = loss->begin_ns < sum->begin_ns ? loss->begin_ns : sum->begin_ns;
    sum->end_ns = loss->end_ns > sum->end_ns ? loss->end_ns : sum->end_ns;
}

bool trace_put_loss_sums(struct trace_report *report, size_t table, const struct trace_model *model)
{
    struct trace_loss *losses = malloc(((size_t)model->loss_count + 1) * sizeof *losses);
    if (losses == NULL)
        return false;
    if (model->loss_count != 0)
        memcpy(losses, model->losses, model->loss_count * sizeof *losses);
    qsort(losses, model->loss_count, sizeof *losses, compare_losses);
    uint32_t sum = 0;
    for (uint32_t i = 1; i < model->loss_count; i++) {
        if (compare_losses(&losses[sum], &losses[i]) == 0)
            add_loss(&losses[sum], &losses[i]);
        else
            losses[++sum] = losses[i];
    }
    for (uint32_t i = 0; model->loss_count != 0 && i <= sum; i++)
        trace_put_loss(report, table, model, &losses[i]);
    note_unfinished(report, table, model);
    free(losses);
    return true;
}
