/* Adds up the own times and calls of scopes by frame. */
#include "scope_pass.h"

#include "failure.h"

static const struct trace_frame_list *list_of(const struct trace_scope_pass *pass)
{
    return pass->question->list;
}

/* --- a pass ---------------------------------------------------------------------------------- */

static void add_to(struct trace_scope_pass *pass, uint32_t subject, uint32_t column, int64_t own_ns,
                   int64_t calls)
{
    trace_frame_matrix_add(&pass->matrix, subject * TRACE_SCOPE_ROWS, column, own_ns);
    trace_frame_matrix_add(&pass->matrix, subject * TRACE_SCOPE_ROWS + 1, column, calls);
}

static void add_part(void *context, const struct trace_slice *slice, uint32_t site, uint32_t frame,
                     int64_t own_ns, int64_t calls)
{
    struct trace_scope_pass *pass = context;
    const struct trace_frame_list *list = list_of(pass);
    uint32_t column = list->columns[frame];
    if (column == TRACE_NONE)
        return;
    if (site >= pass->site_count) /* its definition was lost: the caller asks again */
        return;
    if (pass->columns != NULL) {
        column = pass->columns[column];
        pass->has_failed =
            pass->has_failed ||
            (column != TRACE_NONE && !trace_frame_sums_add(&pass->sums, site, column, own_ns));
        return;
    }
    const struct trace_scope_place *place = &pass->places[site];
    if (place->subject != TRACE_NONE)
        add_to(pass, place->subject, column, own_ns, calls);
    if (pass->has_fixed && trace_domain_mark_track(list->domain, frame) == slice->track)
        add_to(pass, place->is_waiting ? TRACE_SUBJECT_WAITING : TRACE_SUBJECT_WORKING, column,
               own_ns, calls);
}

static enum ludus_status take_begin(void *context, const struct trace_model *model, uint32_t track,
                                    uint32_t site, int64_t begin_ns)
{
    struct trace_scope_pass *pass = context;
    (void)model;
    (void)site;
    (void)begin_ns;
    return trace_slice_parts_begin(&pass->parts, track) ? LUDUS_OK : LUDUS_ERROR_MEMORY;
}

static enum ludus_status take_clipped(void *context, const struct trace_model *model,
                                      const struct trace_slice *slice)
{
    struct trace_scope_pass *pass = context;
    if (pass->is_first && pass->question->absence != NULL)
        trace_frame_absence_add(pass->question->absence, model, slice);
    return trace_slice_parts_end(&pass->parts, model, slice) ? LUDUS_OK : LUDUS_ERROR_MEMORY;
}

static enum ludus_status take_end(void *context, const struct trace_model *model,
                                  const struct trace_slice *slice)
{
    struct trace_scope_pass *pass = context;
    if (pass->is_first && pass->question->absence != NULL)
        trace_frame_absence_add(pass->question->absence, model, slice);
    if (slice->frame != TRACE_NONE)
        add_part(pass, slice, model->paths[slice->path].site, slice->frame,
                 slice->exclusive_ns >= 0 ? slice->exclusive_ns : 0, 1);
    return LUDUS_OK;
}

static enum ludus_status take_sched(void *context, const struct trace_model *model,
                                    const struct trace_sched_sample *sample)
{
    struct trace_scope_pass *pass = context;
    (void)model;
    trace_frame_running_add(pass->question->running, sample);
    return LUDUS_OK;
}

/* Which frames have losses has changed as well: the caller asks again. */
static void restart(void *context)
{
    struct trace_scope_pass *pass = context;
    trace_slice_parts_destroy(&pass->parts);
    if (pass->columns != NULL)
        trace_frame_sums_clear(&pass->sums);
    else
        trace_frame_matrix_clear(&pass->matrix);
}

static enum ludus_status run(struct trace_scope_pass *pass, struct ludus_error *error)
{
    const struct trace_frame_question *question = pass->question;
    bool is_clipped = question->plan->attribution == TRACE_ATTRIBUTE_CLIP;
    const struct trace_visitor visitor = {
        .context = pass,
        .restart = restart,
        .begin = is_clipped ? take_begin : NULL,
        .end = is_clipped ? take_clipped : take_end,
        .sched = pass->is_first && question->running != NULL ? take_sched : NULL};
    pass->parts = (struct trace_slice_parts){
        .domain = list_of(pass)->domain, .context = pass, .add = add_part};
    struct trace_pass_plan plan = *question->plan;
    plan.is_without_sums = true;
    enum ludus_status status = trace_input_run(question->input, &plan, &visitor, error);
    trace_slice_parts_destroy(&pass->parts);
    pass->is_first = false;
    if (status == LUDUS_OK && pass->has_failed)
        status = LUDUS_ERROR_MEMORY;
    return status == LUDUS_ERROR_MEMORY ? trace_fail_memory(error) : status;
}

enum ludus_status trace_scope_pass_run(struct trace_scope_pass *pass, const uint32_t *sites,
                                       uint32_t count, uint32_t column_count,
                                       struct ludus_error *error)
{
    uint32_t first = pass->has_fixed ? TRACE_FIXED_SUBJECTS : 0;
    for (uint32_t i = 0; i < pass->site_count; i++)
        pass->places[i].subject = TRACE_NONE;
    for (uint32_t i = 0; i < count; i++)
        pass->places[sites[i]].subject = first + i;
    trace_frame_matrix_destroy(&pass->matrix);
    if (!trace_frame_matrix_create(&pass->matrix, (first + count) * TRACE_SCOPE_ROWS, column_count))
        return trace_fail_memory(error);
    return run(pass, error);
}

enum ludus_status trace_scope_pass_run_sparse(struct trace_scope_pass *pass,
                                              struct ludus_error *error)
{
    return run(pass, error);
}
