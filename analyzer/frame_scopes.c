/* Adds up the own times and calls of scopes by frame. */
#include "frame_scopes.h"

#include <stdlib.h>

#include "failure.h"
#include "frame_matrix.h"
#include "slice_parts.h"

/* Two rows of the matrix for each subject: own time, and calls. */
#define ROWS 2u

/* What a pass adds to, of a site. */
struct site_place {
    uint32_t subject; /* of the matrix, or TRACE_NONE */
    bool is_waiting;
};

struct scope_pass {
    const struct trace_frame_question *question;
    struct trace_frame_scopes *scopes;
    struct trace_frame_matrix matrix;
    struct site_place *places; /* by site */
    const uint32_t *columns;   /* by column of the list: that of the matrix; NULL: the same */
    struct trace_slice_parts parts;
    bool has_fixed; /* the fixed subjects are in the matrix, first */
    bool is_first;  /* pass of all */
};

static const struct trace_frame_list *list_of(const struct scope_pass *pass)
{
    return pass->question->list;
}

/* --- a pass ---------------------------------------------------------------------------------- */

static void add_to(struct scope_pass *pass, uint32_t subject, uint32_t column, int64_t own_ns,
                   int64_t calls)
{
    trace_frame_matrix_add(&pass->matrix, subject * ROWS, column, own_ns);
    trace_frame_matrix_add(&pass->matrix, subject * ROWS + 1, column, calls);
}

static void add_part(void *context, const struct trace_slice *slice, uint32_t site, uint32_t frame,
                     int64_t own_ns, int64_t calls)
{
    struct scope_pass *pass = context;
    const struct trace_frame_list *list = list_of(pass);
    uint32_t column = list->columns[frame];
    if (column != TRACE_NONE && pass->columns != NULL)
        column = pass->columns[column];
    if (column == TRACE_NONE)
        return;
    const struct site_place *place = &pass->places[site];
    if (place->subject != TRACE_NONE)
        add_to(pass, place->subject, column, own_ns, calls);
    if (pass->has_fixed && trace_domain_mark_track(list->domain, frame) == slice->track)
        add_to(pass, place->is_waiting ? TRACE_SUBJECT_WAITING : TRACE_SUBJECT_WORKING, column,
               own_ns, calls);
}

static enum ludus_status take_begin(void *context, const struct trace_model *model, uint32_t track,
                                    uint32_t site, int64_t begin_ns)
{
    struct scope_pass *pass = context;
    (void)model;
    (void)site;
    (void)begin_ns;
    return trace_slice_parts_begin(&pass->parts, track) ? LUDUS_OK : LUDUS_ERROR_MEMORY;
}

static enum ludus_status take_clipped(void *context, const struct trace_model *model,
                                      const struct trace_slice *slice)
{
    struct scope_pass *pass = context;
    if (pass->is_first && pass->question->absence != NULL)
        trace_frame_absence_add(pass->question->absence, model, slice);
    return trace_slice_parts_end(&pass->parts, model, slice) ? LUDUS_OK : LUDUS_ERROR_MEMORY;
}

static enum ludus_status take_end(void *context, const struct trace_model *model,
                                  const struct trace_slice *slice)
{
    struct scope_pass *pass = context;
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
    struct scope_pass *pass = context;
    (void)model;
    trace_frame_running_add(pass->question->running, sample);
    return LUDUS_OK;
}

static enum ludus_status run(struct scope_pass *pass, struct ludus_error *error)
{
    const struct trace_frame_question *question = pass->question;
    bool is_clipped = question->plan->attribution == TRACE_ATTRIBUTE_CLIP;
    const struct trace_visitor visitor = {
        .context = pass,
        .begin = is_clipped ? take_begin : NULL,
        .end = is_clipped ? take_clipped : take_end,
        .sched = pass->is_first && question->running != NULL ? take_sched : NULL};
    pass->parts = (struct trace_slice_parts){
        .domain = list_of(pass)->domain, .context = pass, .add = add_part};
    enum ludus_status status = trace_input_run(question->input, question->plan, &visitor, error);
    trace_slice_parts_destroy(&pass->parts);
    pass->is_first = false;
    return status == LUDUS_ERROR_MEMORY ? trace_fail_memory(error) : status;
}

