/* What the reports about frames share. */
#include "frames_part.h"

#include <inttypes.h>
#include <stdio.h>

#include "failure.h"
#include "report_parts.h"

enum ludus_status trace_expect_frames(const struct trace_model *model, uint32_t domain,
                                      struct ludus_error *error)
{
    if (domain == TRACE_NONE)
        return trace_fail(error, LUDUS_ERROR_UNAVAILABLE,
                          "the capture has no frame marks (LUDUS_PROFILE_FRAME), so that there are "
                          "no frames to show; 'summarize' answers without them");
    const struct trace_domain *facts = &model->domains[domain];
    if (facts->complete_count != 0)
        return LUDUS_OK;
    return trace_fail(error, LUDUS_ERROR_UNAVAILABLE,
                      "no frame of '%.*s' is complete: the capture has %" PRIu32
                      " of its marks, and a frame lies between two that follow each other",
                      trace_text_shown(facts->name), facts->name.data, facts->frame_count);
}

enum ludus_status trace_ask_until_known(const struct trace_model *model, void *context,
                                        enum ludus_status (*ask)(void *context,
                                                                 struct ludus_error *error),
                                        void (*forget)(void *context), struct ludus_error *error)
{
    for (;;) {
        uint32_t sites = model->site_count, tracks = model->track_count;
        uint32_t losses = model->loss_count, damages = model->damage_count;
        enum ludus_status status = ask(context, error);
        if (status != LUDUS_OK || (sites == model->site_count && tracks == model->track_count &&
                                   losses == model->loss_count && damages == model->damage_count))
            return status;
        forget(context);
    }
}

void trace_put_median(struct trace_report *report, bool is_known, int64_t value)
{
    if (is_known)
        trace_report_integer(report, value);
    else
        trace_report_null(report);
}

void trace_put_excess(struct trace_report *report, const struct trace_model *model,
                      const struct trace_excess *excess)
{
    trace_report_text(report, excess->facts->name.data, excess->facts->name.size);
    trace_put_category(report, model, excess->facts);
    trace_put_median(report, excess->has_median, excess->excess_ns);
    trace_report_integer(report, excess->value.own_ns);
    trace_put_median(report, excess->has_median, excess->median.own_ns);
    trace_report_integer(report, excess->value.calls);
    trace_put_median(report, excess->has_median, excess->median.calls);
    if (excess->has_median || excess->cause == TRACE_EXCESS_WAIT)
        trace_report_string(report, trace_excess_names[excess->cause]);
    else
        trace_report_null(report);
}

/* Of fewer frames a median is hardly more than one of them. */
#define FEW_FRAMES 10u

void trace_note_scopes(struct trace_report *report, size_t table, const struct trace_model *model,
                       const struct trace_chosen *chosen, const struct trace_frame_scopes *scopes)
{
    const struct trace_pass_plan *plan = &chosen->plan;
    const struct trace_text *domain = &model->domains[plan->domain].name;
    bool is_clipped = plan->attribution == TRACE_ATTRIBUTE_CLIP;
    for (uint32_t w = 0; w < plan->windows.count; w++) {
        char against[96];
        uint32_t frames = scopes->medians_of[w];
        if (frames >= FEW_FRAMES && trace_report_row_count(report, table) == 0)
            continue; /* nothing took longer, of which it would tell what was compared */
        (void)snprintf(against, sizeof against, "against the median of the %" PRIu32, frames);
        trace_report_note(
            report, table,
            "Own (exclusive) time of slices %s, over %s tracks, %s %s of %.*s%s in window %.*s%s.",
            is_clipped ? "as far as they lie in the frame" : "that begin in the frame",
            plan->tracks == NULL ? "all" : "the chosen",
            frames == 0 ? "and no median, since there are no" : against,
            frames == 1 ? "frame" : "frames", trace_text_shown(*domain), domain->data,
            (scopes->left_out >> w & 1u) != 0 ? " without losses" : "",
            trace_text_shown(plan->windows.items[w].name), plan->windows.items[w].name.data,
            frames != 0 && frames < FEW_FRAMES ? ": medians of so few frames mean little" : "");
    }
    if (scopes->is_limited)
        trace_report_note(report, table,
                          "Of the sites that ran in these frames only the %u that took most are "
                          "looked at.",
                          TRACE_FRAME_SITES);
    if (trace_chosen_is_filtered(chosen))
        trace_report_note(report, table, "Only the chosen sites are shown.");
}

void trace_note_windows(struct trace_report *report, size_t table,
                        const struct trace_chosen *chosen)
{
    for (uint32_t w = 0; chosen->notes != NULL && w < chosen->plan.windows.count; w++) {
        const struct trace_text *name = &chosen->plan.windows.items[w].name;
        if (chosen->notes[w][0] != '\0')
            trace_report_note(report, table, "Window %.*s: %s.", trace_text_shown(*name),
                              name->data, chosen->notes[w]);
    }
}
