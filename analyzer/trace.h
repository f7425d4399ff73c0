/* The analyzer's public header: from a capture, or a database made of one, to every answer that
 * ludus-trace gives. The library prints nothing, reads no arguments and keeps no global state; an
 * object is used by one thread at a time.
 *
 * Functions that can fail take a `struct ludus_error *error`, never NULL, and fill it with one line
 * for people when they do. Objects are released with the function named beside the one that made
 * them, which accepts NULL. */
#ifndef TRACE_H
#define TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ludus/status.h>

/* --- while it takes time --------------------------------------------------------------------- */

/* A file or an empty folder that must go if the program ends now. */
enum trace_temporary {
    TRACE_TEMPORARY_COMES,    /* is about to be made; one of the others follows at once */
    TRACE_TEMPORARY_IS_THERE, /* and its path stays as it is until it is gone */
    TRACE_TEMPORARY_IS_GONE   /* or was not made, or has become what was asked for */
};

/* Who wants to know what a call does meanwhile. Functions may be NULL, and so may a pointer to all
 * of it. */
struct trace_watch {
    void *context;
    /* In the thread of the call. While one comes, `path` is not set. */
    void (*temporary)(void *context, enum trace_temporary state, const char *path);
    /* How far a capture has been read, again and again, in bytes of it; from 0 on once more when it
     * is read once more. In the thread of the call. `path` is the caller's, and valid while it is
     * called. */
    void (*progress)(void *context, const char *path, uint64_t read_bytes, uint64_t all_bytes);
};

/* --- where answers go ------------------------------------------------------------------------ */

/* A sink for bytes. `write` returns LUDUS_OK, or LUDUS_ERROR_WRITE after which the sink is not
 * called again. */
struct trace_output {
    void *context;
    enum ludus_status (*write)(void *context, const char *bytes, size_t size);
};

/* A file that appears under its name only when it is complete: written beside it under a temporary
 * name, renamed by commit. `path` is replaced when it exists already, but for a capture or a
 * database. `watch` must outlive it. Errors: EXISTS, WRITE. */
struct trace_output_file;
LUDUS_CHECKED enum ludus_status trace_output_file_open(const char *path,
                                                       const struct trace_watch *watch,
                                                       struct trace_output_file **file,
                                                       struct ludus_error *error);
struct trace_output trace_output_file_sink(struct trace_output_file *file);
LUDUS_CHECKED enum ludus_status trace_output_file_commit(struct trace_output_file *file,
                                                         struct ludus_error *error);
/* Removes what was written unless it was committed, and releases the object. */
void trace_output_file_close(struct trace_output_file *file);

/* --- inputs ---------------------------------------------------------------------------------- */

/* An opened capture or database. */
struct trace_input;

/* Opens a capture (.lcap), or a database made by trace_import; which it is, is seen from its first
 * bytes. `capture` picks one of a database's captures, from 1 on; 0 stands for the only one.
 * Errors: ARGUMENT (no such capture, or several and none named), OPEN (missing, not a file,
 * unreadable), FORMAT (empty, or neither of the two), VERSION. Messages name the path and say what
 * to do. */
LUDUS_CHECKED enum ludus_status trace_open(const char *path, uint32_t capture,
                                           struct trace_input **input, struct ludus_error *error);

/* The same, with a watch of all that is done with the input; it must outlive it. */
LUDUS_CHECKED enum ludus_status trace_open_watched(const char *path, uint32_t capture,
                                                   const struct trace_watch *watch,
                                                   struct trace_input **input,
                                                   struct ludus_error *error);

/* The same for trace_report_info alone: of a capture of more than 64 MiB the blocks of events are
 * not verified, so that the answer comes at once, and the report says so. */
LUDUS_CHECKED enum ludus_status trace_open_for_info(const char *path, uint32_t capture,
                                                    struct trace_input **input,
                                                    struct ludus_error *error);
void trace_close(struct trace_input *input);

/* What a reader of an answer must know about the input: damage, an unfinished file, losses. One
 * line each, without newline, the path in front. Complete once a report has been made. `index` from
 * 0; NULL behind the last. */
