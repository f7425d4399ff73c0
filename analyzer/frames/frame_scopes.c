/* Finds the scopes that took most in the frames asked for, and their medians. */
#include "frame_scopes.h"

#include <stdlib.h>

#include "failure.h"
#include "scope_pass.h"

#define ROWS TRACE_SCOPE_ROWS

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
static void raise(const struct trace_scope_pass *pass, struct ranked_site *ranked,
                  uint32_t site_count, const uint32_t *columns, uint32_t count)
{
    uint32_t first = pass->has_fixed ? TRACE_FIXED_SUBJECTS : 0;
    for (uint32_t site = 0; site < site_count; site++) {
        for (uint32_t i = 0; i < count; i++) {
            int64_t own_ns =
                trace_scope_pass_value(pass, first + site, columns == NULL ? i : columns[i]).own_ns;
            if (own_ns > ranked[site].own_ns)
                ranked[site].own_ns = own_ns;
        }
    }
}

/* Sets the subjects of the answer: the sites that took most. */
static void choose_subjects(struct trace_scope_pass *pass, struct ranked_site *ranked,
                            uint32_t site_count)
{
    struct trace_frame_scopes *scopes = pass->scopes;
    uint32_t count = 0;
    for (uint32_t i = 0; i < site_count; i++)
        if (ranked[i].own_ns > 0)
            ranked[count++] = ranked[i];
    for (uint32_t i = 0; i < count; i++) /* a pass may have moved them */
        ranked[i].facts = &pass->question->model->sites[ranked[i].site];
    qsort(ranked, count, sizeof *ranked, compare_ranked);
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
        ranked[i].site = i;
    return ranked;
}

/* Raises what is known of sites to what a sparse pass says. */
static void raise_sparse(const struct trace_frame_sums *sums, struct ranked_site *ranked)
{
    for (size_t i = 0; i < sums->capacity; i++) {
        const struct trace_frame_sum *sum = &sums->places[i];
        if (sum->subject != 0 && sum->frame < sums->end &&
            sum->value > ranked[sum->subject - 1].own_ns)
            ranked[sum->subject - 1].own_ns = sum->value;
    }
}

/* Passes in which all sites are looked at in the frames asked for: one, if the matrix has room for
 * all of these, or else as many of them at a time as sums fit of those that there are. */
static enum ludus_status find_largest(struct trace_scope_pass *pass, const uint32_t *all_sites,
                                      struct ranked_site *ranked, struct ludus_error *error)
{
    const struct trace_frame_question *question = pass->question;
    uint32_t *columns = malloc(((size_t)question->list->count + 1) * sizeof *columns);
    enum ludus_status status = columns == NULL ? trace_fail_memory(error) : LUDUS_OK;
    for (uint32_t i = 0; status == LUDUS_OK && i < question->list->count; i++)
        columns[i] = TRACE_NONE;
    for (uint32_t i = 0; status == LUDUS_OK && i < question->asked_count; i++)
        columns[question->asked[i]] = i;
    pass->columns = columns;
    uint32_t done = 0;
    if (status == LUDUS_OK &&
        question->asked_count <=
            trace_frame_matrix_room(pass->site_count * ROWS, question->matrix_bytes)) {
        done = question->asked_count;
        status = trace_scope_pass_run(pass, all_sites, pass->site_count, done, error);
        if (status == LUDUS_OK)
            raise(pass, ranked, pass->site_count, NULL, done);
    }
    while (status == LUDUS_OK && done < question->asked_count) {
        if (!trace_frame_sums_create(&pass->sums, question->matrix_bytes, done,
                                     question->asked_count))
            status = trace_fail_memory(error);
        if (status == LUDUS_OK)
            status = trace_scope_pass_run_sparse(pass, error);
        if (status == LUDUS_OK)
            raise_sparse(&pass->sums, ranked);
        done = pass->sums.end;
        trace_frame_sums_destroy(&pass->sums);
    }
    pass->columns = NULL;
    free(columns);
    return status;
}

/* --- medians --------------------------------------------------------------------------------- */

