/* A comparison as a report of tests, for systems that show such reports. Private to the analyzer.
 */
#ifndef TRACE_DIFF_JUNIT_H
#define TRACE_DIFF_JUNIT_H

#include "diff.h"

/* Writes it as JUnit XML, docs/diff.md: a test case for all that was judged. The same as the
 * verdict: a case fails exactly when it is what made the answer no. Errors: WRITE, MEMORY. */
LUDUS_CHECKED enum ludus_status trace_diff_put_junit(const struct trace_diff *diff,
                                                     struct trace_output output,
                                                     struct ludus_error *error);

#endif