const char *trace_warning(const struct trace_input *input, size_t index);

/* Whether something is missing in the capture (loss, damage, gap, unfinished). Complete once a
 * report has been made. */
bool trace_has_loss(const struct trace_input *input);

/* --- names ----------------------------------------------------------------------------------- */

/* A search for the name nearest to a word: the fewest letters added, left out, changed or swapped.
 */
struct trace_nearest {
    const char *word;
    size_t word_size;
    size_t distance;  /* of `name`; at first, the largest that counts as near, plus one */
    const char *name; /* NULL: none was near */
};
struct trace_nearest trace_nearest_start(const char *word, size_t word_size);
void trace_nearest_consider(struct trace_nearest *nearest, const char *name);

/* --- times ------------------------------------------------------------------------------------ */

/* Reads a time such as 16.6ms, exactly; units are ns, us, ms, s, min and h. False when it is none,
 * or finer than a nanosecond. */
bool trace_parse_time(const char *text, int64_t *time_ns);

/* --- which part of a capture ------------------------------------------------------------------ */

enum trace_attribution {
    TRACE_ATTRIBUTE_BEGIN, /* a slice counts, with all its time, where it begins */
    TRACE_ATTRIBUTE_CLIP   /* its time is split at the edges of frames and windows */
};

/* What an answer is about. All zero: the whole capture. Texts must outlive the call that takes it.
 * Names of tracks, categories and sites may hold * and ? (fnmatch; a backslash takes the next
 * letter as it is) and stand for all that fit, also of the same name; several of one kind add up.
 */
struct trace_selection {
    const char *const
        *windows;        /* "[NAME=]frames:A..B", "time:", "marks:", "last:": docs/numbers.md */
    size_t window_count; /* at most 16 */
    const char *domain;  /* the frame domain that is meant by frames; NULL: the default one */
    const char *const *tracks; /* NAME, or #ID: only their slices count */
    size_t track_count;
    const char *const *categories; /* only sites of them are shown */
    size_t category_count;
    const char *const *sites; /* only these are shown */
    size_t site_count;
    enum trace_attribution attribution;
};

/* --- reports --------------------------------------------------------------------------------- */

/* Tables of typed values, and what must be said about them. */
struct trace_report;
void trace_report_destroy(struct trace_report *report);

/* What is in the input: session, clocks, tracks, counts, losses, damage. Does not decode events. */
LUDUS_CHECKED enum ludus_status trace_report_info(struct trace_input *input,
                                                  struct trace_report **report,
                                                  struct ludus_error *error);

/* Where the frames went: docs/numbers.md defines each value. */
enum trace_summarize_by {
    TRACE_BY_SITE,
    TRACE_BY_PATH, /* the chain of sites from the outermost scope to the innermost */
    TRACE_BY_CATEGORY,
    TRACE_BY_TRACK,
    TRACE_BY_COUNTER, /* and gauge */
    TRACE_BY_MARK,
    TRACE_BY_FLOW,
    TRACE_BY_GPU_PASS /* and what is known of how far GPU times can be trusted */
};
enum trace_summarize_sort {
    TRACE_SORT_EXCLUSIVE, /* per frame; in all where a window has no frames; so the next two */
    TRACE_SORT_INCLUSIVE,
    TRACE_SORT_CALLS,
    TRACE_SORT_MEAN, /* inclusive time of a call */
    TRACE_SORT_NAME
};
#define TRACE_TOP_SCREEN UINT32_MAX /* as many as fit on a screen */
struct trace_summarize_options {
    struct trace_selection selection;
    enum trace_summarize_by by;
    enum trace_summarize_sort sort;
    bool has_percentiles; /* by site: how long the slices of the listed sites were */
    bool has_union;       /* by site, path or category: in how much time at least one track was
                             in each listed one, and in any scope */
    uint32_t top;         /* so many that work are listed, and so many that wait; 0: all */
};
LUDUS_CHECKED enum ludus_status
trace_report_summarize(struct trace_input *input, const struct trace_summarize_options *options,
                       struct trace_report **report, struct ludus_error *error);

