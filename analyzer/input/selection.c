/* Looks up what was selected. */
#include "selection.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "name_list.h"

static const struct trace_text *track_name(const struct trace_model *model, uint32_t index)
{
    return &model->tracks[index].name;
}

static const struct trace_text *category_name(const struct trace_model *model, uint32_t index)
{
    return &model->categories[index].name;
}

static const struct trace_text *site_name(const struct trace_model *model, uint32_t index)
{
    return &model->sites[index].name;
}

static const struct trace_text *domain_name(const struct trace_model *model, uint32_t index)
{
    return &model->domains[index].name;
}

/* --- tracks, sites, domain ------------------------------------------------------------------- */

/* #ID is the track with that id, whatever it is called. */
static bool choose_track_id(const struct trace_model *model, const char *text, bool *chosen)
{
    char *end;
    if (text[0] != '#' || text[1] < '0' || text[1] > '9')
        return false;
    unsigned long long id = strtoull(text + 1, &end, 10);
    if (*end != '\0')
        return false;
    for (uint32_t i = 0; i < model->track_count; i++) {
        if (model->tracks[i].id == id) {
            chosen[i] = true;
            return true;
        }
    }
    return false;
}

static enum ludus_status choose_tracks(const struct trace_selection *selection,
                                       const struct trace_model *model,
                                       struct trace_pass_plan *plan, struct ludus_error *error)
{
    const struct trace_name_list list = {"track", NULL, model->track_count, track_name, true};
    enum ludus_status status = LUDUS_OK;
    if (selection->track_count == 0)
        return LUDUS_OK;
    plan->tracks = calloc((size_t)model->track_count + 1, sizeof *plan->tracks);
    plan->track_count = model->track_count;
    if (plan->tracks == NULL)
        return trace_fail_memory(error);
    for (size_t i = 0; status == LUDUS_OK && i < selection->track_count; i++)
        if (!choose_track_id(model, selection->tracks[i], plan->tracks))
            status = trace_name_choose(&list, model, selection->tracks[i], plan->tracks, error);
    return status;
}

static enum ludus_status choose_by_category(const struct trace_selection *selection,
                                            const struct trace_model *model, bool *sites,
                                            struct ludus_error *error)
{
    const struct trace_name_list list = {"category", NULL, model->category_count, category_name,
                                         false};
    enum ludus_status status = LUDUS_OK;
    bool *categories = calloc((size_t)model->category_count + 1, sizeof *categories);
    if (categories == NULL)
        return trace_fail_memory(error);
    for (size_t i = 0; status == LUDUS_OK && i < selection->category_count; i++)
        status = trace_name_choose(&list, model, selection->categories[i], categories, error);
    for (uint32_t i = 0; i < model->site_count; i++)
        sites[i] = sites[i] && model->sites[i].category != TRACE_NONE &&
                   categories[model->sites[i].category];
    free(categories);
    return status;
}

static enum ludus_status choose_sites(const struct trace_selection *selection,
                                      const struct trace_model *model, struct trace_chosen *chosen,
                                      struct ludus_error *error)
{
    const struct trace_name_list list = {"site", NULL, model->site_count, site_name, false};
    enum ludus_status status = LUDUS_OK;
    if (selection->site_count == 0 && selection->category_count == 0)
        return LUDUS_OK;
    chosen->sites = calloc((size_t)model->site_count + 1, sizeof *chosen->sites);
    chosen->site_count = model->site_count;
    if (chosen->sites == NULL)
        return trace_fail_memory(error);
    for (size_t i = 0; status == LUDUS_OK && i < selection->site_count; i++)
        status = trace_name_choose(&list, model, selection->sites[i], chosen->sites, error);
    for (uint32_t i = 0; selection->site_count == 0 && i < model->site_count; i++)
        chosen->sites[i] = true;
    if (status == LUDUS_OK && selection->category_count != 0)
        status = choose_by_category(selection, model, chosen->sites, error);
    return status;
}

static enum ludus_status choose_domain(const struct trace_selection *selection,
                                       const struct trace_model *model, uint32_t *domain,
                                       struct ludus_error *error)
{
    const struct trace_name_list list = {"frame domain", NULL, model->domain_count, domain_name,
                                         false};
    *domain = model->domain_count == 0 ? TRACE_NONE : 0;
    if (selection->domain == NULL)
        return LUDUS_OK;
    for (uint32_t i = 0; i < model->domain_count; i++) {
        const struct trace_text *name = &model->domains[i].name;
        if (name->size != 0 ? trace_text_is(*name, selection->domain)
                            : strcmp(selection->domain, "-") == 0) {
            *domain = i;
            return LUDUS_OK;
        }
    }
    return trace_name_refuse(&list, model, selection->domain, error);
}

/* --- windows --------------------------------------------------------------------------------- */

/* The marks that windows name, collected in a pass. */
struct mark_search {
    struct trace_mark *marks;
    uint32_t count;
    bool *is_named; /* by site: a window names it */
    bool *is_mark;  /* by site: an instant is of it; only events tell */
    uint32_t site_count;
};

