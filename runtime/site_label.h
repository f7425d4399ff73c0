/* Taking a macro's words apart: the name and the category. */
#ifndef LUDUS_SITE_LABEL_H
#define LUDUS_SITE_LABEL_H

#include <stddef.h>

#include <ludus/profile.h>

/* Parts of a label; they point into it. `category` has size 0 when there is none. */
struct ludus_label_parts {
    const char *name;
    size_t name_size;
    const char *category;
    size_t category_size;
};

/* `label` is what the macro was given, as one string. A trailing `, LUDUS_PROFILE_CAT(X)`, or a
 * label that is only `LUDUS_PROFILE_CAT(X)`, is the category X; the rest is the name. */
struct ludus_label_parts ludus_label_split(const char *label);

/* The same of a site, by the form of its label. */
struct ludus_label_parts ludus_label_of(const struct ludus_site *site);

/* The size of the name in "Name, value": up to the first comma that no bracket encloses. */
size_t ludus_label_name_size(const char *text, size_t size);

/* The largest number of bytes, at most `limit`, after which `text` can be cut without cutting a
 * UTF-8 sequence; `size` when that is at most `limit`. */
size_t ludus_label_cut(const char *text, size_t size, size_t limit);

#endif