/* How long the frames were, which were the longest, and which scopes took longer in them than in
 * the median frame: docs/numbers.md, "Hitches". */
struct trace_frames_options {
    struct trace_selection selection; /* a site named in it is also looked for in every frame */
    int64_t budget_ns;                /* of a frame; 0: none */
    uint32_t worst;                   /* frames that are listed, of each window */
    uint32_t top;                     /* scopes of each that are listed; 0: all */
};

/* Errors: ARGUMENT (the selection), UNAVAILABLE (there is no complete frame). */
LUDUS_CHECKED enum ludus_status trace_report_frames(struct trace_input *input,
                                                    const struct trace_frames_options *options,
                                                    struct trace_report **report,
                                                    struct ludus_error *error);

/* One frame on one screen: what took longer in it than in the median frame, what the threads did,
 * what it waited for, and what else there was: docs/numbers.md, "Hitches". */
struct trace_explain_options {
    struct trace_selection selection; /* of one window at most: the frames it is compared with */
    int64_t budget_ns;                /* of a frame; 0: none */
    uint64_t frame;                   /* its number in the domain */
    uint32_t top;                     /* rows of each table at most; 0: all */
};

/* Errors: ARGUMENT (the selection; there is no such frame, or it is not complete: the message says
 * why, and which is near), UNAVAILABLE (there is no complete frame). */
LUDUS_CHECKED enum ludus_status trace_report_explain(struct trace_input *input,
                                                     const struct trace_explain_options *options,
                                                     struct trace_report **report,
                                                     struct ludus_error *error);

/* The tree of caller contexts: docs/numbers.md. Its memory is 160 bytes a context and window; rows
 * are made as they are shown, for which the input must stay as it is. Errors: ARGUMENT (of the
 * selection, or a least time that is none). */
struct trace_tree_options {
    struct trace_selection selection;
    bool are_tracks_apart; /* a tree for each track */
    uint32_t depth;        /* levels of scopes that are shown; 0: all */
    uint32_t top;          /* children of a node that are shown, and trees; 0: all */
    const char *minimum;   /* "1%" of the mean frame, or "50us" a frame; NULL: none is too small */
};
LUDUS_CHECKED enum ludus_status trace_report_tree(struct trace_input *input,
                                                  const struct trace_tree_options *options,
                                                  struct trace_report **report,
                                                  struct ludus_error *error);

/* Whether the capture at `path` is whole: reads and decodes every block. `*is_whole` is false for
 * damage, gaps and an unfinished file; a loss that the recorder itself reported is shown and does
 * not count. */
LUDUS_CHECKED enum ludus_status trace_report_check(const char *path,
                                                   const struct trace_watch *watch,
                                                   struct trace_report **report, bool *is_whole,
                                                   struct ludus_error *error);

/* Writes what is whole of the capture at `path`, damaged or unfinished, as a capture to `output`,
 * and says what was kept and what is missing. The new one is finished, and says of itself that it
 * was repaired; a whole capture is copied. Errors: those of trace_open, DAMAGED (no block is
 * whole), WRITE. */
LUDUS_CHECKED enum ludus_status trace_repair(const char *path, const struct trace_watch *watch,
                                             struct trace_output output,
                                             struct trace_report **report,
                                             struct ludus_error *error);

/* Every record of the capture at `path`, one line each: format/FORMAT.md, section 3. */
LUDUS_CHECKED enum ludus_status trace_dump(const char *path, const struct trace_watch *watch,
                                           struct trace_output output, bool *is_whole,
                                           struct ludus_error *error);

/* --- a live look ----------------------------------------------------------------------------- */

/* The last moments of a capture that may still grow: its definitions, and what the last blocks
 * hold; older events are neither read nor decoded. Memory: 300 bytes a site and track, and what the
 * window holds, at most 300 MiB; a window that would need more is shortened, and says so. */
struct trace_live;
struct trace_live_options {
    uint32_t last_ms; /* the window's length, from the last time known back; at least 1 */
    bool is_followed; /* the file is read again and again: what is cut at its end may still come */
};

