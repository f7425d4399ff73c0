/* Fills calls_per_frame: from what was counted during the pass when that is exact, otherwise with
 * one query over the capture's slices, which takes longer. Where slices are left out the frames
 * that have a call are not known then. */
#include <stdlib.h>

#include "database_insert.h"
#include "database_tables.h"
#include "track_losses.h"

#define LOST "ludus_is_lost" /* the name of a function of the connection, while it takes */

/* The rule of statistics.c: frames that the slice's track lost are not in the window; tracks that
 * lost something of their own are told apart, all others count together. ?1: the capture, ?2: the
 * last slice of the captures before, ?3: a track that only has rows of its own in site_stats since
 * it marks the frames, or NULL. */
static const char counting_query[] =
    "WITH"
    " own AS MATERIALIZED ("
    "  SELECT DISTINCT track_id FROM site_stats"
    "  WHERE capture_id = ?1 AND track_id IS NOT NULL AND track_id IS NOT ?3),"
    " stats AS MATERIALIZED ("
    "  SELECT capture_id, window_id, site_id, nullif(track_id, ?3) AS track_id,"
    "   sum(calls) AS calls, max(site_stats.frames) AS frames"
    "  FROM site_stats JOIN stat_window AS win USING (capture_id, window_id)"
    "  WHERE capture_id = ?1 AND win.name = 'capture' AND win.part = 'frames'"
    "  GROUP BY window_id, site_id, nullif(track_id, ?3)),"
    " present AS MATERIALIZED ("
    "  SELECT DISTINCT site_id, track_id, frame_id FROM slice"
    "  WHERE slice_id > ?2 AND frame_id IS NOT NULL),"
    " counted AS ("
    "  SELECT present.site_id, own.track_id, count(DISTINCT present.frame_id) AS frames"
    "  FROM present JOIN frame USING (frame_id)"
    "  LEFT JOIN own ON own.track_id = present.track_id"
    "  WHERE frame.complete AND NOT " LOST
    "(present.track_id, frame.begin_ns, frame.begin_ns + frame.duration_ns - 1)"
    "  GROUP BY present.site_id, own.track_id)"
    " INSERT INTO calls_per_frame SELECT stats.capture_id, stats.window_id, stats.site_id,"
    "  stats.track_id, stats.calls, stats.frames, 1.0 * stats.calls / stats.frames,"
    "  coalesce(counted.frames, 0), 1.0 * stats.calls / counted.frames"
    " FROM stats LEFT JOIN counted ON counted.site_id = stats.site_id"
    "  AND counted.track_id IS stats.track_id";

/* The losses of each track, made when they are first asked for. Joined in SQL, each loss of no
 * known track would meet each track in each frame. */
struct lost_frames {
    struct trace_loss_index index;
    struct trace_track_losses *tracks; /* by index */
    bool *are_known;
    sqlite3_int64 first_track; /* the id of the track with index 0 */
};

static void is_lost(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct lost_frames *lost = sqlite3_user_data(context);
    sqlite3_int64 track = sqlite3_value_int64(values[0]) - lost->first_track;

    (void)count;
    if (track < 0 || track >= lost->index.track_count) {
        sqlite3_result_int(context, 0);
        return;
    }
    struct trace_track_losses *losses = &lost->tracks[track];
    if (!lost->are_known[track] &&
        !trace_track_losses_create(&lost->index, (uint32_t)track, TRACE_LOSSES_OF_EVENTS, losses)) {
        sqlite3_result_error_nomem(context);
        return;
    }
    lost->are_known[track] = true;
    sqlite3_result_int(context, trace_track_losses_overlap(losses, sqlite3_value_int64(values[1]),
                                                           sqlite3_value_int64(values[2])));
}

static bool create_lost(struct lost_frames *lost, const struct trace_id_bases *bases,
                        const struct trace_model *model)
{
    *lost = (struct lost_frames){.first_track = bases->track + 1};
    lost->tracks = calloc((size_t)model->track_count + 1, sizeof *lost->tracks);
    lost->are_known = calloc((size_t)model->track_count + 1, sizeof *lost->are_known);
    return lost->tracks != NULL && lost->are_known != NULL &&
           trace_loss_index_create(&lost->index, model);
}

static void destroy_lost(struct lost_frames *lost)
{
    for (uint32_t i = 0; lost->tracks != NULL && i < lost->index.track_count; i++)
        if (lost->are_known[i])
            trace_track_losses_destroy(&lost->tracks[i]);
    free(lost->tracks);
    free(lost->are_known);
    trace_loss_index_destroy(&lost->index);
}

