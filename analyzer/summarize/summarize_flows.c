/* Flows: how long they were on their way, by the site that they left from, in each window. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "column_kinds.h"
#include "failure.h"
#include "report_parts.h"
#include "subject_order.h"
#include "summarize.h"

#define ARRIVED   "flows that arrive in the window"
#define SCREENFUL 20u /* rows that fit on a screen beside all else */

#define DELAY(column, heading, words)                                                              \
    TRACE_TIME_COLUMN(column "_ns", heading, .window = ARRIVED, .description = words)

const struct trace_column trace_summary_flow_columns[] = {
    TRACE_WINDOW_COLUMN,
    TRACE_TEXT_COLUMN("flow", "flow",
                      .description =
                          "The name that the flows were sent with (LUDUS_PROFILE_FLOW_OUT); "
                          "null for those whose out is not in the capture."),
    TRACE_TEXT_COLUMN("category", "category",
                      .description = "The category of that site; null when it has none.",
                      .is_left_out_when_same = true),
    TRACE_COUNT_COLUMN("ins", "ins", .window = ARRIVED,
                       .description = "Flow-ins whose flow-out is known."),
    TRACE_COUNT_COLUMN("outs", "outs", .window = ARRIVED,
                       .description = "The flow-outs that they came from.", .is_detail = true),
    {.name = "ins_per_out",
     .title = "ins/out",
     .type = TRACE_TYPE_REAL,
     .decimals = 2,
     .window = ARRIVED,
     .denominator = "outs",
     .description = "Ins divided by those outs: more than 1 when one out has several ins."},
    DELAY("p50", "queued p50",
          "From the out to the in, the median (nearest rank): how long it was queued."),
    DELAY("p90", "p90", "90 % of the ins came no later."),
    DELAY("p99", "p99", "99 % of the ins came no later."),
    DELAY("max", "max", "The one that took longest."),
    TRACE_TEXT_COLUMN("max_flow", "flow id", .window = ARRIVED,
                      .description = "Its flow's id, 16 hexadecimal digits; of several the least."),
    TRACE_TIME_COLUMN("max_in_ns", "arrived", .window = ARRIVED, .description = "When it arrived.",
                      .is_detail = true),
    TRACE_COUNT_COLUMN("clamped", "clamped", .window = ARRIVED,
                       .description = "Ins that came before their out, by the clocks: 0 ns.",
                       .is_left_out_when_same = true),
    TRACE_COUNT_COLUMN("outs_unbound", "not arrived", .window = "flows that leave in the window",
                       .description = "Flow-outs to which no flow-in of the capture leads: in no "
                                      "time.",
                       .is_left_out_when_same = true),
    TRACE_COUNT_COLUMN("ins_unbound", "no out", .window = ARRIVED,
                       .description = "Flow-ins whose flow-out is not in the capture: in no time.",
                       .is_left_out_when_same = true),
};

static void put_delays(struct trace_report *report, const struct trace_flow_total *total)
{
    char id[32];
    if (total->ins == 0) {
        for (int i = 0; i < TRACE_DELAY_RANKS + 2; i++)
            trace_report_null(report);
        return;
    }
    for (int i = 0; i < TRACE_DELAY_RANKS; i++)
        trace_report_integer(report, total->delays[i]);
    (void)snprintf(id, sizeof id, "%016" PRIx64, total->flows[TRACE_DELAY_MAX]);
    trace_report_string(report, id);
    trace_report_integer(report, total->arrivals[TRACE_DELAY_MAX]);
}

static void put_row(struct trace_summary *summary, const struct trace_flow_site *row,
                    uint32_t window)
{
    struct trace_report *report = summary->report;
    const struct trace_flow_total *total = &row->totals[window];
    trace_report_row(report, TRACE_SUMMARY_FLOWS);
    trace_put_window(summary, window);
    if (row->site == TRACE_NONE) {
        trace_report_null(report);
        trace_report_null(report);
    } else {
        const struct trace_site *site = &summary->model->sites[row->site];
        trace_report_text(report, site->name.data, site->name.size);
        trace_put_category(report, summary->model, site);
    }
    trace_report_integer(report, (int64_t)total->ins);
    trace_report_integer(report, (int64_t)total->outs);
    trace_put_quotient(report, (double)total->ins, (double)total->outs);
    put_delays(report, total);
    trace_report_integer(report, (int64_t)total->clamped);
    trace_report_integer(report, (int64_t)total->outs_unbound);
    trace_report_integer(report, (int64_t)total->ins_unbound);
}

struct ordered_flow {
    const struct trace_flow_site *row;
    const struct trace_site *site; /* or NULL */
};

static int compare(const void *a, const void *b)
{
    const struct ordered_flow *left = a;
    const struct ordered_flow *right = b;
    if (left->site == NULL || right->site == NULL)
        return (left->site == NULL) - (right->site == NULL);
    int order = trace_text_compare(&left->site->name, &right->site->name);
    return order != 0 ? order
                      : (left->row->site > right->row->site) - (left->row->site < right->row->site);
}

static void note_flows(struct trace_summary *summary, uint32_t shown)
{
    uint32_t count = summary->flows.count;
    trace_report_note(
        summary->report, TRACE_SUMMARY_FLOWS,
        count == 0 ? "There are no flows in the capture%s."
                   : "Queued: from flow-out to flow-in, of the flows that arrive in the "
                     "window%s.",
        trace_chosen_is_filtered(&summary->chosen) || summary->chosen.plan.tracks != NULL
            ? ", of those that are chosen"
            : "");
    if (shown < count)
        trace_report_note(summary->report, TRACE_SUMMARY_FLOWS,
                          "The first %u of %u flows are shown; --top 0 lists all.", shown, count);
}

enum ludus_status trace_summarize_flows(struct trace_summary *summary, struct ludus_error *error)
{
    const struct trace_flow_delays *flows = &summary->flows;
    uint32_t shown = trace_summary_shown(summary, flows->count, SCREENFUL);
    struct ordered_flow *order = calloc((size_t)flows->count + 1, sizeof *order);
    if (order == NULL)
        return trace_fail_memory(error);
    for (uint32_t i = 0; i < flows->count; i++) {
        uint32_t site = flows->sites[i].site;
        order[i] = (struct ordered_flow){&flows->sites[i],
                                         site == TRACE_NONE ? NULL : &summary->model->sites[site]};
    }
    qsort(order, flows->count, sizeof *order, compare);
    trace_report_set_main(summary->report, TRACE_SUMMARY_FLOWS);
    for (uint32_t i = 0; i < shown; i++)
        for (uint32_t w = 0; w < summary->windows; w++)
            put_row(summary, order[i].row, w);
    note_flows(summary, shown);
    free(order);
    return LUDUS_OK;
}
