/* Which sources a recording has: what threads emit, and samples of GPUs. */
#ifndef LUDUS_SOURCE_CHOICE_H
#define LUDUS_SOURCE_CHOICE_H

#include <stdbool.h>

#include <ludus/recorder.h>

/* Takes LUDUS_SOURCES, when that is set, in place of `config->sources`, and checks them.
 * Errors: ARGUMENT. */
LUDUS_CHECKED enum ludus_status ludus_sources_complete(struct ludus_recorder_config *config,
                                                       struct ludus_error *error);

/* Whether what threads emit is recorded. */
static inline bool ludus_sources_have_events(const struct ludus_recorder_config *config)
{
    return config->sources == 0 || (config->sources & LUDUS_SOURCE_CPU) != 0;
}

/* Whether GPU samples are: those that were asked for, or, when nobody said anything, those that
 * are offered, as long as a table of so many bytes is a small part of the memory. */
bool ludus_sources_have_gpu(const struct ludus_recorder_config *config, uint64_t table_bytes);

#endif
