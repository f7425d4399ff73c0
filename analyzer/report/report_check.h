/* What the reports about whole and damaged files share. Private to the analyzer. */
#ifndef TRACE_REPORT_CHECK_H
#define TRACE_REPORT_CHECK_H

#include "lcap_decode.h"
#include "report.h"

extern const struct trace_report_type trace_report_check_type;

/* A row about what is not a good block. */
#define TRACE_FAULT_COLUMNS 3
extern const struct trace_column trace_fault_columns[TRACE_FAULT_COLUMNS];
void trace_put_fault(struct trace_report *report, size_t table, const struct lcap_item *item);

/* "whole", "damaged" or "unfinished". */
const char *trace_check_verdict(bool is_damaged, bool is_unfinished);

#endif
