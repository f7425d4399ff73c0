/* Chooses the sources of a recording. */
#include "source_choice.h"

#include <stdlib.h>
#include <string.h>

#include "error_message.h"

#define ALL_SOURCES   ((uint32_t)LUDUS_SOURCE_CPU | (uint32_t)LUDUS_SOURCE_GPU)
#define LARGEST_SHARE 16u /* one part in so many of the memory */
#define ENVIRONMENT   "LUDUS_SOURCES"

/* Reads names between commas. False: one of them is none. */
static bool read_sources(const char *text, uint32_t *sources)
{
    static const struct {
        const char *name;
        uint32_t source;
    } names[] = {{"cpu", LUDUS_SOURCE_CPU}, {"gpu", LUDUS_SOURCE_GPU}};
    *sources = 0;
    for (;;) {
        const size_t size = strcspn(text, ",");
        uint32_t found = 0;
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            if (size == strlen(names[i].name) && memcmp(text, names[i].name, size) == 0)
                found = names[i].source;
        }
        if (found == 0)
            return false;
        *sources |= found;
        if (text[size] == '\0')
            return true;
        text += size + 1;
    }
}

enum ludus_status ludus_sources_complete(struct ludus_recorder_config *config,
                                         struct ludus_error *error)
{
    const char *given = getenv(ENVIRONMENT);
    if (given != NULL && given[0] != '\0' && !read_sources(given, &config->sources))
        return ludus_error_set(error, LUDUS_ERROR_ARGUMENT,
                               ENVIRONMENT " is \"%.64s\": it must be cpu, gpu or cpu,gpu", given);
    if ((config->sources & ~ALL_SOURCES) != 0)
        return ludus_error_set(error, LUDUS_ERROR_ARGUMENT,
                               "sources is %u: it must be made of enum ludus_recorder_source, or 0 "
                               "for the default",
                               (unsigned)config->sources);
    return LUDUS_OK;
}

bool ludus_sources_have_gpu(const struct ludus_recorder_config *config, uint64_t table_bytes)
{
    if (config->sources != 0)
        return (config->sources & LUDUS_SOURCE_GPU) != 0;
    return table_bytes <= config->memory_bytes / LARGEST_SHARE;
}
