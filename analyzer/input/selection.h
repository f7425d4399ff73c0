/* Makes of what was selected on a command line what a pass does and what a report shows. Private
 * to the analyzer. */
#ifndef TRACE_SELECTION_H
#define TRACE_SELECTION_H

#include "input.h"
#include "pass_plan.h"

/* What a report is about. */
struct trace_chosen {
    struct trace_pass_plan plan;
    bool *sites; /* by index, whether it is shown; NULL: all are. One behind them is not */
    uint32_t site_count;
    char (*notes)[TRACE_WINDOW_NOTE_SIZE]; /* by window; "" when there is nothing to say */
    bool lacks_window; /* of one that could not be made: a window is well said, and not in the input
                        */
};

/* Looks the names up in the input and finds the windows; a window of marks takes a pass over the
 * events. Errors: ARGUMENT (a name that there is not, with near ones; a window that is empty or not
 * in the capture), those of trace_input_run. */
LUDUS_CHECKED enum ludus_status trace_chosen_create(struct trace_input *input,
                                                    const struct trace_selection *selection,
                                                    struct trace_chosen *chosen,
                                                    struct ludus_error *error);

/* Everything, as trace_pass_plan_set_default chooses it, and windows beside: of the default domain,
 * behind the window "capture". Errors: the same. */
LUDUS_CHECKED enum ludus_status trace_chosen_create_more(struct trace_input *input,
                                                         const char *const *windows, size_t count,
                                                         struct trace_chosen *chosen,
                                                         struct ludus_error *error);
void trace_chosen_destroy(struct trace_chosen *chosen);

static inline bool trace_chosen_shows(const struct trace_chosen *chosen, uint32_t site)
{
    return chosen->sites == NULL || (site < chosen->site_count && chosen->sites[site]);
}

/* Has the plan make rows of paths, for each track by itself when tracks are apart. */
static inline void trace_chosen_set_tree(struct trace_chosen *chosen, bool are_tracks_apart)
{
    chosen->plan.has_path_rows = true;
    chosen->plan.apart = are_tracks_apart ? TRACE_APART_ALL : TRACE_APART_LOSSES;
}

/* Whether some sites are left out. */
static inline bool trace_chosen_is_filtered(const struct trace_chosen *chosen)
{
    return chosen->sites != NULL;
}

#endif
