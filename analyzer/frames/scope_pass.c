/* Adds up the own times and calls of scopes by frame. */
#include "scope_pass.h"

#include "failure.h"

static const struct trace_frame_list *list_of(const struct trace_scope_pass *pass)
{
    return pass->question->list;
}

/* --- a pass ---------------------------------------------------------------------------------- */

static struct trace_own_sums *sums_of(const struct trace_scope_pass *pass, uint32_t subject,
                                      uint32_t column)
{
    struct trace_own_sums *all = (struct trace_own_sums *)(void *)pass->matrix.values;
    return &all[(size_t)subject * pass->column_count + column];
}

/* Where slices count that begin on a track in a frame. */
static void set_target(void *context, uint32_t track, uint32_t frame,
                       struct trace_own_target *target)
{
    struct trace_scope_pass *pass = context;
    const struct trace_frame_list *list = list_of(pass);
    uint32_t column = list->columns[frame];
    if (column != TRACE_NONE && pass->columns != NULL)
        column = pass->columns[column];
    *target = (struct trace_own_target){.stride = pass->column_count,
                                        .places = pass->places,
                                        /* Others have lost definitions: the caller asks again. */
                                        .site_count = pass->site_count};
    if (column == TRACE_NONE)
        return;
    target->subjects = sums_of(pass, 0, column);
    if (pass->has_fixed && trace_domain_mark_track(list->domain, frame) == track) {
        target->waiting = sums_of(pass, TRACE_SUBJECT_WAITING, column);
        target->working = sums_of(pass, TRACE_SUBJECT_WORKING, column);
    }
}

static void add_sparse(struct trace_scope_pass *pass, uint32_t site, uint32_t frame, int64_t own_ns)
{
    uint32_t column = list_of(pass)->columns[frame];
    if (column != TRACE_NONE)
        column = pass->columns[column];
    if (column != TRACE_NONE &&
        site < pass->site_count && /* else its definition is lost: likewise */
        !trace_frame_sums_add(&pass->sums, site, column, own_ns))
        pass->has_failed = true;
}

static void add_part(void *context, const struct trace_slice *slice, uint32_t site, uint32_t frame,
                     int64_t own_ns, int64_t calls)
{
    const struct trace_scope_pass *pass = context;
    struct trace_own_sums *sums[2];
    struct trace_own_target target;
    if (pass->is_sparse) {
        add_sparse(context, site, frame, own_ns);
        return;
    }
    set_target(context, slice->track, frame, &target);
    trace_own_target_find(&target, site, sums);
    for (uint32_t i = 0; i < 2; i++)
        if (sums[i] != NULL)
            trace_own_sums_add(sums[i], own_ns, calls);
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
    if (pass->is_sparse)
        trace_frame_sums_clear(&pass->sums);
    else
        trace_frame_matrix_clear(&pass->matrix);
}

static enum ludus_status run(struct trace_scope_pass *pass, struct ludus_error *error)
{
    const struct trace_frame_question *question = pass->question;
    bool is_clipped = question->plan->attribution == TRACE_ATTRIBUTE_CLIP;
    bool has_absence = pass->is_first && question->absence != NULL;
    const struct trace_visitor visitor = {
        .context = pass,
        .restart = restart,
        .begin = is_clipped ? take_begin : NULL,
        .end = is_clipped ? take_clipped : take_end,
        .own = is_clipped || has_absence || pass->is_sparse ? NULL : set_target,
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
    pass->column_count = column_count;
    if (!trace_frame_matrix_create(&pass->matrix, first + count, column_count * TRACE_SCOPE_ROWS))
        return trace_fail_memory(error);
    return run(pass, error);
}

enum ludus_status trace_scope_pass_run_sparse(struct trace_scope_pass *pass,
                                              struct ludus_error *error)
{
    pass->is_sparse = true;
    enum ludus_status status = run(pass, error);
    pass->is_sparse = false;
    return status;
}
