/* Captures of few frames, and what the reports about frames say of them, by names of tables and
 * columns. */
#ifndef FRAMES_FIXTURE_H
#define FRAMES_FIXTURE_H

#include "export_fixture.h"
#include "golden_fixture.h"
#include "report.h"

enum { MAIN = 1, WORKER = 2 };
enum { FRAME_SITE = 1, PHYSICS, SOLVE, RENDER, JOB, LOAD, MARK, WAIT, ITEMS };

/* Marks of main at 100, 200, 300, 500, 600: frame 2 is twice as long as the others. */
struct capture_builder *frames_build_start(void);

void frames_flow(struct capture_builder *builder, uint32_t track, enum lcap_event_kind kind,
                 uint64_t time_ns, uint32_t site, uint64_t id);

/* What happens in each frame but frame 2. */
void frames_emit_usual(struct capture_builder *builder, uint64_t begin_ns);

/* In frame 2 Physics runs twice, Job takes twice as long, and main waits for it:
 *   main   300 Frame |310 Physics 340|350 Physics 380| 385 out 7 |390 Wait 470| 470 in 8 ... 490
 *   worker 400 in 7 |400 Job 460| 455 out 8 |480 Load |490 Solve 510| 560| */
struct capture_builder *frames_build_hitch(void);

/* What reports are made of, once it is open. */
extern struct trace_input *frames_input;

/* Takes the builder over. */
void frames_open(struct capture_builder *builder);
void frames_close(void);

/* Of the open input; the caller destroys them. */
struct trace_report *frames_report(const struct trace_frames_options *options);
struct trace_report *frames_explain(uint64_t frame, enum trace_attribution attribution);

/* Where a table is in the report, how many rows it has, and a cell of it. A text is valid until the
 * call but three. */
size_t frames_table(const struct trace_report *report, const char *name);
size_t frames_rows(const struct trace_report *report, const char *table);
int64_t frames_number(const struct trace_report *report, const char *table, size_t row,
                      const char *column);
const char *frames_text(const struct trace_report *report, const char *table, size_t row,
                        const char *column);

/* Rows of "scopes", from `first` on. */
struct frames_scope {
    const char *site;
    int64_t excess_ns, own_ns, median_ns, calls, median_calls;
    const char *cause;
};
void frames_check_scopes(const struct trace_report *report, size_t first,
                         const struct frames_scope *expected, size_t count);

#endif
