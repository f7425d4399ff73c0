/* The list of reports. */
#include "report.h"

extern const struct trace_report_type trace_report_info_type;
extern const struct trace_report_type trace_report_summarize_type;
extern const struct trace_report_type trace_report_tree_type;
extern const struct trace_report_type trace_report_check_type;
extern const struct trace_report_type trace_report_frames_type;
extern const struct trace_report_type trace_report_explain_type;
extern const struct trace_report_type trace_report_top_type;
extern const struct trace_report_type trace_report_repair_type;
extern const struct trace_report_type trace_report_diff_type;

const struct trace_report_type *const trace_report_types[] = {
    &trace_report_info_type,    &trace_report_summarize_type,
    &trace_report_tree_type,    &trace_report_frames_type,
    &trace_report_explain_type, &trace_report_check_type,
    &trace_report_top_type,     &trace_report_repair_type,
    &trace_report_diff_type,    NULL, /* behind the last */
};
