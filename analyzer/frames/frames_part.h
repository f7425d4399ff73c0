/* What the reports "frames" and "explain" share. Private to the analyzer. */
#ifndef TRACE_FRAMES_PART_H
#define TRACE_FRAMES_PART_H

#include "frame_excess.h"
#include "report.h"

/* Errors: UNAVAILABLE (the capture has no complete frame, or the domain has none). */
LUDUS_CHECKED enum ludus_status trace_expect_frames(const struct trace_model *model,
                                                    uint32_t domain, struct ludus_error *error);

/* Runs `ask` with its context; again when its passes found sites or tracks that are defined nowhere
 * in the file, for which it made no room, or blocks that are faulty. `forget` releases what it
 * made.
 */
LUDUS_CHECKED enum ludus_status
trace_ask_until_known(const struct trace_model *model, void *context,
                      enum ludus_status (*ask)(void *context, struct ludus_error *error),
                      void (*forget)(void *context), struct ludus_error *error);

/* A median, or what follows from one; null when no frame is usual, so that there is none. */
void trace_put_median(struct trace_report *report, bool is_known, int64_t value);

/* Cells of a scope: site, category, excess, own time, its median, calls, their median, cause. */
void trace_put_excess(struct trace_report *report, const struct trace_model *model,
                      const struct trace_excess *excess);

/* Says of which window, by which attribution and against what the scopes are. */
void trace_note_scopes(struct trace_report *report, size_t table, const struct trace_model *model,
                       const struct trace_chosen *chosen, const struct trace_frame_scopes *scopes);

/* What is to be known of windows. */
void trace_note_windows(struct trace_report *report, size_t table,
                        const struct trace_chosen *chosen);

#endif
