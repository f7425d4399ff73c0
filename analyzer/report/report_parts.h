/* Pieces that several reports share: how the session, clocks, names and losses are put into tables.
 * Private to the analyzer. */
#ifndef TRACE_REPORT_PARTS_H
#define TRACE_REPORT_PARTS_H

#include "model.h"
#include "report.h"
#include "track_name.h"

/* The session in one row: who recorded what, when, on which machine, with which clock; in notes,
 * which part of it and why. `has_lists`: the report lists clocks and triggers itself. */
#define TRACE_SESSION_COLUMNS 15
extern const struct trace_column trace_session_columns[TRACE_SESSION_COLUMNS];
void trace_put_session(struct trace_report *report, size_t table, const struct trace_model *model,
                       bool has_lists);

/* What is missing, a row each. */
#define TRACE_LOSS_COLUMNS 10
extern const struct trace_column trace_loss_columns[TRACE_LOSS_COLUMNS];
void trace_put_losses(struct trace_report *report, size_t table, const struct trace_model *model);

/* One of them. */
void trace_put_loss(struct trace_report *report, size_t table, const struct trace_model *model,
                    const struct trace_loss *loss);

/* The same added up for each track and cause, from the first to the last. False when there is no
 * memory. */
bool trace_put_loss_sums(struct trace_report *report, size_t table,
                         const struct trace_model *model);

/* What the recorder saw, in five cells: its name, the track, how often, when first, more. */
void trace_put_diagnostic(struct trace_report *report, size_t table,
                          const struct trace_model *model,
                          const struct trace_diagnostic *diagnostic);

/* The name of a track: its own; "main (1234)" when others have it too; or "thread 1234". */
void trace_put_track_name(struct trace_report *report, const struct trace_model *model,
                          uint32_t track);

/* A text, or null when it is empty. */
void trace_put_known_text(struct trace_report *report, struct trace_text text);

/* A site's category, or null. */
void trace_put_category(struct trace_report *report, const struct trace_model *model,
                        const struct trace_site *site);

/* Where a site is in the source: the columns, and a row's cells in them. */
#define TRACE_PLACE_COLUMNS(named_by)                                                              \
    {.name = "file",                                                                               \
     .title = "file",                                                                              \
     .type = TRACE_TYPE_TEXT,                                                                      \
     .tells_apart = named_by,                                                                      \
     .description = "The source file, from the source root."},                                     \
        {.name = "line",                                                                           \
         .title = "line",                                                                          \
         .type = TRACE_TYPE_INTEGER,                                                               \
         .tells_apart = named_by " file",                                                          \
         .description = "The line in it."},                                                        \
    {                                                                                              \
        .name = "function", .title = "function", .type = TRACE_TYPE_TEXT, .is_detail = true,       \
        .description = "The function."                                                             \
    }
void trace_put_place(struct trace_report *report, const struct trace_site *site);

/* The value of a fact of the session, or null. */
void trace_put_fact(struct trace_report *report, const struct trace_model *model, const char *key);

/* The window of a row; the first column of every table whose statistics are of windows. */
#define TRACE_WINDOW_COLUMN                                                                        \
    {                                                                                              \
        .name = "window", .title = "window", .type = TRACE_TYPE_TEXT,                              \
        .description = "The name of the window that the row is about; capture: all of it.",        \
        .is_left_out_when_same = true                                                              \
    }

/* A quotient, or null without a denominator. */
void trace_put_quotient(struct trace_report *report, double numerator, double denominator);

/* A value, or null when no call is known that it could come from: not a zero in disguise. */
void trace_put_known(struct trace_report *report, double value, uint64_t calls);

#endif
