/* Things of one kind that are chosen by name: exactly, or by a pattern with * ? [. Private to the
 * analyzer. */
#ifndef TRACE_NAME_LIST_H
#define TRACE_NAME_LIST_H

#include "model.h"
#include "trace.h"

/* One kind of thing that is chosen by name. */
struct trace_name_list {
    const char *kind;   /* "track", ... */
    const bool *is_one; /* by index, whether it is one of them; NULL: all are */
    uint32_t count;
    const struct trace_text *(*name)(const struct trace_model *model, uint32_t index);
    bool are_tracks; /* those without a name are shown all the same, by kind and number */
};

/* A copy of a name that ends with a zero, to be freed; NULL when there is no memory. */
char *trace_text_copy_string(const struct trace_text *name);

bool trace_name_is_pattern(const char *text);

/* Whether a name is the text, or fits it as a pattern. False in `*is_done` when there is no memory.
 */
bool trace_name_fits(struct trace_text name, const char *text, bool *is_done);

/* Sets `chosen`, by index, of all that a text names, by their names or as reports show them: a
 * track without a name of its own by kind and number, another thing without one by a dash. Errors:
 * ARGUMENT (nothing has the name; the message offers near ones), MEMORY. */
LUDUS_CHECKED enum ludus_status trace_name_choose(const struct trace_name_list *list,
                                                  const struct trace_model *model, const char *text,
                                                  bool *chosen, struct ludus_error *error);

/* Says that nothing has the name. Returns ARGUMENT. */
LUDUS_CHECKED enum ludus_status trace_name_refuse(const struct trace_name_list *list,
                                                  const struct trace_model *model, const char *text,
                                                  struct ludus_error *error);

#endif