/* Errors: those of trace_open, and LUDUS_END when the file is followed and is not there, or holds
 * nothing, yet: to be tried again. */
LUDUS_CHECKED enum ludus_status trace_live_open(const char *path,
                                                const struct trace_live_options *options,
                                                struct trace_live **live,
                                                struct ludus_error *error);
void trace_live_close(struct trace_live *live);

struct trace_live_state {
    bool has_grown;   /* since the last look */
    bool is_finished; /* the file has its trailer: nothing will come any more */
};

/* Reads what the file holds by now and did not at the last look. Errors: OPEN (also when another
 * file has taken its place, or it was cut; the message says so), MEMORY, LIMIT. */
LUDUS_CHECKED enum ludus_status
trace_live_read(struct trace_live *live, struct trace_live_state *state, struct ludus_error *error);

/* The window as read so far: frame times, counters and gauges, the sites with the most exclusive
 * time, losses. Decodes the blocks that are new in it. `sites` and `values` are listed, 0 for all.
 * Errors: OPEN, MEMORY. */
struct trace_top_options {
    uint32_t sites;
    uint32_t values;
};
LUDUS_CHECKED enum ludus_status trace_report_top(struct trace_live *live,
                                                 const struct trace_top_options *options,
                                                 struct trace_report **report,
                                                 struct ludus_error *error);

/* --- showing reports ------------------------------------------------------------------------- */

enum trace_format {
    TRACE_FORMAT_TABLE,   /* for a terminal: aligned, units made readable */
    TRACE_FORMAT_JSON,    /* exact numbers in base units; schema: trace_schema_json */
    TRACE_FORMAT_CSV,     /* RFC 4180, one table of the report, header line always */
    TRACE_FORMAT_MARKDOWN /* tables for a merge request */
};

struct trace_render_options {
    enum trace_format format;
    const char *table; /* CSV: which table; NULL for the report's main one */
    bool color;        /* TABLE: ANSI colours */
    bool is_terse;     /* TABLE: neither notes nor empty lines */
    uint32_t width;    /* TABLE: columns that lines are fitted into; 0: 160, and 100 for notes */
};

/* Errors: ARGUMENT (no such table; the message lists them), WRITE. */
LUDUS_CHECKED enum ludus_status trace_render(const struct trace_report *report,
                                             const struct trace_render_options *options,
                                             struct trace_output output, struct ludus_error *error);

/* --- databases ------------------------------------------------------------------------------- */

/* Who wants to be told what must be known about captures that are read without being opened as an
 * input: lines as trace_warning gives them, and whether trace_has_loss. `warn` may be NULL. */
struct trace_listener {
    void *context;
    void (*warn)(void *context, const char *line);
    bool has_loss; /* set to true for a capture in which something is missing; never to false */
    const struct trace_watch *watch; /* of the same call */
};

/* What is put into a database. All zero: the statistics of the window "capture" only. */
struct trace_import_options {
    const char *const *windows; /* more windows that statistics are of: as in a selection, of the
                                   default domain; each must be in each capture */
    size_t window_count;        /* at most 15 */
    bool is_of_statistics;      /* rows of events are left out: slices, values, samples, ... */
};

/* Puts captures into a new SQLite database at `path`, which is replaced when it exists and appears
 * only when complete. `options` and the listener, which is told about the captures after that, may
 * be NULL. Errors: those of trace_open, ARGUMENT (a window), WRITE. */
LUDUS_CHECKED enum ludus_status trace_import(const char *const *capture_paths, size_t count,
                                             const struct trace_import_options *options,
                                             const char *path, struct trace_listener *listener,
                                             struct ludus_error *error);

/* Runs one read-only SQL statement on the database at `path`, or on a capture, which is imported
 * into a temporary database that is removed again, or kept as `keep_path` when that is not NULL.
 * The statement can neither write, attach, load extensions nor change settings. Rows stream to
 * `output` in `format`; the listener, which may be NULL, is told about a capture after them.
 * Errors: those of trace_open, SQL (refused or wrong, with SQLite's message), WRITE. */