static enum ludus_status take_instants(void *context, const struct trace_model *model,
                                       const struct trace_instant *instants, size_t count)
{
    struct mark_search *search = context;
    (void)model;
    for (size_t i = 0; i < count; i++) {
        const struct trace_instant *instant = &instants[i];
        if (instant->site >= search->site_count) /* the pass entered it: its definition is lost */
            continue;
        search->is_mark[instant->site] = true;
        if (!search->is_named[instant->site])
            continue;
        if (!trace_array_grow(&search->marks, search->count, sizeof *search->marks))
            return LUDUS_ERROR_MEMORY;
        search->marks[search->count] =
            (struct trace_mark){instant->time_ns, instant->site, search->count};
        search->count++;
    }
    return LUDUS_OK;
}

static void forget_instants(void *context)
{
    struct mark_search *search = context;
    search->count = 0;
}

static void name_sites(const struct trace_model *model, struct trace_text name, bool *is_named)
{
    for (uint32_t i = 0; i < model->site_count; i++)
        if (trace_text_equals(model->sites[i].name, name))
            is_named[i] = true;
}

static enum ludus_status check_mark(const struct mark_search *search,
                                    const struct trace_model *model, struct trace_text name,
                                    struct ludus_error *error)
{
    const struct trace_name_list list = {"mark", search->is_mark, search->site_count, site_name,
                                         false};
    for (uint32_t i = 0; i < search->site_count; i++)
        if (search->is_mark[i] && trace_text_equals(model->sites[i].name, name))
            return LUDUS_OK;
    char *text = trace_text_copy_string(&name);
    if (text == NULL)
        return trace_fail_memory(error);
    enum ludus_status status = trace_name_refuse(&list, model, text, error);
    free(text);
    return status;
}

static void release_search(struct mark_search *search)
{
    free(search->marks);
    free(search->is_named);
    free(search->is_mark);
    *search = (struct mark_search){0};
}

/* One pass that collects the marks of the sites that are known when it begins. */
static enum ludus_status collect_marks(struct trace_input *input, const struct trace_model *model,
                                       const struct trace_window_spec *specs, size_t count,
                                       struct mark_search *search, struct ludus_error *error)
{
    const struct trace_visitor visitor = {
        .context = search, .instants = take_instants, .restart = forget_instants};
    search->is_named = calloc((size_t)model->site_count + 1, sizeof *search->is_named);
    search->is_mark = calloc((size_t)model->site_count + 1, sizeof *search->is_mark);
    search->site_count = model->site_count;
    if (search->is_named == NULL || search->is_mark == NULL)
        return trace_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        if (specs[i].kind != TRACE_SPEC_MARKS)
            continue;
        name_sites(model, specs[i].begin_mark, search->is_named);
        name_sites(model, specs[i].end_mark, search->is_named);
    }
    enum ludus_status status = trace_input_run(input, NULL, &visitor, error);
    return status == LUDUS_ERROR_MEMORY ? trace_fail_memory(error) : status;
}

/* A site whose definition is lost is known after a pass: then it takes another one. */
static enum ludus_status find_marks(struct trace_input *input, const struct trace_model *model,
                                    const struct trace_window_spec *specs, size_t count,
                                    struct mark_search *search, struct ludus_error *error)
{
    bool is_needed = false;
    for (size_t i = 0; i < count; i++)
        is_needed = is_needed || specs[i].kind == TRACE_SPEC_MARKS;
    if (!is_needed)
        return LUDUS_OK;
    enum ludus_status status = trace_input_expect_marks(input, error);
    if (status == LUDUS_OK)
        status = collect_marks(input, model, specs, count, search, error);
    while (status == LUDUS_OK && search->site_count != model->site_count) {
        release_search(search);
        status = collect_marks(input, model, specs, count, search, error);
    }
    for (size_t i = 0; status == LUDUS_OK && i < count; i++) {
        if (specs[i].kind != TRACE_SPEC_MARKS)
            continue;
        status = check_mark(search, model, specs[i].begin_mark, error);
        if (status == LUDUS_OK)
            status = check_mark(search, model, specs[i].end_mark, error);
    }
    trace_marks_sort(search->marks, search->count);
    return status;
}

/* What was asked for is not in this file, of which there may be several. */
static enum ludus_status name_file(const struct trace_input *input, enum ludus_status status,
                                   struct ludus_error *error)
{
    return status == LUDUS_ERROR_ARGUMENT ? trace_fail_in(error, trace_input_path(input)) : status;
}

/* Appends windows to those that are there, and their notes. */
static enum ludus_status find_specs(struct trace_input *input,
                                    const struct trace_window_spec *specs, size_t count,
                                    const struct trace_model *model, struct trace_chosen *chosen,
                                    struct ludus_error *error)
{
    struct trace_windows *windows = &chosen->plan.windows;
    struct mark_search search = {0};
    enum ludus_status status = find_marks(input, model, specs, count, &search, error);
    for (size_t i = 0; status == LUDUS_OK && i < count; i++)
        status = trace_window_resolve(&specs[i], model, chosen->plan.domain, search.marks,
                                      search.count, windows, chosen->notes[windows->count], error);
    release_search(&search);
    chosen->lacks_window = status == LUDUS_ERROR_ARGUMENT;
    return name_file(input, status, error);
}

