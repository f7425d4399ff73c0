/* Finds things by name, and says which names are near one that there is not. */
#include "name_list.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "track_name.h"

/* Names that a message lists. */
#define NAMES_LISTED 5u

char *trace_text_copy_string(const struct trace_text *name)
{
    char *copy = malloc(name->size + 1);
    if (copy == NULL)
        return NULL;
    if (name->size != 0)
        memcpy(copy, name->data, name->size);
    copy[name->size] = '\0';
    return copy;
}

bool trace_name_is_pattern(const char *text)
{
    return strpbrk(text, "*?[") != NULL;
}

bool trace_name_fits(struct trace_text name, const char *text, bool *is_done)
{
    *is_done = true;
    if (trace_text_is(name, text))
        return true;
    if (!trace_name_is_pattern(text))
        return false;
    char *copy = trace_text_copy_string(&name);
    *is_done = copy != NULL;
    bool is_match = copy != NULL && fnmatch(text, copy, 0) == 0;
    free(copy);
    return is_match;
}

/* The same of what reports show, which is not always the name: a track without one, or with one
 * that it shares, has its kind and number in it, and all else without a name has a dash. */
static bool shown_fits(const struct trace_name_list *list, const struct trace_model *model,
                       uint32_t index, const char *text, bool *is_done)
{
    char shown[TRACE_TRACK_NAME_SIZE] = "-";
    *is_done = true;
    if (list->are_tracks)
        trace_track_name(model, index, shown);
    else if (list->name(model, index)->size != 0)
        return false;
    return trace_name_fits((struct trace_text){shown, strlen(shown)}, text, is_done);
}

static bool names(const struct trace_name_list *list, const struct trace_model *model,
                  uint32_t index, const char *text, bool *is_done)
{
    return trace_name_fits(*list->name(model, index), text, is_done) ||
           (*is_done && shown_fits(list, model, index, text, is_done));
}

/* Appends a quoted name to a message; a name that is there already is not said twice. */
static void append_name(char *text, size_t size, const char *name)
{
    char quoted[96];
    size_t used = strlen(text);
    int shown = trace_text_shown((struct trace_text){name, strlen(name)});
    (void)snprintf(quoted, sizeof quoted, "'%.*s'", shown, name);
    if (strstr(text, quoted) == NULL && used + strlen(quoted) + 3 < size)
        (void)snprintf(text + used, size - used, "%s%s", used == 0 ? "" : ", ", quoted);
}

/* The name at an index that a message may show, to be freed. NULL: there is none, or no memory. */
static char *copy_shown(const struct trace_name_list *list, const struct trace_model *model,
                        uint32_t index)
{
    if (list->is_one != NULL && !list->is_one[index])
        return NULL;
    if (list->name(model, index)->size != 0)
        return trace_text_copy_string(list->name(model, index));
    if (!list->are_tracks)
        return NULL;
    char text[TRACE_TRACK_NAME_SIZE];
    trace_track_name(model, index, text);
    return strdup(text);
}

/* The name nearest to a text, to be freed; NULL when none is near. */
static char *copy_nearest(const struct trace_name_list *list, const struct trace_model *model,
                          const char *text)
{
    struct trace_nearest nearest = trace_nearest_start(text, strlen(text));
    char *near = NULL;
    for (uint32_t i = 0; i < list->count; i++) {
        char *copy = copy_shown(list, model, i);
        if (copy == NULL)
            continue;
        trace_nearest_consider(&nearest, copy);
        if (nearest.name == copy) {
            free(near);
            near = copy;
        } else {
            free(copy);
        }
    }
    return near;
}

enum ludus_status trace_name_refuse(const struct trace_name_list *list,
                                    const struct trace_model *model, const char *text,
                                    struct ludus_error *error)
{
    char *near = copy_nearest(list, model, text);
    char names[512] = "";
    uint32_t listed = 0;
    bool is_any = false;
    for (uint32_t i = 0; i < list->count && listed < NAMES_LISTED; i++) {
        size_t used = strlen(names);
        is_any = is_any || list->is_one == NULL || list->is_one[i];
        char *name = copy_shown(list, model, i);
        if (name != NULL)
            append_name(names, sizeof names, name);
        free(name);
        listed += strlen(names) != used;
    }
    enum ludus_status status;
    if (near != NULL)
        status = trace_fail(error, LUDUS_ERROR_ARGUMENT, "there is no %s '%s'; did you mean '%s'?",
                            list->kind, text, near);
    else if (listed == 0)
        status = trace_fail(error, LUDUS_ERROR_ARGUMENT, "there is no %s '%s': the capture has %s",
                            list->kind, text, is_any ? "none with a name" : "none");
    else
        status = trace_fail(error, LUDUS_ERROR_ARGUMENT, "there is no %s '%s'; there is %s%s",
                            list->kind, text, names, listed == NAMES_LISTED ? " and more" : "");
    free(near);
    return status;
}

enum ludus_status trace_name_choose(const struct trace_name_list *list,
                                    const struct trace_model *model, const char *text, bool *chosen,
                                    struct ludus_error *error)
{
    bool is_found = false;
    for (uint32_t i = 0; i < list->count; i++) {
        bool is_done;
        if (names(list, model, i, text, &is_done))
            is_found = chosen[i] = true;
        if (!is_done)
            return trace_fail_memory(error);
    }
    return is_found ? LUDUS_OK : trace_name_refuse(list, model, text, error);
}
