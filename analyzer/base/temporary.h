/* Names that must not outlive the program. Private to the analyzer. */
#ifndef TRACE_TEMPORARY_H
#define TRACE_TEMPORARY_H

#include "trace.h"

/* Tells the watch, if there is one. */
static inline void trace_temporary_tell(const struct trace_watch *watch, enum trace_temporary state,
                                        const char *path)
{
    if (watch != NULL && watch->temporary != NULL)
        watch->temporary(watch->context, state, path);
}

#endif
