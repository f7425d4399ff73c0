/* Looks up what was selected. */
#include "selection.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "lcap_layout.h"

/* Names that a message lists. */
#define NAMES_LISTED 5u

/* One kind of thing that is chosen by name. */
struct name_list {
    const char *kind; /* "track", ... */
    uint32_t count;
    const struct trace_text *(*name)(const struct trace_model *model, uint32_t index);
};

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

/* A copy of a name that ends with a zero; NULL when there is no memory. */
static char *copy_name(const struct trace_text *name)
{
    char *copy = malloc(name->size + 1);
    if (copy == NULL)
        return NULL;
    if (name->size != 0)
        memcpy(copy, name->data, name->size);
    copy[name->size] = '\0';
    return copy;
}

static bool is_equal(const struct trace_text *name, const char *text)
{
    return strlen(text) == name->size &&
           (name->size == 0 || memcmp(name->data, text, name->size) == 0);
}

static bool is_pattern(const char *text)
{
    return strpbrk(text, "*?[") != NULL;
}

/* Whether a name is the text, or fits it as a pattern. False in `*is_done` when there is no memory.
 */
static bool fits(const struct trace_text *name, const char *text, bool *is_done)
{
    *is_done = true;
    if (is_equal(name, text))
        return true;
    if (!is_pattern(text))
        return false;
    char *copy = copy_name(name);
    *is_done = copy != NULL;
    bool is_match = copy != NULL && fnmatch(text, copy, 0) == 0;
    free(copy);
    return is_match;
}

/* Appends a quoted name to a message; a name that is there already is not said twice. */
static void append_name(char *text, size_t size, const struct trace_text *name)
{
    char quoted[96];
    size_t used = strlen(text);
    (void)snprintf(quoted, sizeof quoted, "'%.*s'", trace_text_shown(*name), name->data);
    if (name->size != 0 && strstr(text, quoted) == NULL && used + strlen(quoted) + 3 < size)
        (void)snprintf(text + used, size - used, "%s%s", used == 0 ? "" : ", ", quoted);
}

static enum ludus_status refuse_name(const struct name_list *list, const struct trace_model *model,
                                     const char *text, struct ludus_error *error)
{
    struct trace_nearest nearest = trace_nearest_start(text, strlen(text));
    char *near = NULL, *copy = NULL;
    char names[512] = "";
    uint32_t listed = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const char *before = nearest.name;
        copy = copy_name(list->name(model, i));
        if (copy == NULL)
            break;
        trace_nearest_consider(&nearest, copy);
        if (nearest.name == before) {
            free(copy);
        } else {
            free(near);
            near = copy;
        }
    }
    for (uint32_t i = 0; i < list->count && listed < NAMES_LISTED; i++) {
        size_t used = strlen(names);
        append_name(names, sizeof names, list->name(model, i));
        listed += strlen(names) != used;
    }
    enum ludus_status status;
    if (list->count == 0)
        status = trace_fail(error, LUDUS_ERROR_ARGUMENT,
                            "there is no %s '%s': the capture has none", list->kind, text);
    else if (near != NULL)
        status = trace_fail(error, LUDUS_ERROR_ARGUMENT, "there is no %s '%s'; did you mean '%s'?",
                            list->kind, text, near);
    else
        status = trace_fail(error, LUDUS_ERROR_ARGUMENT, "there is no %s '%s'; there is %s%s",
                            list->kind, text, names, listed == NAMES_LISTED ? " and more" : "");
    free(near);
    return status;
}

