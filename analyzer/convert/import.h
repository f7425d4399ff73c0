/* Puts captures into a new database, for those who say later what was wrong with them. Private to
 * the analyzer. */
#ifndef TRACE_IMPORT_H
#define TRACE_IMPORT_H

#include "input_warnings.h"

/* As trace_import, and adds what must be known about the captures to the warnings. `watch` may be
 * NULL. */
LUDUS_CHECKED enum ludus_status
trace_import_captures(const char *const *capture_paths, size_t count,
                      const struct trace_import_options *options, const char *path,
                      const struct trace_watch *watch, struct trace_warnings *warnings,
                      struct ludus_error *error);

#endif