static int run_query(sqlite3 *connection, const struct trace_id_bases *bases, uint32_t joined)
{
    sqlite3_stmt *statement = NULL;
    int status = sqlite3_prepare_v2(connection, counting_query, -1, &statement, NULL);

    if (status == SQLITE_OK)
        status = sqlite3_bind_int64(statement, 1, bases->capture + 1);
    if (status == SQLITE_OK)
        status = sqlite3_bind_int64(statement, 2, bases->slice);
    if (status == SQLITE_OK && joined != TRACE_NONE)
        status = sqlite3_bind_int64(statement, 3, bases->track + (int64_t)joined + 1);
    if (status == SQLITE_OK)
        (void)sqlite3_step(statement);
    if (status == SQLITE_OK)
        return sqlite3_finalize(statement);
    (void)sqlite3_finalize(statement);
    return status;
}

static int count_by_query(sqlite3 *connection, const struct trace_id_bases *bases,
                          const struct trace_model *model, uint32_t joined)
{
    struct lost_frames lost;
    int status = SQLITE_NOMEM;

    if (create_lost(&lost, bases, model))
        status =
            sqlite3_create_function(connection, LOST, 3, SQLITE_UTF8, &lost, is_lost, NULL, NULL);
    if (status == SQLITE_OK) {
        status = run_query(connection, bases, joined);
        (void)sqlite3_create_function(connection, LOST, 3, SQLITE_UTF8, NULL, NULL, NULL, NULL);
    }
    destroy_lost(&lost);
    return status;
}

/* The rows that calls_per_frame has: those of site_stats in the frames of the window "capture", of
 * which the marker's are joined with the common ones. To be freed; NULL when there is no memory. */
static struct trace_stats *list_rows(const struct trace_model *model, uint32_t joined,
                                     uint32_t *count)
{
    struct trace_stats *rows = malloc(((size_t)model->site_stats_count + 1) * sizeof *rows);

    *count = 0;
    for (uint32_t i = 0; rows != NULL && i < model->site_stats_count; i++) {
        if (model->site_stats[i].window != TRACE_WINDOW_FRAMES)
            continue;
        rows[*count] = model->site_stats[i];
        if (rows[*count].track == joined)
            rows[*count].track = TRACE_NONE;
        ++*count;
    }
    if (rows != NULL)
        *count = trace_stats_merge(rows, *count);
    return rows;
}

/* The counts are of all tracks together, and know of no lost frames. */
static bool is_exact(const struct trace_model *model, const struct trace_stats *rows,
                     uint32_t count, const struct trace_frames_with_calls *frames)
{
    if (model->loss_count > 0)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (rows[i].track != TRACE_NONE || rows[i].subject >= frames->site_count ||
            frames->sites[rows[i].subject].is_inexact)
            return false;
    return true;
}

static void insert_quotient(struct trace_insert *insert, uint64_t calls, int64_t frames)
{
    if (frames == 0)
        trace_insert_null(insert);
    else
        trace_insert_real(insert, (double)calls / (double)frames);
}

static int insert_rows(sqlite3 *connection, const struct trace_id_bases *bases,
                       const struct trace_stats *rows, uint32_t count,
                       const struct trace_frames_with_calls *frames, bool is_exact)
{
    struct trace_insert insert;

    trace_insert_open(&insert, connection, "calls_per_frame",
                      "capture_id, window_id, site_id, track_id, calls, frames, calls_per_frame, "
                      "frames_with_calls, calls_per_frame_with");
    for (uint32_t i = 0; i < count; i++) {
        const struct trace_stats *stats = &rows[i];

        trace_insert_integer(&insert, bases->capture + 1);
        trace_insert_id(&insert, bases->window, stats->window);
        trace_insert_id(&insert, bases->site, stats->subject);
        trace_insert_id(&insert, bases->track, stats->track);
        trace_insert_count(&insert, stats->sums.calls);
        trace_insert_integer(&insert, stats->frames);
        insert_quotient(&insert, stats->sums.calls, stats->frames);
        if (is_exact) {
            trace_insert_integer(&insert, frames->sites[stats->subject].count);
            insert_quotient(&insert, stats->sums.calls, frames->sites[stats->subject].count);
        } else {
            trace_insert_null(&insert);
            trace_insert_null(&insert);
        }
        trace_insert_row(&insert);
    }
    return trace_insert_close(&insert);
}

int trace_insert_calls_per_frame(sqlite3 *connection, const struct trace_id_bases *bases,
                                 const struct trace_model *model,
                                 const struct trace_frames_with_calls *frames,
                                 bool is_of_statistics)
{
    uint32_t joined, count;
    int status;

    if (!trace_find_lossless_marker(model, model->domain_count == 0 ? TRACE_NONE : 0, &joined))
        return SQLITE_NOMEM;
    struct trace_stats *rows = list_rows(model, joined, &count);
    bool is_counted = rows != NULL && is_exact(model, rows, count, frames);
    if (rows == NULL)
        status = SQLITE_NOMEM;
    else if (is_counted || is_of_statistics)
        status = insert_rows(connection, bases, rows, count, frames, is_counted);
    else
        status = count_by_query(connection, bases, model, joined);
    free(rows);
    return status;
}