/* Sets `chosen` of all that one text names. */
static enum ludus_status choose(const struct name_list *list, const struct trace_model *model,
                                const char *text, bool *chosen, struct ludus_error *error)
{
    bool is_found = false;
    for (uint32_t i = 0; i < list->count; i++) {
        bool is_done;
        if (fits(list->name(model, i), text, &is_done))
            is_found = chosen[i] = true;
        if (!is_done)
            return trace_fail_memory(error);
    }
    return is_found ? LUDUS_OK : refuse_name(list, model, text, error);
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
    const struct name_list list = {"track", model->track_count, track_name};
    enum ludus_status status = LUDUS_OK;
    if (selection->track_count == 0)
        return LUDUS_OK;
    plan->tracks = calloc((size_t)model->track_count + 1, sizeof *plan->tracks);
    plan->track_count = model->track_count;
    if (plan->tracks == NULL)
        return trace_fail_memory(error);
    for (size_t i = 0; status == LUDUS_OK && i < selection->track_count; i++)
        if (!choose_track_id(model, selection->tracks[i], plan->tracks))
            status = choose(&list, model, selection->tracks[i], plan->tracks, error);
    return status;
}

static enum ludus_status choose_by_category(const struct trace_selection *selection,
                                            const struct trace_model *model, bool *sites,
                                            struct ludus_error *error)
{
    const struct name_list list = {"category", model->category_count, category_name};
    enum ludus_status status = LUDUS_OK;
    bool *categories = calloc((size_t)model->category_count + 1, sizeof *categories);
    if (categories == NULL)
        return trace_fail_memory(error);
    for (size_t i = 0; status == LUDUS_OK && i < selection->category_count; i++)
        status = choose(&list, model, selection->categories[i], categories, error);
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
    const struct name_list list = {"site", model->site_count, site_name};
    enum ludus_status status = LUDUS_OK;
    if (selection->site_count == 0 && selection->category_count == 0)
        return LUDUS_OK;
    chosen->sites = calloc((size_t)model->site_count + 1, sizeof *chosen->sites);
    chosen->site_count = model->site_count;
    if (chosen->sites == NULL)
        return trace_fail_memory(error);
    for (size_t i = 0; status == LUDUS_OK && i < selection->site_count; i++)
        status = choose(&list, model, selection->sites[i], chosen->sites, error);
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
    const struct name_list list = {"frame domain", model->domain_count, domain_name};
    *domain = model->domain_count == 0 ? TRACE_NONE : 0;
    if (selection->domain == NULL)
        return LUDUS_OK;
    for (uint32_t i = 0; i < model->domain_count; i++) {
        if (is_equal(&model->domains[i].name, selection->domain)) {
            *domain = i;
            return LUDUS_OK;
        }
    }
    return refuse_name(&list, model, selection->domain, error);
}

/* --- windows --------------------------------------------------------------------------------- */

/* The marks that windows name, collected in a pass. */
struct mark_search {
    const struct trace_window_spec *specs;
    size_t spec_count;
    struct trace_mark *marks;
    uint32_t count;
    bool *sites; /* whether a site is one of the marks */
    uint32_t site_count;
};

static enum ludus_status take_instants(void *context, const struct trace_model *model,
                                       const struct trace_instant *instants, size_t count)
{
    struct mark_search *search = context;
    (void)model;
    for (size_t i = 0; i < count; i++) {
        /* A site behind them was entered by the pass: its definition is lost. */
        if (instants[i].site >= search->site_count || !search->sites[instants[i].site])
            continue;
        if (!trace_array_grow(&search->marks, search->count, sizeof *search->marks))
            return LUDUS_ERROR_MEMORY;
        search->marks[search->count++] = (struct trace_mark){instants[i].time_ns, instants[i].site};
    }
    return LUDUS_OK;
}

static int compare_marks(const void *a, const void *b)
{
    const struct trace_mark *left = a;
    const struct trace_mark *right = b;
    if (left->time_ns != right->time_ns)
        return left->time_ns < right->time_ns ? -1 : 1;
    return (left->site > right->site) - (left->site < right->site);
}