LUDUS_CHECKED enum ludus_status
trace_query(const char *path, const char *sql, const char *keep_path, enum trace_format format,
            struct trace_output output, struct trace_listener *listener, struct ludus_error *error);

/* --- a part of a capture ---------------------------------------------------------------------- */

/* Cuts a window out of the capture at `path` and writes it to `output` as a capture that stands on
 * its own: docs/numbers.md, "A part of a recording". `window` is one span of time; `domain` says of
 * which frames it tells (NULL: the default ones). The listener, which may be NULL, is told about
 * the capture at the end. Errors: those of trace_open, ARGUMENT (the window is none, empty, or
 * several spans; no such domain), LIMIT (what no recorder makes), WRITE. */
struct trace_trim_options {
    const char *window;
    const char *domain;
};
LUDUS_CHECKED enum ludus_status
trace_trim(const char *path, const struct trace_trim_options *options, struct trace_output output,
           struct trace_listener *listener, struct ludus_error *error);

/* --- export ---------------------------------------------------------------------------------- */

/* What an export shows. All zero: everything. */
struct trace_export_options {
    /* Several windows are shown one behind another; scopes over their edges are cut. NULL:
     * everything. What it says of attribution does not count. */
    const struct trace_selection *selection;
    int64_t min_duration_ns; /* complete scopes that are shorter are left out, and counted */
};

/* Chrome/Perfetto trace event JSON: docs/perfetto.md. Bounded memory. */
LUDUS_CHECKED enum ludus_status trace_export_perfetto(struct trace_input *input,
                                                      const struct trace_export_options *options,
                                                      struct trace_output output,
                                                      struct ludus_error *error);

/* Folded stacks: "A;B;C nanoseconds", a line for each caller context that has exclusive time, in
 * the order of the tree; docs/exports.md. When tracks are apart the track's name comes first, and
 * before it, of several windows, the window's. Memory: that of trace_report_tree. */
LUDUS_CHECKED enum ludus_status
trace_export_folded(struct trace_input *input, const struct trace_selection *selection,
                    bool are_tracks_apart, struct trace_output output, struct ludus_error *error);

/* A page of HTML that stands on its own, for a browser: frame times, the longest frames, the tree
 * of caller contexts, sites, GPU, losses; docs/page.md. Its size is bounded, whatever the
 * capture's: what is left out is counted in it. The same from a capture and from the database made
 * of it. Memory: that of trace_report_tree. Errors: those of trace_report_summarize and
 * trace_report_frames; a capture without frames has a page without them. */
struct trace_page_options {
    struct trace_selection selection;
    int64_t budget_ns; /* of a frame; 0: none */
};
LUDUS_CHECKED enum ludus_status trace_export_page(struct trace_input *input,
                                                  const struct trace_page_options *options,
                                                  struct trace_output output,
                                                  struct ludus_error *error);

/* Slices as comma-separated values, those that begin in one of the windows, in the order of their
 * ids; docs/exports.md. What the selection says of attribution does not count. Bounded memory; what
 * outlasts many blocks of a capture is kept in a temporary file. */
LUDUS_CHECKED enum ludus_status trace_export_slices(struct trace_input *input,
                                                    const struct trace_selection *selection,
                                                    struct trace_output output,
                                                    struct ludus_error *error);

/* --- comparisons ----------------------------------------------------------------------------- */

/* Two sides of runs held against each other: docs/diff.md. Texts that are NULL leave what the
 * configuration says, and that its default. */
