/* What a place in source is called, as its macro was given it. */
#include <ludus/gpu_samples.h>

#include "site_label.h"

const char *ludus_gpu_site_name(const struct ludus_site *site, uint32_t *size)
{
    const struct ludus_label_parts parts = ludus_label_of(site);
    *size = parts.name_size < UINT32_MAX ? (uint32_t)parts.name_size : UINT32_MAX;
    return parts.name;
}