static enum ludus_status find_windows(struct trace_input *input, const char *const *texts,
                                      size_t count, const struct trace_model *model,
                                      struct trace_chosen *chosen, struct ludus_error *error)
{
    struct trace_window_spec *specs = calloc(count, sizeof *specs);
    chosen->notes = calloc(chosen->plan.windows.count + count, sizeof *chosen->notes);
    enum ludus_status status =
        specs == NULL || chosen->notes == NULL ? trace_fail_memory(error) : LUDUS_OK;
    for (size_t i = 0; status == LUDUS_OK && i < count; i++)
        status = trace_window_parse(texts[i], &specs[i], error);
    if (status == LUDUS_OK)
        status = find_specs(input, specs, count, model, chosen, error);
    free(specs);
    return status;
}

static bool has_pattern(const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (trace_name_is_pattern(texts[i]))
            return true;
    return false;
}

static enum ludus_status look_up(const struct trace_selection *selection,
                                 const struct trace_model *model, struct trace_chosen *chosen,
                                 struct ludus_error *error)
{
    enum ludus_status status = choose_domain(selection, model, &chosen->plan.domain, error);
    if (status == LUDUS_OK)
        status = choose_tracks(selection, model, &chosen->plan, error);
    if (status == LUDUS_OK)
        status = choose_sites(selection, model, chosen, error);
    return status;
}

/* What only events name, as its definition is lost, is known after a pass: where a pattern may fit
 * it, or nothing else has the name, a capture is passed over first. A database knows it all. */
static enum ludus_status choose_names(struct trace_input *input,
                                      const struct trace_selection *selection,
                                      const struct trace_model *model, struct trace_chosen *chosen,
                                      struct ludus_error *error)
{
    enum trace_attribution attribution = chosen->plan.attribution;
    bool may_miss = !model->has_statistics;
    enum ludus_status status = look_up(selection, model, chosen, error);
    bool has_patterns = has_pattern(selection->tracks, selection->track_count) ||
                        has_pattern(selection->sites, selection->site_count);
    if (!may_miss || (status == LUDUS_OK ? !has_patterns : status != LUDUS_ERROR_ARGUMENT))
        return status;
    trace_chosen_destroy(chosen);
    chosen->plan.attribution = attribution;
    status = trace_input_run(input, NULL, NULL, error);
    return status == LUDUS_OK ? look_up(selection, model, chosen, error) : status;
}

enum ludus_status trace_chosen_create(struct trace_input *input,
                                      const struct trace_selection *selection,
                                      struct trace_chosen *chosen, struct ludus_error *error)
{
    const struct trace_model *model;
    *chosen = (struct trace_chosen){.plan.attribution = selection->attribution};
    enum ludus_status status = trace_input_model(input, TRACE_DETAIL_FACTS, &model, error);
    if (status == LUDUS_OK)
        status = name_file(input, choose_names(input, selection, model, chosen, error), error);
    if (status == LUDUS_OK && selection->window_count == 0 &&
        !trace_windows_set_whole(&chosen->plan.windows))
        status = trace_fail_memory(error);
    if (status == LUDUS_OK && selection->window_count != 0)
        status =
            find_windows(input, selection->windows, selection->window_count, model, chosen, error);
    chosen->plan.is_default = selection->window_count == 0 && selection->domain == NULL &&
                              selection->track_count == 0 &&
                              selection->attribution == TRACE_ATTRIBUTE_BEGIN;
    bool lacks_window = chosen->lacks_window;
    if (status != LUDUS_OK)
        trace_chosen_destroy(chosen);
    chosen->lacks_window = lacks_window;
    return status;
}

enum ludus_status trace_chosen_create_more(struct trace_input *input, const char *const *windows,
                                           size_t count, struct trace_chosen *chosen,
                                           struct ludus_error *error)
{
    const struct trace_model *model;
    *chosen = (struct trace_chosen){0};
    enum ludus_status status = trace_input_model(input, TRACE_DETAIL_FACTS, &model, error);
    if (status == LUDUS_OK && !trace_pass_plan_set_default(&chosen->plan, model))
        status = trace_fail_memory(error);
    if (status == LUDUS_OK && count != 0) {
        chosen->plan.is_default = false;
        status = find_windows(input, windows, count, model, chosen, error);
    }
    if (status != LUDUS_OK)
        trace_chosen_destroy(chosen);
    return status;
}

void trace_chosen_destroy(struct trace_chosen *chosen)
{
    trace_pass_plan_clear(&chosen->plan);
    free(chosen->sites);
    free(chosen->notes);
    *chosen = (struct trace_chosen){0};
}