/* A pass with subjects for `sites` in a matrix of so many columns. */
static enum ludus_status run_sites(struct scope_pass *pass, const uint32_t *sites, uint32_t count,
                                   uint32_t column_count, struct ludus_error *error)
{
    const struct trace_model *model = pass->question->model;
    uint32_t first = pass->has_fixed ? TRACE_FIXED_SUBJECTS : 0;
    for (uint32_t i = 0; i < model->site_count; i++)
        pass->places[i].subject = TRACE_NONE;
    for (uint32_t i = 0; i < count; i++)
        pass->places[sites[i]].subject = first + i;
    trace_frame_matrix_destroy(&pass->matrix);
    if (!trace_frame_matrix_create(&pass->matrix, (first + count) * ROWS, column_count))
        return trace_fail_memory(error);
    return run(pass, error);
}

static struct trace_scope_value value_at(const struct scope_pass *pass, uint32_t subject,
                                         uint32_t column)
{
    return (struct trace_scope_value){
        trace_frame_matrix_value(&pass->matrix, subject * ROWS, column),
        trace_frame_matrix_value(&pass->matrix, subject * ROWS + 1, column)};
}

/* --- which sites ----------------------------------------------------------------------------- */

/* A site and its largest own time in a frame that was asked for. */
struct ranked_site {
    const struct trace_site *facts;
    int64_t own_ns;
    uint32_t site;
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked_site *left = a;
    const struct ranked_site *right = b;
    if (left->own_ns != right->own_ns)
        return left->own_ns < right->own_ns ? 1 : -1;
    int order = trace_text_compare(&left->facts->name, &right->facts->name);
    return order != 0 ? order : (left->site > right->site) - (left->site < right->site);
}

/* Raises what is known of sites to what the matrix says of `count` of its columns; `columns` NULL:
 * of the first ones. */
static void raise(const struct scope_pass *pass, struct ranked_site *ranked, uint32_t site_count,
                  const uint32_t *columns, uint32_t count)
{
    uint32_t first = pass->has_fixed ? TRACE_FIXED_SUBJECTS : 0;
    for (uint32_t site = 0; site < site_count; site++) {
        for (uint32_t i = 0; i < count; i++) {
            int64_t own_ns = value_at(pass, first + site, columns == NULL ? i : columns[i]).own_ns;
            if (own_ns > ranked[site].own_ns)
                ranked[site].own_ns = own_ns;
        }
    }
}

/* Sets the subjects of the answer: the sites that took most. */
static void choose_subjects(struct scope_pass *pass, struct ranked_site *ranked,
                            uint32_t site_count)
{
    struct trace_frame_scopes *scopes = pass->scopes;
    qsort(ranked, site_count, sizeof *ranked, compare_ranked);
    uint32_t count = 0;
    while (count < site_count && ranked[count].own_ns > 0)
        count++;
    scopes->is_limited = count > TRACE_FRAME_SITES;
    count = scopes->is_limited ? TRACE_FRAME_SITES : count;
    scopes->subject_count = TRACE_FIXED_SUBJECTS + count;
    for (uint32_t i = 0; i < TRACE_FIXED_SUBJECTS; i++)
        scopes->sites[i] = TRACE_NONE;
    for (uint32_t i = 0; i < count; i++)
        scopes->sites[TRACE_FIXED_SUBJECTS + i] = ranked[i].site;
}

static struct ranked_site *create_ranked(const struct trace_model *model)
{
    struct ranked_site *ranked = calloc((size_t)model->site_count + 1, sizeof *ranked);
    for (uint32_t i = 0; ranked != NULL && i < model->site_count; i++)
        ranked[i] = (struct ranked_site){&model->sites[i], 0, i};
    return ranked;
}

/* Passes in which all sites are looked at in the frames asked for, as many frames at a time as
 * fit. */