struct trace_diff_options {
    const char *const *base; /* captures and databases; each capture in them is a run */
    size_t base_count;
    const char *const *candidate;
    size_t candidate_count;
    struct trace_selection selection; /* of one window at most */
    bool is_by_path;                  /* scopes are told apart by their callers, too */
    bool has_contexts;                /* folded stacks or a page will be asked for */
    bool has_frames_in_time;          /* a page will be asked for */
    const char *config;               /* a file of JSON: trace_schema_json("diff-config") */
    const char *const *fail_on;       /* words: regression, suspected, budget, loss, new */
    size_t fail_on_count;
    const char *min_change;       /* of a scope: "3%" of the base's value */
    const char *min_time;         /* of a scope per frame: "20us", or "0.1%" of the mean frame */
    const char *min_frame_change; /* of the median frame: "2%" */
    const char *min_hitches;      /* more per 1,000 frames: "1" */
    const char *max_loss;         /* of the events of a run: "0.1%" */
    const char *level;            /* of any false regression: "2%" */
    int64_t hitch_ns;             /* longer frames are hitches; 0: the configuration's */
    int64_t min_calls;            /* of both sides together; -1: the configuration's */
    int64_t min_hitch_count;      /* more in all; likewise */
    int64_t min_frames;           /* of each run; likewise */
};

enum trace_diff_verdict {
    TRACE_DIFF_PASS,
    TRACE_DIFF_FAIL,        /* something of fail_on was found */
    TRACE_DIFF_INCOMPARABLE /* the report says why */
};

/* A comparison: all runs are read once, and judged, when it is opened; then it can be asked for any
 * of the forms below, in any order. */
struct trace_diff;

/* The options need not outlive the call. The listener, which may be NULL, is told what must be
 * known. Errors: those of trace_open, ARGUMENT (a side is empty, the selection, a threshold), OPEN
 * and FORMAT (the configuration), LIMIT (more than 64 runs). Captures that cannot be compared are
 * no error but a verdict. */
LUDUS_CHECKED enum ludus_status trace_diff_open(const struct trace_diff_options *options,
                                                struct trace_listener *listener,
                                                struct trace_diff **diff,
                                                struct ludus_error *error);
void trace_diff_close(struct trace_diff *diff);

enum trace_diff_verdict trace_diff_get_verdict(const struct trace_diff *diff);

/* `top`: rows of each table of scopes; 0: all. The report may outlive the comparison. */
LUDUS_CHECKED enum ludus_status trace_report_diff(const struct trace_diff *diff, uint32_t top,
                                                  struct trace_report **report,
                                                  struct ludus_error *error);

/* What was judged as JUnit XML, for systems that show reports of tests. Errors: WRITE. */
LUDUS_CHECKED enum ludus_status trace_export_diff_junit(const struct trace_diff *diff,
                                                        struct trace_output output,
                                                        struct ludus_error *error);

/* A differential flame graph's input: "A;B;C base candidate", a line for each caller context of the
 * track that marks the frames, with the exclusive time of a frame on both sides in ns, in the order
 * of the tree; contexts of other tracks begin with "(other tracks)". `has_contexts` was set.
 * Errors: UNAVAILABLE (the sides cannot be compared), WRITE. */
LUDUS_CHECKED enum ludus_status trace_export_diff_folded(const struct trace_diff *diff,
                                                         struct trace_output output,
                                                         struct ludus_error *error);

/* A page of HTML that stands on its own, for a browser: the verdict and all tables, the frames of
 * both sides, their callers' contexts; docs/page.md. Its size is bounded, whatever the captures';
 * what is left out is counted in it. Of sides that cannot be compared it says why. `has_contexts`
 * and `has_frames_in_time` were set. Errors: WRITE. */
LUDUS_CHECKED enum ludus_status trace_export_diff_page(const struct trace_diff *diff,
                                                       struct trace_output output,
                                                       struct ludus_error *error);

/* --- schemas --------------------------------------------------------------------------------- */

/* schemas/capture.sql. */
const char *trace_schema_sql(void);

/* The JSON Schema of a report ("info", "summarize", "tree", "frames", "explain", "check", "top",
 * "repair", "diff"), or of the configuration of a comparison ("diff-config"). Errors: ARGUMENT (no
 * such schema; the message lists them), WRITE. */
LUDUS_CHECKED enum ludus_status trace_schema_json(const char *name, struct trace_output output,
                                                  struct ludus_error *error);

/* The names that it takes, by their place; NULL behind the last. */
const char *trace_schema_name(size_t index);

/* The version of the program and of what it reads and writes, one line, without newline. */
const char *trace_version(void);

#endif