/* Marks the sites of a name. Every site may be that of a mark: only events tell. */
static enum ludus_status note_mark(struct mark_search *search, const struct trace_model *model,
                                   struct trace_text name, struct ludus_error *error)
{
    const struct name_list list = {"mark", model->site_count, site_name};
    bool is_found = false;
    for (uint32_t i = 0; i < model->site_count; i++) {
        const struct trace_text *own = &model->sites[i].name;
        if (own->size == name.size && memcmp(own->data, name.data, name.size) == 0)
            is_found = search->sites[i] = true;
    }
    if (is_found)
        return LUDUS_OK;
    char *text = copy_name(&name);
    if (text == NULL)
        return trace_fail_memory(error);
    enum ludus_status status = refuse_name(&list, model, text, error);
    free(text);
    return status;
}

static enum ludus_status find_marks(struct trace_input *input, const struct trace_model *model,
                                    struct mark_search *search, struct ludus_error *error)
{
    const struct trace_visitor visitor = {.context = search, .instants = take_instants};
    enum ludus_status status = LUDUS_OK;
    bool is_needed = false;
    search->sites = calloc((size_t)model->site_count + 1, sizeof *search->sites);
    search->site_count = model->site_count;
    if (search->sites == NULL)
        return trace_fail_memory(error);
    for (size_t i = 0; status == LUDUS_OK && i < search->spec_count; i++) {
        if (search->specs[i].kind != TRACE_SPEC_MARKS)
            continue;
        is_needed = true;
        status = note_mark(search, model, search->specs[i].begin_mark, error);
        if (status == LUDUS_OK)
            status = note_mark(search, model, search->specs[i].end_mark, error);
    }
    if (status == LUDUS_OK && is_needed)
        status = trace_input_run(input, NULL, &visitor, error);
    if (status == LUDUS_ERROR_MEMORY)
        status = trace_fail_memory(error);
    if (search->count > 1)
        qsort(search->marks, search->count, sizeof *search->marks, compare_marks);
    return status;
}

static enum ludus_status find_windows(struct trace_input *input,
                                      const struct trace_selection *selection,
                                      const struct trace_model *model,
                                      struct trace_window_spec *specs, struct trace_chosen *chosen,
                                      struct ludus_error *error)
{
    struct mark_search search = {.specs = specs, .spec_count = selection->window_count};
    enum ludus_status status = LUDUS_OK;
    for (size_t i = 0; status == LUDUS_OK && i < selection->window_count; i++)
        status = trace_window_parse(selection->windows[i], &specs[i], error);
    if (status == LUDUS_OK)
        status = find_marks(input, model, &search, error);
    for (size_t i = 0; status == LUDUS_OK && i < selection->window_count; i++)
        status = trace_window_resolve(&specs[i], model, chosen->plan.domain, search.marks,
                                      search.count, &chosen->plan.windows, chosen->notes[i], error);
    free(search.marks);
    free(search.sites);
    return status;
}

static enum ludus_status choose_windows(struct trace_input *input,
                                        const struct trace_selection *selection,
                                        const struct trace_model *model,
                                        struct trace_chosen *chosen, struct ludus_error *error)
{
    if (selection->window_count == 0)
        return trace_windows_set_whole(&chosen->plan.windows) ? LUDUS_OK : trace_fail_memory(error);
    struct trace_window_spec *specs = calloc(selection->window_count, sizeof *specs);
    chosen->notes = calloc(selection->window_count, sizeof *chosen->notes);
    enum ludus_status status = specs == NULL || chosen->notes == NULL
                                   ? trace_fail_memory(error)
                                   : find_windows(input, selection, model, specs, chosen, error);
    free(specs);
    return status;
}

static bool has_pattern(const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is_pattern(texts[i]))
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
        status = choose_names(input, selection, model, chosen, error);
    if (status == LUDUS_OK)
        status = choose_windows(input, selection, model, chosen, error);
    chosen->plan.is_default = selection->window_count == 0 && selection->domain == NULL &&
                              selection->track_count == 0 &&
                              selection->attribution == TRACE_ATTRIBUTE_BEGIN;
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
