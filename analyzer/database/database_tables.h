/* What the parts of the database writer share: the ids that were given out, and the functions that
 * fill the tables which come from a model. Private to the analyzer's database code.
 *
 * Functions return SQLite's status codes. */
#ifndef TRACE_DATABASE_TABLES_H
#define TRACE_DATABASE_TABLES_H

#include <stdbool.h>

#include <sqlite3.h>

#include "frames_with_calls.h"
#include "model.h"

/* Ids given out to the captures before. An entity of the present one has the base of its kind, plus
 * its index, plus 1; slices have numbers from 1 on themselves, and the path of index 0, the root,
 * is not stored. */
struct trace_id_bases {
    int64_t capture;
    int64_t clock;
    int64_t calibration;
    int64_t category;
    int64_t site;
    int64_t track;
    int64_t domain;
    int64_t frame; /* those of the default domain come first */
    int64_t path;
    int64_t slice;
    int64_t instant;
    int64_t loss;
    int64_t diagnostic;
    int64_t damage;
    int64_t trigger;
    int64_t window;
    int64_t gpu_queue;
    int64_t gpu_frame;
    int64_t gpu_pass;
    int64_t gpu_calibration;
};

struct trace_value_totals;

/* Everything but slices, instants, values and statistics. Texts with bytes that were replaced are
 * counted in the row of the capture. `file` is the capture's name. */
int trace_insert_model(sqlite3 *connection, const struct trace_id_bases *bases,
                       const struct trace_model *model, const char *file,
                       const struct trace_value_totals *values);

/* stat_window, window_span, track_stats, site_stats, path_stats, gpu_stats, frame_stats,
 * calls_per_frame: when all slices are in, or none when events are left out. */
int trace_insert_statistics(sqlite3 *connection, const struct trace_id_bases *bases,
                            const struct trace_model *model,
                            const struct trace_frames_with_calls *frames, bool is_of_statistics);

/* calls_per_frame of the present capture, when its windows, site_stats and losses are in. */
int trace_insert_calls_per_frame(sqlite3 *connection, const struct trace_id_bases *bases,
                                 const struct trace_model *model,
                                 const struct trace_frames_with_calls *frames,
                                 bool is_of_statistics);

#endif