static enum ludus_status find_largest(struct scope_pass *pass, const uint32_t *all_sites,
                                      struct ranked_site *ranked, struct ludus_error *error)
{
    const struct trace_frame_question *question = pass->question;
    uint32_t sites = question->model->site_count, frames = question->list->count;
    uint32_t room = trace_frame_matrix_room(sites * ROWS, TRACE_FRAME_MATRIX_BYTES);
    uint32_t *columns = malloc(((size_t)frames + 1) * sizeof *columns);
    enum ludus_status status = columns == NULL ? trace_fail_memory(error) : LUDUS_OK;
    pass->columns = columns;
    for (uint32_t done = 0; status == LUDUS_OK && done < question->asked_count; done += room) {
        uint32_t left = question->asked_count - done;
        uint32_t count = left < room ? left : room;
        for (uint32_t i = 0; i < frames; i++)
            columns[i] = TRACE_NONE;
        for (uint32_t i = 0; i < count; i++)
            columns[question->asked[done + i]] = i;
        status = run_sites(pass, all_sites, sites, count, error);
        if (status == LUDUS_OK)
            raise(pass, ranked, sites, NULL, count);
    }
    pass->columns = NULL;
    free(columns);
    return status;
}

/* --- medians --------------------------------------------------------------------------------- */

/* Takes a subject of the matrix into the answer. */
static void take_subject(struct scope_pass *pass, uint32_t from, uint32_t subject, int64_t *scratch)
{
    const struct trace_frame_list *list = list_of(pass);
    struct trace_frame_scopes *scopes = pass->scopes;
    for (uint32_t w = 0; w < scopes->window_count; w++) {
        struct trace_scope_value *median =
            &scopes->medians[(size_t)subject * scopes->window_count + w];
        int64_t *values[ROWS] = {&median->own_ns, &median->calls};
        for (uint32_t row = 0; row < ROWS; row++) {
            uint32_t count = 0;
            for (uint32_t column = 0; column < list->count; column++)
                if (trace_frame_is_usual(list, column, w))
                    scratch[count++] =
                        trace_frame_matrix_value(&pass->matrix, from * ROWS + row, column);
            *values[row] = trace_rank_select(scratch, count, 500);
            scopes->medians_of[w] = count;
        }
    }
    for (uint32_t i = 0; i < scopes->asked_count; i++)
        scopes->values[(size_t)subject * scopes->asked_count + i] =
            value_at(pass, from, pass->question->asked[i]);
}

static bool allocate_values(struct trace_frame_scopes *scopes)
{
    size_t count = scopes->subject_count;
    scopes->medians = calloc(count * scopes->window_count + 1, sizeof *scopes->medians);
    scopes->values = calloc(count * scopes->asked_count + 1, sizeof *scopes->values);
    return scopes->medians != NULL && scopes->values != NULL;
}

/* Everything at once: the matrix has room for all sites in all frames. */
static enum ludus_status run_at_once(struct scope_pass *pass, const uint32_t *all_sites,
                                     struct ranked_site *ranked, int64_t *scratch,
                                     struct ludus_error *error)
{
    const struct trace_frame_question *question = pass->question;
    uint32_t sites = question->model->site_count;
    enum ludus_status status = run_sites(pass, all_sites, sites, question->list->count, error);
    if (status != LUDUS_OK)
        return status;
    raise(pass, ranked, sites, question->asked, question->asked_count);
    choose_subjects(pass, ranked, sites);
    if (!allocate_values(pass->scopes))
        return trace_fail_memory(error);
    for (uint32_t i = 0; i < pass->scopes->subject_count; i++) {
        uint32_t site = pass->scopes->sites[i];
        take_subject(pass, site == TRACE_NONE ? i : TRACE_FIXED_SUBJECTS + site, i, scratch);
    }
    return LUDUS_OK;
}

