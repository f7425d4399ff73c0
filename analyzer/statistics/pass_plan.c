/* Plans of passes. */
#include "pass_plan.h"

#include <stdlib.h>

bool trace_pass_plan_set_default(struct trace_pass_plan *plan, const struct trace_model *model)
{
    *plan = (struct trace_pass_plan){.domain = model->domain_count == 0 ? TRACE_NONE : 0,
                                     .has_path_rows = true,
                                     .is_default = true};
    return trace_windows_set_whole(&plan->windows);
}

void trace_pass_plan_clear(struct trace_pass_plan *plan)
{
    trace_windows_clear(&plan->windows);
    free(plan->tracks);
    *plan = (struct trace_pass_plan){0};
}