/* Takes a subject of the matrix into the answer. */
static void take_subject(struct trace_scope_pass *pass, uint32_t from, uint32_t subject,
                         int64_t *scratch)
{
    const struct trace_frame_list *list = pass->question->list;
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
                        trace_frame_matrix_value(&pass->matrix, from, column * ROWS + row);
            *values[row] = trace_rank_select(scratch, count, 500);
            scopes->medians_of[w] = count;
        }
    }
    for (uint32_t i = 0; i < scopes->asked_count; i++)
        scopes->values[(size_t)subject * scopes->asked_count + i] =
            trace_scope_pass_value(pass, from, pass->question->asked[i]);
}

static bool allocate_values(struct trace_frame_scopes *scopes)
{
    size_t count = scopes->subject_count;
    scopes->medians = calloc(count * scopes->window_count + 1, sizeof *scopes->medians);
    scopes->values = calloc(count * scopes->asked_count + 1, sizeof *scopes->values);
    return scopes->medians != NULL && scopes->values != NULL;
}

/* Everything at once: the matrix has room for all sites in all frames. */
static enum ludus_status run_at_once(struct trace_scope_pass *pass, const uint32_t *all_sites,
                                     struct ranked_site *ranked, int64_t *scratch,
                                     struct ludus_error *error)
{
    const struct trace_frame_question *question = pass->question;
    uint32_t sites = pass->site_count;
    enum ludus_status status =
        trace_scope_pass_run(pass, all_sites, sites, question->list->count, error);
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
static enum ludus_status run_in_turn(struct trace_scope_pass *pass, const uint32_t *all_sites,
                                     struct ranked_site *ranked, int64_t *scratch,
                                     struct ludus_error *error)
{
    const struct trace_frame_question *question = pass->question;
    struct trace_frame_scopes *scopes = pass->scopes;
    uint32_t room = trace_frame_matrix_room(question->list->count, question->matrix_bytes) / ROWS;
    room = room <= TRACE_FIXED_SUBJECTS ? 1 : room - TRACE_FIXED_SUBJECTS;
    pass->has_fixed = false;
    enum ludus_status status = find_largest(pass, all_sites, ranked, error);
    if (status != LUDUS_OK)
        return status;
    choose_subjects(pass, ranked, pass->site_count);
    if (!allocate_values(scopes))
        return trace_fail_memory(error);
    pass->has_fixed = true;
    uint32_t done = TRACE_FIXED_SUBJECTS;
    do {
        uint32_t left = scopes->subject_count - done;
        uint32_t count = left < room ? left : room;
        uint32_t first = pass->has_fixed ? TRACE_FIXED_SUBJECTS : 0;
        status =
            trace_scope_pass_run(pass, scopes->sites + done, count, question->list->count, error);
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

static bool prepare(struct trace_scope_pass *pass)
{
    const struct trace_model *model = pass->question->model;
    struct trace_frame_scopes *scopes = pass->scopes;
    scopes->medians_of = calloc(scopes->window_count, sizeof *scopes->medians_of);
    const struct trace_frame_list *list = pass->question->list;
    for (uint32_t i = 0; i < list->count; i++)
        if ((list->flags[i] & TRACE_FRAME_LOST) != 0)
            scopes->left_out |= list->flags[i] & list->lossless;
    scopes->sites =
        malloc(((size_t)TRACE_FIXED_SUBJECTS + TRACE_FRAME_SITES) * sizeof *scopes->sites);
    pass->site_count = model->site_count;
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
    struct trace_scope_pass pass = {
        .question = question, .scopes = scopes, .has_fixed = true, .is_first = true};
    const struct trace_frame_list *list = question->list;
    *scopes = (struct trace_frame_scopes){.window_count = question->plan->windows.count,
                                          .asked_count = question->asked_count};
    uint32_t *all_sites = create_all_sites(question->model);
    struct ranked_site *ranked = create_ranked(question->model);
    int64_t *scratch = malloc(((size_t)list->count + 1) * sizeof *scratch);
    uint32_t room = trace_frame_matrix_room(list->count, question->matrix_bytes) / ROWS;
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