/* First the largest sites, then their medians, as many at a time as fit. */
static enum ludus_status run_in_turn(struct scope_pass *pass, const uint32_t *all_sites,
                                     struct ranked_site *ranked, int64_t *scratch,
                                     struct ludus_error *error)
{
    const struct trace_frame_question *question = pass->question;
    struct trace_frame_scopes *scopes = pass->scopes;
    uint32_t room = trace_frame_matrix_room(question->list->count, TRACE_FRAME_MATRIX_BYTES) / ROWS;
    room = room <= TRACE_FIXED_SUBJECTS ? 1 : room - TRACE_FIXED_SUBJECTS;
    pass->has_fixed = false;
    enum ludus_status status = find_largest(pass, all_sites, ranked, error);
    if (status != LUDUS_OK)
        return status;
    choose_subjects(pass, ranked, question->model->site_count);
    if (!allocate_values(scopes))
        return trace_fail_memory(error);
    pass->has_fixed = true;
    uint32_t done = TRACE_FIXED_SUBJECTS;
    do {
        uint32_t left = scopes->subject_count - done;
        uint32_t count = left < room ? left : room;
        uint32_t first = pass->has_fixed ? TRACE_FIXED_SUBJECTS : 0;
        status = run_sites(pass, scopes->sites + done, count, question->list->count, error);
        for (uint32_t i = 0; status == LUDUS_OK && i < first; i++)
            take_subject(pass, i, i, scratch);
        for (uint32_t i = 0; status == LUDUS_OK && i < count; i++)
            take_subject(pass, first + i, done + i, scratch);
        pass->has_fixed = false;
        done += count;
    } while (status == LUDUS_OK && done < scopes->subject_count);
    return status;
}

/* --- the passes ------------------------------------------------------------------------------ */

static bool prepare(struct scope_pass *pass)
{
    const struct trace_model *model = pass->question->model;
    struct trace_frame_scopes *scopes = pass->scopes;
    scopes->medians_of = calloc(scopes->window_count, sizeof *scopes->medians_of);
    for (uint32_t i = 0; i < list_of(pass)->count; i++)
        scopes->has_left_out |= (list_of(pass)->flags[i] & TRACE_FRAME_LOST) != 0;
    scopes->sites =
        malloc(((size_t)TRACE_FIXED_SUBJECTS + TRACE_FRAME_SITES) * sizeof *scopes->sites);
    pass->places = calloc((size_t)model->site_count + 1, sizeof *pass->places);
    if (scopes->medians_of == NULL || scopes->sites == NULL || pass->places == NULL)
        return false;
    for (uint32_t i = 0; i < model->site_count; i++)
        pass->places[i].is_waiting = trace_site_is_waiting(model, i);
    return true;
}

static uint32_t *create_all_sites(const struct trace_model *model)
{
    uint32_t *sites = malloc(((size_t)model->site_count + 1) * sizeof *sites);
    for (uint32_t i = 0; sites != NULL && i < model->site_count; i++)
        sites[i] = i;
    return sites;
}

enum ludus_status trace_frame_scopes_create(struct trace_frame_scopes *scopes,
                                            const struct trace_frame_question *question,
                                            struct ludus_error *error)
{
    struct scope_pass pass = {
        .question = question, .scopes = scopes, .has_fixed = true, .is_first = true};
    const struct trace_frame_list *list = question->list;
    *scopes = (struct trace_frame_scopes){.window_count = question->plan->windows.count,
                                          .asked_count = question->asked_count};
    uint32_t *all_sites = create_all_sites(question->model);
    struct ranked_site *ranked = create_ranked(question->model);
    int64_t *scratch = malloc(((size_t)list->count + 1) * sizeof *scratch);
    uint32_t room = trace_frame_matrix_room(list->count, TRACE_FRAME_MATRIX_BYTES) / ROWS;
    bool is_at_once = question->model->site_count + TRACE_FIXED_SUBJECTS <= room;
    enum ludus_status status;
    if (all_sites == NULL || ranked == NULL || scratch == NULL || !prepare(&pass))
        status = trace_fail_memory(error);
    else if (is_at_once)
        status = run_at_once(&pass, all_sites, ranked, scratch, error);
    else
        status = run_in_turn(&pass, all_sites, ranked, scratch, error);
    trace_frame_matrix_destroy(&pass.matrix);
    free(pass.places);
    free(all_sites);
    free(ranked);
    free(scratch);
    if (status != LUDUS_OK)
        trace_frame_scopes_destroy(scopes);
    return status;
}

void trace_frame_scopes_destroy(struct trace_frame_scopes *scopes)
{
    free(scopes->sites);
    free(scopes->medians);
    free(scopes->values);
    free(scopes->medians_of);
    *scopes = (struct trace_frame_scopes){0};
}
