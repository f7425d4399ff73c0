/* Finds the reason in what was asked for. */
#include "empty_export.h"

static bool is_filtered(const struct trace_selection *selection)
{
    return selection != NULL && (selection->track_count != 0 || selection->category_count != 0 ||
                                 selection->site_count != 0);
}

static const char *reason_of(const struct trace_model *model,
                             const struct trace_selection *selection,
                             enum trace_export_subject subject)
{
    const bool has_window = selection != NULL && selection->window_count != 0;
    switch (subject) {
    case TRACE_EXPORT_SLICES:
        if (is_filtered(selection))
            return has_window ? "no slice of what was chosen begins in the window"
                              : "what was chosen has no slice";
        return has_window && model->slices != 0 ? "no slice begins in the window"
                                                : "the capture has no slice";
    case TRACE_EXPORT_OWN_TIMES:
        return "of no slice is an exclusive time above 0 known: they have no end, overlap a loss, "
               "or took no time";
    case TRACE_EXPORT_EVERYTHING:
        if (is_filtered(selection))
            return has_window ? "nothing of what was chosen lies in the window"
                              : "there is nothing of what was chosen";
        return has_window ? "nothing lies in the window"
                          : "the capture has no slice, mark, value, frame or loss";
    case TRACE_EXPORT_LONG_SLICES:
        break;
    }
    return "all slices are shorter than --min-duration";
}

enum ludus_status trace_warn_of_empty_export(struct trace_input *input,
                                             const struct trace_model *model,
                                             const struct trace_selection *selection,
                                             enum trace_export_subject subject,
                                             struct ludus_error *error)
{
    return trace_input_warn(input, "nothing to export", reason_of(model, selection, subject),
                            error);
}
