/* Why an export has nothing in it: nobody is to wonder whether it went wrong. Private to the
 * analyzer's exports. */
#ifndef TRACE_EMPTY_EXPORT_H
#define TRACE_EMPTY_EXPORT_H

#include "input.h"

/* What the export would have had. */
enum trace_export_subject {
    TRACE_EXPORT_SLICES,     /* that begin in a window */
    TRACE_EXPORT_OWN_TIMES,  /* of slices that are there: none is known and above 0 */
    TRACE_EXPORT_EVERYTHING, /* slices, marks, values, frames, losses */
    TRACE_EXPORT_LONG_SLICES /* there are none but short ones, which were to be left out */
};

/* Adds the reason to the input's warnings. `selection` may be NULL. Errors: MEMORY. */
LUDUS_CHECKED enum ludus_status trace_warn_of_empty_export(struct trace_input *input,
                                                           const struct trace_model *model,
                                                           const struct trace_selection *selection,
                                                           enum trace_export_subject subject,
                                                           struct ludus_error *error);

#endif
