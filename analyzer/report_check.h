/* The check report's type, for the list of all reports. Private to the analyzer. */
#ifndef TRACE_REPORT_CHECK_H
#define TRACE_REPORT_CHECK_H

#include "report.h"

extern const struct trace_report_type trace_report_check_type;

#endif
