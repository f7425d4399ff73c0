/* Makes of a diff's options the configuration that holds. Private to the analyzer. */
#ifndef TRACE_DIFF_OVERRIDES_H
#define TRACE_DIFF_OVERRIDES_H

#include "diff_config.h"
#include "trace.h"

/* Reads the file that the options name, or takes the defaults, and puts over it what else they say.
 * `*config` is to be destroyed. Errors: those of trace_diff_config_read, ARGUMENT (a value). */
LUDUS_CHECKED enum ludus_status trace_diff_configure(const struct trace_diff_options *options,
                                                     struct trace_diff_config **config,
                                                     struct ludus_error *error);

#endif
